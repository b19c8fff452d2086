"""What is moved at a step of a lesson that is tried: levers for the groups of controls that the step names.

A page has more controls than a file can hold positions of; here are those that lessons ask for. Where a step asks for
others, there are none, and the file says that the step needs the app.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from trustscope.handouts.explorable.lever import PILLS, Lever, Position, pills, slider, thinned
from trustscope.handouts.explorable.levers import common
from trustscope.lessons.lesson import Lesson, Try
from trustscope.lessons.stage import page_at, scenario_at
from trustscope.numbers import GAP
from trustscope.scenarios.categories import words as categories_words
from trustscope.scenarios.coalition import NAMES, Recipient
from trustscope.scenarios.scenario import Scenario
from trustscope.scenarios.trust import words as trust_words
from trustscope.scenarios.trust.scenario import TrustScenario
from trustscope.scenarios.words import counted

MOST_POSITIONS = 450  # of one step: most of them are tried by nobody
FEW = 2  # recipients whose trusts are moved; of more, one who joins is
RECIPIENTS = ("settings", "recipients")


def levers_of(
    lesson: Lesson, place: int, scenario: Scenario, model: Any, most: int = MOST_POSITIONS
) -> tuple[Lever, ...]:
    """The levers of a step, for its scenario as it fits the data; none where it names controls that no file has."""
    step = lesson.steps[place]
    page = page_at(lesson, place)
    found = [lever for group in step.controls for lever in GROUPS.get((page, group), _none)(scenario, model)]
    found = [lever for lever in found if len(lever.positions) > 1]
    if isinstance(step, Try) and found:
        found = _with_example(found, scenario_at(lesson, place, step.example))
    return thinned(found, most) if found else ()


def _none(scenario: Scenario, model: Any) -> Iterator[Lever]:
    return iter(())


def _with_example(levers: list[Lever], example: Scenario) -> list[Lever]:
    """The same levers, on every ladder with the position that the example has: what is asked for can be done."""
    wanted = example.to_dict()
    made = []
    for lever in levers:
        right = [one for one in lever.positions if _stands(wanted, one)]
        coarser = tuple(
            tuple(one for one in lever.positions if one in some or one in right[:1]) for some in lever.coarser
        )
        made.append(replace(lever, coarser=coarser))
    return made


def _stands(content: Mapping[str, Any], position: Position) -> bool:
    """Whether a scenario has all that a position says."""
    for path, value in position.changes:
        found: Any = content
        for part in path:
            try:
                found = found[part]
            except (KeyError, IndexError, TypeError):
                return False
        if found != value:
            return False
    return True


# Pages with recipients


def _recipients(scenario: Scenario, model: Any) -> Iterator[Lever]:
    """The trusts of few recipients; of more, a further one joins at any trust."""
    if len(scenario.settings.recipients) <= FEW:
        yield from common.trusts(scenario)
    else:
        yield _newcomer(scenario)


def _newcomer(scenario: Scenario) -> Lever:
    """Somebody who gets a copy later."""
    who = scenario.settings.recipients
    names = {r.name for r in who}
    name = next(one for one in NAMES if one not in names)
    number = next(n for n in range(len(NAMES)) if n not in {r.number for r in who})
    before = scenario.to_dict()["settings"]["recipients"]

    def position(trust):
        if not trust:
            return Position(0, "nobody", ((RECIPIENTS, before),))
        joined = Recipient(number=number, name=name, trust=trust).model_dump(mode="json")
        return Position(trust, f"{trust}{GAP}%", ((RECIPIENTS, [*before, joined]),))

    return slider("newcomer", f"Add a recipient, {name}, with a trust of", [[position(t) for t in range(0, 100, 5)]], 0)


def _trust_schemes(scenario: Scenario, model: Any) -> Iterator[Lever]:
    yield common.noise_schemes(scenario)


def _categories_schemes(scenario: Scenario, model: Any) -> Iterator[Lever]:
    yield common.schemes(scenario, categories_words.SCHEME_WORDS)


# Data that are made, and the shape of the noise


def _components(scenario: TrustScenario, model: Any) -> Iterator[Lever]:
    """How many strong components made-up records have."""
    order = scenario.data.order
    every = sorted({order.components, *range(1, order.attributes + 1, 2), order.attributes})
    positions = [Position(n, f"of {order.attributes}", ((("data", "order", "components"), n),)) for n in every]
    yield slider("components", "Strong components", [
        [Position(one.value, f"{one.value} {one.text}", one.changes) for one in positions]
    ], order.components)  # fmt: skip


def _shape(scenario: Scenario, model: Any) -> Iterator[Lever]:
    """From the opposite of the data's shape to their own."""
    here = scenario.settings.similarity
    every = sorted({round(-1 + 0.25 * step, 2) for step in range(9)} | {here})
    yield slider("shape", "Shape of the noise", [
        [Position(v, trust_words.shape_name(v), ((("settings", "similarity"), v),)) for v in every]
    ], here)  # fmt: skip


# Rotation


def _rotation_attacker(scenario: Scenario, model: Any) -> Iterator[Lever]:
    """How many people the insider knows, or how large the competitor's sample is."""
    settings = scenario.settings
    if scenario.view.story == "known":
        order = [*model.order(settings)][:12]
        positions = [
            Position(n, counted(n, "person", "people"), ((("settings", "known"), order[:n]),))
            for n in range(1, len(order) + 1)
        ]
        yield slider("known", "People that the insider knows", [positions], len(settings.known))
    elif scenario.view.story == "sample":
        most = len(model.records.pool)
        every = sorted({n for n in (20, 30, 40, 60, 80, 100, 140, 200, 280) if n <= most} | {settings.sample})
        positions = [Position(n, f"{n} records", ((("settings", "sample"), n),)) for n in every]
        yield slider("sample", "Records in the sample", [positions], settings.sample)


# Survey


def _respondents(scenario: Scenario, model: Any) -> Iterator[Lever]:
    """How many directions each kind of respondent follows at most."""
    for place, part in enumerate(scenario.settings.parts):
        path = ("settings", "parts", place, "level")
        every = [*sorted({0, 1, 2, 4} | ({part.level} if part.level is not None else set())), None]
        positions = [
            Position(str(level), "all of them" if level is None else str(level), ((path, level),)) for level in every
        ]
        made = pills(f"kind:{place}", f"{part.name[:1].upper()}{part.name[1:]} follow at most", positions,
                     str(part.level))  # fmt: skip
        few = tuple(one for one in positions if one.value in ("1", "2", str(part.level)))
        yield replace(made, coarser=(few,))  # three kinds beside plots that take a while


def _miner(scenario: Scenario, model: Any) -> Iterator[Lever]:
    """Whether respondents look at what they are asked for."""
    path = ("settings", "extra_check")
    positions = (Position("off", "off", ((path, False),)), Position("on", "on", ((path, True),)))
    label = "Respondents make the extra check"
    yield Lever("check", label, PILLS, positions, int(scenario.settings.extra_check))


GROUPS: dict[tuple[str, str], Callable[[Any, Any], Iterator[Lever]]] = {
    ("trust", "recipients"): _recipients,
    ("trust", "noise"): _trust_schemes,
    ("trust", "data"): _components,
    ("trust", "more"): _shape,
    ("categories", "recipients"): _recipients,
    ("categories", "noise"): _categories_schemes,
    ("rotation", "attacker"): _rotation_attacker,
    ("survey", "respondents"): _respondents,
    ("survey", "miner"): _miner,
}
