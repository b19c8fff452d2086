"""The Categories page without a browser: its controls, its data, its views, and how it fails."""

import asyncio

import numpy as np
import pandas as pd
import pytest

from tests.messages import tell
from trustscope import datasets
from trustscope.app.categories import CategoriesDashboard
from trustscope.app.desk import TITLES
from trustscope.datasets import Dataset
from trustscope.datasets.model import Origin
from trustscope.scenarios.categories.scenario import PAPER, CategoriesScenario, Promise
from trustscope.scenarios.coalition import recipients
from trustscope.scenarios.scenario import OWN

NASTY = "<img src=x onerror=alert(1)>"
VIEWS = ("everyone", "coalitions", "promises", "usefulness", "evidence", "joining", "memory")


def own(frame, numeric=()):
    categorical = tuple(name for name in frame if name not in numeric)
    return Dataset("own", "own", frame, tuple(numeric), categorical, None, "", "", file=Origin("own.csv", 9, "0" * 64))


def use(dashboard, dataset):
    """As if the file had been dropped and accepted."""
    dashboard.own.dataset = dataset
    dashboard.desk.wizard.accepted += 1


@pytest.fixture
def dashboard():
    return CategoriesDashboard()


@pytest.fixture(scope="module")
def opened():
    """A page on which every view has been opened."""
    page = CategoriesDashboard()
    for key in VIEWS:
        page.controls.change(page.scenario.replace({"view.closer": key}))
        assert page.views().get(key) is not None
    return page


def test_it_opens_with_a_leak_that_one_switch_ends(dashboard):
    assert dashboard.headline.said["tone"] == "leak"
    assert dashboard.headline.said["title"] == "Six recipients learn more together than any of them was meant to."
    assert dashboard.info == "Patients, ten diseases (synthetic), 20\u202f000 rows"
    assert [dashboard.headline.said[name] for name in ("before", "after")] == ["37\u202f%", "56\u202f%"]
    dashboard.controls.scheme.value = "nested"
    assert dashboard.headline.said["tone"] == "safe"
    assert dashboard.person.candidates.tone == "safe"
    assert dashboard.headline.said["before"] == dashboard.headline.said["after"]


OTHER = {
    "settings.recipients": recipients(90, 10),
    "settings.scheme": "nested",
    "settings.prior": "nothing",
    "settings.promise": Promise(rho1=20, rho2=60, delta=40),
    "data.column": "Age",
    "data.bins": 7,
    "seed": 99,
    "view.person": 7,
    "view.person_as": "path",
    "view.closer": "usefulness",
    "view.whose": "University",
    "view.value": "",
    "view.among": "Sex",
    "view.label": "male",
}


def test_every_control_is_read_set_and_read(opened):
    """What is set through a scenario is what the controls then say, field by field."""
    scenario = opened.scenario.replace(OTHER)
    opened.open(scenario)
    value = opened.model.column.labels[0]
    assert opened.scenario == scenario.replace({"view.value": value})
    for field in opened.controls.fields:
        assert opened.controls.read(field) == opened.scenario.at(field.path), field.path
    opened.open(PAPER)
    for field in opened.controls.fields:
        assert opened.controls.read(field) == opened.scenario.at(field.path), field.path


def test_the_papers_example_is_one_click_away(dashboard):
    dashboard.controls.paper.clicks += 1
    assert [r.name for r in dashboard.scenario.settings.recipients] == ["Alice", "Bob"]
    truth = dashboard.person.candidates.rows[0]
    assert (truth["label"], truth["texts"]) == ("HIV", ["75\u202f%", "46\u202f%"])
    assert [row["detail"] for row in dashboard.controls.recipients.rows] == ["46 % true", "28 % true"]
    dashboard.controls.scheme.value = "nested"
    assert dashboard.person.candidates.rows[0]["texts"] == ["46\u202f%", "46\u202f%"]


def test_a_promise_has_three_marks_and_is_solved_against_everybody(dashboard):
    dashboard.controls.change(dashboard.scenario.replace({"view.closer": "promises"}))
    view = dashboard.views().get("promises")
    said = view.words["rho"].object
    assert said.count("✓ kept") == 1  # Ministry alone
    assert said.count("✗ not kept") == 2  # the present coalition, and the worst
    assert "rounded down" in view.most["rho"].object
    view.give_all["rho"].clicks += 1
    assert {r.trust for r in dashboard.scenario.settings.recipients} == {4}
    assert view.words["rho"].object.count("✓ kept") == 3
    dashboard.controls.scheme.value = "nested"
    view.give_one["rho"].clicks += 1
    assert [r.trust for r in dashboard.scenario.settings.recipients] == [44, 4, 4, 4, 4, 4]
    assert view.words["rho"].object.count("✓ kept") == 3
    tell(view.rho1, {"value": 60, "done": True})  # rho2 gives way: it must stay above
    assert (dashboard.scenario.settings.promise.rho2, view.rho2.value) == (61, 61)
    tell(view.rho2, {"value": 20, "done": True})
    assert (dashboard.scenario.settings.promise.rho1, view.rho1.value) == (19, 19)


def test_who_is_looked_at_keeps_their_name_and_may_go(opened):
    opened.open(PAPER.replace({"view.whose": "Bob", "view.closer": "everyone"}))
    box = opened.controls.recipients
    tell(box, {"kind": "name", "id": 1, "value": "Robert"})
    assert opened.scenario.view.whose == "Robert"
    assert opened.views().get("everyone").whose.value == "Robert"
    tell(box, {"kind": "remove", "id": 1})
    assert opened.scenario.view.whose == "Alice"


