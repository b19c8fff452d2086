"""What a page tells a report beside its figures: settings in words, attackers, and what is assumed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape

import pandas as pd

from trustscope.numbers import of_unit
from trustscope.scenarios.metrics import Metrics
from trustscope.scenarios.words import sentence


@dataclass(frozen=True, eq=False)
class Sheet:
    """All that a page tells.

    Attributes
    ----------
    settings : tuple of (str, str)
        What is set, and to what, in words.
    attackers : (str, DataFrame) or None
        All who could attack, and a sentence above them; None where a card has them, or nobody attacks.
    assumptions : tuple of str
        What the figures rest on, and what they do not say.
    """

    settings: tuple[tuple[str, str], ...]
    attackers: tuple[str, pd.DataFrame] | None
    assumptions: tuple[str, ...]


def plain_caption(caption: str) -> str:
    """A caption of a card as plain text: without what makes words bold, nor what can only be done in the app."""
    still = re.sub(r" ?<span class='(?:with-pointer|in-app)'>.*?</span>", "", caption)
    return unescape(re.sub(r"</?(b|i|p|br)\b[^<>]*>", "", still))


def required(figures: Metrics) -> Iterator[tuple[str, str]]:
    """The requirements of a scenario for the list of its settings: in words, and how each stands."""
    every = {one.name: one for one in figures.figures}
    for number in range(1, len(every)):
        one, reached = every.get(f"requirement.{number}"), every.get(f"requirement.{number}.reached")
        if one is None:
            return
        told = one.label.partition(": ")[2]
        state = "cannot be judged here" if reached is None else "kept" if one.value else "not kept"
        figure = "" if reached is None else f", with {of_unit(reached.value, reached.unit)}"
        yield f"Requirement {number}", f"{sentence(told)}: {state}{figure}"


KEYED = (
    "The noise is keyed by the seed: whoever opens the link sees the same copies and the same figures. A real release "
    "uses a secret key of its own, and never this seed."
)
JUDGED = (
    "Theory and measurement agree where they lie within the tolerance: four standard errors, which chance alone "
    "exceeds once in 16 000 times, and what is said beside it."
)
