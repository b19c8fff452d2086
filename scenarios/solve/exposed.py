"""What single people risk on the Trust page, as a function of the level of the copies put together.

Risks of people are measured, draw by draw, so that the highest trust is found by halving: seven levels in all.
"""

from functools import cached_property

import numpy as np

from trustscope.engine.attacks.optimal.people import FRESH, PROBES, most_exposed
from trustscope.scenarios.solve.requirement import TrustRequirement
from trustscope.scenarios.trust.judge import ModelWithJudge
from trustscope.scenarios.trust.result import STANDARD_ERRORS
from trustscope.scenarios.trust.scenario import Settings
from trustscope.scenarios.value import not_none

TRUSTS = np.arange(1, 100) / 100
ROUNDING = 1e-9


class PeopleFigure:
    """The risk of the most exposed, or how well people are found again.

    Parameters
    ----------
    model : Model
        Of the Trust page.
    settings : Settings
    requirement : TrustRequirement
        About people ("worst", "hundredth", "found" or "crowd").
    """

    def __init__(self, model: ModelWithJudge, settings: Settings, requirement: TrustRequirement) -> None:
        people = model.population
        self.judge, self.requirement, self.rows = model.judge, requirement, people.rows
        self.eps = settings.eps if requirement.distance is None else requirement.distance
        name = people.names[people.index(requirement.attribute or settings.attribute)]
        self.question = model.judge.question(settings, name, self.eps)

    def at(self, level: float, afresh: bool = False) -> float:
        """The figure on a copy of this level; `afresh`: on noise that was not looked at before."""
        if level == 0:
            return 1.0
        if self.requirement.what in ("worst", "hundredth"):
            seen = self.judge.exposed(self.question, level, not_none(self.eps), afresh)
            return seen.against(self.requirement.limit, self.requirement.what)
        found = self.judge.found_again(self.question, level, afresh)
        return found.lonely if self.requirement.what == "crowd" else found.share

    def worst(self, level: float) -> float:
        """The same: more noise never helps."""
        return self.at(level)

    def tolerance(self, figure: float, level: float) -> float:
        """What chance may add to a figure."""
        if level == 0:
            return 0.0
        if self.requirement.what == "crowd":
            return 0.1 * figure  # of a quantile of some two thousand people
        if self.requirement.what == "found":
            return STANDARD_ERRORS * self.judge.found_again(self.question, level, True).share_error + 0.002
        return STANDARD_ERRORS * float(np.sqrt(max(figure * (1 - figure), 0.01) / self._copies(level)))

    def _copies(self, level: float) -> int:
        """On how many copies a risk of the most exposed was measured."""
        seen = self.judge.exposed(self.question, level, not_none(self.eps), True)
        if seen.against(self.requirement.limit, self.requirement.what) == seen.shared:
            return int(seen.common.sum())  # several of each one, who may be much like another
        hundredth = self.requirement.what == "hundredth"
        return FRESH * (len(most_exposed(seen.risks, seen.weights, seen.common)) if hundredth else 1)

    def people(self, level: float) -> int:
        """On how many people a figure is measured afresh."""
        if level == 0:
            return self.rows
        if self.requirement.what in ("worst", "hundredth"):
            return len(self.judge.exposed(self.question, level, not_none(self.eps), True).people)
        return min(PROBES, self.rows)

    def keeps(self, figure: float) -> bool:
        """Whether a figure is within the limit."""
        limit = self.requirement.limit
        return figure >= limit - ROUNDING if self.requirement.at_least else figure <= limit + ROUNDING

    @cached_property
    def highest(self) -> float:
        """The largest trust, as a share, at which the requirement holds; 0 where 1 % is too much, 1 where the original
        may be given."""
        if self.keeps(1.0):
            return 1.0
        if not self._holds(0):
            return 0.0
        low, high = 0, len(TRUSTS)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._holds(middle) else (low, middle)
        return float(TRUSTS[low])

    def _holds(self, place: int) -> bool:
        return self.keeps(self.at((1 - TRUSTS[place]) / TRUSTS[place]))
