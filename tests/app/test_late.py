"""What arrives late on a page: nothing of what was given up, and nothing of one visitor's on the page of another."""

import asyncio
import json
import threading
from pathlib import Path

import numpy as np
import param
import pytest

from trustscope import schemes
from trustscope.app import dashboard as opened
from trustscope.app.categories import CategoriesDashboard
from trustscope.app.compared import Compared
from trustscope.app.learn import dashboard as learn
from trustscope.app.learn.player import Player
from trustscope.app.own import OwnData
from trustscope.app.page import Frame
from trustscope.app.papers.dashboard import PapersDashboard
from trustscope.app.survey import SurveyDashboard
from trustscope.app.trust import TrustDashboard, target, utility
from trustscope.app.work import TaskSlot
from trustscope.lessons import reader
from trustscope.scenarios import models
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.papers.registry import EXPERIMENTS
from trustscope.scenarios.papers.scenario import PapersScenario
from trustscope.scenarios.papers.worker import ExperimentJob
from trustscope.scenarios.source import dataset_of
from trustscope.scenarios.survey.scenario import SurveyScenario
from trustscope.scenarios.trust.scenario import TrustScenario

NESTED = Path(__file__).parents[2] / "lessons/files/02-nested-noise.json"
INCOMES = {"data.name": "census", "data.column": "Income"}


@pytest.fixture
def gate(monkeypatch):
    """What slow work waits for; open at the end, whatever happens. No data are here before: they would not be slow."""
    monkeypatch.setattr(models, "shared", Memo(24))
    found = threading.Event()
    yield found
    found.set()


def waits(kind, gate, when):
    """A page of this kind whose data come when the gate opens, where `when` holds of the scenario."""

    class Page(kind):
        def load(self, data, scenario):
            if when(scenario):
                gate.wait(60)
            return super().load(data, scenario)

    return Page


async def until(condition):
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.005)


def test_data_on_their_way_do_not_come_after_what_was_gone_back_to(gate):
    """What is known stands at once: the data of a change that was given up must not arrive in its place."""

    async def main():
        page = waits(TrustDashboard, gate, lambda s: s.data.columns == ("Age",))()
        await page.finished()
        first, picture = page.scenario, page.picture
        assert first.data.columns == ("Age", "Income")
        page.controls.change(first.replace({"data.columns": ("Age",)}))
        assert page._loads.busy
        page.open(TrustScenario())
        assert page.picture is picture, "at once"
        gate.set()
        await page.finished()
        await asyncio.sleep(0.1)  # data that are thrown away leave no trace that could be waited for
        assert page.scenario == first
        assert page.model.population.names == ("Age", "Income")

    asyncio.run(main())


def test_what_somebody_changed_while_data_came_stays_theirs(gate):
    """Who opens the same later sees what it opens with, and not what the first visitor has made of it meanwhile."""

    async def main():
        kind = waits(TrustDashboard, gate, lambda s: True)
        page = kind(TrustScenario(seed=45))
        held = page.scenario.settings.recipients
        mine = (held[0].replace({"name": "Aunt Emma"}), *held[1:])
        page.controls.change(page.scenario.replace({"settings.recipients": mine}))
        gate.set()
        await page.finished()
        assert page.scenario.settings.recipients == mine
        other = kind(TrustScenario(seed=45))
        await other.finished()
        assert other.scenario.settings.recipients == held

    asyncio.run(main())


def test_a_control_that_is_held_while_data_come_gets_data_of_its_own(gate):
    """Ten classes of income were on their way when the slider was dragged to seven: the model of ten is not theirs."""

    async def main():
        page = waits(CategoriesDashboard, gate, lambda s: not gate.is_set())(
            CategoriesScenario().replace(INCOMES | {"data.bins": 10})
        )
        await asyncio.sleep(0.05)
        page.controls.bins.value = 7
        gate.set()
        await page.finished()
        assert page.picture is None
        with param.edit_constant(page.controls.bins):
            page.controls.bins.value_throttled = 7
        await page.finished()
        assert (page.scenario.data.bins, page.settled.data.bins, page.model.size) == (7, 7, 7)
        assert page.picture.complete

    asyncio.run(main())


