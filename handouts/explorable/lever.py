"""What a reader can move: a lever has positions, and each position changes a scenario.

Every position of all levers is worked out beforehand, so there are not too many of them: what can be moved finely is
moved in larger steps until all positions together are few enough.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Any

from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.scenario import Scenario

MOST_LEVERS = 3
MOST_POSITIONS = 4_200  # of all levers together, unless somebody wants more: some forty seconds of work
SLIDER, PILLS, TICKS = "slider", "pills", "ticks"

Change = tuple[tuple[str | int, ...], Any]  # where in the scenario's JSON, and what


@dataclass(frozen=True)
class Position:
    """One place of a lever.

    Attributes
    ----------
    value : number or str
        What stands there: a number for a slider, a word for pills.
    text : str
        The same, as it is read.
    changes : tuple of (path, value)
        What the scenario has there.
    tip : str
    """

    value: Any
    text: str
    changes: tuple[Change, ...]
    tip: str = ""


@dataclass(frozen=True)
class Lever:
    """Something to be moved.

    Attributes
    ----------
    key : str
        Its name in addresses and on the command line.
    label : str
        What it is called.
    kind : str
        "slider", "pills" (one of them), or "ticks": any number of things, whose positions are all sets of them, the
        set with bit i for the thing i.
    positions : tuple of Position
    start : int
        The position of the scenario.
    things : tuple of (name, text, tip)
        What can be ticked.
    coarser : tuple of tuple of Position
        The same with ever fewer positions, for a slider.
    unit : str
        What stands behind the number of a slider, which can be typed then: the nearest position is taken.
    """

    key: str
    label: str
    kind: str
    positions: tuple[Position, ...]
    start: int
    things: tuple[tuple[str, str, str], ...] = ()
    coarser: tuple[tuple[Position, ...], ...] = ()
    unit: str = ""

    def thinner(self) -> "Lever | None":
        """The same lever with fewer positions; None where there is no such."""
        if not self.coarser:
            return None
        here = self.positions[self.start].value
        fewer, *rest = self.coarser
        start = next(place for place, one in enumerate(fewer) if one.value == here)
        return replace(self, positions=fewer, start=start, coarser=tuple(rest))

    def only(self, values: Sequence[str]) -> "Lever":
        """The same lever with these positions alone, and the one that it starts with."""
        if self.kind == TICKS:
            raise ScenarioProblem(f"{self.label}: all sets of them can be ticked, so no positions are named.")
        known = {str(one.value): one for one in self.positions}
        wanted = []
        for value in values:
            if value.strip() not in known:
                every = ", ".join(known) if len(known) < 16 else f"{next(iter(known))} to {list(known)[-1]}"
                raise ScenarioProblem(f"{self.label} cannot be {value.strip()!r}; there is {every}.")
            wanted.append(known[value.strip()])
        here = self.positions[self.start]
        chosen = tuple(one for one in self.positions if one in wanted or one is here)
        return replace(self, positions=chosen, start=chosen.index(here), coarser=())


def slider(key: str, label: str, ladders: Sequence[Sequence[Position]], here: Any, unit: str = "") -> Lever:
    """A slider; `ladders` are its positions, fine and ever coarser, each with the one where it stands."""
    fine, *coarser = (tuple(one) for one in ladders)
    start = next(place for place, one in enumerate(fine) if one.value == here)
    return Lever(key, label, SLIDER, fine, start, coarser=tuple(coarser), unit=unit)


def pills(key: str, label: str, positions: Sequence[Position], here: Any) -> Lever:
    """One of several things."""
    start = next((place for place, one in enumerate(positions) if one.value == here), 0)
    return Lever(key, label, PILLS, tuple(positions), start)


def thinned(levers: Sequence[Lever], most: int = MOST_POSITIONS) -> tuple[Lever, ...]:
    """The same levers with at most so many positions together: the one with most positions gives way first."""
    found = list(levers)
    while prod(len(one.positions) for one in found) > most:
        able = [(len(one.positions), place, less) for place, one in enumerate(found) if (less := one.thinner())]
        if not able:
            many = " times ".join(str(len(one.positions)) for one in found)
            raise ScenarioProblem(
                f"These controls have {many} positions together, and {most} is the most: take fewer controls, or name "
                "the positions that you want, as in trust:Press=10,30,50."
            )
        _, place, less = max(able, key=lambda one: one[:2])
        found[place] = less
    return tuple(found)


def places(levers: Sequence[Lever]) -> Iterator[tuple[int, ...]]:
    """All places of all levers, the last lever moving first."""
    return product(*(range(len(lever.positions)) for lever in levers))


def scenario_at(scenario: Scenario, levers: Sequence[Lever], place: Sequence[int]) -> Scenario:
    """The scenario with the levers at these places."""
    content = scenario.to_dict()
    for lever, at in zip(levers, place, strict=True):
        for path, value in lever.positions[at].changes:
            put(content, path, value)
    return type(scenario).from_dict(content)


def put(content: Any, path: Sequence[str | int], value: Any) -> None:
    """Write a value into nested JSON."""
    *way, end = path
    for part in way:
        content = content[part]
    content[end] = value
