"""What can be looked at on the Trust page: the tables of its cards, how they are drawn, and what is said of them."""

from collections.abc import Callable, Iterator
from html import escape

import numpy as np
import pandas as pd

from trustscope import colours, schemes
from trustscope.engine.arrays import Floats
from trustscope.looks import NOTHING, Axis, Columns, Look, Looks, Mark, joining_names, of_schemes, with_looks
from trustscope.scenarios import attackers
from trustscope.scenarios.cards import Card, made_of
from trustscope.scenarios.coalition import Recipient, coalition_rows, most_trusted
from trustscope.scenarios.differential import TITLE, alarms_table, best_test, growth_table
from trustscope.scenarios.frontier import frontier_card
from trustscope.scenarios.grid import map_card
from trustscope.scenarios.trust import contest, differential, words
from trustscope.scenarios.trust import help as texts
from trustscope.scenarios.trust.exposed import Exposed
from trustscope.scenarios.trust.model import Model
from trustscope.scenarios.trust.person import TRUSTS
from trustscope.scenarios.trust.result import AttackResult, Copying, TrustResult
from trustscope.scenarios.trust.run import ERROR_BINS
from trustscope.scenarios.trust.scenario import ATTACKERS
from trustscope.scenarios.trust.verdict import leaks
from trustscope.scenarios.trust.words import Subject
from trustscope.scenarios.twenty import people
from trustscope.scenarios.value import not_none
from trustscope.scenarios.words import count

TICK = "Tick recipients: they put their copies together."
STRIPS = {
    "kept as strong component": ("kept as strong components", colours.ATTACKERS["principal_components"]),
    "kept by the filter": ("kept by the filter", colours.ATTACKERS["spectral_filter"]),
}


def attacker_colour(name: str, scheme: str) -> str:
    """The colour of an attacker's line."""
    if name == "guess":
        return colours.ATTACKERS[name]
    return attackers.of(name).colour or schemes.of(scheme).colour


def _subject(picture: TrustResult, model: Model) -> words.Subject:
    return words.subject_of(model.population, picture.settings.attribute)


# One person

PLACES = 161  # values at which a density is drawn


def _person(picture: TrustResult, model: Model) -> pd.DataFrame:
    seen, settings = picture.person, picture.settings
    if seen is None:
        return pd.DataFrame()
    rows = [("true value", colours.NEUTRAL, {"value": seen.truth})]
    rows += [(f"given to {r.name}", r.colour, {"value": seen.seen[r.number]}) for r in settings.recipients]
    alone = f"believed by {settings.best.name} alone" if settings.best else ""
    beliefs = {alone: (colours.ORIGINAL, seen.alone), "believed together": (colours.GUESS, seen.together)}
    believed = {what: (colour, belief) for what, (colour, belief) in beliefs.items() if belief is not None}
    for what, (colour, belief) in believed.items():
        rows.append((what, colour, {"value": belief.guess, **dict(zip(("low", "high"), belief.interval, strict=True))}))
    table = pd.DataFrame([{"what": what} | values for what, _, values in rows])
    low, high = model.population.view_range(model.population.index(settings.attribute))
    ends = table.reindex(columns=["value", "low", "high"]).to_numpy(dtype=float)
    x = np.linspace(min(low, np.nanmin(ends)), max(high, np.nanmax(ends)), PLACES)
    return with_looks(table, Looks(
        "what", {"value": Look(colours.GUESS, mark="dot")}, Axis(_subject(picture, model).axis, low=x[0], high=x[-1]),
        more={
            "colours": {what: colour for what, colour, _ in rows}, "x": x.tolist(),
            "densities": {what: belief.density(x).tolist() for what, (_, belief) in believed.items() if belief.sd > 0},
        },
    ))  # fmt: skip


