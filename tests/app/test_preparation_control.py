"""Before the noise on the Trust page and at import, without a browser."""

import numpy as np
import pytest

from trustscope.app.categories.dashboard import CategoriesDashboard
from trustscope.app.desk.desk import TITLES, Desk
from trustscope.app.own import OwnData
from trustscope.app.trust.dashboard import TrustDashboard
from trustscope.scenarios.categories.scenario import CategoriesData, CategoriesScenario
from trustscope.scenarios.preparation import Preparation
from trustscope.scenarios.rotation.scenario import RotationData
from trustscope.scenarios.trust.scenario import TrustData, TrustScenario


@pytest.fixture(scope="module")
def adult():
    return TrustDashboard(TrustScenario().replace({"data.name": "adult"}))


@pytest.fixture(scope="module")
def iris():
    """The strongest attacker, who has to learn all data anew after every step, is not asked."""
    return TrustDashboard(TrustScenario().replace({"data.name": "iris", "settings.attackers": ("perfect",)}))


def send(control, **message):
    """What the script would send."""
    control._receive(message)


def opened(here, name, *steps):
    here.controls.data_fold.opened = True
    attackers = here.scenario.settings.attackers
    here.open(TrustScenario().replace({"data.name": name, "data.preparation": steps, "settings.attackers": attackers}))
    return here.controls.preparation.steps


def test_what_columns_have_is_offered_and_done_at_a_click(adult):
    control = opened(adult, "adult")
    first = control.answers[0]
    assert first["title"] == "Capital gain"
    assert first["text"].startswith("244 people share the value 99\u202f999 dollars of Capital gain")
    assert "gives the most exposed of them away in > 99 % of cases" in first["text"]
    assert first["apply"] == "Take the logarithm"
    assert len({one["title"] for one in control.answers}) == len(control.answers)
    before = adult.model.population.values[:, 3].max()
    (far,) = [one for one in adult.controls.preparation._offers if one.trait.kind == "far"]
    send(control, kind="apply", key=first["key"])
    assert adult.scenario.data.preparation == (far.preparation,)
    assert adult.model.population.values[:, 3].max() == np.log1p(before / far.preparation.unit)
    assert "Capital gain is released as its logarithm" in control.rows[0]["line"]
    assert "244 people were far from everybody else; now nobody is." in control.rows[0]["line"]
    assert all(one["title"] != "Capital gain" for one in control.answers)


def test_steps_are_added_changed_and_removed(iris):
    control = opened(iris, "iris")
    send(control, kind="add", what="round")
    assert iris.scenario.data.preparation == (Preparation(column="Sepal length", action="round"),)
    send(control, kind="edit", place=0, name="grid", value=2)
    assert np.all(iris.model.population.values[:, 0] % 2 == 0)
    send(control, kind="edit", place=0, name="grid", value=0)
    assert control.rows[0]["problem"] == "Type a number above 0."
    send(control, kind="edit", place=0, name="column", value="Sepal width")
    assert np.all(iris.model.population.values[:, 1] % 2 == 0)
    send(control, kind="remove", place=0)
    assert iris.scenario.data.preparation == ()
    assert np.any(iris.model.population.values[:, 1] % 2)


def test_a_column_that_is_dropped_comes_back(iris):
    control = opened(iris, "iris")
    columns = iris.scenario.data.columns
    send(control, kind="add", what="drop")
    assert iris.scenario.data.columns == columns[1:]
    assert "Sepal length" not in [name for name, *_ in iris.controls.columns.options]
    assert iris.scenario.settings.attribute == columns[1]
    send(control, kind="remove", place=0)
    assert iris.scenario.data.columns == columns


def test_a_distance_is_found_anew_where_the_unit_is_another(iris):
    control = opened(iris, "iris")
    eps = iris.scenario.settings.eps
    send(control, kind="add", what="top")
    assert iris.scenario.settings.eps == eps
    send(control, kind="remove", place=0)
    send(control, kind="add", what="logarithm")
    assert 0 < iris.scenario.settings.eps < eps / 4
    assert "ln cm" in iris.controls.eps.readout


def spiky_file():
    rng = np.random.default_rng(1)
    gains = np.append(np.round(rng.normal(500, 60, 400)), np.full(5, 99_999)).astype(int)
    ages = rng.integers(20, 70, 405)
    return "people.csv", b"gains,age\n" + b"".join(b"%d,%d\n" % pair for pair in zip(gains, ages, strict=True))


def desk_with(file):
    desk = Desk(OwnData(), TITLES, lambda data: None)
    desk.wizard.dropper.file = file
    return desk


def test_a_file_is_looked_at_before_it_is_used():
    desk = desk_with(spiky_file())
    wizard = desk.wizard
    assert wizard.before.visible
    assert [text for _, text, _ in wizard.before.options] == ["gains: code the highest 2 %"]
    assert "5 records share the value 99\u202f999 of gains" in wizard._before_words.object
    wizard.before.value = ["0"]
    wizard.use.clicks += 1
    step = Preparation(column="gains", action="top", share=0.02)
    assert desk.data(TrustData, "own").preparation == (step,)
    assert [one.action for one in desk.data(CategoriesData, "own").preparation] == ["top"]
    assert not hasattr(desk.data(RotationData, "own"), "preparation")


def test_nothing_is_done_that_was_not_ticked():
    desk = desk_with(spiky_file())
    desk.wizard.use.clicks += 1
    assert desk.data(TrustData, "own").preparation == ()


def test_an_ordinary_file_is_used_as_before():
    ages = np.random.default_rng(2).normal(40, 9, 300)
    desk = desk_with(("people.csv", b"age\n" + b"".join(b"%.2f\n" % age for age in ages)))
    assert not desk.wizard.before.visible
    desk.wizard.use.clicks += 1
    assert desk.wizard.accepted == 1


def test_numbers_are_coded_before_they_are_put_into_bins():
    page = CategoriesDashboard(
        CategoriesScenario().replace({"data.name": "adult", "data.column": "Capital gain", "data.bins": 5})
    )
    control = page.controls.preparation
    assert not control.steps.answers  # nobody has opened them yet, so nobody has looked
    page.controls.data_fold.opened = True
    assert control.visible
    assert [name for name, _ in control.steps.kinds] == ["top", "bottom", "logarithm", "round"]
    labels = page.model.column.labels
    assert all("trust" not in one["text"] for one in control.steps.answers)  # that is what noise would do
    send(control.steps, kind="apply", key=control.steps.answers[0]["key"])
    assert page.scenario.data.preparation[0].column == "Capital gain"
    assert page.model.column.labels != labels
    page.open(page.scenario.replace({"data.column": "Sex", "data.preparation": ()}))
    assert not control.visible
    page.stop()
