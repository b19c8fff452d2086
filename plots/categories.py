"""The plots of the Categories page that no other page has."""

import holoviews as hv
import numpy as np
import pandas as pd

from trustscope import colours
from trustscope.looks import looks_of
from trustscope.plots import elements as e
from trustscope.plots.charts import bars, curves

MOST = 12  # values of one person that are drawn: those that are believed most


def person(table: pd.DataFrame) -> hv.Overlay:
    """How far each value of one person is believed; the true one says so."""
    last = list(looks_of(table).series)[-1]
    seen = table.iloc[np.argsort(-table[last].to_numpy(), kind="stable")[:MOST]]
    names = [f"{name} (true)" if true else str(name) for name, true in zip(seen["value"], seen["true"], strict=True)]
    return bars(seen.assign(value=names))


def path(table: pd.DataFrame) -> hv.Overlay:
    """The way of one value from full trust to little, and where each recipient reads it."""
    values = list(dict.fromkeys(table["value"]))
    rows = {value: place for place, value in enumerate(values)}
    way = table[table["what"].str.startswith("the path") | (table["what"] == "true value")]
    at = [*way["trust in per cent"].sort_values(ascending=False), 0.0]
    codes = [rows[value] for value in way.sort_values("trust in per cent", ascending=False)["value"]]
    layers = [e.segments(at[:-1], codes, at[1:], codes, colours.NEUTRAL, "the path", 3)] if len(way) > 1 else []
    given = table[table["what"].str.startswith("given to")]
    for place, row in enumerate(given.to_dict("records")):
        where = [row["trust in per cent"]], [rows[row["value"]]]
        layers.append(e.dots(*where, colours.recipient(place), row["what"], 10))
    layers.append(e.dots([100], [rows[values[0]]], colours.GUESS, "true value", 10, marker="diamond"))
    return e.rows(values, layers, x="trust in per cent", top=104)


def promises(table: pd.DataFrame) -> hv.Overlay:
    """What every belief can become, in the worst case."""
    return curves(looks_of(table).more["curves"])
