"""Where the two bounds fail: Theorems 5.1 and 5.2 (Zhang et al. 2005), measured."""

import itertools

import numpy as np
import pandas as pd
from scipy.special import xlogy

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Floats, Integers, Several
from trustscope.engine.measures import degree_of_error, error_bound, expected_difference
from trustscope.engine.survey import Encoding, guidance_of, probabilities
from trustscope.engine.utility import Ticker, keeping
from trustscope.engine.utility.progress import Cancelling, Progress
from trustscope.errors import TrustscopeError

__all__ = ["theorem_1", "theorem_2"]

MUS = (0.002, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.15)
QUICK_LAWS, PAPER_LAWS = 2_000, 50_000


def theorem_1(
    answers: pd.DataFrame,
    classes: ArrayLike,
    *,
    mus: Several = MUS,
    orders: Several = ("magnitude", "signed"),
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """The degree of error beside its bound 2 mu sigma_1 / m, for guidance from all tuples (Theorem 5.1).

    Parameters
    ----------
    answers, classes
        As in `figure_4`.
    mus : sequence of float
    orders : sequence of {"magnitude", "signed"}
    key : int
        Draws missing answers.
    paper_size : bool
        Nothing is sampled: both sizes are the same.
    progress, cancelled : callable, optional
        See `engine.experiments.zhang`; a step is one mu.

    Returns
    -------
    DataFrame
        order, mu, level, error (l_e for one and two questions, expected), truncation (what of it leaving out
        eigenvectors causes), bound, holds, norm (the spectral norm of what is left out of A), rows.
    """
    classes = np.asarray(classes)
    encoding = Encoding.fit(answers)
    tuples = encoding.encode(answers, fill=keys.derive(key, "zhang", "theorem 1")).astype(float)
    signs = np.where(classes == 0, 1.0, -1.0)[:, None]
    difference, rows = (signs * tuples).T @ tuples, len(tuples)
    ticker = Ticker(len(mus) * len(orders), progress, cancelled)
    columns = ["order", "mu", "level", "error", "truncation", "bound", "holds", "norm", "rows"]
    records: list[tuple[object, ...]] = []
    with keeping(lambda: pd.DataFrame(records, columns=columns)):
        for order in orders:
            for mu in mus:
                ticker.check()
                basis = guidance_of(difference, mu, order=order).basis
                kept = basis @ (basis.T @ difference @ basis) @ basis.T
                sent = expected_difference(probabilities(tuples, basis), classes)
                error, bound = degree_of_error(difference, sent, rows), error_bound(difference, rows, mu)
                truncation, norm = degree_of_error(difference, kept, rows), np.linalg.norm(difference - kept, 2)
                records.append((order, mu, basis.shape[1], error, truncation, bound, error <= bound, norm, rows))
                ticker.step(f"{order}, mu = {mu:g}")
    return pd.DataFrame(records, columns=columns)


def theorem_2(
    *,
    questions: int = 3,
    concentrations: Several = (1.0, 0.2),
    laws: int | None = None,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """The degree of disclosure beside its bound, for random laws and guidance that asks for answers (Theorem 5.2).

    V = (e_i, e_j, ...), one for each of k questions, is orthonormal and sends k answers as they are, so l_p is exactly
    H(a_i, a_j, ...) / H(t). The laws of so many yes-or-no questions are drawn from Dirichlet laws: 1 draws uniformly
    from all laws, less prefers laws where few tuples are common. The first record is the plainest case: questions
    that are always answered alike, where l_p is 1 and the bound 1/2.

    Parameters
    ----------
    questions : int
        n, at least 2; every k below it is tried.
    concentrations : sequence of float
        Of the Dirichlet laws.
    laws : int, optional
        For each concentration: 2 000, or 50 000 at paper size.
    key : int
    progress, cancelled : callable, optional
        See `engine.experiments.zhang`; a step is one concentration and level.

    Returns
    -------
    DataFrame
        law ("alike" or "random"), concentration, level, disclosure (of the questions that give most away), bound,
        holds.
    """
    laws = laws or (PAPER_LAWS if paper_size else QUICK_LAWS)
    if questions < 2:
        raise TrustscopeError(f"The bound needs two questions at least, not {questions}.")
    codes = (np.arange(2**questions)[:, None] >> np.arange(questions)) & 1
    alike = np.zeros(len(codes))
    alike[[0, -1]] = 0.5
    rng = keys.rng(key, "zhang", "theorem 2")
    ticker = Ticker(len(concentrations) * (questions - 1), progress, cancelled)
    parts = [_exact(alike[None], codes, 1).assign(law="alike", concentration=np.nan)]
    with keeping(lambda: _ordered(parts)):
        for concentration in concentrations:
            drawn = rng.dirichlet(np.full(len(codes), float(concentration)), laws)
            for level in range(1, questions):
                ticker.check()
                parts.append(_exact(drawn, codes, level).assign(law="random", concentration=concentration))
                ticker.step(f"concentration {concentration:g}, level {level}")
    return _ordered(parts)


def _exact(laws: Floats, codes: Integers, level: int) -> pd.DataFrame:
    """Disclosure and bound of every law, shape (L, 2^n), in closed form."""
    questions = codes.shape[1]
    most = np.zeros(len(laws))
    for asked in itertools.combinations(range(questions), level):
        answered = (codes[:, asked] << np.arange(level)).sum(axis=1)
        shares = np.stack([laws[:, answered == one].sum(axis=1) for one in range(2**level)], axis=1)
        most = np.maximum(most, -xlogy(shares, shares).sum(axis=1))
    disclosure = most / -xlogy(laws, laws).sum(axis=1)
    tuples = np.stack([1 - codes, codes], axis=2).reshape(len(codes), -1).astype(float)
    moments = np.einsum("lt,ti,tj->lij", laws, tuples, tuples)
    bound = np.linalg.eigvalsh(moments)[:, -level:].sum(axis=1) / questions
    return pd.DataFrame({"level": level, "disclosure": disclosure, "bound": bound, "holds": disclosure <= bound})


def _ordered(parts: list[pd.DataFrame]) -> pd.DataFrame:
    columns = ["law", "concentration", "level", "disclosure", "bound", "holds"]
    return pd.concat(parts, ignore_index=True)[columns]
