"""Plots of Li, Chen, Li and Zhang 2012: collusion."""

import holoviews as hv
import pandas as pd

from trustscope import colours
from trustscope.plots.elements import by_group, line, panel, row

SCHEMES = colours.SCHEMES

ATTACKERS = {"perfect": "solid", "structured": "dashed", "raw": "dotted"}


def _collusion(table: pd.DataFrame) -> hv.Layout:
    known = table.loc[table["sample"] > 0, "sample"]
    fewest, most = known.min(), known.max()  # the claim about whose curve flattens concerns the smallest sample
    pictures = []
    for attribute, part in by_group(table, "attribute"):
        layers = []
        for scheme, colour in list(SCHEMES.items())[:2]:
            for attacker, dash in ATTACKERS.items():
                rows = part[(part["scheme"] == scheme) & (part["attacker"] == attacker)]
                for sample in {"perfect": (0,), "structured": (fewest,)}.get(attacker, sorted({fewest, most})):
                    name = f"{scheme}, {attacker}" + (f", n = {sample}" if sample else "")
                    some = rows[rows["sample"] == sample]
                    layers.append(
                        line(some["copies"], some["error"], colour, name, dash, 1.2 if sample == most else 2.0)
                    )
        pictures.append(panel(layers, x="copies held", y="normalised error", title=attribute, y_range=(0, 0.5)))
    return row(*pictures)


def _distributions(table: pd.DataFrame) -> hv.Layout:
    dashes = dict(zip(sorted(table["copies"].unique()), ("dotted", "dashed", "dashed", "solid"), strict=False))
    pictures = []
    for attribute, part in by_group(table, "attribute"):
        layers = [
            line(rows["right"], rows["cumulative"], SCHEMES[scheme], f"{scheme}, {copies} copies", dashes[copies],
                 width=2.5 if copies == max(dashes) else 1.5)
            for (scheme, copies), rows in by_group(part, ["scheme", "copies"])
        ]  # fmt: skip
        title = f"{attribute}: guesses within this error"
        pictures.append(panel(layers, x="error", y="share", title=title, shares=True, y_range=(0, 1)))
    return row(*pictures)


PLOTS = {
    "li/fig2": _collusion,
    "li/fig3": _distributions,
}
