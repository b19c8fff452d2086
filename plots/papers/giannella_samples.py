"""Plots of Giannella, Liu and Kargupta 2009: the attacker who has a sample from the same law."""

from collections.abc import Callable

import holoviews as hv
import pandas as pd

from trustscope import colours
from trustscope.plots.elements import at, by_group, dots, line, panel, row, whiskers
from trustscope.plots.papers.giannella import BETTER, PAPER

METHODS = {"paper": (PAPER, "as in the paper"), "improved": (BETTER, "improved")}


def _plot_sampled(varied: str, x: str, log: str = "") -> Callable[[pd.DataFrame], hv.Layout]:
    def plot(table: pd.DataFrame) -> hv.Layout:
        pictures = []
        for eps, part in by_group(table, "eps"):
            layers = []
            for method, rows in by_group(part, "method"):
                colour, name = METHODS[method]
                layers += [
                    line(rows[varied], rows["breach"], colour, name),
                    whiskers(rows[varied], rows["breach"], 2 * rows["standard_error"], colour, within=(0, 1)),
                    dots(rows[varied], rows["breach"], colour),
                ]
            if "guessed" in part:
                guessed = part[part["method"] == "paper"]
                layers.append(line(guessed[varied], guessed["guessed"], colours.NEUTRAL, "signs guessed", "dashed"))
            title = f"within {100 * eps:g} %"
            ticks = at(table[varied]) if log else None
            pictures.append(
                panel(
                    layers,
                    x=x,
                    y="records breached",
                    title=title,
                    shares=True,
                    y_range=(-0.02, 1.05),
                    log=log,
                    ticks=ticks,
                )
            )
        return row(*pictures)

    return plot


PLOTS = {
    "giannella/fig5": _plot_sampled("sample", "records in the sample", "x"),
    "giannella/fig6": _plot_sampled("share", "sample, share of the data"),
    "giannella/fig7": _plot_sampled("share", "sample, share of the data"),
    "giannella/fig8": _plot_sampled("ratio", "ratio of the closest eigenvalues"),
    "giannella/fig9": _plot_sampled("mean", "mean"),
    "giannella/fig10": _plot_sampled("share", "sample, share of the data", "x"),
    "giannella/fig11": _plot_sampled("share", "sample, share of the data", "x"),
}
