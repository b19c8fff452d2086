"""Buttons that download a card's plot as a drawing (SVG) or a picture (PNG), titled, and its figures (CSV).

Drawing and picture are made by the browser from what it shows: they need no network and look as the page does.
"""

import re
from functools import cache

import pandas as pd
import param

from trustscope.widgets.esm import Control, css, module
from trustscope.widgets.written import as_number


class Download(Control):
    """For one plot, or whichever `of()` says is in view.

    Parameters
    ----------
    of : a plot, or a function that gives one: anything with `table()`; with a Bokeh figure (`figure`), several
        (`figures`) or a `plot_id`, which its element carries, there are pictures too
    title : written above the picture, and the name of the files
    """

    title = param.String(default="", doc="Above the picture.")
    file = param.String(default="", doc="The files' name, without ending.")
    figure_id = param.String(default="", doc="Of the Bokeh figure; of several, one after the other.")
    plot_id = param.String(default="", doc="Of the element that is the plot.")
    legend = param.List(default=[], doc="Name, colour and mark of what is drawn, where the card says it.")

    _esm = module("flow.js", "svg.js", "theme.js", "download.js")
    _stylesheets = (css("controls.css"), css("save.css"))

    def __init__(self, of, title: str, **params):
        self._of = of
        super().__init__(title=title, file=_file_name(title), **{"sizing_mode": None, **params})
        self.look()

    def look(self, title: str | None = None, legend=None):
        """Another plot may be in view, or title and legend may have changed: the buttons follow."""
        plot = self.plot
        title = self.title if title is None else title
        figures = getattr(plot, "figures", None) or [getattr(plot, "figure", None)]
        something = figures != [None] or bool(getattr(plot, "plot_id", ""))
        changes = {
            "title": title,
            "file": _file_name(title),
            "figure_id": " ".join(figure.id for figure in figures if figure is not None),
            "plot_id": getattr(plot, "plot_id", ""),
            "visible": something and getattr(plot, "visible", True),  # where nothing is drawn there is nothing to save
            "legend": self.legend if legend is None else [list(entry) for entry in legend],
        }
        self.put(**changes)

    @property
    def plot(self):
        """The plot that is in view."""
        plot = self._of() if callable(self._of) else self._of
        return getattr(plot, "seen", plot)

    def _receive(self, data):
        self._send_msg({"csv": as_csv(self.plot.table())})


def as_csv(table: pd.DataFrame) -> str:
    """A table as text that spreadsheets and programs open as it is.

    Numbers that are written for people become plain ones: where all of a column are in one unit it goes into the
    heading. Names may come from somebody's file: a text that a spreadsheet would take for a formula gets an apostrophe.
    """
    columns = [_plain(str(name), table.iloc[:, place]) for place, name in enumerate(table)]
    safe = pd.concat([values for _, values in columns], axis=1) if columns else pd.DataFrame()
    safe.columns = [_harmless(name) for name, _ in columns]
    return "\ufeff" + safe.to_csv(index=False)


def _plain(name: str, column: pd.Series) -> tuple[str, pd.Series]:
    """A column as numbers where it can be, else as harmless texts; and its heading."""
    if pd.api.types.is_numeric_dtype(column):
        return name, column
    written = [one for one in column if not pd.isna(one) and one not in ("", "–")]
    numbers = [as_number(one) for one in written]
    if written and None not in numbers and len({unit for _, unit in numbers}) == 1:
        unit = numbers[0][1]
        values = column.map(lambda one: as_number(one)[0] if one in written else None)
        return f"{name} ({unit})" if unit else name, values.astype(float)
    return name, column.map(_harmless).astype(object)


def _harmless(value):
    if not isinstance(value, str):
        return value
    return f"'{value}" if value[:1] in ("=", "+", "-", "@", "\t", "\r") else value.replace("\u202f", " ")


@cache
def _file_name(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "trustscope"
