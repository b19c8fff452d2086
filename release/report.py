"""The report: a document for a board. A page for those who decide, then the technical part, then the record."""

from collections.abc import Iterator, Sequence

from trustscope.numbers import plain
from trustscope.release import analysis, words
from trustscope.release.coalitions import best_setting
from trustscope.release.differential import DELTA, LIMITS, privacy_losses, three_digits
from trustscope.release.grid import cost, usual_cost
from trustscope.release.kept import Kept, sentences
from trustscope.release.paper import bars, cell, listing, page, paragraphs, table
from trustscope.release.recipe import Recipe, level
from trustscope.release.record import Record
from trustscope.release.risk import ColumnRisk, Risk
from trustscope.release.roles import Role
from trustscope.release.steps import describe
from trustscope.release.terms import is_over
from trustscope.release.types import Setting

SIGNED = ("name and role", "decision", "date", "signature")
LINES = 2  # for signatures
KINDS = {
    "created": "the ledger was created", "appended": "new rows were taken in", "intended": "a copy was announced",
    "made": "the copy was written", "issued": "the copy is out", "abandoned": "the copy was given up",
    "policy": "the rules were set", "approved": "a copy was approved", "exported": "the key was backed up",
    "imported": "the key was taken from a backup", "drilled": "a backup was proved",
    "withdrawn": "the key was destroyed",
}  # fmt: skip


# As `Ledger.each_risk` gives them.
EachRisk = Sequence[tuple[Risk, tuple[str, ...]]]


def html(
    recipe: Recipe, record: Record, risks: EachRisk, *, reason: str = "", broken: Sequence[str] = (), old: str = ""
) -> str:
    """The whole document.

    Parameters
    ----------
    recipe : Recipe
    record : Record
    risks : list of (Risk, tuple of str)
        As `Ledger.each_risk` gives them.
    reason : str
        Why there are none, where they cannot be measured.
    broken : sequence of str
        Rules that what is out breaks.
    old : str
        What has to be said of a floor of the old sense.
    """
    return page("Release report", [
        *_decision(recipe, record, risks, reason, broken, old),
        *_technical(recipe, record, risks, reason),
        *_record(recipe, record),
    ])  # fmt: skip


# The page for those who decide


def _decision(
    recipe: Recipe, record: Record, risks: EachRisk, reason: str, broken: Sequence[str], old: str
) -> list[str]:
    rules = words.rules(record.policy)
    return [
        "<h1>What was released, and what it gives away</h1>",
        f'<p class="quiet">{cell(_data(record))} As of {cell(record.events[-1].time[:10])}; ledger '
        f"{cell(record.created['ledger'][:12])}, head of the chain {record.head[:12]}.{cell(_state(record))}</p>",
        "<h2>To whom, for what, until when</h2>",
        _copies(record) if record.copies else "<p>No copy is out.</p>",
        paragraphs(list(sentences(looked))[:1] if (looked := Kept.from_record(record.created.get("kept"))) else []),
        *_gains(risks, reason),
        '<div class="whole"><h2>Rules</h2>',
        listing(rules) or "<p>No rules are set.</p>",
        *(f'<p class="bad">{cell(one)}</p>' for one in (*broken, *([old] if old else []))),
        paragraphs(["What is out keeps to these rules."] if rules and risks and not broken else []),
        "</div>",
        '<div class="whole"><h2>Decided by</h2>',
        listing(_decisions(record)),
        '<div class="signed">' + table(SIGNED, [("", "", "", "")] * LINES) + "</div></div>",
    ]


def _copies(record: Record) -> str:
    rows = []
    for copies in record.holders().values():
        for copy in copies:
            until = copy.expires or "not said"
            mark = f'<span class="bad">{cell(until)}, over</span>' if is_over(copy.expires) else cell(until)
            rows.append((
                cell(copy.to), cell(copy.describe()), cell(copy.purpose or "not said"), mark,
                cell(copy.contact or "not said"), cell(f"{copy.by}, {copy.time[:10]}"),
            ))  # fmt: skip
    return table(("recipient", "what", "for", "until", "contact", "issued by"), rows)


