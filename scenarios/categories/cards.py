"""What can be looked at on the Categories page: tables, how they are drawn, and what is said of them."""

from collections.abc import Mapping
from html import escape
from typing import Any

import numpy as np
import pandas as pd

from trustscope import colours
from trustscope.engine.arrays import Numbers
from trustscope.looks import NOTHING, Axis, Columns, Look, Looks, Mark, joining_names, of_schemes, with_looks
from trustscope.scenarios.cards import Card, made_of
from trustscope.scenarios.categories import differential, everyone, exposure, usefulness, words
from trustscope.scenarios.categories import help as texts
from trustscope.scenarios.categories import promise as promises
from trustscope.scenarios.categories import scenario as scenarios
from trustscope.scenarios.categories.model import Model
from trustscope.scenarios.categories.promise import Judgements
from trustscope.scenarios.categories.result import ENOUGH, CategoriesResult, Held
from trustscope.scenarios.categories.run import ALONE, RIVAL, TOGETHER
from trustscope.scenarios.categories.scenario import View
from trustscope.scenarios.categories.verdict import doubt, leaks, measure_of, value
from trustscope.scenarios.coalition import Recipient, coalition_rows, most_trusted
from trustscope.scenarios.differential import TITLE, alarms_table, best_test, growth_table
from trustscope.scenarios.frontier import frontier_card
from trustscope.scenarios.grid import map_card
from trustscope.scenarios.twenty import people
from trustscope.scenarios.value import not_none
from trustscope.scenarios.words import count, counted, plain, share

MEASURES = {"right": "best guesses that are right", "belief": "mean belief in the true value"}
TICK = "Tick recipients: they put their copies together."
PRIORS = np.concatenate([[0, 0.002, 0.005], np.linspace(0.01, 1, 100)])
TENTHS = 10  # a scale ends at a whole tenth: it changes in steps, not with every movement


def looked_at(picture: CategoriesResult) -> Recipient:
    """The recipient whose copy or promise is shown; the first where nobody is called so."""
    who = picture.settings.recipients
    return next((r for r in who if r.name == picture.scenario.view.whose), who[0])


def titles(picture: CategoriesResult) -> dict[str, str]:
    """What the measured guesses are called."""
    settings = picture.settings
    best = "" if settings.best is None else settings.best.name
    return {
        ALONE: f"{best} alone",
        TOGETHER: f"together, {settings.scheme} copies",
        RIVAL: f"together, if copies were {settings.rival}",
    }


def judged(agrees: bool | str | None) -> bool | None:
    """Whether theory and measurement agree; None where there was too little to tell."""
    return agrees if isinstance(agrees, bool) else None


def _ceiling(top: float) -> float:
    return float(min(1.0, np.ceil(TENTHS * top + 1e-9) / TENTHS))


def _steps(top: float) -> float:
    """Headroom in steps, so that the scale does not tremble with the copies."""
    step = 10.0 ** np.floor(np.log10(max(top, 1e-6))) / 2
    return float(np.ceil(1.02 * top / step) * step)


# One person


def _person(picture: CategoriesResult, model: Model) -> pd.DataFrame:
    seen, settings, labels = picture.person, picture.settings, model.column.labels
    if seen is None:
        return pd.DataFrame()
    given = {code: [r.name for r in settings.recipients if seen.seen[r.number] == code] for code in range(model.size)}
    columns = {"without any copy": (seen.before, colours.NEUTRAL)}
    if seen.alone is not None:
        columns[f"{most_trusted(settings.coalition).name} alone"] = seen.alone, colours.ORIGINAL
    if seen.together is not None:
        columns["together"] = seen.together, colours.GUESS
    table = pd.DataFrame([
        {"value": labels[code], "true": code == seen.truth, "given to": ", ".join(given[code])}
        | {name: float(belief[code]) for name, (belief, _) in columns.items()}
        for code in range(model.size)
    ])  # fmt: skip
    looks = {name: Look(colour, mark="block") for name, (_, colour) in columns.items()}
    return with_looks(table, Looks("value", looks, Axis("belief", share=True, low=0.0, high=1.0)))


