"""What every page does with its pictures, on one of them."""

import asyncio
import threading
from dataclasses import replace

from tests.messages import tell
from trustscope import datasets
from trustscope.app.own import OwnData
from trustscope.app.survey import SurveyDashboard
from trustscope.app.trust import TrustDashboard
from trustscope.scenarios.scenario import OWN
from trustscope.scenarios.survey.model import Progress
from trustscope.scenarios.survey.scenario import SurveyScenario
from trustscope.scenarios.trust.scenario import TrustScenario


def test_a_late_preview_never_covers_the_picture_of_all_rows():
    """A preview may take longer than the pass: on a busy machine the page once fell back from 3 593 people to 400."""
    shown, gate = [], threading.Event()

    class Slow(SurveyDashboard):
        def preview(self, model, scenario):
            made = super().preview(model, scenario)
            if scenario.view.arrived == 450:
                gate.wait(30)
            return made

        def draw_picture(self, picture):
            super().draw_picture(picture)
            if not isinstance(picture, Progress):  # said on the way, by a machine that is busy
                shown.append(picture.frame.arrived)

    async def main():
        page = Slow()
        await page.finished()
        assert shown[-1] == 200
        page.controls.change(page.scenario.replace({"view.arrived": 450}))  # a preview asks 400 people at most
        while shown[-1] != 450:
            await asyncio.sleep(0.005)
        gate.set()
        await page.finished()
        await asyncio.sleep(0.1)  # a preview that is thrown away leaves no trace that could be waited for
        assert shown[-1] == 450

    asyncio.run(main())


class Counting:
    """Counts what is computed; a class of its own, so that nothing is known of it when a test begins."""

    computed = 0

    def passes(self, model, scenario):
        type(self).computed += 1
        return super().passes(model, scenario)

    def preview(self, model, scenario):
        type(self).computed += 1
        return super().preview(model, scenario)


def test_what_was_opened_before_stands_at_once_and_equal():
    class Page(Counting, TrustDashboard):
        pass

    first, computed = Page(), Page.computed
    second = Page()
    assert Page.computed == computed > 0
    assert second.picture is first.picture
    assert (second.scenario, second.settled, second.info) == (first.scenario, first.settled, first.info)
    assert second.headline.said == first.headline.said
    assert (second.headline.working, second.loads) == (False, 1)
    second.controls.change(second.scenario.replace({"settings.scheme": "nested"}))  # and goes on as any other
    assert second.headline.said != first.headline.said
    assert Page.computed > computed
    other = Page(first.scenario.replace({"seed": first.scenario.seed + 1}))
    assert other.picture is not first.picture


def test_what_many_open_in_one_moment_is_computed_once():
    """A class is shown a step: data are fetched, and the picture of all rows is made, for the first student alone."""
    fetched, done = [], []

    class Page(TrustDashboard):
        def fetch(self, scenario):
            fetched.append(scenario)
            return super().fetch(scenario)

        def passes(self, model, scenario):
            yield from super().passes(model, scenario)
            done.append(scenario)

    async def main():
        students = [Page(TrustScenario(seed=41)) for _ in range(5)]
        await asyncio.gather(*(one.finished() for one in students))
        assert len(fetched) == 1
        assert len(done) == 1
        step = students[0].scenario.replace({"settings.scheme": "nested"})
        for one in students:
            one.open(step, common=True)
        await asyncio.gather(*(one.finished() for one in students))
        assert len(done) == 2
        assert all(one.picture is students[0].picture for one in students)
        assert all(one.settled == step and not one.headline.working for one in students)
        late = Page(TrustScenario(seed=41))
        await late.finished()
        late.open(step, common=True)
        assert late.picture is students[0].picture, "at once"
        assert len(done) == 2

    asyncio.run(main())


def test_whoever_waits_for_another_goes_on_when_that_one_leaves():
    class Page(TrustDashboard):
        pass

    async def main():
        first, second = Page(TrustScenario(seed=42)), Page(TrustScenario(seed=42))
        while not first.loads:
            await asyncio.sleep(0.001)
        first.stop()
        await second.finished()
        assert second.picture.complete
        assert not second.headline.working

    asyncio.run(main())


def test_who_draws_slowly_keeps_no_class_waiting(monkeypatch):
    """One student's browser takes nothing in any more: the others see the step, and so does whoever comes later."""

    class Page(TrustDashboard):
        pass

    async def main():
        slow, *others = (Page(TrustScenario(seed=43)) for _ in range(3))
        await asyncio.gather(*(one.finished() for one in (slow, *others)))
        stuck, drawing = asyncio.Event(), []

        async def never(change):
            drawing.append(change)
            await stuck.wait()

        monkeypatch.setattr(slow._passes, "show", never)
        step = slow.scenario.replace({"settings.scheme": "nested"})
        for one in (slow, *others):
            one.open(step, common=True)
        await asyncio.gather(*(one.finished() for one in others))
        assert all(one.picture.complete and not one.headline.working for one in others)
        late = Page(TrustScenario(seed=43))
        await late.finished()
        late.open(step, common=True)
        assert late.picture is others[0].picture, "at once"
        assert drawing
        assert slow.headline.working
        slow.stop()

    asyncio.run(main())


def test_while_a_slider_is_held_nothing_is_said_to_be_computed():
    """A drag ends the pass over all rows, and begins none: only when it is let go the page computes again."""
    gate = threading.Event()

    class Page(TrustDashboard):
        def passes(self, model, scenario):
            gate.wait(30)
            yield from super().passes(model, scenario)

    async def main():
        page = Page(TrustScenario(seed=44))
        while not page.loads:
            await asyncio.sleep(0.001)
        assert page.headline.working
        recipient = page.scenario.settings.recipients[0]
        move = {"kind": "trust", "id": recipient.number, "value": recipient.trust - 5}
        tell(page.controls.recipients, {**move, "done": False})
        assert not page.headline.working
        tell(page.controls.recipients, {**move, "done": True})
        assert page.headline.working
        gate.set()
        await page.finished()
        assert not page.headline.working

    asyncio.run(main())


