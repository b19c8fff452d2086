"""The figures of the Categories page: all that its headline and its cards say, over all rows."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from trustscope.datasets import Dataset
from trustscope.scenarios.categories import everyone, usefulness
from trustscope.scenarios.categories import promise as promises
from trustscope.scenarios.categories.loading import fetch, load
from trustscope.scenarios.categories.picture import Measure, Picture
from trustscope.scenarios.categories.run import ALONE, RIVAL, TOGETHER
from trustscope.scenarios.categories.scenario import SCHEMES, CategoriesScenario
from trustscope.scenarios.categories.verdict import found as headline_numbers
from trustscope.scenarios.categories.verdict import headline, measure_of, value
from trustscope.scenarios.coalition import Recipient
from trustscope.scenarios.figures import SHARE, Figure, Figures, said
from trustscope.scenarios.solve.required import on_categories
from trustscope.scenarios.whole import Cancel, Progress, Whole, last

VIEWS = ("everyone", "coalitions", "promises", "usefulness", "evidence", "joining", "memory")
RECORDS = {"One person"}  # cards that show single records
MEASURES = {"right": "best guesses that are right", "belief": "mean belief in the true value"}


def whole(
    scenario: CategoriesScenario, own: Dataset | None = None, *, complete: bool = False,
    progress: Progress | None = None, cancel: Cancel | None = None,
) -> Whole:  # fmt: skip
    """The scenario over all rows, all views open. There is one attacker here, the best there can be."""
    data = fetch(scenario, own)
    model = load(data, scenario)
    fitted = model.fitted(scenario)
    steps = model.stream(fitted, opened=VIEWS)
    return Whole(fitted, data, model, last(steps, progress, cancel, lambda p: p.rows / p.total))


def figures_of(found: Whole) -> Figures:
    """What the page says of it."""
    picture, model = found.picture, found.model
    return said(
        "categories",
        headline(picture, model.noun),
        (*_figures(picture, model), *on_categories(found)),
        tables(picture, model),
    )


def looked_at(picture: Picture) -> Recipient:
    """The recipient whose copy or promise is shown; the first where nobody is called so."""
    who = picture.settings.recipients
    return next((r for r in who if r.name == picture.scenario.view.whose), who[0])


def titles(picture: Picture) -> dict[str, str]:
    """What the measured guesses are called."""
    settings = picture.settings
    best = "" if settings.best is None else settings.best.name
    return {
        ALONE: f"{best} alone",
        TOGETHER: f"together, {settings.scheme} copies",
        RIVAL: f"together, if copies were {settings.rival}",
    }


# Figures


def _figures(picture: Picture, model) -> Iterator[Figure]:
    yield Figure("rows", "rows that were perturbed", picture.rows)
    yield Figure("values", "values that the column can have", model.size)
    if picture.joining is not None:
        numbers = headline_numbers(picture)
        what = MEASURES[numbers.measure]
        yield Figure("headline.measure", "what the headline's number is", what)
        yield Figure("headline.without", f"{what}, without any copy", numbers.without, SHARE)
        yield Figure("headline.alone", f"{what}, with the best copy alone", numbers.alone, SHARE)
        yield Figure("headline.together", f"{what}, when the coalition pools", numbers.together, SHARE)
    for name, result in picture.results.items():
        for which, label in MEASURES.items():
            yield _measured(f"{name}.{which}", f"{label}, {titles(picture)[name]}", getattr(result, which))
    for scheme in SCHEMES:
        every = picture.coalitions[scheme][-1]
        yield Figure(f"everybody.right.{scheme}", f"{MEASURES['right']} if all pool, {scheme}", every.right, SHARE)
        yield Figure(f"everybody.belief.{scheme}", f"{MEASURES['belief']} if all pool, {scheme}", every.belief, SHARE)
    yield from _promised(picture, model)
    kept = picture.memory
    yield Figure(
        "memory.stored", "values kept for one person, on average", kept.stored, theory=kept.expected,
        measured=kept.stored, tolerance=kept.tolerance, agrees=_judged(kept.agrees),
    )  # fmt: skip


def _measured(name: str, label: str, one: Measure) -> Figure:
    return Figure(
        name, label, one.expected, SHARE, one.expected, one.tally.mean if one.tally.rows else None, one.tolerance,
        _judged(one.agrees),
    )  # fmt: skip


def _judged(agrees) -> bool | None:
    """Whether theory and measurement agree; None where there was too little to tell."""
    return agrees if isinstance(agrees, bool) else None


def _promised(picture, model):
    judged = promises.judge(picture.settings, model.size, looked_at(picture))
    for name, one in (("one", judged.one), ("coalition", judged.coalition), ("worst", judged.worst)):
        if one is not None:
            yield Figure(f"promise.{name}.gamma", "how many times the odds of a belief can grow", one.gamma)
            yield Figure(f"promise.{name}.raised", "what a belief of rho one can become", one.raised, SHARE)
            yield Figure(f"promise.{name}.grown", "by how much a belief can grow", one.grown, SHARE)
            yield Figure(f"promise.{name}.keeps_rho", "whether the promise of rho is kept", one.keeps_rho)
            yield Figure(f"promise.{name}.keeps_delta", "whether the promise of delta is kept", one.keeps_delta)


# Tables


def tables(picture: Picture, model) -> dict[str, pd.DataFrame]:
    """A table for each card."""
    made = {
        "One person": _person(picture, model),
        "As more of them pool": _joining(picture),
        "Everyone at once": _copy(picture, model),
        "Every coalition": _coalitions(picture),
        "What is guaranteed": _promises(picture, model),
        "What an honest analyst gets": _usefulness(picture, model),
        "Theory and measurement": _evidence(picture),
        "If ever more joined": _further(picture),
        "What must be kept": _memory(picture),
    }
    return {title: pd.DataFrame(rows) for title, rows in made.items()}


def _person(picture, model) -> list[dict]:
    seen, settings, labels = picture.person, picture.settings, model.column.labels
    if seen is None:
        return []
    given = {code: [r.name for r in settings.recipients if seen.seen[r.number] == code] for code in range(model.size)}
    columns = {"without any copy": seen.before}
    columns |= {} if seen.alone is None else {f"{settings.best.name} alone": seen.alone}
    columns |= {} if seen.together is None else {"together": seen.together}
    return [
        {"value": labels[code], "true": code == seen.truth, "given to": ", ".join(given[code])}
        | {name: float(belief[code]) for name, belief in columns.items()}
        for code in range(model.size)
    ]


def _joining(picture) -> list[dict]:
    found = picture.joining
    if found is None:
        return []
    measure = measure_of(found)
    # More copies never tell less: whoever holds them may leave some out. Draws could say otherwise.
    grown = {s: np.maximum.accumulate([value(one, measure) for one in found.figures[s]]) for s in SCHEMES}
    return [
        {"pooling": place + 1, "who joins": recipient.name, "trust": recipient.trust}
        | {f"{MEASURES[measure]}, {scheme}": float(grown[scheme][place]) for scheme in SCHEMES}
        | {"without any copy": value(found.without, measure)}
        for place, recipient in enumerate(found.order)
    ]


def _copy(picture, model) -> dict:
    recipient, code = looked_at(picture), model.code(picture.scenario.view.value)
    found = everyone.shares(model, picture.held[recipient.number], picture.original, recipient, code)
    low, middle, high = found.ranges.T
    return {
        "value": list(found.labels), "as it was": found.true, f"in {recipient.name}'s copy": found.released,
        "estimated back": middle, "low": low, "high": high,
    }  # fmt: skip


def _coalitions(picture) -> list[dict]:
    who = picture.settings.recipients
    rows = []
    for mask in sorted(range(1, 2 ** len(who)), key=lambda mask: (mask.bit_count(), mask)):
        members = [r.name for place, r in enumerate(who) if mask >> place & 1]
        row = {"coalition": " + ".join(members), "members": len(members)}
        for measure, label in MEASURES.items():
            row |= {f"{label}, {scheme}": value(picture.coalitions[scheme][mask], measure) for scheme in SCHEMES}
        rows.append(row)
    return rows


def _promises(picture, model) -> list[dict]:
    recipient = looked_at(picture)
    judged = promises.judge(picture.settings, model.size, recipient)
    named = (f"{recipient.name} alone", "the present coalition", "the worst coalition")
    return [
        {"who": name, "gamma": one.gamma, "belief of rho one can become": one.raised, "belief can grow by": one.grown,
         "keeps rho": one.keeps_rho, "keeps delta": one.keeps_delta}
        for name, one in zip(named, judged.all, strict=True) if one is not None
    ]  # fmt: skip


def _usefulness(picture, model) -> list[dict]:
    found = usefulness.counted(model, picture, model.code(picture.scenario.view.value))
    return [
        {"copy": e.recipient.name, "true count": found.true, "among": found.met, "estimate": e.middle, "low": e.low,
         "high": e.high, "typically wrong by": e.error, "tolerance": e.tolerance, "agrees": _judged(e.agrees)}
        for e in found.estimates
    ]  # fmt: skip


def _evidence(picture) -> list[dict]:
    rows = []
    for name, result in picture.results.items():
        row = {"who guesses": titles(picture)[name]}
        for which, label in MEASURES.items():
            one = getattr(result, which)
            measured = one.tally.mean if one.tally.rows else None
            row |= {f"{label}, expected": one.expected, f"{label}, measured": measured,
                    f"{label}, tolerance": one.tolerance, f"{label}, agrees": _judged(one.agrees)}  # fmt: skip
        rows.append(row)
    if picture.joining is not None:
        without = picture.joining.without
        rows.append({"who guesses": "without any copy"} | {
            f"{label}, expected": getattr(without, which) for which, label in MEASURES.items()
        })  # fmt: skip
    return rows


def _further(picture) -> list[dict]:
    found = picture.further
    if found is None:
        return []
    rows = []
    for pooling in range(len(found.expected["nested"])):
        row = {"pooling": pooling}
        for scheme in SCHEMES:
            measured = found.measured[scheme]
            row[f"belief, {scheme}, expected"] = found.expected[scheme][pooling]
            row[f"belief, {scheme}, measured"] = measured[pooling - 1].mean if 1 <= pooling <= len(measured) else None
        rows.append(row)
    return rows


def _memory(picture) -> list[dict]:
    kept = picture.memory
    return [
        {"kept": "the path, measured", "values for one person": kept.stored},
        {"kept": "the path, expected", "values for one person": kept.expected},
        {"kept": "the paper's list", "values for one person": kept.history},
        {"kept": "the copies themselves", "values for one person": len({r.trust for r in picture.settings.recipients})},
        {"kept": "the paper's bound", "values for one person": kept.bound},
    ]
