"""What is said of the third step: a competitor who has a sample of similar records."""

import numpy as np

from trustscope.scenarios.rotation.records import Records
from trustscope.scenarios.rotation.result import SURE, Sampled
from trustscope.scenarios.rotation.words.common import (
    GAIN,
    NEARLY_ALL,
    NO_RECORD,
    ONLY_LENGTH,
    Cell,
    also_by_value,
    more,
    only_length,
    only_values,
    verb,
    within,
)
from trustscope.scenarios.statement import LEAK, SAFE, Headline
from trustscope.scenarios.value import not_none
from trustscope.scenarios.words import count, counted, listed, number_word, plain, sentence, share

METHOD_NAMES = {"improved": "improved", "paper": "as in the paper"}


def headline(p: Sampled, records: Records) -> Headline:
    """What the competitor recovers: of this sample, which the pictures show; the others in the note."""
    s, before, after = p.settings, p.without.rate, p.found
    values = p.hits.attributes[records.varying].mean()
    figures = share(before), share(after), f"{within(s, records)}: guessing → with the sample"
    note, gain = _note(p, records), after - before
    if min(after, values) >= NEARLY_ALL and (p.right.all() or p.beyond_axes):
        title = f"A sample of {count(not_none(s.sample))} other {records.noun} undoes the rotation."
        return Headline(title, *figures, note=note, tone=LEAK)
    if only_length(gain, p.hits.attributes, p.without, s, records):
        return Headline(ONLY_LENGTH.format(noun=records.noun), *figures, note=note, tone=LEAK)
    if gain > GAIN:
        title = f"A sample of {count(not_none(s.sample))} {records.noun} gives {more(gain)} away than guessing."
        return Headline(title, *figures, note=note, tone=LEAK)
    if only_values(p.hits.attributes, p.without, s, records):
        return Headline(NO_RECORD.format(noun=records.noun), *figures, note=note, tone=LEAK)
    if p.others is not None and max(p.others.tries) - before > GAIN:
        title = f"This sample of {count(not_none(s.sample))} gives nothing away; others do."
        return Headline(title, *figures, note=note, tone=LEAK)
    title = f"A sample of {count(not_none(s.sample))} {records.noun} gives no more away than guessing."
    return Headline(title, *figures, note=note, tone=SAFE)


def _note(p: Sampled, records: Records) -> str:
    text = f"The competitor knows none of these {count(records.rows)} {records.noun}, only others like them."
    wrong = int(np.count_nonzero(~p.right))
    if wrong:
        text += f" {sentence(_axes_wrong(wrong, len(p.right)))}."
    if p.beyond_axes:
        text += (
            f" Axes alone recover {share(p.by_axes)}: all released rows laid over the sample, or their lengths, tell "
            "more."
        )
    if p.others is not None and len(p.others.tries) > 1:
        low, high = min(p.others.tries), max(p.others.tries)
        every = share(low) if share(low) == share(high) else f"{share(low)} to {share(high)}"
        text += (
            f" {sentence(number_word(len(p.others.tries)))} samples of this size without a record in common: {every}."
        )
    return text + also_by_value(p.hits.attributes, p.without, p.settings, records)


def _axes_wrong(wrong: int, total: int) -> str:
    if total == 1:
        return "the only axis points the wrong way"
    return f"{wrong} of {total} axes {verb(wrong, 'point', 'points')} the wrong way"


# Captions


def recovered(p: Sampled, records: Records, column: int) -> str:
    """Dots against the diagonal: the attribute that is shown, and what counts."""
    part = p.hits.attributes[column]
    if np.isnan(part):
        return "This attribute is the same for all: there is nothing to recover."
    guess, near = p.without.attributes[column], share(not_none(p.settings.eps))
    text = (
        f"<b>{share(part)}</b> of these values are recovered to within {near} of their standard "
        f"deviation (guessing: {share(guess)}); on the dotted line a value is recovered exactly."
    )
    if p.settings.kind != "value":
        text += f" Orange: {records.noun} that count as recovered, {share(p.hits.rate)}."
    return text


