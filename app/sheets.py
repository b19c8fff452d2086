"""Style sheets that pages do without.

Panel links four style sheets into every part of a page, for spinners, scroll buttons and its own widgets. Here only the
text boxes are Panel's own; all other parts bring what they need. But a browser looks at each of some three hundred
links, and lays out the page anew when one of them has been read: a fifth of the time until a page stands.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

import panel as pn
from bokeh.models import ImportedStyleSheet
from panel.reactive import Syncable

SPINNER = ":host(.pn-loading)"  # how the sheet begins that Panel writes for its spinner


def leave_out_unused() -> None:
    """Let only Panel's own widgets have Panel's style sheets."""
    if not hasattr(Syncable._process_param_change, "__wrapped__"):
        Syncable._process_param_change = _leaving_out(Syncable._process_param_change)  # type: ignore[method-assign]


def _leaving_out(process: Callable[[Syncable, dict], dict[str, Any]]) -> Callable[[Syncable, dict], dict[str, Any]]:
    @wraps(process)
    def processed(self: Syncable, params: dict[str, Any]) -> dict[str, Any]:
        properties = process(self, params)
        if "stylesheets" in properties and not isinstance(self, pn.widgets.Widget):
            properties["stylesheets"] = [sheet for sheet in properties["stylesheets"] if not _of_panel(sheet)]
        return properties

    return processed


def _of_panel(sheet: Any) -> bool:
    """Whether Panel brought it: parts of the app never link to a sheet."""
    return isinstance(sheet, ImportedStyleSheet) or (isinstance(sheet, str) and sheet.lstrip().startswith(SPINNER))
