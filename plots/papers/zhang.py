"""Plots of Zhang, Wang and Zhao 2005: figures."""

import holoviews as hv
import pandas as pd

from trustscope import colours
from trustscope.plots.elements import PALETTE, by_group, dots, level, line, panel, sticks, whiskers

METHODS = {
    "clear": (colours.ORIGINAL, "nothing perturbed"),
    "guided": (colours.SCHEMES["nested"], "guided perturbation"),
    "gaussian": (colours.SCHEMES["independent"], "randomised, normal noise"),
    "uniform": (PALETTE[1], "randomised, uniform noise"),
}

ORDERS = {"magnitude": colours.SCHEMES["nested"], "signed": colours.SCHEMES["independent"]}


def _functions(table: pd.DataFrame) -> hv.Overlay:
    layers = []
    for offset, (method, (colour, name)) in zip((-0.3, -0.1, 0.1, 0.3), METHODS.items(), strict=True):
        part = table[table["method"] == method]
        layers.append(sticks(part["function"] + offset, part["accuracy"], colour, name, 0.18, base=0.5))
        layers.append(
            whiskers(part["function"] + offset, part["accuracy"], 2 * part["standard_error"], colours.NEUTRAL)
        )
    return panel(layers, x="classification function", y="accuracy", shares=True, y_range=(0.5, 1), x_range=(0.4, 5.6))


def _votes(table: pd.DataFrame) -> hv.Overlay:
    layers = [level(table[table["order"] == "original"]["accuracy"].iloc[0])]
    for order, part in by_group(table[table["order"] != "original"], "order"):
        name = "largest in magnitude" if order == "magnitude" else "largest signed, as printed"
        layers += [
            line(part["disclosure"], part["accuracy"], ORDERS[order], name),
            whiskers(part["disclosure"], part["accuracy"], 2 * part["standard_error"], ORDERS[order]),
            dots(part["disclosure"], part["accuracy"], ORDERS[order]),
        ]
    return panel(
        layers, x="share of the information disclosed", y="accuracy", shares=True, y_range=(0.45, 0.95), x_range=(0, 1)
    )


def _levels(table: pd.DataFrame) -> hv.Overlay:
    layers = []
    for (mu, part), colour in zip(by_group(table, "mu"), PALETTE, strict=False):
        layers.append(line(part["received"], part["level"], colour, f"μ = {100 * mu:g} %"))
    return panel(layers, x="answers received", y="level k*", y_range=(0, None))


PLOTS = {
    "zhang/fig3": _functions,
    "zhang/fig4": _votes,
    "zhang/fig5": _levels,
}