def _path(picture: CategoriesResult, model: Model) -> pd.DataFrame:
    seen, labels = picture.person, model.column.labels
    if seen is None:
        return pd.DataFrame()
    rows = [{"what": f"given to {r.name}", "trust in per cent": r.trust, "value": labels[seen.seen[r.number]]}
            for r in picture.settings.recipients]  # fmt: skip
    if seen.path is not None:
        rows += [{"what": "the path, from this trust down", "trust in per cent": 100 * at, "value": labels[code]}
                 for at, code in zip(*seen.path, strict=True)]  # fmt: skip
    return pd.DataFrame([{"what": "true value", "trust in per cent": 100.0, "value": labels[seen.truth]}, *rows])


def _twenty(picture: CategoriesResult, model: Model) -> Columns:
    seen, settings = picture.twenty, picture.settings
    if seen is None:
        return NOTHING
    labels = [model.column.labels[code] for code in seen.truth]
    return people(seen, model.column.name, labels, settings.coalition, leaks(picture))


# As more of them pool, and every coalition


def _joining(picture: CategoriesResult, model: Model) -> Columns:
    found = picture.joining
    if found is None:
        return NOTHING
    measure = measure_of(found)
    # More copies never tell less: whoever holds them may leave some out. Draws could say otherwise.
    grown = {s: np.maximum.accumulate([value(one, measure) for one in found.figures[s]]) for s in scenarios.SCHEMES}
    without = value(found.without, measure)
    joining, names = len(found.order), [recipient.name for recipient in found.order]
    columns: dict[str, Any] = {
        "pooling": range(1, joining + 1),
        "who joins": names,
        "trust": [recipient.trust for recipient in found.order],
        **{f"{MEASURES[measure]}, {scheme}": some[:joining] for scheme, some in grown.items()},
        "without any copy": [without] * joining,
    }
    top = _ceiling(max(without, *(some[-1] for some in grown.values())))
    return Columns(columns, Looks(
        "who joins", _of_schemes(measure), Axis(MEASURES[measure], share=True, low=0.0, high=top),
        uprights=(Mark(without, "without any copy"),),
        more={"masks": [2**n - 1 for n in range(1, joining + 1)], "rows": joining_names(names)},
    ))  # fmt: skip


def _of_schemes(measure: str) -> dict[str, Look]:
    return {f"{MEASURES[measure]}, {scheme}": look for scheme, look in of_schemes(scenarios.SCHEMES).items()}


def _joining_caption(picture: CategoriesResult, model: Model) -> str:
    found = picture.joining
    if found is None:
        return TICK
    measure = measure_of(found)
    error = max(doubt(one, measure) for one in found.figures["independent"])
    return words.joining(found, picture.settings, measure, model.noun, error)


def _measure(picture: CategoriesResult) -> str:
    return "right" if picture.joining is None else measure_of(picture.joining)


def _coalitions(picture: CategoriesResult, model: Model) -> pd.DataFrame:
    if picture.coalitions is None:
        return pd.DataFrame()
    every, measure = coalition_rows(picture.settings.recipients), _measure(picture)
    table = pd.DataFrame([
        row | {f"{label}, {scheme}": value(picture.coalitions[scheme][mask], which)
               for which, label in MEASURES.items() for scheme in scenarios.SCHEMES}
        for mask, row in every
    ])  # fmt: skip
    without = value(picture.coalitions["nested"][0], measure)
    top = _ceiling(max(without, *(table[column].max() for column in _of_schemes(measure))))
    return with_looks(table, Looks(
        "coalition", _of_schemes(measure), Axis(MEASURES[measure], share=True, low=0.0, high=top),
        uprights=(Mark(without, "without any copy"),),
        more={"sizes": "members", "masks": [mask for mask, _ in every]},
    ))  # fmt: skip


def _coalitions_caption(picture: CategoriesResult, model: Model) -> str:
    if picture.coalitions is None:
        return "All coalitions are judged when you let go."
    measure = _measure(picture)
    error = max(doubt(one, measure) for one in picture.coalitions["independent"])
    return words.coalitions(picture, measure, model.noun, error)


# Everyone at once


def _copy(picture: CategoriesResult, model: Model) -> pd.DataFrame:
    if not picture.held:
        return pd.DataFrame()
    recipient = looked_at(picture)
    return copy_of(picture.held, not_none(picture.original), recipient, model, picture.scenario.view)