def axes(p: Sampled, drawn: int) -> str:
    """Two sets of arrows."""
    wrong = int(np.count_nonzero(~p.right))
    which = "The axis" if len(p.right) == 1 else f"The {drawn} axes that are seen best across these attributes"
    text = (
        "A principal axis, or component, is a direction in which the records vary most, then most of what is left, and "
        f"so on; turning the records turns it along. {which}, in the sample and in the release."
    )
    if not wrong:
        return f"{text} {'Its direction is' if len(p.right) == 1 else f'All {len(p.right)} directions are'} right."
    flipped = "1 direction is" if wrong == 1 else f"{wrong} directions are"
    return f"{text} <b>{flipped} wrong</b> ({verb(wrong, 'their arrows are', 'its arrow is')} dashed, where shown)."


def ratio(value: float) -> str:
    """A ratio of eigenvalues, of which the smaller may be nothing."""
    return "∞" if not np.isfinite(value) else plain(value) if value < 1e6 else "> 1 000 000"


def when(p: Sampled) -> str:
    """What hides an axis."""
    text = ""
    if len(p.right) > 1:
        about = ", measured from the origin," if p.attack.about_origin else ""
        text = (
            "An eigenvalue is the variance along an axis, and the eigenvalue ratio compares it with the next. The "
            f"closest two of the sample{about} have ratio <b>{ratio(p.ratio)}</b>"
        )
        text += (
            ": so near 1 that the axes are mixed up." if p.ratio < 1.5 else ", far enough from 1 to keep axes apart."
        )
    if p.certainty is None:
        return f"{text} Working out how sure each direction is …"
    guesses = int(np.count_nonzero(p.doubtful))
    if guesses:
        which = "one axis" if guesses == 1 else f"{guesses} axes"
        text += f" Mirrored along {which} the data look nearly the same: there the direction is all but a guess."
    return text or "A single axis: only its direction is to be found."


def when_rows(p: Sampled) -> list[list[Cell]]:
    """The rows of the table of axes."""
    values, others = p.attack.sample_eigenvalues, p.attack.released_eigenvalues
    totals = [float(one.sum()) or 1.0 for one in (values, others)]
    rows = []
    for axis, (a, b) in enumerate(zip(values, others, strict=True)):
        next_ratio = a / values[axis + 1] if axis + 1 < len(values) and values[axis + 1] > 0 else np.inf
        off = np.degrees(np.arccos(min(p.alignment[axis], 1.0)))
        rows.append(
            [
                str(axis + 1), share(a / totals[0]), share(b / totals[1]),
                (ratio(next_ratio), "bad" if next_ratio < 1.2 else "") if np.isfinite(next_ratio) else "–",
                (f"{off:.0f}°", "bad" if off > 25 else ""), _sure(p, axis),
                ("right", "bad") if p.right[axis] else ("wrong", "good"),
            ]
        )  # fmt: skip
    return rows


def _sure(p: Sampled, axis: int) -> str:
    if p.certainty is None:
        return "…"
    return "guessing" if p.doubtful[axis] else "fairly sure" if p.certainty[axis] < SURE else "sure"


def reasons(p: Sampled) -> str:
    """Why this sample does not recover everything; empty where it does."""
    found = []
    wrong = int(np.count_nonzero(~p.right))
    if wrong:
        found.append(_axes_wrong(wrong, len(p.right)))
    if p.alignment.min() < 0.9:
        close = f" (two eigenvalues differ by only {share(p.ratio - 1)})" if p.ratio < 1.5 else ""
        found.append(f"the worst axis is {np.degrees(np.arccos(p.alignment.min())):.0f}° off{close}")
    return f"It fails where it does because {listed(found)}." if found and p.hits.rate < NEARLY_ALL else ""


def sizes(p: Sampled) -> str:
    """The curve by sample size."""
    done = min((len(one) for one in p.curve.values()), default=0)
    if done < len(p.sizes):
        return f"Trying other sample sizes … {done} of {len(p.sizes)}"
    return (
        "Share of hits by the size of the sample: means over up to four samples that share no record, with two "
        f"standard errors. The upright line is the size chosen, {counted(not_none(p.settings.sample), 'record')}."
    )
