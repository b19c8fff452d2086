"""Differential privacy on the pages: figures of the noise that the model has, tables, sentences, and limits."""

import re

import numpy as np
import pytest

from trustscope.engine.measures import differential as gaussian
from trustscope.engine.measures import losses
from trustscope.engine.noise import noise_covariance
from trustscope.looks import looks_of
from trustscope.numbers import plain
from trustscope.scenarios.categories import differential as categories
from trustscope.scenarios.categories import loading as categories_loading
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.coalition import recipients
from trustscope.scenarios.differential import alarms_table, best_test, growth_table, power_of_ten, share_found
from trustscope.scenarios.preparation import Preparation
from trustscope.scenarios.trust import differential as trust
from trustscope.scenarios.trust import loading
from trustscope.scenarios.trust.scenario import TrustScenario, levels
from trustscope.scenarios.trust.words import subject_of

IRIS = TrustScenario().replace({"data.name": "iris", "settings.attribute": "Petal length"})


@pytest.fixture(scope="module")
def model():
    return loading.load(loading.fetch(IRIS), IRIS)


@pytest.fixture(scope="module")
def diseases():
    scenario = CategoriesScenario()
    return categories_loading.load(categories_loading.fetch(scenario), scenario)


def told(model, **changes):
    return trust.differential(model, model.fit_to_data(IRIS.replace(changes)))


@pytest.mark.parametrize("scheme", ["nested", "independent"])
@pytest.mark.parametrize("similarity", [1.0, -0.5])
def test_mu_is_that_of_all_copies_of_whole_rows_at_once(model, scheme, similarity):
    who = recipients(50, 45, 40)
    said = told(
        model, **{"settings.similarity": similarity, "view.differential.apart": 2.0, "settings.recipients": who}
    )
    noise = np.kron(noise_covariance(levels(said.order), scheme), model.noise(similarity).shape)
    apart = np.zeros(4)
    apart[model.population.index("Petal length")] = said.high - said.low
    every = np.tile(apart, len(said.order))
    assert said.high - said.low == pytest.approx(2)
    assert said.mu[scheme][-1] == pytest.approx(np.sqrt(every @ np.linalg.solve(noise, every)), rel=1e-6)
    assert said.epsilon[scheme][-1] == gaussian.epsilon_of_delta(said.mu[scheme][-1], 1e-6)


def test_pooling_costs_nothing_where_copies_are_nested(model):
    said = told(model)
    assert len(set(said.epsilon["nested"])) == 1
    assert np.all(np.diff(said.epsilon["independent"]) > 0)
    assert said.together("independent") > 1.8 * said.alone
    assert (
        share_found(said.misses["nested"])
        == share_found(said.misses["alone"])
        < share_found(said.misses["independent"])
    )


def test_two_values_lie_in_the_data_and_follow_the_slider(model):
    low, high = trust.ends(model, model.population.index("Petal length"))
    for apart in (0.5, 3.0, 99.0):
        said = told(model, **{"view.differential.apart": apart})
        assert said.high - said.low == pytest.approx(min(apart, high - low))
        assert low <= said.low
        assert said.high <= high + 1e-9
    whole, row = (told(model, **{"view.differential.about": about}) for about in ("range", "row"))
    assert (whole.low, whole.high) == (low, high)
    assert told(model).distance < whole.distance < row.distance
    assert row.exact


def test_proportional_noise_has_no_bound(model):
    said = told(model, **{"settings.scheme": "proportional"})
    assert said.rival == "proportional"
    assert np.isinf(said.epsilon["proportional"][1:]).all()
    assert np.isfinite(said.epsilon["proportional"][0])
    assert "<b>∞</b> if their noise is proportional" in trust.caption(
        said, subject_of(model.population, "Petal length")
    )
    assert growth_table(said)["epsilon, proportional"].isna().tolist() == [False] + [True] * 5


def test_a_copy_at_the_trust_that_is_named_has_epsilon_one(model):
    said = told(model)
    level = 1 / said.strong_trust - 1
    assert gaussian.epsilon_of_delta(gaussian.mu_at(said.distance, level), 1e-6) == pytest.approx(1.0, rel=1e-6)


def test_nobody_pools(model, diseases):
    nobody = tuple(r.replace({"member": False}) for r in recipients(50, 40))
    assert told(model, **{"settings.recipients": nobody}) is None
    assert growth_table(None).empty
    assert alarms_table(None).empty
    scenario = CategoriesScenario().replace({"settings.recipients": nobody})
    assert categories.differential(diseases, scenario) is None
    assert not list(categories.figures(diseases, scenario))


