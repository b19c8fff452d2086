"""Controls made from fields: read, set, read; and nothing mutes them for good."""

import asyncio
import threading
from dataclasses import replace

import pytest

from tests.messages import deliver, tell
from trustscope.app import work
from trustscope.app.controls import Controls, Field, slider
from trustscope.app.silence import Silence
from trustscope.app.trust.dashboard import TrustDashboard
from trustscope.scenarios.coalition import recipients
from trustscope.scenarios.trust.order import EXPERIMENTS
from trustscope.scenarios.trust.scenario import RECONSTRUCTIONS, TrustScenario
from trustscope.widgets.controls.choice import Choice, Switch
from trustscope.widgets.controls.slider import Slider


class Hand(Controls):
    """Three controls, one of which follows another."""

    def __init__(self, scenario):
        self.scheme = Choice(options=[(name, name, "") for name in ("nested", "independent", "proportional")])
        self.sample = Slider(stops=[50, 100, 400])
        self.informed = Switch()
        self.broken = False
        super().__init__(
            [
                Field("settings.scheme", self.scheme),
                slider("settings.sample", self.sample, read=int),
                Field("settings.informed", self.informed),
            ],
            scenario,
        )

    def follow(self, scenario, path):
        if self.broken:
            raise RuntimeError("broken")
        return scenario.replace({"settings.sample": 50}) if path == "settings.scheme" else scenario


def test_restoring_tells_nobody_and_sets_everything():
    hand = Hand(TrustScenario())
    other = TrustScenario().replace({"settings.scheme": "nested", "settings.sample": 100, "settings.informed": True})
    hand.restore(other)
    assert (hand.scheme.value, hand.sample.value, hand.informed.value) == ("nested", 100, True)
    assert (hand.moved, hand.settled, hand.scenario) == (0, 0, other)


def test_a_hand_moves_one_control_and_what_follows():
    hand = Hand(TrustScenario())
    hand.scheme.value = "nested"
    assert (hand.scenario.settings.scheme, hand.scenario.settings.sample, hand.sample.value) == ("nested", 50, 50)
    assert (hand.moved, hand.settled) == (1, 1)
    tell(hand.sample, {"value": 390, "done": False})
    assert (hand.scenario.settings.sample, hand.moved, hand.settled) == (400, 2, 1)
    tell(hand.sample, {"value": 390, "done": True})
    assert (hand.moved, hand.settled) == (2, 2)


@pytest.mark.parametrize("value", [10**9, 1])
def test_what_no_control_could_be_set_to_is_taken_back_when_it_is_let_go(value):
    """Values are not checked while a slider is held: a slider that stood nowhere would ask for any number of rows."""
    hand = Hand(TrustScenario())
    tell(hand.sample, {"value": 400, "done": True})
    hand.sample.stops = [50, 400, value]
    tell(hand.sample, {"value": value, "done": False})
    assert hand.scenario.settings.sample == value
    tell(hand.sample, {"value": value, "done": True})
    assert (hand.scenario.settings.sample, hand.sample.value) == (400, 400)
    assert hand.settled == 2


def test_while_a_picture_comes_a_drag_waits_with_all_but_itself():
    """The other controls follow, and the control has its answer, when whoever draws the picture says so."""
    hand = Hand(TrustScenario())
    hand.picture_comes = lambda: True
    described = []
    hand.describe = described.append
    deliver(hand.sample, {"value": 100, "done": False, "n": 1})
    assert (hand.scenario.settings.sample, hand.moved, hand.sample.ack, described) == (100, 1, 0, [])
    deliver(hand.sample, {"value": 100, "done": False, "n": 1})  # the script thinks that it was lost
    assert (hand.moved, hand.sample.ack) == (1, 0)
    hand.catch_up()
    assert (hand.sample.ack, described) == (1, [hand.scenario])
    hand.catch_up()
    assert len(described) == 1
    # What is no drag waits for nothing.
    deliver(hand.scheme, {"value": ["nested"], "n": 1})
    assert (hand.scheme.ack, hand.sample.value) == (1, 50)


def test_where_no_picture_comes_a_drag_is_answered_at_once():
    hand = Hand(TrustScenario())
    deliver(hand.sample, {"value": 100, "done": False, "n": 1})
    assert hand.sample.ack == 1


