"""Custom controls are native HTML inputs in small ES modules beside this file: fast, and a keyboard's friend."""

import hashlib
import weakref
from functools import cache, cached_property
from pathlib import Path

import panel as pn
import param
from bokeh.models import InlineStyleSheet
from param.parameterized import batch_call_watchers

HERE = Path(__file__).parent


def css(name: str) -> str:
    """A style sheet that lies beside this file."""
    return (HERE / name).read_text()


class Script(str):
    """The text of some scripts that lie beside this file, joined; `names` are theirs."""

    names: tuple[str, ...]

    @staticmethod
    @cache
    def part(name: str) -> str:
        """The text of one of them."""
        return (HERE / name).read_text()

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


# Long style sheets are sent once for each document, however many controls have them.
LONG = 500
_sheets: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()


def _shared_sheet(text: str, doc) -> InlineStyleSheet:
    sheets = _sheets.setdefault(doc, {})
    if text not in sheets:
        sheets[text] = InlineStyleSheet(css=text)
    return sheets[text]


class Control(pn.custom.JSComponent):
    """A custom control that acknowledges what it receives.

    The script sends one message at a time and waits for `ack` before it sends the next (`flow.js`), so a
    drag never queues: whatever the page was too slow for is skipped, and the last value always arrives.
    """

    ack = param.Integer(default=0, doc="The number of the last message that was taken in.")

    _esm = "export function render() {}"
    _stylesheets = (css("controls.css"),)

    __abstract = True

    def __init__(self, **params):
        super().__init__(**{"sizing_mode": "stretch_width", "margin": 0, **params})

    def put(self, **values) -> None:
        """Set what differs from what stands, all of it together; `param.update` reads all parameters each time."""
        changed = {name: value for name, value in values.items() if value != getattr(self, name)}
        if changed:
            with batch_call_watchers(self):
                for name, value in changed.items():
                    setattr(self, name, value)

    def _get_properties(self, doc):
        from trustscope.widgets import bundle  # which knows all controls

        properties = super()._get_properties(doc)
        script = type(self)._esm
        if isinstance(script, Script):  # plain JavaScript: a name for it tells Panel that there is nothing to translate
            served = bundle.offered and doc is not None and doc.session_context is not None
            known = served and bundle.kinds().get(type(self).__name__) is type(self)
            properties |= {"bundle": "url", "esm": bundle.address()} if known else {"bundle": script.digest}
        if doc is not None:
            properties["stylesheets"] = [
                _shared_sheet(sheet, doc) if isinstance(sheet, str) and len(sheet) > LONG else sheet
                for sheet in properties["stylesheets"]
            ]
        return properties

    def _handle_msg(self, data):
        if data["n"] == self.ack:  # it came again because the answer was slow
            return
        with pn.io.hold():  # whatever follows from it goes out as one message, the answer with it
            try:
                self._receive(data)
            finally:
                self.ack = data["n"]

    def _receive(self, data: dict) -> None:
        """Take in what the person did; subclasses say how."""
        raise TypeError(f"{type(self).__name__} receives nothing")
