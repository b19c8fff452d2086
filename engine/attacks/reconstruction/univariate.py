"""UDR: every attribute by itself, the mean of X given its own released value (Huang et al. 2005, Sec. 4).

Two routes to E[X | Y = y], Eq. 4: through the density of X, reconstructed from the released values
(`engine.distributions`), or through the density of Y alone, by Tweedie's formula for Gaussian noise,

    E[X | Y = y] = y - mu_r + s2 (ln f_Y)'(y).

Either is a curve, so it is computed on a grid and read at every row.
"""

import numpy as np

from trustscope.engine import distributions
from trustscope.engine.arrays import ArrayLike, Floats, Integers
from trustscope.engine.attacks.reconstruction.inputs import Released, as_matrix, as_vector, check, chunks
from trustscope.errors import TrustscopeError

ROUTES = ("density", "tweedie")


def univariate(
    released: ArrayLike,
    noise_covariance: ArrayLike,
    noise_mean: ArrayLike = 0.0,
    *,
    covariance: ArrayLike | None = None,
    mean: ArrayLike | None = None,
    route: str = "density",
    law: str = "gaussian",
) -> Floats:
    """UDR: the mean of every value given its released value alone, E[x_j | y_j].

    Parameters
    ----------
    released : array-like, shape (rows, m) or (rows,)
    noise_covariance : float or array-like, shape (m,) or (m, m)
        Sigma_r; only its diagonal counts.
    noise_mean : float or array-like, shape (m,)
        mu_r.
    covariance : float or array-like, optional
        The true Sigma_x (perfect knowledge): X is then taken as normal with its variances a_j, and the
        estimate is mu + a / (a + s2) (y - mu_r - mu). Otherwise the density is estimated from the rows.
    mean : float or array-like, optional
        The true mu_x; used with `covariance` only.
    route : {"density", "tweedie"}
        From the reconstructed density of X, or from a kernel estimate of the density of Y.
    law : {"gaussian", "uniform"}
        Law of the noise; Tweedie's formula is for Gaussian noise.

    Returns
    -------
    numpy.ndarray, like `released`
        Attributes without noise come back as they are. Values more than 250 noise standard deviations from
        the mean may be left as they are too: their neighbours tell nothing of them.
    """
    if route not in ROUTES:
        raise TrustscopeError(f"The route must be one of {', '.join(ROUTES)}, not {route!r}.")
    if law not in distributions.LAWS:
        raise TrustscopeError(f"The law of the noise must be one of {', '.join(distributions.LAWS)}, not {law!r}.")
    if route == "tweedie" and law != "gaussian":
        raise TrustscopeError("Tweedie's formula holds for Gaussian noise only: take the route by the density.")
    given = check(released, noise_covariance, noise_mean)
    variance = np.diag(given.noise)
    if covariance is not None:
        return given.finish(_known(given, variance, covariance, mean))
    estimate = np.empty_like(given.table, order="C")
    np.subtract(given.table, given.noise_mean, out=estimate)
    curve = _by_density if route == "density" else _by_tweedie
    centre, spread, low, high = _ranges(estimate)
    noisy = np.flatnonzero(variance > 0)
    deviation = np.sqrt(variance[noisy])
    fine = np.array([distributions.grid_step(*pair) for pair in zip(spread[noisy], deviation, strict=True)])
    for step in np.unique(fine):
        # Columns that share a step, in units of their noise, share one kernel.
        chosen = fine == step
        columns = noisy[chosen]
        units = step * deviation[chosen]
        grids = [
            distributions.grid_range(low[j] - centre[j], high[j] - centre[j], unit)
            for j, unit in zip(columns, units, strict=True)
        ]
        # One point more at either end: every value lies between two.
        first = min(grid[0] for grid in grids) - 1
        size = max(grid[1] for grid in grids) - first + 2
        origin = centre[columns] + first * units
        counts = _counts(estimate, columns, origin, units, size)
        shift = curve(counts, size, step, law, spread[columns] / deviation[chosen]) * deviation[chosen]
        _move(estimate, columns, origin, units, shift)
    return given.finish(estimate)


