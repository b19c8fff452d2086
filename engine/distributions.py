"""The distribution of data, reconstructed from values that noise was added to.

Notation: y = x + r, with the law of r known. The density of x stands on a grid as shares f_g; c_b is the share
of the released values in the bin around grid point b, and K_bg the chance that x at point g is released in bin
b (exact for the bin, not the density at its centre). The iterative Bayes reconstruction,

    f_g <- f_g sum_b c_b K_bg / (K f)_b,

is the EM algorithm for the shares: every step raises the likelihood of what was released. It starts at the
normal law with the mean and variance that the released values imply (from equal shares, noise larger than the
data would take thousands of steps to contract), and stops when a step raises the mean log-likelihood of a value
by less than `TOLERANCE`, or after `MOST_STEPS` steps. Stopping is part of the estimate: the shares that EM would
reach in the end are a few spikes.

Grids are laid in units of the noise's standard deviation, so that all columns (or classes) share one kernel
and a step is a product of two matrices, however many rows there are.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import ndtr

from trustscope.engine.arrays import ArrayLike, Bools, Floats, Integers
from trustscope.engine.tables import as_table
from trustscope.errors import TrustscopeError

LAWS = ("gaussian", "uniform")
TOLERANCE = 1e-5
MOST_STEPS = 500
# Steps of the grid, in standard deviations of the noise; the fine one is for data that spread less than the noise.
COARSE, FINE = 1 / 4, 1 / 16
# A wider grid would tell no more: values hundreds of noise deviations apart say nothing of each other.
MOST_POINTS = 2_048
# Kernels of more points are stored as sparse matrices, because they are mostly zeros.
_DENSE = 384
# Normal noise further than this many standard deviations from its mean is neglected.
_REACH = 8.0
# Weight of equal shares in the start, so that no value is impossible, however far it lies from a normal law.
_UNIFORM = 1e-3


@dataclass(frozen=True, eq=False)
class Distribution:
    """Shares on a regular grid.

    Attributes
    ----------
    points : numpy.ndarray, shape (G,)
    shares : numpy.ndarray, shape (G,)
        Sum to 1.
    steps : int
        Steps taken.
    converged : bool
        Whether the stop rule was met, not the limit on steps.
    log_likelihood : float
        Mean over the released values, of their bins.
    """

    points: Floats
    shares: Floats
    steps: int = 0
    converged: bool = True
    log_likelihood: float = float("nan")

    @property
    def mean(self) -> float:
        """Mean of the distribution."""
        return float(self.shares @ self.points)

    @property
    def variance(self) -> float:
        """Variance of the distribution."""
        return float(self.shares @ (self.points - self.mean) ** 2)

    @property
    def cumulative(self) -> Floats:
        """Share of values up to each point, shape (G,)."""
        return np.asarray(np.minimum(np.cumsum(self.shares), 1.0))

    @property
    def density(self) -> Floats:
        """Shares over the step of the grid, shape (G,)."""
        return self.shares / (self.points[1] - self.points[0] if len(self.points) > 1 else 1.0)


def reconstruct(
    released: ArrayLike,
    noise_variance: float,
    noise_mean: float = 0.0,
    *,
    law: str = "gaussian",
    tolerance: float = TOLERANCE,
    most_steps: int = MOST_STEPS,
) -> Distribution:
    """The distribution of x from released values of x + r.

    Parameters
    ----------
    released : array-like, shape (rows,)
    noise_variance : float
        Variance of r. With none there is nothing to reconstruct: the histogram is returned.
    noise_mean : float
    law : {"gaussian", "uniform"}
        Law of r.
    tolerance : float
        Stop when a step raises the mean log-likelihood by less.
    most_steps : int

    Returns
    -------
    Distribution
    """
    everyone = np.zeros(np.size(released), dtype=int)
    (found,) = reconstruct_by_class(
        released, everyone, noise_variance, noise_mean, law=law, tolerance=tolerance, most_steps=most_steps
    ).values()
    return found


def reconstruct_by_class(
    released: ArrayLike,
    classes: ArrayLike,
    noise_variance: float,
    noise_mean: float = 0.0,
    *,
    law: str = "gaussian",
    tolerance: float = TOLERANCE,
    most_steps: int = MOST_STEPS,
) -> dict[Hashable, Distribution]:
    """The distribution of x in every class, all on one grid and at once.

    Parameters
    ----------
    released : array-like, shape (rows,)
    classes : array-like, shape (rows,)
        The class of every row, not perturbed.
    noise_variance, noise_mean, law, tolerance, most_steps
        As in `reconstruct`.

    Returns
    -------
    dict
        From class to `Distribution`, classes in sorted order.
    """
    values = _values(released) - float(noise_mean)
    names, codes = np.unique(np.asarray(classes), return_inverse=True)
    if codes.shape != values.shape:
        raise TrustscopeError(f"There are {values.size:,} values but {codes.size:,} classes.")
    (found,) = _fitted([_binned(values, codes, noise_variance)], names.tolist(), law, tolerance, most_steps)
    return found


def reconstruct_columns(
    released: ArrayLike, classes: ArrayLike, noise_variances: ArrayLike, *, law: str = "gaussian"
) -> list[dict[Hashable, Distribution]]:
    """`reconstruct_by_class` for every column of a table, several times faster than column by column.

    Parameters
    ----------
    released : array-like, shape (rows, n)
    classes : array-like, shape (rows,)
    noise_variances : array-like, shape (n,)
    law : {"gaussian", "uniform"}

    Returns
    -------
    list of dict
        For each column, from class to `Distribution`.
    """
    table = np.asarray(released, dtype=float)
    names, codes = np.unique(np.asarray(classes), return_inverse=True)
    if table.ndim != 2 or codes.shape != table.shape[:1] or np.shape(noise_variances) != table.shape[1:]:
        raise TrustscopeError(
            f"Columns are reconstructed from a table with a class for each row and a variance for each column, not "
            f"from one of shape {table.shape} with {codes.size:,} classes and {np.size(noise_variances)} variances."
        )
    binned = [
        _binned(_values(column), codes, v) for column, v in zip(table.T, np.asarray(noise_variances), strict=True)
    ]
    return _fitted(binned, names.tolist(), law, TOLERANCE, MOST_STEPS)


@dataclass(frozen=True, eq=False)
class _Binned:
    """Released values of every class by bin: points of the grid, its step in deviations of the noise, counts."""

    points: Floats
    step: float
    counts: Integers


def _binned(values: Floats, codes: Integers, noise_variance: float) -> _Binned:
    """Lay the grid of one column; its step is infinite where there is no noise."""
    deviation = noise_deviation(noise_variance)
    classes = int(codes.max()) + 1
    centre = values.mean()
    if deviation > 0:
        # The finest that any class asks for.
        spreads = [values[codes == code].var() for code in range(classes)]
        step = deviation * grid_step(np.sqrt(np.min(spreads)), deviation)
    else:
        step = np.ptp(values) / 255 or 1.0
    # Where the noise is tiny beside the range the grid is coarser than it; there is little to reconstruct.
    step = max(step, np.ptp(values) / (MOST_POINTS - 4))
    low, high = grid_range(values.min() - centre, values.max() - centre, step, most=MOST_POINTS * 2)
    bins = np.rint((values - centre) / step).astype(int) - low
    size = high - low + 1
    counts = np.bincount(codes * size + bins, minlength=size * classes)
    points = centre + step * np.arange(low, high + 1)
    return _Binned(points, step / deviation if deviation > 0 else np.inf, counts.reshape(classes, size).T)


def _fitted(
    binned: list[_Binned], names: list[Hashable], law: str, tolerance: float, most_steps: int
) -> list[dict[Hashable, Distribution]]:
    """The distributions of every column; those on grids of one step share a kernel and are fitted together."""
    found: list[dict[Hashable, Distribution]] = [{} for _ in binned]
    together: dict[tuple[float, bool], list[int]] = {}
    for place, one in enumerate(binned):
        # The ratio of two steps is rounded. Large kernels are sparse, and a small one would not be.
        together.setdefault((round(one.step, 9), len(one.points) > _DENSE), []).append(place)
    for (step, _), places in together.items():
        if not np.isfinite(step):
            for place in places:
                shares = binned[place].counts / binned[place].counts.sum(axis=0)
                found[place] = dict(zip(names, (Distribution(binned[place].points, s) for s in shares.T), strict=True))
            continue
        size = max(len(binned[place].points) for place in places)
        counts = np.concatenate([_padded(binned[place].counts, size) for place in places], axis=1)
        start = [_padded(normal_start(binned[place].counts, binned[place].step), size) for place in places]
        chances = kernel(size, binned[places[0]].step, law)
        fit = expectation_maximisation(counts, chances, np.concatenate(start, axis=1), tolerance, most_steps)
        each = zip(fit[0].T, *fit[1:], strict=True)
        for place in places:
            points = binned[place].points
            for name in names:
                shares, steps, converged, likelihood = next(each)
                found[place][name] = Distribution(
                    points, shares[: len(points)], int(steps), bool(converged), float(likelihood)
                )
    return found


def _padded(table: NDArray[Any], rows: int) -> NDArray[Any]:
    """More rows of zeros: nothing is released there, and nothing lies there."""
    return np.pad(table, ((0, rows - len(table)), (0, 0)))


def noise_deviation(variance: float) -> float:
    """Standard deviation of the noise, after checking the variance."""
    variance = float(variance)
    if not (np.isfinite(variance) and variance >= 0):
        raise TrustscopeError(f"The noise variance must be a finite number that is not negative, but it is {variance}.")
    deviation: float = np.sqrt(variance)
    return deviation


def grid_step(spread: float, deviation: float) -> float:
    """Step of the grid in noise deviations, for released values of a standard deviation `spread`."""
    return COARSE if spread**2 > 1.25 * deviation**2 else FINE


def grid_range(low: float, high: float, step: float, most: int = MOST_POINTS) -> tuple[int, int]:
    """First and last grid point in steps from the centre, cut to `most` points around it."""
    half = most // 2 - 1
    return max(int(np.rint(low / step)), -half), min(int(np.rint(high / step)), half)


def kernel(size: int, step: float, law: str = "gaussian") -> Floats | sparse.csr_array:
    """K, the chance of every bin given every grid point.

    Parameters
    ----------
    size : int
        Grid points.
    step : float
        In standard deviations of the noise.
    law : {"gaussian", "uniform"}

    Returns
    -------
    numpy.ndarray or sparse array, shape (size, size)
        Symmetric. Chances beyond 8 standard deviations are left out.
    """
    if law not in LAWS:
        raise TrustscopeError(f"The law of the noise must be one of {', '.join(LAWS)}, not {law!r}.")
    reach = min(int(np.ceil(_REACH / step)), size - 1)
    edges = (np.arange(reach + 2) - 0.5) * step
    if law == "gaussian":
        # From the upper tail: differences of 1 - tiny would lose the far chances.
        chances = -np.diff(ndtr(-edges))
    else:
        half = np.sqrt(3.0)
        chances = np.diff(np.clip(edges, -half, half)) / (2 * half)
    if size <= _DENSE:
        padded = np.zeros(size)
        padded[: reach + 1] = chances
        return padded[np.abs(np.subtract.outer(np.arange(size), np.arange(size)))]
    both = np.concatenate([chances[:0:-1], chances])
    offsets = np.arange(-reach, reach + 1)
    return sparse.diags_array(list(both), offsets=offsets, shape=(size, size), dtype=float).tocsr()


def normal_start(counts: ArrayLike, step: float) -> Floats:
    """Shares of the normal law with the moments that the counts imply, shape (B, C).

    Parameters
    ----------
    counts : array-like, shape (B, C)
    step : float
        Of the grid, in standard deviations of the noise.
    """
    counts = np.asarray(counts, dtype=float)
    places = np.arange(len(counts))[:, None]
    observed = counts / np.maximum(counts.sum(axis=0), 1)
    mean = (observed * places).sum(axis=0)
    variance = (observed * (places - mean) ** 2).sum(axis=0) - 1 / step**2 - 1 / 12
    # At least a point's own width; noise beyond the data leaves nothing but the mean to believe in.
    weights = np.exp(-0.5 * (places - mean) ** 2 / np.maximum(variance, 0.25))
    seen = counts > 0
    # Nothing lies beyond the outermost occupied bins; within them nothing is impossible.
    within = np.logical_or.accumulate(seen, axis=0) & np.logical_or.accumulate(seen[::-1], axis=0)[::-1]
    shares: Floats = np.where(within, weights / weights.sum(axis=0) + _UNIFORM / np.maximum(within.sum(axis=0), 1), 0)
    shares /= np.maximum(shares.sum(axis=0), np.finfo(float).tiny)
    return shares


def expectation_maximisation(
    counts: ArrayLike,
    chances: Floats | sparse.csr_array,
    start: ArrayLike,
    tolerance: float = TOLERANCE,
    most_steps: int = MOST_STEPS,
) -> tuple[Floats, Integers, Bools, Floats]:
    """Shares that explain the counts of every column, by the iteration above.

    Parameters
    ----------
    counts : array-like, shape (B, C)
        Released values by bin; columns are fitted apart but together in time.
    chances : numpy.ndarray or sparse array, shape (B, B)
        K, symmetric.
    start : array-like, shape (B, C)
        Shares to start from; none may be zero near an occupied bin.
    tolerance, most_steps
        The stop rule.

    Returns
    -------
    shares : numpy.ndarray, shape (B, C)
    steps : numpy.ndarray of int, shape (C,)
    converged : numpy.ndarray of bool, shape (C,)
    log_likelihood : numpy.ndarray, shape (C,)
    """
    if not tolerance > 0 or most_steps < 1:
        raise TrustscopeError("The tolerance must be positive, and there must be at least one step.")
    counts = np.asarray(counts, dtype=float)
    seen = counts > 0
    observed = counts / np.maximum(counts.sum(axis=0), 1)
    shares = np.array(start, dtype=float)
    columns = counts.shape[1]
    steps, converged = np.zeros(columns, dtype=int), np.zeros(columns, dtype=bool)
    likelihood = np.full(columns, -np.inf)
    active = np.arange(columns)
    now, part, there = shares, observed, seen
    for _ in range(most_steps):
        predicted = np.where(there, chances @ now, 1.0)
        reached = (part * np.log(predicted)).sum(axis=0)
        done = reached - likelihood[active] < tolerance
        likelihood[active] = reached
        if done.any():
            converged[active[done]] = True
            shares[:, active[done]] = now[:, done]
            go = ~done
            active, predicted = active[go], predicted[:, go]
            now, part, there = now[:, go], part[:, go], there[:, go]
            if not active.size:
                break
        now = now * (chances @ (part / predicted))
        steps[active] += 1
    shares[:, active] = now
    return shares, steps, converged, likelihood


def _values(released: ArrayLike) -> Floats:
    if np.ndim(released) != 1 or not np.size(released):
        raise TrustscopeError("A distribution is reconstructed from one list of values, and at least one.")
    return as_table(released, "released values", flat=True)[:, 0]
