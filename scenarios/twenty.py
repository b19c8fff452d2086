"""Twenty people beside a share, so that it is seen and not only read: who of them is caught before, and who after.

Before is what the best recipient knows alone, or what is guessed without a release or by the class alone; after is what
the headline of the page speaks of. They are real people with their real copies, and the same twenty while anything is
dragged. Twenty drawn at random would often tell another story than the share of everybody does, so they are chosen by a
rule: of many groups of twenty that could be drawn, the one in which the shares of hits are nearest to those of a larger
sample, in all of several settings.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from trustscope import colours
from trustscope.engine.keys import rng
from trustscope.looks import Columns, Look, Looks
from trustscope.scenarios.coalition import Recipient, most_trusted

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
    before, after : numpy.ndarray of bool
        Whether the guess is a hit.
    """

    numbers: np.ndarray
    truth: np.ndarray
    before: np.ndarray
    after: np.ndarray


def people(
    seen: Twenty, name: str, truth: Sequence[str] | np.ndarray, who: tuple[Recipient, ...], leaks: bool
) -> Columns:
    """Who of them is caught by the best recipient alone, and by all of `who` together; `name` is that of the value."""
    alone = f"{most_trusted(who).name} alone"
    columns = {"person": seen.numbers, name: truth, alone: seen.before}
    looks = {alone: Look(colours.ORIGINAL, mark="dot")}
    if len(who) > 1:
        columns["together"] = seen.after
        looks["together"] = Look(colours.GUESS if leaks else colours.SCHEMES["nested"], mark="dot")
    return Columns(columns, Looks("person", looks))


def nearest_group(hits: np.ndarray, key: int, shares: np.ndarray | None = None) -> np.ndarray:
    """The places of the twenty among the candidates, by the rule.

    Parameters
    ----------
    hits : numpy.ndarray, shape (settings, candidates)
        Whether each candidate is caught in each of some settings.
    key : int
        Which groups could have been drawn.
    shares : numpy.ndarray, shape (settings,), optional
        The shares to come near to, where those of the candidates are not all that is known.
    """
    shares = hits.mean(axis=1) if shares is None else shares
    many = hits.shape[1] // MANY
    groups = rng(key, "twenty").integers(many, size=(GROUPS, MANY)) * MANY + np.arange(MANY)
    # One setting after the other: all of them at once would take tens of megabytes.
    off = np.max([np.abs(one[groups].mean(axis=1) - s) for one, s in zip(hits, shares, strict=True)], axis=0)
    return np.sort(groups[int(off.argmin())])
