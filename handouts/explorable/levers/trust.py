"""What can be moved on an explorable of the Trust page."""

from collections.abc import Iterator
from typing import Any

from trustscope.handouts.explorable.lever import Lever, Position, pills, slider
from trustscope.handouts.explorable.levers import common
from trustscope.scenarios.trust.judge import STEPS
from trustscope.scenarios.trust.scenario import TrustScenario
from trustscope.scenarios.trust.threshold import threshold
from trustscope.scenarios.trust.words import shape_name, subject_of
from trustscope.scenarios.words import share

ASKED = "What do people learn who put noisy copies of one table together?"
ATTRIBUTES = 12  # columns that can be chosen from


def levers(scenario: TrustScenario, model: Any) -> Iterator[Lever]:
    """All of them, for a scenario that fits the data."""
    settings, people = scenario.settings, model.population
    yield common.together(scenario)
    yield from common.one_after_the_other(scenario)
    yield common.noise_schemes(scenario)
    yield from common.trusts(scenario)
    yield _within(scenario, model)
    if people.columns > 1:
        yield _shapes(scenario)
    if "strongest" in settings.attackers and settings.knowledge == "sample":
        yield common.people_known(scenario, people.rows)
    if 1 < people.columns <= ATTRIBUTES and settings.kind == "absolute":
        yield _attributes(scenario, model)


def _within(scenario, model) -> Lever:
    """How close a guess must come: at the distances of the curves, so that nothing is read in between."""
    settings = scenario.settings
    scale = threshold(model.population, settings.attribute, settings.kind)
    subject = subject_of(model.population, settings.attribute)
    absolute = settings.kind == "absolute"

    def position(eps):
        text = subject.amount(eps) if absolute else share(eps) if settings.kind != "cosine" else f"{eps:g}"
        return Position(eps, text, ((("settings", "eps"), eps),))

    steps = STEPS if absolute else range(1, round(scale.end / scale.step) + 1)
    every = sorted({settings.eps, *(round(k * scale.step, 12) for k in steps)})
    few = sorted({settings.eps, *(round(k * scale.step, 12) for k in steps[::3])})
    return slider("within", "How close a guess must come", [[position(e) for e in some] for some in (every, few)],
                  settings.eps)  # fmt: skip


def _shapes(scenario) -> Lever:
    here = scenario.settings.similarity

    def position(value):
        return Position(value, shape_name(value), ((("settings", "similarity"), value),))

    ladders = [[position(v) for v in sorted({*some, here})] for some in ((-1.0, -0.5, 0.0, 0.5, 1.0), (-1.0, 0.0, 1.0))]
    return slider("shape", "Shape of the noise", ladders, here)


def _attributes(scenario, model) -> Lever:
    """The attribute that is looked at, each with the distance that suits it."""
    people, settings = model.population, scenario.settings
    found = {}
    for name in people.names:
        usual = settings.eps if name == settings.attribute else threshold(people, name, "absolute").usual
        found[name] = Position(name, name, ((("settings", "attribute"), name), (("settings", "eps"), usual)))
    return pills("attribute", "What is guessed", list(found.values()), settings.attribute)
