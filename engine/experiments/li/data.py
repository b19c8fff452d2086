"""Age and Income: the data of the experiments (Li et al. 2012, Section 6.1, Table 3 and Figure 1).

The paper took the first 100 000 rows of a census extract that cannot be had. What stands in for it is drawn:
Age flat between about 20 and 80, Income gamma and so skewed to the right, joined by a Gaussian copula, both
shifted and scaled so that mean and variance are those of Table 3 exactly. The paper does not give the
correlation of the two; the copula's is 0.3. What the theory says of normalised errors depends neither on it
nor on the shapes.
"""

import numpy as np
import pandas as pd
from scipy.special import gammaincinv, ndtr

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Floats
from trustscope.engine.tables import as_table
from trustscope.errors import TrustscopeError

__all__ = ["CORRELATION", "MOMENTS", "census", "figure_1", "table_3"]

MOMENTS = {"Age": (50.06, 303.03), "Income": (16.57, 219.92)}
CORRELATION = 0.3
PAPER_ROWS, QUICK_ROWS = 100_000, 10_000


def census(rows: int = PAPER_ROWS, *, key: int = 1) -> pd.DataFrame:
    """A draw of Age and Income with the means and variances of Table 3.

    Parameters
    ----------
    rows : int
        At least 2.
    key : int

    Returns
    -------
    DataFrame of shape (rows, 2)
    """
    if rows < 2:
        raise TrustscopeError("At least two rows are needed to have a variance.")
    rng = keys.rng(key, "li", "census")
    normals = rng.standard_normal((rows, 2))
    normals[:, 1] = CORRELATION * normals[:, 0] + np.sqrt(1 - CORRELATION**2) * normals[:, 1]
    mean, variance = MOMENTS["Income"]
    # A gamma variable has mean^2 / variance equal to its shape.
    shapes = {"Age": ndtr(normals[:, 0]), "Income": gammaincinv(mean**2 / variance, ndtr(normals[:, 1]))}
    return pd.DataFrame({name: _with_moments(shape, *MOMENTS[name]) for name, shape in shapes.items()})


def _with_moments(values: Floats, mean: float, variance: float) -> Floats:
    return np.asarray(mean + (values - values.mean()) * np.sqrt(variance / values.var(ddof=1)))


def table_3(data: pd.DataFrame | ArrayLike | None = None, *, key: int = 1, paper_size: bool = False) -> pd.DataFrame:
    """Mean and variance of every attribute, beside the printed ones (Table 3).

    Parameters
    ----------
    data : DataFrame or array of shape (rows, attributes), optional
        By default a draw of `census`. Rows beyond the size (10 000, or 100 000 at paper size) are left out
        at random, here as in the figures.

    Returns
    -------
    DataFrame
        attribute, mean, variance, printed_mean, printed_variance (NaN for other attributes), rows.
    """
    frame = frame_of(data, key=key, paper_size=paper_size)
    printed = [MOMENTS.get(str(name).title(), (np.nan, np.nan)) for name in frame]
    return pd.DataFrame(
        {
            "attribute": [str(name) for name in frame],
            "mean": frame.mean().to_numpy(),
            "variance": frame.var().to_numpy(),
            "printed_mean": [mean for mean, _ in printed],
            "printed_variance": [variance for _, variance in printed],
            "rows": len(frame),
        }
    )


def figure_1(
    data: pd.DataFrame | ArrayLike | None = None, *, bins: int = 40, key: int = 1, paper_size: bool = False
) -> pd.DataFrame:
    """Histograms of the attributes (Figure 1).

    Returns
    -------
    DataFrame
        attribute, left, right, count, density; one row for an attribute and bin.
    """
    frame = frame_of(data, key=key, paper_size=paper_size)
    parts = []
    for name, column in frame.items():
        counts, edges = np.histogram(column, bins=bins)
        parts.append(
            pd.DataFrame(
                {
                    "attribute": str(name),
                    "left": edges[:-1],
                    "right": edges[1:],
                    "count": counts,
                    "density": counts / (counts.sum() * np.diff(edges)),
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def frame_of(data: pd.DataFrame | ArrayLike | None, *, key: int, paper_size: bool) -> pd.DataFrame:
    """The given data as a frame of finite floats, or a draw; at most the quick or the paper's size."""
    if data is None:
        return census(PAPER_ROWS if paper_size else QUICK_ROWS, key=key)
    if not isinstance(data, pd.DataFrame):
        data = np.asarray(data)
        data = data[:, None] if data.ndim == 1 else data
        data = pd.DataFrame(data, columns=[f"attribute {i + 1}" for i in range(data.shape[1])])
    frame = pd.DataFrame(as_table(data, rows=2), index=data.index, columns=data.columns)
    most = PAPER_ROWS if paper_size else QUICK_ROWS
    if len(frame) > most:
        rng = keys.rng(key, "li", "rows")
        frame = frame.iloc[np.sort(rng.choice(len(frame), most, replace=False))]
    return frame
