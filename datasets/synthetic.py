"""Data made from a seed: the stand-in for the papers' census extracts, and Gaussian tables.

Both are drawn in blocks of 65 536 rows, each block from its own key (seed, block), so that row i depends on
the seed and on i alone: asking for more rows never changes the first ones.

The census is a Gaussian copula over discrete marginals. A marginal is a table of probabilities; a row's
latent normal is looked up between the normal quantiles of their running sum. The marginals of Age and Income
belong to families with two free parameters and closed-form moments, solved for the moments of Li et al.
(2012, Table 3): no clipping, no rescaling of a sample, so nothing biases them.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import lgamma
from statistics import NormalDist
from typing import cast

import numpy as np
import pandas as pd

from trustscope.datasets.limits import LIMITS
from trustscope.datasets.model import Dataset
from trustscope.datasets.problem import DataProblem
from trustscope.datasets.texts import spaced

BLOCK = 65_536

AGE_MEAN, AGE_VARIANCE = 50.06, 303.03
INCOME_MEAN, INCOME_VARIANCE = 16.57, 219.92
AGES = (18, 90)
# Pearson correlation of Age and Income. The source gives none; this one is ours.
CORRELATION = 0.3

# Latent correlations; the first is the one that makes the Pearson correlation of the discrete, skewed Age and
# Income come out as CORRELATION (a test derives it anew). The others are merely plausible.
LATENT = ("Age", "Income", "Education", "Occupation", "Salary band")
LATENT_CORRELATION = np.array(
    [
        [1.0, 0.32768, 0.05, 0.05, 0.30],
        [0.32768, 1.0, 0.45, 0.40, 0.90],
        [0.05, 0.45, 1.0, 0.60, 0.45],
        [0.05, 0.40, 0.60, 1.0, 0.40],
        [0.30, 0.90, 0.45, 0.40, 1.0],
    ]
)

EDUCATION = (
    ("No schooling", 2),
    ("Primary school", 9),
    ("Some high school", 15),
    ("High school", 31),
    ("Some college", 20),
    ("Bachelor", 14),
    ("Master", 6),
    ("Professional", 2),
    ("Doctorate", 1),
)
# 27 categories as unevenly filled as occupations are, in the order of the schooling that they ask for, which
# is how they come to be related to Education.
OCCUPATION = (
    ("Farm labour", 21),
    ("Cleaning", 43),
    ("Packing and loading", 38),
    ("Kitchen work", 47),
    ("Machine operation", 66),
    ("Textile work", 12),
    ("Driving", 52),
    ("Construction", 61),
    ("Mining", 3),
    ("Security", 18),
    ("Personal care", 34),
    ("Retail sales", 93),
    ("Metalwork", 23),
    ("Mechanics", 42),
    ("Electrical trades", 17),
    ("Office support", 118),
    ("Bookkeeping", 36),
    ("Armed forces", 5),
    ("Police and fire service", 12),
    ("Technician", 39),
    ("Business sales", 44),
    ("Nursing", 33),
    ("Management", 84),
    ("Teaching", 49),
    ("Engineering", 22),
    ("Law", 8),
    ("Medicine", 9),
)
SALARY_BANDS = 50


def census(rows: int = 100_000, seed: int = 0) -> Dataset:
    """Make the synthetic census: Age, Income, Education, Occupation, Salary band.

    Parameters
    ----------
    rows : int
        How many people.
    seed : int
        Not negative. The same seed gives the same people, and more rows only add to them.
    """
    rows, seed = _count(rows, "rows", 2, LIMITS.rows), _count(seed, "seed", 0)
    latent = _normals(rows, seed, "census", np.linalg.cholesky(LATENT_CORRELATION))
    cells = {name: np.searchsorted(_quantiles(name), latent[:, i]) for i, name in enumerate(LATENT)}
    frame = pd.DataFrame(
        {
            "Age": AGES[0] + cells["Age"].astype(np.int64),
            "Income": cells["Income"] / 10,
            "Education": _categories(cells["Education"], [e for e, _ in EDUCATION], ordered=True),
            "Occupation": _categories(cells["Occupation"], [o for o, _ in OCCUPATION]),
            "Salary band": _categories(
                cells["Salary band"], [f"Band {k:02d}" for k in range(1, SALARY_BANDS + 1)], ordered=True
            ),
        }
    )
    return Dataset(
        name="census",
        title="Census (synthetic)",
        frame=frame,
        numeric=("Age", "Income"),
        categorical=("Occupation", "Salary band", "Education"),
        label=None,
        source="Made by Trustscope from a seed; nobody in it exists.",
        licence="BSD-3-Clause, like the program that makes it.",
        notes=(
            "These people are synthetic: the census extracts that the papers used cannot be passed on.",
            f"Age and Income have the means and variances of Li et al. (2012), Table 3 (Age {AGE_MEAN} and "
            f"{AGE_VARIANCE}, Income {INCOME_MEAN} and {INCOME_VARIANCE}), up to sampling error.",
            f"The paper states no correlation; here Age and Income correlate at {CORRELATION}, by a Gaussian copula.",
            "Age is a whole number from 18 to 90 (beta-binomial); Income is right-skewed, in steps of 0.1 "
            "(negative binomial).",
            "Salary band (50 values, right-skewed) and Occupation (27 uneven categories) stand in for the "
            "attributes of Xiao et al. (2009); their frequencies, and those of Education, are invented.",
        ),
        units={"Age": "years", "Income": "thousand"},
    )


def gaussian(
    rows: int = 10_000,
    eigenvalues: Sequence[float] = (10.0, 4.0, 1.0, 0.25),
    seed: int = 0,
    mean: float | Sequence[float] = 0.0,
) -> Dataset:
    """Make a multivariate normal table with chosen eigenvalues and a random eigenbasis.

    Parameters
    ----------
    rows : int
        How many rows.
    eigenvalues : sequence of float
        Eigenvalues of the covariance, one for each column; none negative, not all zero.
    seed : int
        Not negative. Sets the basis (uniform over all rotations and reflections) and the rows.
    mean : float or sequence of float
        One mean for all columns, or one for each.
    """
    rows, seed = _count(rows, "rows", 2, LIMITS.rows), _count(seed, "seed", 0)
    values = _numbers(eigenvalues, "eigenvalues")
    if not 1 <= values.size <= LIMITS.columns:
        raise DataProblem(f"Give between 1 and {LIMITS.columns} eigenvalues, not {values.size}.")
    if values.min() < 0 or values.max() == 0:
        raise DataProblem("The eigenvalues must be zero or more, and at least one above zero.")
    LIMITS.check_shape(rows, values.size, "The Gaussian set")
    means = _numbers(mean, "mean")
    if means.size not in (1, values.size):
        raise DataProblem(f"Give one mean, or one for each of the {values.size} columns, not {means.size}.")
    basis = haar_basis(values.size, seed)
    sample = _normals(rows, seed, "gaussian", basis * np.sqrt(values)) + means
    names = tuple(f"X{i}" for i in range(1, values.size + 1))
    shown = ", ".join(f"{v:g}" for v in values[:12]) + (", …" if values.size > 12 else "")
    return Dataset(
        name="gaussian",
        title="Gaussian (synthetic)",
        frame=pd.DataFrame(sample, columns=list(names)),
        numeric=names,
        categorical=(),
        label=None,
        source="Made by Trustscope from a seed.",
        licence="BSD-3-Clause, like the program that makes it.",
        notes=(
            f"Rows are drawn from a multivariate normal whose covariance has the eigenvalues {shown}.",
            "Its eigenvectors are a random orthogonal basis (Haar), set by the seed.",
        ),
    )


def haar_basis(size: int, seed: int) -> np.ndarray:
    """Draw an orthogonal matrix, uniform over all of them (Haar), shape (size, size)."""
    normal = _generator(seed, "basis", 0).standard_normal((size, size))
    q, r = np.linalg.qr(normal)
    # Without fixing the signs the law of Q would depend on how LAPACK happens to choose them.
    return q * np.where(np.diag(r) < 0, -1.0, 1.0)


def marginal(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return values and probabilities of a census column (values are positions for categorical ones)."""
    if name == "Age":
        return np.arange(AGES[0], AGES[1] + 1), _beta_binomial(AGES[1] - AGES[0], AGE_MEAN - AGES[0], AGE_VARIANCE)
    if name == "Income":
        p = _negative_binomial(10 * INCOME_MEAN, 100 * INCOME_VARIANCE)
        return np.arange(p.size) / 10, p
    if name == "Salary band":
        # Most people low, a long tail, and yet every band inhabited: the rarest by 1 in 9 000.
        return np.arange(SALARY_BANDS), _beta_binomial(SALARY_BANDS - 1, 14.0, 110.0)
    weights = np.array([w for _, w in (EDUCATION if name == "Education" else OCCUPATION)], dtype=float)
    return np.arange(weights.size), weights / weights.sum()


