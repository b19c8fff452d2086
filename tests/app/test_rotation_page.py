"""The Rotation page without a browser: its controls, its steps, its data."""

import asyncio
import threading
from dataclasses import replace

import numpy as np
import pytest

from trustscope import datasets
from trustscope.app.own import OwnData
from trustscope.app.rotation.common import AttributesView, scaled
from trustscope.app.rotation.dashboard import OFFERED, RotationDashboard
from trustscope.app.rotation.stage import PLANS
from trustscope.scenarios.cards import cards_of
from trustscope.scenarios.rotation.scenario import STORIES, RotationData, RotationScenario

CLOSER = {story: [part.key for part in (*plan.closer, *plan.experts)] for story, plan in PLANS.items()}


@pytest.fixture(scope="module")
def iris():
    return RotationDashboard(dataset="iris")


@pytest.fixture
def dashboard(iris):
    """The same page as at first."""
    iris.open(RotationDashboard.scenario_to_open(RotationScenario().replace({"data.name": "iris"})))
    return iris


def own(frame, like="iris"):
    return OwnData(dataset=replace(datasets.load(like), name="own", title="mine", frame=frame, units={}))


def other_scenario(model):
    """A scenario that differs from the first one in every part."""
    order = model.usual_order
    return model.fit_to_data(RotationScenario().replace({
        "data.name": "iris", "data.columns": ("Sepal width", "Petal length", "Petal width"), "seed": 99,
        "settings.standardised": False, "settings.shifted": True, "settings.known": (order[7], order[5]),
        "settings.then": (order[9],), "settings.eps": 0.4, "settings.kind": "cosine", "settings.sample": 20,
        "settings.block": 2, "settings.method": "paper", "settings.clusters": 5, "settings.clustering": "single link",
        "settings.dimensions": 300, "view.story": "known", "view.across": "Petal width", "view.upwards": "Sepal width",
        "view.closer": "record", "view.record_as": "typical", "view.freedom": 7,
    }))  # fmt: skip


def test_every_control_is_read_and_set(dashboard):
    """Read, set, read: what is restored stands in the widgets, and nobody is told."""
    dashboard.controls.story.value = "known"
    for key in CLOSER["known"]:
        dashboard.stage("known").closer.opened = key
    controls = dashboard.controls
    first, moved, settled = controls.scenario, controls.moved, controls.settled
    changed = first.replace({
        "settings.eps": 0.4, "settings.kind": "cosine", "settings.block": 2, "settings.method": "paper",
        "settings.clusters": 5, "settings.clustering": "single link", "settings.known": first.settings.known[:2],
        "settings.sample": controls.sample.stops[3], "settings.dimensions": controls.dimensions.stops[5],
        "settings.standardised": False, "settings.shifted": True, "data.columns": first.data.columns[:2], "seed": 5,
        "view.across": first.data.columns[1], "view.upwards": first.data.columns[0], "view.record_as": "typical",
        "view.freedom": 7, "view.closer": "sphere",
    })  # fmt: skip
    for scenario in (changed, first, changed):
        controls.restore(scenario)
        for field in controls.fields:
            if field.path == "view.closer" and field.widget is not dashboard.stage("known").closer:
                continue  # those of the steps that are not shown are closed
            assert controls.read(field) == scenario.at(field.path), field.path
    assert (controls.moved, controls.settled) == (moved, settled)
    assert {field.path for field in controls.fields} >= {
        f"settings.{name}" for name in type(first.settings).model_fields if name != "then"
    }


def test_a_scenario_is_opened_as_it_stands(dashboard):
    wanted = other_scenario(dashboard.model)
    dashboard.open(wanted)
    # Known records are those that are there: fewer rows are released under a shift, of Iris all.
    assert dashboard.scenario == wanted
    assert dashboard.picture.view == wanted.view
    assert dashboard.controls.number.value == 2


