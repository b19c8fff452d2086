"""Reports: valid, self-contained HTML with every figure, no record of the data, and everything escaped."""

import json
import re
from html import unescape

import html5lib
import pytest

from trustscope import datasets
from trustscope.handouts.report import report
from trustscope.handouts.report.drawing import Drawn
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.coalition import Recipient
from trustscope.scenarios.papers.scenario import PapersScenario
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.rotation.scenario import RotationScenario
from trustscope.scenarios.scenario import OwnFile
from trustscope.scenarios.sheet import spoken
from trustscope.scenarios.survey.scenario import SurveyScenario
from trustscope.scenarios.trust.scenario import MEASURES, TrustData, TrustScenario
from trustscope.scenarios.whole import Stopped

IRIS = TrustScenario().having({"data.name": "iris"})
NOBODY = IRIS.having({
    "settings.recipients": tuple(r.having({"member": False}) for r in IRIS.settings.recipients)
})  # fmt: skip
SCENARIOS = {
    "trust": IRIS,
    "nobody": NOBODY,
    "made": TrustScenario().having({"data.name": "gaussian", "data.order.records": 200, "settings.scheme": "nested"}),
    "categories": CategoriesScenario().having({"data.name": "iris"}),
    "kept": RotationScenario().having({"data.name": "iris"}),
    "known": RotationScenario().having({"data.name": "iris", "view.story": "known"}),
    "sample": RotationScenario().having({"data.name": "iris", "view.story": "sample"}),
    "survey": SurveyScenario().having({"view.arrived": 60}),
    "paper": PapersScenario().opening("li/example"),
    "gallery": PapersScenario(),
}
EVIL = "<script>alert(1)</script>&\"'$_"


def embedded(text: str) -> dict:
    """The figures for programs."""
    return json.loads(re.search(r'<script type="application/json" id="figures">(.*?)</script>', text, re.DOTALL)[1])


def valid(text: str) -> None:
    """Strictly HTML, every identifier once, nothing fetched, nothing run."""
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)
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
    return {name: report(scenario) for name, scenario in SCENARIOS.items()}


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


def test_plots_are_drawings_with_names_and_tables(made):
    text = made["trust"]
    assert text.count("<svg") == text.count('role="img"') == text.count("<figcaption>") == 8
    for title in ("As more of them pool", "Every coalition", "What stands out of the noise"):
        assert f"<h3>{title}</h3>" in text
        assert f"<caption>{title}: figures" in text


def test_attackers_that_are_not_ticked_are_told_too(made):
    (kept,) = embedded(made["trust"])["scenarios"]
    table = kept["tables"]["Attacker by attacker"]
    rows = [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
    assert [row["an attacker who"] for row in rows] == [*MEASURES.values(), "guesses the average"]
    assert [row["ticked"] for row in rows] == [True, *[False] * 9]
    ticked = IRIS.having({"settings.attackers": tuple(MEASURES)}).figures()
    for name in MEASURES:
        one = next(f for f in kept["figures"] if f["name"].endswith(f".error.{name}") and "alone" not in f["name"])
        assert one["measured"] == ticked.of(f"coalition.error.{name}").measured


def test_the_verdict_is_that_of_the_ticked_attackers(made):
    assert embedded(made["trust"])["scenarios"][0]["verdict"] == IRIS.figures().verdict


def test_no_record_is_told(made):
    for name, card in (("trust", "One person"), ("known", "One record"), ("survey", "Respondents arriving")):
        (kept,) = embedded(made[name])["scenarios"]
        assert card not in kept["tables"]
        assert card in SCENARIOS[name].figures().tables
        assert f"<h3>{card}</h3>" not in made[name]


def test_several_stand_side_by_side():
    other = NOBODY.having({"settings.scheme": "nested", "seed": 3})
    text = report([NOBODY, other, SCENARIOS["paper"]])
    valid(text)
    assert [one["name"] for one in embedded(text)["scenarios"]] == ["A", "B", "C"]
    assert "<caption>Settings that differ" in text
    assert "<caption>Figures that differ" in text
    assert text.count("<section") == 3


def test_markup_in_names_stays_text():
    who = (Recipient(number=0, name=EVIL[:24], trust=50), Recipient(number=1, name="$a_b$ \\frac", trust=40))
    table = f'"{EVIL.replace(chr(34), chr(34) * 2)}","<b>other</b>",City\n' + "".join(
        f"{i % 17},{i % 13},{'<i>x</i>' if i % 2 else EVIL.replace(chr(34), '')}\n" for i in range(80)
    )
    own = datasets.inspect(table.encode(), "<img src=x>.csv").dataset(missing="keep")
    origin = own.origin
    file = OwnFile(name=origin.name, size=origin.size, digest=origin.digest)
    trust = TrustScenario(data=TrustData(name="own", file=file)).having({"settings.recipients": who})
    categories = CategoriesScenario().having(
        {"data.name": "own", "data.file": file, "data.column": "City", "settings.recipients": who}
    )
    text = report([trust, categories], own=own)
    valid(text)
    assert "<script>alert" not in text
    assert "<img" not in text
    assert "<i>x" not in text
    assert EVIL[:24] in unescape(text)


def test_rows_that_are_left_out_are_told():
    table = "a,b\n" + "".join(f"{i % 17},{'' if i < 20 else i % 13}\n" for i in range(100))
    own = datasets.inspect(table.encode(), "t.csv").dataset(missing="keep")
    file = OwnFile(name=own.origin.name, size=own.origin.size, digest=own.origin.digest)
    text = report(TrustScenario(data=TrustData(name="own", file=file)), own=own)
    assert "80; 20 lack a value that is used, and are left out" in text


def test_the_same_scenario_gives_the_same_bytes_and_progress_is_told(made):
    seen = []
    assert report(SCENARIOS["trust"], progress=lambda fraction, text: seen.append((fraction, text))) == made["trust"]
    fractions = [fraction for fraction, _ in seen]
    assert fractions == sorted(fractions)
    assert (fractions[0], fractions[-1]) == (0.0, 1.0)
    assert any(text.startswith("Drawing") for _, text in seen)


def test_work_can_be_stopped(monkeypatch):
    monkeypatch.setattr(Drawn, "inline", lambda *arguments: "")  # between drawings: what is drawn does not matter
    for when in (1, 3, 6):
        left = iter([False] * when)
        with pytest.raises(Stopped):
            report(IRIS, cancel=lambda left=left: next(left, True))


def test_none_or_too_many_scenarios_get_a_sentence():
    for scenarios in ([], [IRIS] * 9):
        with pytest.raises(ScenarioProblem, match="1 to 8"):
            report(scenarios)


def test_captions_lose_their_markup_and_nothing_else():
    assert spoken("<b>5 &lt; 6</b> <p role='x'>a</p> <script>") == "5 < 6 a <script>"
