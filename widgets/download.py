"""Buttons that download a card's plot as a drawing (SVG) or a picture (PNG), titled, and its figures (CSV).

Drawing and picture are made by the browser from what it shows: they need no network and look as the page does.
"""

import re

import pandas as pd
import param

from trustscope.widgets.esm import Control, css, module


class Download(Control):
    """For one plot, or whichever `of()` says is in view.

    Parameters
    ----------
    of : a plot, or a function that gives one: anything with `table()`; with a Bokeh figure (`figure`) or a `plot_id`,
        which its element carries, there are pictures too
    title : written above the picture, and the name of the files
    """

    title = param.String(default="", doc="Above the picture.")
    file = param.String(default="", doc="The files' name, without ending.")
    figure_id = param.String(default="", doc="Of the Bokeh figure.")
    plot_id = param.String(default="", doc="Of the element that is the plot.")

    _esm = module("flow.js", "theme.js", "download.js")
    _stylesheets = (css("controls.css"), css("save.css"))

    def __init__(self, of, title: str, **params):
        self._of = of
        super().__init__(title=title, file=_file_name(title), **{"sizing_mode": None, **params})
        self.look()

    def look(self):
        """Another plot may be in view, or the title may have changed: the buttons follow."""
        plot = self._plot()
        figure = getattr(plot, "figure", None)
        changes = {
            "figure_id": "" if figure is None else figure.id,
            "plot_id": getattr(plot, "plot_id", ""),
            "file": _file_name(self.title),
        }
        self.param.update(**{name: value for name, value in changes.items() if value != getattr(self, name)})

    def _plot(self):
        plot = self._of() if callable(self._of) else self._of
        return getattr(plot, "seen", plot)

    def _receive(self, data):
        self._send_msg({"csv": as_csv(self._plot().table())})


def as_csv(table: pd.DataFrame) -> str:
    """A table as text that spreadsheets open as it is.

    Names may come from somebody's file: a text that a spreadsheet would take for a formula gets an apostrophe.
    """
    safe = table.rename(columns=_harmless)
    for column in safe.select_dtypes(exclude="number"):
        safe[column] = safe[column].map(_harmless)
    return "\ufeff" + safe.to_csv(index=False)


def _harmless(value):
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def _file_name(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "trustscope"
