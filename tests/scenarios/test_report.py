"""Reports: valid, self-contained HTML with every figure, no record of the data, and everything escaped."""

import json
import re
from functools import cache
from html import unescape
from itertools import pairwise

import html5lib
import pandas as pd
import pytest

from trustscope import datasets
from trustscope.app.desktop.printing import PAPERS, for_paper, pdf
from trustscope.handouts.report import html, report
from trustscope.handouts.report.drawing import Drawn
from trustscope.numbers import share
from trustscope.scenarios import models
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.coalition import Recipient
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.papers.scenario import PapersScenario
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.rotation.scenario import RotationScenario
from trustscope.scenarios.scenario import OwnFile
from trustscope.scenarios.sheet import plain_caption
from trustscope.scenarios.survey.scenario import SurveyScenario
from trustscope.scenarios.trust.scenario import MEASURES, TrustData, TrustScenario
from trustscope.scenarios.whole import Stopped

IRIS = TrustScenario().replace({"data.name": "iris"})
NOBODY = IRIS.replace({
    "settings.recipients": tuple(r.replace({"member": False}) for r in IRIS.settings.recipients)
})  # fmt: skip
SCENARIOS = {
    "trust": IRIS,
    "nobody": NOBODY,
    "made": TrustScenario().replace({"data.name": "gaussian", "data.order.records": 200, "settings.scheme": "nested"}),
    "categories": CategoriesScenario().replace({"data.name": "iris"}),
    "kept": RotationScenario().replace({"data.name": "iris"}),
    "known": RotationScenario().replace({"data.name": "iris", "view.story": "known"}),
    "sample": RotationScenario().replace({"data.name": "iris", "view.story": "sample"}),
    "survey": SurveyScenario().replace({"view.arrived": 60}),
    "paper": PapersScenario().opening("li/example"),
    "gallery": PapersScenario(),
}
EVIL = "<script>alert(1)</script>&\"'$_"


def embedded(text: str) -> dict:
    """The figures for programs."""
    return json.loads(re.search(r'<script type="application/json" id="figures">(.*?)</script>', text, re.DOTALL)[1])


@cache
def tree_of(text: str):
    """A report as a tree, where it is strictly HTML; many tests look at the same one."""
    return html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)


def valid(text: str) -> None:
    """Strictly HTML, every identifier once, nothing fetched, nothing run."""
    tree = tree_of(text)
    ids = [e.get("id") for e in tree.iter() if isinstance(e.tag, str) and e.get("id")]
    assert len(ids) == len(set(ids))
    scripts = [e for e in tree.iter("script")]
    assert [e.get("type") for e in scripts] == ["application/json"]
    for element in tree.iter():
        for name, value in element.items() if isinstance(element.tag, str) else ():
            assert not str(name).lower().startswith("on"), name
            if str(name).rsplit("}", 1)[-1] in ("href", "src"):
                assert value.startswith("#")
    # Every part of a drawing that is referred to is there.
    for reference in re.findall(r'(?:url\(#|href="#)([^)"]+)', text):
        assert reference in ids
    assert "@import" not in text


@pytest.fixture(scope="module")
def made():
    """All reports. Two have the cards of another; where nobody pools is drawn side by side with something else."""
    again = ("made", "nobody")
    found = {name: report(scenario) for name, scenario in SCENARIOS.items() if name not in again}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Drawn, "inline", lambda *arguments: '<svg role="img" aria-label="drawn elsewhere"></svg>')
        return found | {name: report(SCENARIOS[name]) for name in again}


@pytest.fixture
def undrawn(monkeypatch):
    """Without drawings, which take most of the time: for what is said."""
    monkeypatch.setattr(Drawn, "inline", lambda *arguments: "")


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_page_makes_a_valid_report(made, name):
    text, scenario = made[name], SCENARIOS[name]
    valid(text)
    found = scenario.figures()
    plain = unescape(text)
    for part in (found.verdict, found.after, found.note):
        assert part in plain
    (kept,) = embedded(text)["scenarios"]
    figures = {one["name"]: one for one in kept["figures"]}
    assert {one["name"]: one for one in found.to_dict()["figures"]}.items() <= figures.items()
    assert type(scenario).from_dict(kept["scenario"]).figures().to_dict() == found.to_dict()
    assert f"trustscope run {scenario.page}.json" in plain
    assert f"/?page={scenario.page}" in plain