def _path(picture: TrustResult, model: Model) -> pd.DataFrame:
    """The value on its way from full trust to little, and where each one reads it."""
    seen, settings = picture.person, picture.settings
    if seen is None:
        return pd.DataFrame()
    lowest = max(min(10, min(r.trust for r in settings.recipients)) - 2, 1)
    shown = np.greater_equal(TRUSTS, lowest)
    columns, looks = {"trust": TRUSTS[shown]}, {}
    named = {r.number: r for r in settings.recipients}
    for number, values in seen.paths.items():
        name = "the value on its path" if seen.shared_path else f"the path for {named[number].name}"
        columns[name] = values[shown]
        looks[name] = Look(colours.NEUTRAL if seen.shared_path else named[number].colour)
    for r in settings.recipients:
        columns[f"given to {r.name}"] = np.where(TRUSTS[shown] == r.trust, seen.seen[r.number], np.nan)
        looks[f"given to {r.name}"] = Look(r.colour, r.name, mark="dot")
    table = pd.DataFrame(columns)
    values = table.drop(columns="trust").to_numpy()
    low, high = min(np.nanmin(values), seen.truth), max(np.nanmax(values), seen.truth)
    air = 0.08 * (high - low) or 1.0
    return with_looks(table, Looks(
        "trust", looks, Axis("trust in per cent: all of it at the left", low=100.0, high=float(lowest)),
        Axis(_subject(picture, model).axis, low=float(low - air), high=float(high + air)),
        levels=(Mark(seen.truth, "really"),),
    ))  # fmt: skip


def _twenty(picture: TrustResult, model: Model) -> Columns:
    seen, settings = picture.twenty, picture.settings
    if seen is None:
        return NOTHING
    return people(seen, _subject(picture, model).axis, seen.truth, settings.coalition, leaks(picture))


# As more of them pool


def _joining(picture: TrustResult, model: Model) -> Columns:
    found = picture.joining
    if found is None:
        return NOTHING
    joining = len(found.order)
    columns = {
        "pooling": range(1, joining + 1),
        "who joins": [recipient.name for recipient in found.order],
        "trust": [recipient.trust for recipient in found.order],
        **{f"hits, {scheme}": rates[:joining] for scheme, rates in found.rates.items()},
        "without any copy": [found.without] * joining,
    }
    best = max(max(rates) for rates in found.rates.values())
    top = min(1.0, float(np.ceil(max(best, found.without) * 10 + 1e-9) / 10))
    return Columns(columns, Looks(
        "who joins", {f"hits, {scheme}": look for scheme, look in of_schemes(found.rates).items()},
        Axis(words.hit(picture.settings, _subject(picture, model)), share=True, low=0.0, high=top),
        uprights=(Mark(found.without, "without any copy"),),
        more={
            "masks": [2**size - 1 for size in range(1, joining + 1)],
            "rows": joining_names([recipient.name for recipient in found.order]),
        },
    ))  # fmt: skip


def _joining_caption(picture: TrustResult, model: Model) -> str:
    if picture.joining is None:
        return TICK
    return words.joining(picture.joining, picture.settings, _subject(picture, model))


# Everyone at once


def _copies(picture: TrustResult, model: Model) -> Columns:
    held, rows = picture.held, picture.rows
    if held is None:
        return NOTHING
    series = {r.name: (held.copies[r.number] / rows, Look(r.colour)) for r in picture.settings.recipients}
    if held.guess.any():
        series[words.drawn_guess(picture.settings)] = held.guess / rows, Look(colours.GUESS, dash="dashed", width=3)
    return _histograms(held.edges, held.original / rows, series, _subject(picture, model))


def copying(step: Copying, subject: words.Subject) -> Columns:
    """The same of copies in the making."""
    begun = [r for r in step.settings.recipients if r.number in step.copies]
    made = {r.name: (step.copies[r.number], Look(r.colour)) for r in begun}
    return _histograms(step.edges, step.original, made, subject)


