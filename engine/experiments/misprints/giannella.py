"""Giannella, Liu and Kargupta 2009."""

import itertools
import math

import numpy as np
import pandas as pd

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Floats, Several
from trustscope.engine.attacks.known_sample import eigen_ratio, invariance
from trustscope.engine.experiments.giannella import mixture, three_normals
from trustscope.engine.experiments.giannella.data import COVARIANCE
from trustscope.engine.experiments.misprints.chance import mean_and_error
from trustscope.engine.measures import breached
from trustscope.engine.rotation import RotationRelease

__all__ = ["assignments", "both_directions", "definitions", "eigen_ratios", "pair_variances", "symmetric_pairs"]


def assignments(known: Several = (1, 2, 3, 4, 5), *, rows: int = 40, columns: int = 6, key: int = 1) -> pd.DataFrame:
    """How many valid assignments Algorithm IV-A.3 counts for inputs that can be linked in one way only.

    As printed every node tries every remaining index, so one assignment is found in every order; one index for a
    node finds it once.

    Returns
    -------
    DataFrame
        known (|I|), printed, right (assignments counted), expected (|I|! of the printed).
    """
    data = keys.rng(key, "misprints", "assignments").standard_normal((rows, columns))
    released = RotationRelease(data, key=key).released
    records = []
    for count in known:
        inputs = data[:count]
        found = [_count(inputs, released, {}, every) for every in (True, False)]
        records.append((count, *found, math.factorial(count)))
    return pd.DataFrame(records, columns=["known", "printed", "right", "expected"])


def _count(inputs: Floats, released: Floats, assigned: dict[int, int], every: bool) -> int:
    """Leaves of the recursion below this partial assignment; `every` remaining index is tried, or the first."""
    left = [i for i in range(len(inputs)) if i not in assigned]
    if not left:
        return 1
    total = 0
    for i in left if every else left[:1]:
        products = released @ released[list(assigned.values())].T if assigned else np.zeros((len(released), 0))
        wanted = inputs[i] @ inputs[list(assigned)].T if assigned else np.zeros(0)
        same = np.isclose((released**2).sum(axis=1), inputs[i] @ inputs[i]) & np.isclose(products, wanted).all(axis=1)
        for j in set(np.flatnonzero(same).tolist()) - set(assigned.values()):
            total += _count(inputs, released, assigned | {i: j}, every)
    return total


def both_directions(means: Several = (0.1, 0.25, 0.5, 1.0, 2.0), *, draws: int = 20_000, key: int = 1) -> pd.DataFrame:
    """Invariance of the normal law of Figure 9: the divergence to its nearest mirror image and back (Eq. 8).

    Returns
    -------
    DataFrame
        mean (alpha), right (4 alpha^2 min (z_i' mu)^2 / lambda_i), measured (both directions, by draws),
        standard_error, forth, back (the two directions: printed is the first twice).
    """
    from scipy.stats import multivariate_normal  # scipy.stats takes a second to import

    covariance = np.diag([0.1, 2.0, 40.0])
    records = []
    for mean in means:
        law = multivariate_normal(np.full(3, mean), covariance)
        points = np.asarray(law.rvs(size=draws, random_state=keys.rng(key, "misprints", "divergence", float(mean))))
        found = []
        for signs in itertools.product((1, -1), repeat=3):
            if min(signs) == 1:
                continue
            mirrored = multivariate_normal(np.array(signs) * mean, covariance)
            images = points * np.array(signs)
            forth, back = (law.logpdf(points) - mirrored.logpdf(points), mirrored.logpdf(images) - law.logpdf(images))
            found.append((*mean_and_error(forth + back), forth.mean(), back.mean()))
        records.append((mean, invariance(np.full(3, mean), covariance), *min(found)))
    return pd.DataFrame(records, columns=["mean", "right", "measured", "standard_error", "forth", "back"])


