"""The papers' experiments: each runs, says what is stored of it, and its checks hold and can fail."""

import io
import re
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.scenarios.runs import SMALL, ran
from trustscope.handouts.papers import report
from trustscope.handouts.papers.reproduce import store_result
from trustscope.plots import draw, papers
from trustscope.scenarios.papers import stored, tally
from trustscope.scenarios.papers.record import (
    CONFIRMED,
    CORRECTED,
    DIFFERS,
    STAND_IN,
    UNTESTED,
    Check,
    Parameter,
    Result,
)
from trustscope.scenarios.papers.registry import EXPERIMENTS, PAPERS, find, select

ROOT = Path(__file__).parents[2]


# Each experiment


@pytest.mark.parametrize("id", EXPERIMENTS)
def test_every_check_holds_as_stored(id):
    kept = stored.result(id)
    assert kept.outcomes
    assert [(o.check.claim, o.found) for o in kept.outcomes if not o.held] == []


@pytest.mark.parametrize("id", [id for id in EXPERIMENTS if id not in SMALL])
def test_what_is_stored_is_what_comes_out(id):
    """Times apart, the stored table is that of a rerun; other processors round differently, so only nearly."""
    result, kept = ran(id), stored.result(id)
    table, timed = stored.read(io.StringIO(stored.csv(result.table))), list(result.experiment.timed)
    pd.testing.assert_frame_equal(
        table.drop(columns=timed), kept.table.drop(columns=timed), rtol=1e-4, atol=1e-9, check_dtype=False
    )
    if not timed:
        assert [o.verdict for o in result.outcomes] == [o.verdict for o in kept.outcomes]


@pytest.mark.sweep
@pytest.mark.parametrize("id", SMALL)
def test_smaller_runs_say_nothing_else(id):
    """What a clock says of so short a run is left to the stored results."""
    result, kept = ran(id, **SMALL[id]), stored.result(id)
    assert list(result.table.columns) == list(kept.table.columns)
    if not result.experiment.timed:
        assert [(o.check.claim, o.found) for o in result.outcomes if not o.held and o.verdict != UNTESTED] == []
        assert any(o.held for o in result.outcomes)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("id", "key"),
    [*((f"giannella/{name}", 2) for name in ("fig9", "fig10", "fig11", "remedy")), ("giannella/fig10", 3)],
)
def test_other_seeds_give_the_same_verdicts(id, key):
    """Where signs are guessed chance is large: allowances are 5 standard errors, or several times the spread."""
    values = SMALL[id] | ({"repetitions": 6} if id == "giannella/fig9" else {})
    result = EXPERIMENTS[id].run(**values, key=key)
    assert [(o.check.claim, o.found) for o in result.outcomes if not o.held and o.verdict != UNTESTED] == []


def test_records_are_complete():
    assert {e.paper for e in EXPERIMENTS.values()} == set(PAPERS)
    assert len({(e.paper, e.title) for e in EXPERIMENTS.values()}) == len(EXPERIMENTS)
    for id, e in EXPERIMENTS.items():
        assert re.fullmatch(r"[a-z]+/[a-z0-9-]+", id)
        assert all((e.title, e.where, e.claim.endswith("."))), id
        assert e.misprint is None or CORRECTED in {c.expected for c in e.checks}, id
        for check in e.checks:
            assert all((check.claim, check.printed, check.tolerance)), (id, check.claim)
            assert check.expected in (CONFIRMED, CORRECTED, DIFFERS, STAND_IN)
        for p in e.parameters:
            assert p.checked(p.preset(False)) == p.quick
            assert p.checked(p.preset(True)) == p.preset(True)


@pytest.mark.parametrize("paper", PAPERS)
def test_every_paper_has_its_figures_and_its_misprints(paper):
    own = [e for e in EXPERIMENTS.values() if e.paper == paper]
    assert any(e.misprint for e in own)
    assert any(e.misprint is None for e in own)


# Checks fail when the engine is wrong


def failed(result):
    return [o.check.claim for o in result.outcomes if not o.held]


def test_li_notices_separate_noise(monkeypatch):
    from trustscope.engine.experiments.li import algorithms

    def separate(data, levels, *, rng):
        return np.stack([data + rng.standard_normal(len(data)) * np.sqrt(s * data.var()) for s in levels])

    monkeypatch.setattr(algorithms, "parallel", separate)
    assert failed(find("li/table2").run())


