"""The Papers page without a browser: the gallery, and one experiment opened and run."""

import asyncio
import threading

import pytest

from tests.messages import deliver, tell
from trustscope.app.page import Frame
from trustscope.app.papers.dashboard import PapersDashboard
from trustscope.scenarios.link import query_of
from trustscope.scenarios.papers import stored
from trustscope.scenarios.papers.collection import Collection
from trustscope.scenarios.papers.registry import EXPERIMENTS
from trustscope.scenarios.papers.scenario import PapersScenario, preset
from trustscope.scenarios.papers.worker import ExperimentBroken, ExperimentJob
from trustscope.widgets.controls.download import as_csv


@pytest.fixture
def page():
    """The page at the whole gallery, with nothing run or set before."""
    return PapersDashboard()


def press(page, id):
    deliver(page.gallery, {"id": id, "n": page.gallery.ack + 1})


def leave(page):
    deliver(page.controls.back, {"n": page.controls.back.ack + 1})


def run(page):
    deliver(page.task, {"what": "start", "n": page.task.ack + 1})


def inputs(page):
    return page.controls.parameters.inputs


def result(page):
    return page.picture.run.result


def test_the_gallery_shows_all_and_filters(page):
    controls = page.controls
    assert page.gallery.shown == list(EXPERIMENTS)
    assert len(page.gallery.tiles) == len(EXPERIMENTS)
    assert "59 experiments of 5 papers" in page.info
    controls.paper.value, controls.kind.value = "xiao", "misprints"
    assert page.gallery.shown == ["xiao/eq7", "xiao/history", "xiao/appendix1"]
    assert "experiments come out" in page.headline.said["title"]
    assert page.settled.view == page.scenario.view.replace({"paper": "xiao", "kind": "misprints"})
    controls.verdict.value = "confirmed"
    assert page.gallery.shown == []
    assert page.instead.visible
    controls.paper.value = controls.kind.value = controls.verdict.value = "all"
    assert not page.instead.visible


def test_tiles_are_made_once_for_all_visitors(page):
    assert PapersDashboard().gallery.tiles is page.gallery.tiles


def test_an_experiment_opens_runs_and_closes(page):
    press(page, "li/subsets")
    assert page.info == page.scenario.experiment.title
    assert page.settled.view.opened == "li/subsets"
    assert page.body.visible
    assert "0.284" in page.detail.claims.pane.object
    assert "Corollary 1" in page.detail.claims_card.caption_pane.object
    inputs(page)["levels"].value = "0.2, 0.5, 0.9"  # a demonstration follows its controls
    assert result(page).values == {"levels": (0.2, 0.5, 0.9)}
    assert "levels=(0.2, 0.5, 0.9)" in page.detail.code.text
    assert page.task.text == "Done: corrected."
    leave(page)
    assert page.shelf.visible
    assert not page.body.visible
    assert page.settled == PapersScenario()
    press(page, "li/subsets")
    assert inputs(page)["levels"].value == "0.2, 0.5, 0.9"  # what was set is kept
    assert stored.result("li/subsets").values == {"levels": (0.25, 0.5, 0.6)}  # nobody else sees it


def test_undo_and_links_open_what_stood(page):
    press(page, "li/subsets")
    first = page.settled
    inputs(page)["levels"].value = "0.2, 0.5, 0.9"
    second = page.settled
    leave(page)
    page.open(second)
    assert result(page).values == {"levels": (0.2, 0.5, 0.9)}
    page.open(first)
    assert inputs(page)["levels"].value == "0.25, 0.5, 0.6"
    assert result(page).table.equals(stored.result("li/subsets").table)
    another = PapersDashboard(second)  # another visitor, who has run nothing: the demonstration runs for them
    assert result(another).values == {"levels": (0.2, 0.5, 0.9)}
    assert another.settled == second
    assert another.loads == 1


def test_opening_and_closing_are_steps_of_the_address():
    frame = Frame("page=papers")
    pushes = frame.address.pushes
    press(frame.dashboard, "li/example")
    assert frame.address.pushes == pushes + 1
    assert frame.address.query == query_of(frame.dashboard.settled)
    opened = frame.address.query
    frame.dashboard.controls.paper.value = "xiao"  # not a step
    assert frame.address.pushes == pushes + 1
    leave(frame.dashboard)
    assert frame.address.pushes == pushes + 2
    tell(frame.address, {"query": opened})  # Back
    assert frame.dashboard.scenario.view.opened == "li/example"
    tell(frame.address, {"query": "page=papers"})  # the address of the gallery names nothing, and means it
    assert frame.dashboard.scenario == PapersScenario()
    tell(frame.bar, {"kind": "undo"})
    assert frame.dashboard.scenario.view.opened == "li/example"
    tell(frame.bar, {"kind": "undo"})
    assert frame.dashboard.scenario.view.opened == ""
    assert Frame(opened).dashboard.picture.run.result.table.equals(stored.result("li/example").table)


def test_bad_settings_get_a_sentence_and_change_nothing(page):
    press(page, "li/subsets")
    before = page.settled
    inputs(page)["levels"].value = "0.2, lots"
    assert page.task.text == "Noise s of the copies must be a number, not ' lots'."
    run(page)
    assert not page.task.running
    assert page.task.text.startswith("Noise s of the copies")
    assert page.settled == before
    page.open(before)  # an undo: what was typed gives way
    assert inputs(page)["levels"].value == "0.25, 0.5, 0.6"
    assert page.task.text == ""