def eigen_ratios(tables: dict[str, tuple[ArrayLike, float]]) -> pd.DataFrame:
    """The minimum eigen-ratio as defined, over all pairs, and over neighbours, for the sets of Figures 5 to 7.

    Parameters
    ----------
    tables : dict of str to (array-like of shape (rows, n), float)
        Data sets by name, with the ratio that the paper reports.

    Returns
    -------
    DataFrame
        data, printed (min over all i != j: below 1), right (min of lambda_i / lambda_{i+1}, sorted), reported.
    """
    covariances = {name: (np.cov(np.asarray(table, dtype=float).T), ratio) for name, (table, ratio) in tables.items()}
    records = []
    for name, (covariance, reported) in {"Gaussian": (COVARIANCE, 19.6003), **covariances}.items():
        values = np.linalg.eigvalsh(covariance)
        every = (values[:, None] / values)[~np.eye(len(values), dtype=bool)].min()
        records.append((name, every, eigen_ratio(values), reported))
    return pd.DataFrame(records, columns=["data", "printed", "right", "reported"])


def pair_variances(*, rows: int = 20_000, key: int = 1) -> pd.DataFrame:
    """Eigenvalues of the covariance of V - W for the three-dimensional normal set (Section V-E).

    Returns
    -------
    DataFrame
        case (the axis), eigenvalue (lambda), printed (lambda / 2), right (2 lambda), measured, standard_error.
    """
    data = three_normals(2 * rows, keys.rng(key, "misprints", "pairs"))
    differences = data[:rows] - data[rows:]
    values = np.linalg.eigvalsh(COVARIANCE)[::-1]
    measured = np.linalg.eigvalsh(np.cov(differences.T))[::-1]
    return pd.DataFrame(
        {
            "case": ["first", "second", "third"],
            "eigenvalue": values,
            "printed": values / 2,
            "right": 2 * values,
            "measured": measured,
            "standard_error": measured * np.sqrt(2 / rows),
        }
    )


def symmetric_pairs(*, rows: int = 20_000, bins: int = 40, key: int = 1) -> pd.DataFrame:
    """The mixture of Figure 11 along its first axis: centred by its mean, and as differences of pairs (Section V-E).

    A difference of two draws from one law is symmetric, whatever the law: nothing in it tells an axis from its
    mirror image.

    Returns
    -------
    DataFrame
        made ("centred" or "pair differences"), left, right (edges, in standard deviations), density, skewness and
        its standard_error, the same in all rows of one kind.
    """
    from scipy.stats import skew  # scipy.stats takes a second to import

    data = mixture(2 * rows, keys.rng(key, "misprints", "mixture"))
    axis = np.linalg.eigh(np.cov(data.T))[1][:, -1]
    along = data @ axis
    made = {"centred": along - along.mean(), "pair differences": along[:rows] - along[rows:]}
    edges = np.linspace(-4, 4, bins + 1)
    parts = []
    for name, values in made.items():
        values = values / values.std()
        density, _ = np.histogram(values, edges)
        density = density / len(values) / np.diff(edges)
        # The skewness of a symmetric law varies with its sixth moment.
        error = np.sqrt((np.mean(values**6) + 9 - 6 * np.mean(values**4)) / len(values))
        parts.append(
            pd.DataFrame({"made": name, "left": edges[:-1], "right": edges[1:], "density": density}).assign(
                skewness=skew(values), standard_error=error
            )
        )
    return pd.concat(parts, ignore_index=True)


def definitions(*, draws: int = 10_000, key: int = 1) -> pd.DataFrame:
    """Two small definitions: the normalised difference from 0, and the range of a cosine (Section III).

    Returns
    -------
    DataFrame
        case, printed, right. A guess of -5 for 0 has printed difference -5, and so would breach at any threshold;
        the engine's answer to that is beside it under breached.
    """
    wrong = np.array([[-5.0]])
    rng = keys.rng(key, "misprints", "cosine")
    a, b = rng.standard_normal((2, draws, 3))
    cosine = np.einsum("ij,ij->i", a, b) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
    flagged = bool(breached(np.zeros((1, 1)), wrong, 0.1, "entry")[0])
    return pd.DataFrame(
        [
            ("NAD(0, 5)", 5.0, 5.0, False),
            ("NAD(0, −5)", -5.0, 5.0, flagged),
            ("least cosine", 0.0, cosine.min(), False),
        ],
        columns=["case", "printed", "right", "breached"],
    )
