"""Plots of Giannella, Liu and Kargupta 2009: the attacker who knows some records."""

from collections.abc import Callable

import holoviews as hv
import pandas as pd

from trustscope import colours
from trustscope.plots.elements import by_group, dots, line, panel, row, whiskers

PAPER, BETTER = colours.SCHEMES["independent"], colours.SCHEMES["nested"]


def _plot_known(varied: str, x: str) -> Callable[[pd.DataFrame], hv.Layout]:
    def plot(table: pd.DataFrame) -> hv.Layout:
        breach = [
            line(table[varied], table["breach"], PAPER, "the paper's attacker"),
            whiskers(table[varied], table["breach"], table["breach_sd"], PAPER),
            dots(table[varied], table["breach"], PAPER),
            line(table[varied], table["projection"], BETTER, "the projection attacker", "dashed"),
        ]
        pictures = [panel(breach, x=x, y="breach probability", shares=True, y_range=(0, 1.05))]
        if varied == "known":
            links = [
                line(table[varied], table[varied], colours.NEUTRAL, "all", "dashed"),
                dots(table[varied], table["linked"], BETTER, "linked"),
            ]
            pictures.append(panel(links, x=x, y="inputs linked", y_range=(0, None)))
        return row(*pictures)

    return plot


def _times(table: pd.DataFrame) -> hv.Layout:
    pictures = []
    for name, part in by_group(table, "data"):
        layers = [
            line(part["rows"], 1000 * part["fastest"], BETTER),
            dots(part["rows"], 1000 * part["fastest"], BETTER),
        ]
        pictures.append(panel(layers, x=f"{name}: rows", y="milliseconds to link", y_range=(0, None)))
    return row(*pictures)


PLOTS = {
    "giannella/fig1": _plot_known("known", "known records"),
    "giannella/fig2": _plot_known("known", "known records"),
    "giannella/fig3": _plot_known("eps", "error that counts as a breach"),
    "giannella/fig4": _times,
}
