"""The plots of the Rotation page that no other page has."""

from typing import Any

import holoviews as hv
import numpy as np
import pandas as pd

from trustscope import colours
from trustscope.looks import looks_of
from trustscope.plots import elements as e
from trustscope.plots.charts import beams_with_values, curves


def clouds(table: pd.DataFrame) -> hv.Layout:
    """The same records before and after, in a colour for each cluster where there are clusters."""
    panels = []
    for title, (x, y), cluster in (("the data", table.columns[1:3], "cluster in the data"),
                                   ("the release", table.columns[3:5], "cluster in the release")):  # fmt: skip
        groups: Any = table.groupby(cluster, sort=True) if cluster in table else [(None, table)]
        layers = [
            e.dots(some[x], some[y], colours.ORIGINAL if number is None else colours.recipient(int(number)), size=4,
                   alpha=0.6)
            for number, some in groups
        ]  # fmt: skip
        panels.append(e.panel(layers, x=_name(x), y=_name(y), title=title))
    return e.row(*panels)


def _name(column: str) -> str:
    return column.partition(": ")[2]


def match(table: pd.DataFrame) -> hv.Overlay:
    """What was recovered, or a distance after, against what it was: those that count, and those that do not."""
    looks = looks_of(table)
    x, y = table[looks.at].to_numpy(), table.iloc[:, -1].to_numpy()
    counts = np.asarray(looks.more["counts"], dtype=bool)
    ends = [float(np.min([x.min(), y.min()])), float(np.max([x.max(), y.max()]))]
    layers = [e.line(ends, ends, colours.NEUTRAL, "", "dashed", 1.2)]
    for (name, look), some in zip(looks.series.items(), (counts, ~counts), strict=True):
        if some.any():
            layers.append(e.dots(x[some], y[some], look.colour, name, size=4, hollow=name != next(iter(looks.series))))
    return e.panel(layers, x=looks.x.label, y=looks.y.label)


def findings(table: pd.DataFrame) -> hv.Overlay:
    """The share of nearest neighbours that are kept, beside what chance would keep."""
    looks = looks_of(table)
    found = [looks.more["by chance"], looks.more["kept"]]
    rows = np.arange(2.0)
    look, axis = next(iter(looks.series.values())), looks.x
    axis = type(axis)(f"share of the {looks.more['nearest']} nearest neighbours that are kept", True, high=1.0)
    layers = beams_with_values(found, (rows, 0.7), look, "", axis)
    return e.rows(["by chance", "in the release"], layers, x=axis.label, top=1.0, shares=True)


def printed(table: pd.DataFrame) -> hv.Overlay:
    """The printed formula against the corrected one, and rotations that were drawn."""
    return curves(looks_of(table).more["curves"])
