"""What every page does: hold a scenario, make a picture of it beside the loop, and draw that.

The way of a change is the same everywhere: a control is moved, a new scenario stands, the model makes a picture of it,
words and views are drawn from the picture. Opening a link, undoing, a step of a lesson are the same act: `open`.
"""

import asyncio
import time
from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterator
from contextlib import aclosing
from functools import partial
from typing import Any, ClassVar, NamedTuple

import panel as pn
import param
from bokeh.model import Model
from bokeh.models.ui import UIElement
from panel.io import resources
from panel.io.notebook import patch_inline_stylesheets

from trustscope.app.controls import Controls
from trustscope.app.own import OwnData, brought
from trustscope.app.parts import EVERYTHING, Shown
from trustscope.app.problem import Unusable, explain_error
from trustscope.app.serving import metrics
from trustscope.app.sharing import shared_steps, single_flight
from trustscope.app.showing import Showing
from trustscope.app.work import TaskSlot, compute
from trustscope.datasets import Dataset
from trustscope.scenarios import models, pages
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.scenario import OWN, Scenario
from trustscope.scenarios.whole import Loaded

SIDE = 320  # pixels of the controls where a dashboard stands alone, in a notebook
# Models of built-in data are equal for all visitors (`scenarios.models`). So are the pictures with which pages and
# steps of lessons open: whoever comes later sees at once what was computed for the first, and whoever comes meanwhile
# waits for it (`sharing.py`): sixty students are shown the same step at the same moment.
_openings = Memo(48)


class Opening(NamedTuple):
    """The scenario that fits built-in data, and the picture of all of it; the model is among those that are shared."""

    scenario: Scenario
    picture: Any
    binding: str


