"""What an honest analyst gets: held against the true figures, within sampling error."""

import numpy as np
import pytest

from trustscope.scenarios.coalition import recipients
from trustscope.scenarios.trust.model import Model
from trustscope.scenarios.trust.scenario import LEVELS, TrustScenario

ROWS = 60_000


@pytest.fixture(scope="module")
def model():
    rng = np.random.default_rng(7)
    age = rng.normal(50, 12, ROWS)
    return Model(np.column_stack([age, 0.5 * age + rng.normal(0, 8, ROWS)]), ["Age", "Income"], 12)


def found(model, **changes):
    changes = {f"settings.{name}": value for name, value in changes.items()} | {"view.closer": "usefulness"}
    changes |= {"settings.attackers": ("perfect",)}  # what an analyst gets does not depend on who attacks
    scenario = model.fit_to_data(TrustScenario().replace({"settings.recipients": recipients(80, 20)} | changes))
    *_, picture = model.stream(scenario)
    return picture.usefulness


@pytest.mark.parametrize("scheme", ["nested", "independent"])
def test_what_is_kept_is_kept_and_what_moves_is_marked(model, scheme):
    table = found(model, scheme=scheme)
    assert table.rows == ROWS
    sd = model.population.sd[0]
    for one in table.statistics:
        for number, trust in ((0, 80), (1, 20)):
            level = LEVELS[trust]
            # Five standard errors of a mean of this many rows: a false alarm once in two million, and the key is fixed.
            slack = 5 * sd * np.sqrt((1 + level) / ROWS)
            off = abs(one.copies[number] - one.true)
            if one.name == "mean":
                assert off <= slack
            if one.name == "standard deviation":
                assert one.copies[number] == pytest.approx(one.true * np.sqrt(1 + level), rel=0.02)
                assert not one.kept
            if one.name.startswith(("correlation", "slope")):
                assert off <= 0.03
                assert one.kept
            if one.name.endswith("corrected for the noise"):
                assert one.copies[number] == pytest.approx(one.true, rel=0.05)


def test_noise_of_another_shape_moves_correlations(model):
    one = next(s for s in found(model, similarity=-1.0).statistics if s.name.startswith("correlation"))
    assert not one.kept
    assert abs(one.copies[1] - one.true) > 0.1


def test_nothing_is_computed_that_is_not_looked_at(model):
    scenario = model.fit_to_data(TrustScenario().replace({"view.closer": "everyone"}))
    assert model.preview(scenario).usefulness is None
