"""Buttons that download a card's plot as a drawing (SVG) or a picture (PNG), titled, and its figures (CSV)."""

import re
from dataclasses import dataclass
from functools import cache

import pandas as pd
import param

from trustscope.numbers import as_number
from trustscope.widgets.esm import Control, css, module

SIZES = ("1x", "2x", "print")  # of a picture in pixels


@dataclass(frozen=True)
class PictureOptions:
    """How a picture is wanted: on which surface, how fine, and with which words around it.

    `caption` is the text itself; `source` is the line that says where the picture comes from, or that it is wanted.
    """

    theme: str = "light"
    size: str = "2x"
    title: bool = True
    caption: str = ""
    source: str = ""


class Download(Control):
    """For what is in view.

    Parameters
    ----------
    of : what is downloaded: it makes its files itself (`make`), pictures among them where it `draws`, and sends them
        when they are there
    title : the name of the files
    """

    title = param.String(default="", doc="What is downloaded.")
    file = param.String(default="", doc="The files' name, without ending.")
    drawn = param.Boolean(default=False, doc="Whether there are pictures.")

    _esm = module("flow.js", "download.js")
    _stylesheets = (css("controls.css"), css("save.css"))

    def __init__(self, of, title: str, **params):
        self.of = of
        self.caption = ""  # what stands below the title, in plain text
        super().__init__(title=title, file=_file_name(title), **{"sizing_mode": None, **params})
        self.look()

    def look(self, title: str | None = None):
        """Something else may be in view, or its title may have changed: the buttons follow."""
        title = self.title if title is None else title
        self.put(title=title, file=_file_name(title), drawn=self.of.draws, visible=self.of.visible)

    def _receive(self, data):
        kind = data.get("what")
        if kind in ("csv", "svg", "png"):
            self.of.make(kind, self._wanted(data), self._send_msg)

    def _wanted(self, data) -> PictureOptions:
        size = data.get("size")
        return PictureOptions(
            "dark" if data.get("theme") == "dark" else "light", size if size in SIZES else PictureOptions.size,
            data.get("title") is not False, self.caption if data.get("caption") is True else "",
            "source" if data.get("source") is True else "",
        )  # fmt: skip


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
    numbers = [number for one in written if (number := as_number(one)) is not None]
    if written and len(numbers) == len(written) and len({unit for _, unit in numbers}) == 1:
        unit = numbers[0][1]
        values = column.map(lambda one: (as_number(one) or (None,))[0])
        return f"{name} ({unit})" if unit else name, values.astype(float)
    return name, column.map(_harmless).astype(object)


def _harmless(value):
    if not isinstance(value, str):
        return value
    return f"'{value}" if value[:1] in ("=", "+", "-", "@", "\t", "\r") else value.replace("\u202f", " ")


@cache
def _file_name(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "trustscope"
