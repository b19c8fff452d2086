"""What is printed, what is right and what was measured, side by side."""

import holoviews as hv
import numpy as np
import pandas as pd

from trustscope import colours
from trustscope.plots.elements import dots, panel, whiskers
from trustscope.plots.theme import LIGHT


def compare(table: pd.DataFrame, *, x: str = "", y: str, shares: bool = False, log: str = "") -> hv.Overlay:
    """What is printed, what is right and what was measured, side by side.

    Parameters
    ----------
    table : DataFrame
        case (text), printed, right and measured (any may be missing), standard_error (optional).
    """
    places = np.arange(len(table))
    layers = []
    looks = {"printed": (colours.SCHEMES["independent"], -0.12, "triangle"),
             "right": (colours.SCHEMES["nested"], 0.0, "circle")}  # fmt: skip
    for name, (colour, offset, marker) in looks.items():
        if name in table:
            layers.append(dots(places + offset, table[name], colour, f"{name}, by the formula", 11, marker=marker))
    if "measured" in table:
        if "standard_error" in table:
            layers.append(whiskers(places + 0.12, table["measured"], 2 * table["standard_error"], LIGHT.text))
        layers.append(dots(places + 0.12, table["measured"], colours.NEUTRAL, "measured", 8, marker="square"))
    ticks = list(zip(places, table["case"].astype(str), strict=True))
    return panel(layers, x=x, y=y, ticks=ticks, shares=shares, log=log, x_range=(-0.5, len(table) - 0.5))
