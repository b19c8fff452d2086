"""Before the noise: steps as parts of scenarios, what they do to data, figures and scripts, and what is said."""

import numpy as np
import pandas as pd
import pytest

from trustscope import datasets
from trustscope.datasets import Dataset
from trustscope.engine.preparation import worst_risk
from trustscope.scenarios.categories import loading as categories
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.differences import changed
from trustscope.scenarios.link import query_of, scenario_of
from trustscope.scenarios.preparation import NumberPreparation, Preparation, offered, prepared, words
from trustscope.scenarios.preparation.steps import settled
from trustscope.scenarios.problem import Unusable
from trustscope.scenarios.trust import loading as trust
from trustscope.scenarios.trust.scenario import TrustScenario

TOP = Preparation(column="Income", action="top", share=0.02)
LOG = Preparation(column="Income", action="logarithm")
ROUND = Preparation(column="Age", action="round", grid=10)
DROP = Preparation(column="Age", action="drop")


def opened(*steps):
    return TrustScenario().replace({"data.preparation": steps})


@pytest.fixture(scope="module")
def census():
    return datasets.load("census", rows=4_000, seed=7)


def spiky():
    """A table with the traits of census columns."""
    rng = np.random.default_rng(1)
    gains = np.concatenate([np.zeros(9_600), np.round(rng.lognormal(8, 0.5, 380)), np.full(20, 99_999.0)])
    weeks = np.where(rng.random(10_000) < 0.5, 52, rng.integers(0, 52, 10_000)).astype(float)
    frame = pd.DataFrame({"Gains": gains, "Weeks": weeks, "Size": rng.normal(170, 8, 10_000)})
    return Dataset("spiky", "spiky", frame, ("Gains", "Weeks", "Size"), (), None, "made", "none", units={"Gains": "$"})


def test_a_model_is_one_of_the_prepared_columns(census):
    plain, model = trust.load(census, opened()), trust.load(census, opened(TOP, LOG, ROUND))
    bound = settled(census, [TOP])[0].limit
    order = plain.population.order
    assert np.array_equal(model.population.values[:, 1], np.log1p(np.minimum(plain.population.values[:, 1], bound)))
    assert np.array_equal(model.population.values[:, 0], np.round(plain.population.values[:, 0] / 10) * 10)
    assert np.array_equal(model.population.order, order)
    assert model.population.unit_names["Income"].startswith("ln ")
    assert census.frame["Income"].max() > bound  # the data themselves are as they were


def test_the_order_of_steps_counts(census):
    first = prepared(census, [LOG, Preparation(column="Income", action="top", limit=3.0)]).frame["Income"]
    then = prepared(census, [Preparation(column="Income", action="top", limit=3.0), LOG]).frame["Income"]
    assert (first.max(), then.max()) == pytest.approx((3.0, np.log1p(3.0)))
    assert settled(census, [LOG, TOP])[1].limit == pytest.approx(np.log1p(settled(census, [TOP])[0].limit))


def test_figures_are_of_the_prepared_columns():
    """More people share a value that is rounded: it is guessed more often without any copy."""
    asked = {"settings.attribute": "Age", "settings.eps": 1.0, "settings.attackers": ("perfect",)}
    scenario, before = opened(ROUND).replace(asked), opened().replace(asked)
    now, then = scenario.figures(), before.figures()
    assert now.of("hits.without").value > then.of("hits.without").value + 0.1
    assert now.tables["What an honest analyst still gets"] is not None


def test_what_is_dropped_or_a_category_is_no_number_any_more(census):
    assert trust.load(census, opened(DROP)).population.names == ("Income",)
    away = Preparation(column="Income", action="categories")
    assert trust.load(census, opened(away, TOP)).population.names == ("Age",)
    with pytest.raises(Unusable, match="No numeric column is released"):
        trust.load(census, opened(DROP, away))


def test_steps_for_columns_that_are_not_there_do_nothing(census):
    stranger = Preparation(column="Shoe size", action="top")
    assert prepared(census, [stranger]) is census
    assert trust.load(census, opened(stranger)).population.names == ("Age", "Income")


def test_gaps_are_left_out_as_before():
    frame = pd.DataFrame({"a": [1.0, np.nan, 3.0, 400.0], "b": [1.0, 2.0, 3.0, 4.0]})
    data = Dataset("own", "own", frame, ("a", "b"), (), None, "", "")
    steps = (Preparation(column="a", action="top", share=0.3),)
    model = trust.load(data, TrustScenario().replace({"data.preparation": steps}))
    assert sorted(model.population.values[:, 0]) == [1, 3, 400]
    steps = (Preparation(column="a", action="top", share=0.5),)
    model = trust.load(data, TrustScenario().replace({"data.preparation": steps}))
    assert sorted(model.population.values[:, 0]) == [1, 3, 3]