class Dashboard(Showing):
    """One page.

    A subclass says how data become a model (`load`, in a thread), a model and a scenario a picture (`preview` while
    something is dragged, `passes` when it is let go, both in threads), and how a picture is drawn (`draw_picture`, on
    the page). It sets `main` and `body` in `build`.

    Parameters
    ----------
    scenario : what to open; by default what the page opens with. Or data: a table, a path, a dataset
    own : the visitor's own data
    shown : which parts of the page may be seen
    dataset : the name of a built-in dataset to open the page with, where it can (`opens_with`)
    """

    page: ClassVar[str] = ""
    kind: ClassVar[Any] = Scenario
    shares: ClassVar[bool] = True  # whether visitors share the models of built-in data
    resumes: ClassVar[bool] = False  # whether visitors go on from what was computed: then each has it computed anew

    main: Any
    body: Any  # what is hidden where there is no picture to show
    desk: Any  # where data can be chosen

    settled: Any = param.ClassSelector(
        class_=Scenario, doc="The same when the last change was let go: links follow it."
    )
    loads = param.Integer(default=0, doc="Counts the times that data have arrived, and stand on the page.")
    wanted = param.Tuple(
        default=None, length=2, allow_None=True, doc="Another page to turn to: its name, and what to change there."
    )

    def __init__(
        self, scenario: Scenario | Any = None, own: OwnData | None = None, shown: Shown = EVERYTHING,
        dataset: str | None = None, **params,
    ):  # fmt: skip
        super().__init__(shown, **params)
        if scenario is None and dataset is not None and self.opens_with(dataset):
            scenario = self.kind().replace({"data.name": dataset})
        if scenario is not None and not isinstance(scenario, Scenario):
            scenario, own = brought(self.kind, scenario)
        self.own = own or OwnData()
        self.binding = ""  # what `bound` said of the picture
        self.data: Any = None  # the dataset, when it is here
        self._loaded: Hashable = None  # what the model is of
        self._loading: Hashable = None  # what was asked for last, and has not arrived
        self._opening: tuple[Hashable, Scenario] | None = None  # the picture to be kept for others, when it is complete
        # What the last pass has come to: a picture, and what `bound` says.
        self._completed: tuple[Any, str] | None = None
        self._previews, self._loads = TaskSlot(self.fail, early=True), TaskSlot(self.fail, early=True)
        self._passes = TaskSlot(self.fail)
        self.scenario = self.settled = self.scenario_to_open(scenario)
        self.controls: Any = self.make_controls(self.scenario)  # each page has its own kind
        self.controls.picture_comes = lambda: self._previews.busy
        if shown.limited:
            self.controls.limit(shown)
        self.sidebar: Any = pn.Column(self.controls, sizing_mode="stretch_width", margin=0)
        self.build()
        self.controls.param.watch(lambda event: self._moved(), "moved")
        self.controls.param.watch(lambda event: self._let_go(), "settled")
        self.open(self.scenario)

    # What a page is made of

    @classmethod
    def opens_with(cls, dataset: str) -> bool:
        """Whether a built-in dataset can be opened here."""
        return False

    @classmethod
    def scenario_to_open(cls, scenario: Scenario | None) -> Scenario:
        """The scenario to open: the one given, or what the page opens with."""
        return scenario or cls.kind()

    @abstractmethod
    def make_controls(self, scenario: Scenario) -> Controls:
        """The controls."""

    @abstractmethod
    def build(self) -> None:
        """Make `main` and `body`; nothing is computed here."""

    def fetch(self, scenario: Scenario) -> Dataset:
        """The data that a scenario names; called in a thread."""
        return self.desk.fetch(scenario)

    def load(self, data: Dataset, scenario: Scenario) -> Any:
        """A model of these data; called in a thread. Raises `Unusable` where nothing can be made of them."""
        return pages.loading_of(self.page).load(data, scenario)

    def fit_to_data(self, scenario: Scenario, model: Any) -> Scenario:
        """The scenario that fits the data: attributes that are there, numbers in range; called in a thread."""
        return model.fit_to_data(scenario)

    def preview(self, model: Any, scenario: Scenario) -> Any:
        """A picture at slider rate; called in a thread. None where nothing can be had at once."""
        return model.preview(scenario)

    def while_held(self, scenario: Scenario) -> Scenario:
        """The scenario of which a preview is made while a control is held: without the view under "Look closer" where
        that is out of sight. Nothing is computed or drawn for it until it is seen, or the control is let go."""
        closer = getattr(self, "closer", None)
        if closer is None or closer.in_view:
            return scenario
        return scenario.replace({"view.closer": ""}, checked=False)

    def came_into_view(self) -> None:
        """The picture of somebody who drags lacks what the view shows."""
        if self.picture is not None and self.picture.scenario.view.closer != self.scenario.view.closer:
            self._preview()

    def passes(self, model: Any, scenario: Scenario) -> Iterator[Any]:
        """Pictures of ever more, the last one of everything; each step is computed in a thread."""
        return model.passes(scenario)

    def bound(self, model: Any, scenario: Scenario, picture: Any) -> str:
        """A sentence on the requirement that binds; called in a thread. Empty where nothing is required."""
        return ""

    def model_key(self, scenario: Scenario) -> Hashable:
        """What a model depends on: where it changes, the data are loaded anew."""
        return scenario.model_key

    def place(self, scenario: Scenario) -> str:
        """Where on the page one is: going to another place is a step that the browser's Back takes back."""
        return ""

    @property
    def presented(self) -> "Dashboard":
        """The dashboard whose pictures are looked at: a lesson has one inside."""
        return self

    def steps(self) -> list[tuple[str, Scenario]]:
        """What the page itself has to walk through while presenting, with titles; most pages have nothing."""
        return []

    def speaker_notes(self) -> list[str]:
        """What whoever presents may want to say, for their eyes alone: the verdict, and what it follows from."""
        said = self.presented.headline.said
        return [text for text in (said.get(name, "") for name in ("title", "note", "why")) if text]

    def say(self, title: str, text: str) -> None:
        """Show a headline and a sentence instead of a picture."""
        self.headline.say(title, note=text)

    def cleared(self) -> None:
        """There is no picture to show any more: hide the views."""
        self.body.visible = False

    def interrupted(self) -> None:
        """Another scenario or other data are asked for: end what plays on the page by itself."""

    # Other scenarios

    def twin(self, scenario: Scenario) -> "Dashboard":
        """Another dashboard of this page for the same visitor, which is never put on the page."""
        return type(self)(scenario, own=self.own, shown=self.shown)

    def alongside(self, kept: Scenario) -> Scenario | None:
        """A kept scenario, looked at in the way in which this page is looked at; None where that makes no sense."""
        return kept.replace({"view": self.scenario.view})

    def fit_if_loaded(self, scenario: Scenario) -> Scenario:
        """The scenario as it fits the data that are loaded; as it is where they are on their way."""
        return self.fit_to_data(scenario, self.model) if self._there(scenario) else scenario

    # The way of a change

    def open(self, scenario: Scenario, *, common: bool = False) -> None:
        """Here is another scenario: set every control, draw once.

        `common` says that others open the same, as they do in a class: it is then computed once for all of them.
        """
        self.interrupted()
        self._end_previews()
        self._passes.stop()
        self.controls.restore(scenario)
        self.scenario = scenario
        if not self._there(scenario):
            self._load(scenario)
            return
        self._end_loading()
        if common and (known := _openings.get(self._opening_key(scenario))) is not None:
            self._show_known(known)
        else:
            key = self._opening_key(scenario) if common else None
            self._opening = None if key is None else (key, scenario)
            self._draw(settled=True)

    def _there(self, scenario: Scenario) -> bool:
        """Whether the model is the one of this scenario."""
        return self.model is not None and self.model_key(scenario) == self._loaded

    @property
    def loaded(self) -> bool:
        """Whether the data that the scenario asks for are here, and not on their way."""
        return self._there(self.scenario)

    def _end_loading(self) -> None:
        """Other data that were on their way are not wanted any more."""
        self._loads.stop()
        self._loading = None

    def _moved(self) -> None:
        self.scenario = self.controls.scenario
        if self._there(self.scenario):
            self._passes.stop()
            self._working(self._loads.busy)  # nothing is computed but what follows the hand
            self._preview(since=time.perf_counter())

    def _end_previews(self) -> None:
        """No preview is to be drawn any more; controls that waited for one wait no longer."""
        self._previews.stop()
        self.controls.catch_up()

    def _let_go(self) -> None:
        self.controls.catch_up()
        if self._there(self.scenario):
            self._end_loading()
            self.settled = self.scenario
            self._pass()
        elif self._loads.busy and self.model_key(self.scenario) == self._loading:
            self.settled = self.scenario  # it is drawn when the data have arrived
        else:
            self._load(self.scenario)

    def _draw(self, settled: bool) -> None:
        if not self.loaded:  # all is drawn when the data arrive
            return
        self._preview()
        if settled:
            self.settled = self.scenario
            self._pass()

    def _preview(self, since: float | None = None) -> None:
        """Draw a preview; `since` is when a control was moved, for the server's figures."""
        if not self.loaded:
            return
        model, scenario = self.model, self.scenario if since is None else self.while_held(self.scenario)

        def made():
            return self._bound(model, scenario, self.preview(model, scenario))

        def drawn(made):
            picture, self.binding = made
            self.headline.stale |= picture is None
            self._shown(picture)
            if since is not None and picture is not None:
                metrics.step(self.page, time.perf_counter() - since)

        self._previews.latest(made, drawn, self.controls.catch_up, soon=since is not None)

    def _bound(self, model: Any, scenario: Scenario, picture: Any) -> tuple[Any, str]:
        """A picture, and what is said of the requirement that binds; in a thread."""
        if picture is None or not getattr(scenario.settings, "requirements", ()):
            return picture, ""
        return picture, self.bound(model, scenario, picture)

    def _pass(self) -> None:
        if not self.loaded:
            return
        model, scenario = self.model, self.scenario

        def steps():
            return (self._bound(model, scenario, one) for one in self.passes(model, scenario))

        def passed(made):
            self._completed = made
            picture, self.binding = made
            self._passed(picture)

        self._completed = None
        # Whoever goes on from what was computed has to have it computed anew.
        opening = None if self.resumes else self._opening
        if opening is not None and opening[1] == scenario:
            work = partial(self._pass_shared, opening[0], scenario, steps, passed)
        else:
            work = partial(self._pass_alone, steps(), passed)
        self._working(True)
        self._passes.start(work)

    async def _pass_alone(self, steps: Iterator, passed: Callable[[Any], None]) -> None:
        await self._passes.each(steps, passed)
        await self._passes.show(self._all_stands)

    async def _pass_shared(
        self, key: Hashable, scenario: Scenario, steps: Callable[[], Iterator], passed: Callable[[Any], None]
    ) -> None:
        """Draw what is computed for all who open the same; whoever comes later finds it."""
        if (known := _openings.get(key)) is not None:
            await self._passes.show(lambda: self._show_known(known))
            return

        def keep(made):
            if (picture := self.keepable(made[0])) is not None:
                _openings(key, lambda: Opening(scenario, picture, made[1]))

        async with aclosing(shared_steps(key, steps, keep)) as pictures:
            async for made in pictures:
                await self._passes.show(partial(passed, made))
        await self._passes.show(self._all_stands)

    def _all_stands(self) -> None:
        """All of it stands: the next visitor who opens the same sees it at once."""
        self._working(False)
        opened, self._opening = self._opening, None
        if opened is None or opened[1] != self.scenario or self._completed is None:
            return
        # What was made, and not what stands there: that may have gone on meanwhile.
        (key, scenario), (made, binding) = opened, self._completed
        if (picture := self.keepable(made)) is not None:
            _openings(key, lambda: Opening(scenario, picture, binding))

    def keepable(self, picture: Any) -> Any:
        """A picture as other visitors may see it; None where it is this visitor's alone."""
        return picture

    def _working(self, working: bool) -> None:
        self.headline.working = working

    def _passed(self, picture: Any) -> None:
        """A picture of all rows is here: a preview that is still on its way would cover it with an older one."""
        self._end_previews()
        self._shown(picture)

    # Data

    def follow_desk(self) -> None:
        """Go to whatever data the person chooses."""

        def chosen(event):
            self.choose(self.desk.data(type(self.scenario.data), self.desk.asked))

        self.desk.param.watch(chosen, "choices")

    def choose(self, data) -> None:
        """Other data were chosen. A file that this scenario was waiting for lets it go on where it was left."""
        waited = data.file == self.scenario.data.file is not None and not getattr(data, "preparation", ())
        if waited or data == self.scenario.data.replace({"columns": ()}):
            self._loaded = None
            self.open(self.with_secret(self.scenario))
        else:
            self.controls.change(self.moved_to(self.scenario, data))

    def with_secret(self, scenario: Scenario) -> Scenario:
        """The scenario with the column that attackers are after, as whoever brought its data has said it."""
        return scenario

    def moved_to(self, scenario: Scenario, data) -> Scenario:
        """The scenario with other data: what belonged to the old ones is left to be found anew."""
        return scenario.replace({"data": data})

    def _load(self, scenario: Scenario) -> None:
        self.interrupted()
        self._end_previews()
        self._passes.stop()
        self._end_loading()  # what is known is here at once: data that arrive after it would be other data
        self._loading = self.model_key(scenario)
        known = _openings.get(self._opening_key(scenario))
        if known is not None and (made := models.shared.get(self._shared_key(scenario))) is not None:
            data, model = made
            self._adopt(data, model, known.scenario, asked=scenario, known=known)
            return
        self._working(True)
        self.headline.stale = True

        async def work():
            if self._shares(scenario):
                await single_flight(self._shared_key(scenario), partial(self._model_of, scenario))
            data, model, found = await compute(self._make, scenario)
            await self._loads.show(lambda: self._adopt(data, model, found, asked=scenario))

        self._loads.start(work)

    def _shares(self, scenario: Scenario) -> bool:
        """Whether what is made of a scenario is equal for all visitors."""
        return self.shares and scenario.data.name != OWN

    def _shared_key(self, scenario: Scenario) -> Hashable:
        return self.page, self.model_key(scenario)

    def _opening_key(self, scenario: Scenario) -> Hashable:
        if not self._shares(scenario):
            return None
        return type(self), self.model_key(scenario), scenario, models.registrations()

    def _make(self, scenario: Scenario) -> tuple[Dataset, Any, Scenario]:
        """Data, model and the scenario that fits them; in a thread."""
        data, model = self._model_of(scenario)
        fitted = self.fit_to_data(scenario, model)
        if self._shares(scenario):  # it names the columns that were left to the page
            data, model = models.shared(self._shared_key(fitted), lambda: Loaded(data, model))
        return data, model, fitted

    def _model_of(self, scenario: Scenario) -> Loaded:
        """Data and a model of them, remembered where they are equal for all visitors, or with own data; in a thread."""

        def make():
            data = self.fetch(scenario)
            if scenario.data.name == OWN:
                return models.of_own(data)(self._shared_key(scenario), lambda: Loaded(data, self.load(data, scenario)))
            return Loaded(data, self.load(data, scenario))

        return models.shared(self._shared_key(scenario), make) if self._shares(scenario) else make()

    def _adopt(
        self, data: Dataset, model: Any, scenario: Scenario, asked: Scenario, known: Opening | None = None
    ) -> None:
        self.interrupted()
        self.data, self.model, self.picture = data, model, None  # what stands on the page is of other data
        self._loaded, self._loading = self.model_key(scenario), None
        key = self._opening_key(asked)
        if self.scenario != asked:  # something was changed while the data were on their way: it stays changed,
            scenario, key = self.fit_to_data(self.scenario, model), None  # and is for nobody else's eyes
        with self.controls.silent():  # what the controls offer changes, and with it perhaps what they show
            self.arrived()
        self.controls.restore(scenario)
        self.scenario = scenario
        if not self._there(scenario):  # a control is held that asks for other data: they come when it is let go
            return
        if known is None:
            self._opening = None if key is None else (key, scenario)
            self._draw(settled=True)
        else:
            self._show_known(known)
        self.loads += 1

    def _show_known(self, known: Opening) -> None:
        self._end_previews()  # one that is still on its way would cover it
        self.settled, self.binding = known.scenario, known.binding
        self._shown(known.picture)
        if self.resumes:
            self._pass()
        else:
            self._working(False)

    def arrived(self) -> None:
        """Other data are here: what is said of them, and what the controls offer, must follow."""

    # Failing

    def fail(self, error: Exception) -> None:
        """Say what went wrong; the page goes on."""
        self.controls.catch_up()
        if isinstance(error, Unusable) or self.model is None:  # there is nothing to show
            self.model = self.picture = None
            self.cleared()
        self._working(False)
        self.headline.stale = False
        self.say(*explain_error(error, self.page))

    def stop(self) -> None:
        """End all work: the visitor has gone."""
        for slot in (self._previews, self._passes, self._loads):
            slot.stop()

    async def finished(self) -> None:
        """Wait until nothing is under way: for notebooks, where cells run while data are still being loaded."""
        while any(slot.busy for slot in (self._previews, self._passes, self._loads)):
            await asyncio.sleep(0.02)

    def __panel__(self):
        side = pn.Column(self.sidebar, width=SIDE, margin=(0, 14, 0, 0))
        return pn.Row(side, self.main, sizing_mode="stretch_width", hooks=[_sheets_within])


def _sheets_within(view: Any, root: Model) -> None:
    """Put style sheets into models that a notebook shows without a network.

    Panel does so when they are in a document, where Bokeh looks through all models again at each of them: that took
    half of the time until a dashboard stood.
    """
    if resources.RESOURCE_MODE == "inline":
        for model in root.select({"type": UIElement}):
            patch_inline_stylesheets(model)