def test_conditions_follow_the_column(opened):
    opened.open(PAPER.replace({"view.closer": "usefulness"}))
    view = opened.views().get("usefulness")
    assert not view.label.visible
    view.among.value = "Ward"
    assert opened.scenario.view.label in ("north", "east", "south", "west")
    assert view.label.visible
    assert "those whose Ward is" in view.card.caption_pane.object
    opened.controls.column.value = "Ward"
    assert opened.scenario.view.among == ""
    assert "Ward" not in view.among.options


@pytest.mark.parametrize("name", ["patients-1000", *TITLES])
def test_every_built_in_set_can_be_opened(name):
    dashboard = CategoriesDashboard(CategoriesScenario().replace({"data.name": name, "view.closer": ""}))
    assert dashboard.model is not None
    assert dashboard.headline.said["tone"] in ("leak", "quiet")
    assert dashboard.controls.data_fold.line


def test_numbers_are_put_into_bins(dashboard):
    dashboard.desk.select.value = "census"
    dashboard.controls.column.value = "Income"
    assert dashboard.model.size == 10
    assert dashboard.controls.bins.visible
    tell(dashboard.controls.bins, {"value": 4, "done": True})
    assert dashboard.model.size == 4
    assert "4 values" in dashboard.controls.data_fold.line


def test_a_file_of_ones_own(dashboard):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({
        NASTY: pd.Categorical.from_codes(rng.integers(0, 40, 3000), [f"{NASTY}{i}" for i in range(40)]),
        f"{NASTY}2": pd.Categorical.from_codes(rng.integers(0, 2, 3000), ["a", f"b{NASTY}"]),
    })  # fmt: skip
    use(dashboard, own(frame))
    assert dashboard.scenario.data.name == OWN
    for key in VIEWS:
        dashboard.controls.change(dashboard.scenario.replace({"view.closer": key, "view.among": f"{NASTY}2"}))
        assert "<img" not in dashboard.views().get(key).card.caption_pane.object, key
    assert "<img" not in dashboard.person.card.caption_pane.object
    assert "<img" not in dashboard.desk.about.object


def test_a_column_of_one_value_gets_a_sentence_and_the_page_goes_on(dashboard):
    frame = pd.DataFrame({"x": pd.Categorical(["a"] * 20, categories=["a", "b"]), "y": np.arange(20.0)})
    use(dashboard, own(frame, numeric=("y",)))
    assert dashboard.headline.said["title"] == "There is nothing here to perturb."
    assert "same value" in dashboard.headline.said["note"]
    assert not dashboard.body.visible
    dashboard.open(dashboard.scenario.replace({"data.column": "y"}))
    assert dashboard.body.visible
    assert dashboard.model.size == 10
    dashboard.open(PAPER)
    assert dashboard.headline.said["tone"] == "leak"


def test_rows_with_gaps_in_the_column_are_left_out(dashboard):
    frame = pd.DataFrame({"x": pd.Categorical(["a", "b", None, "a"] * 20), "y": np.r_[np.nan, np.arange(79.0)]})
    use(dashboard, own(frame, numeric=("y",)))
    assert dashboard.model.rows == 60
    dashboard.controls.column.value = "y"
    assert dashboard.model.rows == 79


def test_a_link_to_a_file_that_is_not_here_says_what_to_do():
    dashboard = CategoriesDashboard(CategoriesScenario().replace({"data.name": OWN}))
    assert "drop it under Data" in dashboard.headline.said["note"]


def test_an_error_does_not_mute_the_page(dashboard, monkeypatch):
    model = dashboard.model
    monkeypatch.setattr(type(model), "preview", lambda self, scenario: 1 / 0)
    dashboard.controls.scheme.value = "nested"
    monkeypatch.undo()
    dashboard.controls.prior.value = "nothing"
    assert dashboard.headline.said["tone"] == "safe"


def test_nobody_pools(dashboard):
    alone = tuple(r.replace({"member": False}) for r in dashboard.scenario.settings.recipients)
    for key in VIEWS:
        dashboard.controls.change(dashboard.scenario.replace({"settings.recipients": alone, "view.closer": key}))
        assert dashboard.headline.said["title"] == "Nobody pools copies yet."
    assert not dashboard.joining.plot.visible


def test_watching_copies_being_made(dashboard, monkeypatch):
    """Where no loop runs all steps are done at once; at the end the page shows what it showed before."""
    monkeypatch.setattr("trustscope.app.copies.PAUSE", 0)
    before = dashboard.headline.said
    dashboard.controls.change(dashboard.scenario.replace({"view.closer": ""}))
    dashboard.controls.generate.starts += 1
    assert dashboard.scenario.view.closer == "everyone"
    assert not dashboard.controls.generate.running
    assert dashboard.headline.said == before
    assert "6 copies of" in dashboard.controls.generate.text


def test_other_data_end_what_is_watched(monkeypatch, caplog):
    """A step of the old data must not be drawn with the model of the new ones."""
    monkeypatch.setattr("trustscope.app.copies.PAUSE", 0)

    async def story():
        page = CategoriesDashboard()
        await page.finished()
        page.controls.generate.starts += 1
        while not 0 < page.controls.generate.fraction < 1:
            await asyncio.sleep(0)
        page.choose(page.scenario.data.replace({"name": "adult"}))
        await page.finished()
        assert not page.controls.generate.running
        assert page.info.startswith("Adult")
        return page.headline.said["title"]

    assert asyncio.run(story()) != "This could not be shown."
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def test_every_dataset_of_the_app_has_a_title():
    assert set(datasets.names()) <= set(TITLES)