@pytest.mark.parametrize("ending", ["drawn", "fails", "let go", "another scenario"])
def test_a_control_has_its_answer_whatever_becomes_of_the_picture(ending, monkeypatch):
    monkeypatch.setattr(work, "MOMENT", 60)
    gate = threading.Event()
    dashboard = TrustDashboard(TrustScenario().replace({"data.name": "iris"}))
    recipients, preview = dashboard.controls.recipients, dashboard.preview

    def slow(model, scenario):
        assert gate.wait(30)
        if ending == "fails":
            raise RuntimeError("no picture")
        return preview(model, scenario)

    monkeypatch.setattr(dashboard, "preview", slow)

    async def drag():
        first = recipients.value[0].number
        deliver(recipients, {"kind": "trust", "id": first, "value": 71, "done": False, "n": 1})
        assert (dashboard.scenario.settings.recipients[0].trust, recipients.rows[0]["trust"]) == (71, 50)
        assert recipients.ack == 0
        if ending == "let go":
            deliver(recipients, {"kind": "trust", "id": first, "value": 71, "done": True, "n": 2})
            assert recipients.ack == 2
        if ending == "another scenario":
            dashboard.open(dashboard.scenario.replace({"settings.scheme": "nested"}))
            assert recipients.ack == 1
        gate.set()
        await dashboard.finished()

    asyncio.run(drag())
    assert recipients.ack >= 1
    assert recipients.rows[0]["trust"] == 71
    assert recipients.rows[0]["detail"] != ""


def test_an_exception_does_not_mute_the_controls():
    hand = Hand(TrustScenario())
    hand.broken = True
    with pytest.raises(RuntimeError):
        hand.scheme.value = "nested"
    hand.broken = False
    hand.informed.value = True
    assert hand.scenario.settings.informed
    assert hand.moved == 1


def test_silence_ends_whatever_happens():
    silence = Silence()
    with pytest.raises(ValueError, match="inside"), silence, silence:
        raise ValueError("inside")
    assert not silence


@pytest.fixture(scope="module")
def dashboard():
    return TrustDashboard(TrustScenario().replace({"data.name": "iris"}))


OTHER = {
    "settings.recipients": recipients(90, 10),
    "settings.scheme": "proportional",
    "data.columns": ("Sepal length", "Petal width"),
    "settings.attribute": "Petal width",
    "settings.similarity": -0.4,
    "settings.attackers": ("raw", "bayes"),
    "settings.informed": True,
    "settings.sample": 100,
    "settings.eps": 0.25,
    "settings.kind": "absolute",
    "seed": 99,
    "view.person": 7,
    "view.person_as": "path",
    "view.closer": "closeness",
}


def test_every_control_of_trust_is_read_set_and_read(dashboard):
    """What is set through a scenario is what the controls then say, field by field."""
    scenario = dashboard.scenario.replace(OTHER)
    dashboard.open(scenario)
    assert dashboard.scenario.replace({"settings.sample": 100}) == scenario
    for field in dashboard.controls.fields:
        assert dashboard.controls.read(field) == dashboard.scenario.at(field.path), field.path


def test_somebody_must_attack_and_something_must_be_released(dashboard):
    controls = dashboard.controls
    before = dashboard.scenario.settings.attackers
    controls.linear.value, controls.reconstructions.value = [], []
    assert dashboard.scenario.settings.attackers
    assert (*controls.linear.value, *controls.reconstructions.value) == dashboard.scenario.settings.attackers
    controls.linear.value = list(before[:1])
    controls.columns.value = []
    assert controls.columns.value


def test_another_attribute_brings_its_own_distance(dashboard):
    dashboard.open(dashboard.scenario.replace({"data.columns": (), "settings.kind": "absolute", "settings.eps": None}))
    controls = dashboard.controls
    first = dashboard.scenario.settings
    controls.attribute.value = next(name for name in controls.attribute.options if name != first.attribute)
    assert 0 < dashboard.scenario.settings.eps <= controls.eps.end
    controls.kind.value = "cosine"
    assert dashboard.scenario.settings.eps == 0.01


def test_an_experiment_sets_the_stage(monkeypatch):
    for number in ("1", "3"):  # on fewer records: the stage is the same, and its pictures take a tenth of the time
        played = EXPERIMENTS[number]
        monkeypatch.setitem(EXPERIMENTS, number, replace(played, order=played.order.replace({"records": 200})))
    dashboard = TrustDashboard(dataset="gaussian")
    controls = dashboard.controls
    controls.recipients.value = recipients(99, 95)
    controls.scheme.value, controls.informed.value = "independent", True
    controls.generator.experiment.value = "1"
    settings = dashboard.scenario.settings
    assert (settings.scheme, settings.informed, settings.similarity) == ("nested", False, 0.0)
    assert [r.trust for r in settings.recipients] == [80, 80]
    assert set(RECONSTRUCTIONS) < set(settings.attackers)
    assert dashboard.scenario.data.order == EXPERIMENTS["1"].order
    assert dashboard.model.population.columns == EXPERIMENTS["1"].order.attributes
    # The third holds the noise, not the trust: the trust follows what is dragged.
    controls.generator.experiment.value = "3"
    trusts = []
    for small in (1.0, 50.0):
        tell(controls.generator.small, {"value": small, "done": True})
        trusts.append(dashboard.scenario.settings.best.trust)
        assert dashboard.model.population.columns == 100
    assert trusts[0] != trusts[1]
