"""Solving a target on the Categories page: the highest retention probabilities, to a tenth of a per cent.

The two guarantees limit gamma, how many times the odds of a belief can grow: of nested copies it is the best one's, of
independent ones the product, so that its logarithm is a budget (`joint`). The share of right best guesses is exact
where what copies can say is listed, and drawn with a stated error where there is too much to list.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from trustscope.engine import measures
from trustscope.engine.arrays import Bools, Floats, Integers
from trustscope.engine.attacks import agreement, posterior
from trustscope.engine.attacks.optimal.beforehand import Beforehand
from trustscope.engine.utility import frequencies
from trustscope.scenarios.categories.promise import ROUNDING, raised
from trustscope.scenarios.categories.scenario import SCHEMES, CategoriesScenario, Settings, retentions
from trustscope.scenarios.categories.side import attacker_in_words
from trustscope.scenarios.coalition import Recipient, most_trusted
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.solve.handles import Handle, handle_of
from trustscope.scenarios.solve.joint import Budget, Holds
from trustscope.scenarios.solve.requirement import CategoriesRequirement
from trustscope.scenarios.solve.scheme import SchemeSolver, give_or_take
from trustscope.scenarios.solve.solution import Check, Solution
from trustscope.scenarios.solve.standing import Standing

if TYPE_CHECKING:
    from trustscope.scenarios.categories.model import Model

TITLES = {"nested": "Nested copies", "independent": "Independent copies"}
GRID = np.append(np.arange(10, 1000) / 10, 100.0)  # per cent
RULE = (
    "Trusts are moved together, so that what each copy adds to the odds keeps its proportion to the others; then each "
    "one is raised, a tenth in turn, until one more would break something."
)
CELLS = 4_000_000  # beliefs that are held at once while they are measured


def gamma_limit(requirement: CategoriesRequirement) -> float:
    """The largest gamma that keeps a guarantee."""
    limit = requirement.limit / 100
    if limit >= 1:
        return np.inf
    if requirement.what == "delta":
        return ((1 + limit) / (1 - limit)) ** 2
    before = requirement.before / 100
    return float(measures.rho_amplification(before, limit)) if limit > before else 1.0


def share_error(p: float, shares: np.ndarray, rows: int) -> float:
    """The largest standard error of any value's share as estimated from a copy: f^ = (o - q) / p, see
    `engine.utility.frequencies`."""
    other = (1 - p) / len(shares)
    own = p + other
    variance = (shares * own * (1 - own) + (1 - shares) * other * (1 - other)) / rows
    return float(np.sqrt(variance.max()) / p)


def solve(
    model: Model, scenario: CategoriesScenario, check: bool = True, schemes: tuple[str, ...] = SCHEMES
) -> Solution:
    """The highest retention probabilities that keep the scenario's requirements, for each scheme.

    Parameters
    ----------
    model : Model
        Of the Categories page, with the scenario fitted to it.
    scenario : CategoriesScenario
    check : bool
        Whether to measure on all rows what was found.
    schemes : tuple of str
        Which to answer for.
    """
    return Solution(scenario, tuple(Scheme(model, scenario.settings, scheme).answer(check) for scheme in schemes))


@dataclass(frozen=True)
class Right:
    """The share of right best guesses, and what drawing may add to it."""

    value: float
    error: float


class Scheme(SchemeSolver[CategoriesRequirement]):
    """A target of the Categories page under one scheme."""

    model: Model
    settings: Settings
    grid = GRID

    def __init__(self, model: Model, settings: Settings, scheme: str) -> None:
        super().__init__(model, settings, scheme, TITLES[scheme])
        with np.errstate(divide="ignore"):
            self._weights: Floats = np.log1p(model.size * GRID / (100 - GRID))
        self._rights = Memo(2048)

    @property
    def weights(self) -> Floats:
        return self._weights

    # Limits on attackers

    def test(self, requirement: CategoriesRequirement) -> Holds:
        every = tuple(range(len(self.who)))
        if requirement.what == "right":
            return lambda at: self.right(at).value <= requirement.limit / 100 + ROUNDING
        cap = float(np.log(gamma_limit(requirement)))
        return Budget(every, len(every), cap, self._weights, self.scheme == "nested")

    def gamma(self, at: Integers) -> float:
        """How many times the odds can grow for everybody together."""
        each = self._weights[at]
        return float(np.exp(each.max() if self.scheme == "nested" else each.sum()))

    def right(self, at: Integers) -> Right:
        """How often everybody together guesses right: they are the worst coalition."""
        ps = tuple(sorted((GRID[at] / 100).tolist(), reverse=True))
        ps = ps[:1] if self.scheme == "nested" else ps

        def found() -> Right:
            one = self.model.growing(ps, self.scheme, self.settings)[-1]
            without = self.model.without(self.settings).right
            return Right(max(one.right, without), one.right_error)

        return self._rights(ps, found)

    def worst(self, requirement: CategoriesRequirement, at: Integers) -> float:
        if requirement.what == "right":
            return 100 * self.right(at).value
        gamma = self.gamma(at)
        if requirement.what == "rho":
            return 100 * float(raised(requirement.before / 100, gamma))
        return 100.0 if np.isinf(gamma) else 100 * (np.sqrt(gamma) - 1) / (np.sqrt(gamma) + 1)

    # Demands of analysts

    def use(self, requirement: CategoriesRequirement, place: int) -> float:
        return 100 * share_error(GRID[place] / 100, self.model.shares, self.model.rows)

    def needed(self, requirement: CategoriesRequirement) -> int | None:
        if self.use(requirement, self.top) > requirement.limit * (1 + ROUNDING):
            return None
        low, high = -1, self.top
        while high - low > 1:
            middle = (low + high) // 2
            fine = self.use(requirement, middle) <= requirement.limit * (1 + ROUNDING)
            low, high = (low, middle) if fine else (middle, high)
        return high

    def at(self, places: Integers) -> tuple[Recipient, ...]:
        found = super().at(places)
        return tuple(r.replace({"trust": int(r.trust)}) if r.trust == int(r.trust) else r for r in found)

    # Words

    def short(self, requirement: CategoriesRequirement) -> str:
        return short(requirement)

    def amount(self, requirement: CategoriesRequirement, value: float) -> str:
        return amount(requirement, value)

    def impossible(self, requirement: CategoriesRequirement) -> str:
        if requirement.what == "rho" and requirement.limit <= requirement.before:
            return (
                f"A belief of {per_cent(requirement.before)} cannot be promised to stay below "
                f"{per_cent(requirement.limit)}: any copy raises it. Ask for more than {per_cent(requirement.before)}."
            )
        without = 100 * self.model.without(self.settings).right
        if requirement.what == "right" and requirement.limit < without - ROUNDING:
            if self.model.side(self.settings) is not None:
                return (
                    f"Somebody who {attacker_in_words(self.settings)} guesses right in {per_cent(without)} of cases "
                    f"without any copy, so that {per_cent(requirement.limit)} cannot be had: {per_cent(without)} is "
                    "the nearest that can be met. Leave out or coarsen the columns that tell it."
                )
            return (
                f"Naming the most frequent value is right in {per_cent(without)} of cases without any copy, so that "
                f"{per_cent(requirement.limit)} cannot be had: {per_cent(without)} is the nearest that can be met."
            )
        return ""

    # Measuring

    def check(self, requirement: CategoriesRequirement, at: Integers) -> Check:
        who = self.at(at)
        if requirement.what == "rho" and not (self._beforehand() <= requirement.before / 100).any():
            return Check(f"no value is believed less than {per_cent(requirement.before)} beforehand", 0.0, 0.0, True)
        if requirement.what == "shares":
            measured, tolerance = self._estimated(who)
        elif requirement.what == "right":
            measured, tolerance = self._guessed(who)
        else:
            measured, tolerance = self._believed(requirement, who), 0.0
        kept = measured <= requirement.limit + tolerance + ROUNDING
        within = give_or_take(per_cent(tolerance)) if tolerance else ""
        said = {"rho": "largest belief ", "delta": "largest growth ", "right": "right guesses ", "shares": "off by "}
        text = f"{said[requirement.what]}{per_cent(measured)}{within} (at most {per_cent(requirement.limit)})"
        return Check(text, measured, tolerance, bool(kept))

    def _guessed(self, who: tuple[Recipient, ...]) -> tuple[float, float]:
        """The share of right guesses of everybody together; four standard errors, and what was drawn."""
        model, prior = self.model, self.model.prior(self.settings)
        order = sorted(who, key=lambda r: -r.trust)[: 1 if self.scheme == "nested" else None]
        copies = [model.copy(r, self.scheme, first=most_trusted(who)) for r in order]
        side = model.side(self.settings)
        if side is None:
            guess = agreement.best_values(copies, retentions(order), model.size, scheme=self.scheme, prior=prior)
            right = guess == model.codes
        else:
            right, _ = side.measured(side.people, [copy[side.people] for copy in copies], retentions(order))
        rate = max(float(np.mean(right)), model.without(self.settings).right)
        drawn = self.right(np.array([int(np.argmin(np.abs(GRID - r.trust))) for r in who])).error
        return 100 * rate, 100 * (4 * float(np.sqrt(rate * (1 - rate) / len(right))) + 4 * drawn)

    def _beforehand(self) -> Floats:
        """What is believed of every value without any copy, of everybody alike or of each person."""
        side = self.model.side(self.settings)
        if side is not None:
            return side.beliefs
        prior = self.model.prior(self.settings)
        return posterior.uniform_prior(self.model.size) if prior is None else prior

    def _believed(self, requirement: CategoriesRequirement, who: tuple[Recipient, ...]) -> float:
        """The most that any value came to be believed from below, or that a belief grew, over all rows."""
        model = self.model
        side = model.side(self.settings)
        if side is not None:
            return self._believed_of_people(requirement, who, side)
        prior = self._beforehand()
        order = sorted(who, key=lambda r: -r.trust)[: 1 if self.scheme == "nested" else None]
        low = prior <= requirement.before / 100
        worst, step = 0.0, max(1, CELLS // model.size)
        for start in range(0, model.rows, step):
            stop = min(start + step, model.rows)
            copies = [model.copy(r, self.scheme, start, stop, first=most_trusted(who)) for r in order]
            belief = posterior.posterior(copies, retentions(order), model.size, scheme=self.scheme, prior=prior)
            found = belief[:, low].max() if requirement.what == "rho" else (belief - prior).max()
            worst = max(worst, float(found))
        return 100 * worst

    def _believed_of_people(
        self, requirement: CategoriesRequirement, who: tuple[Recipient, ...], side: Beforehand
    ) -> float:
        """The same where something else is believed of each person beforehand."""
        model, before = self.model, side.beliefs
        order = sorted(who, key=lambda r: -r.trust)[: 1 if self.scheme == "nested" else None]
        weight, every = before.copy(), np.arange(len(before))
        for r, p in zip(order, retentions(order), strict=True):
            copy = model.copy(r, self.scheme, first=most_trusted(who))[side.people]
            if p == 1:
                weight = np.zeros_like(before)
            weight[every, copy] = 1.0 if p == 1 else weight[every, copy] * (1 + model.size * p / (1 - p))
        belief = weight / weight.sum(axis=1, keepdims=True)
        if requirement.what == "delta":
            return 100 * float((belief - before).max())
        return 100 * float(np.where(before <= requirement.before / 100, belief, 0.0).max())

    def _estimated(self, who: tuple[Recipient, ...]) -> tuple[float, float]:
        """The largest error of a share from the least trusted copy; four standard errors."""
        model, lowest = self.model, min(who, key=lambda r: r.trust)
        copy = model.copy(lowest, self.scheme, first=most_trusted(who))
        table = frequencies(copy, model.size, lowest.trust / 100)
        off = np.abs(table["estimate"].to_numpy() - model.shares).max()
        error = share_error(lowest.trust / 100, model.shares, model.rows)
        return 100 * float(off), 400 * error


def short(requirement: CategoriesRequirement) -> str:
    """A requirement as a noun."""
    limit = per_cent(requirement.limit)
    match requirement.what:
        case "rho":
            return f"the promise that a belief of less than {per_cent(requirement.before)} never passes {limit}"
        case "delta":
            return f"the promise that no belief grows by more than {limit}"
        case "right":
            return f"a best guess of any coalition that is right in at most {limit} of cases"
        case _:
            return f"the share of any value to within a standard error of {limit}"


def amount(requirement: CategoriesRequirement, value: float) -> str:
    """A figure of the kind that a requirement limits."""
    return per_cent(value)


def per_cent(value: float) -> str:
    """To a tenth, finer below one per cent."""
    digits = 1 if value >= 1 or value == 0 else 3
    text = f"{value:.{digits}f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) + " %"


# Risk at the handle


def handles(model: Model, settings: Settings) -> dict[int, Handle]:
    """What each position of each slider would mean, by the recipients' numbers, to a tenth of a per cent."""
    if not settings.requirements:
        return {}
    solver = Scheme(model, settings, settings.scheme)
    kept = np.ones((len(settings.recipients), len(GRID)), dtype=bool)
    for requirement in settings.requirements:
        kept &= _kept(solver, requirement)
    now = min((_standing(solver, requirement) for requirement in settings.requirements), key=lambda one: one.kept)
    return {
        r.number: handle_of(GRID, kept[place], int(solver.places[place]), now)
        for place, r in enumerate(settings.recipients)
    }


