"""As more of them pool: a row for each coalition, dots for who is in it, and a bar for each scheme."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import param

from trustscope.looks import Columns, looks_of
from trustscope.numbers import GAP, format_number
from trustscope.widgets.esm import css, module
from trustscope.widgets.live.figure import numbers
from trustscope.widgets.scenes.drawing import Drawing


class Pooling(Drawing):
    """What the attacker gains grows to the right, on one scale for all rows. More than twelve rows scroll."""

    frame = param.Dict(default={}, doc="What seldom changes: seats, masks and names of the rows, series.")
    values = param.List(default=[], doc="Lengths of all rows, series by series.")
    texts = param.List(default=[], doc="What stands at the end of each bar.")
    ghost = param.List(default=[], doc="Lengths in a kept scenario, or nothing.")
    expected = param.List(default=[], doc="Lengths of the first series that somebody expected, or nothing.")
    chosen = param.Integer(default=0, doc="The mask of the coalition at work, which is marked.")
    top = param.Number(default=1.0, doc="The length that fills a row.")
    baseline = param.Number(default=-1.0, doc="What is known without any copy; below 0: not drawn.")
    scale = param.List(default=[], doc="Numbers below the bars: value and text.")
    label = param.String(default="", doc="The accessible name of the table.")
    tall = param.Integer(default=380, bounds=(60, None), doc="Pixels that all rows share, or beyond which they scroll.")

    _esm = module("flow.js", "pooling.js")
    _stylesheets = (css("controls.css"), css("pooling.css"))

    def __init__(self, label: str = "", **params):
        super().__init__(label=label, **params)

    def draw(
        self, seats: Sequence, masks: Sequence[int], series: dict, *, top: float = 1.0, texts=None, chosen: int = 0,
        baseline: float | None = None, share: bool = True, present: str = "",
    ):  # fmt: skip
        """Draw.

        Parameters
        ----------
        seats : objects with `name` and `colour`
        masks : for each row, who is in it: bit i stands for seat i
        series : name to (colour, values), a value for each row; the first is the one that is read first
        top : the value that fills a row
        texts : name to a text for each row; the values in per cent (or as numbers, without `share`) unless given
        chosen : the mask of the row that is marked
        baseline : what is known without any copy
        present : name of the series that stands on the page, whose values are bold; by default the first
        """
        names = [_names(seats, mask) for mask in masks]
        ghost = {} if self.beside is None else self.beside.lengths(series, names)
        of_all = {name: np.asarray(values, dtype=float) for name, (_, values) in series.items()}
        written = {name: [_text(v, share) for v in values] for name, values in of_all.items()} | (texts or {})
        frame = {
            "seats": [{"name": seat.name, "colour": seat.colour} for seat in seats],
            "masks": [int(mask) for mask in masks],
            "names": names,
            "series": [[name, colour] for name, (colour, _) in series.items()],
            "present": present if present in series else next(iter(series), ""),
            "baseline": None if baseline is None else f"{_text(baseline, share)} without any copy",
        }
        changes = {
            "frame": frame,
            "values": [one for values in of_all.values() for one in numbers(values)],
            "texts": [text for name in series for text in written[name]],
            "ghost": [_length(one) for name in series for one in ghost[name]] if ghost else [],
            "chosen": int(chosen),
            "top": float(top) or 1.0,
            "baseline": -1.0 if baseline is None else float(baseline),
            "scale": [[top * part, _text(top * part, share)] for part in (0, 0.5, 1)],
        }
        self.put(**changes)

    def show_table(
        self, table: pd.DataFrame | Columns, seats: Sequence, *, chosen: int = 0, texts=None, present: str = ""
    ):
        """Draw a table as its looks say; they have the mask of every row, and rows stand as words are sorted."""
        looks = looks_of(table)
        masks = looks.more["masks"]
        order = sorted(range(len(masks)), key=lambda row: _sorting(masks[row], len(seats)))
        masks = [masks[row] for row in order]
        series = {name: (look.colour, np.asarray(table[column])[order]) for column, name, look in looks.named()}
        baseline = looks.uprights[0].value if looks.uprights else None
        top = 1.0 if looks.x.high is None else looks.x.high
        self.draw(seats, masks, series, top=top, baseline=baseline, chosen=chosen, texts=texts, share=looks.x.share,
                  present=present)  # fmt: skip

    def expect(self, places: Sequence[float] = (), values: Sequence[float] = ()) -> None:
        """Mark what somebody expected of the first series, a value for each row, until another or none is given."""
        self.expected = numbers(values)

    def lengths(self, series, names: Sequence[str]) -> dict[str, list[float | None]]:
        """The lengths of these series for coalitions of these names; None where there is no such bar here.

        What stands here is compared with what stands there, also where they have different names.
        """
        rows = {name: place for place, name in enumerate(self.frame.get("names", []))}
        place_of = {name: place for place, (name, _) in enumerate(self.frame.get("series", []))}
        stands = self.frame.get("present")
        instead = place_of.get(stands) if stands not in series else None

        def length(name, row):
            place = place_of.get(name, instead)
            return None if place is None or row not in rows else self.values[place * len(rows) + rows[row]]

        return {name: [length(name, row) for row in names] for name in series}


def _sorting(mask: int, count: int) -> tuple:
    return mask.bit_count(), [place for place in range(count) if mask >> place & 1]


def _names(seats, mask) -> str:
    inside = [seat.name for i, seat in enumerate(seats) if mask >> i & 1]
    return inside[0] if len(inside) == 1 else f"{', '.join(inside[:-1])} and {inside[-1]}" if inside else "nobody"


def _length(value: float | None) -> float | None:
    return None if value is None else round(float(value), 5)


def _text(value: float, share: bool) -> str:
    return f"{100 * value:.0f}{GAP}%" if share else format_number(value)