def test_li_notices_too_much_noise(monkeypatch):
    from trustscope.engine.experiments.li import collusion

    class Noisier(collusion.GaussianRelease):
        def copy(self, level):
            return super().copy(level=1.2 * level)

    monkeypatch.setattr(collusion, "GaussianRelease", Noisier)
    assert "errors are those of Theorems 3 and 4" in failed(find("li/fig2").run(rows=4000, samples=(400,)))


def test_xiao_notices_separate_copies(monkeypatch):
    from trustscope.engine.experiments.xiao import simulation

    class Separate(simulation.UniformRelease):
        def __init__(self, x, size, *, scheme, key):
            super().__init__(x, size, scheme="independent", key=key)

    monkeypatch.setattr(simulation, "UniformRelease", Separate)
    assert failed(find("xiao/fig5").run(draws=300_000))


def test_xiao_notices_a_wrong_retention(monkeypatch):
    from trustscope.engine.experiments.xiao import simulation

    monkeypatch.setattr(simulation, "replacement", lambda p, size: np.full((size, size), 1 / size))
    assert failed(find("xiao/fig6").run(draws=50_000))


def test_xiao_notices_a_history_that_corrupts(monkeypatch):
    from trustscope.engine.experiments.misprints import xiao

    monkeypatch.setattr(xiao, "History", xiao.PrintedHistory)
    assert failed(find("xiao/history").run(rows=100, repetitions=2)) == ["updated as corrected, no copy ever does"]


def test_huang_notices_noise_of_another_size(monkeypatch):
    from trustscope.engine.experiments.huang import data

    right = data.factor
    monkeypatch.setattr(data, "factor", lambda noise: 1.2 * right(noise))
    assert "errors follow Theorems 4.1, 5.1 and 5.2" in failed(find("huang/exp1").run(attributes=(5, 10), rows=1000))


def test_zhang_notices_the_wrong_order(monkeypatch):
    from trustscope.engine.experiments.zhang import votes

    class Signed(votes.Survey):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options | {"order": "signed"})

    monkeypatch.setattr(votes, "Survey", Signed)
    broken = failed(find("zhang/fig4").run(levels=(1, 2), repetitions=2))
    assert "from level 2 on the accuracy is close to the original's" in broken


def test_giannella_notices_the_printed_cap(monkeypatch):
    formulas = import_module("trustscope.engine.experiments.giannella.formulas")  # the function has the same name
    monkeypatch.setattr(formulas, "breach_probability", formulas.printed_breach_probability)
    assert failed(find("giannella/cap").run())


# What is stored


def test_nothing_is_missing_or_left_over():
    assert stored.missing() == []
    assert stored.stale() == []


@pytest.mark.parametrize("id", EXPERIMENTS)
def test_thumbnails_were_drawn_from_the_stored_tables(id):
    table = stored.HERE / f"{EXPERIMENTS[id].file}.csv"
    assert f'data-table="{stored.digest(table)}"' in stored.picture(id)


def test_the_documentation_says_what_is_stored():
    assert (ROOT / "docs" / "papers.md").read_text() == report.markdown(stored.results())


def test_the_readme_counts_right():
    found = tally.tally(stored.results().values())
    text = " ".join((ROOT / "README.md").read_text().split())
    counted = f"{found[CONFIRMED]} are confirmed, {found[CORRECTED]} corrected and {found[DIFFERS]} not reproducible"
    assert counted in text


def test_storing_gives_back_what_will_be_read(tmp_path):
    result = ran("li/example")
    kept = store_result(result, tmp_path)
    assert [o.found for o in kept.outcomes] == [o.found for o in result.outcomes]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["li-example.csv", "li-example.svg"]


# The parts


def test_verdicts():
    table = pd.DataFrame({"a": [1.0]})
    good, bad = (lambda t: ("1", True)), (lambda t: ("2", False))
    for expected, breaks in ((CONFIRMED, DIFFERS), (CORRECTED, DIFFERS), (DIFFERS, CONFIRMED)):
        assert Check("c", "p", good, "t", expected).judge(table).verdict == expected
        assert Check("c", "p", bad, "t", expected).judge(table).verdict == breaks
        assert not Check("c", "p", bad, "t", expected).judge(table).held
    for cannot in (lambda t: None, lambda t: t["b"], lambda t: t["a"].iloc[3]):
        outcome = Check("c", "p", cannot, "t").judge(table)
        assert (outcome.verdict, outcome.held) == (UNTESTED, False)


