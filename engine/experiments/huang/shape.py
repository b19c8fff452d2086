"""Noise that resembles the data, or avoids them: Figure 4 (Huang et al. 2005, Section 8.2)."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from trustscope.engine.arrays import Floats, Several
from trustscope.engine.experiments.huang.data import NOISE_VARIANCE, QUICK_ROWS, SMALL, experiment, sizes
from trustscope.engine.measures import correlation_dissimilarity
from trustscope.engine.shapes import noise_shape
from trustscope.engine.utility.progress import Cancelling, Progress

__all__ = ["figure_4"]

LARGE, COMPONENTS, ATTRIBUTES = 400.0, 50, 100


def figure_4(
    *,
    similarities: Several | None = None,
    noise_variance: float = NOISE_VARIANCE,
    rows: int | None = None,
    repetitions: int | None = None,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """Error by the shape of the noise, at constant total: 50 eigenvalues of 400 and 50 of 4 (Figure 4).

    Noise of the data's own shape resists every attacker best. On the other side of white noise it keeps away
    from the data, and they are nearly given away; only the spectral filter, made for white noise, gets worse.

    Parameters
    ----------
    similarities : sequence of float, optional
        1 is the data's own shape, 0 white, -1 the opposite (`engine.shapes`): five of them, or 21 at paper
        size.
    noise_variance : float
        Mean over the attributes.
    rows, repetitions, progress, cancelled
        As in `figure_1`, but 2 000 rows at either size.

    Returns
    -------
    DataFrame
        similarity, dissimilarity (Definition 8.1 as printed) and dissimilarity_rms of the covariances, of the
        last repetition, and the common columns.
    """
    if similarities is None:
        similarities = np.linspace(1, -1, 21 if paper_size else 5)
    eigenvalues = np.repeat([LARGE, SMALL], [COMPONENTS, ATTRIBUTES - COMPONENTS])
    settings = [({"similarity": float(t)}, eigenvalues, _shaped(float(t), noise_variance)) for t in similarities]
    run = sizes(rows, repetitions, paper_size, paper_rows=QUICK_ROWS)
    return experiment(settings, **run, key=key, progress=progress, cancelled=cancelled)


def _shaped(similarity: float, noise_variance: float) -> Callable[[Floats], tuple[Floats, dict[str, float]]]:
    def noise_of(covariance: Floats) -> tuple[Floats, dict[str, float]]:
        noise = noise_shape(covariance, similarity, total=noise_variance * len(covariance))
        kinds = {"dissimilarity": "printed", "dissimilarity_rms": "rms"}
        found = {
            name: correlation_dissimilarity(covariance, noise, kind=kind, covariances=True)
            for name, kind in kinds.items()
        }
        return noise, found

    return noise_of
