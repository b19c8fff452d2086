"""The front door for notebooks: a study is a handle on a scenario, and says what the page and the commands say."""

import copy as copying
import doctest
import json
import pickle
import re
from decimal import Decimal
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import trustscope as ts
from tests.study.pages import shown_on_page
from trustscope.app import cli
from trustscope.handouts.report.drawing import Drawn
from trustscope.scenarios import attackers
from trustscope.scenarios.cards import cards_of
from trustscope.scenarios.trust.scenario import ATTACKERS, KINDS, SCHEMES, TrustScenario

ROWS = 90


def people(rows=ROWS):
    """Wages and ages, under an index that is neither whole numbers nor in order."""
    rng = np.random.default_rng(5)
    age = rng.integers(18, 70, rows)
    wage = np.round(np.exp(rng.normal(7, 0.6, rows)) + 20 * age)
    names = [f"p{place:03}" for place in rng.permutation(rows)]
    return pd.DataFrame({"wage": wage, "age": age, "sex": rng.choice(["f", "m"], rows)}, index=names)


WAYS = {
    "pandas": lambda frame: frame,
    "polars": lambda frame: pl.from_pandas(frame),
    "arrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
}


@pytest.fixture(scope="module")
def linear():
    """A study whose attackers have closed forms: cheap."""
    return ts.Study(people(), secret="wage", attackers="perfect", recipients={"Ministry": 60, "Press": 20})


@pytest.mark.parametrize("way", WAYS)
def test_the_front_door(way, tmp_path, monkeypatch):
    """From a table to a verdict, copies, attackers, a target, plots and files; as a notebook would write it."""
    monkeypatch.chdir(tmp_path)
    df = WAYS[way](people())
    study = ts.Study(df, secret="wage", within=500, random_state=0)
    study.recipients = {"Ministry": 60, "Press": 20}
    study.scheme = "nested"
    if way != "pandas":
        study.attackers = ["perfect"]  # the strongest attacker learns for a second: once is enough
    assert study.verdict == "Ministry and Press gain nothing by pooling their copies."
    copies = study.copies()
    assert {name: type(copy) for name, copy in copies.items()} == dict.fromkeys(("Ministry", "Press"), type(df))
    found = study.coalitions()
    assert found.columns.tolist() == ["members", "error", "hits", "baseline"]
    assert found["members"].tolist() == [("Ministry",), ("Press",), ("Ministry", "Press")]
    attack = study.attack("bayes", pooled=["Ministry", "Press"])
    assert type(attack.estimate) is type(df)
    assert 0 < attack.error < 1
    if way == "pandas":  # these are made of the dataset, which is the same whatever held the table
        solved = study.solve(max_hits=0.75)
        assert solved.table.index.tolist() == list(SCHEMES)
        assert solved.trusts.keys() == {"Ministry", "Press"}
        assert solved.apply().recipients == solved.trusts
        both = study.plot.coalitions() + study.plot.copies()
        assert len(both) == 2
        assert study.plot.tradeoff(backend="matplotlib")._repr_svg_().startswith("<svg ")
        monkeypatch.setattr(Drawn, "inline", lambda *arguments: "")  # test_report.py looks at drawings
        study.plot.coalitions.save("x.svg", caption=True, source=True)
        assert "Made with Trustscope" in (tmp_path / "x.svg").read_text()
        with pytest.raises(ts.TrustscopeError, match=r"not as \.pdf"):
            study.plot.coalitions.save("x.pdf")
        study.report("x.html")
        study.slides("slides.html")
        assert "wage" in (tmp_path / "x.html").read_text()
        assert study.verdict in (tmp_path / "slides.html").read_text()
    study.scenario.save("x.json")
    assert study.link().startswith("http://127.0.0.1:5006/?page=trust")
    again = ts.Study.from_scenario("x.json", data=df)
    assert again.scenario == study.scenario
    again.scheme = "independent"
    assert ("setting", "noise of the copies") in ts.compare({"A": study, "B": again}).index


# The same figures