def _histograms(edges: Floats, original: Floats, series: dict[str, tuple[Floats, Look]], subject: Subject) -> Columns:
    columns = {"from": edges[:-1], "to": edges[1:], "original": original}
    columns |= {name: heights for name, (heights, _) in series.items()}
    # Headroom in steps, so that the scale does not tremble with the noise.
    step = original.max() / 4 or 1.0
    peak = max([original.max(), *(heights.max() for heights, _ in series.values())])
    looks = {"original": Look(colours.ORIGINAL, mark="area")} | {name: look for name, (_, look) in series.items()}
    return Columns(columns, Looks(
        ("from", "to"), looks, Axis(subject.axis, low=float(edges[0]), high=float(edges[-1])),
        Axis("share of rows", share=True, low=0.0, high=float(np.ceil(1.04 * peak / step) * step)),
    ))  # fmt: skip


def _held_caption(picture: TrustResult, model: Model) -> str:
    return "" if picture.held is None else words.copies_caption(picture.held, picture, _subject(picture, model))


def cloud_pair(picture: TrustResult, model: Model) -> tuple[Recipient, tuple[int, int]]:
    """The recipient whose copy is shown as a cloud, and the two attributes that it is shown over."""
    settings, people = picture.settings, model.population
    wanted = picture.scenario.view.cloud_of
    chosen = next((r for r in settings.recipients if r.name == wanted), settings.recipients[0])
    first = people.index(settings.attribute)
    return chosen, (first, 0 if first else 1)


def _cloud(picture: TrustResult, model: Model) -> pd.DataFrame:
    people = model.population
    if picture.held is None or people.columns < 2:
        return pd.DataFrame()
    sample, (chosen, pair) = picture.held.sample, cloud_pair(picture, model)
    named: dict[str | int, tuple[str, str]] = {
        "original": ("original", colours.ORIGINAL),
        chosen.number: (chosen.name, chosen.colour),
        "guess": ("best guess", colours.GUESS),
    }
    axes = [words.subject_of(people, people.names[place]).axis for place in pair]
    table = pd.concat([
        pd.DataFrame({"series": name, axes[0]: sample[key][:, pair[0]], axes[1]: sample[key][:, pair[1]]})
        for key, (name, _) in named.items() if sample.get(key) is not None
    ], ignore_index=True)  # fmt: skip
    (low, high), (bottom, top) = (people.view_range(place) for place in pair)
    looks = {name: Look(colour, mark="dot") for name, colour in named.values()}
    return with_looks(table, Looks(
        "series", looks, Axis(axes[0], low=low, high=high), Axis(axes[1], low=bottom, high=top)
    ))  # fmt: skip


def _cloud_caption(picture: TrustResult, model: Model) -> str:
    if picture.held is None:
        return ""
    chosen, _ = cloud_pair(picture, model)
    shown = f"{count(len(picture.held.sample['original']))} {_subject(picture, model).noun}"
    return f"{shown}: {escape(chosen.name)}'s copy is spread out, the best guess drawn in."


# Who is exposed


def _exposed(picture: TrustResult, model: Model) -> pd.DataFrame:
    found = picture.exposed
    if found is None:
        return pd.DataFrame()
    common, others = "people whose value is common", "others"
    table = pd.DataFrame({"from": found.edges[:-1], "to": found.edges[1:], common: found.common, others: found.others})
    top = float(max(found.common.max(), found.others.max(), 0.01))
    return with_looks(table, Looks(
        ("from", "to"), {common: Look(colours.ORIGINAL, mark="area"), others: Look(colours.GUESS, width=3)},
        Axis("how often their value is guessed", share=True, low=0.0, high=1.0),
        Axis(f"share of {_subject(picture, model).noun}", share=True, low=0.0, high=1.1 * top),
        uprights=(Mark(found.exposure.average, "average"),),
    ))  # fmt: skip


def _exposed_caption(
    picture: TrustResult, model: Model, say: Callable[[Exposed, TrustResult, words.Subject], str] = words.exposed
) -> str:
    if picture.exposed is not None:
        return say(picture.exposed, picture, _subject(picture, model))
    if not picture.settings.coalition:
        return TICK
    if picture.settings.kind != "absolute":
        return "Risks are those of one value: let a hit be a guess of this value."
    if picture.settled(model):
        return "The copies hold, or give away, the data themselves: everybody is exposed."
    return "Being measured on many people …"


