"""The known-sample attack: Figures 5 to 11 and the remedy (Giannella et al. 2009, Sec. V-C, V-D, V-G and VI)."""

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Floats, Several
from trustscope.engine.attacks.known_sample import KnownSampleAttack, attack, invariance
from trustscope.engine.experiments.giannella.data import (
    MEAN,
    mixture,
    normals,
    repeated,
    several,
    three_normals,
)
from trustscope.engine.measures import breach_rate
from trustscope.engine.rotation import RotationRelease, random_projection
from trustscope.engine.tables import as_table
from trustscope.engine.utility.progress import Cancelling, Progress
from trustscope.errors import TrustscopeError

__all__ = ["figure_5", "figure_6", "figure_7", "figure_8", "figure_9", "figure_10", "figure_11", "remedy"]

ROWS, SHARE = 10_000, 0.02
SHIFT = 100.0
METHODS = ("paper", "improved")
QUICK_REPETITIONS, PAPER_REPETITIONS = 10, 100


def figure_5(
    *,
    sample: ArrayLike | None = None,
    eps: ArrayLike = (0.02, 0.05),
    repetitions: int | None = None,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """Breaches by the size of the sample, three-dimensional normal data (Figure 5).

    Parameters
    ----------
    sample : sequence of int, optional
        q: 10, 50, 200 and 1 000, and more at paper size. There are 10 000 private records.
    eps : sequence of float
    repetitions : int, optional
        10, or 100 at paper size; each draws new data and a new sample.
    progress, cancelled : callable, optional
        See `engine.experiments.giannella`; a step is one repetition of one setting.

    Returns
    -------
    DataFrame
        sample, and the columns common to Figures 5 to 11.
    """
    default = (10, 20, 50, 100, 200, 400, 600, 800, 1_000) if paper_size else (10, 50, 200, 1_000)
    sample = several(sample, default, "size of the sample", least=4, whole=True)
    settings = [{"method": method, "sample": q} for method in METHODS for q in sample]

    def draw(rng: np.random.Generator, sample: int) -> tuple[Floats, Floats]:
        return three_normals(ROWS, rng), three_normals(sample, rng)

    return _experiment(settings, draw, eps, repetitions, key, paper_size, progress, cancelled)


def figure_6(
    data: ArrayLike,
    *,
    share: ArrayLike | None = None,
    eps: ArrayLike = (0.1,),
    repetitions: int | None = None,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """Breaches by the size of the sample, Letter Recognition (Figure 6).

    Parameters
    ----------
    data : array-like, shape (rows, 6) or more columns
        The letters' numeric columns, of which the first six are taken, duplicates and all.
    share : sequence of float, optional
        Of the rows, drawn at random for the sample; the others are private.
    eps, repetitions, progress, cancelled
        As in `figure_5`.

    Returns
    -------
    DataFrame
        share, and the columns common to Figures 5 to 11.
    """
    return _divided(_wide(data)[:, :6], share, eps, repetitions, key, paper_size, progress, cancelled)


def figure_7(
    data: ArrayLike,
    *,
    share: ArrayLike | None = None,
    eps: ArrayLike = (0.1,),
    repetitions: int | None = None,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """Breaches by the size of the sample, Adult (Figure 7).

    Parameters
    ----------
    data : array-like, shape (rows, 3)
        Age, years of education and hours per week.
    share, eps, repetitions, progress, cancelled
        As in `figure_6`.

    Returns
    -------
    DataFrame
        share, and the columns common to Figures 5 to 11.
    """
    return _divided(_wide(data), share, eps, repetitions, key, paper_size, progress, cancelled)


def figure_8(
    *,
    ratio: ArrayLike | None = None,
    eps: ArrayLike = (0.05,),
    repetitions: int | None = None,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """Breaches by the ratio of the closest eigenvalues (Figure 8).

    Parameters
    ----------
    ratio : sequence of float, optional
        b / 2 for the covariance diag(0.1, 2, b): 1 to 20.
    eps, repetitions, progress, cancelled
        As in `figure_5`; samples of 200.

    Returns
    -------
    DataFrame
        ratio, and the columns common to Figures 5 to 11.
    """
    ratio = several(ratio, (1, 1.5, *range(2, 21)) if paper_size else (1, 1.5, 2, 5, 10, 20), "ratio", least=1)
    settings = [{"method": method, "ratio": one} for method in METHODS for one in ratio]

    def draw(rng: np.random.Generator, ratio: float) -> tuple[Floats, Floats]:
        covariance = np.diag([0.1, 2.0, 2.0 * ratio])
        return normals(MEAN, covariance, ROWS, rng), normals(MEAN, covariance, int(SHARE * ROWS), rng)

    return _experiment(settings, draw, eps, repetitions, key, paper_size, progress, cancelled)


def figure_9(
    *,
    mean: ArrayLike | None = None,
    eps: ArrayLike = (0.05,),
    repetitions: int | None = None,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """Breaches by the distance of the mean from zero, where normal data are their own mirror image (Figure 9).

    Parameters
    ----------
    mean : sequence of float, optional
        alpha for the mean alpha (1, 1, 1): 0 to 10.
    eps, repetitions, progress, cancelled
        As in `figure_5`; samples of 200.

    Returns
    -------
    DataFrame
        mean, and the columns common to Figures 5 to 11; invariance is that of the law.
    """
    mean = several(mean, np.arange(0, 10.5, 0.5) if paper_size else (0, 0.5, 1, 2, 5, 10), "mean")
    covariance = np.diag([0.1, 2.0, 40.0])
    settings = [{"method": method, "mean": one} for method in METHODS for one in mean]

    def draw(rng: np.random.Generator, mean: float) -> tuple[Floats, Floats]:
        centre = np.full(3, mean)
        return normals(centre, covariance, ROWS, rng), normals(centre, covariance, int(SHARE * ROWS), rng)

    table = _experiment(settings, draw, eps, repetitions, key, paper_size, progress, cancelled)
    return table.assign(invariance=[invariance(np.full(3, one), covariance) for one in table["mean"]])


def figure_10(
    *,
    share: ArrayLike | None = None,
    eps: ArrayLike = (0.05,),
    repetitions: int | None = None,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """Breaches by the size of the sample under a shift as well, three-dimensional normal data (Figure 10).

    Normal data are symmetric about their mean, and a shift hides where it is: nobody finds the signs.

    Parameters
    ----------
    share : sequence of float, optional
        Size of the sample as a share of the 10 000 private records.
    eps, repetitions, progress, cancelled
        As in `figure_5`.

    Returns
    -------
    DataFrame
        share, the columns common to Figures 5 to 11, and guessed: the breaches if the signs were drawn at random.
    """
    return _shifted(three_normals, share, eps, repetitions, key, paper_size, progress, cancelled)


def figure_11(
    *,
    share: ArrayLike | None = None,
    eps: ArrayLike = (0.05,),
    repetitions: int | None = None,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """Breaches by the size of the sample under a shift, asymmetric mixture (Figure 11).

    The paper's differences of pairs are symmetric for every law, so its signs are guesses here too; less the
    means, the mixture gives them away.

    Parameters
    ----------
    share, eps, repetitions, progress, cancelled
        As in `figure_10`.

    Returns
    -------
    DataFrame
        share, and the columns common to Figures 5 to 11.
    """
    return _shifted(mixture, share, eps, repetitions, key, paper_size, progress, cancelled)


def remedy(
    *,
    dimensions: ArrayLike | None = None,
    eps: ArrayLike = (0.1,),
    repetitions: int | None = None,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """Breaches of a random projection by its dimensions: the remedy of Sec. VI, which is none.

    Parameters
    ----------
    dimensions : sequence of int, optional
        l: 10, 100 and 1 000 by default.
    eps, repetitions, progress, cancelled
        As in `figure_5`: three-dimensional normal data, samples of 1 000.

    Returns
    -------
    DataFrame
        matrix ("one" for all records, as is meant, or "fresh" for each), dimensions, and the columns common to
        Figures 5 to 11.
    """
    default = (5, 10, 30, 100, 300, 1_000) if paper_size else (10, 100, 1_000)
    dimensions = several(dimensions, default, "number of dimensions", least=3, whole=True)
    settings = [
        {"method": "improved", "matrix": matrix, "dimensions": one} for matrix in ("one", "fresh") for one in dimensions
    ]
    rows = ROWS if paper_size else 2_000

    def draw(rng: np.random.Generator, matrix: str, dimensions: int) -> tuple[Floats, Floats]:
        return three_normals(rows, rng), three_normals(1_000, rng)

    def release(data: Floats, key: int, matrix: str, dimensions: int) -> Floats:
        return random_projection(data, dimensions, fresh=matrix == "fresh", key=key).released

    count = (20 if paper_size else 5) if repetitions is None else repetitions
    return _experiment(settings, draw, eps, count, key, paper_size, progress, cancelled, release=release)


def _wide(data: ArrayLike) -> Floats:
    """Records whose axes can be told apart."""
    table = as_table(data, rows=8)
    if table.shape[1] < 2:
        raise TrustscopeError("There must be at least two columns in the data: one alone has no axes to match.")
    return table


def _divided(
    data: Floats,
    share: ArrayLike | None,
    eps: ArrayLike,
    repetitions: int | None,
    key: int,
    paper_size: bool,
    progress: Progress | None,
    cancelled: Cancelling | None,
) -> pd.DataFrame:
    """A real set in two disjoint parts."""
    share = several(share, (0.02, 0.04, 0.06, 0.08, 0.1, 0.2) if paper_size else (0.02, 0.1), "share", most=0.9)
    settings = [{"method": method, "share": one} for method in METHODS for one in share]

    def draw(rng: np.random.Generator, share: float) -> tuple[Floats, Floats]:
        order, count = rng.permutation(len(data)), max(int(share * len(data)), 4)
        return data[order[count:]], data[order[:count]]

    return _experiment(settings, draw, eps, repetitions, key, paper_size, progress, cancelled)


def _shifted(
    law: Callable[[int, np.random.Generator], Floats],
    share: ArrayLike | None,
    eps: ArrayLike,
    repetitions: int | None,
    key: int,
    paper_size: bool,
    progress: Progress | None,
    cancelled: Cancelling | None,
) -> pd.DataFrame:
    default = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0) if paper_size else (0.02, 0.1, 0.5)
    share = several(share, default, "share", least=4 / ROWS)
    settings = [{"method": method, "share": one} for method in METHODS for one in share]

    def draw(rng: np.random.Generator, share: float) -> tuple[Floats, Floats]:
        return law(ROWS, rng), law(int(share * ROWS), rng)

    return _experiment(settings, draw, eps, repetitions, key, paper_size, progress, cancelled, translation=SHIFT)


def _experiment(
    settings: list[dict[str, Any]],
    draw: Callable[..., tuple[Floats, Floats]],
    eps: ArrayLike,
    repetitions: int | None,
    key: int,
    paper_size: bool,
    progress: Progress | None,
    cancelled: Cancelling | None,
    *,
    translation: float = 0.0,
    release: Callable[..., Floats] | None = None,
) -> pd.DataFrame:
    """Draw data and sample, release, attack, count; one row of the table for every setting and eps."""
    eps = several(eps, None, "threshold")

    def one_run(repetition: int, method: str, **setting: Any) -> dict[str, float]:
        # Both methods meet the same data.
        purpose = (f"{name}={value}" for name, value in setting.items())
        own = keys.derive(key, "giannella", "sampled", repetition, *purpose)
        data, sample = draw(keys.rng(own), **setting)
        if release is None:
            made = RotationRelease(data, translation=translation, permute=False, key=own)
            released = made.released
        else:
            made, released = None, release(data, own, **setting)
        found = attack(sample, released, translated=translation > 0, method=method, projected=release is not None)
        estimate = found.estimate(released)
        result = {f"breach {one}": breach_rate(data, estimate, one) for one in eps}
        if translation > 0:
            result |= _guessed(found, sample, data, released, eps)
        if made is not None:
            turned = made.secret.matrix @ found.sample_axes
            result["signs_right"] = np.mean(np.sign(np.sum(turned * found.released_axes, axis=0)) == found.signs)
        return {**result, "eigen_ratio": found.eigen_ratio}

    count = (PAPER_REPETITIONS if paper_size else QUICK_REPETITIONS) if repetitions is None else repetitions
    wide = repeated(settings, one_run, repetitions=count, progress=progress, cancelled=cancelled)
    names = list(settings[0])
    kept = [*names, *(c for c in ("signs_right", "eigen_ratio") if c in wide), "repetitions"]
    long = [
        wide[kept].assign(
            eps=one,
            breach=wide[f"breach {one}"],
            standard_error=wide[f"breach {one}_sd"] / np.sqrt(count),
            **({"guessed": wide[f"guessed {one}"]} if translation > 0 else {}),
        )
        for one in eps
    ]
    table = pd.concat(long, ignore_index=True)
    first = [*names, "eps", "breach", "standard_error", *(c for c in kept if c not in names)]
    return table[[*first, *(c for c in table if c not in first)]]


def _guessed(
    found: KnownSampleAttack, sample: Floats, data: Floats, released: Floats, eps: Several
) -> dict[str, float]:
    """Breaches if the signs were guesses: the mean over all of them, with the axes that were found."""
    rates = []
    for signs in product((-1.0, 1.0), repeat=len(found.signs)):
        other = replace(found, signs=np.array(signs))
        other = replace(other, shift=released.mean(axis=0) - other.matrix @ sample.mean(axis=0))
        estimate = other.estimate(released)
        rates.append([breach_rate(data, estimate, one) for one in eps])
    return dict(zip((f"guessed {one}" for one in eps), np.mean(rates, axis=0), strict=True))
