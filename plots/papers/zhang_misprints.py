"""Plots of Zhang, Wang and Zhao 2005: what is misprinted or wrong."""

import holoviews as hv
import numpy as np
import pandas as pd

from trustscope import colours
from trustscope.plots.elements import at, by_group, dots, line, panel, row, whiskers
from trustscope.plots.papers.compared import compare
from trustscope.plots.papers.zhang import ORDERS

PRINTED, RIGHT = colours.SCHEMES["independent"], colours.SCHEMES["nested"]

NAMES = {"magnitude": "largest in magnitude", "signed": "largest signed, as printed"}


def _order(table: pd.DataFrame) -> hv.Layout:
    norm, accuracy = [], []
    for order, part in by_group(table, "order"):
        norm += [
            line(part["level"], part["norm"], ORDERS[order], NAMES[order]),
            dots(part["level"], part["norm"], ORDERS[order]),
        ]
        accuracy += [
            line(part["level"], part["accuracy"], ORDERS[order], NAMES[order]),
            whiskers(part["level"], part["accuracy"], 2 * part["standard_error"], ORDERS[order]),
            dots(part["level"], part["accuracy"], ORDERS[order]),
        ]
    return row(
        panel(accuracy, x="level k", y="accuracy", shares=True, y_range=(0.4, 0.95)),
        panel(norm, x="level k", y="norm of what is left out", y_range=(0, None)),
    )


def _squares(table: pd.DataFrame) -> hv.Layout:
    worst, survey = table[table["kind"] == "worst"], table[table["kind"] == "survey"]
    return row(
        panel([line(worst["number"], worst["formula"], RIGHT, "((1 + √n) / 2)²"),
               dots(worst["number"], worst["largest"], PRINTED, "largest possible")],
              x="questions", y="“probability”", y_range=(0, None)),
        panel([dots(survey["number"], survey["largest"], PRINTED, "largest on the votes"), line(survey["number"], np.ones(len(survey)), colours.NEUTRAL, "1", "dashed")],
              x="level k", y="“probability”", y_range=(0, None)),
    )  # fmt: skip


def _theorem_1(table: pd.DataFrame) -> hv.Overlay:
    layers = []
    for order, part in by_group(table, "order"):
        layers += [
            line(part["mu"], part["error"], ORDERS[order], f"error, {NAMES[order]}"),
            dots(part["mu"], part["error"], ORDERS[order]),
        ]
    first = table[table["order"] == table["order"].iloc[0]]
    layers.append(line(first["mu"], first["bound"], colours.NEUTRAL, "the bound 2 μ σ₁ / m", "dashed"))
    return panel(layers, x="μ", y="degree of error", log="x", y_range=(0, 1), ticks=at(table["mu"]))


def _theorem_2(table: pd.DataFrame) -> hv.Overlay:
    drawn = table[table["law"] == "random"]
    broken = ~drawn["holds"].astype(bool)
    alike = table[table["law"] == "alike"]
    layers = [
        dots(drawn["bound"][~broken], drawn["disclosure"][~broken], RIGHT, "within the bound", size=4),
        dots(drawn["bound"][broken], drawn["disclosure"][broken], PRINTED, "beyond it", size=4),
        dots(alike["bound"], alike["disclosure"], colours.RECIPIENTS[3], "questions answered alike", size=12),
        line([0.3, 1], [0.3, 1], colours.NEUTRAL, "disclosure = bound", "dashed"),
    ]
    return panel(layers, x="bound", y="share disclosed", x_range=(0.3, 1.02), y_range=(0, 1.05))


def _cost(table: pd.DataFrame) -> hv.Overlay:
    layers = [
        line(table["dimension"], 1000 * table["decomposition"], PRINTED, "eigenvectors of A"),
        dots(table["dimension"], 1000 * table["decomposition"], PRINTED),
        line(table["dimension"], 1000 * table["update"], RIGHT, "adding one answer to A"),
        dots(table["dimension"], 1000 * table["update"], RIGHT),
    ]
    return panel(layers, x="dimension", y="milliseconds", log="xy", ticks=at(table["dimension"]))


PLOTS = {
    "zhang/order": _order,
    "zhang/eq8": _squares,
    "zhang/eq26": lambda table: compare(table, x="pair of bits", y="E[t̃ᵢ t̃ⱼ − Rᵢ Rⱼ]"),
    "zhang/theorem1": _theorem_1,
    "zhang/theorem2": _theorem_2,
    "zhang/update": _cost,
}
