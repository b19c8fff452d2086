"""What the Papers page says."""

from app.papers.record import CONFIRMED, CORRECTED, DIFFERS, Experiment, Result
from app.papers.registry import PAPERS
from app.papers.report import settings, tally
from app.words import count
from widgets.claims import Claim
from widgets.verdict import Figure

TONES = {CONFIRMED: "good", CORRECTED: "warn", DIFFERS: "bad", "not tested": "bad"}
MARKS = {CONFIRMED: "✓ confirmed", CORRECTED: "✎ corrected", DIFFERS: "≠ differs", "not tested": "– not tested"}
EXPLAINED = {
    CONFIRMED: "Every claim here comes out as the paper says.",
    CORRECTED: "Something is wrong in print; what is right is shown.",
    DIFFERS: "Something does not come out here, or belongs to data that cannot be had.",
    "not tested": "With these settings the claims cannot be tested.",
}


def overview(results) -> dict:
    """The verdict over the gallery."""
    found = tally(results)
    total = sum(found.values())
    names = {CONFIRMED: "confirmed", CORRECTED: "wrong in print, corrected", DIFFERS: "not reproducible"}
    return {
        "title": f"{found[CONFIRMED]} of {total} claims of the papers come out as printed.",
        "text": (
            f"{found[CORRECTED]} are wrong in print: open one to see it shown. {found[DIFFERS]} do not come out here: "
            "the data cannot be had, or too little is printed of how it was done. Everything below was run at a quick "
            "size; run it yourself, larger."
        ),
        "figures": [Figure(str(found[v]), name) for v, name in names.items()],
        "tone": "safe",
    }


def verdict(result: Result, own: bool) -> dict:
    """The verdict over one experiment."""
    e, found = result.experiment, [o.verdict for o in result.outcomes]
    whose = "As you ran it." if own else "As stored, at the quick size."
    return {
        "title": e.title,
        "text": f"{e.claim} {EXPLAINED[result.verdict]} {whose}",
        "figures": [Figure(str(found.count(v)), v) for v in (CONFIRMED, CORRECTED, DIFFERS) if v in found],
        "tone": {CONFIRMED: "safe", CORRECTED: "quiet"}.get(result.verdict, "leak"),
    }


def claims(result: Result) -> list[Claim]:
    """The lines of the table of claims."""
    return [
        Claim(o.check.claim, o.check.printed, o.found, o.check.tolerance, MARKS[o.verdict], TONES[o.verdict])
        for o in result.outcomes
    ]


def tile(result: Result, picture: str) -> dict:
    """One tile of the gallery."""
    e = result.experiment
    return {
        "id": e.id, "group": group(e), "title": e.title, "note": e.where, "picture": picture,
        "verdict": MARKS[result.verdict], "tone": TONES[result.verdict],
    }  # fmt: skip


def group(experiment: Experiment) -> str:
    """The heading under which it stands."""
    return PAPERS[experiment.paper].short


def groups() -> list[tuple[str, str]]:
    """All headings, with what the papers are called."""
    return [(p.short, f"{p.title} ({p.authors})") for p in PAPERS.values()]


def source(experiment: Experiment) -> str:
    """Where it stands, for a caption."""
    paper = PAPERS[experiment.paper]
    return f"{experiment.where} of {paper.authors}, <i>{paper.title}</i>, {paper.venue}."


def ran(result: Result) -> str:
    """The caption of the plot."""
    return f"Run with {settings(result)}." if result.experiment.parameters else "There is nothing to set."


def rows(table, seen: int) -> str:
    """The caption of the table."""
    if seen == len(table):
        return f"{count(seen)} rows."
    return f"The first {count(seen)} of {count(len(table))} rows; all of them are in the file."


def code(experiment: Experiment, values: dict, key: int) -> str:
    """What to run in a notebook for the same result."""
    given = [f"{p.name}={values[p.name]!r}" for p in experiment.parameters]
    if "key" in experiment.takes:
        given.append(f"key={key}")
    inner = ", ".join(given)
    if len(inner) > 50:
        inner = "\n" + "".join(f"    {one},\n" for one in given)
    return (
        "import holoviews as hv\n"
        "from app.papers import find\n\n"
        'hv.extension("bokeh")\n'
        f'result = find("{experiment.id}").run({inner})\n'
        "for o in result.outcomes:\n"
        '    print(o.verdict, "|", o.check.claim, "|", o.found)\n'
        "result.table  # the figures, a pandas DataFrame\n"
        "result.plot()  # the picture\n"
    )
