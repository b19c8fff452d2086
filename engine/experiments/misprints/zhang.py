"""Zhang, Wang and Zhao, KDD 2005."""

import time
from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Floats, Integers, Several
from trustscope.engine.experiments import zhang
from trustscope.engine.experiments.misprints.chance import mean_and_error
from trustscope.engine.survey import Encoding, guidance_of, probabilities
from trustscope.engine.utility.progress import Cancelling, Progress
from trustscope.errors import TrustscopeError

__all__ = ["eigenvalue_order", "product_of_bits", "squares_above_one", "update_cost"]


def eigenvalue_order(
    answers: pd.DataFrame,
    classes: ArrayLike,
    levels: Several = (1, 2, 3, 5, 9),
    *,
    repetitions: int = 5,
    key: int = 1,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """What the k largest signed eigenvalues leave out of A, and the k largest in magnitude (Eq. 5, 6 and 22).

    Parameters
    ----------
    answers, classes : of a survey
        See `engine.experiments.zhang.figure_4`.

    Returns
    -------
    DataFrame
        order ("magnitude" or "signed"), level (k), norm (spectral, of what is left out of A), accuracy (of naive
        Bayes on the guided answers), standard_error.
    """
    table = zhang.figure_4(
        answers, classes, levels=levels, repetitions=repetitions, key=key, progress=progress, cancelled=cancelled
    )
    table = table[table["order"] != "original"][["order", "level", "accuracy", "standard_error"]].reset_index(drop=True)
    _, difference = _difference(answers, classes, key)
    norms = []
    for order, level in zip(table["order"], table["level"], strict=True):
        basis = guidance_of(difference, 0.0, order=order).basis[:, :level]
        kept = basis @ (basis.T @ difference @ basis) @ basis.T
        norms.append(np.linalg.norm(difference - kept, 2))
    table.insert(2, "norm", norms)
    return table


def squares_above_one(
    answers: pd.DataFrame,
    classes: ArrayLike,
    questions: Several = (1, 2, 4, 8, 16),
    levels: Several = (1, 2, 5, 9),
    *,
    key: int = 1,
) -> pd.DataFrame:
    """How large the square of a coordinate, meant as a probability, can become (Eq. 8).

    The largest over all answers to n questions and all guidance with k = 1 is the square of the largest eigenvalue
    of (e 1' + 1 e') / 2, which is ((1 + sqrt n) / 2)^2.

    Returns
    -------
    DataFrame
        kind ("worst", by the number of questions, or "survey", by the level), number, largest (square), formula
        (NaN for the survey), above (share of squares above 1), negative (share of coordinates below 0).
    """
    records: list[tuple[object, ...]] = []
    for number in questions:
        first = np.zeros((number, number))
        first[0] = 1
        largest = np.linalg.eigvalsh((first + first.T) / 2)[-1] ** 2
        records.append(("worst", number, largest, ((1 + np.sqrt(number)) / 2) ** 2, np.nan, np.nan))
    tuples, difference = _difference(answers, classes, key)
    basis = guidance_of(difference, 0.0).basis
    for level in levels:
        coordinates = tuples @ basis[:, :level] @ basis[:, :level].T
        squares = coordinates**2
        shares = np.mean(squares > 1 + 1e-9), np.mean(coordinates < -1e-9)
        records.append(("survey", level, squares.max(), np.nan, *shares))
    return pd.DataFrame(records, columns=["kind", "number", "largest", "formula", "above", "negative"])


def product_of_bits(
    answers: pd.DataFrame, classes: ArrayLike, *, level: int = 2, pairs: int = 6, draws: int = 20_000, key: int = 1
) -> pd.DataFrame:
    """What sending two bits for themselves does to their product (Eq. 26).

    As printed the expected difference of the products before and after is at most 2 (x - x) = 0. Bits are drawn
    independently, so E[R_i R_j] = t_i^2 t_j^2, with t the guided coordinates.

    Returns
    -------
    DataFrame
        case, printed (0), right (t_i t_j - t_i^2 t_j^2), measured, standard_error.
    """
    tuples, difference = _difference(answers, classes, key)
    basis = guidance_of(difference, 0.0, most=level).basis
    rng = keys.rng(key, "misprints", "bits")
    records = []
    for number in range(pairs):
        one, coordinates, (i, j) = _pair(tuples, basis, rng)
        chances = probabilities(one, basis)[0]
        sent = rng.random((draws, 2)) < chances[[i, j]]
        product = coordinates[i] * coordinates[j]
        measured, error = mean_and_error(product - sent.all(axis=1))
        records.append((str(number + 1), 0.0, product - chances[i] * chances[j], measured, error))
    return pd.DataFrame(records, columns=["case", "printed", "right", "measured", "standard_error"])


def _pair(tuples: Floats, basis: Floats, rng: np.random.Generator) -> tuple[Floats, Floats, Integers]:
    """An answer, its coordinates, and two of them whose squares are probabilities, and not next to nothing."""
    for place in rng.permutation(len(tuples)):
        coordinates = basis @ (basis.T @ tuples[place])
        usable = np.flatnonzero((coordinates > 0.3) & (coordinates < 0.95))
        if len(usable) > 1:
            return tuples[place], coordinates, rng.choice(usable, 2, replace=False)
    raise TrustscopeError(
        "No answer has two coordinates between 0.3 and 0.95 under this guidance; choose another level."
    )


def update_cost(dimensions: Several = (128, 256, 512, 1024), *, repetitions: int = 3, key: int = 1) -> pd.DataFrame:
    """Seconds to find the guidance anew, by the dimension (Section 7.1).

    Returns
    -------
    DataFrame
        dimension, update (adding a tuple's outer product to A), decomposition (of A; the fastest of all
        repetitions). Times are not reproducible.
    """
    records = []
    for dimension in dimensions:
        rng = keys.rng(key, "misprints", "update", dimension)
        matrix = rng.standard_normal((dimension, dimension))
        matrix, one = matrix + matrix.T, np.asarray(rng.standard_normal(dimension))
        times = [
            (_seconds(partial(_add_outer, matrix, one)), _seconds(partial(np.linalg.eigh, matrix)))
            for _ in range(max(repetitions, 4096 // dimension))  # short ones are disturbed more easily
        ]
        records.append((dimension, *np.min(times, axis=0)))
    return pd.DataFrame(records, columns=["dimension", "update", "decomposition"])


def _difference(answers: pd.DataFrame, classes: ArrayLike, key: int) -> tuple[Floats, Floats]:
    """The tuples of a survey, and A of all of them."""
    fill = int(keys.rng(key, "misprints", "fill").integers(2**31))
    tuples = Encoding.fit(answers).encode(answers, fill=fill).astype(float)
    signs = np.where(np.asarray(classes) == 0, 1.0, -1.0)[:, None]
    return tuples, (signs * tuples).T @ tuples


def _add_outer(matrix: Floats, one: Floats) -> Floats:
    return matrix + np.outer(one, one)


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