def test_a_browser_gets_the_controls_of_the_steps_that_were_shown():
    """Those of the other steps would take it longer to draw than the pictures."""
    dashboard = RotationDashboard(dataset="iris")
    controls = dashboard.controls
    of_steps = {"kept": controls.clusters, "known": controls.number, "sample": controls.sample,
                "remedy": controls.dimensions}  # fmt: skip

    def there():
        return {story for story, widget in of_steps.items() if widget in dashboard.sidebar.select(type(widget))}

    assert there() == {"kept"}
    controls.story.value = "sample"
    assert there() == {"kept", "sample"}
    dashboard.open(dashboard.scenario.replace({"view.story": "remedy"}))
    assert there() == {"kept", "sample", "remedy"}


def test_it_opens_at_its_first_step_and_turns_to_every_other(dashboard):
    assert dashboard.scenario.view.story == "kept"
    assert dashboard.info.startswith("Iris")
    for story in STORIES:
        dashboard.controls.story.value = story
        assert dashboard.scenario.view.story == story
        assert dashboard.picture.view.story == story
        assert [name for name, stage in dashboard.stages.items() if stage.visible] == [story]
        assert dashboard.headline.said["after"]
        stage = dashboard.stage(story)
        assert stage.keys == set(CLOSER[story])
        for key in CLOSER[story]:
            stage.closer.opened = key
            assert dashboard.scenario.view.closer == key
            assert key in stage.views
            assert "could not be shown" not in dashboard.headline.said["title"]
    dashboard.controls.story.value = "kept"
    assert dashboard.scenario.view.closer == ""


def test_a_click_and_a_number_choose_known_records(dashboard):
    controls = dashboard.controls
    controls.story.value = "known"
    before = dashboard.scenario.settings.known
    links = dashboard.stage("known").views["links"]
    place = 40
    number = dashboard.model.records.number(place)
    links.twin.tapped = place  # all records are drawn, in their order
    assert dashboard.scenario.settings.known == (*before, number)
    assert controls.number.value == len(before) + 1
    assert str(number) in controls.chips.value
    links.twin.tapped = -1
    links.twin.tapped = place  # all records are drawn, in their order
    assert dashboard.scenario.settings.known == before
    # By keyboard: a number typed, and a tick taken away.
    controls.wanted.value = number
    controls.add_one.clicks += 1
    assert dashboard.scenario.settings.known == (*before, number)
    controls.chips.value = [one for one in controls.chips.value if one != str(before[0])]
    assert dashboard.scenario.settings.known == (*before[1:], number)
    # One that is not released gets a sentence.
    absent = next(n for n in range(1, 151) if dashboard.model.records.place(n) is None)
    controls.wanted.value = absent
    controls.add_one.clicks += 1
    assert "is not among the 75 that are released" in controls.chip_words.object
    assert absent not in dashboard.scenario.settings.known


def test_the_slider_tells_and_takes_back_the_same_records(dashboard):
    controls = dashboard.controls
    controls.story.value = "known"
    controls.toggle(dashboard.model.records.number(40))
    told = dashboard.scenario.settings.known
    for number in (1, len(told)):
        controls.number.value = number
        assert len(dashboard.scenario.settings.known) == number
    assert dashboard.scenario.settings.known == told
    controls.seed.value = 13
    assert dashboard.scenario.settings.known == told
    controls.number.value = controls.number.end
    assert len(dashboard.scenario.settings.known) == dashboard.model.most_known
    controls.toggle(dashboard.model.usual_order[-1])
    assert len(dashboard.scenario.settings.known) == dashboard.model.most_known
    controls.number.value = 0
    assert dashboard.scenario.settings.known == ()
    assert controls.others.disabled


def test_other_records_and_another_sample(dashboard):
    controls = dashboard.controls
    controls.story.value = "known"
    before = dashboard.scenario.settings.known
    controls.others.clicks += 1
    now = dashboard.scenario.settings.known
    assert len(now) == len(before)
    assert now != before
    controls.story.value = "sample"
    controls.sample.value = controls.sample.stops[0]
    assert not controls.strangers.disabled
    controls.strangers.clicks += 1
    assert dashboard.scenario.settings.block == 2
    controls.sample.value = controls.sample.stops[-1]
    assert dashboard.scenario.settings.block == 1
    assert controls.strangers.disabled


