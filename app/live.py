"""What every dashboard with recipients does: preview while dragging, all rows on release, copies to be watched."""

import asyncio
from functools import partial

import panel as pn
import param

from trustscope.app.background import Background, compute
from trustscope.widgets.verdict import Verdict

WATCHED = 10  # steps in which one copy streams in when it is watched
PAUSE = 0.12  # seconds between two of them


class LiveDashboard(pn.viewable.Viewer):
    """A dashboard over a model that gives pictures of settings.

    A subclass sets `desk`, `controls` (with `live`, `settled`, `seed` and the task `generate`), `person`, `model` (or
    None), `sidebar` and `main`, and has `settings`, `_load`, `_reseed`, `_show`, `_show_person`, `_show_copying` and
    `_generated`. The model has `rows`, `preview(settings)`, `stream(settings)` and `copying(settings, chunk)`.
    """

    info = param.String(default="", doc="What is loaded, for the bar.")

    def __init__(self, **params):
        super().__init__(**params)
        self.verdict = Verdict()
        self.model = self._picture = None
        self._background = Background(self._failed)
        self._skip = False

    def _wire(self):
        self.desk.param.watch(lambda e: self._load(), "changed")
        self.controls.param.watch(lambda e: self._live(), "live")
        self.controls.param.watch(lambda e: self._settle(), "settled")
        self.controls.param.watch(lambda e: self._reseed(), "seed")
        self.controls.generate.param.watch(lambda e: self._watch(), "starts")
        self.controls.generate.param.watch(lambda e: setattr(self, "_skip", True), "stops")
        self.person.param.watch(lambda e: self._show_person(), "number")

    def __panel__(self):
        side = pn.Column(self.sidebar, width=290, margin=(0, 14, 0, 0))
        return pn.Row(side, self.main, sizing_mode="stretch_width")

    def _live(self):
        """While something is dragged: a preview."""
        if self.model is None:
            return
        self._background.stop()
        self.controls.generate.running = False
        with pn.io.hold():
            self._show(self.model.preview(self.settings()))
            self._show_person()

    def _settle(self):
        """When it is let go: all rows, in chunks, beside the page."""
        if self.model is None:
            return
        steps = self.model.stream(self.settings())

        async def work():
            while (picture := await compute(next, steps, None)) is not None:
                await self._background.show(partial(self._progress, picture))

        self._background.start(work)

    def _progress(self, picture):
        fraction = picture.rows / picture.total
        self.controls.generate.param.update(fraction=fraction, running=False, text=self._generated(picture))
        if picture.rows == picture.total:
            self._show(picture)

    def _watch(self):
        """Copies being generated, one by one, rows streaming in."""
        if self.model is None:
            return
        self._skip = False
        steps = self.model.copying(self.settings(), max(1, -(-self.model.rows // WATCHED)))

        async def work():
            while not self._skip and (step := await compute(next, steps, None)) is not None:
                await self._background.show(partial(self._copying, step))
                await asyncio.sleep(PAUSE)
            await self._background.show(self._watched)

        self.controls.generate.running = True
        self._background.start(work)

    def _copying(self, step):
        self.controls.generate.param.update(running=True, fraction=step.fraction, text=step.text)
        self._show_copying(step)

    def _watched(self):
        self.controls.generate.running = False
        self._redraw()
        self._show_person()
        self._settle()

    def _redraw(self):
        if self.model is not None and self._picture is not None:
            with pn.io.hold():
                self._show(self._picture)

    def _failed(self, error):
        self.controls.generate.running = False
        text = f"{type(error).__name__}: {error}. Change a setting to try again."
        self.verdict.say("Something went wrong.", text, tone="leak")
