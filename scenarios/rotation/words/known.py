"""What is said of the second step: an insider who knows a few of the records."""

from html import escape

import numpy as np

from trustscope.engine.attacks.known_input import breach_probability
from trustscope.scenarios.rotation.records import Records
from trustscope.scenarios.rotation.result import Known
from trustscope.scenarios.rotation.words.common import (
    CERTAIN,
    GAIN,
    NO_RECORD,
    ONLY_LENGTH,
    Cell,
    agreement,
    also_by_value,
    by_value,
    more,
    only_length,
    only_values,
    ordinal,
    these,
    verb,
    within,
)
from trustscope.scenarios.statement import LEAK, QUIET, SAFE, Headline
from trustscope.scenarios.value import not_none
from trustscope.scenarios.words import count, in_app, number_word, plain, sentence, share

MUCH_OF_ONE = {True: 0.9, False: 0.5}  # of one record's values, or its probability: somebody must be named


def headline(p: Known, records: Records, shifted: bool) -> Headline:
    """What the insider recovers of the others."""
    number, before, after = len(p.linked), p.without.rate, p.found
    label = (
        f"{within(p.settings, records)}: guessing → {f'knowing {these(number, records)}' if number else 'the insider'}"
    )
    figures = share(before), share(after), label
    note = _note(p, records, shifted)
    if p.exposed is None:
        return Headline("The insider knows everybody: nothing is left to guess.", *figures, note=note, tone=LEAK)
    gain = after - before
    if not number:
        gained = gain > GAIN
        title = (
            "An insider who knows nobody can still guess." if gained else "An insider who knows nobody learns nothing."
        )
        return Headline(title, *figures, note=note, tone=LEAK if gained else QUIET)
    who = sentence(these(number, records))
    if after > CERTAIN and not p.attack.freedom:
        title = f"{who} {verb(number, 'undo', 'undoes')} the rotation: every other record is recovered."
        return Headline(title, *figures, note=note, tone=LEAK)
    if gain <= GAIN:
        title, tone = f"Knowing {these(number, records)}, an insider learns no more than by guessing.", SAFE
        if any(only_values(one, p.without, p.settings, records) for one in p.attributes.values()):
            title, tone = NO_RECORD.format(noun=records.noun), LEAK
        elif p.highest >= MUCH_OF_ONE[p.settings.kind == "value"] > p.without.record[p.exposed]:
            title, tone = f"Knowing {these(number, records)} tells little of most, but much of some.", LEAK
        return Headline(title, *figures, note=note, tone=tone)
    title = f"Knowing {these(number, records)}, an insider recovers {more(gain)} than by guessing."
    if all(only_length(gain, one, p.without, p.settings, records) for one in p.attributes.values()):
        title = ONLY_LENGTH.format(noun=records.noun)
    return Headline(title, *figures, note=note, tone=LEAK)


def _note(p: Known, records: Records, shifted: bool) -> str:
    """Who was found, what that tells, and who is most exposed."""
    number, linked, free = len(p.linked), sum(p.linked.values()), p.attack.freedom
    if not number:
        text = "Without a single known record every rotation is equally likely. Tell the insider a few."
    elif not linked:
        why = "two points can always be exchanged" if shifted and number < 3 else "several rows fit them"
        text = (
            f"The insider looks for rows at the right distances from one another, but {why}: none is found for certain."
        )
    else:
        all_of_them = verb(number, "all of them", "it") if linked == number else f"{number_word(linked)} of them"
        known = records.columns - free
        text = (
            f"The insider finds {all_of_them} among {count(records.rows)} shuffled rows by distances alone. That "
            f"settles {known} of {records.columns} directions{'' if free else ', which is everything'}."
        )
    if p.exposed is not None and free and p.highest > p.without.rate + GAIN:
        text += f" {_most_exposed(p, records)}"
    if p.leader == "others" and free and p.found > p.without.rate:
        paper = max(p.means["uniform"], p.means["projection"])
        text += (
            f" Judged by the best guess of an insider who also knows {count(len(records.pool))} other {records.noun}; "
            f"without them {share(max(paper, p.without.rate))} would be hit."
        )
    best = max(p.attributes.values(), key=lambda one: by_value(one, p.without, records)[1])
    return text + also_by_value(best, p.without, p.settings, records)


def _most_exposed(p: Known, records: Records) -> str:
    """The record that is easiest to guess, and why where that is not by what is known of others."""
    what = f"{share(p.highest)} of the values" if p.settings.kind == "value" else _sure(p.highest, p.draws)
    because = ""
    private = records.private[p.exposed]
    if not private.any():
        because = " (all its values are zero, and turned they stay so)"
    elif any(np.array_equal(private, records.private[place]) for place in p.linked):
        because = " (the same as one that is known)"
    return f"Most exposed: {ordinal(records, not_none(p.exposed))}, {what}{because}."


def _sure(chance: float, draws: int) -> str:
    if chance > 1 - 1e-9:
        return f"hit in all {draws} drawn rotations" if draws else "hit for certain"
    return f"hit with probability {share(chance)}"


# Captions


def links(p: Known, records: Records, most: int) -> str:
    """The lines between the clouds."""
    number, linked = len(p.linked), sum(p.linked.values())
    if not number:
        return f"The insider knows nobody. {in_app('Click dots of the data, or move the slider, to tell some.')}"
    if number == 1:
        sure = "linked</b> to a released row, without doubt" if linked else "not linked</b>"
        text = f"The known {records.one} is <b>{sure}."
    else:
        are = verb(linked, "are", "is")
        text = f"<b>{linked}</b> of <b>{number}</b> known {records.noun} {are} linked, without doubt."
    if linked < number:
        others = "It" if number == 1 else "The other" if number - linked == 1 else "Each other"
        text += f" {others} could be one of {count(int(p.attack.links.candidates.max()))} rows."
    if not p.attack.links.complete:
        text += " The search was broken off: there may be more."
    if number >= most:
        return f"{text} More need not be known here{in_app(': click a blue dot to take one back')}."
    return f"{text} {in_app('Click a dot of the data to make that person known, and again to take it back.')}"


