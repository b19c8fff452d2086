"""What the Categories page says beside its headline: captions of its views, in plain words."""

from html import escape

import pandas as pd

from trustscope.scenarios.categories.column import Column
from trustscope.scenarios.categories.promise import Judgement
from trustscope.scenarios.categories.result import CategoriesResult, Further, Held, Joining, Memory, Person
from trustscope.scenarios.categories.scenario import Promise, Settings, retention
from trustscope.scenarios.coalition import Recipient, most_trusted
from trustscope.scenarios.twenty import Twenty
from trustscope.scenarios.value import not_none
from trustscope.scenarios.words import count, counted, listed, number_word, plain, sentence, share

SCHEME_WORDS = {
    "nested": "Each copy is the next better one with more values replaced. Pooling them gains nothing.",
    "independent": "Every copy is drawn on its own. It looks safest; where copies agree, they give the value away.",
}
PRIOR_WORDS = {
    "statistics": "Before any copy, a frequent value is likelier to be believed than a rare one.",
    "nothing": "Before any copy, every value is believed alike. The paper's example is like this.",
}


def short(label: str, most: int = 28) -> str:
    """A label that fits into a sentence."""
    return label if len(label) <= most else f"{label[: most - 1]}…"


def stays(p: float, size: int) -> float:
    """The probability that a value is released as itself (Eq. 1): 0.28 at p = 0.2 of 10 values."""
    return p + (1 - p) / size


def points(error: float) -> str:
    """An error in percentage points: ± 0.3 points."""
    return f"± {max(100 * error, 0.1):.1f} points"


def one_of(noun: str) -> str:
    """One of them: a person, a record."""
    return {"people": "person"}.get(noun, noun.removesuffix("s"))


def these(who: tuple[Recipient, ...]) -> str:
    """Alice and Bob; six recipients. Names only where a headline has room for them."""
    if len(who) <= 2 and all(len(r.name.split()) == 1 for r in who):
        return listed([r.name for r in who])
    return f"{number_word(len(who))} recipients"


def choices(labels: dict[str, str]) -> dict[str, str]:
    """Options of a drop-down: values by short texts, told apart where cutting made them equal."""
    options: dict[str, str] = {}
    for place, (value, label) in enumerate(labels.items(), 1):
        text = short(label, 60)
        options[text if text not in options else f"{text} ({place})"] = value
    return options


def factor(number: float) -> str:
    """A factor, with gaps where it is large."""
    return count(round(number)) if 1000 <= number < 1e9 else plain(number)


def times(number: float) -> str:
    """How many times as much."""
    return "without limit" if number == float("inf") else f"{factor(number)} times"


def verdict_mark(agrees: str | bool, by: str) -> str:
    """Whether theory and measurement agree, in a sentence, with the tolerance that made it so."""
    marks: dict[str | bool, str] = {True: f"✓ within {by}", False: f"✗ further off than {by}"}
    return marks.get(agrees, f"~ too few rows to tell: {by}")


# One person


def person(seen: Person, settings: Settings, column: Column, noun: str) -> str:
    """Caption of one person."""
    what = f"{escape(short(column.name))} of {one_of(noun)} {count(seen.number)}"
    members = settings.coalition
    if not members:
        return f"{what}: nobody has put a copy in the pool."
    held = sum(seen.seen[r.number] == seen.truth for r in members)
    if len(members) == 1:
        given = f"{escape(members[0].name)} was given {'the truth' if held else 'another value'}"
    else:
        given = f"{number_word(held) if held else 'none'} of {number_word(len(members))} copies {_hold(held)} the truth"
    return f"{what}: {given}, and this is what can be believed."


def twenty(seen: Twenty, settings: Settings, noun: str) -> str:
    """Of twenty people: how many are guessed right alone, and how many together."""
    caught = seen.before.sum()
    text = f"Of {len(seen.before)} {escape(noun)}, <b>{caught}</b> {'is' if caught == 1 else 'are'} guessed right"
    if len(settings.coalition) == 1:
        return f"{text}."
    return f"{text} by {escape(most_trusted(settings.coalition).name)} alone, <b>{seen.after.sum()}</b> together."


def _hold(many: int) -> str:
    return "holds" if many == 1 else "hold"


def path(seen: Person, settings: Settings, column: Column) -> str:
    """Caption of the path of one person's value."""
    if seen.path is None:
        return "Independent copies have no common path: each one is drawn on its own, and each is a new hint."
    kept = [f"{escape(r.name)} {share(stays(retention(r), column.size))}" for r in settings.recipients[:6]]
    return (
        "From full trust to little the value is replaced now and then (rings); each one reads it at their own level. "
        f"A copy holds the truth for: {', '.join(kept)}."
    )


def person_told(seen: Person, settings: Settings, column: Column) -> str:
    """The same picture in one sentence, for whoever cannot see it."""

    def label(code: int) -> str:
        return short(column.labels[code])

    parts = [f"true value {label(seen.truth)}"]
    parts += [f"{r.name} was given {label(seen.seen[r.number])}" for r in settings.recipients]
    parts.append(f"without any copy the true value has a {share(float(seen.before[seen.truth]))} chance")
    if seen.alone is not None:
        best = most_trusted(settings.coalition)
        parts.append(f"{best.name} alone gives the true value a {share(float(seen.alone[seen.truth]))} chance")
    if seen.together is not None and len(settings.coalition) > 1:
        parts.append(f"together they give the true value a {share(float(seen.together[seen.truth]))} chance")
    return "; ".join(parts) + "."


# What pooling does


