"""The plots of the Trust page that no other page has."""

import holoviews as hv
import numpy as np
import pandas as pd

from trustscope import colours
from trustscope.looks import Look, looks_of
from trustscope.plots import elements as e
from trustscope.plots.charts import beams_with_values, framed

CLASSIFIERS = {"tree": ("decision tree", "#12809c", "circle"), "svm": ("support vector machine", "#d9541e", "triangle")}


def person(table: pd.DataFrame) -> hv.Overlay:
    """One person: what is believed as densities, what each recipient was given as dots, the truth as a line."""
    looks = looks_of(table)
    axis, shades, densities = looks.x, looks.more["colours"], looks.more["densities"]
    layers = []
    for row in table.to_dict("records"):
        what, colour = row["what"], shades[row["what"]]
        if what == "true value":
            layers.append(e.upright(row["value"], colour, "dotted", "true value"))
        elif what in densities:
            dash = "solid" if "together" in what else "dashed"
            x, density = np.array(looks.more["x"]), np.array(densities[what])
            layers += [e.area(x, density, colour), e.line(x, density, colour, what, dash)]
        elif np.isfinite(row.get("low", np.nan)):  # known exactly
            layers.append(e.upright(row["value"], colour, "solid", what))
        else:
            layers.append(e.dots([row["value"]], [0.0], colour, what, size=9))
    tallest = max((max(density) for density in densities.values()), default=0.0)
    top = looks.y.high or 1.08 * tallest or 1.0  # slides of several scenarios have one axis
    return e.panel(layers, x=axis.label, y="belief", x_range=(axis.low, axis.high), y_range=(0.0, top))


def attackers(table: pd.DataFrame) -> hv.Overlay:
    """The share of the variance that each attacker explains; those who are not ticked are empty."""
    looks = looks_of(table)
    explained = np.clip(1 - table["error"].to_numpy(dtype=float), 0.0, 1.0)
    rows = np.arange(len(table), dtype=float)
    layers = beams_with_values(explained, (rows, 0.7), Look(looks.more["colours"]), "", looks.x)
    names = [f"{name}{'' if ticked else ' (not ticked)'}" for name, ticked in
             zip(table["an attacker who"], table["ticked"], strict=True)]  # fmt: skip
    return e.rows(names, layers, x=looks.x.label, top=1.0, shares=True)


def classifiers(table: pd.DataFrame) -> hv.Overlay:
    """Accuracy by copy, one shape a classifier, whiskers of one standard deviation over the folds.

    The table has a row for each classifier on each copy; `chance`, where it is a column, is drawn as a line.
    """
    order = list(dict.fromkeys(table["copy"]))
    layers = [e.level(table["chance"].iloc[0], name="most frequent")] if "chance" in table else []
    for offset, (model, (name, colour, marker)) in zip((-0.1, 0.1), CLASSIFIERS.items(), strict=True):
        rows = table[table["model"] == model]
        x = np.array([order.index(copy) + offset for copy in rows["copy"]])
        layers += [e.whiskers(x, rows["accuracy"], rows["spread"], colour, within=(0, 1)),
                   e.dots(x, rows["accuracy"], colour, name, size=9, marker=marker)]  # fmt: skip
    return e.panel(layers, x="", y="accuracy", x_range=(-0.5, len(order) - 0.5), y_range=(0, 1.04), shares=True,
                   ticks=list(enumerate(order)))  # fmt: skip


def spectrum(table: pd.DataFrame) -> hv.Overlay:
    """Variances of the components; below them, strips of what two attackers keep."""
    looks = looks_of(table)
    strips, floor = looks.more["strips"], looks.more["floor"]
    layers = [] if looks.band is None else [e.band(looks.band[0], looks.band[1], colours.NEUTRAL, looks.band[2])]
    for column, name, look in looks.named():
        if column in strips:
            kept = looks.more["kept"][column] > 0.05
            layers.append(e.dots(table["component"][kept], np.full(kept.sum(), strips[column]), look.colour, name,
                                 size=6, marker="square"))  # fmt: skip
        else:
            # What lies below is drawn below, out of sight, and not along the edge.
            heights = np.maximum(table[column], floor / 100)
            if look.mark == "dot":
                layers.append(e.dots(table["component"], heights, look.colour, name))
            else:
                layers.append(e.line(table["component"], heights, look.colour, name, look.dash, look.width))
    return framed(layers, looks)
