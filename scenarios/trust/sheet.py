"""The Trust page on paper."""

import numpy as np
import pandas as pd

from trustscope import colours
from trustscope.scenarios.figures import Figures
from trustscope.scenarios.papers.picture import beams, dots, level, line, panel, rows, steps, upright
from trustscope.scenarios.report.sheet import JUDGED, KEYED, Plot, Sheet, required, spoken
from trustscope.scenarios.trust import contest, words
from trustscope.scenarios.trust.figures import lines
from trustscope.scenarios.trust.run import ERROR_BINS
from trustscope.scenarios.trust.scenario import ATTACKERS
from trustscope.scenarios.whole import Whole
from trustscope.scenarios.words import count, listed, share

ASSUMED = (
    "The attackers know how the copies were made: the levels, the scheme and the shape of the noise. Only the noise "
    "itself is secret.",
    "Errors are mean square errors over all released attributes, where guessing the average gives 1; each attribute "
    "counts in units of its standard deviation unless all have one unit.",
    "Linear theory is exact for means and covariances whatever the distribution. An attacker who uses more of the "
    "distribution than its mean and covariance may do better than the linear ones.",
    "What can be guessed without any copy is stated beside every share of hits: a copy is not to blame for it.",
    "Classifiers on the copies are measured on the page on request, and are not part of this report.",
)


def sheet_of(found: Whole, figures: Figures) -> Sheet:
    """Settings, pictures, attackers and assumptions."""
    picture, people = found.picture, found.model.population
    subject = words.subject_of(people, picture.settings.attribute)
    table = figures.tables["Attacker by attacker"]
    told = (
        f"All attackers on the copies of the coalition, those that are not ticked as well. "
        f"{spoken(contest.caption(picture, people))}"
    )
    return Sheet(
        (*_settings(picture, subject), *required(figures)),
        tuple(_plots(found, subject)),
        (told, table),
        (*ASSUMED, JUDGED, KEYED),
    )


def _settings(picture, subject) -> tuple[tuple[str, str], ...]:
    s = picture.settings
    who = [r.name for r in s.coalition]
    return (
        ("Recipients", "; ".join(f"{r.name}: trust {r.trust} %" for r in s.recipients)),
        ("Who pools", listed(who) if who else "nobody"),
        ("Noise", f"{s.scheme}. {words.SCHEME_WORDS[s.scheme]}"),
        ("Shape of the noise", f"{words.shape_name(s.similarity)}. {words.shape(s.similarity)}"),
        ("Attackers that are ticked", listed([f"one who {ATTACKERS[name]}" for name in s.attackers])),
        ("What they know", "mean and covariance of the data" if s.informed else "what they estimate from the copies"),
        ("Rows that learning attackers learn from", count(s.sample)),
        ("A hit", words.hit_line(s, subject)),
        ("Attribute looked at", subject.axis),
        ("Seed", str(picture.scenario.seed)),
    )


def _plots(found, subject):
    picture, people = found.picture, found.model.population
    if picture.joining is not None:
        yield Plot("As more of them pool", spoken(words.joining(picture.joining, picture.settings, subject)),
                   _joining(picture))  # fmt: skip
    yield Plot("Everyone at once", spoken(words.held(picture.held, picture, subject)), _copies(picture, subject))
    if picture.together:
        yield Plot("How close the guesses come", spoken(words.closeness(picture, subject)),
                   _closeness(picture, people, subject))  # fmt: skip
    yield Plot("Every coalition", spoken(words.coalitions(picture)), _coalitions(picture))
    if picture.together:
        yield Plot("Attacker by attacker", "Share of the variance that each attacker explains.", _attackers(picture))
    yield Plot("What an honest analyst still gets", f"{subject.axis}: figures of each copy beside the true ones.")
    if picture.spectrum is not None:
        yield Plot("What stands out of the noise", spoken(words.spectrum(picture, people.common_unit)),
                   _spectrum(picture.spectrum))  # fmt: skip