def test_a_preview_does_not_cover_what_others_have_opened_before(gate):
    """The model has been forgotten and is made anew, the picture has not: it is there before the preview."""

    class Page(TrustDashboard):
        def preview(self, model, scenario):
            if waiting:
                gate.wait(60)
            return super().preview(model, scenario)

    async def main():
        first = Page()
        await first.finished()
        models.shared._kept.clear()
        waiting.append(1)
        second = Page()
        await until(lambda: second.picture is not None)
        assert second.picture is first.picture
        gate.set()
        await second.finished()
        await asyncio.sleep(0.1)  # a preview that is thrown away leaves no trace that could be waited for
        assert second.picture is first.picture

    waiting = []
    asyncio.run(main())


def test_a_picture_of_other_data_is_not_drawn_with_new_ones(gate):
    """Watching copies, or asking for them, while other data come: nothing of the old ones goes on."""

    async def main():
        page = waits(TrustDashboard, gate, lambda s: s.data.name == "iris")()
        await page.finished()
        page.controls.generate.starts += 1
        await until(lambda: page.controls.generate.running)
        page.desk.select.value = "iris"
        assert not page.controls.generate.running
        page.controls.generate.starts += 1
        assert not page.controls.generate.running
        page._skip()
        assert page.headline.stale
        gate.set()
        await page.finished()
        assert page.picture.scenario.data.name == "iris"
        assert not page.headline.stale

    asyncio.run(main())


def test_undo_waits_for_data(gate):
    """What stands while data come is no step of the history."""

    async def main():
        frame = Frame("page=trust")
        page = frame.dashboard
        await page.finished()
        page.controls.change(page.scenario.replace({"settings.scheme": "nested"}))
        await page.finished()
        page.desk.select.value = "wine"
        page.controls.change(page.scenario.replace({"view.closer": "everyone"}))  # while they come
        await page.finished()
        seen = []
        for which in ("undo", "undo", "undo", "redo", "redo"):
            frame._step(which)
            await page.finished()
            seen.append((page.scenario.data.name, page.scenario.settings.scheme))
        first, second, third = ("census", "independent"), ("census", "nested"), ("wine", "nested")
        assert seen == [second, first, first, second, third]
        for one in frame.dashboards.values():
            one.stop()

    asyncio.run(main())


def test_a_survey_that_plays_stops_for_what_is_opened():
    runs = []

    class Page(SurveyDashboard):
        def draw_picture(self, picture):
            super().draw_picture(picture)
            if getattr(picture, "run", None) is not None:
                runs.append((self.scenario.settings.update_every, picture.run.settings.update_every))

    async def main():
        page = Page()
        await page.finished()
        first = page.scenario
        page.controls.change(first.replace({"settings.update_every": 50}))
        await page.finished()
        page.playing = True
        page._play_or_pause()
        seen = len(runs)
        await until(lambda: len(runs) > seen + 1)
        page.open(first)
        seen = len(runs)
        await until(lambda: len(runs) > seen + 1)
        page.stop()
        assert all(wanted == drawn for wanted, drawn in runs[seen:])

    asyncio.run(main())


def test_what_is_kept_for_others_is_what_was_asked_for(gate):
    """A survey that is played while its last step comes goes on for its own visitor alone."""

    class Page(SurveyDashboard):
        def passes(self, model, scenario):
            yield from super().passes(model, scenario)
            gate.wait(60)

    async def main():
        page = Page(SurveyScenario(seed=98))
        await until(lambda: page.run is not None)
        asked = page.scenario.view.arrived
        page.playing = True
        page._play_or_pause()
        await until(lambda: page.picture.frame.arrived > asked)
        gate.set()
        await until(lambda: not page._passes.busy)
        page.stop()
        kept = [one.picture for (kind, *_), one in opened._openings._kept.items() if kind is Page]
        assert [picture.frame.arrived for picture in kept] == [asked]

    asyncio.run(main())


