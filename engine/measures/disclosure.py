"""What guided perturbation costs the miner and the respondents (Zhang et al. 2005, Section 5).

Both of the paper's bounds are given beside the measurements, because both fail: Theorem 5.1 for a small mu, and at
any mu with eigenvalues in signed order; Theorem 5.2 already for two equal questions and guidance that asks for one.

Disclosure is a share of the entropy H(t) of a tuple, and H(t) depends on the law that t is supposed to have. Here
it is the empirical law of the tuples given: the miner knows which tuples there are, how common each is, and not
whose is whose. Bits are independent given t, so with p(R|t) in closed form

    I(t; R) = E[log p(R|t) / p(R)],    p(R) = sum_t p(t) p(R|t),

is a mean over draws of (t, R).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Floats, Integers
from trustscope.engine.tables import as_table
from trustscope.errors import TrustscopeError

__all__ = [
    "Disclosure",
    "degree_of_disclosure",
    "degree_of_error",
    "disclosure_bound",
    "distinct_tuples",
    "error_bound",
    "expected_difference",
    "log_likelihoods",
    "measured_information",
    "question_disclosure",
    "tuple_belief",
]

DRAWS = 2_000
_TINY = 1e-300
_CELLS = 4_000_000


@dataclass(frozen=True)
class Disclosure:
    """How much of what there is to know is given away.

    Attributes
    ----------
    share : float
        l_p = I / H, from 0 to 1.
    standard_error : float
        Of `share`, from the draws.
    information, entropy : float
        I and H in bits.
    guess, best_guess : float
        Chance that the likeliest value given what was sent is the true one, and that the commonest value is.
    draws : int
    """

    share: float
    standard_error: float
    information: float
    entropy: float
    guess: float
    best_guess: float
    draws: int


def log_likelihoods(sent: ArrayLike, chances: ArrayLike) -> Floats:
    """log p(R|t) of every R for every t.

    Parameters
    ----------
    sent : array-like of 0 and 1, shape (M, dimension)
    chances : array-like, shape (D, dimension)
        Chance of every bit to be 1 given each t (`engine.survey.probabilities`).

    Returns
    -------
    numpy.ndarray, shape (M, D)
        About -690 for each bit that is impossible.
    """
    sent, chances = np.asarray(sent, dtype=float), np.asarray(chances, dtype=float)
    ones, zeros = np.log(np.maximum(chances, _TINY)), np.log(np.maximum(1 - chances, _TINY))
    logs: Floats = sent @ (ones - zeros).T + zeros.sum(axis=1)
    return logs


def tuple_belief(sent: ArrayLike, chances: ArrayLike, law: ArrayLike) -> Floats:
    """p(t|R): what is believed of the tuple behind what was sent, by Bayes' rule.

    Parameters
    ----------
    sent : array-like of 0 and 1, shape (M, dimension)
    chances : array-like, shape (D, dimension)
        As in `log_likelihoods`.
    law : array-like, shape (D,)
        p(t).

    Returns
    -------
    numpy.ndarray, shape (M, D)
    """
    return _belief(log_likelihoods(sent, chances), np.asarray(law, dtype=float))


def degree_of_disclosure(
    tuples: ArrayLike,
    chances: ArrayLike | Callable[[Integers], ArrayLike],
    *,
    draws: int = DRAWS,
    key: int = 1,
) -> Disclosure:
    """l_p of one guidance: the share of a tuple's information that is sent (Definition 2, for the guidance given).

    The definition takes the worst guidance; that is for the caller to find.

    Parameters
    ----------
    tuples : array-like of 0 and 1, shape (rows, dimension)
        Their empirical law is the law of t.
    chances : callable or array-like, shape (rows, dimension)
        Chance of every bit to be sent as 1, given each tuple; or a function that returns them for tuples.
    draws : int
        Of (t, R).
    key : int

    Returns
    -------
    Disclosure
    """
    law, chances, _ = _law(tuples, chances)
    return _measured(law, chances, np.arange(len(law)), draws, key)


def question_disclosure(
    tuples: ArrayLike,
    chances: ArrayLike | Callable[[Integers], ArrayLike],
    answers: ArrayLike,
    *,
    draws: int = DRAWS,
    key: int = 1,
) -> Disclosure:
    """The same for a single question: the share of the information on its answer that is sent.

    Parameters
    ----------
    tuples, chances, draws, key
        As in `degree_of_disclosure`.
    answers : array-like of int, shape (rows,)
        Number of the answer that each row gives to the question.

    Returns
    -------
    Disclosure
    """
    answers = np.asarray(answers)
    if answers.shape != np.shape(tuples)[:1]:
        raise TrustscopeError(f"There are {np.shape(tuples)[0]:,} tuples but answers of shape {answers.shape}.")
    law, chances, first = _law(tuples, chances)
    return _measured(law, chances, answers[first], draws, key)


def distinct_tuples(tuples: ArrayLike) -> tuple[Integers, Integers, Integers]:
    """Distinct rows in ascending order: what `numpy.unique` gives, and many times faster for bytes.

    Parameters
    ----------
    tuples : array-like of 0 and 1, shape (rows, dimension)

    Returns
    -------
    distinct : numpy.ndarray, shape (D, dimension)
    first : numpy.ndarray of int, shape (D,)
        Where each of them is first.
    counts : numpy.ndarray of int, shape (D,)
        How often each is there.
    """
    tuples = np.asarray(tuples)
    if tuples.dtype != np.uint8 or not tuples.shape[1]:
        return np.unique(tuples, axis=0, return_index=True, return_counts=True)
    # A row of bytes is compared at once, not number by number; the order is the same.
    rows = np.ascontiguousarray(tuples).view(f"V{tuples.shape[1]}").ravel()
    _, first, counts = np.unique(rows, return_index=True, return_counts=True)
    return tuples[first], first, counts


def _law(tuples: ArrayLike, chances: ArrayLike | Callable[[Integers], ArrayLike]) -> tuple[Floats, Floats, Integers]:
    """How common distinct tuples are, the chances of their bits, and where each of them is first."""
    tuples = np.asarray(tuples)
    if tuples.ndim != 2 or not tuples.size:
        raise TrustscopeError(f"Disclosure is measured on a table of tuples, not on one of shape {tuples.shape}.")
    distinct, first, counts = distinct_tuples(tuples)
    if callable(chances):
        chances = np.asarray(chances(distinct), dtype=float)
    else:
        chances = np.asarray(chances, dtype=float)
        if chances.ndim != 2 or len(chances) != len(tuples):
            raise TrustscopeError(f"There are {len(tuples):,} tuples but chances of shape {chances.shape}.")
        chances = chances[first]
    if chances.shape != distinct.shape:
        raise TrustscopeError(f"Tuples have {tuples.shape[1]} bits, but the chances have shape {chances.shape}.")
    # Negated, so that what is not a number is refused too. Rounding may leave a little above 1.
    if not ((chances >= 0) & (chances <= 1 + 1e-9)).all():
        raise TrustscopeError("The chance of a bit lies between 0 and 1.")
    return counts / len(tuples), np.minimum(chances, 1.0), first


def _measured(law: Floats, chances: Floats, values: Integers, draws: int, key: int) -> Disclosure:
    """Information on a value, a function of t, in draws of (t, R)."""
    rng = keys.rng(key, "disclosure")
    picked = rng.choice(len(law), size=draws, p=law)
    sent = rng.random((draws, chances.shape[1])) < chances[picked]
    return measured_information(law, lambda part: log_likelihoods(sent[part], chances), values, picked)


def measured_information(
    law: Floats, likelihoods: Callable[[slice], Floats], values: Integers, picked: Integers
) -> Disclosure:
    """Disclosure from draws of what is sent, for any way of perturbing.

    Parameters
    ----------
    law : numpy.ndarray, shape (D,)
        p(t) of the distinct tuples.
    likelihoods : callable
        Given a slice of the draws, returns log p(what was sent | t), shape (size of the slice, D).
    values : numpy.ndarray, shape (D,)
        What is to be protected, a function of t: the number of the tuple itself, or an answer.
    picked : numpy.ndarray of int, shape (draws,)
        The tuple behind every draw.

    Returns
    -------
    Disclosure
    """
    draws = len(picked)
    if draws < 2:
        raise TrustscopeError(f"At least two draws are needed for a standard error, not {draws}.")
    codes = np.unique(values, return_inverse=True)[1]
    prior = np.bincount(codes, weights=law)
    entropy = float(-xlogy(prior, prior).sum() / np.log(2))
    gained, right = np.empty(draws), np.empty(draws)
    step = max(1, _CELLS // len(law))
    alone = np.array_equal(codes, np.arange(len(law)))
    for start in range(0, draws, step):
        part = slice(start, start + step)
        belief = _belief(likelihoods(part), law)
        if not alone:
            belief = _summed(belief, codes, len(prior))
        true = codes[picked[part]]
        gained[part] = np.log2(np.maximum(belief[np.arange(len(true)), true], _TINY) / prior[true])
        right[part] = belief.argmax(axis=1) == true
    information, spread = gained.mean(), gained.std(ddof=1) / np.sqrt(draws)
    # With a single possible value there is nothing to give away.
    scale = entropy if entropy > 0 else np.inf
    shares = float(information / scale), float(spread / scale)
    return Disclosure(*shares, float(information), entropy, float(right.mean()), float(prior.max()), draws)


def _belief(likelihoods: Floats, law: Floats) -> Floats:
    """Bayes' rule on logarithms, shape (M, D); in place, because M times D is large."""
    likelihoods += np.log(law)
    likelihoods -= likelihoods.max(axis=1, keepdims=True)
    np.exp(likelihoods, out=likelihoods)
    likelihoods /= likelihoods.sum(axis=1, keepdims=True)
    return likelihoods


