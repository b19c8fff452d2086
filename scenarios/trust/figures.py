"""The figures of the Trust page: all that its headline and its cards say, over all rows."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from trustscope.datasets import Dataset
from trustscope.scenarios.figures import SHARE, Figure, Figures, said
from trustscope.scenarios.solve.required import on_trust
from trustscope.scenarios.trust.loading import fetch, load
from trustscope.scenarios.trust.picture import ENOUGH, Picture, Result
from trustscope.scenarios.trust.run import ERROR_BINS
from trustscope.scenarios.trust.scenario import ATTACKERS, TrustScenario
from trustscope.scenarios.trust.verdict import errors, headline, hits
from trustscope.scenarios.trust.words import NINE_IN_TEN, subject_of
from trustscope.scenarios.whole import Cancel, Progress, Whole, last

VIEWS = ("everyone", "closeness", "coalitions", "attackers", "usefulness", "spectrum")
RECORDS = {"One person"}  # cards that show single records


def whole(
    scenario: TrustScenario, own: Dataset | None = None, *, complete: bool = False,
    progress: Progress | None = None, cancel: Cancel | None = None,
) -> Whole:  # fmt: skip
    """The scenario over all rows, all views open; `complete` with the attackers that are not ticked."""
    data = fetch(scenario, own)
    model = load(data, scenario)
    fitted = model.fitted(scenario)
    unticked = [name for name in ATTACKERS if name not in fitted.settings.attackers] if complete else []
    steps = model.stream(fitted, opened=VIEWS, unticked=unticked)
    return Whole(fitted, data, model, last(steps, progress, cancel, lambda p: p.rows / p.total))


def figures_of(found: Whole) -> Figures:
    """What the page says of it."""
    picture, people = found.picture, found.model.population
    subject = subject_of(people, picture.settings.attribute)
    return said("trust", headline(picture, subject), (*_figures(picture), *on_trust(found)), tables(picture, people))


# Figures


def _figures(picture: Picture) -> Iterator[Figure]:
    yield Figure("rows", "rows that were perturbed", picture.rows)
    if picture.together:
        yield from _guesses(picture)
    for name, result in picture.alone.items():
        yield _error(f"alone.error.{name}", f"error of the best copy alone, by one who {ATTACKERS[name]}", result)
    for name, result in picture.together.items():
        yield _error(f"coalition.error.{name}", f"error of the coalition, by one who {ATTACKERS[name]}", result)
        yield _hits(f"coalition.hits.{name}", f"hits of the coalition, by one who {ATTACKERS[name]}", result)
    if picture.rival is not None:
        scheme = picture.rival.attack.scheme
        yield _error(f"rival.error.{scheme}", f"error of the coalition if the noise were {scheme}", picture.rival)
    for name, result in picture.unticked.items():
        yield _error(f"unticked.error.{name}", f"error of the coalition, by one who {ATTACKERS[name]}", result)
        yield _hits(f"unticked.hits.{name}", f"hits of the coalition, by one who {ATTACKERS[name]}", result)
    if picture.joining is not None:
        for scheme, rates in picture.joining.rates.items():
            yield Figure(f"pooled.{scheme}", f"hits when all of them pool, {scheme} noise", rates[-1], SHARE)
    yield from _explained(picture)


def _guesses(picture):
    """The numbers of the headline, over the attackers that are ticked."""
    found, (alone, together) = hits(picture), errors(picture)
    yield Figure("hits.without", "hits by the best constant guess, without any copy", found.without, SHARE)
    yield Figure("hits.alone", "hits with the best copy alone", found.alone, SHARE)
    yield Figure("hits.together", "hits when the coalition pools", found.together, SHARE)
    yield Figure("alone.error", "least error with the best copy alone (guessing the average: 1)", alone)
    yield Figure("coalition.error", "least error of the coalition (guessing the average: 1)", together)


def _explained(picture):
    """What each recipient, and everybody together, can explain of the variance."""
    scheme = picture.settings.scheme
    for place, recipient in enumerate(picture.settings.recipients):
        value = 1 - float(picture.coalitions[scheme if scheme in picture.coalitions else "nested"][1 << place])
        label = f"share of the variance that {recipient.name} alone explains"
        yield Figure(f"share.{recipient.name}", label, value, SHARE)
    for one, every in picture.coalitions.items():
        label = f"share of the variance that all explain, {one} noise"
        yield Figure(f"everybody.{one}", label, 1 - float(every[-1]), SHARE)


def _error(name: str, label: str, result: Result) -> Figure:
    return Figure(
        name, label, result.error, theory=result.theory, measured=result.tally.error, tolerance=result.tolerance,
        agrees=result.agrees,
    )  # fmt: skip


def _hits(name: str, label: str, result: Result) -> Figure:
    theory, measured = result.theory_breach, result.tally.breach_rate
    judged = theory is not None and result.tally.rows >= ENOUGH
    agrees = bool(abs(measured - theory) <= result.hits_tolerance) if judged else None
    return Figure(name, label, result.hits, SHARE, theory, measured, result.hits_tolerance, agrees)


# Tables


def tables(picture: Picture, people) -> dict[str, pd.DataFrame]:
    """A table for each card."""
    made = {
        "One person": _person(picture),
        "As more of them pool": _joining(picture),
        "Everyone at once": _copies(picture),
        "How close the guesses come": _closeness(picture, people),
        "Every coalition": _coalitions(picture),
        "Attacker by attacker": attackers(picture, people),
        "What an honest analyst still gets": _usefulness(picture),
        "What stands out of the noise": _spectrum(picture),
    }
    return {title: pd.DataFrame(rows) for title, rows in made.items()}


def _person(picture) -> list[dict]:
    seen, settings = picture.person, picture.settings
    if seen is None:
        return []
    rows = [{"what": "true value", "value": seen.truth}]
    rows += [{"what": f"given to {r.name}", "value": seen.seen[r.number]} for r in settings.recipients]
    for what, belief in ((f"believed by {settings.best.name} alone" if settings.best else "", seen.alone),
                         ("believed together", seen.together)):  # fmt: skip
        if belief is not None:
            half = NINE_IN_TEN * belief.sd
            rows.append({"what": what, "value": belief.guess, "low": belief.guess - half, "high": belief.guess + half})
    return rows


def _joining(picture) -> list[dict]:
    found = picture.joining
    if found is None:
        return []
    return [
        {"pooling": place + 1, "who joins": recipient.name, "trust": recipient.trust}
        | {f"hits, {scheme}": rates[place] for scheme, rates in found.rates.items()}
        | {"without any copy": found.without}
        for place, recipient in enumerate(found.order)
    ]


def _copies(picture) -> dict:
    held, rows = picture.held, picture.rows
    made = {"from": held.edges[:-1], "to": held.edges[1:], "original": held.original / rows}
    made |= {r.name: held.copies[r.number] / rows for r in picture.settings.recipients}
    return made | ({"best guess": held.guess / rows} if held.guess.any() else {})


def lines(picture: Picture) -> dict[str, Result]:
    """What the distribution of errors is drawn of, by name."""
    settings = picture.settings
    found = {f"{settings.best.name} alone": result for result in list(picture.alone.values())[:1]}
    for name, result in picture.together.items():
        found["together" if len(settings.attackers) == 1 else f"together, {ATTACKERS[name]}"] = result
    if picture.rival is not None:
        found[f"together, if the noise were {picture.rival.attack.scheme}"] = picture.rival
    return found


def _closeness(picture, people) -> dict:
    edges = np.linspace(0, people.error_range(people.index(picture.settings.attribute)), ERROR_BINS + 1)
    return {"error at most": edges} | {name: result.tally.cumulative for name, result in lines(picture).items()}


def _coalitions(picture) -> list[dict]:
    who, schemes = picture.settings.recipients, picture.coalitions
    rows = []
    for mask in sorted(range(1, 2 ** len(who)), key=lambda mask: (mask.bit_count(), mask)):
        members = [r.name for place, r in enumerate(who) if mask >> place & 1]
        explained = {f"explained, {scheme}": 1 - float(every[mask]) for scheme, every in schemes.items()}
        rows.append({"coalition": " + ".join(members), "members": len(members)} | explained)
    return rows


def attackers(picture: Picture, people) -> list[dict]:
    """Every attacker: those who are ticked, those who are not, and the average."""
    unit = people.scaled_covariance.trace() / people.columns if people.common_unit else None
    results = {name: (picture.together | picture.unticked).get(name) for name in ATTACKERS}
    named = [(ATTACKERS[name], name in picture.together, one) for name, one in results.items() if one is not None]
    if picture.guess is not None:
        named.append(("guesses the average", False, picture.guess))
    return [
        {"an attacker who": name, "ticked": ticked, "error": one.tally.error, "expected": one.theory,
         "expected approximately": one.approximate, "tolerance": one.tolerance, "agrees": one.agrees,
         "hits": one.tally.breach_rate, "hits expected": one.theory_breach}
        | ({} if unit is None else {"mean square error": one.tally.error * unit})
        for name, ticked, one in named
    ]  # fmt: skip


def _usefulness(picture) -> list[dict]:
    found = picture.usefulness
    return [
        {"figure": one.name, "original": one.true}
        | {r.name: one.copies[r.number] for r in picture.settings.recipients}
        | {"correct without correction": one.kept}
        for one in found.statistics
    ]


def _spectrum(picture) -> dict:
    seen = picture.spectrum
    if seen is None:
        return {}
    places = np.arange(len(seen.released))
    return {
        "component": places + 1, "combined copy": seen.released, "data in it": seen.data_within,
        "noise in it": seen.noise_within, "kept as strong component": np.asarray(seen.components_within, dtype=bool),
        "kept by the filter": places < seen.kept_by_filter,
    }  # fmt: skip
