"""The plots of the papers' experiments, by the ids of the experiments."""

from importlib import import_module
from typing import Any

import pandas as pd

_MODULES = (
    "giannella", "giannella_misprints", "giannella_samples", "huang", "huang_misprints", "li", "li_data",
    "li_misprints", "li_use", "xiao", "xiao_misprints", "zhang", "zhang_misprints",
)  # fmt: skip


def plot(id: str, table: pd.DataFrame) -> Any:
    """The plot of an experiment's table, as a HoloViews element; no other paper's plots are imported for it."""
    paper = id.partition("/")[0]
    for name in _MODULES:
        if name.partition("_")[0] == paper:
            made = import_module(f"trustscope.plots.papers.{name}").PLOTS
            if id in made:
                return made[id](table)
    raise KeyError(f"There is no plot of an experiment called {id!r}.")


def experiment(table: pd.DataFrame) -> Any:
    """The plot of a table that says whose it is, as the table of a card does."""
    return plot(table.attrs["experiment"], table)