def copy_of(held: dict[int, Held], original: Held, recipient: Recipient, model: Model, view: View) -> pd.DataFrame:
    """How frequent each value is: as it was, in one recipient's copy, and estimated back from it."""
    found = everyone.shares(model, held[recipient.number], original, recipient, model.code(view.value))
    low, middle, high = found.ranges.T
    released = f"in {recipient.name}'s copy"
    table = pd.DataFrame({
        "value": list(found.labels), "as it was": found.true, released: found.released,
        "estimated back": middle, "low": low, "high": high,
    })  # fmt: skip
    seen = table.head(found.drawn)
    top = min(_steps(max(seen[name].max() for name in ("as it was", released, "estimated back"))), 1.0)
    return with_looks(table, Looks(
        "value",
        {"as it was": Look(colours.ORIGINAL, mark="block"),
         released: Look(recipient.colour, f"as {recipient.name} holds it", mark="block", hatch="////"),
         "estimated back": Look(colours.GUESS, mark="dot")},
        Axis("share of rows", share=True, low=0.0, high=top),
        more={"ranges": {"estimated back": ("low", "high")}, "drawn": found.drawn, "flagged": found.flagged},
    ))  # fmt: skip


def _copy_caption(picture: CategoriesResult, model: Model) -> str:
    if not picture.held:
        return ""
    return copy_caption(picture.held, not_none(picture.original), looked_at(picture), model, picture.scenario.view)


def _copy_shares(picture: CategoriesResult, model: Model) -> str:
    """The same in a lesson: what is really there, and what the copy says."""
    if not picture.held:
        return ""
    who, code = looked_at(picture), model.code(picture.scenario.view.value)
    true, held = (one.counts[code] / one.rows for one in (not_none(picture.original), picture.held[who.number]))
    return words.held_shares(model.column, who, code, true, held)


def copy_caption(held: Mapping[int, Held], original: Held, recipient: Recipient, model: Model, view: View) -> str:
    """What one recipient's copy says of the value that is looked at, and whether that is as expected."""
    if not held:
        return ""
    mine, code = held[recipient.number], model.code(view.value)
    found = everyone.shares(model, mine, original, recipient, code)
    true = original.counts[code] / original.rows
    seen, expected, tolerance = words.copy_check(mine, code, scenarios.retention(recipient), true)
    few = mine.rows < ENOUGH
    state = "few" if few else bool(abs(seen - expected) <= tolerance)
    mark = words.verdict_mark(state, counted(mine.rows, "row") if few else f"± {100 * tolerance:.1f} points")
    return (
        f"{words.shares(model.column, recipient, code, found.table, true)} Expected in the copy: {share(expected)} "
        f"({mark}). {words.covered(found.inside, model.size)}"
    )


# What is guaranteed


def _promises(picture: CategoriesResult, model: Model) -> pd.DataFrame:
    recipient = looked_at(picture)
    found = promises.judge(picture.settings, model.size, recipient)
    named = (f"{recipient.name} alone", "the present coalition", "the worst coalition")
    table = pd.DataFrame([
        {"who": name, "gamma": one.gamma, "belief of rho one can become": one.raised, "belief can grow by": one.grown,
         "keeps rho": one.keeps_rho, "keeps delta": one.keeps_delta}
        for name, one in zip(named, found.all, strict=True) if one is not None
    ])  # fmt: skip
    curves = _raised(picture, found, recipient)
    return with_looks(table, Looks("who", {"gamma": Look(colours.GUESS)}, more={"curves": curves}))


def _raised(picture: CategoriesResult, found: Judgements, recipient: Recipient) -> pd.DataFrame:
    """What every belief can become."""
    settings = picture.settings
    columns: dict[str, tuple[Numbers, Look]] = {
        "unchanged": (PRIORS, Look(colours.NEUTRAL, "believed before", "dotted", 1.5))
    }
    if len(settings.recipients) > 1:
        raised = promises.raised(PRIORS, found.worst.gamma)
        columns["the worst coalition"] = raised, Look(colours.SCHEMES[settings.scheme], dash="dashed")
    columns[f"{recipient.name} alone"] = promises.raised(PRIORS, found.one.gamma), Look(recipient.colour, width=3)
    table = pd.DataFrame({"believed before": PRIORS} | {name: values for name, (values, _) in columns.items()})
    return with_looks(table, Looks(
        "believed before", {name: look for name, (_, look) in columns.items()},
        Axis("believed before", share=True, low=0.0, high=1.0), Axis("can be believed after", True, low=0.0, high=1.02),
        uprights=(Mark(settings.promise.rho1 / 100, "the promise is about beliefs up to here", dash="dotted"),),
    ))  # fmt: skip


