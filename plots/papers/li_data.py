"""Plots of Li, Chen, Li and Zhang 2012: the example, the algorithms and the data."""

import holoviews as hv
import numpy as np
import pandas as pd

from trustscope import colours
from trustscope.plots.elements import by_group, dots, level, panel, row, steps, sticks, whiskers

SCHEMES = colours.SCHEMES


def _example(table: pd.DataFrame) -> hv.Overlay:
    places = np.arange(len(table))
    ticks = list(zip(places, table["who"], strict=True))
    layers = [
        sticks(places - 0.17, table["independent"], SCHEMES["independent"], "independent", 0.3),
        sticks(places + 0.17, table["nested"], SCHEMES["nested"], "nested", 0.3),
    ]
    return panel(layers, x="", y="normalised error", ticks=ticks, x_range=(-0.5, len(table) - 0.5), y_range=(0, 1))


def _table_2(table: pd.DataFrame) -> hv.Overlay:
    places = np.arange(len(table))
    layers = [
        whiskers(places, table["together"], 2 * table["standard_error"], colours.NEUTRAL),
        dots(places, table["together"], SCHEMES["independent"], "all copies together", size=10),
        dots(places, table["alone"], SCHEMES["nested"], "best copy alone", size=14, hollow=True),
        level(table["expected_alone"].iloc[0]),
    ]
    ticks = list(zip(places, ["1", "2", "3", "bridge", "separate"], strict=True))
    return panel(layers, x="algorithm", y="normalised error", ticks=ticks, x_range=(-0.5, len(table) - 0.5),
                 y_range=(0, 0.4))  # fmt: skip


def _moments(table: pd.DataFrame) -> hv.Layout:
    places = np.arange(len(table))
    ticks = list(zip(places, table["attribute"], strict=True))
    return row(
        *(
            panel(
                [sticks(places - 0.17, table[f"printed_{what}"], colours.ORIGINAL, "printed", 0.3),
                 sticks(places + 0.17, table[what], SCHEMES["nested"], "here", 0.3)],
                x="", y=what, ticks=ticks, x_range=(-0.5, len(table) - 0.5), y_range=(0, None),
            )
            for what in ("mean", "variance")
        )
    )  # fmt: skip


def _histograms(table: pd.DataFrame) -> hv.Layout:
    return row(
        *(
            panel([steps(part["left"], part["right"], part["density"], SCHEMES["nested"])],
                  x=name, y="density", y_range=(0, None))
            for name, part in by_group(table, "attribute")
        )
    )  # fmt: skip


PLOTS = {
    "li/example": _example,
    "li/table2": _table_2,
    "li/table3": _moments,
    "li/fig1": _histograms,
}
