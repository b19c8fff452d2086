"""What the Release page says."""

import datetime
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from trustscope.scenarios.release.ledger import ColumnRisk, Copy, Finding, Risk, Verdict
from trustscope.scenarios.release.result import Considered, ReleaseResult
from trustscope.scenarios.release.scenario import Carried, Request
from trustscope.scenarios.statement import LEAK, QUIET, SAFE, Headline
from trustscope.scenarios.words import count, counted, listed, number_word, plain, sentence, share
from trustscope.schemes import adjective

START = "trustscope serve --ledgers FOLDER"
INIT = "trustscope release init FOLDER/NAME --data FILE --numbers COLUMNS --categories COLUMNS"
HOW = (
    f"Ledgers are opened by name from the server's folder (“{START}”). A new one is created on the server, where the "
    f"data are: “{INIT}”."
)
LABELS = {
    "numbers": "trust of the best copy of the numbers that all holders have together",
    "categories": "retention of the best copy of the categories that all holders have together",
}
TITLES = {
    "numbers": "trust of their best copy of the numbers",
    "categories": "retention of their best copy of categories",
}
KINDS = {
    "created": "the ledger was created",
    "appended": "new rows were added",
    "intended": "a copy was announced",
    "made": "the copy was written",
    "issued": "the copy is out",
    "abandoned": "the copy was given up",
    "policy": "the rules were set",
    "approved": "a copy was approved",
    "exported": "the key was backed up",
    "imported": "the key was taken from a backup",
    "drilled": "a backup was proved",
    "withdrawn": "the key was destroyed",
}
LONGEST = 24  # characters of a name in a headline
SUSPECTS = 3  # holders whose likelihoods are told
Cell = str | tuple[str, str]  # a text, or one with its colour or tone
SHORT = 12  # characters of a digest that are shown; the whole one is in the report


# The headline


def headline(picture: ReleaseResult) -> Headline:
    """One sentence and one number: what is out, or what the request would change."""
    if picture.withdrawn:
        return Headline(
            "No further copies: the key of this ledger is destroyed.",
            note=f"It was withdrawn on {picture.withdrawn[:10]}. The record stays.", **_number(picture),
        )  # fmt: skip
    asked = picture.asked
    if asked is None:
        return _standing(picture)
    if asked.refusals:
        return Headline(
            f"The rules refuse this copy for {_short(asked.to)}.", note=" ".join(asked.refusals), tone=LEAK,
            **_number(picture),
        )  # fmt: skip
    if asked.held is not None:
        return Headline(f"{sentence(_short(asked.to))} already holds this very copy.", tone=SAFE, **_number(picture))
    now, then = picture.everybody(_measure(picture))
    assert then is not None  # a copy is considered
    if not picture.copies:
        title = f"A copy for {_short(asked.to)} would be the first one out."
    elif then > now:
        title = f"A copy for {_short(asked.to)} would raise what all holders know."
    else:
        title = f"A copy for {_short(asked.to)} adds nothing to what is out."
    return Headline(title, tone=LEAK if then > now else SAFE, note=" ".join(asked.notes), **_number(picture))


def _standing(picture: ReleaseResult) -> Headline:
    out = len(picture.first_issued)
    if not out:
        return Headline("Nothing is out yet.", note="Name a recipient to see what a copy would give away.")
    if out == 1:
        return Headline(f"One copy is out; {_short(picture.copies[0].to)} holds it.", tone=QUIET, **_number(picture))
    title = f"{sentence(number_word(out))} copies are out; together they"
    if _one_is_best(picture):
        return Headline(f"{title} tell no more than the best.", tone=SAFE, **_number(picture))
    return Headline(
        f"{title} hold the best of both kinds.",
        note="One copy has the best numbers, another the best categories: together they tell what these two tell.",
        tone=QUIET, **_number(picture),
    )  # fmt: skip


def _one_is_best(picture: ReleaseResult) -> bool:
    """Whether one copy is the best in its numbers and in its categories: then it tells all that is out."""
    levels = [(copy.trust or 0, copy.retention or 0) for copy in picture.copies]
    return tuple(max(kind) for kind in zip(*levels, strict=True)) in levels


def _measure(picture: ReleaseResult) -> str:
    """What the number is about: that which the request raises most."""
    raised = {}
    for measure in picture.measures:
        now, then = picture.everybody(measure)
        raised[measure] = 0.0 if then is None else then - now
    return max(picture.measures, key=lambda measure: raised[measure])


def _number(picture: ReleaseResult) -> dict[str, str]:
    if not picture.copies and picture.asked is None:
        return {}
    measure = _measure(picture)
    now, then = picture.everybody(measure)
    label = LABELS[measure]
    if then is None:
        return {"after": of_copy(now), "label": label}
    return {"before": of_copy(now), "after": of_copy(then), "label": label}