def _beta_binomial(n: int, mean: float, variance: float) -> np.ndarray:
    # With m = mean / n and rho = 1 / (a + b + 1): variance = n m (1 - m) (1 + (n - 1) rho), solved for rho.
    m = mean / n
    rho = (variance / (n * m * (1 - m)) - 1) / (n - 1)
    total = 1 / rho - 1
    a, b = m * total, (1 - m) * total

    def log_beta(x: float, y: float) -> float:
        return lgamma(x) + lgamma(y) - lgamma(x + y)

    log_p = [
        lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + log_beta(k + a, n - k + b) - log_beta(a, b)
        for k in range(n + 1)
    ]
    return np.asarray(np.exp(log_p))


def _negative_binomial(mean: float, variance: float) -> np.ndarray:
    # variance = mean + mean^2 / r, solved for r. The support stops 40 standard deviations out, where so
    # little is left (under 1e-18) that neither moment loses anything that a double could show.
    r = mean**2 / (variance - mean)
    log_q = np.log(mean / (mean + r))
    k = np.arange(int(40 * np.sqrt(variance)))
    log_p = np.array([lgamma(i + r) - lgamma(i + 1) for i in k]) - lgamma(r) + r * np.log(r / (mean + r)) + k * log_q
    return np.asarray(np.exp(log_p))


