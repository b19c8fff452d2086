"""Raising several trusts at once as far as everything holds.

Trusts are places on an increasing grid. What holds must be *downward closed*: lowering a trust never breaks it. Then
the places that are found are maximal: everything holds, and raising any one of them by one step breaks something.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from trustscope.engine.arrays import Bools, Floats, Integers

Holds = Callable[[Integers], bool]
ROUNDING = 1e-9
HALVINGS = 24  # of the common factor: what is left of it then is less than a step for anybody
STRIDES = (64, 16, 4, 1)  # steps of the grid: large ones first, or a fine grid would take long


@dataclass(frozen=True)
class Budget:
    """A coalition of at most `most` of these recipients may not learn more than `cap`.

    What they learn together is the sum of what each learns, or, where copies are nested, the largest of it.

    Attributes
    ----------
    places : tuple of int
        Of the recipients.
    most : int
    cap : float
    weights : numpy.ndarray, shape (grid,)
        What a recipient learns at each place on the grid; increasing.
    nested : bool
    """

    places: tuple[int, ...]
    most: int
    cap: float
    weights: Floats
    nested: bool

    def learned(self, at: Integers) -> float:
        """What the worst of these coalitions learns."""
        each = self.weights[at[list(self.places)]]
        if self.nested:
            return float(each.max())
        return float(each.sum() if self.most >= len(each) else np.sort(each)[-self.most :].sum())

    def __call__(self, at: Integers) -> bool:
        """Whether that is within the budget."""
        return self.learned(at) <= self.cap * (1 + ROUNDING)


def raised(
    wish: Integers, least: Integers, free: Bools, weights: Floats, holds: Holds, given: str = "most"
) -> Integers:
    """The highest places, from the proportions that are wished for.

    All free recipients are first scaled together: what each learns keeps its proportion to what the others learn.
    Then each is raised by one step in turn for as long as everything holds, unless the order is to be kept.

    Parameters
    ----------
    wish, least : numpy.ndarray of int, shape (M,)
        Places to keep the proportions of, and below which nobody goes. Everything must hold at `least`.
    free : numpy.ndarray of bool, shape (M,)
        Who may be moved; the others stay at `least`.
    weights : numpy.ndarray, shape (grid,)
        What is learned at each place; increasing and positive.
    holds : callable
    given : str
        "most": as above. "scaled": all are scaled together, and nobody is raised further, so that who was trusted more
        still is. "lowered": all stay where they are, but those who stand above the highest place at which everything
        holds.
    """
    top = len(weights) - 1
    if given == "lowered":
        return _lowered(wish, least, free, holds)

    def scaled(factor: float) -> Integers:
        places = np.searchsorted(weights, factor * weights[wish] * (1 + ROUNDING), side="right") - 1
        return np.where(free, np.clip(places, least, top), least)

    found = _scaled_up(scaled, weights, holds, least)
    if given == "scaled":
        return found
    order = np.lexsort((np.arange(len(wish)), -wish))  # the most trusted first
    for stride in STRIDES:
        found = _stepped(found, order[free[order]], stride, top, holds)
    return found


def _lowered(wish: Integers, least: Integers, free: Bools, holds: Holds) -> Integers:
    """Everybody where they wish to be, at most at a ceiling as high as can be."""

    def below(ceiling: int) -> Integers:
        return np.where(free, np.maximum(np.minimum(wish, ceiling), least), least)

    low, high = -1, int(wish.max()) + 1  # below the lowest place everybody is at `least`, where everything holds
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(below(middle)) else (low, middle)
    return below(low)


def _scaled_up(scaled: Callable[[float], Integers], weights: Floats, holds: Holds, least: Integers) -> Integers:
    """The largest common factor at which everything holds, by bisection until no place changes any more."""
    span = np.log(weights[-1] / weights[0])
    low, high = -span, span
    found, above = least, scaled(np.exp(high))
    if holds(above):
        return above
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        tried = scaled(np.exp(middle))
        if np.array_equal(tried, found):
            low = middle
        elif np.array_equal(tried, above):
            high = middle
        elif holds(tried):
            low, found = middle, tried
        else:
            high, above = middle, tried
    return found


def _stepped(found: Integers, order: Integers, stride: int, top: int, holds: Holds) -> Integers:
    moving = list(order)
    while moving:
        for place in tuple(moving):
            tried = found.copy()
            tried[place] += stride
            if tried[place] <= top and holds(tried):
                found = tried
            else:  # others only rise, so that this one can never be raised by so much again
                moving.remove(place)
    return found
