"""From a step to what stands on the page: its scenario, and the names of what is shown of it."""

from collections.abc import Mapping
from typing import Any

from trustscope.lessons.lesson import Lesson
from trustscope.scenarios.pages import kind_of
from trustscope.scenarios.parts import PARTS
from trustscope.scenarios.scenario import Scenario


def page_at(lesson: Lesson, place: int) -> str:
    """The page of a step; steps are counted from 0."""
    return str(lesson.steps[place].scenario.get("page", lesson.page))


def scenario_at(lesson: Lesson, place: int, *changes: Mapping[str, Any]) -> Scenario:
    """The scenario of a step, counted from 0, with further changes; a ValueError where there is no such scenario."""
    step = lesson.steps[place]
    page = page_at(lesson, place)
    if page not in PARTS:
        raise ValueError(f"there is no page “{page[:40]}” for lessons: choose one of {', '.join(PARTS)}")
    content = merged(lesson.scenario if page == lesson.page else {}, step.scenario, *changes)
    return kind_of(page).from_dict(content | {"page": page})


def only_at(lesson: Lesson, place: int) -> frozenset[str]:
    """The names of the cards and groups of controls that a step shows."""
    step = lesson.steps[place]
    return frozenset((*step.cards, *step.controls))


def merged(*contents: Mapping[str, Any]) -> dict[str, Any]:
    """Nested dictionaries, the later ones over the earlier; lists are taken whole."""
    found: dict[str, Any] = {}
    for content in contents:
        for name, value in content.items():
            before = found.get(name)
            if isinstance(before, Mapping) and isinstance(value, Mapping):
                value = merged(before, value)
            found[name] = value
    return found
