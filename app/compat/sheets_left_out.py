"""Style sheets that our pages do without.

Panel links four style sheets into every part of a page, for spinners, scroll buttons and its own widgets. Here only
the text boxes are Panel's own; all other parts bring what they need. But a browser looks at each of some three
hundred links, and lays out the page anew when one of them has been read.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

import panel as pn
from bokeh.models import ImportedStyleSheet
from panel.reactive import Syncable

from trustscope.app.compat.documents import at_work
from trustscope.app.compat.patch import Part, Patch

SPINNER = ":host(.pn-loading)"  # how the sheet begins that Panel writes for its spinner


def leaving_out(process: Callable[[Syncable, dict], dict[str, Any]]) -> Callable[[Syncable, dict], dict[str, Any]]:
    """The properties of a part, without the sheets that only Panel's own widgets need."""

    @wraps(process)
    def processed(self: Syncable, params: dict[str, Any]) -> dict[str, Any]:
        properties = process(self, params)
        if "stylesheets" in properties and not isinstance(self, pn.widgets.Widget) and at_work():
            properties["stylesheets"] = [sheet for sheet in properties["stylesheets"] if not _of_panel(sheet)]
        return properties

    return processed


def _of_panel(sheet: Any) -> bool:
    """Whether Panel brought it: parts of the app never link to a sheet."""
    return isinstance(sheet, ImportedStyleSheet) or (isinstance(sheet, str) and sheet.lstrip().startswith(SPINNER))


PATCH = Patch(
    name="sheets_left_out",
    gain="until a page stands: 5 % less of the browser's main thread",
    versions={"panel": ("1.9", "1.10")},
    parts=(
        Part("panel.reactive:Syncable._process_param_change", "82d662d3599c"),
        Part("panel.io.resources:loading_css", "d31197de2df1"),
    ),
    replace={(Syncable, "_process_param_change"): leaving_out},
)
