"""Plots of Xiao, Tao and Chen 2009: figures and examples."""

import holoviews as hv
import numpy as np
import pandas as pd

from trustscope import colours
from trustscope.plots.elements import PALETTE, at, by_group, dots, level, line, panel, row, sticks

SCHEMES = colours.SCHEMES


def _examples(table: pd.DataFrame) -> hv.Overlay:
    places = np.arange(len(table))
    layers = [
        dots(places, table["printed"], SCHEMES["independent"], "printed", size=14, hollow=True),
        dots(places, table["exact"], SCHEMES["nested"], "from the law", size=8),
    ]
    return panel(layers, x="", y="probability", ticks=list(zip(places, table["short"], strict=True)),
                 x_range=(-0.5, len(table) - 0.5), y_range=(0, 1.05))  # fmt: skip


def _laws(table: pd.DataFrame) -> hv.Layout:
    return row(
        *(
            panel([sticks(part["value"], part["share"], SCHEMES["nested"])], x=name, y="share", shares=True,
                  y_range=(0, None))
            for name, part in by_group(table, "distribution")
        )
    )  # fmt: skip


def _worst_belief(table: pd.DataFrame) -> hv.Layout:
    pictures = []
    for name, part in by_group(table, "distribution"):
        layers = [
            sticks(part["value"], part["together"], SCHEMES["independent"], "all three together"),
            dots(part["value"], part["alone"], SCHEMES["nested"], "Charlie alone", size=5),
        ]
        pictures.append(panel(layers, x=f"{name}: original value", y="belief", y_range=(0, 1), shares=True))
    return row(*pictures)


def _worst_law(table: pd.DataFrame) -> hv.Layout:
    pictures = []
    for name, part in by_group(table, "distribution"):
        layers = [
            sticks(part["value"], part["measured"], SCHEMES["independent"], "measured"),
            dots(part["value"], part["theory"], SCHEMES["nested"], "uniform perturbation", size=5),
        ]
        who = part["recipient"].iloc[0]
        pictures.append(panel(layers, x=f"{name}: received by {who}", y="probability", y_range=(0, None), shares=True))
    return row(*pictures)


def _reconstruction(table: pd.DataFrame) -> hv.Overlay:
    layers = []
    for scheme, part in by_group(table, "scheme"):
        layers.append(line(part["copies"], part["theory"], SCHEMES[scheme], f"{scheme}, theory"))
        layers.append(dots(part["copies"], part["reconstruction"], SCHEMES[scheme], f"{scheme}, measured", size=5))
    layers.append(level(table["limit"].iloc[0]))
    return panel(layers, x="recipients who collude", y="values reconstructed", shares=True, y_range=(0, 1))


def _cost(table: pd.DataFrame) -> hv.Layout:
    looks = dict(zip(("random", "ascending", "descending"), PALETTE, strict=False))
    size, time = [level(7)], []
    ticks = at(table["copies"])
    for (order, method), part in by_group(table, ["order", "method"]):
        dash = "solid" if method == "multi_pert" else "dotted"
        name = f"{order}, {'history' if method == 'multi_pert' else 'path'}"
        size.append(line(part["copies"], part["values"], looks[order], name, dash))
        time.append(line(part["copies"], 1000 * part["seconds"], looks[order], name, dash))
    return row(
        panel(size, x="copies released", y="values stored a record", log="x", y_range=(0, 8), ticks=ticks),
        panel(time, x="copies released", y="milliseconds a copy", log="x", y_range=(0, None), ticks=ticks),
    )


PLOTS = {
    "xiao/examples": _examples,
    "xiao/fig4": _laws,
    "xiao/fig5": _worst_belief,
    "xiao/fig6": _worst_law,
    "xiao/fig7": _reconstruction,
    "xiao/fig8": _cost,
}
