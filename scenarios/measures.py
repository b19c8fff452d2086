"""Figures of one's own: how far guesses are from the truth, counted as somebody else counts it.

There is none of the house: errors and hits are part of every page. What is registered by a decorator, or comes with a
package that names it under the entry point `trustscope.measures`, is measured on the guesses of every attacker that is
ticked, and stands in figures, tables and reports of numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from trustscope.errors import TrustscopeError
from trustscope.registry import Registry

Function = Callable[..., float]


@dataclass(frozen=True)
class Measure:
    """One measure.

    Attributes
    ----------
    name : str
        In code and figures: it never changes.
    function : callable
        ``function(truth, guess, *, secret)``: both of shape (rows, N), and the place of the column that is looked at.
    title, words : str
        What it is called, and what it tells in a sentence.
    unit : str
        What it is counted in; empty for a plain number, "share" for one from 0 to 1.
    """

    name: str
    function: Function
    title: str
    words: str
    unit: str = ""


_registry: Registry[Measure] = Registry("trustscope.measures", "a measure")


def registered() -> Mapping[str, Measure]:
    """All measures by name."""
    return _registry.every()


def of(name: object) -> Measure:
    """The measure of this name."""
    found = _registry.get(name)
    if found is None:
        there = ", ".join(registered()) or "none"
        raise TrustscopeError(f"There is no measure called {str(name)[:48]!r} here; there are: {there}.")
    return found


def measure(
    *, title: str, words: str, unit: str = "", name: str | None = None
) -> Callable[[Function], Function]:  # fmt: skip
    """Register a measure of one's own: a figure of guesses against the truth.

    Parameters
    ----------
    title : str
        What it is called: "Large misses".
    words : str
        What it tells, in a sentence.
    unit : str
        What it is counted in; "share" for a number from 0 to 1 that is shown in per cent.
    name : str, optional
        In code and figures; that of the function by default.

    Returns
    -------
    callable
        A decorator for ``function(truth, guess, *, secret)``, which it gives back unchanged. `truth` and `guess` are
        arrays of shape (rows, N), of the people who are attacked, and `secret` is the place of the column that is
        looked at. It gives a finite number. `trustscope.testing.check_measure` tells whether it keeps to that.

    Examples
    --------
    >>> @measure(title="Median miss", words="Half of the guesses of the secret are nearer than this.")
    ... def median_miss(truth, guess, *, secret):
    ...     return np.median(np.abs(guess - truth)[:, secret])
    >>> unregister("median_miss")
    """

    def register(function: Function) -> Function:
        called = _registry.check(function, name, title=title, words=words)
        if not isinstance(unit, str):
            raise TrustscopeError("The unit of a measure is a text, which may be empty.")
        _registry.put(Measure(called, function, title, words, unit))
        return function

    return register


def unregister(name: str) -> None:
    """Forget a measure that was registered."""
    _registry.drop(name)


def measured(name: str, truth: np.ndarray[Any, Any], guess: np.ndarray[Any, Any], secret: int) -> float:
    """What a measure says of guesses; a sentence where it is no finite number."""
    record = of(name)
    found = np.asarray(record.function(truth.copy(), guess.copy(), secret=secret))
    if found.shape != () or found.dtype.kind not in "biuf" or not np.isfinite(found):
        raise TrustscopeError(f"The measure {name} must give one finite number, not {str(found)[:48]}.")
    return float(found)
