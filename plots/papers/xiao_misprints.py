"""Plots of Xiao, Tao and Chen 2009: what is misprinted or wrong."""

import holoviews as hv
import pandas as pd

from trustscope.plots.elements import PALETTE, at, by_group, dots, line, panel, whiskers
from trustscope.plots.papers.compared import compare


def _corruption(table: pd.DataFrame) -> hv.Overlay:
    layers = []
    for (size, part), colour in zip(by_group(table, "size"), PALETTE, strict=False):
        layers += [
            line(part["releases"], part["printed"], colour, f"as printed, {size} values"),
            whiskers(part["releases"], part["printed"], 2 * part["standard_error"], colour),
            dots(part["releases"], part["printed"], colour),
        ]
    whole = table.groupby("releases")["right"].max()
    layers.append(line(whole.index, whole, "#7b8794", "corrected", "dashed"))
    return panel(
        layers,
        x="copies released",
        y="records with a corrupted copy",
        shares=True,
        log="x",
        y_range=(-0.01, None),
        ticks=at(table["releases"]),
    )


PLOTS = {
    "xiao/eq7": lambda table: compare(table, x="values in the domain", y="total probability"),
    "xiao/history": _corruption,
    "xiao/appendix1": lambda table: compare(table, x="from the copy at, to", y="probability"),
}