def _gains(risks: EachRisk, reason: str) -> Iterator[str]:
    """What the best attacker gets per column, in a sentence and a picture."""
    if not risks:
        if reason:
            yield f'<p class="bad">What the copies give away could not be measured: {cell(reason)}</p>'
        return
    risk = risks[0][0]
    yield "<h2>What the best attacker gets from all copies together</h2>"
    yield paragraphs([f"Of 100 people so many are guessed: {'; '.join(_clause(one) for one in risk.columns)}."])
    rows = [(_named(one), one.hits, one.without) for one in risk.columns]
    yield bars([*rows, ("found again by the row", risk.found, risk.found_without)],
               "Share of the people who are guessed, with all copies and without any")  # fmt: skip
    worst = risk.worst
    if worst is not None and worst.worst is not None:
        yield paragraphs([
            f"Not everybody is protected alike: {worst.name} of the most exposed person is guessed in "
            f"{words.percent(worst.worst)} of cases. Of 100 people {100 * risk.found:.0f} are found again by somebody "
            f"who has all rows, but not whose they are."
        ])  # fmt: skip


def _named(one: ColumnRisk) -> str:
    return one.name if one.within is None else f"{one.name}, within {one.within:g}"


def _clause(one: ColumnRisk) -> str:
    return f"{_named(one)}: {100 * one.hits:.0f} ({100 * one.without:.0f} without any copy)"


def _decisions(record: Record) -> Iterator[str]:
    """Who created the ledger, approved copies, and set the rules that hold now."""
    rules = [event.number for event in record.events if event.kind == "policy"][-1:]
    for event in record.events:
        who, day = event.body.get("by", "unknown"), event.time[:10]
        if event.kind == "created":
            yield f"{day}: {who} created the ledger."
        elif event.number in rules:
            yield f"{day}: {who} set the rules as they are."
        elif event.kind == "approved":
            setting = words.setting(event.body["trust"], event.body["retention"])
            yield f"{day}: {who} approved a copy for “{event.body['to']}” ({setting})."


def _data(record: Record) -> str:
    data, roles = record.data, record.created["recipe"]["roles"]
    named: dict[Role, str] = {
        "numbers": "perturbed numbers",
        "categories": "perturbed categories",
        "keep": "kept as they are",
        "drop": "left out",
    }
    what = "; ".join(f"{word}: {', '.join(roles[role])}" for role, word in named.items() if roles[role])
    return f"{data['rows']:,} rows ({what})."


def _state(record: Record) -> str:
    return f" Withdrawn on {record.withdrawn[:10]}: no further copies." if record.withdrawn else ""


# The technical part


def _technical(recipe: Recipe, record: Record, risks: EachRisk, reason: str) -> Iterator[str]:
    yield '<h1 class="next">Technical part</h1>'
    looked = Kept.from_record(record.created.get("kept"))
    if looked is not None:
        yield "<h2>What is kept as it is</h2>"
        yield listing(sentences(looked))
        if looked.by_kept_alone is not None and looked.by_kept_alone.unique:
            yield paragraphs(
                [f"That rows are alone was accepted by {record.created['by']} when the ledger was created."]
            )
    if recipe.steps:
        yield "<h2>Before the noise</h2>"
        yield paragraphs(describe(name, step) for name, step in recipe.steps)
    yield "<h2>What the strongest attacker gets</h2>"
    yield paragraphs([words.BEST_COPY])
    if risks:
        yield paragraphs([words.attacker(risks[0][0], recipe), words.LIMITS])
    elif reason:
        yield paragraphs([reason])
    for place, (risk, names) in enumerate(risks):
        who = words.whose_setting(names, place)
        yield f'<div class="whole"><h3>Best copies {cell(words.setting(risk.trust, risk.retention))} ({cell(who)})</h3>'
        yield _risk_table(risk)
        yield paragraphs([words.reidentification(risk)[:1].upper() + words.reidentification(risk)[1:] + "."])
        yield "</div>"
    yield from _differential(recipe, record)
    if recipe.roles.numbers:
        yield "<h2>Rounding</h2>"
        yield paragraphs([
            "Numbers are rounded to a grid. The last columns say how much of the error of a linear guess rounding may "
            "hide from the best copy alone, in units of the variance: at most, and usually."
        ])  # fmt: skip
        yield table(("column", "grid", "standard deviation", "at most", "usually"), _grids(recipe, record), (2, 3, 4))
    yield paragraphs(recipe.notes)
    yield '<div class="whole"><h2>What an analyst may compute</h2>'
    yield listing(analysis.what_may_be_computed(recipe))
    yield "</div>"
    yield paragraphs(["Each recipient has a sheet with the corrections worked for their copy, and a script."])


