"""The laws that the experiments draw from (Giannella et al. 2009, Sec. IV-E, V-C, V-D and V-G), and their keys."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Floats, Several
from trustscope.engine.utility import Ticker, keeping
from trustscope.engine.utility.progress import Cancelling, Progress
from trustscope.errors import TrustscopeError

__all__ = ["hundred_normals", "mixture", "normals", "repeated", "several", "three_normals"]

MEAN = np.array([10.0, 10.0, 10.0])
COVARIANCE = np.array([[1.0, 1.5, 0.5], [1.5, 3.0, 2.5], [0.5, 2.5, 75.0]])
SECOND_MEAN, SECOND_COVARIANCE = np.array([20.0, 30.0, 40.0]), np.diag([0.1, 2.0, 40.0])
FIRST_SHARE = 0.2


def several(
    given: ArrayLike | None,
    default: ArrayLike | None,
    name: str,
    *,
    least: float = 0.0,
    most: float = np.inf,
    whole: bool = False,
) -> tuple[float, ...]:
    """What a figure varies, as a tuple of numbers: one, several, an array, or None for the default.

    Raises
    ------
    ValueError
        If one of them is none of `least` to `most`, or not whole where it must be.
    """
    values = np.atleast_1d(np.asarray(default if given is None else given))
    fits = values.ndim == 1 and len(values) > 0 and values.dtype.kind in "iuf"
    if not fits or not np.all((values >= least) & (values <= most)) or (whole and np.any(values != np.floor(values))):
        kind = "a whole number" if whole else "a number"
        upper = "" if np.isinf(most) else f" to {most:g}"
        raise TrustscopeError(f"The {name} must be {kind} from {least:g}{upper}, or several of them, not {given!r}.")
    return tuple(int(one) if whole else float(one) for one in values)


def normals(mean: ArrayLike, covariance: Several, rows: int, rng: np.random.Generator) -> Floats:
    """Rows of a normal law, shape (rows, n)."""
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray(rng.standard_normal((rows, len(values))) @ (vectors * np.sqrt(np.maximum(values, 0))).T + mean)


def three_normals(rows: int, rng: np.random.Generator) -> Floats:
    """The three-dimensional normal set of Figures 5 and 10: eigenvalues far apart, mean far from zero."""
    return normals(MEAN, COVARIANCE, rows, rng)


def mixture(rows: int, rng: np.random.Generator) -> Floats:
    """The asymmetric mixture of two normal laws of Figure 11, shape (rows, 3)."""
    first, second = three_normals(rows, rng), normals(SECOND_MEAN, SECOND_COVARIANCE, rows, rng)
    return np.where(rng.random(rows)[:, None] < FIRST_SHARE, first, second)


def hundred_normals(rows: int, *, columns: int = 100, key: int = 1) -> Floats:
    """The 100-dimensional normal set of Figures 1 and 4.

    The mean is drawn from a standard normal law, and the covariance is that of 100 standard normal rows.

    Returns
    -------
    numpy.ndarray, shape (rows, columns)
    """
    rng = keys.rng(key, "giannella", "hundred")
    mean, basis = rng.standard_normal(columns), rng.standard_normal((100, columns))
    basis = (basis - basis.mean(axis=0)) / np.sqrt(99)
    return np.asarray(rng.standard_normal((rows, 100)) @ basis + mean)


def repeated(
    settings: Several,
    one_run: Callable[..., dict[str, float]],
    *,
    repetitions: int,
    progress: Progress | None,
    cancelled: Cancelling | None,
) -> pd.DataFrame:
    """Several runs of every setting, with their means.

    Parameters
    ----------
    settings : sequence of dict
        What the figure varies.
    one_run : callable
        Called as ``one_run(repetition, **setting)``; returns a dict of measured numbers.

    Returns
    -------
    DataFrame
        The settings, then for each measured number its mean, and its standard deviation under name_sd.
    """
    if repetitions != int(repetitions) or repetitions < 1:
        raise TrustscopeError(f"An experiment needs at least one repetition, a whole number, not {repetitions}.")
    ticker = Ticker(len(settings) * repetitions, progress, cancelled)
    rows: list[dict[str, object]] = []
    with keeping(lambda: pd.DataFrame(rows)):
        for number, setting in enumerate(settings):
            found = []
            for repetition in range(repetitions):
                ticker.check()
                found.append(one_run(repetition, **setting))
                ticker.step(f"{number + 1} of {len(settings)}, repetition {repetition + 1}")
            rows.append({**setting, **_summary(pd.DataFrame(found)), "repetitions": repetitions})
    return pd.DataFrame(rows)


def _summary(found: pd.DataFrame) -> dict[str, float]:
    summary = {}
    for name, values in found.items():
        summary[str(name)] = values.mean()
        summary[f"{name}_sd"] = values.std(ddof=1) if len(values) > 1 else float("nan")
    return summary
