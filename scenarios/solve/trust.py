"""Solving a target on the Trust page: the highest trust of each recipient, scheme by scheme, or what contradicts it.

Every limit on attackers becomes a budget of what coalitions may learn (`figures`, `joint`), every demand of an analyst
a least trust of one copy (`floors`). What is found is measured on all rows before it is called found (`measured`).
"""

from collections.abc import Callable

import numpy as np

from trustscope.scenarios.coalition import Recipient
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.solve import words
from trustscope.scenarios.solve.figures import Figure
from trustscope.scenarios.solve.floors import Labels, Usefulness
from trustscope.scenarios.solve.joint import Budget, raised
from trustscope.scenarios.solve.measured import tallied
from trustscope.scenarios.solve.requirement import TrustRequirement
from trustscope.scenarios.solve.solution import Answer, Check, Solution
from trustscope.scenarios.trust.scenario import SCHEMES, Settings, TrustScenario
from trustscope.scenarios.words import count, listed

TITLES = {"nested": "Nested noise", "independent": "Independent noise", "proportional": "Proportional noise"}
TRUSTS = np.arange(1, 101)  # the grid: the original, 100 %, only for those who hold it already
with np.errstate(divide="ignore"):
    PRECISION = TRUSTS / (100 - TRUSTS)  # 1 / s: what copies tell adds up where their noise is independent
TOP = 99
RETRIES = 3  # points of trust given up where measurement on all rows does not confirm what was found


class Infeasible(Exception):
    """Nothing keeps the target; the message says what contradicts what, and what is nearest."""


def no_labels(name: str) -> None:
    """Where there are no columns to predict."""
    return


def figure(model, settings: Settings, requirement: TrustRequirement) -> Figure:
    """The figure of a requirement, remembered for this model: it does not depend on anybody's trust."""
    return _remembered(model, settings, requirement, lambda: Figure(model, settings, requirement))


def usefulness(model, settings: Settings, requirement: TrustRequirement, labels: Labels) -> Usefulness:
    """The same for what an analyst gets."""
    return _remembered(model, settings, requirement, lambda: Usefulness(model, settings, requirement, labels))


def _remembered(model, settings, requirement, make):
    context = (settings.similarity, settings.sample, settings.informed, settings.attribute, settings.eps)
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


def budget(model, settings: Settings, requirement: TrustRequirement, scheme: str) -> Budget:
    """What coalitions may learn together, in terms of 1 / s."""
    places = members(requirement, settings)
    highest = figure(model, settings, requirement).highest
    cap = np.inf if highest >= 1 else highest / (1 - highest)
    return Budget(places, largest(requirement, places), cap, PRECISION, scheme != "independent")