def test_what_is_out_of_sight_is_not_drawn_while_somebody_drags(monkeypatch):
    """It is drawn when it comes into sight, and when the slider is let go."""

    async def main():
        page = TrustDashboard(TrustScenario().replace({"data.name": "iris", "view.closer": "everyone"}))
        await page.finished()
        view, drawn = page.view("everyone"), []
        monkeypatch.setattr(view, "show_picture", lambda picture, model: drawn.append(picture))

        async def move(value, done):
            number = page.scenario.settings.recipients[0].number
            tell(page.controls.recipients, {"kind": "trust", "id": number, "value": value, "done": done})
            await page.finished()
            return len(drawn)

        seen = await move(44, False)
        assert seen > 0
        tell(page.closer, {"in_view": False})
        assert await move(45, False) == seen
        assert page.picture.held is None  # nor is it computed
        tell(page.closer, {"in_view": True})
        await page.finished()
        assert len(drawn) == seen + 1
        assert drawn[-1].held is not None
        assert drawn[-1].scenario.settings.recipients[0].trust == 45
        tell(page.closer, {"in_view": False})
        assert await move(46, True) > seen + 1
        assert drawn[-1].scenario.settings.recipients[0].trust == 46

    asyncio.run(main())


def test_a_survey_does_not_draw_what_is_out_of_sight_either(monkeypatch):
    async def main():
        page = SurveyDashboard(SurveyScenario().replace({"view.closer": "own"}))
        await page.finished()
        view, drawn = page.view("own"), []
        monkeypatch.setattr(view, "show_picture", lambda picture, model: drawn.append(picture))

        async def move(value, done):
            tell(page.controls.mixer, {"row": 0, "kind": "level", "value": value, "done": done})
            await page.finished()
            return len(drawn)

        tell(page.closer, {"in_view": False})
        assert await move(2, False) == 0
        assert page.picture.own is None
        tell(page.closer, {"in_view": True})
        await page.finished()
        assert len(drawn) == 1
        assert drawn[0].own is not None
        tell(page.closer, {"in_view": False})
        assert await move(3, True) > 1

    asyncio.run(main())


def test_nothing_is_computed_with_the_model_of_other_data():
    """Other data are on their way, and meanwhile something is changed: it is drawn when they have arrived."""
    gate, used = threading.Event(), []

    class Page(TrustDashboard):
        def fetch(self, scenario):
            if scenario.data.name != "iris":
                gate.wait(30)
            return super().fetch(scenario)

        def preview(self, model, scenario):
            used.append((model.population.names, scenario.data.name))
            return super().preview(model, scenario)

    async def main():
        page = Page(TrustScenario().replace({"data.name": "iris"}))
        await page.finished()
        iris = used[-1][0]
        used.clear()
        page.controls.change(page.moved_to(page.scenario, page.scenario.data.replace({"name": "wine"})))
        page.controls.change(page.scenario.replace({"settings.scheme": "nested"}))
        gate.set()
        await page.finished()
        assert page.info.startswith("Wine")
        assert page.scenario.settings.scheme == page.picture.settings.scheme == "nested"
        assert used
        assert all(names != iris for names, _ in used)
        # Back while others are on their way: they are not wanted any more.
        gate.clear()
        wine = page.scenario
        page.controls.change(page.moved_to(wine, wine.data.replace({"name": "diabetes"})))
        page.open(wine)
        gate.set()
        await page.finished()
        await asyncio.sleep(0.3)  # data that are thrown away leave no trace that could be waited for
        assert page.info.startswith("Wine")

    asyncio.run(main())


def test_only_the_picture_of_what_was_opened_is_kept():
    """Whoever changes something before all of it stands leaves nothing wrong to the next."""

    class Page(Counting, TrustDashboard):
        pass

    async def main():
        page = Page()
        while not page.loads:
            await asyncio.sleep(0.005)
        page.controls.change(page.scenario.replace({"settings.scheme": "nested"}))
        await page.finished()
        return page

    asyncio.run(main())
    assert Page().picture.scenario.settings.scheme == "independent"


def test_nobody_else_sees_own_data_or_goes_on_with_somebodys_run():
    class Trust(Counting, TrustDashboard):
        pass

    class Survey(Counting, SurveyDashboard):
        pass

    own = OwnData(dataset=replace(datasets.load("iris"), name=OWN, title="mine"))
    mine = Trust(TrustScenario().replace({"data.name": OWN}), own=own)
    assert mine.picture is not None
    stranger = Trust(mine.scenario)
    assert stranger.data is None
    assert stranger.picture is None
    assert stranger.headline.said["title"] == "This page waits for your file."
    first, second = Survey(), Survey()
    assert second.picture.frame.arrived == first.picture.frame.arrived
    assert second.run is not None
    assert second.run is not first.run


def test_a_page_says_how_many_rows_it_uses():
    """Rows without a value that is used are left out; where none is, there is one number."""
    table = "a,b\n" + "".join(f"{i % 17},{'' if i < 20 else i % 13}\n" for i in range(100))
    own = OwnData(dataset=datasets.inspect(table.encode(), "t.csv").dataset(missing="keep"))
    page = TrustDashboard(TrustScenario().replace({"data.name": OWN}), own=own)
    assert page.info.endswith(", 80 of 100 rows")
    assert TrustDashboard(TrustScenario().replace({"data.name": "iris"})).info.endswith(", 150 rows")
