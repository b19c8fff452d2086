"""Twenty people beside the one, so that a share is seen and not only read: who of them is caught alone, who together.

They are real people with their real copies, and the same twenty while anything is dragged. Twenty drawn at random would
often tell another story than the share of everybody does, so they are chosen by a rule: of many groups of twenty that
could be drawn, the one in which the shares of hits are nearest to those of a larger sample, in all of several settings.
"""

from dataclasses import dataclass

import numpy as np

from trustscope.engine.keys import rng

MANY = 20
CANDIDATES = 200  # people, the first ones of the shuffled table, among whom they are chosen
FEWEST = 10 * MANY  # rows below which nobody is shown: they would be most of the table
GROUPS = 20_000  # groups that could have been drawn


@dataclass(frozen=True)
class Twenty:
    """Who is caught, always in the same order.

    Attributes
    ----------
    numbers : numpy.ndarray of int
        Of the people, counted from 1.
    truth : numpy.ndarray
        Their values.
    alone, together : numpy.ndarray of bool
        Whether the guess of the best recipient, and of all together, is a hit.
    """

    numbers: np.ndarray
    truth: np.ndarray
    alone: np.ndarray
    together: np.ndarray


def nearest_group(hits: np.ndarray, key: int) -> np.ndarray:
    """The places of the twenty among the candidates, by the rule.

    Parameters
    ----------
    hits : numpy.ndarray, shape (settings, candidates)
        Whether each candidate is caught in each of some settings.
    key : int
        Which groups could have been drawn.
    """
    many = hits.shape[1] // MANY
    groups = rng(key, "twenty").integers(many, size=(GROUPS, MANY)) * MANY + np.arange(MANY)
    # One setting after the other: all of them at once would take tens of megabytes.
    off = np.max([np.abs(one[groups].mean(axis=1) - one.mean()) for one in hits], axis=0)
    return np.sort(groups[int(off.argmin())])