# How close the guesses come


def _lines(picture: TrustResult) -> Iterator[tuple[str, AttackResult, Look]]:
    """Name, result and look of every curve of errors."""
    settings = picture.settings
    if not all(one.tally.rows for one in (*picture.alone.values(), *picture.together.values())):
        return  # a picture that was made when nobody looked at what is measured
    for result in list(picture.alone.values())[:1]:
        best = most_trusted(settings.coalition)
        yield f"{best.name} alone", result, Look(best.colour, width=4)
    for name, result in picture.together.items():
        label = "together" if len(settings.attackers) == 1 else f"together, {ATTACKERS[name]}"
        # Broken lines, so that one that lies on "alone" lets it shine through.
        yield label, result, Look(attacker_colour(name, settings.scheme), dash=attackers.of(name).dash)
    if picture.rival is not None:
        scheme = picture.rival.attack.scheme
        name = f"together, if the noise were {schemes.adjective(scheme)}"
        yield name, picture.rival, Look(schemes.of(scheme).colour)


def _errors(picture: TrustResult, model: Model, cumulative: bool) -> pd.DataFrame:
    people, settings, subject = model.population, picture.settings, _subject(picture, model)
    edges = np.linspace(0, people.error_range(people.index(settings.attribute)), ERROR_BINS + 1)
    curves = list(_lines(picture))
    at: str | tuple[str, str]
    if cumulative:
        places, at = {"error at most": edges}, "error at most"
        heights = {name: result.tally.cumulative for name, result, _ in curves}
        top, what = 1.02, "share guessed that closely"
    else:
        places, at = {"from": edges[:-1], "to": edges[1:]}, ("from", "to")
        heights = {name: result.tally.counts / result.tally.rows for name, result, _ in curves}
        top, what = 1.1 * max([0.01, *(one.max() for one in heights.values())]), "share at this error"
    unit = f" ({subject.unit})" if subject.unit else ""
    return with_looks(pd.DataFrame(places | heights), Looks(
        at, {name: look for name, _, look in curves},
        Axis(f"error of the guess{unit}", low=0.0, high=float(edges[-1]) or 1.0),
        Axis(what, share=True, low=0.0, high=float(top)),
        uprights=(Mark(not_none(settings.eps), "a hit", dash="dotted"),) if settings.kind == "absolute" else (),
    ))  # fmt: skip


# Every coalition


def _coalitions(picture: TrustResult, model: Model) -> pd.DataFrame:
    found = picture.coalitions
    if found is None:
        return pd.DataFrame()
    every = coalition_rows(picture.settings.recipients)
    table = pd.DataFrame([
        row | {f"explained, {scheme}": 1 - float(errors[mask]) for scheme, errors in found.items()}
        for mask, row in every
    ])  # fmt: skip
    return with_looks(table, Looks(
        "coalition", {f"explained, {scheme}": look for scheme, look in of_schemes(found).items()},
        Axis("variance explained", share=True, low=0.0, high=1.0),
        more={"sizes": "members", "masks": [mask for mask, _ in every]},
    ))  # fmt: skip


# Attacker by attacker


def _attackers(picture: TrustResult, model: Model) -> pd.DataFrame:
    """Every attacker: those who are ticked, those who are not, and the average."""
    people, scheme = model.population, picture.settings.scheme
    if not all(one.tally.rows for one in picture.together.values()):
        return pd.DataFrame()  # a picture that was made when nobody looked at what is measured
    unit = people.scaled_covariance.trace() / people.columns if people.common_unit else None
    results = {name: (picture.together | picture.unticked).get(name) for name in ATTACKERS}
    named = [(name, ATTACKERS[name], name in picture.together, one) for name, one in results.items() if one is not None]
    if picture.guess is not None:
        named.append(("guess", "guesses the average", False, picture.guess))
    table = pd.DataFrame([
        {"an attacker who": text, "ticked": ticked, "error": one.tally.error, "expected": one.theory,
         "expected approximately": one.approximate, "tolerance": one.tolerance, "agrees": one.agrees,
         "hits": one.tally.breach_rate, "hits expected": one.theory_breach}
        | ({} if unit is None else {"mean square error": one.tally.error * unit})
        for _, text, ticked, one in named
    ])  # fmt: skip
    return with_looks(table, Looks(
        "an attacker who", {"error": Look(colours.GUESS, "explained", mark="block")},
        Axis("variance explained by an attacker who …", share=True, low=0.0, high=1.0),
        more={"colours": [attacker_colour(name, scheme) for name, *_ in named]},
    ))  # fmt: skip


