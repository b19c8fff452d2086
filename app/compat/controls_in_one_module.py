"""The scripts of all controls as one module with an address of its own, where a server offers it (`widgets/bundle.py`).

Panel sends each control's script with each control, and makes a module of it in the browser, every time anew.
"""

from collections.abc import Callable
from functools import wraps

from trustscope.app.compat.patch import Part, Patch
from trustscope.widgets import bundle
from trustscope.widgets.esm import Control


def offered() -> bool:
    """Whether pages find the module on this server."""
    return bundle.offered and PATCH.on


def by_address(describe: Callable) -> Callable:
    """What the browser gets to know of a control: where its script is, instead of the script."""

    @wraps(describe)
    def properties_of(self: Control, doc) -> dict:
        properties = describe(self, doc)
        served = bundle.offered and doc is not None and doc.session_context is not None
        known = served and bundle.kinds().get(type(self).__name__) is type(self)
        return properties | ({"bundle": "url", "esm": bundle.address()} if known else {})

    return properties_of


PATCH = Patch(
    name="controls_in_one_module",
    gain="a page as it is sent: 65 % fewer bytes, because no script is sent with each control",
    versions={"panel": ("1.9", "1.11")},
    parts=(
        Part("panel.custom:ReactiveESM._get_properties", "1dc0023670fe", "006bb1a2dcf4"),
        Part("panel.custom:ReactiveESM._render_esm", "f58923251679"),
    ),
    replace={(Control, "_get_properties"): by_address},
)
