"""What the Papers page says."""

from collections.abc import Iterable
from typing import Any

import pandas as pd

from trustscope.scenarios.papers.record import (
    CONFIRMED,
    CORRECTED,
    DIFFERS,
    STAND_IN,
    UNTESTED,
    VERDICTS,
    Experiment,
    Result,
)
from trustscope.scenarios.papers.registry import PAPERS
from trustscope.scenarios.papers.tally import MARKS, settings, tally
from trustscope.scenarios.statement import LEAK, QUIET, SAFE, Claim, Headline
from trustscope.scenarios.words import count, counted, share

TONES = {CONFIRMED: "good", CORRECTED: "warn", DIFFERS: "bad", STAND_IN: "soft", UNTESTED: "bad"}
EXPLAINED = {
    CONFIRMED: "Every claim here comes out as the paper says.",
    CORRECTED: "Something in the paper is wrong; what is right is shown here.",
    DIFFERS: "At least one claim does not come out here as the paper says.",
    STAND_IN: "The paper's data are not available; other data stand in for them, which confirms nothing.",
    UNTESTED: "With these settings not every claim can be tested.",
}


def overview(results: Iterable[Result]) -> Headline:
    """The headline above the gallery."""
    results = list(results)
    found, experiments = tally(results), counted(len(results), "experiment")
    total, confirmed = sum(found.values()), found[CONFIRMED]
    if not total:
        return Headline("No claim of these can be tested here.", note=EXPLAINED[STAND_IN])
    return Headline(
        title=f"{confirmed} of {counted(total, 'claim')} in {experiments} {_come(confirmed)} out as printed.",
        after=share(confirmed / total),
        label=f"confirmed; {found[CORRECTED]} wrong in print, {found[DIFFERS]} not reproducible",
        note=(
            f"{_are(found[CORRECTED])} wrong in print: open one to see what is right. {_do(found[DIFFERS])} not come "
            "out here: the paper prints too little of how it was done, or the claim holds only in part. Everything "
            "below was run at a quick size; open one to run it yourself at a larger size."
        ),
        tone=SAFE,
    )


def _come(number: int) -> str:
    return "comes" if number == 1 else "come"


def _are(number: int) -> str:
    return "1 is" if number == 1 else f"{number} are"


def _do(number: int) -> str:
    return "1 does" if number == 1 else f"{number} do"


def verdict(result: Result, own: bool) -> Headline:
    """The headline above one experiment: how many of its claims have the best verdict, and how many another."""
    e, found = result.experiment, [o.verdict for o in result.outcomes]
    first, *others = [v for v in VERDICTS if v in found]
    whose = "This is your own run." if own else "This is the stored run, at the quick size."
    rest = "".join(f", {found.count(v)} {v}" for v in others)
    return Headline(
        title=e.title,
        after=f"{found.count(first)} of {len(found)}",
        label=f"{'claim' if len(found) == 1 else 'claims'} {first}{rest}",
        note=f"{e.claim} {EXPLAINED[result.verdict]} {whose}",
        tone={CONFIRMED: SAFE, CORRECTED: QUIET, STAND_IN: QUIET}.get(result.verdict, LEAK),
    )


def busy(id: str) -> str:
    """Why nothing else can be run at this moment."""
    return f"{id} is running. Stop it there, or wait until it is done and press Run it."


def changed() -> str:
    """The settings are not those of the result that is shown."""
    return "The settings have changed: press Run it."


def claims(result: Result) -> list[Claim]:
    """The lines of the table of claims."""
    return [
        Claim(o.check.claim, o.check.printed, o.found, o.check.tolerance, MARKS[o.verdict], TONES[o.verdict])
        for o in result.outcomes
    ]


def tile(e: Experiment, result: Result | None, picture: str) -> dict[str, Any]:
    """One tile of the gallery; one of which nothing is stored has no picture and no verdict."""
    found = UNTESTED if result is None else result.verdict
    return {
        "id": e.id, "group": group(e), "title": e.title, "note": e.where, "picture": picture,
        "verdict": MARKS[found] if result else "– not run yet", "tone": TONES[found],
    }  # fmt: skip


def nothing(e: Experiment) -> Headline:
    """The headline above an experiment of which nothing is stored."""
    return Headline(e.title, note=f"{e.claim} No result of it is stored yet: run it.")


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


def rows(table: pd.DataFrame, seen: int) -> str:
    """The caption of the table."""
    if seen == len(table):
        return f"{count(seen)} rows."
    return f"The first {count(seen)} of {count(len(table))} rows; all of them are in the file."


def code(experiment: Experiment, values: dict[str, Any], key: int) -> str:
    """What to run in a notebook for the same result."""
    given = [f"{p.name}={values[p.name]!r}" for p in experiment.parameters]
    if "key" in experiment.takes:
        given.append(f"key={key}")
    inner = ", ".join(given)
    if len(experiment.id) + len(inner) > 30:  # the box is narrow
        inner = "\n" + "".join(f"    {one},\n" for one in given)
    return (
        "from trustscope.plots import papers\n"
        "from trustscope.scenarios.papers.registry import find\n\n"
        f'result = find("{experiment.id}").run({inner})\n'
        "for o in result.outcomes:\n"
        '    print(o.verdict, "|", o.check.claim, "|", o.found)\n'
        "result.table  # the numbers, a pandas DataFrame\n"
        "papers.plot(result.experiment.id, result.table)  # a HoloViews plot\n"
    )
