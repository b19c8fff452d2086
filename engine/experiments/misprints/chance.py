"""Checking by drawing: means with their errors, and the total of a density."""

from collections.abc import Callable

import numpy as np

from trustscope.engine.arrays import ArrayLike, Floats, Several

__all__ = ["mean_and_error", "total_probability"]


def mean_and_error(values: ArrayLike) -> tuple[float, float]:
    """The mean and its standard error."""
    values = np.asarray(values, dtype=float)
    return values.mean(), values.std(ddof=1) / np.sqrt(len(values))


def total_probability(
    density: Callable[..., Floats], covariance: Several, draws: int, rng: np.random.Generator
) -> tuple[float, float]:
    """The integral of a density around 0, by draws from a normal law twice as wide, and its standard error."""
    from scipy.stats import multivariate_normal  # scipy.stats takes a second to import

    wide = multivariate_normal(np.zeros(len(covariance)), 2 * np.asarray(covariance))
    points = np.asarray(wide.rvs(size=draws, random_state=rng)).reshape(draws, len(covariance))
    return mean_and_error(density(points) / wide.pdf(points))