def solve(
    model, scenario: TrustScenario, labels: Labels = no_labels, check: bool = True, schemes: tuple[str, ...] = SCHEMES
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
    schemes : tuple of str
        Which to answer for.
    """
    return Solution(scenario, tuple(_Scheme(model, scenario, scheme, labels).answer(check) for scheme in schemes))


class _Scheme:
    """A target under one scheme."""

    def __init__(self, model, scenario, scheme, labels):
        self.model, self.scenario, self.settings, self.scheme = model, scenario, scenario.settings, scheme
        self.people, self.labels = model.population, labels
        self.who: tuple[Recipient, ...] = self.settings.recipients
        self.places = np.array([r.trust - 1 for r in self.who])
        self.locked = np.array([r.number in self.settings.locked for r in self.who])
        self.protecting = [r for r in self.settings.requirements if r.protects]
        self.demanding = [r for r in self.settings.requirements if not r.protects]
        self._raw = Memo(1024)

    # The answer

    def answer(self, check: bool) -> Answer:
        title = TITLES[self.scheme]
        try:
            if not self.settings.requirements:
                raise Infeasible("There is no requirement yet: add one.")
            found = self._found()
            found, checks = self._confirmed(found) if check else (found, ())
        except Infeasible as why:
            return Answer(self.scheme, title, str(why))
        changes = {"settings.scheme": self.scheme, "settings.recipients": self._at(found)}
        return Answer(self.scheme, title, self._told(found, checks), changes, checks)

    def _found(self) -> np.ndarray:
        for requirement in self.settings.requirements:
            self._possible(requirement)
        least = self._least(self.demanding)
        holds = self._holds(self.protecting)
        if not holds(least):
            raise Infeasible(self._contradiction(least))
        if self.scheme == "proportional":
            return self._together(least, holds)
        wish = np.minimum(self.places, TOP - 1)
        return raised(wish, least, ~self.locked, PRECISION[:TOP], holds)

    def _least(self, demanding) -> np.ndarray:
        """The lowest places: what analysts need, and the trust of those who are locked."""
        least = np.zeros(len(self.who), dtype=int)
        for requirement in demanding:
            need = self._useful(requirement).least - 1
            for place in self._whose(requirement):
                least[place] = max(least[place], need)
        return self._level(np.where(self.locked, self.places, least))

    def _level(self, least) -> np.ndarray:
        """Proportional noise: those who may pool must stand at one trust, that of the highest or of the locked."""
        if self.scheme != "proportional":
            return least
        found = least.copy()
        for group in self._groups():
            fixed = [i for i in group if self.locked[i]]
            common = least[fixed].min() if fixed else least[group].max()
            moved = [i for i in group if not self.locked[i] and least[i] <= common]
            found[moved] = common
        return found

    def _whose(self, requirement):
        named = [i for i, r in enumerate(self.who) if r.number in requirement.members]
        return named or range(len(self.who))

    def _holds(self, protecting) -> Callable[[np.ndarray], bool]:
        tests = [self._test(requirement) for requirement in protecting]
        return lambda at: all(test(at) for test in tests)

    def _test(self, requirement):
        if requirement.attacker == "raw":
            return lambda at: self._keeps(requirement, self._worst(requirement, at))
        spent = budget(self.model, self.settings, requirement, self.scheme)
        if self.scheme != "proportional" or spent.most < 2:
            return spent
        # Two different copies of the same noise give everything away.
        pool = list(spent.places)
        return lambda at: bool(np.ptp(at[pool]) == 0 or spent.cap == np.inf) and spent(at)

    def _together(self, least, holds) -> np.ndarray:
        """Proportional noise: those who may pool stand at one trust, and all of them as high as that allows."""
        found = least.copy()
        for group in self._groups():
            fixed = {int(self.places[i]) for i in group if self.locked[i]}
            if fixed:
                options = fixed if len(fixed) == 1 else set()
            else:
                options = range(TOP - 1, int(least[group].max()) - 1, -1)
            for option in options:
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

    # Figures

    def _useful(self, requirement) -> Usefulness:
        return usefulness(self.model, self.settings, requirement, self.labels)

    def _keeps(self, requirement, value) -> bool:
        return value >= requirement.limit - 1e-9 if requirement.what == "error" else value <= requirement.limit + 1e-9

    def _worst(self, requirement, at) -> float:
        """The figure of the worst coalition of a requirement where the recipients stand there."""
        if requirement.attacker == "raw":
            return self._raw((requirement, tuple(at)), lambda: self._worst_raw(requirement, at))
        spent = budget(self.model, self.settings, requirement, self.scheme)
        told = spent.learned(at)
        if self.scheme == "proportional" and spent.most > 1 and np.ptp(at[list(spent.places)]):
            told = np.inf
        level = 0.0 if np.isinf(told) else 1 / told
        return figure(self.model, self.settings, requirement).worst(level)

    def _worst_raw(self, requirement, at) -> float:
        """The same where it must be measured, on the rows of a preview.

        Who learns everything from a sample may be misled by many copies: of each size the best copies count.
        """
        pools = [self._pool(requirement, at, size) for size in range(1, self._size(requirement) + 1)]
        pools = pools[-1:] if requirement.coalition == "named" else pools
        rows = self.model.preview_rows
        found = [tallied(self.model, self.settings, requirement, pool, self.scheme, rows)[0] for pool in pools]
        if requirement.what == "hits":
            return max(figure_without(self.model, self.settings, requirement), *found)
        return min(found)

    def _size(self, requirement):
        return largest(requirement, members(requirement, self.settings))

    def _at(self, at) -> tuple[Recipient, ...]:
        return tuple(r.having({"trust": int(TRUSTS[i])}) for r, i in zip(self.who, at, strict=True))

    def _pool(self, requirement, at, size=None) -> tuple[Recipient, ...]:
        """The coalition that learns most: the best copies of those that it is about."""
        who = [self._at(at)[i] for i in members(requirement, self.settings)]
        return tuple(sorted(who, key=lambda r: -r.trust)[: size or self._size(requirement)])

    def _short(self, requirement) -> str:
        return words.short(requirement, self.settings, self.people)

    def _amount(self, requirement, value) -> str:
        return words.amount(requirement, value, words.subject(requirement, self.settings, self.people))

    # What cannot be

    def _possible(self, requirement) -> None:
        """Refuse what nothing meets, whatever else is asked for, with the nearest that can be met."""
        if requirement.protects:
            self._protectable(requirement)
            return
        useful = self._useful(requirement)
        if useful.problem:
            raise Infeasible(useful.problem)
        if useful.least is None:
            nearest = self._amount(requirement, useful.at(TOP))
            raise Infeasible(f"Not even 99 % trust gives {self._short(requirement)}: {nearest} is the nearest.")
        low = [self.who[i] for i in self._whose(requirement) if self.locked[i] and self.who[i].trust < useful.least]
        if low:
            raise Infeasible(
                f"{listed([r.name for r in low])} must have at least {useful.least} % for {self._short(requirement)}, "
                f"but {'is' if len(low) == 1 else 'are'} held at {listed([f'{r.trust} %' for r in low])}."
            )

    def _protectable(self, requirement) -> None:
        if not members(requirement, self.settings):
            raise Infeasible("A requirement names nobody who is here: choose its coalition anew, or remove it.")
        if not self.people.weights.any():
            raise Infeasible("All released attributes are constant: they are known without any copy.")
        free = np.zeros(len(self.who), dtype=int)
        worst = self._worst(requirement, free)
        if not self._keeps(requirement, worst):
            raise Infeasible(self._out_of_reach(requirement, worst))
        at = self._least([])
        if not self._test(requirement)(at):
            worst = self._worst(requirement, at)
            held = listed([f"{r.name} ({r.trust} %)" for r, fixed in zip(self.who, self.locked, strict=True) if fixed])
            raise Infeasible(
                f"The copies that are already out, of {held}, contradict {self._short(requirement)}: "
                f"{self._amount(requirement, worst)} is the nearest that can be met."
            )

    def _out_of_reach(self, requirement, worst) -> str:
        nearest = self._amount(requirement, worst)
        if requirement.what == "hits":
            about = words.subject(requirement, self.settings, self.people)
            without = figure_without(self.model, self.settings, requirement)
            if without > requirement.limit:
                near = about.amount(words.distance(requirement, self.settings))
                return (
                    f"{self._amount(requirement, without)} of {about.attribute} are guessed within {near} without any "
                    f"copy, so that {self._amount(requirement, requirement.limit)} cannot be had: {nearest} is the "
                    "nearest that can be met."
                )
        if requirement.what == "error" and requirement.limit > 1:
            return (
                "Guessing the average makes an error of 1, so that nobody errs by more than that: "
                f"{nearest} is the nearest that can be met."
            )
        return f"Even with everybody at 1 % there is no {self._short(requirement)}: {nearest} is the nearest."

    def _contradiction(self, least) -> str:
        """Which two requirements cannot both hold, and by how much."""
        for protecting in self.protecting:
            for demanding in self.demanding:
                at = self._least([demanding])
                if not self._test(protecting)(at):
                    return self._between(demanding, protecting, at)
        for protecting in self.protecting:
            if not self._test(protecting)(least):
                nearest = self._amount(protecting, self._worst(protecting, least))
                return (
                    f"{_capital(self._short(protecting))} contradicts what analysts need together: "
                    f"{nearest} is the nearest that can be met with it."
                )
        return "The requirements contradict each other."

    def _between(self, demanding, protecting, at) -> str:
        useful = self._useful(demanding)
        worst = self._amount(protecting, self._worst(protecting, at))
        allowed = self._allowed(protecting, list(self._whose(demanding)))
        there = self._amount(demanding, useful.at(allowed))
        return (
            f"{_capital(self._short(demanding))} needs at least {useful.least} % trust, "
            f"{self._short(protecting)} allows at most {allowed} %: they contradict each other by "
            f"{useful.least - allowed} points. The nearest that can be met is {worst} for the second, "
            f"or {there} for the first."
        )

    def _allowed(self, protecting, places) -> int:
        """The highest common trust of these recipients that a requirement allows, the others at 1 %."""
        test = self._test(protecting)
        low, high = 0, TOP
        while high - low > 1:
            middle = (low + high) // 2
            at = np.where(self.locked, self.places, 0)
            at[places] = np.where(self.locked[places], self.places[places], middle)
            low, high = (middle, high) if test(at) else (low, middle)
        return low + 1

    # What is found

    def _confirmed(self, found) -> tuple[np.ndarray, tuple[Check, ...]]:
        """What was found, measured on all rows; given up point by point where measurement does not confirm it."""
        least = self._least(self.demanding)
        for _ in range(RETRIES + 1):
            checks = tuple(self._check(requirement, found) for requirement in self.settings.requirements)
            if all(check.kept for check in checks):
                return found, checks
            lower = np.where(self.locked, found, np.maximum(found - 1, least))
            if np.array_equal(lower, found):
                break
            found = lower
        failed = next(check for check in checks if not check.kept)
        raise Infeasible(
            f"Measurement on all rows does not confirm what theory allows: {failed.text}. Loosen the limit a little."
        )

    def _check(self, requirement, found) -> Check:
        if requirement.protects:
            measured, tolerance = tallied(
                self.model, self.settings, requirement, self._pool(requirement, found), self.scheme
            )
        else:
            measured, tolerance = self._measured_use(requirement, found)
        at_least = requirement.what in ("error", "accuracy")
        limit = requirement.limit
        kept = measured >= limit - tolerance if at_least else measured <= limit + tolerance
        asked = f"{words.beyond(requirement)} {self._amount(requirement, limit)}"
        within = f" ± {self._amount(requirement, tolerance)}" if tolerance else ""
        text = f"{self._amount(requirement, measured)}{within} ({asked})"
        return Check(text, measured, tolerance, bool(kept))

    def _measured_use(self, requirement, found):
        """The least useful of the copies that must be useful: of equal law, the lowest trust is."""
        useful, who = self._useful(requirement), self._at(found)
        lowest = min((who[i] for i in self._whose(requirement)), key=lambda r: r.trust)
        copy = self.model.noise(self.settings.similarity).copy(lowest, self.scheme, 0, self.people.rows)
        measured, tolerance = useful.measured(copy)
        # A copy is one draw: once in twenty it lies beyond what is promised, and then by less than as much again.
        slack = requirement.limit if requirement.what in ("mean", "correlation") else 0.0
        return measured, tolerance + slack

    def _told(self, found, checks) -> str:
        who = self._at(found)
        free = [r for r, fixed in zip(who, self.locked, strict=True) if not fixed]
        if not free:
            text = "Everything holds as it is; nobody is free to be moved"
        elif len({r.trust for r in free}) == 1 and len(free) > 1:
            text = f"{'Everybody' if len(free) == len(who) else 'All others'} {free[0].trust} %"
        else:
            text = ", ".join(f"{r.name} {r.trust} %" for r in free)
        if checks:
            rows = count(self.people.rows)
            text += f". Measured on {rows} rows: {'; '.join(check.text for check in checks)}"
        return f"{text}."


def figure_without(model, settings: Settings, requirement: TrustRequirement) -> float:
    """The share of hits without any copy."""
    people = model.population
    attribute = people.index(requirement.attribute or settings.attribute)
    return model.constants.best(attribute, words.distance(requirement, settings), "absolute").rate


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
