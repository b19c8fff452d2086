"""Custom controls are native HTML inputs in small ES modules beside their Python: fast, and a keyboard's friend."""

import hashlib
from collections.abc import Callable
from contextvars import ContextVar
from functools import cache, cached_property, partial
from pathlib import Path
from typing import ClassVar

import panel as pn
import param
from panel.theme import Design
from param.parameterized import batch_call_watchers

HERE = Path(__file__).parent


@cache
def _files() -> dict[str, Path]:
    """All scripts and style sheets of this room by their names, in whichever folder they lie."""
    found: dict[str, Path] = {}
    for path in sorted((*HERE.rglob("*.js"), *HERE.rglob("*.css"))):
        if found.setdefault(path.name, path) != path:
            raise FileExistsError(f"Two files of {HERE.name} are called {path.name}: they are found by their names.")
    return found


def css(name: str) -> str:
    """A style sheet of this room."""
    return _files()[name].read_text()


class Script(str):
    """The text of some scripts of this room, joined; `names` are theirs."""

    names: tuple[str, ...]

    @staticmethod
    @cache
    def part(name: str) -> str:
        """The text of one of them."""
        return _files()[name].read_text()

    @cached_property
    def digest(self) -> str:
        """Tells this text from others."""
        return hashlib.sha256(self.encode()).hexdigest()[:16]


@cache
def module(*names: str) -> Script:
    """The text of the named scripts, joined: the helpers first, the one that exports `render` last."""
    script = Script("\n".join(map(Script.part, names)))
    script.names = names
    return script


class Acknowledgement:
    """The answer to a message of a control: given when the message was taken in, or later by whoever takes it over."""

    def __init__(self, give: Callable[[], None]):
        self._give: Callable[[], None] | None = give

    def take(self) -> Callable[[], None] | None:
        """How to give it; from now on that is up to whoever asked. None where somebody has taken it before."""
        give, self._give = self._give, None
        return give


_acknowledgement: ContextVar[Acknowledgement | None] = ContextVar("trustscope_answer", default=None)


def take_acknowledgement() -> Callable[[], None] | None:
    """How to give the answer to the message that is taken in just now; None where there is none to be given."""
    answer = _acknowledgement.get()
    return None if answer is None else answer.take()


class Bare(Design):
    """The design of what brings all of its style sheets itself: Panel asks for it with every change that is sent."""

    def params(self, viewable, doc=None):
        """Nothing."""
        return {}, {}


class Control(pn.custom.JSComponent):
    """A custom control that acknowledges what it receives.

    The script sends one message at a time and waits for `ack` before it sends the next (`flow.js`), so a
    drag never queues: whatever the page was too slow for is skipped, and the last value always arrives.
    """

    ack = param.Integer(default=0, doc="The number of the last message that was taken in.")

    _esm = "export function render() {}"
    _stylesheets: ClassVar[tuple[str, ...]] = (css("controls.css"),)  # type: ignore[assignment]  # Panel reads its list only

    __abstract = True

    # Panel would let the browser set every parameter, such as the places at which a slider may stand. What a person
    # does comes as a message instead, and `_receive` looks at it before anything is set.
    _linked_properties: ClassVar[tuple[str, ...]] = ()

    _taken_in = 0  # the number of the last message, which may still wait for its answer

    def __init__(self, **params):
        super().__init__(**{"sizing_mode": "stretch_width", "margin": 0, "design": Bare, **params})

    def put(self, **values) -> None:
        """Set what differs from what stands, all of it together; `param.update` reads all parameters each time."""
        changed = {name: value for name, value in values.items() if value != getattr(self, name)}
        if changed:
            with batch_call_watchers(self):
                for name, value in changed.items():
                    setattr(self, name, value)

    def _handle_msg(self, data):
        if data["n"] in (self.ack, self._taken_in):  # it came again because the answer was slow
            return
        self._taken_in = data["n"]
        answer = Acknowledgement(partial(self._answered, data["n"]))
        token = _acknowledgement.set(answer)
        with pn.io.hold():  # whatever follows from it goes out as one message, the answer with it
            try:
                self._receive(data)
            finally:
                _acknowledgement.reset(token)
                if give := answer.take():
                    give()

    def _answered(self, number: int) -> None:
        """Tell the script that its message of this number was taken in."""
        self.ack = number

    def _receive(self, data: dict) -> None:
        """Take in what the person did; subclasses say how."""
        raise TypeError(f"{type(self).__name__} receives nothing")
