"""All ways in which the noise of copies can hang together, each as one record: the covariance, its words, its looks.

Those of the house are declared here. Others are registered by a decorator, or come with packages that name them under
the entry point `trustscope.schemes`; releases, attacks, the Trust page, studies and reports then know them by name.

>>> from trustscope.schemes import of
>>> of("nested").covariance([1.0, 4.0]).tolist()
[[1.0, 1.0], [1.0, 4.0]]
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from trustscope import colours
from trustscope.errors import TrustscopeError
from trustscope.registry import LAST, NAME, Registry, check_line

__all__ = ["HOUSE", "NAME", "NAMES", "Scheme", "adjective", "check_covariance", "of", "registered", "scheme", "unknown",
           "unregister"]  # fmt: skip

TRIED = (0.25, 0.5, 1.0, 1.0, 2.0, 9.0)  # levels at which a scheme is tried when it is registered

Covariance = Callable[[Any], "np.ndarray[Any, np.dtype[np.float64]]"]


@dataclass(frozen=True)
class Scheme:
    """One scheme.

    Attributes
    ----------
    name : str
        In code and scenarios: it never changes.
    covariance : callable
        Of levels, shape (M,): Sigma, shape (M, M), with Cov(Z_i, Z_j) = Sigma_ij K. Its diagonal is the levels.
    title : str
        What it is called at the head of an answer.
    words : str
        What it does, in a sentence or two.
    colour, dash : str
        Of its lines.
    rank : int
        Schemes are listed in this order.
    house : bool
        Whether it is one of the three that have closed forms.
    """

    name: str
    covariance: Covariance
    title: str
    words: str
    colour: str
    dash: str
    rank: int
    house: bool = False


def _nested(levels: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Corner-wave, Eq. 15 of Li et al. (2012)."""
    s = np.asarray(levels, dtype=float)
    return np.asarray(np.minimum(s[:, None], s), dtype=float)


def _independent(levels: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Section 4.2.1."""
    return np.diag(np.asarray(levels, float))


def _proportional(levels: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Section 4.2.2."""
    sigma = np.sqrt(np.asarray(levels, float))
    return np.outer(sigma, sigma)


_HOUSE = (
    Scheme(
        "nested", _nested, "Nested noise",
        "Each copy is the next better one with more noise on top. Pooling them gains nothing.",
        colours.SCHEMES["nested"], "solid", 1, house=True,
    ),
    Scheme(
        "independent", _independent, "Independent noise",
        "Every copy gets fresh noise. It looks safest; averaging cancels part of it, but not all.",
        colours.SCHEMES["independent"], "dashed", 2, house=True,
    ),
    Scheme(
        "proportional", _proportional, "Proportional noise",
        "All copies get the same noise, louder or softer. Two of them cancel it.",
        colours.SCHEMES["proportional"], "dotted", 3, house=True,
    ),
)  # fmt: skip

_registry = Registry("trustscope.schemes", "a scheme", _HOUSE)
HOUSE = _registry.house


def registered() -> Mapping[str, Scheme]:
    """All schemes by name: those of the house, then those that were registered, by rank."""
    return _registry.every()


class _Names(Collection[str]):
    """The names of all schemes, in their order. It grows with the registry."""

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(registered()))

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in registered()

    def __len__(self) -> int:
        return len(registered())


NAMES = _Names()


def of(name: str) -> Scheme:
    """The scheme of this name."""
    found = _registry.get(name)
    if found is None:
        raise TrustscopeError(unknown(name))
    return found


def adjective(name: str) -> str:
    """What noise of a scheme is called in a sentence: "partly nested"."""
    return name.replace("_", " ")


def unknown(name: object) -> str:
    """What is said of a name that nobody has registered."""
    return (
        f"The scheme must be one of {', '.join(registered())}, not {str(name)[:48]!r}: install the package that brings "
        "it, or choose another."
    )


def scheme(
    *, title: str, words: str, name: str | None = None, colour: str = colours.NEUTRAL, dash: str = "dotdash",
    rank: int = LAST,
) -> Callable[[Covariance], Covariance]:  # fmt: skip
    """Register a scheme of one's own: how the noise of copies at several levels hangs together.

    Parameters
    ----------
    title : str
        What it is called: "Partly nested noise".
    words : str
        What it does, in a sentence or two.
    name : str, optional
        In code; that of the function by default.
    colour, dash, rank : str, str, int
        How its lines are drawn, a colour as #rrggbb and one of solid, dashed, dotted and dotdash; and its place among
        the others.

    Returns
    -------
    callable
        A decorator for ``function(levels)``, which it gives back unchanged: of levels, shape (M,), in any order and not
        negative, the matrix Sigma, shape (M, M), with Cov(Z_i, Z_j) = Sigma_ij K. The diagonal is the levels, and
        leaving a copy out leaves its row and column out. It is tried at once, and a sentence says what is wrong.

    Examples
    --------
    >>> import numpy as np
    >>> @scheme(title="Half nested noise", words="Half of the noise is shared, the other half is drawn afresh.")
    ... def half_nested(levels):
    ...     return (np.minimum.outer(levels, levels) + np.diag(levels)) / 2
    >>> unregister("half_nested")
    """

    def register(function: Covariance) -> Covariance:
        called = _registry.check(function, name, title=title, words=words)
        check_line(colour, dash)
        check_covariance(called, function, np.array(TRIED))
        _registry.put(Scheme(called, function, title, words, colour, dash, rank), lambda one: one.rank)
        return function

    return register


def unregister(name: str) -> None:
    """Forget a scheme that was registered."""
    _registry.drop(name)


def check_covariance(name: str, function: Covariance, levels: np.ndarray[Any, np.dtype[np.float64]]) -> None:
    """Say the first thing that is wrong with what a scheme gives for these levels."""
    count, given = len(levels), levels.copy()
    try:
        sigma = np.asarray(function(given), dtype=float)
    except Exception as problem:
        raise TrustscopeError(f"The scheme {name} fails: {type(problem).__name__}: {problem}") from problem
    told = f"The scheme {name} must give"
    if not np.array_equal(given, levels):
        raise TrustscopeError(f"The scheme {name} changes the levels that it is given: work on a copy.")
    if sigma.shape != (count, count) or not np.all(np.isfinite(sigma)):
        raise TrustscopeError(f"{told} {count} x {count} finite numbers for {count} levels, not {sigma.shape}.")
    if not np.allclose(np.diag(sigma), levels):
        raise TrustscopeError(f"{told} the levels on its diagonal: a copy alone has the noise of its level.")
    if not np.allclose(sigma, sigma.T):
        raise TrustscopeError(f"{told} a symmetric matrix.")
    if np.linalg.eigvalsh(sigma).min() < -1e-9 * max(levels.max(initial=0), 1):
        raise TrustscopeError(f"{told} a covariance, and this matrix has a negative eigenvalue.")
    part = np.arange(0, count, 2)
    if not np.allclose(np.asarray(function(levels[part]), dtype=float), sigma[np.ix_(part, part)]):
        raise TrustscopeError(f"{told} some copies the same noise whether or not there are others.")