@pytest.mark.sweep
@pytest.mark.usefixtures("half_nested")
@pytest.mark.parametrize("seed", [30, 31, 32])
def test_figures_are_those_of_the_command_and_the_page_for_random_scenarios(seed, tmp_path, capsys):
    """One study goes through all of them, with what it remembers; the command and the page begin anew each time."""
    rng = np.random.default_rng(seed)
    frame = people()
    studies = {"own": ts.Study(frame, attackers="perfect"), "iris": ts.Study("iris")}
    data = studies["own"].save_data(tmp_path / "people.parquet")
    cheap = [name for name in ATTACKERS if name not in ("strongest", "boosting")]
    for number in range(8):
        which = "iris" if number % 4 == 3 else "own"
        study = studies[which]
        names = list(study.columns)
        who = rng.permutation(["Ministry", "Bank", "Press", "City"])[: rng.integers(1, 4)].tolist()
        study.change(
            random_state=int(rng.integers(1000)), secret=str(rng.choice(names)), scheme=str(rng.choice(list(SCHEMES))),
            recipients={name: int(rng.integers(1, 101)) for name in who}, hit=str(rng.choice(list(KINDS))),
            attackers=rng.choice(cheap, 2, replace=False).tolist(), similarity=float(rng.choice([1.0, 0.5])),
        )  # fmt: skip
        if which == "iris" and study.hit == "absolute":  # its curves are shipped
            study.change(attackers="strongest", similarity=1.0)
        study.pooled = who[: rng.integers(0, len(who) + 1)]
        saved = study.scenario.save(tmp_path / "one.json")
        assert cli.main(["run", str(saved), *(["--data", str(data)] if which == "own" else [])]) == 0
        printed = json.loads(capsys.readouterr().out)
        assert study.figures().to_dict() == printed, study.scenario
        assert printed.items() >= shown_on_page(study).items(), study.scenario


def test_tables_are_those_of_the_cards(linear):
    found = linear.coalitions()
    shown = linear.table("coalitions")
    assert shown["coalition"].tolist() == [" + ".join(members) for members in found["members"]]
    np.testing.assert_allclose(shown[f"explained, {linear.scheme}"], 1 - found["error"])
    hits = linear.figures().of("hits.together").value
    # The closed form over quantiles stands for the one over all rows.
    assert found["hits"].iloc[-1] == pytest.approx(hits, abs=0.01)
    assert (found["baseline"] == linear.figures().of("hits.without").value).all()


def test_coalitions_are_attacked_by_whom_one_names(linear):
    pd.testing.assert_frame_equal(linear.coalitions(attacker="perfect"), linear.coalitions())
    for attacker in ("strongest", "perfect"):  # what this one achieves, whoever else is ticked
        told = linear.coalitions(attacker=attacker)
        pd.testing.assert_frame_equal(told, linear.replace(attackers=attacker).coalitions())
    # What has no closed form is measured on the copies of every coalition.
    told = linear.coalitions(attacker="univariate").set_index("members")
    for members, row in told.iterrows():
        found = linear.attack("univariate", pooled=members)
        assert (row.error, row.hits, row.baseline) == (found.error, found.hits, found.baseline)
    assert told.error.tolist() != linear.coalitions().error.tolist()
    whole = linear.replace(hit="euclidean")
    assert whole.coalitions().hits.isna().all()
    assert whole.coalitions(attacker="perfect").hits.tolist() == [
        whole.attack("perfect", pooled=members).hits for members in whole.coalitions().members
    ]
    with pytest.raises(ts.TrustscopeError, match=r"no attacker called 'perfekt' here\. Did you mean 'perfect'"):
        linear.coalitions(attacker="perfekt")


def test_records_are_hit_as_often_as_the_figures_say():
    """The attack itself, on the copies of the study, and what is read off the curve: of whole records, too."""
    draw = np.random.default_rng(3)
    amount = np.where(draw.random(900) < 0.5, 0.0, np.round(np.exp(1 + draw.standard_normal(900))))
    people = pd.DataFrame({"amount": amount, "children": draw.poisson(1.0, 900), "kind": 10 * draw.integers(0, 5, 900)})
    study = ts.Study(people, secret="amount", hit="entry", within=0.05, recipients={"A": 70, "B": 60})
    told = {figure.name: figure for figure in study.figures().figures}["coalition.hits.strongest"]
    found = study.attack("strongest")
    assert told.value > 0.9
    assert told.agrees
    assert found.hits == pytest.approx(told.value, abs=0.03)
    assert found.guess.shape == (900,)


