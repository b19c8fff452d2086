"""A figure over two parameters: what a page's map is made of, whichever page it is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from trustscope import colours, looks
from trustscope.scenarios.cards import Card


@dataclass(frozen=True)
class MapFigure:
    """A share that can be mapped: a word or two for a choice, and what it is in full."""

    text: str
    told: str
    measured: bool = False


@dataclass(frozen=True)
class Axis:
    """A parameter: its key and name, the values along it and how they are written.

    `present` is where the scenario stands, counted in values; None where it has no place here.
    """

    key: str
    name: str
    values: tuple[Any, ...]
    texts: tuple[str, ...]
    present: float | None = None


@dataclass(frozen=True, eq=False)
class Grid:
    """A map: `values` has a row for each value of `upwards`, nan where it is not known yet."""

    figure: MapFigure
    across: Axis
    upwards: Axis
    values: np.ndarray
    done: int = 1
    total: int = 1
    note: str = ""
    limit: float | None = None

    @property
    def here(self) -> tuple[float, float] | None:
        """Where the scenario stands, in columns and rows."""
        across, upwards = self.across.present, self.upwards.present
        return None if across is None or upwards is None else (across, upwards)

    @property
    def complete(self) -> bool:
        """Whether nothing is left to measure."""
        return self.done >= self.total


def along(key: str, name: str, values: Sequence[Any], texts: Callable[[Any], str], present: float | None) -> Axis:
    """An axis, with the place of the present value found between its neighbours."""
    numbers = np.asarray(values, dtype=float)
    place = None
    if present is not None and numbers[0] <= present <= numbers[-1]:
        place = float(np.interp(present, numbers, np.arange(len(numbers))))
    return Axis(key, name, tuple(values), tuple(map(texts, values)), place)


def pair(across: str, upwards: str, offered: Sequence[str]) -> tuple[str, str]:
    """The two parameters that are drawn, of those that can be: never the same twice."""
    first = across if across in offered else offered[0]
    others = [key for key in offered if key != first]
    return first, upwards if upwards in others else others[0]


def table_of(found: Grid, model: Any = None) -> pd.DataFrame:
    """Every place of the map, one below the other, the lowest row first."""
    rows, columns = np.indices(found.values.shape)
    table = pd.DataFrame({
        found.across.name: [found.across.texts[c] for c in columns.ravel()],
        found.upwards.name: [found.upwards.texts[r] for r in rows.ravel()],
        found.figure.told: found.values.ravel(),
    })  # fmt: skip
    return looks.with_looks(table, looks.Looks(
        found.across.name, {found.figure.told: looks.Look(colours.GUESS, mark="area")},
        looks.Axis(found.across.name), looks.Axis(found.upwards.name),
        more={"shape": found.values.shape, "here": found.here, "limit": found.limit},
    ))  # fmt: skip


def map_card(help_text: str) -> Card:
    """The card of a map, which every page has with figures over two parameters."""
    return Card("map", "Map", table_of, plot="charts.heat", help=help_text, live="heatmap", asked=True)
