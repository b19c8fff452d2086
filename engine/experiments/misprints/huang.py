"""Huang, Du and Chen, SIGMOD 2005."""

import numpy as np
import pandas as pd

from trustscope.engine import keys
from trustscope.engine.arrays import Floats, Several
from trustscope.engine.attacks.reconstruction import (
    bayes,
    bayes_error,
    principal_components,
    principal_components_error,
)
from trustscope.engine.attacks.reconstruction.inputs import descending, sample_moments
from trustscope.engine.experiments import huang
from trustscope.engine.experiments.misprints.chance import mean_and_error, total_probability
from trustscope.engine.measures import correlation_dissimilarity
from trustscope.engine.utility import Ticker
from trustscope.engine.utility.progress import Cancelling, Progress

__all__ = ["always_better", "density", "dissimilarity", "largest_gap", "univariate_moves"]

NOISE = 25.0


def density(
    spreads: Several = (0.5, 1.0, 2.0, 5.0), *, attributes: int = 2, draws: int = 40_000, key: int = 1
) -> pd.DataFrame:
    """The total probability of normal noise with (2 pi sigma)^(m/2), as printed before Eq. 10, and with sigma^2.

    Returns
    -------
    DataFrame
        case, spread (sigma), printed (sigma^(m/2)), right (1), measured (of the right density), standard_error.
    """
    records = []
    for spread in spreads:
        covariance = spread**2 * np.eye(attributes)

        def right(points: Floats, spread: float = spread) -> Floats:
            scale = (2 * np.pi * spread**2) ** (attributes / 2)
            return np.asarray(np.exp(-(points**2).sum(axis=1) / (2 * spread**2)) / scale)

        found = total_probability(right, covariance, draws, keys.rng(key, "misprints", "density", int(100 * spread)))
        records.append((f"{spread:g}", spread, spread ** (attributes / 2), 1.0, *found))
    return pd.DataFrame(records, columns=["case", "spread", "printed", "right", "measured", "standard_error"])


def dissimilarity(attributes: Several = (2, 5, 10, 20, 50, 100), *, apart: float = 0.4) -> pd.DataFrame:
    """Definition 8.1 for two correlation matrices of which all correlations differ by the same.

    With 1 / (m^2 - m) outside the root the measure shrinks as attributes are added; inside, it is that difference.

    Returns
    -------
    DataFrame
        attributes (m), printed, right, expected (the difference).
    """
    records = []
    for count in attributes:
        matrices = [np.full((count, count), rho) + (1 - rho) * np.eye(count) for rho in (0.5, 0.5 - apart)]
        both = [correlation_dissimilarity(*matrices, kind=kind, covariances=True) for kind in ("printed", "rms")]
        records.append((count, *both, apart))
    return pd.DataFrame(records, columns=["attributes", "printed", "right", "expected"])


def always_better(
    rows: Several = (500, 1_000, 2_000, 5_000, 10_000, 20_000),
    *,
    attributes: int = 100,
    components: int = 5,
    small: float = 1.0,
    key: int = 1,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """Errors of the Bayes estimate and of principal components by the number of rows (Section 7).

    Estimating the covariance costs the Bayes estimate about sigma^2 m / n: with few rows principal components win.

    Returns
    -------
    DataFrame
        rows (n), bayes (the formula as it stands), clipped (its gains kept from being negative),
        principal_components (all measured), bayes_theory, components_theory (perfect knowledge), turn (n beyond
        which the formula wins, by theory).
    """
    eigenvalues = huang.principal_eigenvalues(attributes, components, small=small)
    noise = NOISE * np.eye(attributes)
    ticker = Ticker(len(rows), progress, cancelled)
    records = []
    for count in rows:
        ticker.check()
        data, covariance = huang.gaussian_data(eigenvalues, count, key=key)
        released = data + np.sqrt(NOISE) * keys.rng(key, "misprints", "noise", count).standard_normal(data.shape)
        guesses = (bayes(released, noise, clip=False), bayes(released, noise), principal_components(released, noise))
        theory = bayes_error(covariance, noise), principal_components_error(covariance, noise)
        turn = NOISE * attributes / (theory[1] - theory[0])
        records.append((count, *(np.mean((guess - data) ** 2) for guess in guesses), *theory, turn))
        ticker.step(f"{count} rows")
    columns = ["rows", "bayes", "clipped", "principal_components", "bayes_theory", "components_theory", "turn"]
    return pd.DataFrame(records, columns=columns)


def largest_gap(
    components: Several = (50, 80, 95, 100), *, attributes: int = 100, rows: int = 5_000, key: int = 1
) -> pd.DataFrame:
    """Principal components by the largest gap between eigenvalues, when hardly any or none is small.

    Returns
    -------
    DataFrame
        components (p), case, printed (error when the largest gap is believed whatever it is), right (when all
        components are kept where no gap is a real one), noise (the error of no attack at all).
    """
    noise = NOISE * np.eye(attributes)
    records = []
    for count in components:
        data, _ = huang.gaussian_data(huang.principal_eigenvalues(attributes, count), rows, key=key)
        released = data + np.sqrt(NOISE) * keys.rng(key, "misprints", "gap", count).standard_normal(data.shape)
        values, _ = descending(sample_moments(released)[1] - noise)
        believed = int(np.argmax(-np.diff(values))) + 1
        guesses = (principal_components(released, noise, keep=believed), principal_components(released, noise))
        errors = [float(np.mean((guess - data) ** 2)) for guess in guesses]
        records.append((count, f"p = {count}", *errors, NOISE))
    return pd.DataFrame(records, columns=["components", "case", "printed", "right", "noise"])


def univariate_moves(
    components: Several = (2, 5, 20, 50, 100), *, attributes: int = 100, draws: int = 20, key: int = 1
) -> pd.DataFrame:
    """Error of the univariate attacker when only the mean variance is kept (Eq. 12).

    Eigenvectors are drawn at random, so attributes have different variances, and the error a s2 / (a + s2) is
    concave in the variance a: the more unequal they are, the smaller its mean.

    Returns
    -------
    DataFrame
        components (p), printed (what a constant mean variance was meant to give), measured (mean over draws of the
        eigenvectors), standard_error.
    """
    records = []
    for count in components:
        eigenvalues = huang.principal_eigenvalues(attributes, count)
        errors = []
        for number in range(draws):
            rng = keys.rng(key, "misprints", "eigenvectors", count, number)
            basis = np.linalg.qr(rng.standard_normal((attributes, attributes)))[0]
            variances = (basis**2) @ eigenvalues
            errors.append(np.mean(variances * NOISE / (variances + NOISE)))
        mean = eigenvalues.mean()
        records.append((count, mean * NOISE / (mean + NOISE), *mean_and_error(errors)))
    return pd.DataFrame(records, columns=["components", "printed", "measured", "standard_error"])
