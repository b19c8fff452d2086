"""The Categories page on paper."""

import numpy as np
import pandas as pd

from trustscope import colours
from trustscope.scenarios.categories import promise as promises
from trustscope.scenarios.categories import words
from trustscope.scenarios.categories.figures import MEASURES, looked_at
from trustscope.scenarios.categories.scenario import PRIORS, SCHEMES
from trustscope.scenarios.categories.verdict import doubt, measure_of, value
from trustscope.scenarios.figures import Figures
from trustscope.scenarios.papers.picture import beams, dots, level, line, panel, rows, upright, whiskers
from trustscope.scenarios.report.sheet import JUDGED, KEYED, Plot, Sheet, required, spoken
from trustscope.scenarios.whole import Whole
from trustscope.scenarios.words import listed

ASSUMED = (
    "The attacker knows how the copies were made and weighs everything by Bayes' rule: nobody can guess right more "
    "often, knowing as much beforehand.",
    "Figures with a standard error were drawn, because listing all combinations of values would take too long.",
    "A promise is judged for the worst belief that anybody could have beforehand, not for the one that is set.",
    "Only the sensitive column is perturbed. What the other columns, which are released as they are, tell about it is "
    "not part of these figures.",
)
BELIEFS = np.linspace(0, 1, 101)
MOST_ROWS = 31  # values with a row of their own


def sheet_of(found: Whole, figures: Figures) -> Sheet:
    """Settings, pictures, attackers and assumptions."""
    return Sheet(
        (*_settings(found), *required(figures)),
        tuple(_plots(found, figures)),
        _attackers(found),
        (*ASSUMED, JUDGED, KEYED),
    )


def _settings(found):
    s, model = found.picture.settings, found.model
    who = [r.name for r in s.coalition]
    return (
        ("Sensitive column", f"{model.column.name}, {model.size} values"),
        ("Recipients", "; ".join(f"{r.name}: keeps {r.trust} %" for r in s.recipients)),
        ("Who pools", listed(who) if who else "nobody"),
        ("Copies", f"{s.scheme}. {words.SCHEME_WORDS[s.scheme]}"),
        ("What the attacker knows beforehand", f"{PRIORS[s.prior]}. {words.PRIOR_WORDS[s.prior]}"),
        ("Promise", f"What was believed less than {s.promise.rho1} % is never believed more than {s.promise.rho2} %; "
                    f"no belief grows by more than {s.promise.delta} points."),
        ("Seed", str(found.scenario.seed)),
    )  # fmt: skip


def _attackers(found):
    """The same attacker, knowing more or less beforehand."""
    picture, model = found.picture, found.model
    if picture.joining is None:
        return None
    made = []
    for prior, known in PRIORS.items():
        settings = picture.settings.having({"prior": prior})
        joining = model.joining(settings)
        row = {"an attacker who knows": known, "chosen": prior == picture.settings.prior}
        for name, one in (("best copy alone", joining.alone), ("together", joining.last(settings.scheme))):
            row |= {f"{label}, {name}": getattr(one, which) for which, label in MEASURES.items()}
        made.append(row)
    return "There is one attacker, the best there can be; what they know beforehand differs.", pd.DataFrame(made)


def _plots(found, figures):
    picture, model = found.picture, found.model
    joining = picture.joining
    if joining is not None:
        measure = measure_of(joining)
        error = max(doubt(one, measure) for one in joining.figures["independent"])
        caption = words.joining(joining, picture.settings, measure, model.noun, error)
        yield Plot("As more of them pool", spoken(caption), _joining(figures, measure, joining))
    recipient = looked_at(picture)
    told = f"How frequent each value is in {recipient.name}'s copy, and estimated back from it."
    yield Plot("Everyone at once", told, _copy(figures, recipient))
    yield Plot("Every coalition", "What every coalition finds out.", _coalitions(picture))
    yield Plot("What is guaranteed", "The worst that copies can do to a belief, whatever was believed before.",
               _promises(picture, model, recipient))  # fmt: skip
    yield Plot("What an honest analyst gets", "A count, estimated from each copy, with its range.", _counts(figures))
    yield Plot("Theory and measurement", "Right guesses and belief, expected and measured on all rows.")
    if picture.further is not None:
        yield Plot("If ever more joined", spoken(words.further(picture.further)), _further(picture.further))
    yield Plot("What must be kept", spoken(words.memory(picture.memory, picture.settings)), _memory(figures))


