"""Plots of Huang, Du and Chen 2005: what is misprinted or wrong."""

import holoviews as hv
import numpy as np
import pandas as pd

from trustscope import colours
from trustscope.plots.elements import at, dots, level, line, panel, sticks, upright, whiskers
from trustscope.plots.papers.compared import compare

PRINTED, RIGHT = colours.SCHEMES["independent"], colours.SCHEMES["nested"]


def _dissimilarity(table: pd.DataFrame) -> hv.Overlay:
    layers = [
        line(table["attributes"], table["right"], RIGHT, "inside the root"),
        dots(table["attributes"], table["right"], RIGHT),
        line(table["attributes"], table["printed"], PRINTED, "as printed, outside"),
        dots(table["attributes"], table["printed"], PRINTED),
    ]
    return panel(layers, x="attributes", y="dissimilarity", log="x", y_range=(0, None), ticks=at(table["attributes"]))


def _better(table: pd.DataFrame) -> hv.Overlay:
    layers = [
        line(table["rows"], table["bayes"], colours.RECIPIENTS[2], "Bayes estimate"),
        dots(table["rows"], table["bayes"], colours.RECIPIENTS[2]),
        line(table["rows"], table["clipped"], colours.RECIPIENTS[2], "Bayes estimate, gains clipped", "dashed"),
        line(table["rows"], table["principal_components"], colours.RECIPIENTS[0], "principal components"),
        dots(table["rows"], table["principal_components"], colours.RECIPIENTS[0]),
        upright(table["turn"].iloc[0]),
    ]
    return panel(
        layers,
        x="rows",
        y="mean square error",
        log="x",
        y_range=(0, min(8, float(table["bayes"].max()) * 1.1)),
        ticks=at(table["rows"]),
    )


def _gap(table: pd.DataFrame) -> hv.Overlay:
    places = np.arange(len(table))
    layers = [
        sticks(places - 0.17, table["printed"], PRINTED, "the largest gap, whatever it is", 0.3),
        sticks(places + 0.17, table["right"], RIGHT, "all, where no gap is real", 0.3),
        level(table["noise"].iloc[0]),
    ]
    return panel(layers, x="components of 100", y="mean square error", ticks=list(zip(places, table["components"].astype(str), strict=True)),
                 x_range=(-0.5, len(table) - 0.5), y_range=(0, None))  # fmt: skip


def _moves(table: pd.DataFrame) -> hv.Overlay:
    layers = [
        line(table["components"], table["printed"], PRINTED, "equal variances", "dashed"),
        line(table["components"], table["measured"], RIGHT, "what it is"),
        whiskers(table["components"], table["measured"], 2 * table["standard_error"], RIGHT),
        dots(table["components"], table["measured"], RIGHT),
    ]
    return panel(layers, x="principal components of 100", y="error of UDR", y_range=(16, 21))


PLOTS = {
    "huang/density": lambda table: compare(table, x="σ", y="total probability"),
    "huang/dissimilarity": _dissimilarity,
    "huang/always-better": _better,
    "huang/gap": _gap,
    "huang/udr": _moves,
}