def _summed(belief: Floats, codes: Integers, count: int) -> Floats:
    """Belief in every value, from that in every tuple."""
    order = np.argsort(codes, kind="stable")
    starts = np.searchsorted(codes[order], np.arange(count))
    return np.add.reduceat(belief[:, order], starts, axis=1)


def disclosure_bound(tuples: ArrayLike, level: int) -> float:
    """The paper's bound on l_p: (rho_1^2 + ... + rho_k^2) / (m n) (Theorem 5.2), which does not hold in general.

    Parameters
    ----------
    tuples : array-like of 0 and 1, shape (m, dimension)
    level : int
        k.

    Returns
    -------
    float
    """
    tuples = np.asarray(tuples, dtype=float)
    if level < 0 or tuples.ndim != 2 or not tuples.sum() > 0:
        raise TrustscopeError("The bound needs tuples with bits that are set, and a level that is not negative.")
    squares = np.linalg.eigvalsh(tuples.T @ tuples)[::-1]
    # Each of the m tuples sets n bits.
    return float(np.clip(squares[:level], 0, None).sum() / tuples.sum())


def expected_difference(chances: ArrayLike, classes: ArrayLike) -> Floats:
    """A_R = E[R_0' R_0 - R_1' R_1] given the chances of all bits, as many tuples make it.

    E[R_i R_j] is P_i P_j for i != j (the paper's Eq. 26 has 0 on its right side), and P_i for i = j.

    Parameters
    ----------
    chances : array-like, shape (m, dimension)
    classes : array-like of 0 and 1, shape (m,)

    Returns
    -------
    numpy.ndarray, shape (dimension, dimension)
    """
    chances, classes = np.asarray(chances, dtype=float), np.asarray(classes)
    if classes.shape != chances.shape[:1]:
        raise TrustscopeError(f"There are chances of {len(chances):,} tuples but classes of shape {classes.shape}.")
    if not np.isin(classes, (0, 1)).all():
        raise TrustscopeError("The class of a tuple is 0 or 1.")
    signed = np.where(classes == 0, 1.0, -1.0)[:, None] * chances
    expected: Floats = signed.T @ chances
    np.fill_diagonal(expected, signed.sum(axis=0))
    return expected


