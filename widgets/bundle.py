"""All scripts of the controls as one module that a browser loads once, where a server offers it.

Panel sends each control's script with each control and translates it in the browser, every time anew. Where `offered`
is set, controls name the address of this module instead; elsewhere (a notebook, `panel serve`) each brings its own
script, marked as needing no translation.
"""

import hashlib
import pkgutil
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from typing import cast

from trustscope import widgets
from trustscope.widgets.esm import Control, Script

# Set by a server that answers at `address()` with `text()`.
offered = False


@cache
def kinds() -> dict[str, type[Control]]:
    """The controls in the module, by the names of their classes: all of this room."""
    for part in pkgutil.walk_packages(widgets.__path__, f"{widgets.__name__}."):
        import_module(part.name)
    found: dict[str, type[Control]] = {}
    waiting = [Control]
    while waiting:
        for kind in waiting.pop().__subclasses__():
            waiting.append(kind)
            ours = isinstance(kind._esm, Script) and kind.__module__.startswith(widgets.__name__)
            if ours and found.setdefault(kind.__name__, kind) is not kind:
                raise TypeError(f"Two controls are called {kind.__name__}: a browser tells them apart by their names.")
    return dict(sorted(found.items()))


@cache
def text() -> str:
    """The module: the helpers once, then each control, in a scope of its own, under its name."""
    shared, own = parts(kinds().values())
    return f"{shared}\nexport default {{\n{own}}}\n"


def parts(controls: Iterable[type[Control]]) -> tuple[str, str]:
    """The helpers of some controls, and the controls themselves as entries of an object, under their names."""
    scripts = {kind.__name__: cast(Script, kind._esm) for kind in controls}
    helpers = dict.fromkeys(helper for script in scripts.values() for helper in script.names[:-1])
    shared = "\n".join(Script.part(helper) for helper in helpers)
    own = "".join(
        f"{name}: (() => {{\n{_without_export(Script.part(script.names[-1]))}\nreturn {{render}}\n}})(),\n"
        for name, script in scripts.items()
    )
    return shared, own


def _without_export(script: str) -> str:
    before, found, after = script.partition("export function render(")
    if not found:
        raise ValueError("A control's script must export a function `render`.")
    return f"{before}function render({after}"


@cache
def address() -> str:
    """Where the module is found, from a page at the top of the server: another module has another address."""
    return f"./controls-{hashlib.sha256(text().encode()).hexdigest()[:16]}.js"
