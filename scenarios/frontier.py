"""Privacy against usefulness: what a page's trade-off is made of, whichever page it is.

Usefulness runs along, privacy up; each point is a whole scenario that can be gone to.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from trustscope import colours
from trustscope.looks import Axis, Look, Looks, Mark, with_looks
from trustscope.scenarios.cards import Card
from trustscope.scenarios.coalition import Recipient
from trustscope.scenarios.scenario import Scenario

HERE = "you are here"


@dataclass(frozen=True)
class Measure:
    """One measure of privacy or of usefulness.

    Attributes
    ----------
    text, tip : str
        A word or two for a choice, and a line of explanation.
    axis : str
        What stands at the axis.
    share : bool
        Whether figures are shares.
    log, less : bool
        Whether equal ratios are equally far apart, and whether less is better.
    measured : bool
        Whether something must be drawn or trained: it is then made step by step, when nothing moves.
    """

    text: str
    axis: str
    tip: str = ""
    share: bool = True
    log: bool = False
    less: bool = False
    measured: bool = False


@dataclass(frozen=True)
class Point:
    """One scenario: how useful, how private, and its parameters in words.

    `base` with these `changes` is the scenario: a curve has many points, and few of them are gone to.
    """

    useful: float
    private: float
    text: str
    base: Scenario
    changes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def scenario(self) -> Scenario:
        """The scenario to go to."""
        return self.base.replace(self.changes) if self.changes else self.base


@dataclass(frozen=True)
class TradeoffLine:
    """Points of one kind, such as those of one scheme."""

    name: str
    colour: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Limit:
    """A limit as a share of what is drawn, and the requirement that it belongs to, as a noun."""

    value: float
    asked: str


@dataclass(frozen=True)
class Frontier:
    """Where things stand: `done` of `total` points are known.

    `present` lies on one of the lines; it is None while it is not known. `kept` are points of kept scenarios, by name.
    `limit` is the least privacy that is required, where something is; `asked` says what, as a noun.
    """

    private: Measure
    useful: Measure
    lines: tuple[TradeoffLine, ...]
    present: Point | None
    kept: Sequence[tuple[str, Point]] = ()
    done: int = 1
    total: int = 1
    note: str = ""
    limit: float | None = None
    asked: str = ""

    @property
    def complete(self) -> bool:
        """Whether nothing is left to measure."""
        return self.done >= self.total

    def with_limit(self, limit: Limit | None) -> "Frontier":
        """The same with the limit of a requirement, where there is one."""
        return self if limit is None else replace(self, limit=limit.value, asked=limit.asked)


def members_in_words(who: Sequence[Recipient]) -> str:
    """Those who pool, or all where nobody does, with their trusts, the most trusted first."""
    members = sorted([r for r in who if r.member] or who, key=lambda r: -r.trust)
    trusts = ", ".join(f"{r.name} {r.trust} %" for r in members[:4])
    return trusts + (f" and {len(members) - 4} more" if len(members) > 4 else "")


def table_of(found: Frontier, model: Any = None) -> pd.DataFrame:
    """Every point of every line, then the present one and those of kept scenarios."""
    points = [(line.name, point) for line in found.lines for point in line.points] + list(found.kept)
    points += [] if found.present is None else [(HERE, found.present)]
    x, y = found.useful, found.private
    table = pd.DataFrame([(name, p.text, p.useful, p.private) for name, p in points],
                         columns=["line", "point", x.axis, y.axis])  # fmt: skip
    spots = {name: Look(colours.NEUTRAL, mark="hollow") for name, _ in found.kept}
    lines = {line.name: Look(line.colour, dash=dash) for line, dash in zip(found.lines, _dashes(), strict=False)}
    limit = () if found.limit is None else (Mark(found.limit, "the target's"),)
    return with_looks(table, Looks(
        "line", lines | spots | {HERE: Look(colours.GUESS, mark="dot")},
        _axis(x, table[x.axis]), _axis(y, [*table[y.axis], *(mark.value for mark in limit)]), levels=limit,
        more={"backwards": (x.less, y.less)},
    ))  # fmt: skip


def _dashes() -> Iterator[str]:
    yield from ("solid", "dashed", "dotted", "dotdash", *["solid"] * 8)


def _axis(measure: Measure, values: Any) -> Axis:
    """The axis over these figures, with some air; those that are not finite are left out."""
    values = np.asarray(values, dtype=float)
    values = values[np.isfinite(values) & ((values > 0) | (not measure.log))]
    values = np.log10(values) if measure.log else values
    low, high = (values.min(), values.max()) if len(values) else (0.0, 1.0)
    air = 0.05 * (high - low) or 0.05 * abs(high) or 0.5
    low, high = low - air, high + air
    if measure.share and not measure.log:
        low, high = max(low, 0.0), min(high, 1.0)
    low, high = (10.0**low, 10.0**high) if measure.log else (low, high)
    return Axis(measure.axis, measure.share, measure.log, float(low), float(high))


def frontier_card(help_text: str) -> Card:
    """The card of a trade-off, which every page has that knows of two measures."""
    return Card("tradeoff", "Trade-off", table_of, plot="charts.tradeoff", help=help_text, live="tradeoff", asked=True)