def _joining(picture):
    found = picture.joining
    places = np.arange(len(found.order))
    layers = [
        beams(found.rates[scheme], places + (i - 0.5) * 0.38, colours.SCHEMES[scheme], scheme, width=0.36)
        for i, scheme in enumerate(found.rates)
    ]
    names = [f"{'+ ' if place else ''}{r.name}" for place, r in enumerate(found.order)]
    return rows(names, [*layers, upright(found.without)], x="hits (dashed: without any copy)", shares=True)


def _copies(picture, subject):
    held, rows_ = picture.held, picture.rows
    left, right = held.edges[:-1], held.edges[1:]
    layers = [steps(left, right, held.original / rows_, colours.ORIGINAL, "original")]
    middle = (left + right) / 2
    layers += [line(middle, held.copies[r.number] / rows_, r.colour, r.name) for r in picture.settings.recipients]
    if held.guess.any():
        layers.append(line(middle, held.guess / rows_, colours.GUESS, "best guess", dash="dashed", width=3))
    return panel(layers, x=subject.axis, y="share of rows", shares=True, y_range=(0, None))


def _closeness(picture, people, subject):
    settings = picture.settings
    edges = np.linspace(0, people.error_range(people.index(settings.attribute)), ERROR_BINS + 1)
    layers = []
    for name, result in lines(picture).items():
        attack = result.attack
        alone = name.endswith(" alone") and len(attack.who) == 1
        colour = settings.best.colour if alone else colours.ATTACKERS.get(
            attack.attacker, colours.SCHEMES[attack.scheme]
        )  # fmt: skip
        layers.append(line(edges, result.tally.cumulative, colour, name, width=3 if alone else 2))
    if settings.kind == "absolute":
        layers.append(upright(settings.eps))
    unit = f" ({subject.unit})" if subject.unit else ""
    return panel(layers, x=f"error of the guess{unit}", y="share guessed that closely", shares=True, y_range=(0, 1.02))


def _coalitions(picture):
    who = len(picture.settings.recipients)
    masks = np.arange(1, 2**who)
    sizes = np.array([int(mask).bit_count() for mask in masks], dtype=float)
    layers = []
    for i, (scheme, every) in enumerate(picture.coalitions.items()):
        explained = 1 - np.asarray(every, dtype=float)[masks]
        layers.append(dots(sizes + (i - 0.5) * 0.2, explained, colours.SCHEMES[scheme], scheme, size=6))
    ticks = [(size, str(size)) for size in range(1, who + 1)]
    return panel(layers, x="recipients in the coalition", y="variance explained", ticks=ticks, shares=True,
                 y_range=(0, 1.02))  # fmt: skip


def _attackers(picture):
    everyone = picture.together | picture.unticked
    names = [name for name in ATTACKERS if name in everyone]
    explained = [min(max(1 - everyone[name].tally.error, 0.0), 1.0) for name in names]
    ticked = np.array([name in picture.together for name in names])
    places = np.arange(len(names))
    values = np.array(explained)
    layers = [
        beams(values[some], places[some], colour, label)
        for some, colour, label in ((ticked, colours.GUESS, "ticked"), (~ticked, colours.NEUTRAL, "not ticked"))
        if some.any()
    ]
    shown = [f"{ATTACKERS[name]}: {share(value)}" for name, value in zip(names, explained, strict=True)]
    return rows(shown, layers, x="variance explained by an attacker who …", top=1.0, shares=True)


def _spectrum(seen):
    places = np.arange(1, len(seen.released) + 1)
    return panel(
        [
            dots(places, seen.released, colours.SPECTRUM["released"], "the combined copy"),
            line(places, seen.data_within, colours.ORIGINAL, "in it, the data"),
            line(places, seen.noise_within, colours.SPECTRUM["noise"], "in it, the noise", dash="dotted"),
            level(seen.band[1]),
        ],
        x="component (dashed: the most that white noise would give)", y="variance", y_range=(0, None),
    )  # fmt: skip


def frame_of(found: Whole) -> pd.DataFrame:
    """The columns that are perturbed, with their statistics."""
    people = found.model.population
    return pd.DataFrame({
        "column": list(people.names), "unit": [people.unit_names.get(name, "") for name in people.names],
        "mean": people.mean, "standard deviation": people.sd,
    })  # fmt: skip