@pytest.fixture
def experiment():
    """One with settings of its own, and a job that was run with another key."""
    id = next(e.id for e in EXPERIMENTS.values() if e.misprint is None and e.parameters)
    return id, lambda page: ExperimentJob(id, dict(page.scenario.settings.values), 777)


def test_somebodys_own_run_is_shown_to_nobody_else(gate, experiment):
    id, job = experiment

    class Page(PapersDashboard):
        def passes(self, model, scenario):
            yield from super().passes(model, scenario)
            gate.wait(60)

    async def main():
        asked = PapersScenario().replace({"view.opened": id, "seed": 5})
        page = Page(asked)
        await until(lambda: page.picture is not None)
        page._finished(job(page), page.model.results[id].table.copy())
        gate.set()
        await page.finished()
        assert page.picture.run.key == 777
        other = Page(asked)
        await other.finished()
        assert other.picture.run.key != 777

    asyncio.run(main())


def test_one_can_go_back_from_an_own_run_to_the_stored_one(experiment):
    id, job = experiment
    page = PapersDashboard(PapersScenario().replace({"view.opened": id, "seed": 777}))
    page._finished(job(page), page.model.results[id].table.copy())
    assert (page.picture.run.key, page.picture.exact) == (777, True)
    page.controls.change(page.scenario.replace({"seed": 1}))
    assert (page.picture.run.key, page.picture.exact) == (1, True)


def test_a_scheme_that_is_registered_anew_is_drawn_anew():
    def shown():
        return TrustDashboard(TrustScenario().replace({"settings.scheme": "mine"})).headline.said["after"]

    register = schemes.scheme(title="Mine", words="Mine.", name="mine")
    try:
        register(lambda levels: np.minimum.outer(levels, levels))
        nested = shown()
        register(np.diag)
        assert shown() != nested
    finally:
        schemes.unregister("mine")


def test_a_load_that_failed_once_is_tried_again():
    tries = []

    class Page(TrustDashboard):
        def load(self, data, scenario):
            if scenario.seed == 77:
                tries.append(scenario)
                if len(tries) == 1:
                    raise MemoryError
            return super().load(data, scenario)

    page = Page()
    page.controls.change(page.scenario.replace({"seed": 77}))
    assert page.headline.said["title"] == "This could not be shown."
    page.controls.change(page.scenario.replace({"settings.scheme": "nested"}))
    assert len(tries) == 2
    assert "gain nothing" in page.headline.said["title"]


def test_a_step_of_a_lesson_is_judged_by_its_own_data(gate, monkeypatch):
    """Nested noise was chosen in the step before; the step with other data asks for it, and nobody has done it yet."""
    monkeypatch.setattr(TrustDashboard, "load", waits(TrustDashboard, gate, lambda s: s.seed == 4711).load)
    draft = json.loads(NESTED.read_text(encoding="utf-8"))
    look, todo = (next(s for s in draft["steps"] if s["kind"] == kind) for kind in ("look", "try"))
    nested, other = {"settings": {"scheme": "nested"}}, {"seed": 4711, "settings": {"scheme": "independent"}}
    steps = [
        look | {"text": "See.", "scenario": nested, "cards": ["headline", "person"]},
        todo | {"scenario": other, "goal": 'settings.scheme == "nested"', "example": nested},
    ]
    lesson = reader.read_text(json.dumps(draft | {"id": "mine", "scenario": {}, "steps": steps}), "mine")

    async def main():
        player = Player(lesson)
        await player.dashboard.finished()
        player.step = 2
        await asyncio.sleep(0.3)
        assert player.dashboard._loads.busy
        gate.set()
        await player.dashboard.finished()
        await until(lambda: not player._judging.busy)
        assert (player.done, player.reached) == (False, [])
        player.stop()

    asyncio.run(main())


