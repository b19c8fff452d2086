"""What every page does with its pictures, on one of them."""

import asyncio
import threading

from trustscope.app.survey import SurveyDashboard


def test_a_late_preview_never_covers_the_picture_of_all_rows():
    """A preview may take longer than the pass: on a busy machine the page once fell back from 3 593 people to 400."""
    shown, gate = [], threading.Event()

    class Slow(SurveyDashboard):
        def preview(self, model, scenario):
            made = super().preview(model, scenario)
            if scenario.view.arrived == 450:
                gate.wait(30)
            return made

        def _shown(self, picture):
            super()._shown(picture)
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
