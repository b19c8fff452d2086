"""Solving a target on the Trust page: the highest trust of each recipient, scheme by scheme, or what contradicts it.

Every limit on attackers becomes a budget of what coalitions may learn (`figures`, `joint`), every demand of an analyst
a least trust of one copy (`floors`). What is found is measured on all rows before it is called found (`measured`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from trustscope import schemes as records
from trustscope.datasets import Dataset
from trustscope.engine.arrays import Floats, Integers
from trustscope.engine.attacks.tracks import track_errors, worst_coalition
from trustscope.scenarios.coalition import Recipient
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.solve import words
from trustscope.scenarios.solve.exposed import PeopleFigure
from trustscope.scenarios.solve.figures import AttackFigure
from trustscope.scenarios.solve.floors import Labels, Usefulness
from trustscope.scenarios.solve.joint import ROUNDING, Budget, Holds
from trustscope.scenarios.solve.measured import pooled_apart, tallied
from trustscope.scenarios.solve.requirement import TrustRequirement
from trustscope.scenarios.solve.scheme import SchemeSolver, give_or_take
from trustscope.scenarios.solve.solution import Check, Solution
from trustscope.scenarios.trust.judge import STRONGEST
from trustscope.scenarios.trust.scenario import LEVELS, SCHEMES, Settings, TrustScenario, levels
from trustscope.scenarios.value import not_none

if TYPE_CHECKING:
    from trustscope.scenarios.trust.model import Model

TRUSTS = np.arange(1, 101)  # the grid: the original, 100 %, only for those who hold it already
with np.errstate(divide="ignore"):
    PRECISION = TRUSTS / (100 - TRUSTS)  # 1 / s: what copies tell adds up where their noise is independent

T = TypeVar("T")


def no_labels(name: str) -> None:
    """Where there are no columns to predict."""
    return


def labels_of(data: Dataset | None, model: Model) -> Labels:
    """The values of a categorical column of the data by its name, in the order of the model's rows.

    Where rows with gaps were left out, the labels of those that are left cannot be told by their place.
    """

    def labels(name: str) -> np.ndarray | None:
        if data is None or data.rows != model.rows or name not in data.categorical:
            return None
        return data.frame[name].to_numpy()[model.population.order]

    return labels


def figure(model: Model, settings: Settings, requirement: TrustRequirement) -> AttackFigure | PeopleFigure:
    """The figure of a requirement, remembered for this model: it does not depend on anybody's trust."""
    kind = PeopleFigure if requirement.of_people else AttackFigure
    return _remembered(model, settings, requirement, lambda: kind(model, settings, requirement))


def usefulness(model: Model, settings: Settings, requirement: TrustRequirement, labels: Labels) -> Usefulness:
    """The same for what an analyst gets."""
    return _remembered(model, settings, requirement, lambda: Usefulness(model, settings, requirement, labels))


def _remembered(model: Model, settings: Settings, requirement: TrustRequirement, make: Callable[[], T]) -> T:
    context = (
        settings.similarity, settings.sample, settings.informed, settings.attribute, settings.eps,
        settings.knowledge, settings.others, settings.known,
    )  # fmt: skip
    return model.required((requirement, context), make)


def members(requirement: TrustRequirement, settings: Settings) -> tuple[int, ...]:
    """Places of the recipients that a requirement is about."""
    every = tuple(range(len(settings.recipients)))
    if (requirement.coalition != "named" and requirement.protects) or not requirement.members:
        return every if requirement.coalition != "named" else ()
    return tuple(i for i in every if settings.recipients[i].number in requirement.members)


def largest(requirement: TrustRequirement, places: tuple[int, ...]) -> int:
    """How many of them may pool."""
    return min(requirement.size, len(places)) if requirement.coalition == "size" else len(places)


def budget(model: Model, settings: Settings, requirement: TrustRequirement, scheme: str) -> Budget:
    """What coalitions may learn together, in terms of 1 / s."""
    places = members(requirement, settings)
    highest = figure(model, settings, requirement).highest
    cap = np.inf if highest >= 1 else highest / (1 - highest)
    return Budget(places, largest(requirement, places), cap, PRECISION, scheme != "independent")


def solve(
    model: Model,
    scenario: TrustScenario,
    labels: Labels = no_labels,
    check: bool = True,
    schemes: Collection[str] = SCHEMES,
) -> Solution:
    """The highest trusts that keep the scenario's requirements, for each scheme.

    Parameters
    ----------
    model : Model
        Of the Trust page, with the scenario fitted to it.
    scenario : TrustScenario
    labels : callable
        The values of a column by name, in the model's order of rows: what classifiers predict.
    check : bool
        Whether to measure on all rows what was found.
    schemes : collection of str
        Which to answer for.
    """
    return Solution(
        scenario, tuple(Scheme(model, scenario.settings, scheme, labels).answer(check) for scheme in schemes)
    )