def of_copy(value: float) -> str:
    """Trust or retention of a copy as it was chosen, in tenths: 50.5 % is not told as 50 %. What is finer than that is
    told neither as nothing nor as everything."""
    tenths = round(100 * value, 1)
    return share(value) if tenths in (0, 100) else f"{tenths:g} %"


def _short(name: str) -> str:
    """A name for a headline, which has room for few words."""
    return name if len(name) <= LONGEST and len(name.split()) <= 3 else "this recipient"


# The request


def setting(trust: float | None, retention: float | None) -> str:
    """trust 60 %, retention 40 %."""
    named = {"trust": trust, "retention": retention}
    return ", ".join(f"{word} {value:g} %" for word, value in named.items() if value is not None)


def answer(considered: Considered | None) -> tuple[str, str]:
    """The answer to a request, and its tone: "good", "bad" or neither."""
    if considered is None:
        return "Name a recipient. You see here whether the rules allow it before a copy is made.", ""
    if considered.problem:
        return considered.problem, "bad"
    if considered.refusals:
        return " ".join(considered.refusals), "bad"
    return " ".join(["The rules allow this copy.", *considered.notes]), "good"


def waiting(requests: tuple[Request, ...]) -> str:
    """Who comes next."""
    if not requests:
        return ""
    named = [f"{one.to} ({setting(one.trust, one.retention)})" for one in requests]
    return f"Then: {listed(named)}."


def carried(found: Carried) -> str:
    """What has to be said of requests that another page sent."""
    said = []
    if found.scheme and found.scheme != "nested":
        said.append(
            f"There the noise was {adjective(found.scheme)}. Only nested copies are issued here: pooled, they tell no "
            "more than the best one."
        )
    if found.originals:
        verb = "was" if len(found.originals) == 1 else "were"
        said.append(f"{listed(found.originals)} {verb} trusted fully: that is the original, and no copy of it is made.")
    if found.order:
        said.append(f"Who is trusted more gets the better copy: {', then '.join(found.order)}.")
    if found.own:
        said.append(f"A file of your own is released from a ledger; create one with “{INIT}”.")
    return " ".join(said)


def rules(sentences: Sequence[str]) -> str:
    """The rules of a ledger."""
    return " ".join(["Rules:", *sentences]) if sentences else "No rules are set."


SINGLE, LISTS = ("floor", "worst", "mu", "approval"), ("hits", "ceilings", "groups")  # rules as one types them


def rules_read(floor: str, worst: str, hits: str, mu: str, approval: str, ceilings: str, groups: str) -> dict[str, Any]:
    """What was typed as rules: numbers, and lists as "Press = 40, Bank = 60"; the ledger checks the values."""
    given = dict(zip(SINGLE, (floor, worst, mu, approval), strict=True))
    rules: dict[str, Any] = {
        name: text.strip().removesuffix("%").strip() for name, text in given.items() if text.strip()
    }
    for name, text in zip(LISTS, (hits, ceilings, groups), strict=True):
        pairs = [part.rpartition("=") for part in text.split(",") if part.strip()]
        if pairs:  # one without "=" has no name: its text stands where the number should, and is refused with it
            rules[name] = {" ".join(who.split()): most.strip().removesuffix("%").strip() for who, _, most in pairs}
    return rules


def rules_written(policy: Mapping[str, Any]) -> tuple[str, ...]:
    """The same rules as one would type them."""
    floor, worst, mu, approval = (f"{policy[name]:g}" if name in policy else "" for name in SINGLE)
    near = {name: f"{most:g}" if d is None else f"{d:g}:{most:g}" for name, (d, most) in policy.get("hits", {}).items()}
    most = ({who: f"{most:g}" for who, most in policy.get(name, {}).items()} for name in LISTS[1:])
    hits, ceilings, groups = (", ".join(f"{who} = {text}" for who, text in some.items()) for some in (near, *most))
    return floor, worst, hits, mu, approval, ceilings, groups


def issuer(by: str, account: str) -> str:
    """Who issues a copy; without a name, the account that the server runs under."""
    return f"issued by {by}" if by else f"issued by “{account}”, the server's account"


# Captions


def holding(picture: ReleaseResult) -> str:
    """Who holds what."""
    out = len(picture.first_issued)
    if not out and picture.asked is None:
        return "All copies lie on one path, from 0 % (noise alone) to 100 % (the data). Nobody holds one yet."
    many = f"{sentence(counted(out, 'copy', 'copies'))} out." if out else "No copy is out yet."
    return (
        f"{many} All lie on one path, from 0 % (noise alone) to 100 % (the data): whoever stands further"
        " right knows at least as much."
    )


