"""Steps that are taken before noise is added: plain values, each a pure function of a column.

Noise in proportion to a column's variance hides the many and not the few: somebody ten standard deviations away from
everybody else is recognised under it. Coding the ends, a logarithm and rounding bring such people nearer to others;
their own values are then released to nobody. Gaps (nan) stay gaps.

=============  ===============================================  ==============================
top, bottom    min(x, b) or max(x, b), b a value or a quantile  none: what is beyond b is lost
logarithm      sign(x) ln(1 + |x| / unit)                       sign(y) unit (e^|y| - 1)
round          the nearest multiple of a grid                   none
categories     no number any more: released as a category       none
drop           not released at all                              none
=============  ===============================================  ==============================
"""

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from trustscope.engine.arrays import ArrayLike, Floats
from trustscope.errors import TrustscopeError

ACTIONS = ("top", "bottom", "logarithm", "round", "categories", "drop")
CODING = ("top", "bottom")


def bound(column: ArrayLike, share: float, side: str = "top") -> float:
    """A value of the column that at least this share of its values reach or pass, at the top or at the bottom.

    Parameters
    ----------
    column : array-like, shape (rows,)
    share : float
        Above 0 and below 1.
    side : {"top", "bottom"}
    """
    values = np.asarray(column, dtype=float)
    values = values[~np.isnan(values)]
    if not values.size:
        raise TrustscopeError("A column without values has no quantiles.")
    if side not in CODING:
        raise TrustscopeError(f"The side must be one of {', '.join(CODING)}, not {side!r}.")
    if not 0 < share < 1:
        raise TrustscopeError("The share that is coded lies between 0 and 1, without being either.")
    place = int(np.ceil(share * len(values))) - 1
    if side == "top":
        place = len(values) - 1 - place
    return float(np.partition(values, place)[place])


def logarithm(column: ArrayLike, unit: float = 1.0) -> Floats:
    """sign(x) ln(1 + |x| / unit): near 0 as x / unit, far out as a logarithm, for negative values too."""
    x = np.asarray(column, dtype=float)
    y: Floats = np.copysign(np.log1p(np.abs(x) / unit), x)
    return y


def exponential(column: ArrayLike, unit: float = 1.0) -> Floats:
    """The inverse of `logarithm`."""
    y = np.asarray(column, dtype=float)
    x: Floats = np.copysign(unit * np.expm1(np.abs(y)), y)
    return x


def rounded(column: ArrayLike, grid: float) -> Floats:
    """The nearest multiples of `grid`; of two that are equally near the even one."""
    x = np.asarray(column, dtype=float)
    # A multiple of 0.1 is to be 0.3 and not 0.30000000000000004, so that equal values stay equal.
    places = max(0, int(12 - np.floor(np.log10(max(float(np.nanmax(np.abs(x), initial=0)), grid)))))
    return np.round(np.round(x / grid) * grid, places) + 0.0


@dataclass(frozen=True)
class Step:
    """One step for one column.

    Attributes
    ----------
    action : str
        Of `ACTIONS`.
    limit : float or None
        Where the ends are coded; None: at the quantile that `share` names.
    share : float or None
        The share of values that are coded.
    unit : float
        Of a logarithm: what is small.
    grid : float
        Of rounding.
    """

    action: str
    limit: float | None = None
    share: float | None = None
    unit: float = 1.0
    grid: float = 1.0

    def __post_init__(self) -> None:
        if self.action not in ACTIONS:
            raise TrustscopeError(f"A step must be one of {', '.join(ACTIONS)}, not {self.action!r}.")
        if self.action in CODING and self.limit is None and self.share is None:
            raise TrustscopeError("Coding the end of a column needs a value or a share.")
        for name, value in (("unit", self.unit), ("grid", self.grid)):
            if not (np.isfinite(value) and value > 0):
                raise TrustscopeError(f"The {name} must be a finite number above 0, but it is {value:g}.")
        if self.limit is not None and not np.isfinite(self.limit):
            raise TrustscopeError("Ends are coded at a finite value.")
        if self.share is not None and not 0 < self.share < 1:
            raise TrustscopeError("The share that is coded lies between 0 and 1, without being either.")

    @property
    def keeps_numbers(self) -> bool:
        """Whether the column is a column of numbers afterwards."""
        return self.action not in ("categories", "drop")

    @property
    def can_be_undone(self) -> bool:
        """Whether `undo` gives the values back."""
        return self.action == "logarithm"

    def settled(self, column: ArrayLike) -> "Step":
        """The same step with the bound itself, for a ledger: another table would have another quantile."""
        if self.action not in CODING or self.limit is not None:
            return self
        assert self.share is not None  # one of the two is there
        return replace(self, limit=bound(column, self.share, self.action))

    def apply(self, column: ArrayLike) -> Floats:
        """The column after this step, shape (rows,)."""
        x = np.asarray(column, dtype=float)
        match self.action:
            case "top":
                return np.minimum(x, self.settled(x).limit)  # type: ignore[arg-type]
            case "bottom":
                return np.maximum(x, self.settled(x).limit)  # type: ignore[arg-type]
            case "logarithm":
                return logarithm(x, self.unit)
            case "round":
                return rounded(x, self.grid)
        raise TrustscopeError(f"A column has no numbers after the step {self.action!r}.")

    def undo(self, column: ArrayLike) -> Floats:
        """The values before this step, where it has an inverse."""
        if not self.can_be_undone:
            raise TrustscopeError(f"The step {self.action!r} cannot be undone: what it takes away is gone.")
        return exponential(column, self.unit)

    def record(self) -> dict[str, Any]:
        """As plain values; `Step(**record)` is the step again."""
        return asdict(self)
