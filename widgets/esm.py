"""Custom controls are native HTML inputs in small ES modules beside this file: fast, and a keyboard's friend."""

import hashlib
import weakref
from collections.abc import Callable
from contextlib import nullcontext
from contextvars import ContextVar
from functools import cache, cached_property, partial
from pathlib import Path

import panel as pn
import param
from bokeh.models import InlineStyleSheet
from panel.reactive import Reactive
from panel.viewable import Viewable, is_viewable_param
from param.parameterized import batch_call_watchers, no_instance_params

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


@cache
def _of_every_view(kind: type["Control"]) -> frozenset[str]:
    """The parameters that the view itself has, such as its width; all others belong to the data of the control."""
    own, every = kind.param.objects(instance=False), Viewable.param.objects(instance=False)
    reactive = Reactive.param.objects(instance=False)
    return frozenset(
        name
        for name, parameter in reactive.items()
        if not issubclass(own[name].owner, pn.custom.ReactiveESM)
        or (name in every and name not in ("name", "use_shadow_dom") and type(parameter) is type(own[name]))
    )


@cache
def _kinds_of_data(kind: type["Control"]) -> tuple[frozenset[str], tuple[str, ...], tuple[str, ...]]:
    """What a control sends as its data, which of these are events, and the places for other views in it."""
    parameters = kind.param.objects(instance=False)
    mapping, every = kind._property_mapping, _of_every_view(kind)
    kept = {k: p for k, p in parameters.items() if mapping.get(k, "") is not None}
    places = tuple(k for k, p in kept.items() if is_viewable_param(p))
    data = {k: p for k, p in kept.items() if k not in places and (k == "name" or k not in every)}
    data = {k: p for k, p in data.items() if (p.precedence or 0) >= 0}
    return frozenset(data), tuple(k for k, p in data.items() if isinstance(p, param.Event)), places


@cache
def _plain_data(kind: type["Control"]) -> frozenset[str]:
    """The data that are neither events nor views: a change of them is sent, and that is all."""
    names, events, places = _kinds_of_data(kind)
    return names - _of_every_view(kind) - {*events, *places, "name"}


class Answer:
    """The answer to a message of a control: given when the message was taken in, or later by whoever takes it over."""

    def __init__(self, give: Callable[[], None]):
        self._give: Callable[[], None] | None = give

    def take(self) -> Callable[[], None] | None:
        """How to give it; from now on that is up to whoever asked. None where somebody has taken it before."""
        give, self._give = self._give, None
        return give


_answer: ContextVar[Answer | None] = ContextVar("trustscope_answer", default=None)


def take_answer() -> Callable[[], None] | None:
    """How to give the answer to the message that is taken in just now; None where there is none to be given."""
    answer = _answer.get()
    return None if answer is None else answer.take()


class Control(pn.custom.JSComponent):
    """A custom control that acknowledges what it receives.

    The script sends one message at a time and waits for `ack` before it sends the next (`flow.js`), so a
    drag never queues: whatever the page was too slow for is skipped, and the last value always arrives.
    """

    ack = param.Integer(default=0, doc="The number of the last message that was taken in.")

    _esm = "export function render() {}"
    _stylesheets = (css("controls.css"),)

    __abstract = True

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        no_instance_params(cls)  # a copy of each parameter for each control took a fifth of describing it

    _taken_in = 0  # the number of the last message, which may still wait for its answer

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
        """What the browser gets to know of it.

        As Panel describes a component, but what is the same for all controls of a kind is found once and not for each
        control on each page; tests hold it against Panel's own.
        """
        kind = type(self)
        if not isinstance(kind._esm, Script):
            return self._with_shared_sheets(super()._get_properties(doc), doc)
        names, events, places = _kinds_of_data(kind)
        properties = Reactive._get_properties(self, doc)
        data = {name: properties.pop(name) for name in [*properties] if name in names}
        for name in (*places, *(k for k, v in kind._property_mapping.items() if v is None)):
            properties.pop(name, None)
        definitions = [] if kind._data_model__initialized else [kind._data_model]
        kind._data_model__initialized = True
        properties |= {
            "_defs": definitions,
            # Plain JavaScript: a name for it tells Panel that there is nothing to translate.
            "bundle": kind._esm.digest,
            "css_bundle": None,
            "class_name": kind.__name__,
            "data": self._data_model(
                **{k: v for k, v in data.items() if k not in _of_every_view(kind)}, esm_constants=self._constants
            ),
            "dev": False,
            "esm": kind._esm,
            "events": list(events),
            "importmap": kind._importmap,
            "render_policy": self._render_policy,
            "name": kind.__name__,
        } | self._bundled(doc)
        return self._with_shared_sheets(properties, doc)

    def _update_model(self, events, msg, root, model, doc, comm):
        """Send what has changed.

        As Panel does, but where only plain data have changed, nothing is looked for that cannot be there: that was half
        of the time of a change, while a slider is dragged.
        """
        if not _plain_data(type(self)).issuperset(msg) or self._in_process__events.get(doc):
            super()._update_model(events, msg, root, model, doc, comm)
            return
        ref = root.ref["id"]
        before = self._changing.get(ref)
        self._changing[ref] = list(msg)  # a change that came from here is not taken for the browser's
        try:
            with nullcontext() if doc.callbacks.hold_value else pn.io.hold(doc):
                model.data.update(**msg)
        finally:
            if before is None:
                del self._changing[ref]
            else:
                self._changing[ref] = before

    def _bundled(self, doc) -> dict:
        """Where a page finds the script: on a server that offers all of them in one file, there."""
        from trustscope.widgets import bundle  # which knows all controls

        served = bundle.offered and doc is not None and doc.session_context is not None
        known = served and bundle.kinds().get(type(self).__name__) is type(self)
        return {"bundle": "url", "esm": bundle.address()} if known else {}

    def _with_shared_sheets(self, properties: dict, doc) -> dict:
        if doc is not None:
            properties["stylesheets"] = [
                _shared_sheet(sheet, doc) if isinstance(sheet, str) and len(sheet) > LONG else sheet
                for sheet in properties["stylesheets"]
            ]
        return properties

    def _get_children(self, data_model, doc, root, parent, comm):
        return super()._get_children(data_model, doc, root, parent, comm) if _kinds_of_data(type(self))[2] else ({}, [])

    def _handle_msg(self, data):
        if data["n"] in (self.ack, self._taken_in):  # it came again because the answer was slow
            return
        self._taken_in = data["n"]
        answer = Answer(partial(self._answered, data["n"]))
        token = _answer.set(answer)
        with pn.io.hold():  # whatever follows from it goes out as one message, the answer with it
            try:
                self._receive(data)
            finally:
                _answer.reset(token)
                if give := answer.take():
                    give()

    def _answered(self, number: int) -> None:
        """Tell the script that its message of this number was taken in."""
        self.ack = number

    def _receive(self, data: dict) -> None:
        """Take in what the person did; subclasses say how."""
        raise TypeError(f"{type(self).__name__} receives nothing")