def pooled(picture: ReleaseResult, drawn: int) -> str:
    """What every coalition could do."""
    who, measure = picture.holders(), picture.scenario.view.measure
    if not who:
        return "As soon as a copy is out, every coalition of holders has a row here."
    text = f"{sentence(TITLES[measure])}: put together, they know as much as it tells."
    if drawn < len(who):
        text += f" Of {count(len(who))} holders the {drawn} best are drawn; the others add nothing to them."
    return text


def considered(to: str) -> str:
    """The name of the row of the copy that is considered."""
    return f"new: {to}"


def holder_row(trust: float | None, retention: float | None) -> str:
    """At the end of a row."""
    return " · ".join(f"{value:g} %" for value in (trust, retention) if value is not None)


def data_line(picture: ReleaseResult) -> str:
    """Which ledger, in one line."""
    kind = f"rehearsal on {picture.title}" if picture.rehearsal else picture.title
    return f"{kind}, {count(picture.rows)} rows"


# Tables

COPIES = "The SHA-256 is a fingerprint: a file with the same one is the file that was issued."
COPY_HEADINGS = ("recipient", "trust · retention", "issued", "purpose", "by", "rows", "SHA-256 of the file")
RISK_HEADINGS = (
    "what is guessed", "without any copy", "with what is out", "with the copy considered",
    "the most exposed one, with what is out", "the most exposed one, with the copy considered",
)  # fmt: skip
NOTICED_HEADINGS = ("column", "what it has", "what would help, before the noise")
EVENT_HEADINGS = ("time (UTC)", "what", "who", "digest")
TO_CHECK = (
    "Whether everything is as it was recorded: the file of the ledger, its chain of events and their seals, the files "
    "that were issued, the generator of the noise, and the data."
)
CHECK_HEADINGS = ("what was checked", "", "what was found")


def time(text: str) -> str:
    """A time of the ledger to the minute, with its day."""
    return datetime.datetime.fromisoformat(text).strftime("%Y-%m-%d %H:%M")


def copies(picture: ReleaseResult) -> list[tuple[Cell, ...]]:
    """A row for each copy."""
    colour = {one.name: one.colour for one in picture.holders()}
    return [
        (
            (copy.to + (" (again)" if copy.reissue else ""), colour[copy.to]), _setting(copy), time(copy.time),
            (copy.purpose or "–", "wrapped"), copy.by, count(copy.rows), f"{copy.sha256[:SHORT]}…",
        )
        for copy in picture.copies
    ]  # fmt: skip


def _setting(copy: Copy) -> str:
    return holder_row(*(None if value is None else value / 10 for value in copy.setting))


def risks(picture: ReleaseResult) -> list[tuple[Cell, ...]]:
    """A row for each column, and one for whole rows: what is out, and what would be with the copy considered."""
    now, then = picture.risk, None if picture.asked is None else picture.asked.risk
    some = then or now
    if some is None:
        return []
    rows: list[tuple[Cell, ...]] = []
    for one in some.columns:
        was, will = (None if risk is None else risk.column(one.name) for risk in (now, then))
        near = "the right one" if one.within is None else f"within {plain(one.within)}"
        rows.append((
            f"{one.name}, {near}", share(one.without), _measured(was, "hits"), _measured(will, "hits"),
            _measured(was, "worst"), _measured(will, "worst"),
        ))  # fmt: skip
    rows.append((
        f"the row itself, among {count(some.rows)}", share(some.found_without), _measured(now, "found"),
        _measured(then, "found"), "–", "–",
    ))  # fmt: skip
    return rows


def _measured(figures: Risk | ColumnRisk | None, what: str) -> str:
    value = None if figures is None else getattr(figures, what)
    if value is None:
        return "–"
    doubt = getattr(figures, f"{what}_error", 0.0)
    return share(value) + (f" ± {100 * doubt:.1f}" if doubt else "")


def strongest(picture: ReleaseResult) -> str:
    """What is said above the figures of the strongest attacker."""
    risk = picture.risk or (picture.asked and picture.asked.risk)
    if not risk:
        return "Not measured yet." if picture.copies or picture.asked else "No copy is out, and none is considered."
    knows = f"knows {listed(picture.known)} of everybody, and " if picture.known else "knows "
    missing = picture.asked is not None and picture.asked.risk is None
    return (
        f"Share of people whose value is guessed, and the chance of the most exposed one, by somebody who {knows}all "
        f"columns of half of the other people. Measured on {count(risk.attacked)} people."
        + (" The copy that is considered has not been measured yet." if missing else "")
    )


def before(picture: ReleaseResult) -> str:
    """Whom kept columns single out, and whether anything stands out in the numbers."""
    said = list(picture.singled_out)
    if not picture.noticed:
        said.append("In no column of numbers does anything stand out that noise would not hide.")
    return " ".join(said)


