"""What can be moved on an explorable of the Categories page."""

from collections.abc import Iterator
from typing import Any

from trustscope.handouts.explorable.lever import Lever
from trustscope.handouts.explorable.levers import common
from trustscope.scenarios.categories.scenario import PRIORS, CategoriesScenario
from trustscope.scenarios.categories.words import SCHEME_WORDS

ASKED = "What do people learn who put perturbed copies of one column together?"


def levers(scenario: CategoriesScenario, model: Any) -> Iterator[Lever]:
    """All of them, for a scenario that fits the data."""
    settings = scenario.settings
    yield common.together(scenario)
    yield from common.one_after_the_other(scenario)
    yield common.schemes(scenario, SCHEME_WORDS)
    yield from common.trusts(scenario)
    yield common.one_of("prior", "Beforehand the attacker knows", ("settings", "prior"), PRIORS, settings.prior)
    if settings.prior != "nothing" and settings.knowledge == "sample":
        yield common.people_known(scenario, model.rows)
