"""The figures of the Categories page: all that its headline and its cards say, over all rows."""

from collections.abc import Iterator

from trustscope.datasets import Dataset
from trustscope.scenarios.cards import tables_of
from trustscope.scenarios.categories import differential
from trustscope.scenarios.categories import promise as promises
from trustscope.scenarios.categories.cards import MEASURES, judged, looked_at, titles
from trustscope.scenarios.categories.model import Model
from trustscope.scenarios.categories.result import CategoriesResult, Measure
from trustscope.scenarios.categories.scenario import SCHEMES, CategoriesScenario
from trustscope.scenarios.categories.side import attacker_in_words
from trustscope.scenarios.categories.verdict import headline, headline_numbers
from trustscope.scenarios.metrics import SHARE, Metric, Metrics, with_headline
from trustscope.scenarios.models import make_model
from trustscope.scenarios.solve.required import on_categories
from trustscope.scenarios.value import not_none
from trustscope.scenarios.whole import Cancel, Loaded, Progress, Whole, last

VIEWS = ("everyone", "exposed", "coalitions", "promises", "usefulness", "evidence", "joining", "memory")


def whole(
    scenario: CategoriesScenario, own: Dataset | None = None, *, complete: bool = False,
    progress: Progress | None = None, cancel: Cancel | None = None, loaded: Loaded | None = None,
) -> Whole:  # fmt: skip
    """The scenario over all rows, all views open. There is one attacker here, the best there can be."""
    data, model = loaded or make_model(scenario, own)
    fitted = model.fit_to_data(scenario)
    steps = model.stream(fitted, opened=VIEWS)
    return Whole(fitted, data, model, last(steps, progress, cancel, lambda p: p.rows / p.total))


def metrics_of(found: Whole) -> Metrics:
    """What the page says of it."""
    picture, model = found.picture, found.model
    return with_headline(
        "categories",
        headline(picture, model.noun),
        (*_figures(picture, model), *differential.figures(model, found.scenario), *on_categories(found)),
        tables_of("categories", picture, model),
    )


# Figures


def _figures(picture: CategoriesResult, model: Model) -> Iterator[Metric]:
    yield Metric("rows", "rows that were perturbed", picture.rows)
    yield Metric("values", "values that the column can have", model.size)
    if picture.joining is not None:
        numbers = headline_numbers(picture)
        what = MEASURES[numbers.measure]
        yield Metric("headline.measure", "what the headline's number is", what)
        yield Metric("headline.without", f"{what}, without any copy", numbers.without, SHARE)
        yield Metric("headline.alone", f"{what}, with the best copy alone", numbers.alone, SHARE)
        yield Metric("headline.together", f"{what}, when the coalition pools", numbers.together, SHARE)
    for name, result in picture.results.items():
        for which, label in MEASURES.items():
            yield _measured(f"{name}.{which}", f"{label}, {titles(picture)[name]}", getattr(result, which))
    for scheme in SCHEMES:
        every = not_none(picture.coalitions)[scheme][-1]
        yield Metric(f"everybody.right.{scheme}", f"{MEASURES['right']} if all pool, {scheme}", every.right, SHARE)
        yield Metric(f"everybody.belief.{scheme}", f"{MEASURES['belief']} if all pool, {scheme}", every.belief, SHARE)
    yield from _promised(picture, model)
    yield from _exposed(picture, model)
    kept = not_none(picture.memory)
    yield Metric(
        "memory.stored", "values kept for one person, on average", kept.stored, theory=kept.expected,
        measured=kept.stored, tolerance=kept.tolerance, agrees=judged(kept.agrees),
    )  # fmt: skip


def _measured(name: str, label: str, one: Measure) -> Metric:
    return Metric(
        name, label, one.expected, SHARE, one.expected, one.tally.mean if one.tally.rows else None, one.tolerance,
        judged(one.agrees),
    )  # fmt: skip


def _exposed(picture: CategoriesResult, model: Model) -> Iterator[Metric]:
    yield Metric("attacker", "who guesses: somebody who", attacker_in_words(picture.settings))
    risk = picture.exposed
    if risk is not None:
        yield Metric("exposed.hundredth", "chance that the most exposed hundredth is guessed, of those who are not "
                     "guessed without any copy", risk.hundredth, SHARE)  # fmt: skip
        yield Metric("exposed.worst", "the same chance for the most exposed person", risk.worst, SHARE)
        worst = model.worst_belief(picture.settings)
        yield Metric("exposed.belief", "the most that can come to be believed of a value of anybody", worst, SHARE)


def _promised(picture: CategoriesResult, model: Model) -> Iterator[Metric]:
    found = promises.judge(picture.settings, model.size, looked_at(picture))
    who = looked_at(picture).name
    for name, by, one in (
        ("one", f"by {who} alone", found.one), ("coalition", "by those who pool", found.coalition),
        ("worst", "by the worst coalition", found.worst),
    ):  # fmt: skip
        if one is not None:
            yield Metric(f"promise.{name}.gamma", f"how many times the odds of a belief can grow, {by}", one.gamma)
            yield Metric(f"promise.{name}.raised", f"what a belief of rho one can become, {by}", one.raised, SHARE)
            yield Metric(f"promise.{name}.grown", f"by how much a belief can grow, {by}", one.grown, SHARE)
            yield Metric(f"promise.{name}.keeps_rho", f"whether the promise of rho is kept, {by}", one.keeps_rho)
            yield Metric(f"promise.{name}.keeps_delta", f"whether the promise of delta is kept, {by}", one.keeps_delta)