def joining(found: Joining, settings: Settings, measure: str, noun: str, doubt: float) -> str:
    """Caption of the coalitions that grow."""
    last, first = (getattr(one, measure) for one in (found.last(settings.scheme), found.alone))
    what = f"{sentence(noun)} guessed right" if measure == "right" else "Mean belief in the true value"
    text = f"{what}, as one after the other joins."
    said = "nothing is gained" if last - first <= 0.002 else "every copy tells more"
    error = f" These figures are estimated from random draws: {points(doubt)}." if doubt else ""
    return f"{text} With <b>{settings.scheme}</b> copies {said}.{error}"


def coalitions(picture: CategoriesResult, measure: str, noun: str, doubt: float) -> str:
    """Caption of every coalition."""
    every = not_none(picture.coalitions)
    nested, apart = (every[s] for s in ("nested", "independent"))
    everyone = len(nested) - 1
    what = f"the share of {noun} that each would guess right" if measure == "right" else (
        "the chance that each would give the true value, on average"
    )  # fmt: skip
    figures = [share(getattr(some[-1], measure)) for some in (nested, apart)]
    error = f" Independent copies: from draws, {points(doubt)}." if doubt else ""
    return (
        f"All {counted(everyone, 'possible coalition')}, and {what}. If everybody pools: nested <b>{figures[0]}</b>, "
        f"independent <b>{figures[1]}</b>.{error}"
    )


def further(found: Further) -> str:
    """Caption of the race."""
    here, last = found.here, len(found.expected["nested"]) - 1
    now = [f"{s} <b>{share(found.expected[s][here])}</b>" for s in ("nested", "independent")]
    text = f"How strongly the true value would be believed, on average. With {here} of them: {', '.join(now)}."
    if last > here:
        then = [f"{s} {share(found.expected[s][last])}" for s in ("nested", "independent")]
        text += f" With {last} at such levels: {', '.join(then)}."
    error = 2 * max(found.errors)
    return f"{text} These figures are estimated from random draws: {points(error)}." if error else text


# Copies


def shares(column: Column, recipient: Recipient, value: int, table: pd.DataFrame, true_share: float) -> str:
    """Caption of the distribution, for the value looked at; `table` is that of `engine.utility.frequencies`."""
    row = table.iloc[value]
    estimate = min(max(float(row["estimate"]), 0.0), 1.0)  # unbiased, it may be no share
    return (
        f"{escape(short(column.labels[value]))}: really <b>{share(true_share)}</b>, in {escape(recipient.name)}'s copy "
        f"<b>{share(float(row['released']))}</b>, estimated back as <b>{share(estimate)}</b> "
        f"(19 times in 20 between {share(float(row['low']))} and {share(float(row['high']))})."
    )


def held_shares(column: Column, recipient: Recipient, value: int, true_share: float, held: float) -> str:
    """The same in a lesson."""
    return (
        f"{escape(short(column.labels[value]))}: really <b>{share(true_share)}</b>, in {escape(recipient.name)}'s copy "
        f"<b>{share(held)}</b>. Whoever knows how copies are made can estimate the true shares back."
    )


def covered(inside: int, ranges: int) -> str:
    """How many ranges hold the truth."""
    return f"{count(inside)} of {counted(ranges, 'range')} {'holds' if inside == 1 else 'hold'} the true share."


def copy_check(held: Held, value: int, p: float, true_share: float) -> tuple[float, float, float]:
    """Share of a value in a copy, what is expected of it, and how far the two may lie apart (4 standard errors)."""
    expected = p * true_share + (1 - p) / len(held.counts)
    rows = max(held.rows, 1)
    return held.counts[value] / rows, expected, 4 * (expected * (1 - expected) / rows) ** 0.5 + 1e-9


def generated(picture: CategoriesResult, noun: str) -> str:
    """What the progress line says of a pass over the rows."""
    if not picture.complete:
        return f"{count(picture.rows)} of {count(picture.total)} {noun}"
    copies = len(picture.settings.recipients)
    return f"{copies} {'copy' if copies == 1 else 'copies'} of {count(picture.rows)} {noun}."


# What is promised, what is kept


def promised(judged: Judgement | None, which: str, kind: str) -> str:
    """One line of the three judgements: what a belief can become at worst."""
    if judged is None:
        return f"{which}: nobody pools"
    if kind == "rho":
        return f"{which}: it can rise to {share(judged.raised)}"
    return f"{which}: it can grow by {100 * judged.grown:.0f} points"


def promise(made: Promise) -> str:
    """What the owner promises, as a sentence."""
    return f"What was believed less than {made.rho1} % is never believed more than {made.rho2} %."


def rounded(largest: float, whole: int, copies: int) -> str:
    """The largest p that keeps a promise whoever pools, and what is given of it."""
    most = f"{min(int(1000 * largest + 1e-6) / 10, 99.9):.1f} %"
    who = "A copy" if copies == 1 else f"Against all {copies} together each copy"
    if not whole:
        return f"{who} may keep at most {most}: even 1 % is too much."
    return f"{who} may keep at most {most}; given in whole per cents, rounded down: {whole} %."


def memory(kept: Memory, settings: Settings) -> str:
    """Caption of what must be kept; no achievement where keeping the copies themselves would take less."""
    copies = len({r.trust for r in settings.recipients})
    against = (
        f"more than the {counted(copies, 'different copy', 'different copies')} themselves would take"
        if kept.stored > copies
        else f"no more than the {counted(copies, 'different copy', 'different copies')} themselves would take"
    )
    return (
        f"The path keeps <b>{plain(kept.stored)}</b> values for one person on average: {against}. It never needs more "
        f"than <b>{plain(kept.bound)}</b> between these levels, however many copies are asked for later."
    )