def growth(p: Known, records: Records) -> str:
    """More known, or fewer."""
    if p.growth is None:
        return "Working out what more known records, or fewer, would give away …"
    text = f"{sentence(within(p.settings, records))}, of all who are not known."
    every = next((a for a, best in zip(p.growth.known, p.growth.best, strict=True) if best > CERTAIN), None)
    if not p.growth.complete:
        return f"{text} Working out what knowing other people adds …"
    if every is None:
        return f"{text} Even the largest number here does not give everything away."
    if every == 0:
        return f"{text} Everything is given away even if nobody is known."
    return f"{text} <b>{sentence(these(every, records))}</b> {verb(every, 'give', 'gives')} everything away."


def exposed(p: Known, records: Records) -> str:
    """The distribution over records."""
    best = p.best
    judged = best[~np.isnan(best)]
    if not len(judged):
        return "There is nobody left to guess."
    half, all_but = np.mean(judged >= 0.5), np.mean(judged > CERTAIN)
    if p.settings.kind == "value":
        return (
            f"Of <b>{share(half)}</b> of the other {records.noun} at least half of the values are recovered, of "
            f"<b>{share(all_but)}</b> all, by whichever guess is best for them. The uniform guess takes any rotation "
            "that fits; the projection takes what is known and leaves the rest at zero; who knows other people looks "
            "for those who fit."
        )
    always = f"in all {p.draws} drawn rotations" if p.draws else "for certain"
    return (
        f"<b>{share(half)}</b> of the other {records.noun} are hit with probability 50 % or more, "
        f"<b>{share(all_but)}</b> {always}. The uniform guess takes any rotation that fits; the projection takes what "
        f"is known and leaves the rest at zero: it hits <b>{share(p.means['projection'])}</b>."
    )


def closeness(p: Known, records: Records) -> tuple[str, str, str]:
    """Caption of the curve by closeness, and the mark of theory against drawn rotations: its state and tolerance."""
    found = p.closeness
    if found is None:
        return "Drawing rotations …", "", ""
    who = sentence(these(len(p.linked), records))
    text = f"{who} known: share of hits over the others, as guesses may be further off."
    if found.drawn is None:
        return text, "", ""
    drawn = share(found.drawn.mean)
    tries = len(found.drawn.tries)
    if not p.closed:
        return f"{text} There is no closed form here: {tries} rotations were drawn, which gives {drawn}.", "", ""
    if tries == 1:
        return f"{text} Nothing is left to draw: expected and found are both {drawn}.", "", ""
    state, by = agreement(found.expected, found.drawn, found.rows)
    return f"{text} Uniform guess: expected {share(found.expected)}, in {tries} drawn rotations {drawn}", state, by


def sphere(p: Known, records: Records, place: int | None) -> str:
    """What the picture means for one record."""
    if place is None:
        return "There is nobody left to guess."
    if not p.attack.informed:
        return "No link, no picture: the insider does not even know where the centre is."
    free, who = p.attack.freedom, escape(sentence(ordinal(records, place)))
    if free == 0:
        return f"{who}: nothing is left to guess, the links determine the rotation."
    how = "two points are left" if free == 1 else f"a sphere in {free} dimensions is left"
    return (
        f"{who}: of what is not known of it, {how}, and one guess is as good as another. The chord is the straight "
        "line from the record to a guess: a guess hits if its chord is short enough (orange)."
    )


def parts(p: Known, place: int, angles: np.ndarray, chord: float) -> list[list[Cell]]:
    """The rows beside the sphere."""
    free, norm, radius = p.attack.freedom, float(p.norms[place]), float(p.residuals[place])
    eps = not_none(p.settings.eps)
    reach = eps * norm
    expected = float(breach_probability(eps, norm, radius, free))
    close = float(np.mean(2 * np.sin(angles / 2) <= chord + 1e-9)) if free else 1.0
    return [
        ["length of the record", plain(norm)],
        ["of it unknown: radius r", plain(radius)],
        [f"allowed distance, {share(eps)} of its length", plain(reach)],
        ["free dimensions", str(free)],
        [
            "expected share of hits",
            ("certain" if expected > 1 - 1e-9 else share(expected), "bad" if expected > 0.05 else ""),
        ],
        [f"hits among {len(angles)} guesses at random", share(close) if free else "–"],
        ["projection (the foot): the known part alone", ("a hit", "bad") if radius <= reach else "too far off"],
    ]


def printed(freedom: int, corrected: float, wrong: float, drawn: tuple[float, float], chord: float) -> str:
    """Which formula the drawn rotations side with."""
    text = (
        f"The chance that a guess at random comes within a chord (a straight line from the truth) of {chord:.2f} "
        f"radii, in {freedom} dimensions: corrected <b>{share(corrected)}</b>, printed <b>{share(wrong)}</b>"
    )
    tolerance = 4 * drawn[1] + 1e-3
    close = abs(corrected - drawn[0]) <= tolerance, abs(wrong - drawn[0]) <= tolerance
    side = {(True, False): "they side with the corrected one", (True, True): "here the two agree"}
    return f"{text}, drawn <b>{share(drawn[0])}</b> ± {share(tolerance)}: {side.get(close, 'neither fits')}."