def _risk_table(risk: Risk) -> str:
    titles = ("column", "a hit", "guessed", "without", "error", "top hundredth", "most exposed")
    rows = [
        (
            cell(one.name), "right value" if one.within is None else f"within {one.within:g}",
            words.with_error(one.hits, one.hits_error), words.percent(one.without),
            "–" if one.error is None else words.with_error(one.error, one.error_error),
            "–" if one.hundredth is None else words.percent(one.hundredth),
            "–" if one.worst is None else words.percent(one.worst),
        )
        for one in risk.columns
    ]  # fmt: skip
    return table(titles, rows, range(2, 7))


def _out(record: Record) -> Setting:
    return best_setting([copy.setting for copies in record.holders().values() for copy in copies])


def _differential(recipe: Recipe, record: Record) -> Iterator[str]:
    """The same in terms of differential privacy; nothing where no copy is out."""
    rows = [
        (
            cell(one.what),
            three_digits(one.mu),
            "–" if one.mu is None else three_digits(one.mu**2 / 2),
            three_digits(one.epsilon),
        )
        for one in privacy_losses(recipe, _out(record))
    ]
    if not rows:
        return
    yield '<div class="whole"><h2>In terms of differential privacy</h2>'
    yield paragraphs([
        "How well two rows that differ in one thing alone can be told apart by who holds all copies that are out: as "
        f"well as with the best of them. epsilon is for a delta of {DELTA:g} where there is a mu, for none otherwise.",
        LIMITS,
    ])  # fmt: skip
    yield table(("what differs", "mu", "rho", "epsilon"), rows, (1, 2, 3)) + "</div>"


def _grids(recipe: Recipe, record: Record) -> Iterator[tuple[str, ...]]:
    trust = _out(record)[0]
    for name, grid, deviation in zip(recipe.roles.numbers, recipe.grids, recipe.deviations, strict=True):
        bounds = [f(grid, deviation, level(trust)) for f in (cost, usual_cost)] if trust else []
        yield cell(name), cell(grid.text), plain(deviation), *([plain(b) for b in bounds] or ["–", "–"])


# The record


def _record(recipe: Recipe, record: Record) -> Iterator[str]:
    yield '<h1 class="next">The record</h1>'
    yield f"<p>Digest of the data: <code>{record.data['digest']}</code></p>"
    yield f"<p>Noise from the generator {cell(record.created['recipe']['generator'])}.</p>"
    last = record.events[-1]
    head = f"<code>{record.head}</code>"
    yield f"<p>Head of the chain after {last.number} events, {cell(last.time[:19])}: {head}</p>"
    yield "<h2>Every copy that was issued</h2>"
    yield table(("recipient", "what", "issued (UTC)", "rows", "SHA-256 of the file"), _issued_rows(record), (3,))
    yield "<h2>History</h2>"
    yield table(("number", "time (UTC)", "what", "digest"), _events(record))


def _issued_rows(record: Record) -> Iterator[tuple[str, ...]]:
    for copy in record.copies:
        again = " (again)" if copy.reissue else ""
        yield (
            cell(copy.to) + again, cell(copy.describe()), cell(copy.time[:16].replace("T", " ")), f"{copy.rows:,}",
            f"<code>{copy.sha256}</code>",
        )  # fmt: skip


def _events(record: Record) -> Iterator[tuple[object, ...]]:
    for event in record.events:
        who = event.body.get("to") or event.body.get("by")
        said = KINDS.get(event.kind, event.kind) + (f": {who}" if who else "")
        yield event.number, cell(event.time[:19].replace("T", " ")), cell(said), f"<code>{event.digest}</code>"
