"""How requirements stand where a page is now, and which of them binds."""

from collections.abc import Sequence
from dataclasses import dataclass

from trustscope.scenarios.words import number_word, sentence


@dataclass(frozen=True)
class Standing:
    """How one requirement stands.

    Attributes
    ----------
    asked : str
        What is required, as a noun.
    value, limit : float
        What is reached, and what is asked for.
    kept : bool
    figure : str
        What is reached, in words.
    """

    asked: str
    value: float
    limit: float
    kept: bool
    figure: str

    @property
    def room(self) -> float:
        """How far it is from its limit, in proportion to the larger of both."""
        larger = max(abs(self.value), abs(self.limit))
        return abs(self.value - self.limit) / larger if larger else 0.0


def binding(found: Sequence[Standing], left: int = 0) -> str:
    """The requirement that binds, in a sentence: the one that is missed by most, or has the least room.

    Parameters
    ----------
    found : sequence of Standing
    left : int
        How many requirements more there are, which could not be judged at once.
    """
    if not found:
        return ""
    text = _missed(found) if not all(one.kept for one in found) else _kept(found)
    return f"As far as can be told at once, {text}" if left else sentence(text)


def _missed(found: Sequence[Standing]) -> str:
    missed = [one for one in found if not one.kept]
    worst = max(missed, key=lambda one: one.room)
    if len(missed) == 1:
        return f"the target asks for {worst.asked}, and misses it with {worst.figure}."
    some = f"{number_word(len(missed))} of {number_word(len(found))}" if len(missed) < len(found) else _all(found)
    return f"{some} requirements are missed, none by more in proportion than {worst.asked}: it is {worst.figure}."


def _kept(found: Sequence[Standing]) -> str:
    tightest = min(found, key=lambda one: one.room)
    if len(found) == 1:
        return f"the target asks for {tightest.asked}, and keeps it with {tightest.figure}."
    return (
        f"{_all(found)} requirements are kept, and none has less room in proportion than "
        f"{tightest.asked}: it is {tightest.figure}."
    )


def _all(found: Sequence[Standing]) -> str:
    return "both" if len(found) == 2 else f"all {number_word(len(found))}"
