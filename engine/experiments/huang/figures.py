"""Correlation against white noise: Figures 1 to 3 (Huang et al. 2005, Sections 7.2 to 7.4)."""

import numpy as np
import pandas as pd

from trustscope.engine.arrays import Several
from trustscope.engine.experiments.huang.data import (
    NOISE_VARIANCE,
    SMALL,
    experiment,
    principal_eigenvalues,
    sizes,
    white_noise,
)
from trustscope.engine.utility.progress import Cancelling, Progress

__all__ = ["crossing", "figure_1", "figure_2", "figure_3"]

LARGE, COMPONENTS, ATTRIBUTES = 400.0, 20, 100


def figure_1(
    *,
    attributes: Several | None = None,
    components: int = 5,
    small: float = SMALL,
    rows: int | None = None,
    repetitions: int | None = None,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """Error by the number of attributes, with as many principal components throughout (Figure 1).

    More attributes on the same components are more correlated: every attacker but the univariate one gains.

    Parameters
    ----------
    attributes : sequence of int, optional
        m: 5, 10, 50 and 100, or 5, 10, 20, ..., 100 at paper size.
    components : int
        p.
    small : float
        The m - p small eigenvalues; the mean variance is 100.
    rows, repetitions : int, optional
        2 000 rows three times, or 10 000 rows ten times at paper size.
    progress, cancelled : callable, optional
        See `engine.experiments.huang`; a step is one repetition of one setting.

    Returns
    -------
    DataFrame
        attributes, and the common columns.
    """
    attributes = attributes or ((5, *range(10, 101, 10)) if paper_size else (5, 10, 50, 100))
    settings = [
        ({"attributes": m}, principal_eigenvalues(m, components, small=small), white_noise()) for m in attributes
    ]
    run = sizes(rows, repetitions, paper_size)
    return experiment(settings, **run, key=key, progress=progress, cancelled=cancelled)


def figure_2(
    *,
    components: Several | None = None,
    small: float = SMALL,
    rows: int | None = None,
    repetitions: int | None = None,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """Error by the number of principal components among 100 attributes (Figure 2).

    Fewer components are more correlated. The univariate attacker is not quite constant, as it would be if
    all attributes had the same variance: only their mean is fixed.

    Parameters
    ----------
    components : sequence of int, optional
        p: 2, 20, 50 and 100, or 2, 10, 20, ..., 100 at paper size.
    small, rows, repetitions, progress, cancelled
        As in `figure_1`.

    Returns
    -------
    DataFrame
        components, and the common columns.
    """
    components = components or ((2, *range(10, 101, 10)) if paper_size else (2, 20, 50, 100))
    settings = [
        ({"components": p}, principal_eigenvalues(ATTRIBUTES, p, small=small), white_noise()) for p in components
    ]
    run = sizes(rows, repetitions, paper_size)
    return experiment(settings, **run, key=key, progress=progress, cancelled=cancelled)


def figure_3(
    *,
    small: Several | None = None,
    noise_variance: float = NOISE_VARIANCE,
    rows: int | None = None,
    repetitions: int | None = None,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """Error by the small eigenvalues: 20 of 400, the other 80 of 100 variable (Figure 3).

    Past `crossing` the projection throws away more data than noise, and attributes by themselves do better.

    Parameters
    ----------
    small : sequence of float, optional
        1, 10, 25 and 50, or 1, 5, 10, ..., 50 at paper size.
    noise_variance : float
    rows, repetitions, progress, cancelled
        As in `figure_1`.

    Returns
    -------
    DataFrame
        small, and the common columns.
    """
    small = small or ((1, *range(5, 51, 5)) if paper_size else (1, 10, 25, 50))
    settings = [
        ({"small": float(e)}, np.repeat([LARGE, e], [COMPONENTS, ATTRIBUTES - COMPONENTS]), white_noise(noise_variance))
        for e in small
    ]
    run = sizes(rows, repetitions, paper_size)
    return experiment(settings, **run, key=key, progress=progress, cancelled=cancelled)


def crossing(
    noise_variance: float = NOISE_VARIANCE,
    *,
    large: float = LARGE,
    components: int = COMPONENTS,
    attributes: int = ATTRIBUTES,
) -> float:
    """The small eigenvalue e at which PCA-DR and UDR are equally good, in theory.

    With all attributes of variance a = (p lambda + (m - p) e) / m, both errors are

        (p s2 + (m - p) e) / m = a s2 / (a + s2),

    a quadratic in e (attributes of random eigenvectors have nearly equal variances).

    Returns
    -------
    float
        0 where the univariate attacker is better at every e.
    """
    share = components / attributes
    kept, s2 = share * noise_variance, noise_variance
    # In d = (1 - share) e: (kept + d) (base + d + s2) = (base + d) s2, with base = share * large.
    base = share * large
    half = (base + kept) / 2
    root = half**2 - (kept * (base + s2) - base * s2)
    if kept * (base + s2) >= base * s2 or components == attributes:
        return 0.0
    return float((np.sqrt(root) - half) / (1 - share))
