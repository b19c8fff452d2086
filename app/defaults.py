"""Bokeh's defaults, found once.

A page is some three hundred models of Bokeh, and each is asked for all of its properties when it is made, when it is
looked for in its document, and when it is sent. For every property that nobody has set, Bokeh copies and validates the
default again; the plain ones are always the same. Remembered, a page is built in four fifths of the time.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from bokeh.core.has_props import HasProps
from bokeh.core.property.descriptors import PropertyDescriptor

PLAIN = (bool, int, float, str, type(None))  # nobody can change them: all models may share one


def remember_defaults() -> None:
    """Let Bokeh remember which defaults of a class are plain, and what they are."""
    if not hasattr(PropertyDescriptor._get_default, "__wrapped__"):
        PropertyDescriptor._get_default = _remembering(PropertyDescriptor._get_default)  # type: ignore[method-assign]
        unstable = _by_class(PropertyDescriptor.has_unstable_default)
        PropertyDescriptor.has_unstable_default = unstable  # type: ignore[method-assign]


def _by_class(ask: Callable[[Any, HasProps], bool]) -> Callable[[Any, HasProps], bool]:
    """An answer about a property that is the same for all models of a class."""
    known: dict[tuple[type, str], bool] = {}

    @wraps(ask)
    def remembered(self: Any, obj: HasProps) -> bool:
        key = (obj.__class__, self.name)
        if key not in known:
            known[key] = ask(self, obj)
        return known[key]

    return remembered


def _remembering(get_default: Callable[[Any, HasProps], Any]) -> Callable[[Any, HasProps], Any]:
    """A theme has defaults of its own, and what is made anew for each model is not kept."""
    known: dict[tuple[type, str], Any] = {}

    @wraps(get_default)
    def remembered(self: Any, obj: HasProps) -> Any:
        themed = obj.themed_values()
        if themed is not None and self.name in themed:
            return get_default(self, obj)
        key = (obj.__class__, self.name)
        if key in known:
            return known[key]
        value = get_default(self, obj)
        if type(value) in PLAIN and not self.has_unstable_default(obj):
            known[key] = value
        return value

    return remembered