def test_measures_that_nobody_registered_are_refused(linear):
    with pytest.raises(ts.TrustscopeError, match=r"no registered measure called 'zz' here\. There are none\."):
        linear.coalitions(measures="zz")


@pytest.mark.parametrize(
    "attacker", [name for name in ATTACKERS if name not in ("strongest", "boosting", "neighbours")]
)
def test_attacks_are_those_of_the_page(linear, attacker):
    study = ts.Study.from_scenario(linear.scenario, data=people())
    study.attackers = [attacker]
    made = study.attack(attacker)
    said = study.figures().of(f"coalition.error.{attacker}")
    assert made.error == pytest.approx(said.measured)
    assert made.hits == pytest.approx(study.figures().of(f"coalition.hits.{attacker}").measured)
    # The estimates stand in the order of the data, and belong to the rows whose index they have.
    assert made.estimate.index.equals(people().index)
    truth = people().loc[made.estimate.index, ["wage", "age"]].to_numpy()
    spread = people()[["wage", "age"]].to_numpy().std(axis=0, ddof=1)
    assert (((made.estimate.to_numpy() - truth) / spread) ** 2).mean() == pytest.approx(made.error)


# Copies


def test_copies_keep_index_and_order():
    frame = people()
    study = ts.Study(frame, columns=["wage", "age"], attackers="perfect", recipients={"A": 100, "B": 99, "C": 1})
    copies = study.copies()
    for copy in copies.values():
        assert copy.index.equals(frame.index)
        assert copy.columns.tolist() == ["wage", "age"]
    np.testing.assert_allclose(copies["A"], frame[["wage", "age"]])
    # With trust 99 % the correlation is 0.995: rows in another order would have none.
    assert np.corrcoef(copies["B"]["wage"], frame["wage"])[0, 1] > 0.98
    assert copies["C"]["wage"].std() > 5 * frame["wage"].std()


def test_copies_are_those_that_figures_are_of(linear):
    """The means of copies on the card about usefulness."""
    card = linear.table("usefulness").set_index("figure")
    for name, copy in linear.copies().items():
        assert copy["wage"].mean() == pytest.approx(card.loc["mean", name])


@pytest.mark.parametrize("way", WAYS)
def test_rows_with_gaps_are_left_out_of_copies(way):
    frame = people()
    frame["wage"] = frame["wage"].astype(float)
    frame.loc[frame.index[3], "wage"] = np.nan
    study = ts.Study(WAYS[way](frame), attackers="perfect", recipients={"A": 100})
    copy = study.copies()["A"]
    assert len(copy) == ROWS - 1
    wages = copy["wage"].to_pandas() if way == "arrow" else copy["wage"]
    np.testing.assert_allclose(np.asarray(wages, dtype=float), frame["wage"].dropna())
    if way == "pandas":
        assert copy.index.tolist() == frame.index.delete(3).tolist()


def test_names_of_columns_that_are_numbers_come_back():
    frame = people()[["wage", "age"]].set_axis([7, 8], axis=1)
    assert ts.Study(frame, attackers="perfect").copies()["Ministry"].columns.tolist() == [7, 8]


# One state


def test_what_is_set_stands_in_the_scenario_alone(linear):
    study = ts.Study.from_scenario(linear.scenario, data=people())
    study.scheme = "nested"
    assert study.scenario.settings.scheme == "nested"
    study.scenario = study.scenario.replace({"settings.scheme": "proportional", "seed": 3})
    assert (study.scheme, study.random_state) == ("proportional", 3)
    study.recipients["Press"] = 30
    assert [r.trust for r in study.scenario.settings.recipients] == [60, 30]
    del study.recipients["Ministry"]
    assert study.recipients == {"Press": 30}
    study.recipients = {"City": 10, "Press": 30}  # who stays keeps colour and noise
    numbers = {r.name: r.number for r in study.scenario.settings.recipients}
    assert numbers == {"City": 0, "Press": 1}


