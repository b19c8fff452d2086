"""The scenario of the Rotation page as a value, and how it is fitted to data."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as some

from trustscope.app.rotation.stage import PLANS
from trustscope.datasets import Dataset
from trustscope.scenarios.problem import Unusable
from trustscope.scenarios.rotation import loading
from trustscope.scenarios.rotation.model import Model
from trustscope.scenarios.rotation.scenario import (
    CLOSEST,
    FURTHEST,
    KINDS,
    STORIES,
    USUAL,
    RotationData,
    RotationScenario,
    Settings,
    View,
)

NUMBERS = some.lists(some.integers(1, 10**6), max_size=40).map(tuple)
CLOSER = {story: [part.key for part in (*plan.closer, *plan.experts)] for story, plan in PLANS.items()}
CLOSER_KEYS = ["", *sorted({key for keys in CLOSER.values() for key in keys})]
SCENARIOS = some.builds(
    RotationScenario,
    data=some.builds(
        RotationData, name=some.sampled_from(["breast", "own"]), columns=some.lists(some.text()).map(tuple)
    ),
    seed=some.integers(0, 2**31 - 1),
    settings=some.builds(
        Settings,
        standardised=some.booleans(),
        shifted=some.booleans(),
        known=some.none() | NUMBERS,
        then=NUMBERS,
        eps=some.none() | some.floats(CLOSEST, FURTHEST),
        kind=some.sampled_from(list(KINDS)),
        sample=some.none() | some.integers(2, 10**6),
        block=some.integers(1, 4),
        method=some.sampled_from(["improved", "paper"]),
        clusters=some.integers(2, 8),
        clustering=some.sampled_from(["k-means", "single link"]),
        dimensions=some.none() | some.integers(1, 10_000),
    ),
    view=some.builds(
        View,
        story=some.sampled_from(STORIES),
        across=some.text(max_size=20),
        upwards=some.text(max_size=20),
        closer=some.sampled_from(CLOSER_KEYS),
        record_as=some.sampled_from(["exposed", "typical"]),
        freedom=some.integers(2, 20),
    ),
)
JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(max_size=8),
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(some.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
MODEL = Model(np.random.default_rng(3).normal(size=(40, 3)) * [1, 10, 100], ("a", "b", "c"), 12)


@given(JSON, some.sampled_from(["settings", "view", "data", "seed", None]))
def test_whatever_is_sent_something_can_be_opened(junk, part):
    content = junk if part is None else RotationScenario().to_dict() | {part: junk}
    scenario, _ = RotationScenario.read(content)
    assert RotationScenario.from_dict(scenario.to_dict()) == scenario


@given(SCENARIOS)
def test_whatever_is_opened_fits_the_data(scenario):
    """Only records that are released, only attributes that are there, numbers in range; fitted once, it stays."""
    assert RotationScenario.read(scenario.to_dict()) == (scenario, ())  # with lists longer than in test_round_trips.py
    fitted = MODEL.fit_to_data(scenario)
    settings, records = fitted.settings, MODEL.records
    assert all(records.place(number) is not None for number in (*settings.known, *settings.then))
    assert len(settings.known) == len(set(settings.known)) <= MODEL.most_known
    assert 2 <= settings.sample <= len(records.pool)
    assert settings.block <= MODEL.sample.samples(settings.sample)
    assert records.columns <= settings.dimensions
    assert {fitted.view.across, fitted.view.upwards} <= set(records.names)
    assert settings.eps == (scenario.settings.eps or USUAL[settings.kind])
    assert MODEL.fit_to_data(fitted) == fitted
    assert RotationScenario.from_dict(fitted.to_dict()) == fitted


def test_records_go_by_their_row_number_in_the_data():
    values = np.arange(60.0).reshape(20, 3) ** 1.5
    records = Model(values, "abc", 12, standardised=False).records
    for place in range(records.rows):
        number = records.number(place)
        assert records.place(number) == place
        np.testing.assert_array_equal(records.private[place], values[number - 1])
    assert records.place(0) is None
    assert records.place(21) is None
    released = {records.number(place) for place in range(records.rows)}
    assert all(records.place(number) is None for number in set(range(1, 21)) - released)


@pytest.mark.parametrize("story", STORIES)
def test_every_view_that_can_be_opened_has_a_name_in_the_scenario(story):
    for key in CLOSER[story]:
        assert RotationScenario().replace({"view.story": story, "view.closer": key}).view.closer in CLOSER_KEYS
        assert RotationScenario.from_dict({"view": {"story": story, "closer": key}}).view.closer == key


def test_rows_without_a_gap_are_counted():
    """Thirty rows, of which five have a value in both columns: too few to be turned, though each column has enough."""
    table = pd.DataFrame(np.random.default_rng(1).normal(size=(30, 2)), columns=["height", "weight"])
    table.loc[5:, "weight"] = np.nan
    data, own = Dataset("own", "own", table, tuple(table), (), None, "", ""), RotationScenario()
    with pytest.raises(Unusable, match="value in each chosen column, and there are 5: choose fewer columns"):
        loading.load(data, own)
    assert loading.load(data, own.replace({"data.columns": ("height",)})).records.rows == 15
