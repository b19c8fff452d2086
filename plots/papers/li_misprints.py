"""Plots of Li, Chen, Li and Zhang 2012: what is misprinted or wrong."""

import holoviews as hv
import numpy as np
import pandas as pd

from trustscope import colours
from trustscope.plots.elements import dots, level, line, panel, sticks, whiskers
from trustscope.plots.papers.compared import compare

PRINTED, RIGHT = colours.SCHEMES["independent"], colours.SCHEMES["nested"]


def _top(table: pd.DataFrame) -> hv.Overlay:
    layers = [
        line(table["attributes"], table["right"], RIGHT, "right: N D / Tr(K)"),
        dots(table["attributes"], table["right"], RIGHT),
        line(table["attributes"], table["printed"], PRINTED, "printed: D / Tr(K)"),
        dots(table["attributes"], table["printed"], PRINTED),
    ]
    return panel(layers, x="attributes", y="error of guessing the mean", y_range=(0, 1.1))


def _cancelling(table: pd.DataFrame) -> hv.Overlay:
    layers = [
        line(table["copies"], table["true"], RIGHT, "Eq. 6 with the true covariance"),
        dots(table["copies"], table["nonsense"], colours.GUESS, "with a nonsensical one", size=12, hollow=True),
        dots(table["copies"], table["estimated"], RIGHT, "with an estimated one", size=6),
        line(table["copies"], table["raw"], PRINTED, "raw: covariance of all copies estimated", "dotted"),
    ]
    return panel(layers, x="copies held", y="normalised error", y_range=(0, 0.4))


def _subsets(table: pd.DataFrame) -> hv.Overlay:
    places = np.arange(len(table))
    layers = [
        sticks(places - 0.17, table["common"], PRINTED, "common noise", 0.3),
        sticks(places + 0.17, table["nested"], RIGHT, "nested noise", 0.3),
        dots(places, table["best"], colours.NEUTRAL, "best member alone", size=9, hollow=True),
    ]
    ticks = list(zip(places, table["coalition"].str.replace(" and ", "+"), strict=True))
    return panel(layers, x="copies held", y="normalised error", ticks=ticks, y_range=(0, 0.45),
                 x_range=(-0.5, len(table) - 0.5))  # fmt: skip


def _estimators(table: pd.DataFrame) -> hv.Overlay:
    places = np.arange(len(table))
    layers = [
        dots(places, table["linear"], PRINTED, "best linear guess", size=10),
        dots(places, table["exact"], RIGHT, "best guess of all", size=14, hollow=True),
        whiskers(places, table["measured"], 2 * table["standard_error"], colours.NEUTRAL),
        dots(places, table["measured"], colours.NEUTRAL, "measured", size=6),
        level(table["exact"].iloc[0]),
    ]
    return panel(layers, x="", y="error", ticks=list(zip(places, ("Alice", "both, nested", "independent"), strict=True)),
                 x_range=(-0.5, len(table) - 0.5), y_range=(0.3, 0.55))  # fmt: skip


PLOTS = {
    "li/normalised-error": _top,
    "li/partial-knowledge": _cancelling,
    "li/subsets": _subsets,
    "li/eq16": lambda table: compare(table, x="copies × attributes", y="total probability"),
    "li/any-estimator": _estimators,
}
