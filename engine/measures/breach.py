"""When an estimate is so close to the truth that it counts as a breach.

The three definitions are those of Giannella, Liu, Kargupta (2009), "On the privacy of Euclidean distance preserving
data perturbation", Def. 3.1; "absolute" is added for one attribute in its own units.
"""

import numpy as np
from scipy.special import ndtr

from trustscope.engine.arrays import ArrayLike, Bools, Floats, Numbers
from trustscope.engine.measures.errors import pair
from trustscope.engine.tables import as_numbers
from trustscope.errors import TrustscopeError

KINDS = ("euclidean", "entry", "cosine", "absolute")


def breached(x: ArrayLike, estimate: ArrayLike, eps: Numbers, kind: str = "euclidean") -> Bools:
    """Which records are breached.

    Parameters
    ----------
    x, estimate : array-like, shape (rows, N) or (rows,)
        Two tables of pandas are compared by their index and their names; the answer is in the order of `x`.
    eps : float
        Threshold, not negative; for "entry" and "absolute" also one for each attribute, shape (N,).
    kind : {"euclidean", "entry", "cosine", "absolute"}
        euclidean: ``||x^ - x|| <= eps ||x||``. entry: at least one entry with ``|x^_i - x_i| <= eps |x_i|``, or with
        ``|x^_i| <= eps`` where x_i = 0. cosine: 1 - cos(x, x^) <= eps, where a zero vector has cosine 1 with
        itself and 0 with others. absolute: at least one entry with ``|x^_i - x_i| <= eps``.

    Returns
    -------
    numpy.ndarray of bool, shape (rows,)
    """
    a, b = pair(x, estimate)
    eps = _threshold(eps, kind, a.shape[1])
    match kind:
        case "euclidean":
            return _split(b - a)[0] <= eps * _split(a)[0]
        case "entry":
            size = np.abs(a)
            return np.asarray(np.any(np.abs(b - a) <= eps * np.where(size > 0, size, 1.0), axis=1))
        case "cosine":
            return 1 - _cosine(a, b) <= eps
        case "absolute":
            return np.asarray(np.any(np.abs(b - a) <= eps, axis=1))
    raise TrustscopeError(f"The kind of breach must be one of {', '.join(KINDS)}, not {kind!r}.")


def _threshold(eps: Numbers, kind: str, columns: int) -> Floats:
    """The threshold as numbers that are not negative: one, or where single entries count one for each attribute."""
    given = as_numbers(eps, "breach threshold")
    if not np.all(given >= 0):  # nor does that hold for what is no number
        raise TrustscopeError(f"The breach threshold must not be negative, but it is {eps}.")
    if given.size != 1 and (kind in ("euclidean", "cosine") or given.shape != (columns,)):
        raise TrustscopeError(
            f"The breach threshold is one number, or for 'entry' and 'absolute' {columns}, one for each attribute: "
            f"not the shape {given.shape}."
        )
    return given


def breach_size(x: ArrayLike, estimate: ArrayLike, kind: str = "euclidean") -> Floats:
    """The smallest eps at which each record counts as breached; arguments as in `breached`.

    Returns
    -------
    numpy.ndarray, shape (rows,)
        Infinite where none is large enough. Up to rounding, ``breached(x, estimate, eps, kind)`` is this <= eps.
    """
    a, b = pair(x, estimate)
    match kind:
        case "euclidean":
            error, length = _split(b - a)[0], _split(a)[0]
            return np.divide(error, length, out=np.where(error > 0, np.inf, 0.0), where=length > 0)
        case "entry":
            size = np.abs(a)
            return np.asarray(np.min(np.abs(b - a) / np.where(size > 0, size, 1.0), axis=1))
        case "cosine":
            return 1 - _cosine(a, b)
        case "absolute":
            return np.asarray(np.min(np.abs(b - a), axis=1))
    raise TrustscopeError(f"The kind of breach must be one of {', '.join(KINDS)}, not {kind!r}.")


def _split(a: Floats) -> tuple[Floats, Floats]:
    """Length and direction of each row; squares of very small or large entries do not get lost."""
    largest = np.abs(a).max(axis=1)
    scaled = a / np.where(largest > 0, largest, 1.0)[:, None]
    length = np.linalg.norm(scaled, axis=1)
    return largest * length, scaled / np.where(length > 0, length, 1.0)[:, None]


def _cosine(a: Floats, b: Floats) -> Floats:
    (length_a, unit_a), (length_b, unit_b) = _split(a), _split(b)
    cosine = np.minimum(np.einsum("ij,ij->i", unit_a, unit_b), 1.0)
    return np.where((length_a == 0) & (length_b == 0), 1.0, cosine)


def breach_rate(x: ArrayLike, estimate: ArrayLike, eps: Numbers, kind: str = "euclidean") -> float:
    """Share of the records that are breached; arguments as in `breached`."""
    return float(np.mean(breached(x, estimate, eps, kind)))


def normal_breach(bias: ArrayLike, variance: ArrayLike, bound: Numbers) -> Numbers:
    """Probability that a normal error is at most `bound` in size, averaged over the records.

    Parameters
    ----------
    bias : array-like, shape (rows, ...)
        Mean of the error for each record.
    variance : float or array-like
        Its variance, of a shape that fits; 0 where the error is certain.
    bound : float or numpy.ndarray

    Returns
    -------
    float or numpy.ndarray
        Of the shape of `bias` without its first axis.

    Raises
    ------
    TrustscopeError
        If a number is missing, or a variance negative.
    """
    bias, variance, bound = as_numbers(bias, "bias"), as_numbers(variance, "variance"), as_numbers(bound, "bound")
    if not np.all(variance >= 0):
        raise TrustscopeError("A variance must not be negative or missing: give 0 where the error is certain.")
    if not np.isfinite(bias).all() or np.isnan(bound).any():
        raise TrustscopeError("The bias and the bound must not hold missing values: drop or fill them first.")
    spread = np.sqrt(variance)
    share: Numbers
    if spread.ndim == bound.ndim == 0 and spread > 0:  # the same for all records, as while dragging
        share = (ndtr((bound - bias) / spread) - ndtr((-bound - bias) / spread)).mean(axis=0)
        return share
    sd = np.broadcast_to(spread, bias.shape)
    certain = sd == 0
    safe = np.where(certain, 1.0, sd)
    chance = ndtr((bound - bias) / safe) - ndtr((-bound - bias) / safe)
    share = np.where(certain, np.abs(bias) <= bound, chance).mean(axis=0)
    return share