def _promises_caption(picture: CategoriesResult, model: Model) -> str:
    settings, who = picture.settings, looked_at(picture)
    found = promises.judge(settings, model.size, who)
    how = "as its best copy" if settings.scheme == "nested" else "all copies' factors multiplied"
    return (
        f"The odds of a belief, for to against, can grow at most <b>{words.times(found.one.gamma)}</b> for "
        f"{escape(who.name)}, <b>{words.times(found.worst.gamma)}</b> for the worst coalition: {how}."
    )


# What an honest analyst gets


def _usefulness(picture: CategoriesResult, model: Model) -> pd.DataFrame:
    if not picture.held:
        return pd.DataFrame()
    found = usefulness.counted(model, picture, model.code(picture.scenario.view.value))
    table = pd.DataFrame([
        {"copy": e.recipient.name, "true count": found.true, "among": found.met, "estimate": e.middle, "low": e.low,
         "high": e.high, "typically wrong by": e.error, "tolerance": e.tolerance, "agrees": judged(e.agrees)}
        for e in found.estimates
    ])  # fmt: skip
    top = found.met * _steps(max([found.true, *(e.high for e in found.estimates)]) / max(found.met, 1))
    return with_looks(table, Looks(
        "copy", {"estimate": Look(colours.GUESS, "estimated, with its range", mark="dot")},
        Axis("count", low=0.0, high=top), uprights=(Mark(found.true, "true count"),),
        more={"ranges": {"estimate": ("low", "high")}},
    ))  # fmt: skip


def _usefulness_caption(picture: CategoriesResult, model: Model) -> str:
    if not picture.held:
        return ""
    code = model.code(picture.scenario.view.value)
    return usefulness.caption(usefulness.counted(model, picture, code), model, picture, code)


# Theory and measurement


def _evidence(picture: CategoriesResult, model: Model) -> pd.DataFrame:
    rows = []
    for name, result in picture.results.items():
        row: dict[str, Any] = {"who guesses": titles(picture)[name]}
        for which, label in MEASURES.items():
            one = getattr(result, which)
            measured = one.tally.mean if one.tally.rows else None
            row |= {f"{label}, expected": one.expected, f"{label}, measured": measured,
                    f"{label}, tolerance": one.tolerance, f"{label}, agrees": judged(one.agrees)}  # fmt: skip
        rows.append(row)
    if picture.joining is not None:
        without = picture.joining.without
        rows.append({"who guesses": "without any copy"} | {
            f"{label}, expected": getattr(without, which) for which, label in MEASURES.items()
        })  # fmt: skip
    return pd.DataFrame(rows)


def _evidence_caption(picture: CategoriesResult, model: Model) -> str:
    if not picture.results:
        return "Tick a recipient: nobody has put a copy in the pool."
    rows = next(iter(picture.results.values())).right_tally.rows
    return (
        f"Measured on the copies of {count(rows)} {model.noun}. ✓ means: no further off than chance would "
        "explain in all but one of 16 000 cases."
    )


# If ever more joined


def _further(picture: CategoriesResult, model: Model) -> pd.DataFrame:
    found = picture.further
    if found is None:
        return pd.DataFrame()
    rows = []
    for pooling in range(len(found.expected["nested"])):
        row: dict[str, float | None] = {"pooling": pooling}
        for scheme in scenarios.SCHEMES:
            measured = found.measured[scheme]
            row[f"belief, {scheme}, expected"] = found.expected[scheme][pooling]
            row[f"belief, {scheme}, measured"] = measured[pooling - 1].mean if 1 <= pooling <= len(measured) else None
        rows.append(row)
    table, looks = pd.DataFrame(rows), {}
    for scheme, look in of_schemes(scenarios.SCHEMES).items():
        looks[f"belief, {scheme}, expected"] = Look(look.colour, scheme, look.dash, 2.2)
        looks[f"belief, {scheme}, measured"] = Look(look.colour, f"{scheme}, measured", mark="dot",
                                                    marker=look.marker)  # fmt: skip
    end = len(table) - 1
    return with_looks(table, Looks(
        "pooling", looks, Axis("how many pool", low=0.0, high=end + 0.2, ticks=tuple(range(0, end + 1, 2))),
        Axis("belief in the true value", share=True, low=0.0, high=1.02),
        uprights=(Mark(found.here, "so many pool now; to the right, if more do", dash="dotted"),),
    ))  # fmt: skip