def test_watchers_are_told_once_and_may_change_the_study(linear):
    study = ts.Study.from_scenario(linear.scenario, data=people())
    told = []
    watched = ["scheme", "recipients", "within", "secret"]
    study.param.watch(lambda *events: told.extend((event.name, event.new) for event in events), watched)
    study.param.watch(lambda event: setattr(study, "random_state", 99), "scheme")
    study.scheme = "nested"
    study.scheme = "nested"
    assert told == [("scheme", "nested")]
    assert study.random_state == study.scenario.seed == 99
    study.recipients = {"A": 10}
    assert told[1:] == [("recipients", {"A": 10})]
    study.secret = "age"
    assert dict(told[2:]) == {"secret": "age", "within": study.within}
    assert study.within == 5
    study.secret = "wage"  # a distance of 5 would do for wages too, but was said for ages
    assert study.within == 250


def test_a_wrong_scenario_leaves_the_study_as_it_was(linear):
    before = linear.scenario
    with pytest.raises(ts.TrustscopeError, match="of the page categories"):
        linear.scenario = ts.Scenario.from_dict({"page": "categories"})
    assert linear.scenario == before


def test_another_study_of_the_same_data_goes_its_own_way(linear):
    other = linear.replace(scheme="nested", random_state=5)
    assert (other.scheme, linear.scheme) == ("nested", "independent")
    twin = copying.copy(linear)
    twin.recipients["Press"] = 90
    assert linear.recipients["Press"] == 20
    assert other.figures().to_dict() == other.scenario.figures(people()).to_dict()


def test_a_study_goes_to_another_process(linear):
    # The frame stands for the data of many kinds of tables; the others name data that are built in.
    for study in (linear, ts.Study(people(), secret="sex"), ts.Rotation("iris"), ts.Survey("votes")):
        made = pickle.loads(pickle.dumps(study))
        assert type(made) is type(study)
        assert made.scenario == study.scenario
        assert repr(made) == repr(study)
    made = pickle.loads(pickle.dumps(linear))
    pd.testing.assert_frame_equal(made.copies()["Press"], linear.copies()["Press"])
    made.scheme = "nested"  # it is a study of its own
    assert made.scenario.settings.scheme == "nested" != linear.scheme


