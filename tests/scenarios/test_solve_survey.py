"""Targets of the Survey page, against surveys that are held one by one."""

import numpy as np
import pytest

from trustscope import datasets
from trustscope.scenarios.link import query_of, scenario_of
from trustscope.scenarios.solve.requirement import SurveyRequirement
from trustscope.scenarios.solve.survey import WAYS, levels_of, solve
from trustscope.scenarios.survey.model import Model, SurveyResult
from trustscope.scenarios.survey.population import population
from trustscope.scenarios.survey.scenario import LEVELS, SurveyScenario

TARGETS = 75


@pytest.fixture(scope="module")
def model():
    data = datasets.load("votes")
    return Model(population(data.complete().dataset, data.label, None))


@pytest.fixture(scope="module")
def held(model):
    """What every number of directions gives away and how well the classifier does, by the page's own pictures."""
    scenario, found = model.fit_to_data(SurveyScenario()), {}
    for way in WAYS:
        for level in levels_of(model):
            parts = []
            for part in scenario.settings.parts:
                own = 10**6 if part.level is None else part.level
                most = 10**6 if level is None else level
                followed = most if way == "all" else min(own, most)
                parts.append(part.replace({"level": None if followed == 10**6 else followed}))
            moved = scenario.replace({"settings.parts": tuple(parts)})
            picture = [one for one in model.passes(moved, None) if isinstance(one, SurveyResult)][-1]
            disclosed = max(kind.share for kind in picture.frame.kinds)
            found[way, level] = 100 * disclosed, 100 * picture.frame.accuracy, tuple(parts)
    return found


@pytest.mark.sweep
@pytest.mark.parametrize("part", range(3))
def test_generated_targets(model, held, part):
    """The highest number of directions that keeps everything, by trying all of them; where there is none, none does."""
    rng = np.random.default_rng((3, part))
    scenario = model.fit_to_data(SurveyScenario())
    found = impossible = 0
    for _ in range(TARGETS):
        asked = [SurveyRequirement(what="disclosure", limit=round(float(rng.uniform(0, 100)), 1))]
        if rng.random() < 0.7:
            asked.append(SurveyRequirement(what="accuracy", limit=round(float(rng.uniform(40, 95)), 1)))
        solution = solve(model, scenario.replace({"settings.requirements": tuple(asked)}))
        for way in WAYS:
            fine = [
                level for level in levels_of(model)
                if held[way, level][0] <= asked[0].limit + 1e-9
                and all(held[way, level][1] >= one.limit - 1e-9 for one in asked[1:])
            ]  # fmt: skip
            answer = solution.answer(way)
            assert answer.found == bool(fine)
            if fine:
                found += 1
                assert solution.scenario(way).settings.parts == held[way, fine[-1]][2]
            else:
                impossible += 1
                assert "nearest that can be met" in answer.text
    assert found > 15
    assert impossible > 15


def test_levels_are_those_of_the_page(model):
    assert levels_of(model) == LEVELS


def test_sentences(model, held):
    scenario = model.fit_to_data(SurveyScenario())

    def said(*asked):
        return solve(model, scenario.replace({"settings.requirements": asked})).answer("all").text

    assert said() == "There is no requirement yet: add one."
    best = max(accuracy for _, accuracy, _ in (held["all", level] for level in levels_of(model)))
    sharp = said(SurveyRequirement(what="accuracy", limit=99.9))
    assert f"{best:.1f} % is the nearest" in sharp
    both = said(SurveyRequirement(what="disclosure", limit=1), SurveyRequirement(what="accuracy", limit=80))
    assert "allows no direction, " in both
    assert "contradict each other" in both
    assert said(SurveyRequirement(what="disclosure", limit=1)).startswith("No direction. ")


def test_an_answer_that_changes_nothing_does_not_say_that_anything_may_be_followed(model):
    asked = (SurveyRequirement(what="disclosure", limit=95),)
    scenario = model.fit_to_data(SurveyScenario()).replace({"settings.requirements": asked})
    answer = solve(model, scenario).answer("most")
    assert answer.changes["settings.parts"] == scenario.settings.parts  # 1, 3 and 9 directions
    assert answer.text.startswith("Nobody has to follow less.")
    assert solve(model, scenario).answer("all").text.startswith("Anything that is asked for.")


def test_a_requirement_is_part_of_the_link(model):
    scenario = SurveyScenario().replace({"settings.requirements": (SurveyRequirement(what="accuracy", limit=80),)})
    assert scenario_of(query_of(scenario), SurveyScenario).scenario == scenario