def test_a_lesson_that_was_read_late_takes_nobody_away(gate, monkeypatch):
    """It stands on the shelf; and of two that are opened one after the other both are read."""
    read = learn.read_own
    monkeypatch.setattr(learn, "read_own", lambda text, name: gate.wait(60) and read(text, name))
    shelf = reader.shelf()
    draft = json.loads(NESTED.read_text(encoding="utf-8"))

    async def main():
        page = learn.LearnDashboard()
        await page.finished()
        for name in ("mine", "mine-too"):
            page._opened(f"{name}.json", json.dumps(draft | {"id": name}))
        page._opened("bad.json", "{}")
        page._to(shelf[0].id, 3)
        gate.set()
        await until(lambda: not page._reading.busy)
        assert (page.scenario.view.lesson, page.scenario.view.step) == (shelf[0].id, 3)
        assert list(page.library.own) == ["mine", "mine-too"]
        page.stop()

    asyncio.run(main())


def test_a_comparison_that_is_not_asked_for_any_more_does_not_arrive(gate):
    told = []
    compared = Compared(OwnData(), told.append)
    compared._figures = lambda scenario: gate.wait(60)
    one = TrustScenario()

    async def main():
        compared.start({"A": one, "now": one.replace({"settings.scheme": "nested"})})
        await asyncio.sleep(0.05)
        compared.start({"now": one})
        gate.set()
        await asyncio.sleep(0.1)  # what is thrown away leaves no trace that could be waited for
        assert told[-1] == {"columns": ["", "now"], "rows": [], "note": ""}

    asyncio.run(main())


def test_a_page_that_could_not_be_made_is_made_when_it_is_asked_for_again(monkeypatch):
    frame = Frame("page=trust")
    made, tries = frame._made, []

    def once_broken(name, scenario):
        tries.append(name)
        if len(tries) == 1:
            raise MemoryError
        return made(name, scenario)

    def build(make, show, drop):  # as where somebody is served, whom `fail` tells

        async def work():
            show(make())

        frame.opening.start(work)

    monkeypatch.setattr(frame, "_made", once_broken)
    monkeypatch.setattr(frame.opening, "build", build)
    for title in ("Rotation", "Trust", "Rotation"):
        frame.bar.page = title
    assert list(frame.mains["rotation"]) == [frame.dashboards["rotation"].main]
    for one in frame.dashboards.values():
        one.stop()


def test_usefulness_that_was_measured_too_late_says_so(gate, monkeypatch):
    measured = utility.accuracies
    monkeypatch.setattr(utility, "accuracies", lambda *a, **k: gate.wait(60) and measured(*a, **k))

    async def main():
        page = TrustDashboard(TrustScenario().replace({"data.name": "iris", "view.closer": "usefulness"}))
        await page.finished()
        view = page._views["usefulness"]
        view.task.starts += 1
        await until(lambda: view.task.running)
        lower = tuple(one.replace({"trust": 5}) for one in page.scenario.settings.recipients)
        page.controls.change(page.scenario.replace({"settings.recipients": lower}))
        await page.finished()
        gate.set()
        await until(lambda: not view._job.running)
        assert view.task.text == "The copies have changed since."
        page.stop()

    asyncio.run(main())


def test_the_newest_request_is_shown_although_an_older_one_failed(gate):
    said = []

    def older():
        gate.wait(60)
        raise ValueError("older")

    async def main():
        slot = TaskSlot(lambda error: said.append(str(error)))
        slot.latest(older, said.append)
        await asyncio.sleep(0.02)
        slot.latest(lambda: "newest", said.append)
        gate.set()
        await slot.finished()

    asyncio.run(main())
    assert said == ["newest"]


def test_a_target_is_solved_with_the_data_of_which_it_was_asked(gate, monkeypatch):
    """Other data may come while the thread that solves it still waits."""
    solved = []
    found = target.labels_of
    monkeypatch.setattr(target, "labels_of", lambda data, model: solved.append(data.name) or found(data, model))
    monkeypatch.setattr(target, "before_the_noise", lambda data, scenario: solved.append(data.name) or ())

    async def main():
        page = TrustDashboard(TrustScenario().replace({"data.name": "iris"}))
        await page.finished()
        purpose, scenario = target.TrustPurpose(), page.scenario
        purpose.load(page.data)
        solver = purpose.solver(page.model, scenario)
        purpose.load(dataset_of(TrustScenario()))
        await asyncio.to_thread(solver)
        page.stop()

    asyncio.run(main())
    assert solved == ["iris", "iris"]
