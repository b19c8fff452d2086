"""Solving a target under one scheme: what all pages with recipients have in common.

Limits on attackers must be downward closed (lowering a trust never breaks one), demands of analysts are least trusts of
single copies. So the least trusts that the demands and the locks allow decide whether anything keeps the target.
"""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from trustscope.engine.arrays import Floats, Integers
from trustscope.scenarios.coalition import Recipient
from trustscope.scenarios.solve.joint import Holds, raised
from trustscope.scenarios.solve.requirement import CategoriesRequirement, TrustRequirement
from trustscope.scenarios.solve.solution import Check, SolutionOption
from trustscope.scenarios.words import count, listed, sentence

RETRIES = 3  # steps of trust given up where measurement on all rows does not confirm what was found

R = TypeVar("R", TrustRequirement, CategoriesRequirement)


def give_or_take(amount: str) -> str:
    """What a measured figure may be off by: of a share in points, for per cent of per cent would be another figure."""
    return f" ± {amount.removesuffix(' %')} points" if amount.endswith(" %") else f" ± {amount}"


class Infeasible(Exception):
    """Nothing keeps the target; the message says what contradicts what, and what is nearest."""


class SchemeSolver(ABC, Generic[R]):
    """A target under one scheme.

    Parameters
    ----------
    model : the page's model
    settings : with `recipients`, `locked` and `requirements`
    scheme, title : str, str

    Attributes
    ----------
    grid : numpy.ndarray
        The trusts in per cent that recipients can have, increasing; the last is the original, which only those have
        who hold it already.
    """

    grid: ClassVar[np.ndarray]

    def __init__(self, model: Any, settings: Any, scheme: str, title: str):
        self.model, self.settings, self.scheme, self.title = model, settings, scheme, title
        self.who: tuple[Recipient, ...] = settings.recipients
        self.places = np.array([int(np.argmin(np.abs(self.grid - r.trust))) for r in self.who])
        self.locked = np.array([r.number in settings.locked for r in self.who])
        self.protecting: list[R] = [r for r in settings.requirements if r.protects]
        self.demanding: list[R] = [r for r in settings.requirements if not r.protects]

    # What a page says

    @property
    @abstractmethod
    def weights(self) -> Floats:
        """What a copy tells at each place of the grid; increasing. Trusts are scaled together in these terms."""

    @abstractmethod
    def test(self, requirement: R) -> Holds:
        """Whether a limit on attackers holds where the recipients stand at these places."""

    @abstractmethod
    def worst(self, requirement: R, at: Integers) -> float:
        """The figure of the worst coalition there."""

    @abstractmethod
    def use(self, requirement: R, place: int) -> float:
        """What a copy at this place gives an analyst."""

    @abstractmethod
    def needed(self, requirement: R) -> int | None:
        """The least place at which a demand of an analyst is met; None where no place meets it."""

    @abstractmethod
    def impossible(self, requirement: R) -> str:
        """Why a requirement cannot be met whatever the trusts are, in a sentence; empty where it may be."""

    @abstractmethod
    def check(self, requirement: R, at: Integers) -> Check:
        """What is measured on all rows where the recipients stand there."""

    @abstractmethod
    def short(self, requirement: R) -> str:
        """A requirement as a noun."""

    @abstractmethod
    def amount(self, requirement: R, value: float) -> str:
        """A figure of the kind that a requirement limits."""

    def whose(self, requirement: R) -> list[int]:
        """Places of the recipients whose copies a demand is about."""
        return list(range(len(self.who)))

    def level(self, least: Integers) -> Integers:
        """The least places that fit together, at or above these."""
        return least

    def raise_all(self, least: Integers, holds: Holds) -> Integers:
        """The highest places."""
        wish = np.minimum(self.places, self.top)
        given = getattr(self.settings, "given", "most")
        return raised(wish, least, ~self.locked, self.weights[: self.top + 1], holds, given)

    @property
    def top(self) -> int:
        """The highest place that may be given."""
        return len(self.grid) - 2

    # The answer

    def answer(self, check: bool = True) -> SolutionOption:
        """What this scheme allows."""
        try:
            if not self.settings.requirements:
                raise Infeasible("There is no requirement yet: add one.")
            found = self.highest_places()
            found, checks = self._confirmed(found) if check else (found, ())
        except Infeasible as why:
            return SolutionOption(self.scheme, self.title, str(why))
        changes = {"settings.scheme": self.scheme, "settings.recipients": self.at(found)}
        return SolutionOption(self.scheme, self.title, self._told(found, checks), changes, checks)

    def highest_places(self) -> Integers:
        """The highest places that keep everything."""
        for requirement in self.settings.requirements:
            self._possible(requirement)
        least = self.least(self.demanding)
        tests = [self.test(requirement) for requirement in self.protecting]

        def holds(at: Integers) -> bool:
            return all(test(at) for test in tests)

        if not holds(least):
            raise Infeasible(self._contradiction(least))
        return self.raise_all(least, holds)

    def least(self, demanding: list[R]) -> Integers:
        """The lowest places: what analysts need, and the trust of those who are locked."""
        least = np.zeros(len(self.who), dtype=int)
        for requirement in demanding:
            for place in self.whose(requirement):
                least[place] = max(least[place], self.needed(requirement))
        return self.level(np.where(self.locked, self.places, least))

    def at(self, places: Integers) -> tuple[Recipient, ...]:
        """The recipients with the trusts of these places."""
        return tuple(r.replace({"trust": self.grid[i].item()}) for r, i in zip(self.who, places, strict=True))

    # What cannot be

    def _possible(self, requirement: R) -> None:
        """Refuse what nothing meets, whatever else is asked for, with the nearest that can be met."""
        if why := self.impossible(requirement):
            raise Infeasible(why)
        if requirement.protects:
            self._protectable(requirement)
            return
        needed = self.needed(requirement)
        if needed is None:
            nearest = self.amount(requirement, self.use(requirement, self.top))
            trust = f"{self.grid[self.top]:g} % trust"
            raise Infeasible(f"Not even {trust} gives {self.short(requirement)}: {nearest} is the nearest.")
        low = [self.who[i] for i in self.whose(requirement) if self.locked[i] and self.places[i] < needed]
        if low:
            raise Infeasible(
                f"{listed([r.name for r in low])} must have at least {self.grid[needed]:g} % for "
                f"{self.short(requirement)}, but {'is' if len(low) == 1 else 'are'} held at "
                f"{listed([f'{r.trust} %' for r in low])}."
            )

    def _protectable(self, requirement: R) -> None:
        test = self.test(requirement)
        free = np.zeros(len(self.who), dtype=int)
        if not test(free):
            nearest = self.amount(requirement, self.worst(requirement, free))
            raise Infeasible(
                f"{sentence(self.short(requirement))} cannot be had even with everybody at {self.grid[0]:g} %: "
                f"{nearest} is the nearest."
            )
        at = self.least([])
        if not test(at):
            held = listed([f"{r.name} ({r.trust} %)" for r, fixed in zip(self.who, self.locked, strict=True) if fixed])
            raise Infeasible(
                f"The copies that are already out, of {held}, contradict {self.short(requirement)}: "
                f"{self.amount(requirement, self.worst(requirement, at))} is the nearest that can be met."
            )

    def _contradiction(self, least: Integers) -> str:
        """Which two requirements cannot both hold, and by how much.

        Of several such pairs the one that is furthest apart: what is nearest to another one would break this one.
        """
        pairs = [
            (demanding, protecting)
            for protecting in self.protecting
            for demanding in self.demanding
            if not self.test(protecting)(self.least([demanding]))
        ]
        if pairs:
            return self._between(*max(pairs, key=lambda pair: self._apart(*pair)))
        broken = next(r for r in self.protecting if not self.test(r)(least))
        return (
            f"{sentence(self.short(broken))} contradicts what analysts need together: "
            f"{self.amount(broken, self.worst(broken, least))} is the nearest that can be met with it."
        )

    def _apart(self, demanding: R, protecting: R) -> float:
        """By how many points of trust what one needs lies above what the other one allows."""
        allowed = self._allowed(protecting, self.whose(demanding))
        return float(self.grid[self.needed(demanding)] - self.grid[allowed])

    def _between(self, demanding: R, protecting: R) -> str:
        needed, allowed = self.needed(demanding), self._allowed(protecting, self.whose(demanding))
        at = self.least([demanding])
        apart = f"{self._apart(demanding, protecting):.1f}".removesuffix(".0")
        return (
            f"{sentence(self.short(demanding))} needs at least {self.grid[needed]:g} % trust, "
            f"{self.short(protecting)} allows at most {self.grid[allowed]:g} %: they contradict each other by "
            f"{apart} points. The nearest that can be met is {self.amount(protecting, self.worst(protecting, at))} for "
            f"the second, or {self.amount(demanding, self.use(demanding, allowed))} for the first."
        )

    def _allowed(self, protecting: R, places: list[int]) -> int:
        """The highest common place of these recipients that a limit allows, the others at the lowest."""
        test = self.test(protecting)
        low, high = 0, self.top + 1
        while high - low > 1:
            middle = (low + high) // 2
            at = np.where(self.locked, self.places, 0)
            at[places] = np.where(self.locked[places], self.places[places], middle)
            low, high = (middle, high) if test(at) else (low, middle)
        return low

    # What is found

    def _confirmed(self, found: Integers) -> tuple[Integers, tuple[Check, ...]]:
        """What was found, measured; given up step by step where measurement does not confirm it.

        What is kept only within sampling error is lowered too, as long as that makes it clear.
        """
        least = self.least(self.demanding)
        first = None
        for _ in range(RETRIES + 1):
            checks = tuple(self.check(requirement, found) for requirement in self.settings.requirements)
            if all(check.clear and check.kept for check in checks):
                return found, checks
            if first is None and all(check.kept for check in checks):
                first = found, checks
            lower = np.where(self.locked, found, np.maximum(found - 1, least))
            if np.array_equal(lower, found):
                break
            found = lower
        if first is not None:
            return first
        failed = next(check for check in checks if not check.kept)
        raise Infeasible(f"Measurement does not confirm what theory allows: {failed.text}. Loosen the limit a little.")

    def _told(self, found: Integers, checks: tuple[Check, ...]) -> str:
        who = self.at(found)
        free = [r for r, fixed in zip(who, self.locked, strict=True) if not fixed]
        if not free:
            text = "Everything holds as it is; nobody is free to be moved"
        elif len({r.trust for r in free}) == 1 and len(free) > 1:
            text = f"{'Everybody' if len(free) == len(who) else 'All others'} {free[0].trust} %"
        else:
            text = ", ".join(f"{r.name} {r.trust} %" for r in free)
        if checks:
            told = "; ".join(check.text for check in checks)
            rows = min(self.model.rows, *(check.rows or self.model.rows for check in checks))
            text += f". Measured on {count(rows)} rows: {told}"
            text += ", where ± is how far chance may move a measurement" if "±" in told else ""
        return f"{text}."
