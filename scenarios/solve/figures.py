"""What attackers on the Trust page get, as a function of one number: the level of their copies put together.

Nested or independent copies amount to one copy of some level, whoever holds them, so that every limit on an attacker
becomes a least level of that copy. Somebody who holds a better copy can always add noise to it: a figure at a level
counts as the worst at this level or any higher one, which makes it monotone.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from trustscope.engine import measures
from trustscope.engine.arrays import Floats
from trustscope.scenarios.solve.requirement import TrustRequirement
from trustscope.scenarios.trust.judge import Question
from trustscope.scenarios.trust.noise import OwnShape
from trustscope.scenarios.trust.scenario import BEST, LEVELS, RECONSTRUCTIONS, Settings
from trustscope.scenarios.value import not_none

if TYPE_CHECKING:
    from trustscope.scenarios.trust.model import Model

TRUSTS = np.append(np.arange(1, 98, 4), 99) / 100  # where figures, which are smooth, are looked at for the worst
TOLERANCE = 1e-7  # of the trust that a closed form allows
HALVINGS = 12  # where the figure must be measured: the trust is found to a four-thousandth
MEASURED, VALUES = 20_000, 500_000  # rows and values on which it is measured while it is looked for
UNIT_TRUST = 50  # the trust whose level is 1: its noise, scaled, is that of any level
ROUNDING = 1e-9


T = TypeVar("T", float, Floats)


def level_of(trust: T) -> T:
    """The level of a copy of this trust, a share between 0 and 1."""
    return (1 - trust) / trust


class AttackFigure:
    """The error, or the share of hits, that one requirement is about.

    Parameters
    ----------
    model : Model
        Of the Trust page.
    settings : Settings
    requirement : TrustRequirement
        One that protects, by an attacker whose copies amount to one (not "raw").
    """

    def __init__(self, model: Model, settings: Settings, requirement: TrustRequirement) -> None:
        self.model, self.requirement = model, requirement
        self.people, self.noise = model.population, model.noise(settings.similarity)
        self.attribute = self.people.index(requirement.attribute or settings.attribute)
        self.eps = settings.eps if requirement.distance is None else requirement.distance
        self.attacker, self.hits = requirement.attacker, requirement.what == "hits"
        self.sample = min(settings.sample, self.people.rows)
        self.informed, self._settings = settings.informed, settings
        self.measured = self.attacker in RECONSTRUCTIONS and not self._has_theory()

    def _has_theory(self) -> bool:
        """Whether a reconstructing attacker's error has a closed form that is exact: nothing must be estimated."""
        if self.hits or not (self.informed or self.attacker == "noise_distribution"):
            return False
        return self.noise.reconstruction_error_at(self.attacker, 1.0) is not None

    # The figure at one level

    def at(self, level: float) -> float:
        """The error or the share of hits on a copy of this level; nobody has to use a copy that does not help."""
        if self.attacker in BEST:
            found = float(self._judged(level))
        elif self.attacker in RECONSTRUCTIONS:
            found = self._reconstructed(level)
        else:
            found = float(self._hits(np.array([level]))[0]) if self.hits else self._error(level)
        return max(found, self.without) if self.hits else found

    @cached_property
    def without(self) -> float:
        """The share of hits without any copy."""
        return self.model.constants.best(self.attribute, not_none(self.eps), "absolute").rate

    def _judged(self, levels: ArrayLike) -> Floats:
        """Of the strongest attacker on copies of these levels, read off its curves."""
        judge = self.model.judge
        if self.hits:
            return not_none(judge.hits(self._question)).hits_at(levels, not_none(self.eps))
        errors = not_none(judge.errors(self._question)).errors_at(levels)
        return errors @ (self.people.weights * self.people.sd**2)

    @cached_property
    def _question(self) -> Question:
        return self.model.judge.question(self._settings, self.people.names[self.attribute], self.eps)

    def _error(self, level: float) -> float:
        errors = self.noise.errors_at(level)
        if self.attacker == "structured":
            errors = errors + self.noise.excess_at(level, self.sample)
        return float(errors @ self.people.weights)

    def _hits(self, levels: Floats) -> Floats:
        """Of each of these levels."""
        extra = np.zeros(len(levels))
        if self.attacker == "structured":
            extra = np.array([self.noise.excess_at(level, self.sample)[self.attribute] for level in levels])
        return self.noise.hits_at(levels, self.attribute, not_none(self.eps), extra)

    def _reconstructed(self, level: float) -> float:
        if not self.measured:
            return not_none(self.noise.reconstruction_error_at(self.attacker, level))
        x, noise = self._rows
        estimate = self.noise.reconstruct_at(self.attacker, level, x + np.sqrt(level) * noise, self.informed)
        if self.hits:
            a = self.attribute
            return measures.breach_rate(x[:, [a]], estimate[:, [a]], not_none(self.eps), "absolute")
        return float(((estimate - x) ** 2).mean(axis=0) @ self.people.weights)

    @cached_property
    def _rows(self) -> tuple[Floats, Floats]:
        """Records and the noise of level 1 on them."""
        rows = min(MEASURED, max(1, VALUES // self.people.columns), self.people.rows)
        x = self.people.values[:rows]
        return x, self.noise.path.copy(LEVELS[UNIT_TRUST], 0, rows) - x

    # The requirement

    def keeps(self, figure: float) -> bool:
        """Whether a figure is within the limit."""
        limit = self.requirement.limit
        return figure <= limit + ROUNDING if self.hits else figure >= limit - ROUNDING

    @cached_property
    def _scan(self) -> np.ndarray:
        """The figure at every fourth per cent of trust, 1 to 99."""
        levels = level_of(TRUSTS)
        if self.attacker in RECONSTRUCTIONS or (not self.hits and self.attacker not in BEST):
            return np.array([self.at(level) for level in levels])
        found = self._judged(levels) if self.attacker in BEST else self._hits(levels)
        return np.maximum(found, self.without) if self.hits else found

    def worst(self, level: float) -> float:
        """The figure at this level, or at a higher one where that is worse."""
        here = self.at(level)
        if self.measured:
            return here
        higher = self._scan[1 / (1 + level) >= TRUSTS]
        return float(max(here, higher.max(initial=here)) if self.hits else min(here, higher.min(initial=here)))

    @cached_property
    def highest(self) -> float:
        """The largest trust, as a share, at which the requirement holds, and at all lower ones; 0 where 1 % is too
        much, 1 where the original may be given."""
        if not self.keeps(self.at(level_of(TRUSTS[0]))):
            return 0.0
        if self.attacker == "perfect" and not self.hits and isinstance(self.noise, OwnShape):
            return min(1 - self.requirement.limit, 1.0)  # the error is 1 less the trust
        return self._bisected() if self.measured else self._root()

    def _root(self) -> float:
        """The first trust at which the limit is crossed: between two of those looked at, then by Brent's method."""
        from scipy.optimize import brentq  # most of what is shown has no limit to meet

        kept = np.array([self.keeps(figure) for figure in self._scan])
        if kept.all():
            if self.keeps(self.at(0.0)):
                return 1.0
            low, high = TRUSTS[-1], 1.0
        else:
            first = int(np.argmin(kept))
            low, high = TRUSTS[first - 1], TRUSTS[first]

        def margin(trust: float) -> float:
            found = self.at(level_of(trust)) - self.requirement.limit
            return found if self.hits else -found

        if margin(low) >= 0:  # kept by rounding alone: this very trust is the limit
            return float(low)
        root = float(brentq(margin, low, high, xtol=TOLERANCE))
        whole = round(root, 2)  # a limit that a whole per cent just keeps must not be lost to the tolerance
        if abs(whole - root) <= 2 * TOLERANCE and self.keeps(self.at(level_of(whole))):
            return whole
        return max(float(low), root - TOLERANCE)

    def _bisected(self) -> float:
        low, high = float(TRUSTS[0]), 1.0
        if self.keeps(self.at(level_of(TRUSTS[-1]))):
            return float(TRUSTS[-1])
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if self.keeps(self.at(level_of(middle))) else (low, middle)
        return low