def test_the_documentation_runs(monkeypatch):
    """All code of docs/notebook.md, one block after the other, on a table of that shape."""
    monkeypatch.setattr(ts, "extension", lambda: None)  # there is no notebook here
    text = (Path(__file__).parents[2] / "docs" / "notebook.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    names = {"df": people(), "ts": ts}
    try:
        for block in blocks:
            exec(block, names)
        assert names["study"].attackers == ("strongest", "best_copy")
    finally:
        attackers.unregister("best_copy")
    assert len(blocks) == 3


@pytest.mark.parametrize(
    "name",
    [
        "study", "study.coalition", "study.rotation", "study.survey", "scenarios.attackers", "engine.noise",
        "engine.transformers",
    ],
)  # fmt: skip
def test_examples_in_docstrings_run(name):
    done = doctest.testmod(import_module(f"trustscope.{name}"))
    assert done.attempted
    assert not done.failed


# What is wrong is said in a sentence


@pytest.mark.parametrize(
    ("part", "value", "sentence"),
    [
        ("recipients", {"Press": 0.5}, "Trust is in per cent: write 50 for Press"),
        ("recipients", {"Press": 1.0}, "write 100 for Press"),
        ("recipients", {"Press": 47.5}, "a whole number of per cent"),
        ("recipients", {"Press": 0}, "from 1 to 100"),
        ("recipients", {"Press": "60"}, "from 1 to 100"),
        ("recipients", [60, 20], "names and trusts"),
        ("recipients", {}, "1 to 12 recipients"),
        ("pooled", ["Bank"], "no recipient called 'Bank'"),
        ("scheme", "nest", "no scheme called 'nest'"),
        ("secret", "sex", "no column of numbers called 'sex'"),
        ("within", 1e9, "how close a guess must come"),
        ("within", "near", "how close a guess must come"),
        ("attackers", ["nobody"], "no attacker called 'nobody'"),
        ("attackers", [], "Somebody must attack"),
        ("columns", [], "at least one column"),
        ("random_state", -1, "a whole number"),
        ("random_state", 0.5, "a whole number"),
        ("similarity", 2, "similarity"),
        ("known", ["wage"], "The secret 'wage' is what attackers are after"),
        ("recipients", {"Press": 10**400}, "from 1 to 100"),
        ("recipients", {"Press": [60]}, "from 1 to 100"),
        *((part, value, "or a list of names") for part in ("pooled", "known", "columns", "attackers")
          for value in (None, 5)),
        ("secret", pd.NA, "no column of numbers called <NA>"),
        *(("pooled", [value], "no recipient called") for value in (pd.NA, np.array(["Press", "Ministry"]), None)),
        *(("within", value, "how close a guess must come")
          for value in ([5], np.array([5]), pd.NA, 1j, True, np.nan, np.True_, 10**400)),
    ],
)  # fmt: skip
def test_wrong_values_are_refused(linear, part, value, sentence):
    before = linear.scenario
    with pytest.raises(ts.TrustscopeError, match=sentence):
        setattr(linear, part, value)
    assert linear.scenario == before


def test_what_was_known_is_left_out_when_it_becomes_the_secret(linear):
    study = linear.replace(known=["age"])
    assert study.known == ("age",)
    study.secret = "age"
    assert study.known == ()
    with pytest.raises(ts.TrustscopeError, match="The secret 'wage'"):
        ts.Study(people(), known="wage")  # the first column is the secret where none is named


def test_numbers_of_numpy_are_numbers(linear):
    for five in (np.float32(5), np.array(5), np.int8(5), Decimal(5)):
        assert linear.replace(within=five).within == 5
        assert linear.replace(recipients={"Press": five}).recipients == {"Press": 5}
    for share in (np.float32(0.5), np.array(0.5), np.float64(0.5)):
        assert linear.solve(min_error=share).table.equals(linear.solve(min_error=0.5).table)


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        *(({name: value}, f"{name} is a number from 0 to 1e") for name in ("min_crowd", "max_mean_error")
          for value in (-1, np.nan, np.inf, "a", [0.4], True, 10**400)),
        *(({"max_hits": 0.4, "at_most": value}, "at_most is how many may pool, a whole number from 1 to 12")
          for value in (0, 99, 1.5, "a", np.nan, [2])),
        *(({"max_hits": value}, r"max_hits is a share between 0 and 1, not [^:]*\.$")
          for value in (np.inf, np.nan, -1, "a", [0.4], 10**400, True)),
        ({"max_hits": np.float32(35)}, "not 35: write 0.35 for 35 %"),
        ({"max_hits": 0.4, "keep": 5}, "or a list of names"), ({"max_hits": 0.4, "pooled": 5}, "or a list of names"),
    ],
)  # fmt: skip
def test_targets_that_are_none_are_refused(linear, target, sentence):
    with pytest.raises(ts.TrustscopeError, match=sentence):
        linear.solve(**target)


def test_misspelt_parts_are_refused(linear):
    with pytest.raises(AttributeError, match="Did you mean 'scheme'"):
        linear.schem = "nested"
    with pytest.raises(ts.TrustscopeError, match="Did you mean 'recipients'"):
        ts.Study(people(), recipient={"A": 3})
    with pytest.raises(AttributeError, match="no plot called 'coalition'"):
        _ = linear.plot.coalition
    with pytest.raises(ts.TrustscopeError, match="no way to look at tradeoff"):
        linear.plot.tradeoff(public="hits")
    with pytest.raises(ts.TrustscopeError, match=r"write 0\.35 for 35 %"):
        linear.solve(max_hits=35)
    with pytest.raises(ts.TrustscopeError, match="Say what must hold"):
        linear.solve()


