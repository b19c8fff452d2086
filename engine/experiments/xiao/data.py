"""The four distributions of sensitive values (Xiao et al. 2009, Figure 4).

Two are synthetic in the paper too: uniform and Gaussian, over 50 values. The other two came from a census
extract that cannot be had, and whose histograms are not printed as numbers. What stands in for them: salaries
log-normal with median 12 and sigma 0.8, cut to 50 classes of width 1; occupations with shares that fall by a
constant factor over 27 values.
"""

import numpy as np
import pandas as pd
from scipy.special import ndtr

from trustscope.engine import keys
from trustscope.engine.arrays import Floats, Integers, Several
from trustscope.errors import TrustscopeError

__all__ = ["DISTRIBUTIONS", "distribution", "draw", "figure_4"]

MEDIAN, SIGMA = 12.0, 0.8
DISTRIBUTIONS = {"uniform": 50, "gaussian": 50, "salary": 50, "occupation": 27}


def distribution(name: str) -> Floats:
    """Shares of the values of one of the four distributions, shape (size,)."""
    if name not in DISTRIBUTIONS:
        raise TrustscopeError(f"The distribution must be one of {', '.join(DISTRIBUTIONS)}, not {name!r}.")
    size = DISTRIBUTIONS[name]
    edges = np.arange(size + 1.0)
    match name:
        case "uniform":
            shares = np.ones(size)
        case "gaussian":
            shares = np.diff(ndtr((edges - size / 2) / (size / 6)))
        case "salary":
            with np.errstate(divide="ignore"):
                shares = np.diff(ndtr(np.log(edges / MEDIAN) / SIGMA))
        case _:
            shares = 0.88 ** edges[:-1]
    return np.asarray(shares / shares.sum())


def figure_4() -> pd.DataFrame:
    """The four distributions (Figure 4).

    Returns
    -------
    DataFrame
        distribution, value, share.
    """
    parts = [
        pd.DataFrame({"distribution": name, "value": np.arange(size), "share": distribution(name)})
        for name, size in DISTRIBUTIONS.items()
    ]
    return pd.concat(parts, ignore_index=True)


def draw(shares: Several, rows: int, *, key: int) -> Integers:
    """Values drawn from shares, shape (rows,), in the smallest type that holds them."""
    rng = keys.rng(key, "xiao", "values")
    values = np.searchsorted(np.cumsum(shares)[:-1], rng.random(rows), side="right")
    return values.astype(np.min_scalar_type(len(shares) - 1))