def slow(settings: Settings) -> bool:
    """Whether the positions of the sliders take too long to judge for following a drag: what independent copies can
    say must be listed or drawn anew for each that is tried."""
    return settings.scheme == "independent" and any(one.what == "right" for one in settings.requirements)


def standings(model: Model, settings: Settings) -> list[Standing]:
    """How the requirements stand."""
    solver = Scheme(model, settings, settings.scheme)
    return [_standing(solver, requirement) for requirement in settings.requirements]


def _standing(solver: Scheme, requirement: CategoriesRequirement) -> Standing:
    if requirement.protects:
        kept, value = solver.test(requirement)(solver.places), solver.worst(requirement, solver.places)
    else:
        value = solver.use(requirement, int(solver.places.min()))
        kept = value <= requirement.limit * (1 + ROUNDING)
    return Standing(short(requirement), float(value), requirement.limit, bool(kept), amount(requirement, value))


def _kept(solver: Scheme, requirement: CategoriesRequirement) -> Bools:
    """Whether a requirement is kept with each recipient at each position, shape (M, positions)."""
    kept: Bools
    at, many = solver.places, len(solver.places)
    if requirement.what == "shares":
        needed = solver.needed(requirement)
        fine = np.arange(len(GRID)) >= (len(GRID) if needed is None else needed)
        rest = np.array([np.delete(fine[at], i).all() for i in range(many)])
        return rest[:, None] & fine
    if requirement.what == "right":
        return np.array([_below(solver.test(requirement), at, i) for i in range(many)])
    each = solver.weights[at]
    cap = np.log(gamma_limit(requirement)) * (1 + ROUNDING)
    if solver.scheme == "nested":
        rest = np.array([np.delete(each, i).max(initial=0.0) for i in range(many)])
        kept = np.maximum(rest[:, None], solver.weights) <= cap
        return kept
    rest = np.array([np.delete(each, i).sum() for i in range(many)])
    kept = rest[:, None] + solver.weights <= cap
    return kept


def _below(test: Holds, at: Integers, place: int) -> Bools:
    """Positions of one slider at which something holds that lower trust never breaks, by bisection."""
    low, high = -1, len(GRID)
    while high - low > 1:
        middle = (low + high) // 2
        tried = at.copy()
        tried[place] = middle
        low, high = (middle, high) if test(tried) else (low, middle)
    return np.arange(len(GRID)) <= low
