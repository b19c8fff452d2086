"""What the pages of copies at many levels of trust have in common: Trust for numbers, Categories for values."""

import asyncio
from abc import abstractmethod
from collections.abc import Callable
from functools import partial
from typing import Any

import panel as pn

from trustscope.app.controls import Field
from trustscope.app.dashboard import Dashboard
from trustscope.app.target import Tracks
from trustscope.app.work import TaskSlot, compute
from trustscope.scenarios.release.scenario import carried_over
from trustscope.scenarios.scenario import OWN
from trustscope.scenarios.words import rows_used

WATCHED = 10  # steps in which one copy streams in when it is watched
PAUSE = 0.12  # seconds between two of them


class CopiesDashboard(Dashboard):
    """A page with recipients, one person, who joins, and copies that can be watched while they are made."""

    controls: Any  # with recipients, a target and copies to be watched

    @classmethod
    def opens_with(cls, dataset):
        return True

    # Layout

    def lay_out(self, person, joining, *solving: Callable):
        """Put the two pictures and the rest in their places; `solving` finds how far a handle may be dragged."""
        self.person, self.joining = person, joining
        self.closer = self.make_closer()
        pictures = self.make_pictures(self.person, self.joining)
        self.body = pn.Column(pictures, self.closer, sizing_mode="stretch_width", margin=0)
        self.main = pn.Column(self.desk.wizard.view, self.headline, self.body, sizing_mode="stretch_width", margin=0)
        self._copying = TaskSlot(self.fail)
        self.controls.add(Field("view.person", self.person.number, write=lambda number: number or 1))
        self.controls.add(Field("view.person_as", self.person.shown_as))
        self.follow_desk()
        self.controls.generate.param.watch(lambda event: self._watch(), "starts")
        self.controls.generate.param.watch(lambda event: self._skip(), "stops")
        self.controls.make_copies.param.watch(lambda event: self._make_copies(), "clicks")
        self.controls.target.attach(self)
        self._tracks = Tracks(self, self.controls.recipients, *solving)

    # Data

    def arrived(self):
        self.info = f"{self.data.title}, {rows_used(self.model.rows, self.data.rows)}"
        self.desk.load(self.data, self.scenario.data.name)
        self.person.load(self.model.rows)
        self.body.visible = True

    # Pictures

    def passes(self, model, scenario):
        return model.stream(scenario)

    @abstractmethod
    def count_copies(self, picture) -> str:
        """How many copies were made, in words."""

    @abstractmethod
    def verdict_of(self, picture) -> dict[str, Any]:
        """What the headline says of a picture."""

    def draw_picture(self, picture):
        fraction = picture.rows / picture.total
        self.controls.generate.put(fraction=fraction, running=False, text=self.count_copies(picture))
        if picture.total == self.model.rows and not picture.complete:
            return
        self.headline.say(**self.verdict_of(picture))
        self.person.show_picture(picture, self.model)
        self.joining.show_picture(picture, self.model)
        self.show_closer(picture)

    def say(self, title, text):
        self.controls.generate.put(running=False, text="", fraction=0.0)
        super().say(title, text)

    @abstractmethod
    def carried(self, settings) -> dict[str, Any]:
        """What the page where copies are made for real is told besides the recipients."""

    def _make_copies(self):
        """The same recipients on the page where copies are made for real."""
        settings, name = self.scenario.settings, self.scenario.data.name
        dataset = None if name == OWN else name
        told = self.carried(settings)
        self.wanted = ("release", carried_over(settings.recipients, scheme=settings.scheme, dataset=dataset, **told))
        self.wanted = None

    # Watching copies being made

    @abstractmethod
    def steps_of_copying(self, chunk: int) -> Any:
        """Steps of making the copies, so many rows at a time."""

    @abstractmethod
    def show_step(self, step, everyone: Any) -> None:
        """Show one of these steps, in the view of everyone where it is open."""

    def _watch(self):
        if not self.loaded:
            return
        self._passes.stop()
        if self.scenario.view.closer != "everyone":
            self.controls.change(self.scenario.replace({"view.closer": "everyone"}))
            self._passes.stop()  # copies are watched instead of what this has begun
        steps = self.steps_of_copying(max(1, -(-self.model.rows // WATCHED)))

        async def work():
            while (step := await compute(next, steps, None)) is not None:
                await self._copying.show(partial(self._show_copying, step))
                await asyncio.sleep(PAUSE)
            await self._copying.show(self._skip)

        self.controls.generate.running = True
        self._copying.start(work)

    def _show_copying(self, step):
        self.controls.generate.param.update(running=True, fraction=step.fraction, text=step.text)
        self.show_step(step, self._views.get("everyone"))

    def interrupted(self):
        self._copying.stop()  # its steps are of the data that stood there when it began
        self.controls.generate.running = False

    def _skip(self):
        self._copying.stop()
        self.controls.generate.running = False
        self._draw(settled=True)