@lru_cache(maxsize=len(LATENT))
def _quantiles(name: str) -> np.ndarray:
    _, p = marginal(name)
    below = np.cumsum(p)[:-1]
    above = np.cumsum(p[::-1])[::-1][1:]
    normal = NormalDist()
    # From the nearer end: 1 - above would lose the far tail to rounding.
    cuts = [normal.inv_cdf(b) if b < 0.5 else -normal.inv_cdf(a) for b, a in zip(below, above, strict=True)]
    quantiles = np.array(cuts)
    quantiles.setflags(write=False)
    return quantiles


def _categories(codes: np.ndarray, labels: list[str], ordered: bool = False) -> pd.Categorical:
    # The stubs of pandas know categories by the type of their labels, which says nothing here.
    return cast("pd.Categorical", pd.Categorical.from_codes(codes, pd.Index(labels), ordered=ordered))


def _normals(rows: int, seed: int, stream: str, factor: np.ndarray) -> np.ndarray:
    """Rows of N(0, factor factor'), each block of them from its own key."""
    out = np.empty((rows, factor.shape[0]))
    for block, start in enumerate(range(0, rows, BLOCK)):
        stop = min(start + BLOCK, rows)
        normal = _generator(seed, stream, block).standard_normal((BLOCK, factor.shape[1]))
        # Multiplied as a whole block, too: BLAS rounds differently for different numbers of rows.
        out[start:stop] = (normal @ factor.T)[: stop - start]
    return out


def _generator(seed: int, stream: str, block: int) -> np.random.Generator:
    key = (("census", "gaussian", "basis").index(stream), block)
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(seed, spawn_key=key)))


def _count(value: object, name: str, least: int, most: int | None = None) -> int:
    bounds = f"{spaced(least)} or more" if most is None else f"between {spaced(least)} and {spaced(most)}"
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise DataProblem(f"The option '{name}' must be a whole number, {bounds}, not {value!r}.")
    if value < least or (most is not None and value > most):
        raise DataProblem(f"The option '{name}' must be {bounds}, not {spaced(int(value))}.")
    return int(value)


def _numbers(value: object, name: str) -> np.ndarray:
    try:
        numbers = np.atleast_1d(np.asarray(value, dtype=float))
    except (TypeError, ValueError):
        raise DataProblem(f"The option '{name}' must hold numbers only, not {value!r}.") from None
    if numbers.ndim != 1 or not np.isfinite(numbers).all():
        raise DataProblem(f"The option '{name}' must be a plain list of finite numbers.")
    return numbers