@pytest.mark.parametrize("name", ["trust", "categories", "kept", "survey", "gallery"])
def test_no_level_of_headings_is_left_out(made, name):
    levels = [int(e.tag[1]) for e in tree_of(made[name]).iter() if re.fullmatch("h[1-6]", e.tag)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_words_of_headings_that_fit_on_paper_are_not_broken():
    few = html.table(pd.DataFrame([[1.0, 2.0]], columns=["tolerance", "the direction"]), "Two")
    many = html.table(pd.DataFrame([range(40)], columns=[f"direction {c}" for c in range(40)]), "Many")
    assert "named" in few.split(">")[0]
    assert "named" not in many.split(">")[0]
    assert re.search(r"\.named th \{ overflow-wrap: break-word; \}", html.STYLE.read_text())


def test_a_report_describes_what_it_draws(made):
    text = words(tree_of(made["survey"]))
    assert "combinations of answers." in text
    assert not re.search(r"darker|\(columns|Lines:", text)


def test_a_miner_who_asks_for_one_answer_learns_no_class_in_return(undrawn):
    asked = SurveyScenario().replace({"view.arrived": 60, "settings.miner": "outright"})
    page = words(first_of(report(asked)))
    assert "It does not help to find the class" in page
    assert "use the extra check" in page
    assert "In return" not in page


def test_of_one_copy_nobody_is_told_about_all_copies_together(undrawn):
    alone = IRIS.replace({"settings.recipients": IRIS.settings.recipients[:1]})
    assert "together" not in words(first_of(report(alone)))


def test_what_a_rotation_keeps_is_said_in_a_sentence(made):
    assert re.search(r"100 % of [a-z]+ keep their \d+ nearest neighbours, against", words(first_of(made["kept"])))


def test_plots_are_drawings_with_names_and_tables(made):
    text = made["trust"]
    assert (
        text.count("<svg") == text.count('role="img"') == text.count("<figcaption>") == 9
    )  # one of them on the first page
    for title in ("As more of them pool", "Every coalition", "What stands out of the noise"):
        assert f"<h3>{title}</h3>" in text
        assert f"<caption>{title}: figures" in text


def test_attackers_that_are_not_ticked_are_told_too(made):
    (kept,) = embedded(made["trust"])["scenarios"]
    table = kept["tables"]["Attacker by attacker"]
    rows = [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
    assert [row["an attacker who"] for row in rows] == [*MEASURES.values(), "guesses the average"]
    assert [row["ticked"] for row in rows] == [True, *[False] * 9]
    ticked = IRIS.replace({"settings.attackers": tuple(MEASURES)}).figures()
    for name in MEASURES:
        one = next(f for f in kept["figures"] if f["name"].endswith(f".error.{name}") and "alone" not in f["name"])
        assert one["measured"] == ticked.of(f"coalition.error.{name}").measured


def test_no_table_stands_there_twice(made):
    for name, text in made.items():
        tables = [words(table).partition(" ")[2] for table in tree_of(text).iter("tbody")]
        assert len(tables) == len(set(tables)), name


def test_of_columns_without_a_unit_none_is_told(made, undrawn):
    bare = report(RotationScenario().replace({"data.name": "breast"}))
    for text, has_units in ((made["kept"], True), (bare, False)):
        head = text.partition("Columns that matter here")[2].partition("</thead>")[0]
        assert (">unit<" in head) == has_units


def test_a_figure_within_a_bound_is_said_to_hold_and_not_to_agree(made):
    text = words(tree_of(made["survey"]))
    assert re.search(r"the theory is the paper's bound at most [\d.]+\s%? ", text)
    assert "✓ holds" in text


@pytest.mark.parametrize("name", SCENARIOS)
def test_no_line_of_a_report_ends_before_a_sign_of_per_cent(made, name):
    assert " %" not in re.sub(r"<(script|pre|style|svg)\b.*?</\1>", "", made[name], flags=re.DOTALL)


def test_the_verdict_is_that_of_the_ticked_attackers(made):
    assert embedded(made["trust"])["scenarios"][0]["verdict"] == IRIS.figures().verdict


def test_no_record_is_told(made):
    for name, card in (("trust", "One person"), ("known", "One record"), ("survey", "Respondents arriving")):
        (kept,) = embedded(made[name])["scenarios"]
        assert card not in kept["tables"]
        assert card in SCENARIOS[name].figures().tables
        assert f"<h3>{card}</h3>" not in made[name]


def test_several_stand_side_by_side():
    other = NOBODY.replace({"settings.scheme": "nested", "seed": 3})
    text = report([NOBODY, other, SCENARIOS["paper"]])
    valid(text)
    assert [one["name"] for one in embedded(text)["scenarios"]] == ["A", "B", "C"]
    assert "<caption>Settings that differ" in text
    assert "<caption>Figures that differ" in text
    assert text.count("<section") == 3


def test_the_settings_say_what_the_best_guess_builds_on():
    text = report([IRIS.replace({"settings.attackers": ("strongest",)})])
    assert re.search(r"What the best guess builds on</dt>\s*<dd>the values of other records, as many as half", text)


def test_markup_in_names_stays_text():
    who = (Recipient(number=0, name=EVIL[:24], trust=50), Recipient(number=1, name="$a_b$ \\frac", trust=40))
    table = f'"{EVIL.replace(chr(34), chr(34) * 2)}","<b>other</b>",City\n' + "".join(
        f"{i % 17},{i % 13},{'<i>x</i>' if i % 2 else EVIL.replace(chr(34), '')}\n" for i in range(80)
    )
    own = datasets.inspect(table.encode(), "<img src=x>.csv").dataset(missing="keep")
    origin = own.origin
    file = OwnFile(name=origin.name, size=origin.size, digest=origin.digest)
    trust = TrustScenario(data=TrustData(name="own", file=file)).replace({"settings.recipients": who})
    categories = CategoriesScenario().replace(
        {"data.name": "own", "data.file": file, "data.column": "City", "settings.recipients": who}
    )
    text = report([trust, categories], own=own)
    valid(text)
    assert "<script>alert" not in text
    assert "<img" not in text
    assert "<i>x" not in text
    assert EVIL[:24] in unescape(text)


def test_rows_that_are_left_out_are_told(undrawn):
    table = "a,b\n" + "".join(f"{i % 17},{'' if i < 20 else i % 13}\n" for i in range(100))
    own = datasets.inspect(table.encode(), "t.csv").dataset(missing="keep")
    file = OwnFile(name=own.origin.name, size=own.origin.size, digest=own.origin.digest)
    text = report(TrustScenario(data=TrustData(name="own", file=file, columns=("b",))), own=own)
    assert "80; 20 lack a value that is used, and are left out" in text


def test_the_same_scenario_gives_the_same_bytes_and_progress_is_told(made, monkeypatch):
    seen = []
    monkeypatch.setattr(models, "shared", Memo(1))  # all is worked out anew
    assert report(SCENARIOS["trust"], progress=lambda fraction, text: seen.append((fraction, text))) == made["trust"]
    fractions = [fraction for fraction, _ in seen]
    assert fractions == sorted(fractions)
    assert (fractions[0], fractions[-1]) == (0.0, 1.0)
    assert any(text.startswith("Drawing") for _, text in seen)


def test_work_can_be_stopped(undrawn):  # between drawings: what is drawn does not matter
    for when in (1, 3, 6):
        left = iter([False] * when)
        with pytest.raises(Stopped):
            report(IRIS, cancel=lambda left=left: next(left, True))


def test_none_or_too_many_scenarios_get_a_sentence():
    for scenarios in ([], [IRIS] * 9):
        with pytest.raises(ScenarioProblem, match="1 to 8"):
            report(scenarios)


def test_captions_lose_their_markup_and_nothing_else():
    assert plain_caption("It errs. <span class='in-app'>Tick more.</span> All rows.") == "It errs. All rows."
    assert plain_caption("<b>5 &lt; 6</b> <p role='x'>a</p> <script>") == "5 < 6 a <script>"


# For people who decide


def first_of(text: str):
    """The first page, as a tree."""
    return next(e for e in tree_of(text).iter("div") if e.get("class") == "first")


def words(element) -> str:
    return " ".join(" ".join(element.itertext()).split())


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_first_page_has_question_answer_picture_table_and_assumptions(made, name):
    page = first_of(made[name])
    (question,) = page.iter("h1")
    assert words(question).endswith("?")
    (answer,) = (e for e in page.iter("div") if e.get("class") == "answer")
    assert 1 <= len(answer) <= 3
    assert all(words(one).endswith(".") for one in answer)
    assert sum(str(e.tag).endswith("svg") for e in page.iter()) == (name != "gallery")
    (table,) = page.iter("table")
    assert 1 <= len(list(table.iter("tr"))) - 1 <= 6
    assert [words(e) for e in page.iter("h2")][-1] == "What is assumed"
    # No dotted name of a figure, and nothing that stands for a value that is not there.
    assert not re.search(r"\b(nan|None)\b|\b[a-z]+\.[a-z_]+\.[a-z_]+", words(page))


def test_the_answer_has_the_figures_and_names_who_guesses(made):
    found, page = IRIS.figures(), words(first_of(made["trust"]))
    nested = share(found.of("pooled.nested").value)
    assert (
        f"With all copies together {found.after} of records are guessed within 0.25 cm, against {found.before}" in page
    )
    assert "by the best guess of somebody who knows the values of other records" in page
    assert f"with more noise): pooling then gives {nested}" in page


def test_a_stronger_attacker_who_is_not_ticked_is_named_before_any_advice(undrawn, made):
    weak = IRIS.replace({"settings.attackers": ("univariate",)})
    page = words(first_of(report(weak)))
    best = share(IRIS.figures().of("hits.together").value)
    assert f"an attacker that is not ticked, would reach {best}." in page
    assert f"By the strongest attacker that is not ticked {best}" in page
    assert "count on" not in page
    assert "an attacker that is not ticked" not in words(first_of(made["trust"]))


def test_a_promise_that_is_not_kept_gets_advice_that_keeps_it(made):
    page = words(first_of(made["categories"]))
    assert "stays at most 50 % not kept" in page
    keeps = int(re.search(r"Look at rare values: .* and none keeps more than (\d+) %\.", page)[1])
    scenario = SCENARIOS["categories"].replace({"settings.scheme": "nested"})
    for most, kept in ((keeps, True), (keeps + 1, False)):
        who = tuple(r.replace({"trust": most}) for r in scenario.settings.recipients)
        found = scenario.replace({"settings.recipients": who}).figures()
        assert found.of("promise.coalition.keeps_rho").value is kept


def test_details_are_folded_and_figures_are_named_in_words_with_units(made):
    for name in SCENARIOS:
        tree = tree_of(made[name])
        assert all(e.get("open") is None for e in tree.iter("details"))
        first = {words(e) for e in first_of(made[name]).iter("h2")}
        heads = [words(e) for e in tree.iter("h2") if words(e) not in first]
        assert heads == ["Details", "Every figure", "How to reproduce it", "Versions"]
        (kept,) = embedded(made[name])["scenarios"]
        (table,) = (e for e in tree.iter("table") if words(e.find("caption")) == "All figures, over all rows")
        rows = [[words(cell) for cell in row] for row in table.find("tbody")]
        assert len(rows) == len(kept["figures"])
        assert len({label for label, _, _ in rows}) == len(rows)  # no two figures have one name
        for (label, _, unit), figure in zip(rows, kept["figures"], strict=True):
            assert "_" not in label
            assert bool(unit) == (isinstance(figure["value"], int | float) and not isinstance(figure["value"], bool))
            assert unit != "plain number", label


def test_a_comparison_begins_with_what_differs(undrawn):
    other = IRIS.replace({"settings.scheme": "nested"})
    text = report([IRIS, other])
    page, now, then = words(first_of(text)), other.figures(), IRIS.figures()
    assert page.startswith("Trustscope report · 2 scenarios side by side How often is Sepal length guessed within")
    by = int(then.after.removesuffix(" %")) - int(now.after.removesuffix(" %"))
    assert f"{then.after} in A, {now.after} in B ({by} points less)." in page
    assert f"Choose B: it gives away least ({now.after})." in page
    assert "A and B differ in noise of the copies (independent in A and nested in B)." in page
    assert len(list(first_of(text).iter("tr"))) - 1 <= 6


def test_scenarios_that_count_different_things_are_not_subtracted(undrawn):
    wider = IRIS.replace({"settings.kind": "euclidean", "settings.eps": 0.2})
    page = words(first_of(report([NOBODY, IRIS]))), words(first_of(report([IRIS, wider])))
    assert all("count different things" in one and "points" not in one for one in page)


@pytest.mark.browser
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_on_paper_the_first_page_is_one_and_no_table_is_cut(browser, made, paper):
    width, height = {"a4": (182, 265), "letter": (187.9, 247.4)}[paper]  # mm between the margins
    page = browser.new_page(viewport={"width": int(width / 25.4 * 96), "height": 900})
    page.emulate_media(media="print")
    for name in ("trust", "categories"):
        page.set_content(for_paper(made[name], paper))
        assert f"size: {PAPERS[paper]};" in page.content()
        first = page.evaluate("document.querySelector('.first').getBoundingClientRect().height")
        assert first / 96 * 25.4 < height
        edges = page.evaluate("[...document.querySelectorAll('table')].map((e) => e.getBoundingClientRect().right)")
        assert len(edges) > 5
        assert max(edges) <= width / 25.4 * 96 + 1
    page.close()


@pytest.mark.browser
def test_a_report_is_printed_as_pdf(made):
    printed = pdf(made["paper"], "letter")
    assert printed.startswith(b"%PDF-")
    assert re.search(rb"/MediaBox \[0 0 612 792\]", printed)


def test_without_a_browser_there_is_a_sentence(monkeypatch, made):
    monkeypatch.setenv("TRUSTSCOPE_BROWSER", "no-such-browser")
    with pytest.raises(ScenarioProblem, match="none of the Chromium family is installed"):
        pdf(made["paper"])