def test_bins_are_those_of_the_prepared_column():
    step = NumberPreparation(column="Petal length", action="top", limit=4.0)
    scenario = CategoriesScenario().replace(
        {"data.name": "iris", "data.column": "Petal length", "data.bins": 4, "data.preparation": (step,)}
    )
    labels = categories.load(categories.fetch(scenario), scenario).column.labels
    plain = scenario.replace({"data.preparation": ()})
    assert labels != categories.load(categories.fetch(plain), plain).column.labels
    assert labels[-1].startswith("3.")


def test_links_and_files_carry_them():
    scenario = opened(TOP, LOG, ROUND)
    assert scenario_of(query_of(scenario), TrustScenario) == (scenario, ())
    assert TrustScenario.from_dict(scenario.to_dict()) == scenario
    assert TrustScenario.from_dict({"page": "trust", "data": {"name": "census"}}).data.preparation == ()
    reading = TrustScenario.read({"data": {"preparation": [{"column": "Age", "action": "trim"}, ROUND.model_dump()]}})
    assert reading.scenario.data.preparation == (ROUND,)
    assert "preparation" in reading.problems[0]
    assert CategoriesScenario.read({"data": {"preparation": [DROP.model_dump()]}}).problems


def test_a_difference_is_told_in_words():
    assert changed(opened(), opened(TOP, ROUND)) == (
        "before the noise was Income: highest 2 % coded; Age: rounded to 10"
    )


def test_what_columns_have_is_said():
    data = spiky()
    found = offered(data, data.numeric)
    assert [(one.column, one.trait.kind) for one in found] == [("Gains", "far"), ("Weeks", "spike"), ("Gains", "zeros")]
    said = [words.has(one, "people", data.units.get(one.column, "")) for one in found]
    gap = words._valued(99_999 - data.frame["Gains"].nlargest(21).min(), "$")
    assert said[0] == (
        f"20 people share the value 99\u202f999 $ of Gains, and nobody else is within {gap}. A copy with trust 50 % "
        "gives the most exposed of them away in > 99 % of cases."
    )
    assert said[1] == "49 % of the people have Weeks 52: it is a good guess without any copy."
    assert said[2].startswith("96 % of the people have 0 of Gains")
    assert all(one.preparation is not None for one in found)
    assert {words.would(one) for one in found if one.preparation.action == "categories"} == {""}


def test_what_a_suggestion_would_change_is_said():
    hours = np.append(np.random.default_rng(2).normal(40, 5, 2_000), np.full(3, 200.0))
    frame = pd.DataFrame({"Hours": hours})
    data = Dataset("hours", "hours", frame, ("Hours",), (), None, "", "", units={"Hours": "h"})
    (offer,) = offered(data, data.numeric)
    done = offer.preparation.step.apply(hours)
    assert words.would(offer, "h") == (
        f"With “Code the highest 0.5 %” it would be {words.share(worst_risk(done))}, and the mean "
        f"{words.plain(done.mean())} h instead of {words.plain(hours.mean())} h."
    )


@pytest.mark.parametrize("name", ["census", "adult", "breast", "letter", "diabetes", "wine"])
def test_every_suggestion_can_be_taken(name):
    data = datasets.load(name)
    offers = offered(data, data.numeric)
    for offer in offers:
        assert words.has(offer).endswith(".")
        if offer.preparation is None:
            assert words.would(offer) == "No coding helps much: give less trust, or do not release it."
            continue
        assert words.does(offer.preparation).endswith(".")
        taken = prepared(data, [offer.preparation])
        if offer.effect is not None and offer.trait.kind in ("far", "tail"):
            before, after = (worst_risk(one.frame[offer.column]) for one in (data, taken))
            assert (offer.trait.risk, offer.trait.after) == pytest.approx((before, after))
            assert offer.effect.risk == pytest.approx((before, after))
            assert after < 0.91 * before


def test_an_effect_is_said():
    from trustscope.engine.preparation import effect

    hours = np.append(np.random.default_rng(2).normal(40, 5, 2_000), np.full(3, 200.0))
    said = words.changed(effect(hours, np.minimum(hours, 52)), "people", "h")
    assert "3 people were far from everybody else; now nobody is." in said
    assert "standard deviations away" in said
    assert "The mean was" in said