def test_figures_wait_for_run_and_presets_are_offered(page):
    press(page, "li/table3")
    before = result(page)
    assert page.controls.size.value == "quick"
    inputs(page)["rows"].value = 500
    assert page.controls.size.value is None  # neither size
    assert result(page) is before
    assert "press Run" in page.task.text
    run(page)
    assert result(page).table["rows"].eq(500).all()
    assert page.task.text.startswith("Done")
    page.controls.size.value = "paper"
    assert page.scenario.settings.values == (("rows", 100_000),)
    assert result(page).values == {"rows": 500}  # it may take hours: not before it is asked for
    assert "press Run" in page.task.text
    page.controls.size.value = "quick"
    assert result(page) is before


def test_the_gallery_keeps_to_what_is_stored(page):
    before = dict(page.headline.said)
    press(page, "giannella/assignments")
    inputs(page)["known"].value = "2, 3"
    assert result(page).values == {"known": (2, 3)}
    leave(page)
    assert page.headline.said == before


def test_of_what_nobody_expected_the_page_has_a_reference_and_the_log_the_place(monkeypatch, caplog):
    async def work():
        page = PapersDashboard(PapersScenario().opening("li/fig2"))
        await page.finished()

        def broken(job):
            raise ExperimentBroken('  File "/srv/trustscope/x.py", line 7\nKeyError')

        monkeypatch.setattr(ExperimentJob, "__call__", broken)
        run(page)
        while page.runner.job is not None:
            await asyncio.sleep(0.001)
        reference = page.task.text.rpartition(": ")[2].removesuffix(".")
        assert "/srv" not in page.task.text
        assert f"error {reference} in the experiment li/fig2" in caplog.text
        assert "x.py" in caplog.text
        page.stop()

    asyncio.run(work())


def test_a_run_is_not_ended_by_another_experiment(monkeypatch):
    async def work():
        page = PapersDashboard(PapersScenario().opening("li/fig2"))
        await page.finished()
        fails = threading.Event()

        def broken(job):
            fails.wait(60)
            raise RuntimeError("no memory")

        with monkeypatch.context() as patched:
            patched.setattr(ExperimentJob, "__call__", broken)
            run(page)
            running = page.runner.job
            assert running.id == "li/fig2"
            leave(page)
            await page.finished()
            press(page, "li/subsets")
            inputs(page)["levels"].value = "0.3, 0.5, 0.9"  # a demonstration would follow
            await page.finished()
            run(page)
            assert page.runner.job is running
            assert not running.stopped
            assert "li/fig2 is running" in page.task.text
            assert not page.task.running
            fails.set()
            while page.runner.job is not None:
                await asyncio.sleep(0.01)
        assert page.task.text == "li/fig2: no memory"  # not as if it were this one
        leave(page)
        await page.finished()
        press(page, "li/subsets")
        assert inputs(page)["levels"].value == "0.3, 0.5, 0.9"  # what was set is kept
        while page.task.text != "Done: corrected.":
            await asyncio.sleep(0.01)
        await page.finished()
        assert result(page).values == {"levels": (0.3, 0.5, 0.9)}  # and by now it could be run

    asyncio.run(work())


def test_a_run_that_waits_for_a_processor_can_be_stopped(monkeypatch):
    """Even where all threads that could run it are taken."""

    async def work():
        page = PapersDashboard(PapersScenario().opening("li/fig2"))
        while not page.loads:
            await asyncio.sleep(0.01)
        never = asyncio.get_running_loop().create_future()
        monkeypatch.setattr("trustscope.app.jobs.begin", lambda *arguments, **options: never)
        run(page)
        assert page.task.running
        deliver(page.task, {"what": "stop", "n": page.task.ack + 1})
        while page.runner.job is not None:
            await asyncio.sleep(0.01)
        return page.task

    task = asyncio.run(asyncio.wait_for(work(), 60))
    assert (task.text, task.running) == ("Stopped.", False)


def test_an_experiment_without_stored_results_has_an_empty_tile(monkeypatch):
    absent = EXPERIMENTS["li/example"]
    monkeypatch.setattr(stored, "missing", lambda: [absent])
    without = Collection()
    monkeypatch.setattr(PapersDashboard, "load", lambda self, data, scenario: without)
    monkeypatch.setattr(PapersDashboard, "model_key", lambda self, scenario: "without")
    page = PapersDashboard()
    tile = page.gallery.tiles[0]
    assert (tile["id"], tile["picture"], tile["verdict"]) == ("li/example", "", "– not run yet")
    press(page, "li/example")
    assert "run it" in page.headline.said["note"]
    assert not page.body.visible
    run(page)
    assert page.body.visible
    assert "0.4444" in page.detail.claims.pane.object


def test_the_table_can_be_saved(page):
    press(page, "li/example")
    assert as_csv(page.detail.taken_table.table()).splitlines()[0] == "\ufeffwho,independent,nested"


@pytest.mark.parametrize("id", EXPERIMENTS)
def test_every_control_is_set_as_easily_as_read(page, id):
    """Read, set, read: both sizes, and what a link brings along."""
    e = EXPERIMENTS[id]
    for values in (preset(e, paper_size=True), preset(e)):
        scenario = PapersScenario().opening(id, values, 7 if "key" in e.takes else 1)
        page.controls.restore(scenario)
        for field in page.controls.fields:
            assert page.controls.read(field) == scenario.at(field.path)
        typed = e.checked({name: control.value for name, control in inputs(page).items()})
        assert tuple(typed.items()) == values
    page.controls.restore(page.scenario)


def test_filters_are_set_as_easily_as_read(page):
    for paper, kind, verdict in (("li", "misprints", "differs"), ("all", "figures", "confirmed")):
        scenario = PapersScenario().replace({"view.paper": paper, "view.kind": kind, "view.verdict": verdict})
        page.controls.restore(scenario)
        assert {field.path: page.controls.read(field) for field in page.controls.fields} == {
            field.path: scenario.at(field.path) for field in page.controls.fields
        }
    page.controls.restore(page.scenario)
