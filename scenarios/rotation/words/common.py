"""What all stories say alike: what a hit is, how much is gained, and one record by itself."""

from html import escape

import numpy as np

from trustscope.scenarios.rotation.judge import Hits
from trustscope.scenarios.rotation.records import Records
from trustscope.scenarios.rotation.result import ENOUGH, WIDE, One, Rate
from trustscope.scenarios.rotation.scenario import Settings
from trustscope.scenarios.twenty import FEWEST, Twenty
from trustscope.scenarios.value import not_none
from trustscope.scenarios.words import alike, count, number_word, share

FAR = 1_000  # standard deviations beyond which nobody asks how far
GAIN = 0.005  # a share of hits that is worth a word
MUCH = 0.15  # and one that is far more
NEARLY_ALL = 0.9
CERTAIN = 0.9995
ONLY_LENGTH = "Whole {noun} come close, but few of their single values do."
NO_RECORD = "No more whole {noun} are recovered than by guessing, but values are."
WITHIN = {
    "value": "values recovered within {} of their standard deviation",
    "euclidean": "{noun} recovered within {} of their length",
    "entry": "{noun} with a value recovered within {}",
    "cosine": "{noun} whose direction is recovered within {}",
}
LINES = {
    "value": "a value within {} of its standard deviation",
    "euclidean": "a whole {one} within {} of its length",
    "entry": "any one value within {} of it",
    "cosine": "the direction of a {one} within {}",
}
KIND_WORDS = {
    "value": "Each value counts by itself: it must be guessed to within this part of its attribute's standard "
    "deviation.",
    "euclidean": "The whole guess must lie within this part of the record's length, which is its distance from zero "
    "(from the average, where attributes are standardised).",
    "entry": "At least one value must be guessed to within this part of itself.",
    "cosine": "The guess must point in the record's direction: one minus the cosine is at most this.",
}
STANDARDISED = {
    True: "Every attribute is brought to mean 0 and standard deviation 1 first, so that all count alike.",
    False: "Attributes stay in their own units: the one with the largest numbers decides distances and lengths.",
}

Cell = str | tuple[str, str]  # a text, or one with its tone


def within(settings: Settings, records: Records) -> str:
    """What is counted, to stand before a share."""
    return WITHIN[settings.kind].format(share(not_none(settings.eps)), noun=records.noun)


def hit_line(settings: Settings, records: Records) -> str:
    """The same as a line of the controls."""
    return LINES[settings.kind].format(share(not_none(settings.eps)), one=records.one)


def twenty(seen: Twenty | None, settings: Settings, records: Records, who: str) -> str:
    """Of twenty: how many are recovered by guessing, and how many by the attack; or why they are not shown."""
    if seen is None:
        return f"Twenty of them are shown where {FEWEST} {records.noun} or more are released."
    many = len(seen.before)
    what = f"values, one each of {many} {records.noun}" if settings.kind == "value" else records.noun
    by, caught = "through" if who == "the remedy" else "by", int(seen.before.sum())
    return (
        f"Of {many} {escape(what)}, <b>{caught}</b> {verb(caught, 'are', 'is')} recovered by guessing, "
        f"<b>{int(seen.after.sum())}</b> {by} {who}."
    )


def ordinal(records: Records, place: int) -> str:
    """A record by its row number in the data."""
    return f"{records.one} {count(records.number(place))}"


def these(number: int, records: Records) -> str:
    """No record; one person; four people."""
    return f"{number_word(number)} {records.one if number in (0, 1) else records.noun}"


def more(gain: float) -> str:
    """How much more is recovered than by guessing."""
    return "far more" if gain >= MUCH else "more" if gain >= 0.02 else "slightly more"


def verb(number: int, many: str, one: str) -> str:
    """The form that goes with a number."""
    return one if number == 1 else many


def by_value(attributes: np.ndarray, without: Hits, records: Records) -> tuple[float, float]:
    """Shares of hits value by value, whatever the kind: by guessing, and by the attack where that is better."""
    before, after = (float(one[records.varying].mean()) for one in (without.attributes, attributes))
    return before, max(before, after)


def only_values(attributes: np.ndarray, without: Hits, settings: Settings, records: Records) -> bool:
    """Whether values are given away even if no whole record is: the headline must not be silent about them."""
    before, after = by_value(attributes, without, records)
    return settings.kind != "value" and after - before > GAIN


def only_length(gain: float, attributes: np.ndarray, without: Hits, settings: Settings, records: Records) -> bool:
    """Whether whole records count as recovered though hardly any of their values are: one large column does that."""
    before, after = by_value(attributes, without, records)
    return settings.kind != "value" and gain > 2 * MUCH and after - before < MUCH


def also_by_value(attributes: np.ndarray, without: Hits, settings: Settings, records: Records) -> str:
    """Where whole records are judged: the same by value, so that one large column cannot pass for all."""
    if settings.kind == "value":
        return ""
    before, after = by_value(attributes, without, records)
    near = share(not_none(settings.eps))
    return (
        f" Value by value, {share(after)} are recovered to within {near} of their standard deviation "
        f"(guessing: {share(before)})."
    )


def agreement(expected: float, drawn: Rate, rows: int) -> tuple[str, str]:
    """Whether a closed form agrees with what was drawn: the state of a mark, and the tolerance behind it."""
    tolerance = drawn.tolerance
    if rows < ENOUGH:
        return "few", f"{count(rows)} records"
    if tolerance > WIDE and len(drawn.tries) > 1:
        return "few", f"{len(drawn.tries)} draws, ± {share(tolerance)}"
    off = abs(expected - drawn.mean)
    return (
        ("agrees", f"± {share(tolerance)}")
        if off <= tolerance
        else ("differs", f"{share(off)}, allowed ± {share(tolerance)}")
    )


def record(one: One | None, records: Records, settings: Settings) -> str:
    """Caption of one record."""
    if one is None:
        return "There is nobody left to guess, or nothing to guess from."
    right = int(one.hit[records.varying].sum())
    total = int(records.varying.sum())
    how = f" The guess is {one.how}." if one.how else ""
    return (
        f"{escape(ordinal(records, one.place).capitalize())}: <b>{right} of {total}</b> values are guessed to within "
        f"{share(not_none(settings.eps))} of their standard deviation.{how}"
    )


def record_rows(one: One, records: Records) -> list[list[Cell]]:
    """The rows of its table: attribute, true value, guess, how far off, whether it is a hit."""
    rows = []
    distances = np.abs(one.guess - one.true) / records.sd
    # What is too far to be told has no part in how the others are written.
    texts = alike(min(FAR, distance) for distance in distances)
    for j, name in enumerate(records.names):
        unit = f" {records.units[name]}" if name in records.units else ""
        told = ("hit", "bad") if one.hit[j] else "missed"
        values = (f"{text}{unit}" for text in alike([one.true[j], one.guess[j]]))
        off = texts[j] if distances[j] < FAR else f"> {count(FAR)}"
        rows.append([name, *values, off, told if records.varying[j] else "the same for all"])
    return rows


def attributes(records: Records, settings: Settings) -> str:
    """Caption of the bars by attribute."""
    near = share(not_none(settings.eps))
    text = (
        f"Bar: values recovered to within {near} of the attribute's standard deviation. Stroke: what "
        "guessing a constant would hit."
    )
    same = [name for name, varies in zip(records.names, records.varying, strict=True) if not varies]
    if same:
        text += f" The same for all and not counted: {escape(', '.join(same[:3]))}{' …' if len(same) > 3 else ''}."
    return text