def test_settings_that_cannot_show_a_claim_say_so():
    result = find("huang/exp4").run(similarities=(1.0, 0.5), rows=200, repetitions=1)
    assert UNTESTED in {o.verdict for o in result.outcomes}


@pytest.mark.parametrize(
    ("parameter", "value", "sentence"),
    [
        (Parameter("n", "Rows", 10, low=2, high=20), 21, "between 2 and 20"),
        (Parameter("n", "Rows", 10), 2.5, "whole number"),
        (Parameter("n", "Rows", 10), "many", "must be a number"),
        (Parameter("n", "Rows", 10), float("nan"), "whole number"),
        (Parameter("n", "Share", 0.5, low=0, high=1), float("nan"), "between 0 and 1"),
        (Parameter("n", "Levels", (1, 2), low=1, high=9), "1, x", "must be a number"),
        (Parameter("n", "Levels", (1, 2), low=1, high=9), "1, 12", "between 1 and 9"),
        (Parameter("n", "Levels", (1, 2)), "", "between 1 and 50 numbers"),
        (Parameter("n", "Scheme", "a", options=("a", "b")), "c", "one of a, b"),
    ],
)
def test_bad_parameters_get_a_sentence(parameter, value, sentence):
    with pytest.raises(ValueError, match=sentence):
        parameter.checked(value)


def test_good_parameters_get_their_type():
    assert Parameter("n", "Levels", (1, 2)).checked("3, 4;5") == (3, 4, 5)
    assert Parameter("n", "Levels", (0.5,), low=0).checked("0.25") == (0.25,)
    assert Parameter("n", "Rows", 10).checked("7") == 7
    with pytest.raises(ValueError, match="no parameter nonsense; it takes attributes"):
        find("li/normalised-error").run(nonsense=1)


def test_ids_and_patterns():
    assert [e.id for e in select(["li/fig1", "li/example"])] == ["li/example", "li/fig1"]
    assert {e.paper for e in select(["huang"])} == {"huang"}
    assert len(select([])) == len(EXPERIMENTS)
    with pytest.raises(ValueError, match=r"'li/fgi2'; did you mean .*li/fig2"):
        select(["li/fgi2"])
    with pytest.raises(ValueError, match=r"'nope'; `trustscope list` shows all"):
        select(["nope"])


def test_pictures_are_the_same_every_time():
    result = stored.result("li/example")
    element = papers.plot(result.experiment.id, result.table)
    assert draw.thumbnail(element).startswith("<svg")
    text = draw.svg(element)
    assert text == draw.svg(papers.plot(result.experiment.id, result.table))
    assert all(name in text for name, *_ in draw.entries(element))


def test_nothing_is_confirmed_while_something_is_untested():
    result = find("giannella/fig1").run(known=(10, 20), rows=500, repetitions=1)
    assert {o.verdict for o in result.outcomes} == {CONFIRMED, UNTESTED}
    assert result.verdict == UNTESTED


def test_stand_ins_are_not_counted():
    results = [stored.result(id) for id in ("li/table3", "li/fig1")]
    assert {result.verdict for result in results} == {STAND_IN}
    assert tally.tally(results) == {}
    assert tally.sentence([stored.result("li/table2")]).startswith("1 claim: ")


def test_a_misprint_counts_once():
    results = stored.results()
    one = results["zhang/theorem1"]
    assert len(one.outcomes) > 1
    assert tally.tally([one]) == {CORRECTED: 1}


def test_the_report_holds_everything():
    results = {id: stored.result(id) for id in ("li/example", "xiao/history")}
    page = report.page(results, dict.fromkeys(results, "<svg></svg>"), title="A <report>")
    assert "A &lt;report&gt;" in page
    assert page.count("<section") == 2
    assert "li-example.csv" in page
    assert "delete the next element" in page
    broken = Result(find("li/example"), {}, results["li/example"].table.assign(nested=0.9))
    assert "broken" in report.page({"li/example": broken}, {"li/example": ""}, title="x")
