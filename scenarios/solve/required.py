"""What a scenario requires and how that stands over all rows, for its figures and for a report."""

from collections.abc import Iterator

from trustscope.scenarios.metrics import SHARE, Metric
from trustscope.scenarios.solve import categories, handles, rotation, survey, trust, words
from trustscope.scenarios.solve.standing import Standing
from trustscope.scenarios.whole import Whole

PER_CENT = 100


def on_trust(found: Whole) -> Iterator[Metric]:
    """Whether each requirement is kept, and what is reached."""
    model, settings = found.model, found.scenario.settings
    people, labels = model.population, trust.labels_of(found.data, model)
    for number, one in enumerate(settings.requirements, start=1):
        unit = SHARE if one.what in words.SHARES else ""
        if one.what == "mean":
            unit = words.subject(one, settings, people).unit
        told = words.long(one, settings, people)
        yield from _figures(number, told, handles.standing_over_all(model, settings, one, labels), unit)


def on_categories(found: Whole) -> Iterator[Metric]:
    """The same for the Categories page."""
    every = categories.standings(found.model, found.scenario.settings)
    for number, one in enumerate(every, start=1):
        yield from _figures(number, one.asked, one, SHARE, PER_CENT)


def on_rotation(found: Whole) -> Iterator[Metric]:
    """The same for the Rotation page, whichever step is open."""
    for number, one in enumerate(found.scenario.settings.requirements, start=1):
        standing = rotation.standing_of(found.model, found.scenario, one)
        yield from _figures(number, standing.asked, standing, SHARE, PER_CENT)


def on_survey(found: Whole) -> Iterator[Metric]:
    """The same for the Survey page; nothing can be told before anybody has answered."""
    frame, asked = found.picture.frame, found.scenario.settings.requirements
    every = survey.standings(frame, asked) if frame.arrived else [None] * len(asked)
    for number, (requirement, one) in enumerate(zip(asked, every, strict=True), start=1):
        yield from _figures(number, survey.short(requirement), one, SHARE, PER_CENT)


def _figures(number: int, told: str, one: Standing | None, unit: str, scale: float = 1.0) -> Iterator[Metric]:
    name = f"requirement.{number}"
    yield Metric(name, f"requirement {number} is kept: {told}", None if one is None else one.kept)
    if one is not None:
        yield Metric(f"{name}.reached", f"what is reached of requirement {number}", one.value / scale, unit)
