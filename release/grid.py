"""The grid that released numbers are rounded to, and what rounding can cost.

All 53 bits of a double say more than the number: low bits depend on how the noise was added, and have given data
away (Mironov 2012; Jin et al. 2022; Haney et al. 2022). A released number is a whole multiple of a declared grid g,
computed from that whole number alone.

What rounding costs. Let Y be the best unrounded copy of a coalition, E = s / (1 + s) the error of its best linear
estimate in units of the variance sigma^2, w = 1 / (1 + s) the weight, R(Y_1), R(Y_2), ... the rounded copies.

1. Whoever had Y could make all R(Y_i) of the coalition: the path beyond Y is noise independent of the data. So no
   estimator does better on the rounded copies than on Y: the promise E holds for every coalition, rounded or not.
2. Alone, R(Y) = Y + e with |e| <= g / 2, so the linear estimate that is best for Y has on R(Y) an error of at most
   (sqrt(E) + w g / (2 sigma))^2, by the triangle inequality for root mean squares.

What pooling rounded copies can gain over the best rounded copy alone is therefore at most the difference,

    w gamma sqrt(E) + w^2 gamma^2 / 4,   gamma = g / sigma,

in units of the variance. For a grid that is fine beside the noise, e is nearly uniform and independent of Y, and the
difference nearly w^2 gamma^2 / 12.
"""

import math
from fractions import Fraction

import numpy as np

from trustscope.engine.arrays import Floats
from trustscope.release.problems import Problem

MOST_DECIMALS = 6
# Where values have no decimals in common: at most so many steps of the grid to a standard deviation.
STEPS = 1_000


class Grid:
    """The whole multiples of a step.

    Parameters
    ----------
    step : str, int, float or Fraction
        A whole number, or one over a whole number: 10, 1, 0.25, "0.01", "1/3".

    Attributes
    ----------
    text : str
        The step, exactly.
    whole : bool
        Whether all multiples are whole numbers.
    """

    def __init__(self, step: str | float | Fraction) -> None:
        try:
            exact = Fraction(str(step))
        except (ValueError, ZeroDivisionError):
            raise Problem(f"A grid must be a positive number such as 10, 1 or 0.01, not {step!r}.") from None
        if exact <= 0 or 1 not in (exact.numerator, exact.denominator) or max(exact.as_integer_ratio()) > 2**53:
            raise Problem(
                f"A grid must be a whole number or one over a whole number, such as 10, 1 or 0.01, not {step}."
            )
        decimal = f"{float(exact):.15g}"
        self.text = decimal if Fraction(decimal) == exact else str(exact)
        self.step = float(exact)
        self.whole = exact.denominator == 1
        self._times, self._over = float(exact.numerator), float(exact.denominator)

    def round(self, values: Floats) -> Floats:
        """Values rounded to the grid, in place (half to even): a quotient of two whole numbers."""
        values *= self._over
        values /= self._times
        np.rint(values, out=values)
        values *= self._times
        values /= self._over
        return values


@np.errstate(over="ignore", invalid="ignore")  # what is infinite when scaled has no decimals to count
def decimals(values: Floats) -> int | None:
    """How many decimals all values have at most, or None for more than `MOST_DECIMALS`."""
    for count in range(MOST_DECIMALS + 1):
        scaled = values * 10.0**count
        # The nearest double to a decimal number is off by half a unit in its last place, before and after scaling.
        if np.all(np.abs(scaled - np.rint(scaled)) <= 4 * np.finfo(float).eps * np.maximum(np.abs(scaled), 1)):
            return count
    return None


def derive_grid(count: int | None, deviation: float) -> Grid:
    """The grid for values with `count` decimals (None: too many to count) and a standard deviation."""
    if count is not None:
        return Grid(Fraction(1, 10**count))
    exponent = math.floor(math.log10(deviation / STEPS))
    return Grid(Fraction(10) ** exponent)


def cost(grid: Grid, deviation: float, level: float) -> float:
    """Most that pooling rounded copies gains over the best rounded one, in units of the variance.

    Parameters
    ----------
    grid : Grid
    deviation : float
        Standard deviation of the column.
    level : float
        Noise level s of the coalition's best copy.
    """
    w, gamma = 1 / (1 + level), grid.step / deviation
    return w * gamma * math.sqrt(level / (1 + level)) + (w * gamma) ** 2 / 4


def usual_cost(grid: Grid, deviation: float, level: float) -> float:
    """What rounding costs where the grid is fine beside the noise, in units of the variance."""
    return (grid.step / deviation / (1 + level)) ** 2 / 12
