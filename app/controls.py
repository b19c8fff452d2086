"""The controls of a page, made from a table of fields: setting them is as easy as reading them."""

from abc import abstractmethod
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import panel as pn
import param

from trustscope.app.abstract import Abstract
from trustscope.app.serving import log
from trustscope.app.silence import Silence
from trustscope.scenarios.scenario import Scenario
from trustscope.widgets.esm import take_acknowledgement


def _same(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class Field:
    """One control, and the part of the scenario that it stands for.

    Attributes
    ----------
    path : str
        The part, dotted: "settings.scheme", "view.person", "seed".
    widget : Control
        What shows it.
    read, write : callable
        From the widget's value to the scenario's, and back.
    live : str
        The widget's parameter that follows every movement.
    settled : str or None
        The parameter that changes when the person lets go; None where every change is settled.
    """

    path: str
    widget: Any
    read: Callable[[Any], Any] = _same
    write: Callable[[Any], Any] = _same
    live: str = "value"
    settled: str | None = None


def slider(path: str, widget: Any, **how: Any) -> Field:
    """A field whose widget is a slider."""
    return Field(path, widget, settled="value_throttled", **how)


class Controls(pn.viewable.Viewer):
    """Controls over a scenario.

    A subclass makes its widgets, calls `super().__init__(fields)`, and says in `follow` what else changes with a
    change. `scenario` is what the controls show; `moved` and `settled` count what the person did.
    """

    scenario: Any = param.ClassSelector(class_=Scenario, doc="What the controls stand for.")
    moved = param.Integer(default=0, doc="Counts movements.")
    settled = param.Integer(default=0, doc="Counts changes that were let go.")

    # Whether a picture of the last movement is on its way. Whoever says so calls `catch_up` when it is drawn: people
    # wait for the picture, and setting all controls would keep it from them.
    picture_comes: Callable[[], bool] = staticmethod(lambda: False)
    # Views of the controls, by the names that a teacher's link has for them.
    groups: Mapping[str, list] = MappingProxyType({})
    _layout: pn.Column  # of the groups

    def __init__(self, fields: Iterable[Field], scenario: Scenario, **params):
        super().__init__(scenario=scenario, **params)
        self.fields = tuple(fields)
        self._silence = Silence()
        self._last = scenario  # what stood when a control was let go last
        self._behind = False  # whether other controls have yet to follow a movement
        self._unanswered: list[Callable[[], None]] = []
        for field in self.fields:
            self._listen(field)
        self.restore(scenario)

    def add(self, field: Field) -> None:
        """One more control, such as one of a view that has just been opened; it is set to what stands."""
        self.fields = (*self.fields, field)
        self._listen(field)
        with self._silence:
            setattr(field.widget, field.live, field.write(self.scenario.at(field.path)))

    def _listen(self, field: Field) -> None:
        field.widget.param.watch(lambda event: self._live(field), field.live)
        if field.settled:
            field.widget.param.watch(lambda event: self._let_go(), field.settled)

    def laid_out(self, groups: dict[str, list]) -> pn.Column:
        """The groups one below the other."""
        self.groups = groups
        return pn.Column(*(view for group in groups.values() for view in group), sizing_mode="stretch_width", margin=0)

    def limit(self, shown: Container[str]) -> None:
        """Take out the groups that are not to be seen: nothing of them reaches the browser."""
        self._layout[:] = [view for key, group in self.groups.items() if key in shown for view in group]

    # What a page adds

    def follow(self, scenario: Scenario, path: str) -> Scenario:
        """What else changes when the part at `path` has been changed by hand; a scenario that fits together."""
        return scenario

    def describe(self, scenario: Scenario) -> None:
        """Bring texts, limits and visibility of the controls up to a scenario; nobody hears of it."""

    # Reading and setting

    def read(self, field: Field) -> Any:
        """What one control says."""
        return field.read(getattr(field.widget, field.live))

    def silent(self) -> Silence:
        """A context in which the app may set controls: what changes there is told to nobody."""
        return self._silence

    def restore(self, scenario: Scenario) -> None:
        """Set every control; nothing is told to anybody."""
        self._last = scenario
        self._set(scenario)

    def _set(self, scenario: Scenario) -> None:
        self._behind = False
        with self._silence:
            self.scenario = scenario
            self.describe(scenario)
            for field in self.fields:
                value = field.write(scenario.at(field.path))
                if getattr(field.widget, field.live) != value:
                    setattr(field.widget, field.live, value)

    def catch_up(self) -> None:
        """Let all controls follow the last movement, and the one that was moved have its answer."""
        unanswered, self._unanswered = self._unanswered, []
        try:
            if self._behind:
                self._set(self.scenario)
        finally:
            for give in unanswered:
                give()

    def change(self, scenario: Scenario) -> None:
        """Set every control as a person would have done: it counts as one settled change."""
        self.restore(scenario)
        self.moved += 1
        self.settled += 1

    def __panel__(self):
        return self._layout

    # Events

    def _live(self, field: Field) -> None:
        if self._silence:
            return
        value = self.read(field)
        if value != self.scenario.at(field.path):
            changed = self.follow(self.scenario.replace({field.path: value}, checked=False), field.path)
            self.scenario = changed
            self._behind = True
            self.moved += 1
            if field.settled and self.picture_comes():
                if give := take_acknowledgement():
                    self._unanswered.append(give)
            else:
                self.catch_up()
            if not field.settled:
                self._let_go()

    def _let_go(self) -> None:
        if self._silence:
            return
        # While a control is held nothing is checked, for the sake of speed.
        if self.scenario.can_stand():
            self._last = self.scenario
            self.settled += 1
        else:
            log.get(__name__).warning("a control was set to what cannot stand; the last scenario is back")
            self.change(self._last)


class DeskControls(Controls, metaclass=Abstract):
    """Controls of a page whose data are chosen at a desk.

    A subclass makes its widgets in `_make_widgets`, puts them in place in `_lay_out`, and lists them in `_fields`.
    """

    def __init__(self, scenario: Scenario, desk: Any):
        self.desk = desk
        self.model: Any = None  # comes with the data
        self._make_widgets()
        self._lay_out()
        super().__init__(self._fields(), scenario)

    @abstractmethod
    def _make_widgets(self) -> None:
        """Make the widgets."""

    @abstractmethod
    def _lay_out(self) -> None:
        """Put them in place."""

    @abstractmethod
    def _fields(self) -> Iterator[Field]:
        """Which part of the scenario each of them sets."""
