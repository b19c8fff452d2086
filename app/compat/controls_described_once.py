"""What is the same for all controls of a kind is found once, and not for each control on each page.

Panel looks through all parameters of a component, of its classes and of their owners, whenever it describes one to a
browser. Tests hold what is said here against what Panel says.
"""

from collections.abc import Callable
from functools import cache, wraps
from typing import Any, cast

import panel as pn
import param
from panel.reactive import Reactive
from panel.viewable import Viewable, is_viewable_param

from trustscope.app.compat.patch import Part, Patch
from trustscope.widgets.esm import Control, Script


@cache
def of_every_view(kind: type[Control]) -> frozenset[str]:
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
def kinds_of_data(kind: type[Control]) -> tuple[frozenset[str], tuple[str, ...], tuple[str, ...]]:
    """What a control sends as its data, which of these are events, and the places for other views in it."""
    parameters = kind.param.objects(instance=False)
    mapping, every = kind._property_mapping, of_every_view(kind)
    kept = {k: p for k, p in parameters.items() if mapping.get(k, "") is not None}
    places = tuple(k for k, p in kept.items() if is_viewable_param(p))
    data = {k: p for k, p in kept.items() if k not in places and (k == "name" or k not in every)}
    data = {k: p for k, p in data.items() if (p.precedence or 0) >= 0}
    return frozenset(data), tuple(k for k, p in data.items() if isinstance(p, param.Event)), places


def described(describe: Callable) -> Callable:
    """What the browser gets to know of a control whose script lies beside the widgets."""

    @wraps(describe)
    def properties_of(self: Control, doc) -> dict:
        kind = type(self)
        if not isinstance(kind._esm, Script):
            return describe(self, doc)
        names, events, places = kinds_of_data(kind)
        properties = Reactive._get_properties(self, doc)
        data = {name: properties.pop(name) for name in [*properties] if name in names}
        for name in (*places, *(k for k, v in kind._property_mapping.items() if v is None)):
            properties.pop(name, None)
        definitions = [] if kind._data_model__initialized else [kind._data_model]
        kind._data_model__initialized = True
        return properties | {
            "_defs": definitions,
            # Plain JavaScript: a name for it tells Panel that there is nothing to translate.
            "bundle": kind._esm.digest,
            "css_bundle": None,
            "class_name": kind.__name__,
            "data": cast(Any, self)._data_model(
                **{k: v for k, v in data.items() if k not in of_every_view(kind)}, esm_constants=self._constants
            ),
            "dev": False,
            "esm": kind._esm,
            "events": list(events),
            "importmap": kind._importmap,
            "render_policy": self._render_policy,
            "name": kind.__name__,
        }

    return properties_of


def with_children(get_children: Callable) -> Callable:
    """The views inside of a control; most kinds have no place for any."""

    @wraps(get_children)
    def children_of(self: Control, data_model, doc, root, parent, comm):
        return get_children(self, data_model, doc, root, parent, comm) if kinds_of_data(type(self))[2] else ({}, [])

    return children_of


PATCH = Patch(
    name="controls_described_once",
    gain="building a page and writing it down: 10 % less of the processor",
    versions={"panel": ("1.9", "1.11"), "bokeh": ("3.9", "3.11")},
    parts=(
        Part("panel.custom:ReactiveESM._get_properties", "1dc0023670fe", "006bb1a2dcf4"),
        Part("panel.custom:ReactiveESM._get_children", "1cc9fda22fb3"),
        Part("panel.custom:ReactiveESM._get_model", "bdbecb8d46a1", "b16bbdf3e797"),
        Part("panel.reactive:Reactive._get_properties", "3eef4d0a2483", "1d05ae2461d9"),
    ),
    replace={(Control, "_get_properties"): described, (Control, "_get_children"): with_children},
)
