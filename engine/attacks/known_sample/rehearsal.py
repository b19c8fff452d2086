"""Which principal axes a sample of a given size gives away best, found by rehearsing on the release itself."""

import numpy as np

from trustscope.engine import keys
from trustscope.engine.arrays import Floats
from trustscope.engine.attacks.known_sample.axes import principal_axes

__all__ = ["rehearsed_errors", "steadier_about_origin"]

# How many parts of the release play the sample, and the most rows of a part: with more rows all errors shrink alike.
PARTS, MOST = 32, 2_000
# Other axes than the paper's are taken only if their error is below this share of its error, because errors that are
# measured on parts are not exact.
CLEARLY = 0.9


def rehearsed_errors(table: Floats, size: int) -> tuple[float, float]:
    """Error of records turned back by axes that come from so many of them, relative to their lengths.

    Parts of the table play the sample, the whole of it the release, and here the right turn is known: none. Root
    mean square over records and parts; axes are taken to point the right way.

    Parameters
    ----------
    table : numpy.ndarray, shape (rows, n), of at least four rows
    size : int
        Rows of a part; at most half of the table.

    Returns
    -------
    about_mean, about_origin : float
    """
    size = min(size, len(table) // 2, MOST)
    # The choice between attacks must not differ from call to call.
    rng = keys.rng(0, "rehearsal")
    parts = [table[rng.choice(len(table), size, replace=False)] for _ in range(PARTS)]
    moments = np.array([part.T @ part / size for part in parts])
    means = np.array([part.mean(axis=0) for part in parts])
    lengths = np.linalg.norm(table, axis=1, keepdims=True)
    unit = np.divide(table, lengths, out=np.zeros_like(table), where=lengths > 0)
    errors: list[float] = []
    for about_origin, seen in ((False, moments - means[:, :, None] * means[:, None]), (True, moments)):
        whole = principal_axes(table, about_origin=about_origin)[1]
        axes = np.linalg.eigh(seen)[1][:, :, ::-1]
        off = axes * np.where(np.einsum("pij,ij->pj", axes, whole) < 0, -1.0, 1.0)[:, None] - whole
        # A record y comes back as Z W' y instead of y = W W' y.
        along = unit @ whole
        weights = along.T @ along / len(table)
        errors.append(float(np.sqrt(np.mean(np.einsum("pij,jk,pik->p", off, weights, off)))))
    about_mean, from_origin = errors
    return about_mean, from_origin


def steadier_about_origin(table: Floats, size: int) -> bool:
    """Whether the axes of the second moments about the origin are clearly better known than those of the covariance."""
    about_mean, about_origin = rehearsed_errors(table, size)
    return about_origin < CLEARLY * about_mean
