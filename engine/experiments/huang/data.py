"""Normal data with chosen eigenvalues, and how well every attacker reconstructs them (Huang et al. 2005, Sec. 7.1)."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Floats, Numbers, Several
from trustscope.engine.attacks.reconstruction import ATTACKERS, bayes_error, guess_error
from trustscope.engine.noise import factor
from trustscope.engine.utility import Ticker, keeping
from trustscope.engine.utility.progress import Cancelling, Progress
from trustscope.errors import TrustscopeError

NOISE_VARIANCE, MEAN_VARIANCE, SMALL = 25.0, 100.0, 4.0
QUICK_ROWS, PAPER_ROWS = 2_000, 10_000
QUICK_REPETITIONS, PAPER_REPETITIONS = 3, 10


def principal_eigenvalues(
    attributes: int, components: int, *, small: float = SMALL, mean_variance: float = MEAN_VARIANCE
) -> Floats:
    """Equal large eigenvalues, then equal small ones, with a given mean (Eq. 12).

    Parameters
    ----------
    attributes, components : int
        m, and p of them large, 1 <= p <= m.
    small : float
        The m - p other eigenvalues.
    mean_variance : float
        Mean of all, and so of the attributes' variances; at least `small` times the share of the small ones.

    Returns
    -------
    numpy.ndarray, shape (m,)
    """
    if not 1 <= components <= attributes:
        raise TrustscopeError(
            f"Of {attributes} attributes there must be 1 to {attributes} components, not {components}."
        )
    large = (mean_variance * attributes - small * (attributes - components)) / components
    if not small >= 0 or not large > 0:
        raise TrustscopeError("The small eigenvalues must not be negative, nor exceed the whole variance.")
    return np.repeat([large, small], [components, attributes - components])


def gaussian_data(eigenvalues: ArrayLike, rows: int, *, key: int = 1) -> tuple[Floats, Floats]:
    """Normal rows of mean 0 whose covariance has these eigenvalues and random eigenvectors.

    Parameters
    ----------
    eigenvalues : array-like, shape (m,)
    rows : int
    key : int

    Returns
    -------
    data : numpy.ndarray, shape (rows, m)
    covariance : numpy.ndarray, shape (m, m)
        Of the law, not of the sample.
    """
    values = np.asarray(eigenvalues, dtype=float)
    rng = keys.rng(key, "huang", "data")
    basis, upper = np.linalg.qr(rng.standard_normal((len(values), len(values))))
    # Uniform over all bases only once the signs are fixed.
    basis *= np.where(np.diag(upper) < 0, -1.0, 1.0)
    data = (rng.standard_normal((rows, len(values))) * np.sqrt(values)) @ basis.T
    covariance = (basis * values) @ basis.T
    return data, (covariance + covariance.T) / 2


def attacked(data: Floats, noise: Floats, *, key: int) -> dict[str, float]:
    """Mean square error of every attacker on one fresh copy, as estimated from the copy alone.

    Parameters
    ----------
    data : numpy.ndarray, shape (rows, m)
    noise : numpy.ndarray, shape (m, m)
        Sigma_r.
    key : int

    Returns
    -------
    dict
        From the attacker's name to its error.
    """
    rng = keys.rng(key, "huang", "noise")
    released = data + rng.standard_normal(data.shape) @ factor(noise).T
    return {name: float(np.mean((one.function(released, noise) - data) ** 2)) for name, one in ATTACKERS.items()}


def experiment(
    settings: Several,
    *,
    rows: int,
    repetitions: int,
    key: int,
    progress: Progress | None,
    cancelled: Cancelling | None,
) -> pd.DataFrame:
    """Every attacker in every setting, several times.

    Parameters
    ----------
    settings : sequence of (dict, eigenvalues, callable)
        What the figure varies, the data's eigenvalues, and Sigma_r as a function of Sigma_x; a dict that the
        callable returns beside it is added to what is varied.
    """
    if rows < 2 or repetitions < 1:
        raise TrustscopeError("An experiment needs at least two rows and one repetition.")
    ticker = Ticker(len(settings) * repetitions, progress, cancelled)
    parts: list[pd.DataFrame] = []
    with keeping(lambda: _joined(parts)):
        for number, (varied, eigenvalues, noise_of) in enumerate(settings):
            found = []
            for repetition in range(repetitions):
                ticker.check()
                # Repetitions differ in everything; settings share their draws as far as they can.
                own = keys.derive(key, "huang", repetition)
                data, covariance = gaussian_data(eigenvalues, rows, key=own)
                noise, more = noise_of(covariance)
                found.append((attacked(data, noise, key=own), *_expected(covariance, noise, rows)))
                ticker.step(f"{number + 1} of {len(settings)}, repetition {repetition + 1}")
            parts.append(_summary({**varied, **more}, found, rows))
    return _joined(parts)


def white_noise(variance: float = NOISE_VARIANCE) -> Callable[[Floats], tuple[Floats, dict[str, object]]]:
    """Sigma_r that does not look at the data, for `experiment`."""
    return lambda covariance: (variance * np.eye(len(covariance)), {})


def _expected(covariance: Floats, noise: Floats, rows: int) -> tuple[dict[str, Numbers], dict[str, Numbers], Numbers]:
    """Theory with perfect knowledge, theory with estimated covariance, error of guessing."""
    known = {
        name: np.nan if one.expected_error is None else one.expected_error(covariance, noise)
        for name, one in ATTACKERS.items()
    }
    estimated = {**known, "bayes": bayes_error(covariance, noise, rows=rows)}
    return known, estimated, guess_error(covariance)


def _summary(varied: dict[str, object], found: Sequence[tuple[Any, ...]], rows: int) -> pd.DataFrame:
    """One row for every attacker: means over the repetitions."""
    records = []
    for name in ATTACKERS:
        errors = np.array([one[0][name] for one in found])
        spread = errors.std(ddof=1) / np.sqrt(len(errors)) if len(errors) > 1 else np.nan
        records.append(
            {
                **varied,
                "attacker": name,
                "error": errors.mean(),
                "standard_error": spread,
                "theory": np.mean([one[1][name] for one in found]),
                "estimated_theory": np.mean([one[2][name] for one in found]),
                "guess": np.mean([one[3] for one in found]),
                "rows": rows,
                "repetitions": len(errors),
            }
        )
    return pd.DataFrame(records)


def _joined(parts: list[pd.DataFrame]) -> pd.DataFrame:
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


def sizes(rows: int | None, repetitions: int | None, paper_size: bool, paper_rows: int = PAPER_ROWS) -> dict[str, int]:
    """Rows and repetitions, where they are not given."""
    return {
        "rows": rows or (paper_rows if paper_size else QUICK_ROWS),
        "repetitions": repetitions or (PAPER_REPETITIONS if paper_size else QUICK_REPETITIONS),
    }
