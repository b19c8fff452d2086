"""Scenarios and pictures are values: what is put into one is checked, and nothing changes what was handed out."""

import numpy as np
import pytest

from trustscope.engine.attacks.optimal.mixture import Mixture, moments_of
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.trust import judge
from trustscope.scenarios.trust.loading import fetch, load
from trustscope.scenarios.trust.result import Belief
from trustscope.scenarios.trust.scenario import TrustScenario


@pytest.mark.parametrize(
    ("change", "where"),
    [({"settings.scheme": "bogus"}, "scheme"), ({"seed": -5}, "seed"), ({"settings.sample": "many"}, "sample")],
)
def test_what_is_put_into_a_scenario_is_checked(change, where):
    with pytest.raises(ScenarioProblem, match=f"cannot be changed: {where}: "):
        TrustScenario().replace(change)


def test_what_can_be_set_is_set_as_it_is():
    scenario = TrustScenario()
    assert scenario.replace({}) == scenario
    other = scenario.replace({"settings.scheme": "nested", "seed": 3})
    assert (other.settings.scheme, other.seed, other.data) == ("nested", 3, scenario.data)


def test_a_step_changes_no_picture_of_the_steps_before():
    scenario = TrustScenario().replace({"settings.attackers": ("perfect",)})
    model = load(fetch(scenario, None), scenario)
    pictures = list(model.stream(model.fit_to_data(scenario), chunk=40_000, opened=("everyone",)))
    assert [one.rows for one in pictures] == [40_000, 80_000, 100_000]
    for one in pictures:
        assert one.held.original.sum() == one.rows
        assert all(result.tally.rows == one.rows for result in one.together.values())


def test_the_belief_in_whole_numbers_is_drawn_without_a_comb():
    """Ages that are all as likely give a flat curve, wherever the places at which it is drawn lie between them."""
    ages = np.arange(20.0, 61.0)
    belief = Belief(40.0, 12.0, values=(ages, np.full(41, 1 / 41)))
    for places in (121, 161, 200):
        x = np.linspace(-20, 120, places)
        inside = belief.density(x)[(x > 28) & (x < 52)]
        assert np.ptp(inside) < 0.05 * inside.mean()
        assert np.isclose(belief.density(x).sum() * (x[1] - x[0]), 1.0)


def test_one_number_tells_what_whole_rows_tell_if_all_else_is_linear():
    """The quick belief about a person against the posterior over rows, in three columns."""
    rng = np.random.default_rng(8)
    x = rng.standard_normal((400, 3)) @ np.array([[1.0, 0.5, 0], [0, 2.0, 0.7], [0.3, 0, 1.5]]) + 7
    moments, noise, y = moments_of(x), 0.8 * np.cov(x, rowvar=False) + 0.1 * np.eye(3), x[:1] + 1.3
    for target in range(3):
        ((_, weights),) = Mixture(x, noise, moments, judge.OTHERS_LINEAR, target).blocks(y)
        expected = weights[:, 0] / weights[:, 0].sum()
        found = judge._told_by_one_number(x, noise, moments, target, y[0])
        np.testing.assert_allclose(found, expected, rtol=2e-3, atol=1e-7)


def test_the_former_name_of_replace_works_and_says_so():
    with pytest.warns(DeprecationWarning, match="replace"):
        assert TrustScenario().having({"seed": 7}) == TrustScenario().replace({"seed": 7})
