"""The trade-off and the map of the Survey page are surveys: each place is what a survey run by itself gives."""

import numpy as np
import pytest

from trustscope import datasets
from trustscope.scenarios.survey import frontier, map, moving
from trustscope.scenarios.survey.model import Model
from trustscope.scenarios.survey.population import population
from trustscope.scenarios.survey.run import SurveyRun
from trustscope.scenarios.survey.scenario import LEVELS, START, Part, SurveyScenario
from trustscope.scenarios.survey.verdict import guess_in_force


@pytest.fixture(scope="module")
def model():
    data = datasets.load("votes")
    return Model(population(data.complete().dataset, data.label))


def scenario(model, **changes):
    changes = {key.replace("__", "."): value for key, value in changes.items()}
    return model.fit_to_data(SurveyScenario().replace({"view.arrived": 100} | changes))


def test_kinds_move_along_the_ladder():
    assert moving.moved(START, 0) == START
    assert [part.level for part in moving.moved(START, 1)] == [2, 5, 12]
    assert [part.level for part in moving.moved(START, -3)] == [0, 0, 3]
    steps = moving.steps(START)
    assert all(part.level == 0 for part in moving.moved(START, steps[0]))
    assert all(part.level is None for part in moving.moved(START, steps[-1]))
    # Every step but the ones beyond changes somebody.
    every = [moving.levels_in_words(moving.moved(START, step)) for step in steps]
    assert len(set(every)) == len(every)
    odd = (Part(name="odd", weight=1, level=4),)
    assert moving.moved(odd, 1)[0].level == 5
    assert moving.moved(odd, -1)[0].level == 2
    assert LEVELS[-1] is None


def test_every_point_is_a_survey(model):
    asked = scenario(model, view__tradeoff__private="answer")
    steps = list(frontier.frontier(model, asked))
    assert [len(step.lines[0].points) for step in steps] == list(range(len(steps)))
    assert steps[1].present is not None  # what stands comes first
    last = steps[-1]
    assert last.complete
    assert len(last.lines) == 1  # randomisation says nothing of one answer
    for point in last.lines[0].points[::5]:
        frame = SurveyRun(model.people, point.scenario.settings, point.scenario.seed).advance(100)
        assert point.useful == pytest.approx(frame.accuracy)
        assert point.private == pytest.approx(1 - guess_in_force(frame))
    (same,) = [p for p in last.lines[0].points if p.scenario.settings == asked.settings]
    assert (same.useful, same.private) == (last.present.useful, last.present.private)


def test_giving_more_away_is_less_private_and_randomisation_gives_away_as_much(model, monkeypatch):
    monkeypatch.setattr(frontier, "steps", lambda parts: [-6, -1, 2])  # randomisation takes a second for each
    last = None
    for last in frontier.frontier(model, scenario(model)):
        assert last.done <= last.total
    assert last.complete
    guided, noisy = last.lines
    private = [p.private for p in guided.points]
    assert private[0] == 1  # nobody follows anything
    assert np.all(np.diff(private) < -0.1)
    given = {moving.levels_in_words(p.scenario.settings.parts): p.private for p in guided.points}
    assert len(noisy.points) == 2  # no noise gives away nothing
    for point in noisy.points:
        assert point.scenario.settings.rival
        assert point.private == pytest.approx(given[moving.levels_in_words(point.scenario.settings.parts)], abs=0.02)


@pytest.mark.parametrize("axes", [("arrived", "accepted"), ("mu", "update_every")])
def test_every_place_of_the_map_is_a_survey(model, axes, monkeypatch):
    # Fewer places, and surveys that end sooner: each is run by itself, so what holds for these holds for others.
    monkeypatch.setattr(map, "ARRIVED", map.ARRIVED[:5])
    monkeypatch.setattr(map, "MUS", map.MUS[::2])
    asked = scenario(model, view__map__across=axes[0], view__map__upwards=axes[1], view__map__figure="disclosed")
    steps = list(map.grid(model, asked, 0.5))
    known = [int(np.isfinite(step.values).sum()) for step in steps]
    assert known == sorted(known)
    found = steps[-1]
    assert found.complete
    assert np.isfinite(found.values).all()
    for row, column in ((0, 0), (2, 3), (-1, -1)):
        there = map.placed(asked, {found.across.key: found.across.values[column],
                                   found.upwards.key: found.upwards.values[row]})  # fmt: skip
        SurveyScenario.from_dict(there.to_dict())
        # With as many draws as the page takes, so that it says the same when one goes there.
        frame = SurveyRun(model.people, there.settings, there.seed).advance(there.view.arrived)
        assert found.values[row, column] == pytest.approx(frame.disclosed, abs=1e-9)
