"""Privacy against usefulness: what a page's trade-off is made of, whichever page it is.

Usefulness runs along, privacy up; each point is a whole scenario that can be gone to.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from trustscope.scenarios.scenario import Scenario


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
        return self.base.having(self.changes) if self.changes else self.base


@dataclass(frozen=True)
class Line:
    """Points of one kind, such as those of one scheme."""

    name: str
    colour: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Frontier:
    """Where things stand: `done` of `total` points are known.

    `present` lies on one of the lines; it is None while it is not known. `kept` are points of kept scenarios, by name.
    `limit` is the least privacy that is required, where something is; `asked` says what, as a noun.
    """

    private: Measure
    useful: Measure
    lines: tuple[Line, ...]
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
