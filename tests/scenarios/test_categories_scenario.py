"""The state of the Categories page as a value: read from anything, and fitted to the data.

That it is kept and read again is in test_round_trips.py.
"""

from hypothesis import given
from hypothesis import strategies as some

from tests.scenarios.test_scenario import JSON, TEXT, recipients
from trustscope.datasets.patients import patients
from trustscope.scenarios.categories.column import column_of
from trustscope.scenarios.categories.model import Model
from trustscope.scenarios.categories.scenario import (
    PAPER,
    PRIORS,
    SCHEMES,
    CategoriesData,
    CategoriesScenario,
    Promise,
    Settings,
    View,
)

PROMISES = some.tuples(some.integers(1, 98), some.integers(1, 98), some.integers(1, 99)).map(
    lambda numbers: Promise(rho1=min(numbers[:2]), rho2=max(numbers[:2]) + 1, delta=numbers[2])
)
VIEWS = some.builds(
    View,
    person=some.none() | some.integers(1, 10**6),
    closer=some.sampled_from(["", "everyone", "coalitions", "promises", "memory"]),
    whose=some.text(max_size=24),
    value=some.text(max_size=30),
    among=some.text(max_size=30),
    label=some.text(max_size=30),
)
SCENARIOS = some.builds(
    CategoriesScenario,
    data=some.builds(CategoriesData, name=TEXT, column=some.text(max_size=30), bins=some.integers(2, 50)),
    seed=some.integers(0, 2**31 - 1),
    settings=some.builds(
        Settings,
        recipients=recipients(),
        scheme=some.sampled_from(SCHEMES),
        prior=some.sampled_from(list(PRIORS)),
        promise=PROMISES,
    ),
    view=VIEWS,
)


@given(JSON)
def test_whatever_is_sent_something_can_be_opened(content):
    scenario, _ = CategoriesScenario.read(content)
    assert CategoriesScenario.from_dict(scenario.to_dict()) == scenario


@given(SCENARIOS, some.sampled_from(["seed", "settings", "data", "view"]), JSON)
def test_one_spoilt_part_leaves_the_others(scenario, part, junk):
    found, _ = CategoriesScenario.read(scenario.to_dict() | {part: junk})
    for other in {"seed", "settings", "data", "view"} - {part}:
        assert getattr(found, other) == getattr(scenario, other)


def test_a_promise_that_falls_is_left_out():
    content = CategoriesScenario().to_dict()
    content["settings"]["promise"] |= {"rho1": 60, "rho2": 20}
    found, problems = CategoriesScenario.read(content)
    assert found.settings.promise == Promise()
    assert any("promise was left out" in problem for problem in problems)


MODEL = Model(patients(), column_of(patients(), "Disease", 10), 12, "people")


@given(SCENARIOS)
def test_any_scenario_can_be_fitted_to_the_data(scenario):
    """What is not there gives way to what is; fitting twice changes nothing more."""
    fitted = MODEL.fit_to_data(scenario)
    assert fitted == MODEL.fit_to_data(fitted)
    assert fitted.settings == scenario.settings
    assert fitted.view.value in MODEL.column.labels
    assert fitted.view.among in ("", *MODEL.others)
    assert fitted.view.whose in [r.name for r in fitted.settings.recipients]
    assert 1 <= fitted.view.person <= MODEL.rows


def test_what_is_there_stays():
    asked = PAPER.replace({"view.value": "flu", "view.among": "Sex", "view.label": "male", "view.person": 7})
    fitted = MODEL.fit_to_data(asked)
    assert (fitted.view.value, fitted.view.among, fitted.view.label, fitted.view.person) == ("flu", "Sex", "male", 7)
    assert fitted.data.column == "Disease"
