"""What every page does: hold a scenario, make a picture of it beside the loop, and draw that.

The way of a change is the same everywhere: a control is moved, a new scenario stands, the model makes a picture of it,
words and views are drawn from the picture. Opening a link, undoing, a step of a lesson are the same act: `open`.
"""

import asyncio
from abc import ABCMeta, abstractmethod
from collections.abc import Hashable, Iterator
from typing import Any, ClassVar

import panel as pn
import param

from trustscope.app.controls import Controls
from trustscope.app.own import OwnData
from trustscope.app.problem import Unusable, told
from trustscope.app.work import Lane, compute
from trustscope.datasets import Dataset
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.scenario import OWN, Scenario
from trustscope.widgets.headline import Headline

SIDE = 320  # pixels of the controls where a dashboard stands alone, in a notebook
# Models of built-in data are equal for all visitors, and nothing in them can be changed from a page.
_shared = Memo(24)


class _Abstract(type(pn.viewable.Viewer), ABCMeta):
    """A Viewer whose abstract methods must be written before it can be made."""


class Dashboard(pn.viewable.Viewer, metaclass=_Abstract):
    """One page.

    A subclass says how data become a model (`load`, in a thread), a model and a scenario a picture (`preview` while
    something is dragged, `passes` when it is let go, both in threads), and how a picture is drawn (`show`, on the
    page). It sets `sidebar` and `main` in `build`.

    Parameters
    ----------
    scenario : what to open; by default what the page opens with
    own : the visitor's own data
    """

    page: ClassVar[str] = ""
    kind: ClassVar[type[Scenario]] = Scenario
    shares: ClassVar[bool] = True  # whether visitors share the models of built-in data

    scenario = param.ClassSelector(class_=Scenario, doc="What stands on the page.")
    settled = param.ClassSelector(class_=Scenario, doc="The same when the last change was let go: links follow it.")
    info = param.String(default="", doc="What is loaded, for the bar.")
    loads = param.Integer(default=0, doc="Counts the times that data have arrived, and stand on the page.")
    wanted = param.Tuple(
        default=None, length=2, allow_None=True, doc="Another page to turn to: its name, and what to change there."
    )

    def __init__(self, scenario: Scenario | None = None, own: OwnData | None = None, **params):
        super().__init__(**params)
        self.own = own or OwnData()
        self.model: Any = None
        self.picture: Any = None
        self.data: Dataset | None = None
        self._loaded: Hashable = None
        self._previews, self._passes, self._loads = Lane(self.fail), Lane(self.fail), Lane(self.fail)
        self.headline = Headline()
        self.scenario = self.settled = self.fitting(scenario)
        self.controls = self.make_controls(self.scenario)
        self.build()
        self.controls.param.watch(lambda event: self._moved(), "moved")
        self.controls.param.watch(lambda event: self._let_go(), "settled")
        self.open(self.scenario)

    # What a page is made of

    @classmethod
    @abstractmethod
    def fitting(cls, scenario: Scenario | None) -> Scenario:
        """The scenario to open: the one given, or what the page opens with."""

    @abstractmethod
    def make_controls(self, scenario: Scenario) -> Controls:
        """The controls."""

    @abstractmethod
    def build(self) -> None:
        """Make `sidebar` and `main`; nothing is computed here."""

    @abstractmethod
    def fetch(self, scenario: Scenario) -> Dataset:
        """The data that a scenario names; called in a thread."""

    @abstractmethod
    def load(self, data: Dataset, scenario: Scenario) -> Any:
        """A model of these data; called in a thread. Raises `Unusable` where nothing can be made of them."""

    @abstractmethod
    def adapt(self, scenario: Scenario, model: Any) -> Scenario:
        """The scenario that fits the data: attributes that are there, numbers in range; called in a thread."""

    @abstractmethod
    def preview(self, model: Any, scenario: Scenario) -> Any:
        """A picture at slider rate; called in a thread. None where nothing can be had at once."""

    @abstractmethod
    def passes(self, model: Any, scenario: Scenario) -> Iterator[Any]:
        """Pictures of ever more, the last one of everything; each step is computed in a thread."""

    @abstractmethod
    def show(self, picture: Any) -> None:
        """Draw a picture."""

    def model_key(self, scenario: Scenario) -> Hashable:
        """What a model depends on: where it changes, the data are loaded anew."""
        return scenario.data, scenario.seed

    def place(self, scenario: Scenario) -> str:
        """Where on the page one is: going to another place is a step that the browser's Back takes back."""
        return ""

    def say(self, title: str, text: str) -> None:
        """Show a headline and a sentence instead of a picture."""
        self.headline.say(title, note=text)

    def cleared(self) -> None:
        """There is no picture to show any more: hide the views."""

    # The way of a change

    def open(self, scenario: Scenario) -> None:
        """Here is another scenario: set every control, draw once."""
        self._previews.stop()
        self._passes.stop()
        self.controls.restore(scenario)
        self.scenario = scenario
        if self.model_key(scenario) == self._loaded and self.model is not None:
            self._draw(settled=True)
        else:
            self._load(scenario)

    def _moved(self) -> None:
        self.scenario = self.controls.scenario
        if self.model_key(self.scenario) == self._loaded:
            self._passes.stop()
            self._preview()

    def _let_go(self) -> None:
        if self.model_key(self.scenario) != self._loaded:
            self._load(self.scenario)
            return
        self.settled = self.scenario
        self._pass()

    def _draw(self, settled: bool) -> None:
        self._preview()
        if settled:
            self.settled = self.scenario
            self._pass()

    def _preview(self) -> None:
        if self.model is not None:
            model, scenario = self.model, self.scenario
            self._previews.latest(lambda: self.preview(model, scenario), self._shown)

    def _pass(self) -> None:
        if self.model is None:
            return
        steps = self.passes(self.model, self.scenario)

        async def work():
            await self._passes.each(steps, self._passed)
            await self._passes.show(lambda: self._working(False))

        self._working(True)
        self._passes.start(work)

    def _working(self, working: bool) -> None:
        self.headline.working = working

    def _passed(self, picture: Any) -> None:
        """A picture of all rows is here: a preview that is still on its way would cover it with an older one."""
        self._previews.stop()
        self._shown(picture)

    def _shown(self, picture: Any) -> None:
        if picture is not None and self.model is not None:
            self.picture = picture
            self.show(picture)

    # Data

    def choose(self, data) -> None:
        """Other data were chosen. A file that this scenario was waiting for lets it go on where it was left."""
        if data == self.scenario.data.having({"columns": ()}) or data.file == self.scenario.data.file is not None:
            self._loaded = None
            self.open(self.scenario)
        else:
            self.controls.change(self.moved_to(self.scenario, data))

    def moved_to(self, scenario: Scenario, data) -> Scenario:
        """The scenario with other data: what belonged to the old ones is left to be found anew."""
        return scenario.having({"data": data})

    def _load(self, scenario: Scenario) -> None:
        self._previews.stop()
        self._passes.stop()
        self._working(True)
        self._loaded = self.model_key(scenario)

        async def work():
            loaded = await compute(self._make, scenario)
            await self._loads.show(lambda: self._adopt(*loaded, asked=scenario))

        self._loads.start(work)

    def _make(self, scenario: Scenario) -> tuple[Dataset, Any, Scenario]:
        """Data, model and the scenario that fits them; in a thread."""
        own = scenario.data.name == OWN
        key = (self.page, self.model_key(scenario))

        def make():
            data = self.fetch(scenario)
            return data, self.load(data, scenario)

        data, model = _shared(key, make) if self.shares and not own else make()
        return data, model, self.adapt(scenario, model)

    def _adopt(self, data: Dataset, model: Any, scenario: Scenario, asked: Scenario) -> None:
        self.data, self.model = data, model
        if self.scenario != asked:  # something was changed while the data were on their way: it stays changed
            scenario = self.adapt(self.scenario, model)
        self._loaded = self.model_key(scenario)
        with self.controls.silent():  # what the controls offer changes, and with it perhaps what they show
            self.arrived()
        self.controls.restore(scenario)
        self.scenario = scenario
        self._draw(settled=True)
        self.loads += 1

    def arrived(self) -> None:
        """Other data are here: what is said of them, and what the controls offer, must follow."""

    # Failing

    def fail(self, error: Exception) -> None:
        """Say what went wrong; the page goes on."""
        if isinstance(error, Unusable):
            self.model = self.picture = None
            self.cleared()
        self._working(False)
        self.say(*told(error, self.page))

    def stop(self) -> None:
        """End all work: the visitor has gone."""
        for lane in (self._previews, self._passes, self._loads):
            lane.stop()

    async def finished(self) -> None:
        """Wait until nothing is under way: for notebooks, where cells run while data are still being loaded."""
        while any(lane.busy for lane in (self._previews, self._passes, self._loads)):
            await asyncio.sleep(0.02)

    def __panel__(self):
        side = pn.Column(self.sidebar, width=SIDE, margin=(0, 14, 0, 0))
        return pn.Row(side, self.main, sizing_mode="stretch_width")
