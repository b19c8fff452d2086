"""The rotation under which released rows lie where records of a sample lie: clouds of points, laid over one another.

Principal axes use second moments alone. Here every released row, turned back, is taken to be normal around one of the
sample's records, each as likely as another and all with one variance. Which record it is (a posterior), and the turn
and shift that fit best to that (Procrustes), are found one after the other until nothing changes, as in Myronenko and
Song, "Point set registration: coherent point drift" (2010). This climbs to the nearest hill of the likelihood; so the
attacker begins with axes that were matched in one way or another, mirrors along one axis or two, and keeps what is
likelier.
"""

import itertools
from dataclasses import dataclass, replace

import numpy as np
from scipy.spatial.distance import cdist

from trustscope.engine.arrays import Floats
from trustscope.engine.attacks.known_sample.attack import KnownSampleAttack

__all__ = ["Overlay", "overlay"]

ROUGH, FINE = 256, 1_000  # rows of either side while mirror images are tried, and in the end
ROUNDS, LAST = 5, 20  # rounds of either at most
TRIED = 40  # mirror images at most
TOGETHER = 6  # axes that are mirrored in pairs: those whose signs are least certain
SETTLED = 1e-3  # gain in logarithms of the likelihood of a row, below which nothing changes
LEAST = 1e-9  # variance left, as a share of the sample's: rows that are found again leave none
ROUNDING = 10  # rounding errors of a square, which leave as much


@dataclass(frozen=True, eq=False)
class Overlay:
    """Where released rows lie among the sample.

    Attributes
    ----------
    matrix : numpy.ndarray, shape (n, n)
        Orthogonal: what turns released rows back.
    offset : numpy.ndarray, shape (n,)
        What is then taken off them; zero without a shift.
    likelihood : float
        Mean logarithm of the likelihood of a released row, by which turns of the same clouds are compared.
    """

    matrix: Floats
    offset: Floats
    likelihood: float

    def turn_back(self, released: Floats) -> Floats:
        """The records behind released rows."""
        found: Floats = released @ self.matrix - self.offset
        return found


def overlay(
    sample: Floats,
    released: Floats,
    *starts: KnownSampleAttack,
    told: tuple[Floats, Floats] | None = None,
    shifted: bool = False,
) -> Overlay:
    """Lay the release over the sample.

    Parameters
    ----------
    sample : numpy.ndarray, shape (q, n)
        Records of the same population, not of the data.
    released : numpy.ndarray, shape (rows, n)
    *starts : KnownSampleAttack
        What was found by matching axes: where to begin, one or several.
    told : pair of numpy.ndarray, shapes (q, k) and (rows, k), optional
        What else is known of both, and was not turned.
    shifted : bool
        Whether there may have been a shift.

    Returns
    -------
    Overlay
    """
    # Squares of large numbers overflow, in half of the digits the sooner.
    scale = max(float(np.abs(one).max(initial=0.0)) for one in (sample, released)) or 1.0
    sample, released, told = sample / scale, released / scale, told and (told[0] / scale, told[1] / scale)
    # While mirror images are tried, half of the digits will do, in half of the time.
    clouds = _clouds(sample, released, told, ROUGH, np.float32)
    hills: list[tuple[Overlay, KnownSampleAttack]] = []
    for start in starts:
        hill = _fitted(*clouds, start.matrix, shifted, ROUNDS)
        if all(abs(hill.likelihood - other.likelihood) > SETTLED for other, _ in hills):  # not the same one
            hills.append((hill, start))
    best = max((_mirrored(clouds, *one, shifted) for one in hills), key=lambda one: one.likelihood)
    laid = _fitted(*_clouds(sample, released, told, FINE), best.matrix, shifted, LAST)
    return replace(laid, offset=laid.offset * scale)


# Records of the sample, released rows, their squared distances in what was told, and in how many coordinates.
_Clouds = tuple[Floats, Floats, Floats | float, int]


def _mirrored(clouds: _Clouds, best: Overlay, start: KnownSampleAttack, shifted: bool) -> Overlay:
    """What fits best from one hill on, with the axes of its start mirrored where that is likelier."""
    order = np.argsort(start.margins, kind="stable")
    mirrors = [*((one,) for one in order), *itertools.combinations(order[:TOGETHER], 2)]
    unchanged = 0
    for tried, mirror in enumerate(itertools.cycle(mirrors)):
        if unchanged == len(mirrors) or tried == TRIED:
            break
        along = start.sample_axes[:, list(mirror)]
        other = _fitted(*clouds, best.matrix - 2 * (best.matrix @ along) @ along.T, shifted, ROUNDS)
        unchanged += 1
        if other.likelihood > best.likelihood + SETTLED:
            best, unchanged = other, 0
    return best


def _clouds(
    sample: Floats, released: Floats, told: tuple[Floats, Floats] | None, most: int, digits: type = np.float64
) -> _Clouds:
    """Some rows of both, evenly spread."""
    some, rows = (np.linspace(0, len(one) - 1, min(len(one), most)).astype(int) for one in (sample, released))
    s, y = sample[some].astype(digits), released[rows].astype(digits)
    if told is None:
        return s, y, 0.0, 0
    return s, y, cdist(told[1][rows], told[0][some], "sqeuclidean").astype(digits), told[0].shape[1]


def _fitted(
    s: Floats, y: Floats, apart: Floats | float, more: int, matrix: Floats, shifted: bool, rounds: int
) -> Overlay:
    """The nearest hill of the likelihood, or so many rounds on the way to it."""
    dimensions = s.shape[1] + more
    matrix = matrix.astype(s.dtype)
    least = max(LEAST, ROUNDING * float(np.finfo(s.dtype).eps)) * max(float(s.var(axis=0).mean()), 1e-30)
    middle = y.mean(axis=0)
    offset = middle @ matrix - s.mean(axis=0) if shifted else np.zeros(s.shape[1])
    squares = np.sum(s**2, axis=1)
    variance, likelihood = 0.0, -np.inf
    for _ in range(rounds):
        x = y @ matrix - offset
        away = np.sum(x**2, axis=1)[:, None] + squares - 2 * x @ s.T + apart
        nearest = away.min(axis=1)
        variance = max(variance or float(np.median(nearest)) / dimensions, least)
        away -= nearest[:, None]
        weights = np.exp(away * (-0.5 / variance))
        total = weights.sum(axis=1)
        before, likelihood = likelihood, float(np.mean(np.log(total / len(s)) - nearest / (2 * variance)))
        likelihood -= 0.5 * dimensions * float(np.log(variance))
        if likelihood - before < SETTLED:
            break
        away *= weights
        variance = max(float(np.mean(nearest + away.sum(axis=1) / total)) / dimensions, least)
        target = (weights @ s) / total[:, None]
        about = target.mean(axis=0) if shifted else 0.0
        left, _, right = np.linalg.svd((y - middle if shifted else y).T @ (target - about))
        matrix = left @ right
        offset = middle @ matrix - about if shifted else offset
    return Overlay(matrix, offset, likelihood)
