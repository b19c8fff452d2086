"""Li, Chen, Li and Zhang, TKDE 2012."""

import numpy as np
import pandas as pd

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Floats, Several
from trustscope.engine.attacks import llse
from trustscope.engine.experiments.li import census, paper_levels
from trustscope.engine.experiments.misprints.chance import mean_and_error, total_probability
from trustscope.engine.gaussian import GaussianRelease
from trustscope.engine.measures import normalised_error
from trustscope.engine.noise import noise_covariance

__all__ = ["any_estimator", "cancelling", "density", "subsets", "top_of_error"]


def top_of_error(attributes: Several = (1, 2, 4, 8, 16), *, rows: int = 5_000, key: int = 1) -> pd.DataFrame:
    """The largest normalised error there is: that of guessing the mean (Section 6.1).

    D is a mean over the attributes already, so D / Tr(K_X) as printed is at most 1/N; N D / Tr(K_X) reaches 1.

    Returns
    -------
    DataFrame
        attributes (N), printed (D / Tr(K_X)), right (`engine.measures.normalised_error`), both measured for the
        guess that ignores all copies, and expected of what is printed: 1/N.
    """
    records = []
    for count in attributes:
        rng = keys.rng(key, "misprints", "top", count)
        data = rng.standard_normal((rows, count)) @ rng.standard_normal((count, count)) + 10
        guess = np.broadcast_to(data.mean(axis=0), data.shape)
        distortion = np.mean((data - guess) ** 2)
        trace = np.trace(np.atleast_2d(np.cov(data.T, bias=True)))
        records.append((count, distortion / trace, normalised_error(data, guess), 1 / count))
    return pd.DataFrame(records, columns=["attributes", "printed", "right", "expected"])


def cancelling(
    copies: Several = (1, 2, 5, 10, 20, 30), *, sample: int = 400, rows: int = 10_000, key: int = 1
) -> pd.DataFrame:
    """Eq. 6 with the true K_X, with an estimated one and with nonsense: the estimates are the same (Section 6.2).

    The noise has covariance Sigma (x) K_X, and the weights K_XY K_Y^-1 hold K_X and its inverse.

    Returns
    -------
    DataFrame
        copies (M), true, estimated, nonsense (normalised errors of Eq. 6 with that K_X and the true mean),
        difference (largest between two estimates, in standard deviations), raw (the attacker who estimates the
        covariance of the stacked copies from the sample).
    """
    data = census(rows, key=key).to_numpy()
    levels = paper_levels(max(copies))
    release = GaussianRelease(data, scheme="independent", key=key)
    held = np.stack([release.copy(level=level) for level in levels])
    known = np.sort(keys.rng(key, "misprints", "sample").permutation(rows)[:sample])
    best = int(np.argmin(levels))
    estimated = np.cov(held[best, known].T) / (1 + levels[best])
    matrices = {"true": release.covariance, "estimated": estimated, "nonsense": np.array([[2.0, -0.9], [-0.9, 0.5]])}
    records = []
    for count in copies:
        guesses = {
            name: _equation_6(held[:count], levels[:count], release.mean, matrix) for name, matrix in matrices.items()
        }
        spread = np.sqrt(np.diag(release.covariance))
        apart = max(np.abs((guesses["true"] - g) / spread).max() for g in guesses.values())
        raw = llse.reconstruct_raw(list(held[:count]), levels=levels[:count], sample=known)
        errors = {name: normalised_error(data, guess) for name, guess in guesses.items()}
        records.append({"copies": count, **errors, "difference": apart, "raw": normalised_error(data, raw)})
    return pd.DataFrame(records)


def _equation_6(held: Floats, levels: Floats, mean: Floats, matrix: Floats) -> Floats:
    """mu + K_XY K_Y^-1 (Y - mu), with the matrices written out."""
    count, rows, columns = held.shape
    ones = np.ones((count, 1))
    joint = np.kron(ones @ ones.T + noise_covariance(levels, "independent"), matrix)
    cross = np.kron(ones.T, matrix)
    stacked = (held - mean).transpose(1, 0, 2).reshape(rows, count * columns)
    return mean + stacked @ np.linalg.solve(joint, cross.T)