# What an honest analyst still gets


def _usefulness(picture: TrustResult, model: Model) -> pd.DataFrame:
    found = picture.usefulness
    return pd.DataFrame([] if found is None else [
        {"figure": one.name, "original": one.true}
        | {r.name: one.copies[r.number] for r in picture.settings.recipients}
        | {"correct without correction": one.kept}
        for one in found.statistics
    ])  # fmt: skip


def _usefulness_caption(picture: TrustResult, model: Model) -> str:
    if picture.usefulness is None:
        return ""
    subject = _subject(picture, model)
    return (
        f"{escape(subject.axis)}, from {count(picture.usefulness.rows)} {escape(subject.noun)} of each copy. "
        "* the noise moves this figure, and an analyst must correct it."
    )


# What stands out of the noise


def _spectrum(picture: TrustResult, model: Model) -> pd.DataFrame:
    seen = picture.spectrum
    if seen is None:
        return pd.DataFrame()
    places = np.arange(len(seen.released))
    table = pd.DataFrame({
        "component": places + 1, "combined copy": seen.released, "data in it": seen.data_within,
        "noise in it": seen.noise_within, "kept as strong component": np.asarray(seen.components_within, dtype=bool),
        "kept by the filter": places < seen.kept_by_filter,
    })  # fmt: skip
    top = float(np.max([seen.released[0], np.max(seen.noise_within), seen.band[1], 1e-300]))
    floor = _floor(np.concatenate([seen.released, seen.noise_within]), top)
    # Strips below what is shown: each takes a twelfth of the height, which is logarithmic.
    strip = (1.6 * top / floor) ** (1 / 12)
    looks = {
        "combined copy": Look(colours.SPECTRUM["released"], "the combined copy", mark="dot"),
        "data in it": Look(colours.ORIGINAL, "in it, the data" if picture.settings.informed
                           else "in it, the data, as estimated", width=2.5),
        "noise in it": Look(colours.SPECTRUM["noise"], "in it, the noise", "dotted", 2.5),
        **{column: Look(colour, name, mark="block") for column, (name, colour) in STRIPS.items()},
    }  # fmt: skip
    low, high = max(seen.band[0], floor), max(seen.band[1], floor)
    kept = {"kept as strong component": seen.components_within, "kept by the filter": table["kept by the filter"]}
    return with_looks(table, Looks(
        "component", looks, Axis("component, the strongest first", low=0.4, high=len(places) + 0.6),
        Axis("variance", log=True, low=floor / strip ** len(STRIPS), high=1.6 * top),
        band=(low, high, "what white noise alone would give") if seen.band[1] > 0 else None,
        more={"floor": floor, "strips": {column: floor / strip ** (place + 0.6) for place, column in enumerate(STRIPS)},
              "kept": {column: np.asarray(shares, dtype=float) for column, shares in kept.items()}},
    ))  # fmt: skip


def _floor(values: np.ndarray, top: float) -> float:
    """The lowest variance that is shown: well below all that is seen, but no more than four decades down."""
    positive = values[values > 0]
    low = positive.min() if positive.size else top / 10
    return float(max(low / 5, top * 1e-4))


def _spectrum_caption(picture: TrustResult, model: Model) -> str:
    if picture.spectrum is not None:
        return words.spectrum(picture, model.population.common_unit)
    waits = not picture.complete and picture.settings.coalition
    return "" if waits else "Tick a recipient: the spectrum is that of their copies, put together."