def _known(given: Released, variance: Floats, covariance: ArrayLike, mean: ArrayLike | None) -> Floats:
    """The linear estimate of normal data with known variances."""
    own = np.diag(as_matrix(covariance, given.columns))
    total = own + variance
    gain = np.divide(own, total, out=np.ones(len(own)), where=total > 0)
    centre = given.table.mean(axis=0) - given.noise_mean if mean is None else as_vector(mean, given.columns)
    out = np.empty_like(given.table, order="C")
    for part in chunks(out):
        np.multiply(given.table[part] - given.noise_mean - centre, gain, out=out[part])
        out[part] += centre
    return out


def _ranges(table: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Mean, standard deviation, lowest and highest value of every column."""
    centre, low, high = table.mean(axis=0), table.min(axis=0), table.max(axis=0)
    square = sum(((table[part] - centre) ** 2).sum(axis=0) for part in chunks(table))
    return centre, np.sqrt(square / len(table)), low, high


def _counts(table: Floats, columns: Integers, origin: Floats, units: Floats, size: int) -> Floats:
    """How many values lie in the bin around each grid point, shape (size, columns); those outside in none."""
    counts = np.zeros((len(columns), size))
    for part in chunks(table):
        places = np.rint((table[part][:, columns] - origin) / units)
        for j in range(len(columns)):
            column = places[:, j]
            inside = column[(column >= 0) & (column < size)].astype(np.intp)
            counts[j] += np.bincount(inside, minlength=size)
    return counts.T


def _move(table: Floats, columns: Integers, origin: Floats, units: Floats, shift: Floats) -> None:
    """Add the curve `shift`, shape (size, columns), to the columns in place; linear between grid points."""
    size = len(shift)
    steps = np.vstack([np.diff(shift, axis=0), np.zeros(len(columns))])
    flat, slope, base = shift.ravel(), steps.ravel(), np.arange(len(columns))
    for part in chunks(table):
        position = (table[part][:, columns] - origin) / units
        outside = (position < -0.5) | (position > size - 0.5)
        whole = np.clip(np.floor(position), 0, size - 1)
        position -= whole
        index = whole.astype(np.intp) * len(columns) + base
        change = slope[index]
        change *= position
        change += flat[index]
        change[outside] = 0
        table[part, columns] += change


def _by_density(counts: Floats, size: int, step: float, law: str, spread: Floats) -> Floats:
    """E[X - y | y] at the grid points, in noise deviations, from the reconstructed density of X."""
    chances = distributions.kernel(size, step, law)
    shares = distributions.expectation_maximisation(counts, chances, distributions.normal_start(counts, step))[0]
    places = np.arange(size)[:, None] * step
    weight = chances @ shares
    moment = chances @ (shares * places)
    # Grid points that nothing is near to are read by nobody.
    return np.asarray(np.divide(moment, weight, out=places + np.zeros_like(weight), where=weight > 1e-300) - places)


def _by_tweedie(counts: Floats, size: int, step: float, law: str, spread: Floats) -> Floats:
    """s2 (ln f_Y)' at the grid points, in noise deviations, f_Y by a Gaussian kernel.

    The bandwidth b = sd (4 / 5n)^(1/7) is the best one for the slope of a normal density. Smoothing widens f_Y
    by b^2 and so flattens its slope; the factor (sd^2 + b^2) / sd^2 takes that back, exactly for normal data.
    """
    rows = np.maximum(counts.sum(axis=0), 1)
    width = spread * (4 / (5 * rows)) ** (1 / 7)
    out = np.zeros(counts.shape)
    for j, b in enumerate(width):
        reach = min(int(np.ceil(6 * b / step)), size - 1)
        offsets = np.arange(-reach, reach + 1) * step
        weights = np.exp(-0.5 * (offsets / b) ** 2) if b > 0 else (offsets == 0).astype(float)
        density = np.convolve(counts[:, j], weights)[reach : reach + size]
        # d/dy of exp(-(y - y_i)^2 / 2 b^2) is -(y - y_i) / b^2 times it.
        slope = -np.convolve(counts[:, j], weights * offsets)[reach : reach + size]
        factor = (spread[j] ** 2 + b**2) / (spread[j] ** 2 * b**2) if b > 0 else 0.0
        out[:, j] = factor * np.divide(slope, density, out=np.zeros(size), where=density > 1e-300)
    return out
