"""Who answers: kinds of respondents, how common they are, and what they accept (Zhang et al. 2005, Section 2.2)."""

from dataclasses import dataclass

import numpy as np

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Integers
from trustscope.errors import TrustscopeError

__all__ = ["MIX", "Kind", "Mix"]


@dataclass(frozen=True)
class Kind:
    """One kind of respondent.

    Attributes
    ----------
    name : str
    share : float
        Of all respondents.
    level : int or None
        k_i, the most columns of the guidance that they follow; None for as many as there are.
    """

    name: str
    share: float
    level: int | None

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise TrustscopeError(f"The share of {self.name} must lie between 0 and 1, but it is {self.share}.")
        if self.level is not None and not isinstance(self.level, int | np.integer):
            raise TrustscopeError(f"{self.name} accept a whole number of columns, not {self.level}.")
        if self.level is not None and self.level < 0:
            raise TrustscopeError(f"{self.name} cannot accept a negative level.")


@dataclass(frozen=True)
class Mix:
    """Kinds of respondents whose shares make a whole."""

    kinds: tuple[Kind, ...]

    def __post_init__(self) -> None:
        total = sum(kind.share for kind in self.kinds)
        if not self.kinds or not np.isclose(total, 1):
            raise TrustscopeError(f"The shares of the kinds must add up to 1, but they make {total:g}.")

    def draw(self, count: int, key: int, *, first: int = 0) -> Integers:
        """Kinds of respondents as they arrive.

        Parameters
        ----------
        count : int
        key : int
            Respondent i is of the same kind whatever block they come in.
        first : int
            Number of the first respondent, from 0.

        Returns
        -------
        numpy.ndarray of int, shape (count,)
            Numbers of kinds.
        """
        drawing = keys.generator(keys.stream(key, "kinds of respondents"), 0)
        keys.advance(drawing, int(first))
        edges = np.cumsum([kind.share for kind in self.kinds])[:-1]
        return np.searchsorted(edges, drawing.random(count), side="right")

    def levels(self, kinds: ArrayLike, dimension: int) -> Integers:
        """What respondents of these kinds accept, shape (count,).

        Parameters
        ----------
        kinds : array-like of int
        dimension : int
            Bits of a tuple, which stands for no limit.
        """
        each = [dimension if kind.level is None else min(kind.level, dimension) for kind in self.kinds]
        levels: Integers = np.array(each)[np.asarray(kinds)]
        return levels


# Shares as found among Internet users in 1999 (Cranor, Reagle and Ackerman). The levels are ours: the paper gives none.
MIX = Mix((Kind("fundamentalists", 0.17, 1), Kind("pragmatists", 0.56, 3), Kind("marginally concerned", 0.27, None)))