def test_data_that_cannot_be_used_are_refused():
    with pytest.raises(ts.TrustscopeError, match="no column called <NA>"):
        ts.Study(people(), secret=pd.NA)
    for wrong, sentence in (([1, 2], "not a list"), (people()["wage"], "to_frame"), (people().to_numpy(), "need names"),
                            (pl.from_pandas(people()).lazy(), "collect"), ("nowhere.csv", "no file"),
                            ("censsus", "Did you mean 'census'"), (people().head(1), "one row")):  # fmt: skip
        with pytest.raises(ts.TrustscopeError, match=sentence):
            ts.Study(wrong)
    with pytest.raises(ts.TrustscopeError, match="no column called 'salary'"):
        ts.Study(people(), secret="salary")
    with pytest.raises(ts.TrustscopeError, match="write data="):
        ts.Study.from_scenario(ts.Study(people(), attackers="perfect").scenario)
    with pytest.raises(ts.TrustscopeError, match="is another file"):
        ts.Study.from_scenario(ts.Study(people(), attackers="perfect").scenario, data=people(50))


def test_every_kind_of_table_is_the_same_data():
    origins = {ts.load(way(people())).origin for way in WAYS.values()}
    assert len(origins) == 1


# Plots, cells, files

ASKED_FOR = ("exposed", "classifiers", "twenty")  # not for the linear attacker, on demand, and of larger tables


def test_a_card_without_anything_to_draw_says_why(linear):
    with pytest.raises(ts.TrustscopeError, match="the table has 200 rows or more"):
        linear.plot.twenty()


@pytest.mark.parametrize("key", [key for key in cards_of("trust") if key not in ASKED_FOR])
def test_every_card_is_a_plot(linear, key):
    import holoviews as hv

    made = getattr(linear.plot, key)()
    assert isinstance(made, hv.core.Dimensioned)
    assert key in dir(linear.plot)
    assert cards_of("trust")[key].title in repr(linear.plot)
    assert len(linear.plot.__getattr__(key).table())


def test_slides_are_written_for_powerpoint(linear, tmp_path):
    from pptx import Presentation

    deck = Presentation(linear.slides(tmp_path / "deck.pptx"))
    texts = [shape.text_frame.text for slide in deck.slides for shape in slide.shapes if shape.has_text_frame]
    assert any(linear.verdict in text for text in texts)


def test_a_study_is_printed_as_its_cell_shows_it(linear):
    assert str(linear) == repr(linear)


@pytest.mark.parametrize(
    ("secret", "reason"),
    [
        ("same", "The column 'same' cannot be the secret. It has the same value in every row."),
        ("when", "The column 'when' cannot be the secret: its values are dates"),
        ("Wage", "There is no column called 'Wage' here. Did you mean 'wage'? There are"),
    ],
)
def test_a_secret_that_cannot_be_one_gets_the_reason(secret, reason):
    days = pd.date_range("2020-01-01", periods=len(people()), freq="D")
    with pytest.raises(ts.TrustscopeError, match=re.escape(reason)):
        ts.Study(people().assign(same=1.0, when=days), secret=secret)


LONG = "How many hours did you spend in total on unpaid work in the household in the last {}?"


def test_a_column_is_found_by_the_name_that_it_has_in_the_data():
    """Names are shown on one line, cut; where two become the same nobody can tell which of them is meant."""
    week, month = LONG.format("week"), LONG.format("month")
    data = people().assign(**{week: lambda frame: frame["wage"] / 2, " two\nlines": lambda frame: frame["wage"] / 3})
    study = ts.Study(data, secret=week)
    assert study.secret == LONG[:59] + "…"
    study.change(columns=[week, " two\nlines"], secret=" two\nlines")
    assert (study.secret, study.columns) == ("two lines", (LONG[:59] + "…", "two lines"))
    study.secret = week
    assert study.secret == LONG[:59] + "…"
    assert ts.Study(data, secret=week, kind="categories").secret == LONG[:59] + "…"
    with pytest.raises(ts.TrustscopeError, match=r"no column .* Did you mean"):
        ts.Study(data.assign(**{month: lambda frame: frame["wage"]}), secret=month)