def test_each_kind_has_its_own_usual_distance(dashboard):
    controls = dashboard.controls
    controls.story.value = "sample"
    controls.eps.value = 0.5
    controls.kind.value = "euclidean"
    assert dashboard.scenario.settings.eps == 0.15
    assert "length" in controls.hit_fold.line


def test_what_a_constant_hits_is_named_as_it_is_drawn(dashboard):
    dashboard.controls.story.value = "known"
    table = cards_of("rotation")["attributes"].table(dashboard.picture, dashboard.model)
    assert [mark for _, _, mark in AttributesView().legend(table)] == ["block", "tick"]


def test_units_are_a_switch(dashboard):
    controls = dashboard.controls
    controls.standardised.value = False
    assert not dashboard.model.records.standardised
    assert "own units" in controls.data_fold.line
    controls.standardised.value = True
    assert dashboard.model.records.standardised


def test_only_sets_with_numbers_are_offered():
    assert "votes" not in OFFERED
    for unfit in ("votes", "census"):  # the latter is what the command opens Trust with
        assert RotationDashboard(dataset=unfit).scenario.data.name == RotationScenario().data.name


@pytest.mark.parametrize(
    ("change", "title"),
    [
        (lambda frame: frame.head(5), "There is nothing here to turn."),
        (lambda frame: frame.iloc[[0] * 20].reset_index(drop=True), "All records are the same."),
        (lambda frame: frame.assign(**{"Sepal width": 1e200 * np.arange(150)}), "These values are too large."),
        (
            lambda frame: frame.assign(**{c: 1e-200 * np.arange(150) for c in frame.columns[:4]}),
            "These values are too small.",
        ),
    ],
)
def test_data_that_cannot_be_turned_get_a_sentence_and_the_page_goes_on(change, title):
    visitor = own(change(datasets.load("iris").frame))
    dashboard = RotationDashboard(RotationScenario().replace({"data.name": "own"}), own=visitor)
    assert dashboard.headline.said["title"] == title
    assert not dashboard.body.visible
    dashboard.choose(RotationData(name="iris"))
    assert dashboard.body.visible
    assert dashboard.headline.said["after"]


def test_markup_in_names_stays_text():
    frame = datasets.load("iris").frame.rename(columns={"Sepal length": "<b>x</b>"})
    visitor = OwnData(dataset=replace(
        datasets.load("iris"), name="own", title="<i>mine</i>", frame=frame, units={},
        numeric=("<b>x</b>", "Sepal width", "Petal length", "Petal width"),
    ))  # fmt: skip
    dashboard = RotationDashboard(RotationScenario().replace({"data.name": "own"}), own=visitor)
    dashboard.controls.story.value = "sample"
    for key in CLOSER["sample"]:
        dashboard.stage("sample").closer.opened = key
    captions = [view.card.caption_pane.object for view in dashboard.stage("sample").views.values()]
    assert not any("<b>x</b>" in caption for caption in captions)


def test_axes_have_a_scale():
    assert scaled(("a", "b"), np.array([[0.0, -1.5], [12.0, 3.0]])) == ("a, 0 to 12", "b, −1.5 to 3")


def test_what_is_changed_while_data_are_on_their_way_stays_changed():
    here = threading.Event()

    class Waiting(RotationDashboard):
        def fit_to_data(self, scenario, model):
            assert here.wait(30)
            return super().fit_to_data(scenario, model)

    async def story():
        page = Waiting(dataset="iris")
        page.controls.change(page.scenario.replace({"view.closer": "findings", "settings.clusters": 5}))
        assert page.loads == 0
        here.set()
        await page.finished()
        assert page.loads == 1
        return page

    dashboard = asyncio.run(story())
    assert (dashboard.scenario.view.closer, dashboard.scenario.settings.clusters) == ("findings", 5)
    assert dashboard.stage("kept").closer.opened == "findings"
    assert dashboard.controls.clusters.value == 5