def _joining(figures, measure, joining):
    table = figures.tables["As more of them pool"]
    places = np.arange(len(table))
    layers = [
        beams(table[f"{MEASURES[measure]}, {s}"], places + (i - 0.5) * 0.38, colours.SCHEMES[s], s, width=0.36)
        for i, s in enumerate(SCHEMES)
    ]
    names = [f"{'+ ' if place else ''}{name}" for place, name in enumerate(table["who joins"])]
    without = upright(value(joining.without, measure))
    return rows(names, [*layers, without], x=f"{MEASURES[measure]} (dashed: without any copy)", shares=True)


def _copy(figures, recipient):
    table = figures.tables["Everyone at once"].head(MOST_ROWS)
    places = np.arange(len(table))
    return rows(
        table["value"],
        [
            beams(table["as it was"], places - 0.2, colours.ORIGINAL, "as it was", width=0.36),
            beams(table.iloc[:, 2], places + 0.2, recipient.colour, f"as {recipient.name} holds it", width=0.36),
            dots(table["estimated back"], places, colours.GUESS, "estimated back"),
        ],
        x="share of rows", shares=True,
    )  # fmt: skip


def _coalitions(picture):
    measure = "right" if picture.joining is None else measure_of(picture.joining)
    who = len(picture.settings.recipients)
    masks = range(1, 2**who)
    sizes = np.array([mask.bit_count() for mask in masks], dtype=float)
    layers = [
        dots(sizes + (i - 0.5) * 0.2, [value(picture.coalitions[s][mask], measure) for mask in masks],
             colours.SCHEMES[s], s, size=6)
        for i, s in enumerate(SCHEMES)
    ]  # fmt: skip
    return panel(layers, x="recipients in the coalition", y=MEASURES[measure], shares=True, y_range=(0, 1.02),
                 ticks=[(size, str(size)) for size in range(1, who + 1)])  # fmt: skip


def _promises(picture, model, recipient):
    judged = promises.judge(picture.settings, model.size, recipient)
    lines = [(f"{recipient.name} alone", recipient.colour, judged.one.gamma),
             ("the worst coalition", colours.SCHEMES[picture.settings.scheme], judged.worst.gamma)]  # fmt: skip
    layers = [line(BELIEFS, BELIEFS, colours.NEUTRAL, "believed before", dash="dotted")]
    layers += [line(BELIEFS, promises.raised(BELIEFS, gamma), colour, name) for name, colour, gamma in lines]
    layers.append(upright(picture.settings.promise.rho1 / 100))
    return panel(
        layers, x="believed before (dashed: rho one)", y="can be believed after", shares=True, y_range=(0, 1.02)
    )


def _counts(figures):
    table = figures.tables["What an honest analyst gets"]
    if table.empty:
        return None
    places = np.arange(len(table))
    half = (table["high"] - table["low"]) / 2
    layers = [level(table["true count"].iloc[0]),
              whiskers(places, (table["low"] + table["high"]) / 2, half, colours.GUESS),
              dots(places, table["estimate"], colours.GUESS, "estimated, with its range")]  # fmt: skip
    ticks = [(place, name[:10] if len(table) <= 6 else str(place + 1)) for place, name in enumerate(table["copy"])]
    return panel(layers, x="copy (dashed: the true count)", y="count", ticks=ticks)


def _further(found):
    layers = []
    for scheme in SCHEMES:
        expected = found.expected[scheme]
        layers.append(line(np.arange(len(expected)), expected, colours.SCHEMES[scheme], scheme))
        measured = [tally.mean for tally in found.measured[scheme]]
        layers.append(dots(np.arange(1, len(measured) + 1), measured, colours.SCHEMES[scheme]))
    return panel(
        layers, x="how many pool (dots: measured)", y="belief in the true value", shares=True, y_range=(0, 1.02)
    )


def _memory(figures):
    table = figures.tables["What must be kept"]
    amounts = table["values for one person"]
    return rows(table["kept"], [beams(amounts, np.arange(len(table)), colours.NEUTRAL)], x="values kept for one person")


def frame_of(found: Whole) -> pd.DataFrame:
    """The sensitive column, with the share of each value."""
    column, shares = found.model.column, found.model.shares
    order = np.argsort(-shares, kind="stable")
    return pd.DataFrame({f"value of {column.name}": [column.labels[i] for i in order], "share of rows": shares[order]})