def test_one_copy_alone_is_said_and_drawn(model):
    said = told(model, **{"settings.recipients": recipients(50)})
    table = growth_table(said)
    assert {look.mark for look in looks_of(table).series.values()} == {"dot"}
    assert "together" not in trust.caption(said, subject_of(model.population, "Petal length"))
    assert best_test(said).count("<b>") == 1


def test_tables_are_what_sentences_say(model):
    said = told(model)
    table, caption = growth_table(said), trust.caption(said, subject_of(model.population, "Petal length"))
    numbers = re.findall(r"<b>(?:ε = )?([\d.]+)</b>", caption)
    shown = [table["epsilon, nested"][0], table["epsilon, nested"][5], table["epsilon, independent"][5]]
    assert numbers == [plain(one) for one in shown]
    curve = alarms_table(said)
    assert np.all(curve["misses, independent"] <= curve["misses, nested"] + 1e-12)
    assert np.all(curve["misses, nested"] <= curve["guessing"] + 1e-12)


def test_limits_are_said_and_bounds_where_they_matter(model):
    subject = subject_of(model.population, "Petal length")
    values, whole = (
        " ".join(trust.notes(told(model, **{"view.differential.about": about}), subject))
        for about in ("values", "range")
    )
    for text in (values, whole):
        assert "taken from the data" in text
        assert "local" in text
    assert "no finite figure" not in values
    assert "no finite figure" in whole
    assert "without the other columns" in values


def test_coding_the_ends_narrows_the_range():
    steps = tuple(Preparation(column="Petal length", action=side, share=0.1) for side in ("top", "bottom"))
    prepared = IRIS.replace({"data.preparation": steps, "view.differential.about": "range"})
    model = loading.load(loading.fetch(prepared), prepared)
    said, plain = trust.differential(model, model.fit_to_data(prepared)), told_plain()
    assert said.high - said.low < plain.high - plain.low


def told_plain():
    scenario = IRIS.replace({"view.differential.about": "range"})
    model = loading.load(loading.fetch(scenario), scenario)
    return trust.differential(model, model.fit_to_data(scenario))


# Categories


def test_copies_of_categories_add_up(diseases):
    said = categories.differential(diseases, CategoriesScenario())
    ps = np.array([r.trust for r in said.order]) / 100
    each = np.log(1 + 10 * ps / (1 - ps))
    assert said.size == 10
    assert said.epsilon["nested"] == pytest.approx([each[0]] * 6)
    assert said.epsilon["independent"] == pytest.approx(np.cumsum(each))
    assert "Which of any two of the 10 values of Disease" in categories.caption(said, "Disease")
    assert "δ" not in categories.caption(said, "Disease")


def test_with_a_delta_fewer_are_needed(diseases):
    scenario = CategoriesScenario().replace({"view.differential.delta": 3})
    plain, said = (categories.differential(diseases, one) for one in (CategoriesScenario(), scenario))
    assert said.together("independent") < plain.together("independent")
    law = losses.losses([r.trust / 100 for r in said.order], 10, "independent")
    assert law.delta(said.together("independent")) == pytest.approx(1e-3)
    assert f"at δ = {power_of_ten(3)}" in categories.caption(said, "Disease")


def test_a_copy_at_the_retention_that_is_named_has_epsilon_one(diseases):
    said = categories.differential(diseases, CategoriesScenario())
    assert losses.epsilon_of_retention(said.strong_retention, 10) == pytest.approx(1.0)
    assert "15\u202f%" in " ".join(categories.notes(said)).replace("15 %", "15\u202f%")


def test_figures_have_names(model, diseases):
    names = {one.name: one.value for one in trust.figures(model, model.fit_to_data(IRIS))}
    assert names["differential.epsilon.nested"] == names["differential.epsilon.alone"]
    assert names["differential.rho.independent"] == pytest.approx(names["differential.mu.independent"] ** 2 / 2)
    assert 0.05 < names["differential.finds.alone"] < names["differential.finds.independent"] < 1
    assert {one.name for one in categories.figures(diseases, CategoriesScenario())} == {
        "differential.delta", "differential.strong",
        *(f"differential.{what}.{who}" for what in ("epsilon", "finds") for who in ("alone", "nested", "independent")),
    }  # fmt: skip
