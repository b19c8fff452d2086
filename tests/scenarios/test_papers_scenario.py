"""What stands on the Papers page, as a value, and what is shown of it."""

import json
import re
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trustscope.scenarios.link import query_of, scenario_of
from trustscope.scenarios.papers import words
from trustscope.scenarios.papers.collection import Collection, KeyedResult, collection, demonstrates
from trustscope.scenarios.papers.record import VERDICTS, Result
from trustscope.scenarios.papers.registry import EXPERIMENTS, PAPERS
from trustscope.scenarios.papers.scenario import ALL, SEED, PapersScenario, View, preset
from trustscope.scenarios.papers.tally import tally
from trustscope.scenarios.statement import MOST_WORDS

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=15,
)


@st.composite
def values(draw, parameter):
    """A value that the parameter takes."""
    number = st.floats(parameter.low, min(parameter.high, 1e9))
    whole = st.integers(int(parameter.low), int(parameter.high))
    match parameter.kind:
        case "choice":
            return draw(st.sampled_from(parameter.options))
        case "series":
            one = whole if all(isinstance(v, int) for v in parameter.quick) else number
            return tuple(draw(st.lists(one, min_size=1, max_size=50)))
        case "whole":
            return draw(whole)
        case _:
            return draw(number)


@st.composite
def scenarios(draw):
    """Any state that the page can be in."""
    view = {name: draw(st.sampled_from(get_args(View.model_fields[name].annotation))) for name in
            ("paper", "kind", "verdict")}  # fmt: skip
    scenario = PapersScenario(view=View(**view))
    id = draw(st.sampled_from(["", *EXPERIMENTS]))
    if not id:
        return scenario
    e = EXPERIMENTS[id]
    seed = draw(st.integers(0, 2**31 - 1)) if "key" in e.takes else SEED
    return scenario.opening(id, tuple((p.name, draw(values(p))) for p in e.parameters), seed)


@given(scenario=scenarios())
@settings(max_examples=100, deadline=None)
def test_a_scenario_is_read_as_it_was_written(scenario):
    text = json.dumps(scenario.to_dict(), allow_nan=False)
    for again in (PapersScenario.from_dict(json.loads(text)), scenario_of(query_of(scenario), PapersScenario).scenario):
        assert again == scenario
        assert hash(again) == hash(scenario)
        for (_, one), (_, other) in zip(again.settings.values, scenario.settings.values, strict=True):
            assert type(one) is type(other)
            if isinstance(one, tuple):
                assert [type(v) for v in one] == [type(v) for v in other]
    assert scenario.fit_to_experiment() == scenario


@given(content=JSON)
@settings(max_examples=100, deadline=None)
def test_whatever_is_sent_gives_a_page(content):
    for one in (content, {"settings": {"values": content}, "view": content}, {"view": {"opened": content}}):
        scenario = PapersScenario.read(one).scenario.fit_to_experiment()
        assert scenario.experiment is None or dict(scenario.settings.values).keys() == {
            p.name for p in scenario.experiment.parameters
        }


def test_what_does_not_fit_gives_way_and_unknown_ids_get_a_sentence():
    content = {"view": {"opened": "li/table3"}, "settings": {"values": [["rows", 10**9], ["other", 1]]}, "seed": 5}
    fitted = PapersScenario.read(content).scenario.fit_to_experiment()
    assert fitted.settings.values == preset(EXPERIMENTS["li/table3"])
    assert fitted.seed == 5
    reading = PapersScenario.read({"view": {"opened": "li/table33", "paper": "li"}})
    assert reading.scenario.view == View(paper="li")
    assert "did you mean li/table3" in reading.problems[0]
    assert (
        PapersScenario.read(content | {"view": {"opened": "li/subsets"}}).scenario.fit_to_experiment().seed == SEED
    )  # no key
    assert (
        PapersScenario.read({"seed": 5, "settings": content["settings"]}).scenario.fit_to_experiment()
        == PapersScenario()
    )


def test_the_filters_offer_what_there_is():
    for name, known in (("paper", PAPERS), ("verdict", VERDICTS)):
        assert get_args(View.model_fields[name].annotation) == (ALL, *known)


