"""How a table is shown, wherever it is drawn: what every room may know beside the colours.

The table of a card carries its looks, so that the live view on a page, the plot in a notebook and the one on paper
cannot differ in series, colours, dashes, names or limits. Nothing is drawn here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, floor
from typing import TYPE_CHECKING, Any

from trustscope import colours, schemes

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

_KEY = "looks"  # in the attributes of a table


@dataclass(frozen=True)
class Look:
    """How one column is drawn.

    Attributes
    ----------
    colour : str
    name : str
        What the legend calls it; empty where the column's own name will do.
    dash : str
        solid, dashed, dotted or dotdash: lines can be told apart without colours.
    width : float
        In pixels of a screen.
    mark : str
        What is drawn: line, points (a line with dots), dot, area, block (a bar), or hollow (an empty dot).
    marker : str
        The shape of a dot: circle, triangle, square or diamond.
    hatch : str
        What fills a bar on paper, as Matplotlib writes it; nothing: the colour alone.
    """

    colour: str
    name: str = ""
    dash: str = "solid"
    width: float = 2.0
    mark: str = "line"
    marker: str = "circle"
    hatch: str = ""


# What tells the bars and dots of schemes apart in black and white.
_SHAPES = {"independent": ("triangle", "////"), "proportional": ("square", "...."), "nested": ("circle", "")}
_OTHER_SHAPE = ("diamond", "xxxx")


def of_schemes(names: Iterable[str]) -> dict[str, Look]:
    """The looks of these schemes by name, in the one order in which they stand everywhere: nested last."""
    looks = {}
    for name in sorted(names, key=lambda name: (name == "nested", schemes.of(name).rank)):
        record, (marker, hatch) = schemes.of(name), _SHAPES.get(name, _OTHER_SHAPE)
        looks[name] = Look(
            record.colour, schemes.adjective(name), record.dash, mark="block", marker=marker, hatch=hatch
        )
    return looks


@dataclass(frozen=True)
class Axis:
    """One axis: its name, whether figures are shares (read in per cent), its scale, its ends and its ticks.

    An end that is None is left to the data.
    """

    label: str = ""
    share: bool = False
    log: bool = False
    low: float | None = None
    high: float | None = None
    ticks: tuple[float, ...] = ()

    @property
    def ends(self) -> tuple[float, float]:
        """Both ends, for a view that does not look for them in the data."""
        if self.low is None or self.high is None:
            raise ValueError("This axis has no ends of its own: its data say them.")
        return self.low, self.high


@dataclass(frozen=True)
class Mark:
    """A line from side to side at one figure, and what the legend calls it."""

    value: float
    name: str = ""
    colour: str = colours.NEUTRAL
    dash: str = "dashed"


@dataclass(frozen=True)
class Looks:
    """How a table is drawn.

    Attributes
    ----------
    at : str or (str, str)
        The column with the places, or with the names of the rows; or the two with the ends of bins.
    series : mapping of column to Look
        What is drawn over these places, in this order.
    x, y : Axis
    levels, uprights : tuple of Mark
        Lines across the plot, and lines from its bottom to its top.
    band : (low, high, name) or None
        Heights between which the ground is grey.
    more : mapping
        What one kind of plot needs and no other.
    """

    at: str | tuple[str, str]
    series: Mapping[str, Look]
    x: Axis = Axis()
    y: Axis = Axis()
    levels: tuple[Mark, ...] = ()
    uprights: tuple[Mark, ...] = ()
    band: tuple[float, float, str] | None = None
    more: Mapping[str, Any] = field(default_factory=dict)

    def __deepcopy__(self, memo: dict[int, Any]) -> Looks:
        """Itself: pandas copies the attributes of a table with every column that is taken out of it."""
        return self

    def named(self) -> Iterator[tuple[str, str, Look]]:
        """(column, name, look) of every series."""
        for column, look in self.series.items():
            yield column, look.name or column, look

    def legend(self) -> list[tuple[str, str, str]]:
        """(name, colour, mark) of all that is drawn, as the legend of a card shows it."""
        entries = {name: (name, look.colour, _shown(look)) for _, name, look in self.named()}
        if self.band is not None and self.band[2]:
            entries[self.band[2]] = (self.band[2], colours.NEUTRAL, "area")
        for name, colour, *_ in self.more.get("dots", ()):
            entries[name] = (name, colour, "dot")
        marks = {mark.name: (mark.name, mark.colour, mark.dash) for mark in (*self.levels, *self.uprights) if mark.name}
        return [*entries.values(), *marks.values()]


@dataclass(frozen=True, eq=False)
class Columns:
    """What is drawn while something is dragged: plain columns, and how.

    Pandas takes longer to make a table of them than they take to be drawn: whoever takes them along makes it.
    """

    values: Mapping[str, Any]  # sequences or arrays of one length
    looks: Looks

    def __len__(self) -> int:
        """How many rows there are."""
        return len(next(iter(self.values.values()), ()))

    def __getitem__(self, name: str) -> Any:
        """One column."""
        return self.values[name]

    def table(self) -> pd.DataFrame:
        """The table, with its looks; without columns one that says nothing."""
        import pandas as pd

        return with_looks(pd.DataFrame(self.values), self.looks) if self.values else pd.DataFrame()


NOTHING = Columns({}, Looks("", {}))


def _shown(look: Look) -> str:
    if look.mark in ("line", "points"):
        return "line" if look.dash == "solid" else look.dash
    return look.mark


def with_looks(table: pd.DataFrame, looks: Looks) -> pd.DataFrame:
    """The same table, which now says how it is drawn."""
    table.attrs[_KEY] = looks
    return table


def looks_of(table: pd.DataFrame | Columns) -> Looks:
    """How a table is drawn; one that does not say it has its first column as places and lines over them."""
    if isinstance(table, Columns):
        return table.looks
    looks: Looks | None = table.attrs.get(_KEY)
    if looks is not None:
        return looks
    first, *others = map(str, table.columns)
    numbers = [name for name in others if table[name].dtype.kind in "fiu"]
    series = {name: Look(colours.recipient(place)) for place, name in enumerate(numbers)}
    return Looks(first, series, Axis(first))


def row_names(table: pd.DataFrame) -> list[str]:
    """What the rows of a table are called where they are drawn; the table itself may have plainer names."""
    looks = looks_of(table)
    return list(looks.more.get("rows", table[looks.at].astype(str)))[: len(table)]


def joining_names(names: Sequence[str]) -> list[str]:
    """Who joins whom: "Ministry", "+ Press". A row is of all who have joined, which a bare name would not say."""
    return [f"{'+ ' if place else ''}{name}" for place, name in enumerate(names)]


def changed(table: pd.DataFrame, **changes: Any) -> pd.DataFrame:
    """The table with other looks in some respects; the one that was given keeps its own."""
    other = table.copy(deep=False)
    return with_looks(other, replace(looks_of(table), **changes))


def places(table: pd.DataFrame | Columns) -> Any:
    """Where the rows of a table stand: at the places that it says, or in the middle of its bins."""
    looks = looks_of(table)
    first, second = (looks.at, looks.at) if isinstance(looks.at, str) else looks.at
    where = table[first] if first == second else (table[first] + table[second]) / 2
    # An axis that grows tenfold from tick to tick has no 0: what lies before its beginning stands there.
    return where.clip(looks.more["from"]) if "from" in looks.more else where


def shade_ends(values: np.ndarray, steps: int = 10) -> tuple[float, float]:
    """What the darkest and the lightest shade of shares stand for: round ones around all that is known."""
    known = values[values == values]
    if not known.size:
        return 0.0, 1.0
    low, high = floor(steps * known.min() + 1e-9) / steps, ceil(steps * known.max() - 1e-9) / steps
    return (low, high) if high > low else (low, low + 1 / steps)
