"""Solving a target on the Survey page: the most directions that may be followed.

There are few numbers of directions to choose from, so that each is tried: the survey is held with it, on the people
and with the draws of the page, and what it gives away and how well its classifier does are measured.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trustscope.scenarios.solve.requirement import SurveyRequirement
from trustscope.scenarios.solve.solution import Check, Solution, SolutionOption
from trustscope.scenarios.solve.standing import Standing
from trustscope.scenarios.survey.frame import Frame
from trustscope.scenarios.survey.run import SurveyRun
from trustscope.scenarios.survey.scenario import FIRST, LEVELS, Settings, SurveyScenario
from trustscope.scenarios.survey.short import MOST
from trustscope.scenarios.words import count, counted

if TYPE_CHECKING:
    from trustscope.scenarios.survey.model import Model

WAYS = {"most": "Nobody follows more", "all": "Everybody follows as many"}
RULE = "Every number of directions is tried on the same people; the highest one that keeps everything is the answer."


@dataclass(frozen=True)
class Outcome:
    """A survey in which so many directions are followed.

    Attributes
    ----------
    level : int or None
        None: all that are asked for.
    disclosure, disclosure_error : float
        The most that a kind of respondent gives away, in per cent, and its standard error.
    accuracy, accuracy_half : float
        Of the classifier, in per cent, and half the width of its interval.
    """

    level: int | None
    disclosure: float
    disclosure_error: float
    accuracy: float
    accuracy_half: float

    def keeps(self, requirement: SurveyRequirement) -> bool:
        """Whether a requirement holds."""
        if requirement.what == "disclosure":
            return self.disclosure <= requirement.limit + 1e-9
        return self.accuracy >= requirement.limit - 1e-9


def levels_of(model: Model) -> tuple[int | None, ...]:
    """Numbers of directions to choose from, the lowest first; no more than there can be."""
    most = model.people.encoding.dimension
    return tuple(level for level in LEVELS if level is None or level < most)


def with_level(settings: Settings, level: int | None, way: str) -> Settings:
    """The settings where nobody follows more than so many, or everybody follows as many."""

    def followed(own: int | None) -> int | None:
        if way == "all" or own is None:
            return level
        return own if level is None else min(own, level)

    parts = tuple(part.replace({"level": followed(part.level)}) for part in settings.parts)
    return settings.replace({"parts": parts})


def goal_of(scenario: SurveyScenario) -> int:
    """How many people a target is solved with: as many as have answered, some, and not too many."""
    return min(max(scenario.view.arrived, FIRST), MOST)


def outcome(model: Model, scenario: SurveyScenario, level: int | None, way: str) -> Outcome:
    """Hold the survey with so many directions."""
    goal = goal_of(scenario)
    settings = with_level(scenario.settings, level, way).replace({"requirements": (), "rival": False})

    def held() -> Outcome:
        run = SurveyRun(model.people, settings, scenario.seed)
        while run.approach(goal) < goal:
            pass
        return outcome_of(run.advance(0), level)

    return model.outcomes((settings, scenario.seed, goal, level), held)


def outcome_of(frame: Frame, level: int | None = None) -> Outcome:
    """Where a survey stands."""
    asked = [f for part, f in zip(frame.settings.parts, frame.kinds, strict=True) if part.weight]
    worst = max(asked, key=lambda figures: figures.share)
    return Outcome(level, 100 * worst.share, 100 * worst.error, 100 * frame.accuracy, 100 * frame.half)


def standings(frame: Frame, requirements: tuple[SurveyRequirement, ...]) -> list[Standing]:
    """How requirements stand with those who have answered."""
    now, found = outcome_of(frame), []
    for one in requirements:
        value = now.disclosure if one.what == "disclosure" else now.accuracy
        found.append(Standing(short(one), value, one.limit, now.keeps(one), f"{value:.1f} %"))
    return found


def solve(model: Model, scenario: SurveyScenario) -> Solution:
    """The most directions that keep the scenario's requirements, in two ways of setting them.

    Parameters
    ----------
    model : Model
        Of the Survey page, with the scenario fitted to it.
    scenario : SurveyScenario
    """
    return Solution(scenario, tuple(_answer(model, scenario, way) for way in WAYS))


def _answer(model: Model, scenario: SurveyScenario, way: str) -> SolutionOption:
    required = scenario.settings.requirements
    if not required:
        return SolutionOption(way, WAYS[way], "There is no requirement yet: add one.")
    tried = [outcome(model, scenario, level, way) for level in levels_of(model)]
    fine = [one for one in tried if all(one.keeps(requirement) for requirement in required)]
    if not fine:
        return SolutionOption(way, WAYS[way], _contradiction(required, tried))
    best = fine[-1]
    goal = goal_of(scenario)
    parts = with_level(scenario.settings, best.level, way).parts
    # Whoever follows less anyway goes on doing so: the highest number that is tried may say nothing of anybody.
    said = "Nobody has to follow less" if way == "most" and parts == scenario.settings.parts else directions(best.level)
    text = f"{said}. Measured with {count(goal)} people: {_figures(best)}."
    return SolutionOption(way, WAYS[way], text, {"settings.parts": parts}, tuple(_check(r, best) for r in required))


def _check(requirement: SurveyRequirement, best: Outcome) -> Check:
    if requirement.what == "disclosure":
        return Check(f"{best.disclosure:.1f} %", best.disclosure, 2 * best.disclosure_error, True)
    return Check(f"{best.accuracy:.1f} %", best.accuracy, best.accuracy_half, True)


def directions(level: int | None) -> str:
    """A number of directions in words."""
    if level is None:
        return "Anything that is asked for"
    return f"At most {counted(level, 'direction')}" if level else "No direction"


def _figures(one: Outcome) -> str:
    return (
        f"at most {one.disclosure:.1f} % ± {2 * one.disclosure_error:.1f} % are given away, "
        f"accuracy {one.accuracy:.1f} % ± {one.accuracy_half:.1f} %"
    )


def short(requirement: SurveyRequirement) -> str:
    """A requirement as a noun."""
    if requirement.what == "disclosure":
        return f"a disclosure of at most {requirement.limit:g} %"
    return f"an accuracy of at least {requirement.limit:g} %"


def _contradiction(required: tuple[SurveyRequirement, ...], tried: list[Outcome]) -> str:
    """Which requirements cannot hold together, and what is nearest."""
    for requirement in required:
        if not any(one.keeps(requirement) for one in tried):
            nearest = _nearest(requirement, tried)
            return f"No number of directions gives {short(requirement)}: {nearest} is the nearest that can be met."
    kinds = {what: [r for r in required if r.what == what] for what in ("disclosure", "accuracy")}
    low, high = min(kinds["disclosure"], key=lambda r: r.limit), max(kinds["accuracy"], key=lambda r: r.limit)
    private = [one for one in tried if one.keeps(low)]
    useful = [one for one in tried if one.keeps(high)]
    most, least = private[-1], useful[0]
    return (
        f"{short(low).capitalize()} allows {directions(most.level).lower()}, {short(high)} needs "
        f"{'all' if least.level is None else least.level}: they contradict each other. The nearest that can be met is "
        f"{_nearest(high, private)} for the second, or {_nearest(low, useful)} for the first."
    )


def _nearest(requirement: SurveyRequirement, tried: list[Outcome]) -> str:
    if requirement.what == "disclosure":
        return f"{min(one.disclosure for one in tried):.1f} %"
    return f"{max(one.accuracy for one in tried):.1f} %"