@pytest.mark.parametrize("id", EXPERIMENTS)
@pytest.mark.parametrize("paper_size", [False, True])
def test_both_sizes_of_every_experiment_can_be_kept(id, paper_size):
    size = preset(EXPERIMENTS[id], paper_size)
    scenario = PapersScenario().opening(id, size)
    again = scenario_of(query_of(scenario), PapersScenario)
    assert not again.problems
    assert again.scenario == scenario
    assert demonstrates(scenario) == (
        EXPERIMENTS[id].misprint is not None and (not paper_size or size == preset(EXPERIMENTS[id]))
    )


# What is said


def said(scenario, own=()):
    return collection().picture(scenario, own)


@pytest.mark.parametrize("paper", [ALL, *PAPERS])
@pytest.mark.parametrize("kind", [ALL, "figures", "misprints"])
@pytest.mark.parametrize("verdict", [ALL, *VERDICTS])
def test_the_gallery_s_headline_counts_what_is_shown(paper, kind, verdict):
    picture = said(PapersScenario(view=View(paper=paper, kind=kind, verdict=verdict)))
    seen = [collection().results[id] for id in picture.shown] or collection().results.values()
    counts = tally(seen)
    total = sum(counts.values())
    headline = picture.headline
    assert len(headline.title.split()) <= MOST_WORDS
    assert bool(headline.after) == bool(total)
    if not total:  # only stand-ins, which are not counted
        assert verdict == "stand-in"
        return
    assert headline.title.startswith(f"{counts['confirmed']} of {total} claim")
    assert headline.label.endswith(f"{counts['corrected']} wrong in print, {counts['differs']} not reproducible")
    exact = 100 * counts["confirmed"] / total
    assert float(re.search(r"[\d.]+", headline.after)[0]) == pytest.approx(exact, abs=0.51)
    for id in picture.shown:
        e = EXPERIMENTS[id]
        assert paper in (ALL, e.paper)
        assert kind in (ALL, "misprints" if e.misprint else "figures")
        assert verdict in (ALL, collection().results[id].verdict)


def test_the_five_papers_together():
    headline = said(PapersScenario()).headline
    assert headline.title == "67 of 100 claims in 59 experiments come out as printed."
    assert (headline.after, headline.tone) == ("67 %", "safe")


@pytest.mark.parametrize("id", EXPERIMENTS)
def test_an_experiment_s_headline_agrees_with_its_claims(id):
    picture = said(PapersScenario().opening(id))
    headline, found = picture.headline, [o.verdict for o in picture.run.result.outcomes]
    assert picture.exact
    assert len(headline.title.split()) <= MOST_WORDS
    number, total = map(int, headline.after.split(" of "))
    assert total == len(found)
    verdict = re.match(r"claims? (confirmed|corrected|differs|stand-in|not tested)", headline.label)[1]
    assert found.count(verdict) == number
    bad = {"differs", "not tested"} & set(found)
    assert (headline.tone == "leak") == bool(bad)
    assert (headline.tone == "safe") == (set(found) <= {"confirmed", "stand-in"} and "confirmed" in found)


def test_own_runs_come_before_the_stored_one_and_the_exact_one_first():
    e = EXPERIMENTS["li/subsets"]
    stored = collection().results[e.id]
    runs = [
        KeyedResult(Result(e, {"levels": levels}, stored.table), SEED) for levels in ((0.1, 0.5, 0.6), (0.2, 0.5, 0.6))
    ]
    opened = PapersScenario().opening(e.id)
    first, second = (opened.replace({"settings.values": tuple(run.result.values.items())}) for run in runs)
    assert said(first, runs).run is runs[0]
    assert said(second, runs).run is runs[1]
    assert said(opened, runs).run.result is stored
    other = opened.replace({"settings.values": (("levels", (0.3, 0.5, 0.6)),)})
    assert (said(other, runs).run, said(other, runs).exact) == (runs[0], False)
    assert (said(other).run.result, said(other).exact) == (stored, False)
    assert "your own run" in said(first, runs).headline.note
    assert "stored run" in said(opened, runs).headline.note


def test_where_nothing_is_stored(monkeypatch):
    absent = EXPERIMENTS["li/example"]
    monkeypatch.setattr("trustscope.scenarios.papers.stored.missing", lambda: [absent])
    without = Collection()
    picture = without.picture(PapersScenario().opening(absent.id))
    assert (picture.run, picture.exact) == (None, False)
    assert "run it" in picture.headline.note
    assert without.picture(PapersScenario(view=View(verdict="not tested"))).shown == (absent.id,)
    assert words.tile(absent, None, "")["verdict"] == "– not run yet"