def test_a_file_holds_what_its_name_says(linear, tmp_path, monkeypatch):
    from trustscope.app.desktop import printing
    from trustscope.handouts import report

    monkeypatch.setattr(report, "report", lambda scenario, own: "<p>made</p>")
    monkeypatch.setattr(printing, "found_browser", lambda: "browser")
    monkeypatch.setattr(printing, "pdf", lambda text: f"%PDF of {text}".encode())
    assert linear.report(tmp_path / "x.pdf").read_bytes() == b"%PDF of <p>made</p>"
    assert linear.report(tmp_path / "x.html").read_text() == "<p>made</p>"
    with pytest.raises(ts.TrustscopeError, match=r"ends with \.html, \.htm or \.pdf, not with \.docx"):
        linear.report(tmp_path / "x.docx")
    with pytest.raises(ts.TrustscopeError, match=r"a deck ends with .*not with \.ppt\."):
        linear.slides(tmp_path / "x.ppt")
    with pytest.raises(OSError, match="there is no folder"):
        linear.report(tmp_path / "missing" / "x.html")


def test_a_plot_is_looked_at_in_another_way(linear):
    assert "values that the coalition does not guess" in linear.plot.tradeoff.table(private="hits").columns
    assert linear.scenario.view.tradeoff.private == "error"  # the study itself is as it was
    first, other = (linear.plot.person.table(person=number)["value"].iloc[0] for number in (1, 2))
    assert (first, other) == tuple(people()["wage"].iloc[:2])


def test_a_cell_shows_verdict_and_pictures_without_scripts(linear):
    shown = linear._repr_html_()
    assert linear.verdict in shown
    assert shown.count("<svg ") == 2
    assert "<script" not in shown
    assert "http://" not in shown.replace("http://www.w3.org", "")
    assert repr(linear).startswith("Study of table.parquet: 90 records, wage to be guessed within")


def test_built_in_data_paths_and_datasets(tmp_path):
    people().to_csv(tmp_path / "people.csv", index=False)
    study = ts.Study(tmp_path / "people.csv", attackers="perfect")
    assert study.scenario.data.file.name == "people.csv"
    assert isinstance(study.copies()["Ministry"], pd.DataFrame)
    assert ts.Study(str(tmp_path / "people.csv"), attackers="perfect").scenario == study.scenario
    assert ts.Study(ts.load(tmp_path / "people.csv"), attackers="perfect").scenario == study.scenario
    assert ts.Study("iris").scenario.data.name == ts.Study(ts.load("iris")).scenario.data.name == "iris"
    with pytest.raises(ts.TrustscopeError, match="no table in memory"):
        study.save_data(tmp_path / "again.parquet")


def test_secrets_beyond_the_first_columns_are_released():
    study = ts.Study("wine", secret=ts.load("wine").numeric[-1])
    assert study.secret in study.columns
    assert len(study.columns) == 6
    with pytest.raises(ts.TrustscopeError, match="add it to `columns`"):
        study.secret = ts.load("wine").numeric[-2]


def test_a_dashboard_shows_the_study_and_is_followed(linear):
    study = ts.Study.from_scenario(linear.scenario, data=people())
    shown = study.dashboard()
    assert (shown.scenario.data, shown.scenario.settings) == (study.scenario.data, study.scenario.settings)
    shown.controls.change(shown.scenario.replace({"settings.scheme": "nested"}))
    shown.settled = shown.scenario
    assert study.scheme == "nested"
    shown.settled = TrustScenario()  # other data: not those of the study
    assert study.scenario.data.name == "own"
    shown.stop()


def test_comparing_needs_several_of_one_kind(linear):
    with pytest.raises(ts.TrustscopeError, match="Several studies"):
        ts.compare({"A": linear})
    with pytest.raises(ts.TrustscopeError, match="Several studies"):
        ts.compare(linear, linear)
    with pytest.raises(ts.TrustscopeError, match="no study"):
        ts.compare({"A": linear, "B": linear.scenario})
    other = ts.Study.from_scenario(linear.scenario, data=people())
    other.recipients["Press"] = 50
    table = ts.compare({"A": linear, "B": other})
    assert table.loc[("setting", "Press")].tolist() == ["20 %", "50 %"]
    assert table.loc[("figure", "coalition.error"), "A"] == linear.figures().of("coalition.error").value