# Differential privacy


def _person_caption(picture: TrustResult, model: Model) -> str:
    if picture.person is None:
        return ""
    say = words.person_path if picture.scenario.view.person_as == "path" else words.person
    return say(picture.person, picture.settings, _subject(picture, model))


def _differential(picture: TrustResult, model: Model) -> differential.Differential | None:
    return differential.differential(model, picture.scenario)


def _tested(picture: TrustResult, model: Model) -> str:
    told = _differential(picture, model)
    return TICK if told is None else best_test(told)


CARDS = (
    Card("person", "One person", _person,
         _person_caption,
         "trust.person", texts.PERSON, live="belief", opens=True, records=True),
    Card("person_path", "One person, on the path", _path,
         lambda p, m: "" if p.person is None else words.person_path(p.person, p.settings, _subject(p, m)),
         "charts.curves", texts.PERSON, live="journey", records=True, within="person"),
    Card("twenty", "Twenty people", **made_of(_twenty),
         caption=lambda p, m: words.twenty(p.twenty, p.settings, _subject(p, m)),
         plot="charts.people", help=texts.TWENTY, live="twenty", records=True, within="person"),
    Card("pooling", "As more of them pool", **made_of(_joining), caption=_joining_caption,
         plot="charts.bars", help=texts.JOINING, live="pooling", opens=True),
    Card("everyone", "Everyone at once", **made_of(_copies), caption=_held_caption,
         plot="charts.curves", help=texts.COPIES, live="lines"),
    Card("everyone_cloud", "Everyone at once, two attributes", _cloud, _cloud_caption,
         "charts.clouds", texts.COPIES, live="cloud", records=True, within="everyone"),
    Card("exposed", "Who is exposed", _exposed, _exposed_caption,
         "charts.curves", texts.EXPOSED, live="lines",
         short=lambda p, m: _exposed_caption(p, m, words.most_exposed)),
    Card("closeness", "How close the guesses come", lambda p, m: _errors(p, m, cumulative=True),
         lambda p, m: words.closeness(p, _subject(p, m)),
         "charts.curves", texts.CLOSENESS, live="lines"),
    Card("closeness_histogram", "How many guesses at each error", lambda p, m: _errors(p, m, cumulative=False),
         lambda p, m: words.closeness(p, _subject(p, m), cumulative=False),
         "charts.curves", texts.CLOSENESS, live="lines", within="closeness"),
    Card("coalitions", "Every coalition", _coalitions,
         lambda p, m: "" if p.coalitions is None else words.coalitions(p),
         "charts.coalitions", texts.COALITIONS, live="pooling"),
    Card("attackers", "Attacker by attacker", _attackers, lambda p, m: contest.caption(p, m.population),
         "trust.attackers", texts.CONTEST, live="standings", tab="Attackers",
         short=lambda p, m: contest.caption(p, m.population)),
    Card("usefulness", "What an honest analyst still gets", _usefulness, _usefulness_caption,
         "charts.written", tab="What an honest analyst gets", live="table"),
    Card("classifiers", "What a classifier still learns", lambda found, m: found,
         plot="trust.classifiers", help=texts.UTILITY, within="usefulness", asked=True),
    frontier_card(texts.TRADEOFF),
    map_card(texts.MAP),
    Card("differential", TITLE, lambda p, m: growth_table(_differential(p, m)),
         lambda p, m: differential.caption(_differential(p, m), _subject(p, m)),
         "charts.curves", texts.DIFFERENTIAL, live="lines", tab="Differential privacy"),
    Card("differential_tests", "False alarms and misses", lambda p, m: alarms_table(_differential(p, m)), _tested,
         "charts.curves", texts.DIFFERENTIAL, live="lines", within="differential"),
    Card("spectrum", "What stands out of the noise", _spectrum, _spectrum_caption,
         "trust.spectrum", texts.SPECTRUM, expert=True, live="spectrum",
         short=lambda p, m: "" if p.spectrum is None else words.strong_directions(p)),
)  # fmt: skip