def degree_of_error(original: ArrayLike, perturbed: ArrayLike, rows: int) -> float:
    """l_e for one and two questions: the largest error of P(C_0, t_s) - P(C_1, t_s) (Definition 1).

    The definition takes the largest over sets of any size; sets of up to two are what the matrices hold, and the
    paper proves its bound on them.

    Parameters
    ----------
    original, perturbed : array-like, shape (dimension, dimension)
        A and A_R: from tuples, or as expected (`expected_difference`).
    rows : int
        m.

    Returns
    -------
    float
    """
    original, perturbed = as_table(original, "original matrix"), as_table(perturbed, "perturbed matrix")
    if original.shape != perturbed.shape:
        raise TrustscopeError(f"The matrices must have one shape, not {original.shape} and {perturbed.shape}.")
    if not rows > 0:
        raise TrustscopeError(f"The matrices are made of at least one tuple, not {rows}.")
    return float(np.abs(original - perturbed).max() / rows)


def error_bound(original: ArrayLike, rows: int, mu: float) -> float:
    """The paper's bound on l_e: 2 mu sigma_1 / m (Theorem 5.1), which fails for a small mu.

    Parameters
    ----------
    original : array-like, shape (dimension, dimension)
        A.
    rows : int
        m.
    mu : float

    Returns
    -------
    float
        Above 1 it says nothing.
    """
    return float(2 * mu * np.abs(np.linalg.eigvalsh(as_table(original, "original matrix"))).max() / rows)
