"""The Papers page without a browser: the gallery, and one experiment opened and run."""

import pytest

from trustscope.app.papers.dashboard import PapersDashboard
from trustscope.scenarios.papers import stored
from trustscope.scenarios.papers.registry import EXPERIMENTS
from trustscope.scenarios.papers.worker import ExperimentJob


@pytest.fixture(scope="module")
def page():
    return PapersDashboard()


def opened(page, id):
    page.gallery._handle_msg({"id": id, "n": page.gallery.ack + 1})


def test_the_gallery_shows_all_and_filters(page):
    assert page.gallery.shown == list(EXPERIMENTS)
    page.paper.value, page.kind.value = "xiao", "misprints"
    assert page.gallery.shown == ["xiao/eq7", "xiao/history", "xiao/appendix1"]
    assert "0 of 3" in page.verdict._pane.object
    page.of_verdict.value = "confirmed"
    assert page.gallery.shown == []
    assert page._none.visible
    page.paper.value = page.kind.value = page.of_verdict.value = "all"
    assert not page._none.visible


def test_an_experiment_opens_runs_and_closes(page):
    opened(page, "li/subsets")
    assert page.info == "li/subsets"
    assert "0.284" in page.detail.claims._pane.object
    assert "Corollary 1" in page.detail._claims_card._head.object
    page.controls._inputs["levels"].value = "0.2, 0.5, 0.9"  # a demonstration follows its controls
    assert page.result("li/subsets")[0].values == {"levels": (0.2, 0.5, 0.9)}
    assert "levels=(0.2, 0.5, 0.9)" in page.detail.code.text
    assert page.controls.task.text == "Done: corrected."
    page.controls.back._handle_msg({"n": 1})
    assert page.gallery.visible
    assert "experiments" in page.info
    opened(page, "li/subsets")
    assert page.controls._inputs["levels"].value == "0.2, 0.5, 0.9"
    assert stored.result("li/subsets").values == {"levels": (0.25, 0.5, 0.6)}  # nobody else sees it


def test_bad_settings_get_a_sentence(page):
    opened(page, "li/subsets")
    page.controls._inputs["levels"].value = "0.2, lots"
    assert page.controls.task.text == "Noise s of the copies must be a number, not ' lots'."
    assert not page.controls.task.running


def test_figures_wait_for_run_and_presets_are_offered(page):
    opened(page, "li/table3")
    before, _ = page.result("li/table3")
    assert page.controls.preset.value == "quick"
    page.controls._inputs["rows"].value = 500
    assert page.controls.preset.value is None  # neither size
    assert page.result("li/table3")[0] is before
    assert "press Run" in page.controls.task.text
    page.controls.task._handle_msg({"what": "start", "n": 1})
    assert page.result("li/table3")[0].table["rows"].eq(500).all()
    page.controls.preset.value = "paper"
    assert page.controls.values() == {"rows": 100_000}
    assert page.result("li/table3")[0].values == {"rows": 500}


def test_the_gallery_keeps_to_what_is_stored(page):
    page.close()
    before = page.verdict._pane.object
    opened(page, "giannella/assignments")
    page.controls._inputs["known"].value = "2, 3"
    assert page.result("giannella/assignments")[0].values == {"known": (2, 3)}
    page.close()
    assert page.verdict._pane.object == before
    assert page.results["giannella/assignments"].values == EXPERIMENTS["giannella/assignments"].preset()


def test_a_run_is_not_ended_by_another_experiment(page):
    running = ExperimentJob("li/fig2", EXPERIMENTS["li/fig2"].preset(), 1)
    page._run = running
    try:
        opened(page, "li/subsets")
        page.controls._inputs["levels"].value = "0.3, 0.5, 0.9"  # a demonstration would follow
        page.controls.task._handle_msg({"what": "start", "n": page.controls.task.ack + 1})
        assert page._run is running
        assert not running.stopped
        assert "li/fig2 is running" in page.controls.task.text
        assert not page.controls.task.running
        page._failed(running, RuntimeError("no memory"))
        assert page.controls.task.text == "li/fig2: no memory"  # not as if it were this one
    finally:
        page._run = None
    page.close()
    opened(page, "li/subsets")
    assert page.controls._inputs["levels"].value == "0.3, 0.5, 0.9"  # what was set is kept


def test_an_experiment_without_stored_results_has_an_empty_tile(monkeypatch):
    absent = EXPERIMENTS["li/example"]
    monkeypatch.setattr(stored, "missing", lambda: [absent])
    page = PapersDashboard()
    tile = page.gallery.tiles[0]
    assert (tile["id"], tile["picture"], tile["verdict"]) == ("li/example", "", "– not run yet")
    opened(page, "li/example")
    assert "run it" in page.verdict._pane.object
    assert not page.detail._layout.visible
    page.controls.task._handle_msg({"what": "start", "n": 1})
    assert page.detail._layout.visible
    assert "0.4444" in page.detail.claims._pane.object


def test_the_table_can_be_saved(page):
    opened(page, "li/example")
    assert page.detail._csv().read().decode().splitlines()[0] == "who,independent,nested"


@pytest.mark.parametrize("id", ["li/fig2", "xiao/examples", "zhang/fig3"])
def test_every_kind_of_control_opens(page, id):
    opened(page, id)
    assert page.controls.values() == EXPERIMENTS[id].preset()
