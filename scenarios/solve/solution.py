"""What solving a target gives: for each scheme the settings that keep it, or why there are none."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from trustscope.scenarios.scenario import Scenario


@dataclass(frozen=True)
class Check:
    """One requirement, measured at what was found.

    Attributes
    ----------
    text : str
        What was measured, in words.
    measured : float
    tolerance : float
        What sampling may add: within it of the limit still counts as kept.
    kept : bool
    clear : bool
        Whether it is kept without any allowance for sampling.
    rows : int or None
        On how many rows it was measured, where that was not on all.
    """

    text: str
    measured: float
    tolerance: float
    kept: bool
    clear: bool = True
    rows: int | None = None


@dataclass(frozen=True)
class SolutionOption:
    """What one scheme allows.

    Attributes
    ----------
    key, title : str, str
        The scheme, and how it is called.
    text : str
        What was found, or what contradicts what, in plain words.
    changes : mapping of str to value
        The parts of the scenario that keep the target; empty where nothing does.
    checks : tuple of Check
    elsewhere : Scenario or None
        Instead of changes: a scenario of another page, where what was found stands.
    hint : bool
        Whether this is no answer by itself, but something that may help.
    """

    key: str
    title: str
    text: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    checks: tuple[Check, ...] = ()
    elsewhere: Scenario | None = None
    hint: bool = False

    @property
    def found(self) -> bool:
        """Whether there is something to apply."""
        return bool(self.changes) or self.elsewhere is not None


@dataclass(frozen=True)
class Solution:
    """The answers, one a scheme, for one scenario."""

    asked: Scenario
    answers: tuple[SolutionOption, ...]

    def answer(self, key: str) -> SolutionOption:
        """What this scheme allows."""
        return next(one for one in self.answers if one.key == key)

    def scenario(self, key: str) -> Scenario:
        """The scenario with what was found for this scheme."""
        answer = self.answer(key)
        if not answer.found:
            raise ValueError(f"There is nothing to apply: {answer.text}")
        return answer.elsewhere or self.asked.replace(answer.changes)