def _further_caption(picture: CategoriesResult, model: Model) -> str:
    if picture.further is None:
        return "Counted when you let go." if picture.settings.coalition else "Tick a recipient: nobody has joined yet."
    return words.further(picture.further)


# What must be kept


def _memory(picture: CategoriesResult, model: Model) -> pd.DataFrame:
    kept = picture.memory
    if kept is None:
        return pd.DataFrame()
    amounts = {
        "the path, measured": kept.stored, "the path, expected": kept.expected, "the paper's list": kept.history,
        "the copies themselves": len({r.trust for r in picture.settings.recipients}), "the paper's bound": kept.bound,
    }  # fmt: skip
    table = pd.DataFrame([{"kept": name, "values for one person": amount} for name, amount in amounts.items()])
    return with_looks(table, Looks(
        "kept", {"values for one person": Look(colours.NEUTRAL, "values kept", mark="block")},
        Axis("values kept for one person", low=0.0, high=float(np.ceil(max(amounts.values())))),
        uprights=(Mark(kept.bound, "bound", colours.GUESS),),
    ))  # fmt: skip


def _memory_caption(picture: CategoriesResult, model: Model) -> str:
    kept = picture.memory
    if kept is None:
        return ""
    by = counted(kept.rows, "row") if kept.agrees == "few" else f"± {plain(float(f'{kept.tolerance:.1g}'))}"
    return (
        f"{words.memory(kept, picture.settings)} Expected {plain(kept.expected)} "
        f"({words.verdict_mark(kept.agrees, by)})."
    )


# Differential privacy


def _differential(picture: CategoriesResult, model: Model) -> differential.Differential | None:
    return differential.differential(model, picture.scenario)


def _best_test(picture: CategoriesResult, model: Model) -> str:
    told = _differential(picture, model)
    return TICK if told is None else best_test(told)


CARDS = (
    Card("person", "One person", _person,
         lambda p, m: "" if p.person is None else words.person(p.person, p.settings, m.column, m.noun),
         "categories.person", texts.PERSON, live="candidates", opens=True, records=True),
    Card("person_path", "One person, on the path", _path,
         lambda p, m: "" if p.person is None else words.path(p.person, p.settings, m.column),
         "categories.path", texts.PERSON, live="steps", records=True, within="person"),
    Card("twenty", "Twenty people", **made_of(_twenty),
         caption=lambda p, m: "" if p.twenty is None else words.twenty(p.twenty, p.settings, m.noun),
         plot="charts.people", help=texts.TWENTY, live="twenty", records=True, within="person"),
    Card("pooling", "As more of them pool", **made_of(_joining), caption=_joining_caption,
         plot="charts.bars", help=texts.JOINING, live="pooling", opens=True),
    Card("everyone", "Everyone at once", _copy, _copy_caption, "charts.bars", texts.EVERYONE, live="bars",
         short=_copy_shares),
    Card("exposed", "Who is exposed", exposure.table, exposure.caption, "charts.bars", texts.EXPOSED, live="bars"),
    Card("coalitions", "Every coalition", _coalitions, _coalitions_caption,
         "charts.coalitions", texts.COALITIONS, live="pooling"),
    Card("promises", "What is guaranteed", _promises, _promises_caption,
         "categories.promises", texts.PROMISES, live="lines"),
    Card("usefulness", "What an honest analyst gets", _usefulness, _usefulness_caption,
         "charts.bars", texts.USEFULNESS, live="bars"),
    Card("evidence", "Theory and measurement", _evidence, _evidence_caption,
         "charts.written", texts.EVIDENCE, live="table", tab="Evidence"),
    Card("joining", "If ever more joined", _further, _further_caption,
         "charts.curves", texts.FURTHER, expert=True, live="lines"),
    Card("memory", "What must be kept", _memory, _memory_caption,
         "charts.bars", texts.MEMORY, expert=True, live="bars"),
    frontier_card(texts.TRADEOFF),
    map_card(texts.MAP),
    Card("differential", TITLE, lambda p, m: growth_table(_differential(p, m)),
         lambda p, m: differential.caption(_differential(p, m), m.column.name),
         "charts.curves", texts.DIFFERENTIAL, live="lines", tab="Differential privacy"),
    Card("differential_tests", "False alarms and misses", lambda p, m: alarms_table(_differential(p, m)), _best_test,
         "charts.curves", texts.DIFFERENTIAL, live="lines", within="differential"),
)  # fmt: skip
