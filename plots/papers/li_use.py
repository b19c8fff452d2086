"""Plots of Li, Chen, Li and Zhang 2012: what copies are good for, and what they cost."""

import holoviews as hv
import pandas as pd

from trustscope import colours
from trustscope.plots.elements import by_group, dots, line, panel, row

SCHEMES = colours.SCHEMES


def _accuracy(table: pd.DataFrame) -> hv.Layout:
    pictures = []
    looks = {"tree": "solid", "svm": "dashed"}
    for name, part in by_group(table, "data"):
        layers = []
        for (scheme, model), rows in by_group(part[part["scheme"] != "original"], ["scheme", "model"]):
            mean = rows.groupby("level")["accuracy"].mean()
            layers.append(line(mean.index, mean, SCHEMES[scheme], f"{scheme}, {model}", looks[model]))
            layers.append(dots(mean.index, mean, SCHEMES[scheme]))
        title = name.split(",")[0]
        pictures.append(panel(layers, x="noise s", y="accuracy", title=title, shares=True, y_range=(0.4, 1)))
    return row(*pictures)


def _runtime(table: pd.DataFrame) -> hv.Layout:
    looks = dict(zip(("algorithm 3", "bridge", "independent"), ("#a23b9b", *list(SCHEMES.values())[:2]), strict=True))
    pictures = []
    for share, part in by_group(table, "share"):
        layers = []
        for method, colour in looks.items():
            rows = part[part["method"] == method]
            layers += [line(rows["copies"], 1000 * rows["fastest"], colour, method),
                       dots(rows["copies"], 1000 * rows["fastest"], colour)]  # fmt: skip
        pictures.append(panel(layers, x="copies in all", y="milliseconds", title=f"L = {share}", y_range=(0, None)))
    return row(*pictures)


PLOTS = {
    "li/fig4": _accuracy,
    "li/fig5": _runtime,
}