def events(picture: ReleaseResult) -> list[tuple[str, ...]]:
    """A row for each event, the latest first."""
    named = {event.number: event.body.get("to", "") for event in picture.events}
    rows: list[tuple[str, ...]] = []
    for event in reversed(picture.events):
        who = event.body.get("to") or named.get(event.body.get("copy"), "") or event.body.get("by", "")
        why = f" ({event.body['why']})" if event.kind == "abandoned" else ""
        rows.append((time(event.time), KINDS.get(event.kind, event.kind) + why, who or "–", f"{event.digest[:SHORT]}…"))
    return rows


def findings(found: Iterable[Finding]) -> list[tuple[Cell, ...]]:
    """A row for each thing that was checked."""
    return [
        (one.name, ("holds", "good") if one.holds else ("broken", "bad"), (one.sentence, "" if one.holds else "bad"))
        for one in found
    ]


def checked(found: Sequence[Finding]) -> str:
    """What a check came to."""
    broken = [one.name for one in found if not one.holds]
    if broken:
        return f"Not everything holds: {listed(broken)}. Make no copies before this is understood."
    return f"Everything holds: {listed([one.name for one in found])}."


def chain(picture: ReleaseResult) -> str:
    """The head of the chain."""
    return f"{counted(len(picture.events), 'event')}; the head of the chain is {picture.head}."


# Work


def making(done: int, total: int | None, what: str = "Making the copy", of: str = "rows") -> str:
    """How far a copy is, or something else that goes over rows or columns."""
    return f"{what}: {count(done)} of {count(total)} {of}" if total else f"{what}: {count(done)} {of}" if done else what


def copy_in_words(copy: Copy, notes: Iterable[str] = ()) -> str:
    """What was made."""
    size = f"{copy.bytes / 1e6:.1f} MB" if copy.bytes >= 100_000 else f"{count(copy.bytes)} bytes"
    return " ".join([f"The copy for “{copy.to}” is out ({copy.describe()}; {size}).", *notes])


# What a steward does besides


def rows(picture: ReleaseResult) -> str:
    """What new rows are, and where they are looked for."""
    return (
        f"{sentence(counted(picture.rows, 'row'))} now. Put the file with the old rows and the new ones behind them "
        "where the data are: old rows keep their noise, and the covariance stays as it was frozen."
    )


def grown(number: int) -> str:
    """How many rows have come."""
    return f"{sentence(counted(number, 'row'))} {'was' if number == 1 else 'were'} added."


def compared(picture: ReleaseResult) -> str:
    """What a found file is compared with."""
    if not picture.copies:
        return "No copy is out, so a file cannot be anybody's yet."
    many = counted(len(picture.first_issued), "copy", "copies")
    return (
        f"It is compared with {many}; it may be sorted otherwise, a sample, rounded, altered, mixed from several, or "
        "without some columns."
    )


def whose(verdict: Verdict) -> str:
    """Whose copy a found file is."""
    columns = f"{count(verdict.rows)} rows compared in {listed(verdict.columns)}."
    holders = [holder.describe() for holder in verdict.holders[:SUSPECTS]] if verdict.named else []
    return " ".join([verdict.sentence, columns, *(f"{one}." for one in holders)])


def too_large(name: str, size: int) -> str:
    """A file that is not taken."""
    return f"{name} has {size / 1e6:.0f} MB, more than a page takes: use “trustscope release whose” on the server."


def key(picture: ReleaseResult) -> str:
    """Where the key is."""
    if picture.withdrawn:
        return f"The key was destroyed on {picture.withdrawn[:10]}. The record stays."
    stores = {
        "memory": "in memory alone, as long as the rehearsal lasts",
        "file": "in a file, under a passphrase",
        "system": "in the key store of the server's system",
    }
    backups = sum(event.kind == "exported" for event in picture.events)
    return f"The key is kept {stores[picture.store]}. {sentence(counted(backups, 'backup'))} made so far."


def approving(request: Request) -> str:
    """On the button by which a second person approves the copy that is considered."""
    to, setting = request.to.strip(), holder_row(request.trust, request.retention)
    return f"Approve {setting} for {_short(to)}" if to else "Approve this copy"


def drilled(copies: int) -> str:
    """That a backup opens."""
    return (
        f"The backup opens, and makes the noise of {counted(copies, 'copy', 'copies')} again."
        if copies
        else ("The backup opens; no copy is out yet that it could make again.")
    )


def approved(to: str) -> str:
    """That a second person has approved a copy."""
    return f"The copy for “{to}” is approved."


def destroyed(_: None) -> str:
    """That the key is gone."""
    return "The key is destroyed. The record stays."
