"""What every page does with its pictures, on one of them."""

import asyncio
import threading
from dataclasses import replace

from trustscope import datasets
from trustscope.app.own import OwnData
from trustscope.app.survey import SurveyDashboard
from trustscope.app.trust import TrustDashboard
from trustscope.scenarios.scenario import OWN
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

        def show(self, picture):
            super().show(picture)
            shown.append(picture.frame.arrived)

    async def main():
        page = Slow()
        await page.finished()
        assert shown[-1] == 200
        page.controls.change(page.scenario.having({"view.arrived": 450}))  # a preview asks 400 people at most
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
    second.controls.change(second.scenario.having({"settings.scheme": "nested"}))  # and goes on as any other
    assert second.headline.said != first.headline.said
    assert Page.computed > computed
    other = Page(first.scenario.having({"seed": first.scenario.seed + 1}))
    assert other.picture is not first.picture


def test_only_the_picture_of_what_was_opened_is_kept():
    """Whoever changes something before all of it stands leaves nothing wrong to the next."""

    class Page(Counting, TrustDashboard):
        pass

    async def main():
        page = Page()
        while not page.loads:
            await asyncio.sleep(0.005)
        page.controls.change(page.scenario.having({"settings.scheme": "nested"}))
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
    mine = Trust(TrustScenario().having({"data.name": OWN}), own=own)
    assert mine.picture is not None
    stranger = Trust(mine.scenario)
    assert stranger.data is None
    assert stranger.picture is None
    first, second = Survey(), Survey()
    assert second.picture.frame.arrived == first.picture.frame.arrived
    assert second.run is not None
    assert second.run is not first.run