def subsets(levels: ArrayLike = (0.25, 0.5, 0.6)) -> pd.DataFrame:
    """Errors of every coalition when all share the best copy's noise, and when the noise is nested (Corollary 1).

    Copy 1 has the common noise alone; the others add noise of their own to it. All three together then learn no
    more than copy 1, as Eq. 10 asks; but copies 2 and 3 learn more than copy 2.

    Returns
    -------
    DataFrame
        coalition, common, nested (normalised errors), best (of the best member alone).
    """
    s = np.asarray(levels, dtype=float)
    common = np.full((len(s), len(s)), s.min()) + np.diag(s - s.min())
    records = []
    for mask in range(1, 2 ** len(s)):
        who = [i for i in range(len(s)) if mask >> i & 1]
        shared = common[np.ix_(who, who)]
        precision = np.linalg.solve(shared, np.ones(len(who))).sum()
        name = " and ".join(str(i + 1) for i in who)
        best = llse.expected_error([s[who].min()])
        records.append((name, 1 / (1 + precision), llse.expected_error(s[who], "nested"), best))
    return pd.DataFrame(records, columns=["coalition", "common", "nested", "best"])


def density(draws: int = 40_000, *, key: int = 1) -> pd.DataFrame:
    """The total probability of the joint noise under Eq. 16, as printed and with exponent MN.

    Returns
    -------
    DataFrame
        case, copies (M), attributes (N), printed ((2 pi)^(M (N-1) / 2)), right (1), measured (of the right
        density, by draws) and standard_error.
    """
    records = []
    for copies, attributes in ((1, 1), (2, 1), (1, 2), (2, 2), (1, 3)):
        rng = keys.rng(key, "misprints", "density", copies, attributes)
        root = rng.standard_normal((attributes, attributes)) + 2 * np.eye(attributes)
        joint = np.kron(noise_covariance(np.arange(1, copies + 1) / copies, "nested"), root @ root.T)
        found = total_probability(lambda v, joint=joint: _normal(v, joint), joint, draws, rng)
        excess = (2 * np.pi) ** (copies * (attributes - 1) / 2)
        records.append((f"{copies} × {attributes}", copies, attributes, excess, 1.0, *found))
    columns = ["case", "copies", "attributes", "printed", "right", "measured", "standard_error"]
    return pd.DataFrame(records, columns=columns)


def _normal(points: Floats, covariance: Floats) -> Floats:
    """Eq. 16 with (2 pi)^(MN)."""
    form = np.einsum("ri,ri->r", points, np.linalg.solve(covariance, points.T).T)
    scale = np.sqrt((2 * np.pi) ** len(covariance) * np.linalg.det(covariance))
    return np.asarray(np.exp(-form / 2) / scale)


def any_estimator(alice: float = 1.0, bob: float = 4.0, *, draws: int = 200_000, key: int = 1) -> pd.DataFrame:
    """A value of +1 or -1: the best guess whatever, linear or not, of Alice and of both (Section 7).

    The nested noise is a Markov chain, so the posterior given both copies is the one given Alice's: collusion is
    useless against every estimator.

    Returns
    -------
    DataFrame
        case, linear (error of the best linear guess), exact (of the best of all, by quadrature), measured (of the
        posterior mean of the given copies, by draws), standard_error.
    """
    cases = {
        "Alice alone": ("nested", [alice]),
        "both, nested": ("nested", [alice, bob]),
        "both, independent": ("independent", [alice, bob]),
    }
    records = []
    for name, (scheme, levels) in cases.items():
        rng = keys.rng(key, "misprints", name)
        covariance = noise_covariance(levels, scheme)
        truth = rng.choice([-1.0, 1.0], draws)
        noise = rng.standard_normal((draws, len(levels))) @ np.linalg.cholesky(covariance).T
        weights = np.linalg.solve(covariance, np.ones(len(levels)))
        error = (truth - np.tanh((truth[:, None] + noise) @ weights)) ** 2
        exact = _binary_error(weights.sum())
        records.append((name, llse.expected_error(levels, scheme), exact, *mean_and_error(error)))
    return pd.DataFrame(records, columns=["case", "linear", "exact", "measured", "standard_error"])


def _binary_error(precision: float) -> float:
    """Error of the posterior mean of +-1 in normal noise, 1 - E tanh(q + sqrt(q) Z), by Gauss-Hermite quadrature."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    return float(1 - weights @ np.tanh(precision + np.sqrt(precision) * nodes) / weights.sum())
