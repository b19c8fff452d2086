"""What is said of the fourth step: a random projection instead of a rotation."""

import numpy as np

from trustscope.scenarios.rotation.records import Records
from trustscope.scenarios.rotation.result import Remedied
from trustscope.scenarios.rotation.words.common import (
    GAIN,
    NO_RECORD,
    ONLY_LENGTH,
    Cell,
    also_by_value,
    only_length,
    only_values,
    within,
)
from trustscope.scenarios.statement import LEAK, QUIET, SAFE, Headline
from trustscope.scenarios.value import not_none
from trustscope.scenarios.words import count, number_word, plain, share

PART = 0.5  # of what a rotation gives away: a remedy that leaves more is none


def headline(p: Remedied, records: Records) -> Headline:
    """Whether the remedy remedies: by what it gives away, beside what a rotation gives away."""
    before, one, rotated = p.without.rate, p.found, p.rotated
    gain, plain_gain = one - before, rotated - before
    label = f"{within(p.settings, records)}: guessing → through the remedy (plain rotation: {share(rotated)})"
    figures = share(before), share(one), label
    note = _note(p, records)
    if only_length(gain, p.one_matrix.hits.attributes, p.without, p.settings, records):
        return Headline(ONLY_LENGTH.format(noun=records.noun), *figures, note=note, tone=LEAK)
    luck = max(p.others.tries) - before > GAIN
    if gain <= GAIN and luck:
        return Headline("This matrix hides the values; others do not.", *figures, note=note, tone=LEAK)
    if gain <= GAIN and only_values(p.one_matrix.hits.attributes, p.without, p.settings, records):
        return Headline(NO_RECORD.format(noun=records.noun), *figures, note=note, tone=LEAK)
    if gain <= GAIN and plain_gain <= GAIN:
        title = "This sample undoes neither the rotation nor the remedy."
        return Headline(title, *figures, note=note, tone=QUIET)
    if plain_gain <= GAIN:
        return Headline("Here the remedy gives more away than the rotation.", *figures, note=note, tone=LEAK)
    if gain > PART * plain_gain:
        return Headline("The proposed remedy does not protect.", *figures, note=note, tone=LEAK)
    if gain > GAIN:
        return Headline("The proposed remedy helps, and still gives values away.", *figures, note=note, tone=LEAK)
    title = f"The remedy hides the values, but distances are {_off(p.one_matrix.spread)}."
    return Headline(title, *figures, note=note, tone=SAFE)


def _note(p: Remedied, records: Records) -> str:
    fresh, before = max(p.fresh.hits.rate, p.without.rate), p.without.rate
    text = (
        f"One secret matrix mixes all {records.noun} into {count(not_none(p.settings.dimensions))} columns; "
        f"distances are {_off(p.one_matrix.spread)}."
    )
    low, high = (max(one, before) for one in (min(p.others.tries), max(p.others.tries)))
    if share(low) != share(high):
        text += f" {number_word(len(p.others.tries)).capitalize()} matrices give {share(low)} to {share(high)}."
    gives = share(fresh) if fresh > before else "no more than guessing"
    text += f" A fresh matrix for each gives {gives}, and distances are {_off(p.fresh.spread)}."
    text += (
        f" Judged for a competitor with {count(p.sample)} other {records.noun}; who knows {count(records.columns)} of "
        "these, and their rows, solves for the one matrix."
    )
    return text + also_by_value(p.one_matrix.hits.attributes, p.without, p.settings, records)


def change(spread: float) -> str:
    """A relative change; beyond ten times a percentage says nothing."""
    return share(spread) if spread < 2 else f"{plain(round(spread, 1))} times" if spread < 10 else "many times"


def _off(spread: float) -> str:
    return f"off by {change(spread)}" + (" their size" if spread >= 2 else "")


def recovered(p: Remedied, records: Records, column: int) -> str:
    """Recovered through a projection."""
    part = p.one_matrix.hits.attributes[column]
    if np.isnan(part):
        return "This attribute is the same for all: there is nothing to recover."
    columns, near = count(not_none(p.settings.dimensions)), share(not_none(p.settings.eps))
    text = (
        f"A projection mixes the attributes into {columns} new columns. Through one matrix for "
        f"all, <b>{share(part)}</b> of these values are recovered to within {near} of their standard "
        f"deviation (guessing: {share(p.without.attributes[column])})."
    )
    if p.settings.kind != "value":
        text += f" Orange: {records.noun} that count as recovered, {share(p.one_matrix.hits.rate)}."
    return text


def lengths(p: Remedied) -> str:
    """The curve by the number of released columns."""
    done = len(p.curve["fresh"])
    if done < len(p.lengths):
        return f"Trying other numbers of columns … {done} of {len(p.lengths)}"
    return "More columns keep distances better, and bring one matrix nearer to a plain rotation."


def sides(p: Remedied) -> str:
    """What is kept, and what it costs."""
    if not p.neighbours:
        return "Looking for neighbours …"
    lost = p.neighbours["fresh"] < 0.1 and p.fresh.hits.rate <= p.without.rate + GAIN
    text = "What keeps distances keeps what the competitor goes by: axes, lengths, and where rows lie"
    return f"{text}; what hides these has lost the distances." if lost else f"{text}."


def side_rows(p: Remedied) -> list[tuple[str, list[Cell]]]:
    """The rows of the table of both sides: which release, what is recovered, distances, neighbours."""
    before = p.without.rate

    def cell(rate: float) -> tuple[str, str]:
        return share(rate), "bad" if rate > before + GAIN else "good"

    rows = []
    for which, part in (("one", p.one_matrix), ("fresh", p.fresh)):
        kept = p.neighbours.get(which)
        neighbours = "…" if kept is None else (share(kept), "bad" if kept < 0.05 else "")
        rows.append(
            (which, [cell(part.hits.rate), (change(part.spread), "bad" if part.spread > 0.5 else ""), neighbours])
        )
    return [*rows, ("rotation", [cell(p.rotation.rate), "0 %", "100 %"])]


def distances(p: Remedied) -> str:
    """Caption of distances before and after."""
    return (
        f"Each dot is a pair of records. Through one matrix their distances are {_off(p.one_matrix.spread)}, through a "
        f"fresh one for each {_off(p.fresh.spread)}; on the dotted line they are the same."
    )
