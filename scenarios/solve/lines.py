"""Where the limit of a requirement lies in a trade-off or on a map: only where what is drawn is what it speaks of."""

from collections.abc import Collection, Iterable

from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.frontier import Limit
from trustscope.scenarios.rotation.scenario import RotationScenario
from trustscope.scenarios.solve import categories, rotation, survey, words
from trustscope.scenarios.solve.requirement import TrustRequirement
from trustscope.scenarios.survey.scenario import SurveyScenario
from trustscope.scenarios.trust.population import Population
from trustscope.scenarios.trust.scenario import TrustScenario


def _strictest(found: Iterable[Limit], largest: bool = False) -> Limit | None:
    """The limit that is met first; what no figure can reach has no line."""
    there = [one for one in found if 0 <= one.value <= 1]
    return (max if largest else min)(there, key=lambda one: one.value, default=None)


# Trust


def _spoken(scenario: TrustScenario) -> dict[str, tuple[str, str]]:
    """What each figure of a map is about, and by whom."""
    by = "strongest" if "strongest" in scenario.settings.attackers else "perfect"
    return {"explained": ("error", by), "learnt": ("error", "structured"), "hits": ("hits", by)}


def on_trust_map(population: Population, scenario: TrustScenario, figure: str, axes: Iterable[str]) -> Limit | None:
    """The most that the mapped coalition may explain or guess.

    Parameters
    ----------
    population : Population
    scenario : TrustScenario
    figure : str
        That is mapped.
    axes : iterable of str
        The two parameters: what they change, a requirement must not hold still.
    """
    moving = set(axes)
    found = []
    for one in scenario.settings.requirements:
        if (one.what, one.attacker) != _spoken(scenario).get(figure) or not _of_the_coalition(one, scenario, moving):
            continue
        if one.what == "hits" and not _same_guess(one, scenario, "eps" in moving):
            continue
        value = one.limit if one.what == "hits" else 1 - one.limit
        found.append(Limit(value, words.short(one, scenario.settings, population)))
    return _strictest(found)


def _of_the_coalition(
    requirement: TrustRequirement, scenario: TrustScenario, moving: Collection[str] = frozenset()
) -> bool:
    """Whether it is about those who pool: about any coalition, or about this one."""
    pool = scenario.settings.coalition
    if requirement.coalition == "size":
        return "recipients" not in moving and len(pool) <= requirement.size
    if requirement.coalition == "named":
        return "recipients" not in moving and {r.number for r in pool} == set(requirement.members)
    return True


def _same_guess(requirement: TrustRequirement, scenario: TrustScenario, eps_moves: bool = False) -> bool:
    """Whether a hit is the same as on the page."""
    settings = scenario.settings
    near = requirement.distance is None or (requirement.distance == settings.eps and not eps_moves)
    return settings.kind == "absolute" and near and requirement.attribute in ("", settings.attribute)


def on_trust_frontier(population: Population, scenario: TrustScenario, private: str) -> Limit | None:
    """The least privacy of the coalition, by the attacker who judges the page."""
    found, by = [], _spoken(scenario)["hits"][1]
    for one in scenario.settings.requirements:
        if one.what != private or one.attacker != by or not _of_the_coalition(one, scenario):
            continue
        if one.what == "error" or _same_guess(one, scenario):
            value = one.limit if one.what == "error" else 1 - one.limit
            found.append(Limit(value, words.short(one, scenario.settings, population)))
    return _strictest(found, largest=True)


# Categories


def on_categories_map(scenario: CategoriesScenario, axes: Iterable[str]) -> Limit | None:
    """The most that may be guessed or believed; of a belief, where it starts as the requirement says."""
    spoken = {"right": "right", "raised": "rho", "grown": "delta"}.get(scenario.view.map.figure)
    starts = None if "rho1" in set(axes) else scenario.settings.promise.rho1
    return _strictest(
        Limit(one.limit / 100, categories.short(one))
        for one in scenario.settings.requirements
        if one.what == spoken and (spoken != "rho" or one.before == starts)
    )


def on_categories_frontier(scenario: CategoriesScenario) -> Limit | None:
    """The least privacy."""
    spoken = {"right": "right", "growth": "delta"}.get(scenario.view.tradeoff.private)
    return _strictest(
        (Limit(1 - one.limit / 100, categories.short(one)) for one in scenario.settings.requirements
         if one.what == spoken), largest=True,
    )  # fmt: skip


# Survey


def _one_kind(scenario: SurveyScenario) -> bool:
    """Where all respondents are of one kind, what that kind gives away is the average."""
    return sum(part.weight > 0 for part in scenario.settings.parts) == 1


def on_survey_map(scenario: SurveyScenario) -> Limit | None:
    """The least accuracy, or the most that may be given away."""
    figure = scenario.view.map.figure
    spoken = {"accuracy": "accuracy", "disclosed": "disclosure" if _one_kind(scenario) else None}.get(figure)
    return _strictest(
        (Limit(one.limit / 100, survey.short(one)) for one in scenario.settings.requirements if one.what == spoken),
        largest=figure == "accuracy",
    )


def on_survey_frontier(scenario: SurveyScenario) -> Limit | None:
    """The least that respondents keep to themselves."""
    if scenario.view.tradeoff.private != "disclosure" or not _one_kind(scenario):
        return None
    return _strictest(
        (Limit(1 - one.limit / 100, survey.short(one)) for one in scenario.settings.requirements
         if one.what == "disclosure"), largest=True,
    )  # fmt: skip


# Rotation


def on_rotation_map(scenario: RotationScenario, figure: str) -> Limit | None:
    """The most that the attacker of the story may recover."""
    return _strictest(
        Limit(one.limit / 100, rotation.short(one))
        for one in scenario.settings.requirements
        if figure == "recovered" and one.what == scenario.view.story
    )