def _raw(requirement: TrustRequirement) -> bool:
    """Whether it is about an attacker whose copies do not amount to one."""
    return pooled_apart(requirement.attacker) and not requirement.of_people


class Scheme(SchemeSolver[TrustRequirement]):
    """A target of the Trust page under one scheme."""

    model: Model
    settings: Settings
    grid = TRUSTS

    def __init__(self, model: Model, settings: Settings, scheme: str, labels: Labels) -> None:
        super().__init__(model, settings, scheme, records.of(scheme).title)
        self.people, self.labels, self.house = model.population, labels, records.of(scheme).house
        self._raw = Memo(1024)

    @property
    def weights(self) -> Floats:
        return PRECISION

    # Limits on attackers

    def test(self, requirement: TrustRequirement) -> Holds:
        if _raw(requirement):
            return lambda at: self._keeps(requirement, self.worst(requirement, at))
        spent = budget(self.model, self.settings, requirement, self.scheme)
        if not self.house:
            return lambda at: self._learned(spent, at) <= spent.cap * (1 + ROUNDING)
        if self.scheme != "proportional" or spent.most < 2:
            return spent
        # Two different copies of the same noise give everything away.
        pool = list(spent.places)
        return lambda at: bool(np.ptp(at[pool]) == 0 or spent.cap == np.inf) and spent(at)

    def _keeps(self, requirement: TrustRequirement, value: float) -> bool:
        return value >= requirement.limit - 1e-9 if requirement.at_least else value <= requirement.limit + 1e-9

    def worst(self, requirement: TrustRequirement, at: Integers) -> float:
        if _raw(requirement):
            return self._raw((requirement, tuple(at)), lambda: self._worst_raw(requirement, at))
        spent = budget(self.model, self.settings, requirement, self.scheme)
        told = self._learned(spent, at)
        if self.scheme == "proportional" and spent.most > 1 and np.ptp(at[list(spent.places)]):
            told = np.inf
        level = 0.0 if np.isinf(told) else 1 / told
        return figure(self.model, self.settings, requirement).worst(level)

    def _learned(self, spent: Budget, at: Integers) -> float:
        """What the worst of these coalitions learns; under a scheme that was registered, all of them are looked at."""
        if self.house:
            return spent.learned(at)
        held = [LEVELS[int(TRUSTS[at[i]])] for i in spent.places]
        error = float(track_errors(held, held[:1], self.scheme, spent.most)[0, 0])
        return np.inf if error <= 0 else 1 / error - 1

    def _worst_raw(self, requirement: TrustRequirement, at: Integers) -> float:
        """The same where it must be measured, on the rows of a preview.

        Who learns everything from a sample may be misled by many copies: of each size the best copies count.
        """
        pools = [self._pool(requirement, at, size) for size in range(1, self._size(requirement) + 1)]
        pools = pools[-1:] if requirement.coalition == "named" else pools
        rows, among = self.model.preview_rows, self.at(at)
        found = [
            tallied(self.model, self.settings, requirement, pool, self.scheme, rows, among=among)[0] for pool in pools
        ]
        if requirement.what == "hits":
            return max(figure_without(self.model, self.settings, requirement), *found)
        return min(found)

    def _size(self, requirement: TrustRequirement) -> int:
        return largest(requirement, members(requirement, self.settings))

    def _pool(self, requirement: TrustRequirement, at: Integers, size: int | None = None) -> tuple[Recipient, ...]:
        """The coalition that learns most: the best copies of those that it is about."""
        who = [self.at(at)[i] for i in members(requirement, self.settings)]
        return tuple(who[i] for i in worst_coalition(levels(who), self.scheme, size or self._size(requirement)))

    # Demands of analysts

    def _useful(self, requirement: TrustRequirement) -> Usefulness:
        return usefulness(self.model, self.settings, requirement, self.labels)

    def use(self, requirement: TrustRequirement, place: int) -> float:
        return self._useful(requirement).at(int(TRUSTS[place]))

    def needed(self, requirement: TrustRequirement) -> int | None:
        least = self._useful(requirement).least
        return None if least is None else least - 1

    def whose(self, requirement: TrustRequirement) -> list[int]:
        named = [i for i, r in enumerate(self.who) if r.number in requirement.members]
        return named or super().whose(requirement)

    # Proportional noise: those who may pool must stand at one trust

    def level(self, least: Integers) -> Integers:
        if self.scheme != "proportional":
            return least
        found = least.copy()
        for group in self._groups():
            fixed = [i for i in group if self.locked[i]]
            common = least[fixed].min() if fixed else least[group].max()
            found[[i for i in group if not self.locked[i] and least[i] <= common]] = common
        return found

    def raise_all(self, least: Integers, holds: Holds) -> Integers:
        if self.scheme != "proportional":
            return super().raise_all(least, holds)
        found = least.copy()
        for group in self._groups():
            if any(self.locked[i] for i in group):
                continue  # they stand where the locked one does
            for option in range(self.top, int(least[group].max()), -1):
                tried = found.copy()
                tried[group] = option
                if holds(tried):
                    found = tried
                    break
        return found

    def _groups(self) -> list[list[int]]:
        """Recipients who may pool, directly or through others."""
        groups = [{i} for i in range(len(self.who))]
        for requirement in self.protecting:
            pool = set(members(requirement, self.settings))
            if largest(requirement, tuple(pool)) > 1:
                joined = [g for g in groups if g & pool]
                groups = [g for g in groups if not g & pool] + [set().union(*joined)]
        return [sorted(g) for g in groups]

    # Words

    def short(self, requirement: TrustRequirement) -> str:
        return words.short(requirement, self.settings, self.people)

    def amount(self, requirement: TrustRequirement, value: float) -> str:
        return words.amount(requirement, value, words.subject(requirement, self.settings, self.people))

    def impossible(self, requirement: TrustRequirement) -> str:
        if not requirement.protects:
            return self._useful(requirement).problem
        if not members(requirement, self.settings):
            return "A requirement names nobody who is here: choose its coalition anew, or remove it."
        if not self.people.weights.any():
            return "All released attributes are constant: they are known without any copy."
        return self._without_copies(requirement)

    def _without_copies(self, requirement: TrustRequirement) -> str:
        """What is impossible even without any copy."""
        limit = self.amount(requirement, requirement.limit)
        if requirement.what == "error" and requirement.limit > 1:
            nearest = self.amount(requirement, self.worst(requirement, np.zeros(len(self.who), dtype=int)))
            return (
                "Guessing the average makes an error of 1, so that nobody errs by more than that: "
                f"{nearest} is the nearest that can be met."
            )
        without = figure_without(self.model, self.settings, requirement) if requirement.what == "hits" else 0.0
        if requirement.what == "error" or without <= requirement.limit:
            return ""
        about = words.subject(requirement, self.settings, self.people)
        near = about.amount(not_none(words.distance(requirement, self.settings)))
        nearest = self.amount(requirement, self.worst(requirement, np.zeros(len(self.who), dtype=int)))
        return (
            f"{self.amount(requirement, without)} of {about.attribute} are guessed within {near} without any copy, so "
            f"that {limit} cannot be had: {nearest} is the nearest that can be met."
        )

    # Measuring

    def check(self, requirement: TrustRequirement, at: Integers) -> Check:
        rows, limit = None, requirement.limit
        if requirement.of_people:
            measured, tolerance, rows = self._risked(requirement, at)
        elif requirement.protects:
            pool = self._pool(requirement, at)
            among = self.at(at)
            measured, tolerance, rows = tallied(self.model, self.settings, requirement, pool, self.scheme, among=among)
        else:
            measured, tolerance = self._measured_use(requirement, at)
        beyond = limit - measured if requirement.at_least else measured - limit
        # What the strongest attacker does is known from a curve, which may err as the measurement may.
        clear = beyond <= 0 if requirement.attacker == STRONGEST and requirement.protects else beyond <= tolerance
        asked = f"{words.beyond(requirement)} {self.amount(requirement, limit)}"
        sampled = requirement.protects or requirement.what in ("accuracy", "histogram")
        within = give_or_take(self.amount(requirement, tolerance)) if sampled else ""
        text = f"{self.amount(requirement, measured)}{within} ({asked})"
        return Check(text, float(measured), float(tolerance), bool(beyond <= tolerance), bool(clear), rows)

    def _risked(self, requirement: TrustRequirement, at: Integers) -> tuple[float, float, int]:
        """What people risk, on noise that was not looked at before."""
        mine = figure(self.model, self.settings, requirement)
        assert isinstance(mine, PeopleFigure)
        level = self.model.noise(self.settings.similarity).level(self._pool(requirement, at), self.scheme)
        measured = mine.at(level, afresh=True)
        return measured, mine.tolerance(measured, level), mine.people(level)

    def _measured_use(self, requirement: TrustRequirement, at: Integers) -> tuple[float, float]:
        """The least useful of the copies that must be useful: of equal law, the lowest trust is."""
        useful, who = self._useful(requirement), self.at(at)
        lowest = min((who[i] for i in self.whose(requirement)), key=lambda r: r.trust)
        noise = self.model.noise(self.settings.similarity)
        copy = noise.copy(lowest, self.scheme, 0, self.people.rows, among=who)
        measured, tolerance = useful.measured(copy)
        # A copy is one draw: once in twenty it lies beyond what is promised, and then by less than as much again.
        slack = requirement.limit if requirement.what in ("mean", "correlation") else 0.0
        return measured, tolerance + slack


def figure_without(model: Model, settings: Settings, requirement: TrustRequirement) -> float:
    """The share of hits without any copy."""
    people = model.population
    attribute = people.index(requirement.attribute or settings.attribute)
    return model.constants.best(attribute, not_none(words.distance(requirement, settings)), "absolute").rate
