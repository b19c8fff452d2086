"""Plots of Giannella, Liu and Kargupta 2009: what is misprinted or wrong."""

import holoviews as hv
import numpy as np
import pandas as pd

from trustscope import colours
from trustscope.plots.elements import at, by_group, dots, line, panel, row, steps, sticks, whiskers
from trustscope.plots.papers.compared import compare

PRINTED, RIGHT = colours.SCHEMES["independent"], colours.SCHEMES["nested"]


def _cap(table: pd.DataFrame) -> hv.Layout:
    pictures = []
    for freedom, part in by_group(table, "freedom"):
        layers = [
            line(part["chord"], part["printed"], PRINTED, "as printed", "dashed"),
            line(part["chord"], part["corrected"], RIGHT, "corrected"),
            dots(part["chord"], part["simulated"], colours.NEUTRAL, "rotations drawn at random", size=5),
        ]
        pictures.append(
            panel(
                layers,
                x="distance / radius",
                y="breach probability",
                title=f"{freedom} free dimensions",
                shares=True,
                y_range=(0, 1),
            )
        )
    return row(*pictures)


def _assignments(table: pd.DataFrame) -> hv.Overlay:
    layers = [
        line(table["known"], table["printed"], PRINTED, "as printed"), dots(table["known"], table["printed"], PRINTED),
        line(table["known"], table["right"], RIGHT, "one index at each node"), dots(table["known"], table["right"], RIGHT),
    ]  # fmt: skip
    return panel(layers, x="known records", y="assignments counted", log="y", y_range=(0.8, None))


def _divergence(table: pd.DataFrame) -> hv.Overlay:
    layers = [
        line(table["mean"], table["right"], RIGHT, "4 α² min (z′μ)² / λ"),
        whiskers(table["mean"], table["measured"], 2 * table["standard_error"], colours.NEUTRAL),
        dots(table["mean"], table["measured"], colours.NEUTRAL, "both directions, drawn"),
        dots(table["mean"], table["forth"], PRINTED, "one direction", size=6),
    ]
    return panel(layers, x="α", y="divergence", log="xy", ticks=at(table["mean"]), y_range=(1e-4, 1))


def _ratios(table: pd.DataFrame) -> hv.Overlay:
    places = np.arange(len(table))
    layers = [
        dots(places, table["reported"], colours.NEUTRAL, "reported in the paper", size=15, hollow=True),
        dots(places, table["right"], RIGHT, "neighbours, sorted", size=8),
        dots(places, table["printed"], PRINTED, "as defined, over all pairs", size=8),
    ]
    return panel(
        layers,
        x="",
        y="minimum eigen-ratio",
        log="y",
        ticks=list(zip(places, table["data"], strict=True)),
        x_range=(-0.5, len(table) - 0.5),
    )


def _pairs(table: pd.DataFrame) -> hv.Overlay:
    looks = {"centred": RIGHT, "pair differences": PRINTED}
    layers = [
        steps(part["left"], part["right"], part["density"], looks[name], name) for name, part in by_group(table, "made")
    ]
    return panel(layers, x="first axis, standard deviations", y="density", y_range=(0, None))


def _remedy(table: pd.DataFrame) -> hv.Overlay:
    layers = []
    names = {"one": "one matrix for all, as the paper means it", "fresh": "a fresh matrix for each record"}
    for (matrix, part), colour in zip(by_group(table, "matrix"), (PRINTED, RIGHT), strict=True):
        layers += [
            line(part["dimensions"], part["breach"], colour, names[matrix]),
            whiskers(part["dimensions"], part["breach"], 2 * part["standard_error"], colour),
            dots(part["dimensions"], part["breach"], colour),
        ]
    return panel(
        layers,
        x="dimensions of the projection",
        y="records breached",
        shares=True,
        log="x",
        ticks=at(table["dimensions"]),
        y_range=(-0.02, 1.05),
    )


def _definitions(table: pd.DataFrame) -> hv.Overlay:
    places = np.arange(len(table))
    layers = [
        sticks(places - 0.17, table["printed"], PRINTED, "as printed", 0.3),
        sticks(places + 0.17, table["right"], RIGHT, "right", 0.3),
    ]
    return panel(
        layers, x="", y="value", ticks=list(zip(places, table["case"], strict=True)), x_range=(-0.5, len(table) - 0.5)
    )


PLOTS = {
    "giannella/cap": _cap,
    "giannella/assignments": _assignments,
    "giannella/invariance": _divergence,
    "giannella/eigen-ratio": _ratios,
    "giannella/pair-variances": lambda table: compare(table, x="principal axis", y="eigenvalue", log="y"),
    "giannella/pairs": _pairs,
    "giannella/remedy": _remedy,
    "giannella/definitions": _definitions,
}
