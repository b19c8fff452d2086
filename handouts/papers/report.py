"""Results in words: the report page of a run, and the page of the documentation."""

from html import escape
from pathlib import Path

from trustscope.scenarios.papers.record import Result
from trustscope.scenarios.papers.registry import PAPERS
from trustscope.scenarios.papers.tally import MARKS, sentence, settings

TEMPLATE = Path(__file__).with_name("report.html")


# The page of the documentation


def markdown(results: dict[str, Result]) -> str:
    """docs/papers.md: every experiment with its claims, what was found and the verdict; misprints with evidence."""
    lines = [
        "# The five papers, reproduced",
        "",
        "Every figure and table of the five papers, what the paper says (in our words), what comes out here at the "
        "quick size, and what is misprinted. Written by `trustscope reproduce --store`; do not edit.",
        "",
        f"**{sentence(results.values())}.** *Corrected*: the paper is wrong there, and the check shows it. "
        "*Differs*: the claim does not come out here; the line says what does. *Stand-in*: data that are not available "
        "are replaced by others, which confirms nothing and is not counted.",
        "",
        "Run any of them: `trustscope reproduce li/fig2`, all of them: `trustscope reproduce`, at the paper's own "
        "size: `--paper-size`; or open **Papers** in the app.",
    ]
    for paper in PAPERS.values():
        own = [r for r in results.values() if r.experiment.paper == paper.name]
        if own:
            lines += ["", f"## {paper.authors}: {paper.title} ({paper.venue})", "", f"{sentence(own)}.", ""]
            lines += _table([r for r in own if r.experiment.misprint is None])
            lines += _misprints([r for r in own if r.experiment.misprint is not None])
    return "\n".join(lines) + "\n"


def _table(results):
    lines = [
        "| experiment | the paper says | printed | here | agreement | verdict |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for result in results:
        for place, outcome in enumerate(result.outcomes):
            e, check = result.experiment, outcome.check
            name = f"`{e.id}` {e.title} ({e.where})" if place == 0 else ""
            cells = (name, check.claim, check.printed, outcome.found, check.tolerance, MARKS[outcome.verdict])
            lines.append(f"| {' | '.join(_cell(c) for c in cells)} |")
    return lines


def _misprints(results):
    if not results:
        return []
    lines = ["", "### What is misprinted or wrong", "",
             "| where | printed | right | evidence | run it |", "| --- | --- | --- | --- | --- |"]  # fmt: skip
    for result in results:
        e = result.experiment
        evidence = "; ".join(f"{o.check.claim}: {o.found} ({o.verdict})" for o in result.outcomes)
        cells = (f"{e.where}: {e.title}", e.misprint.printed, e.misprint.right, evidence,
                 f"`trustscope reproduce {e.id}`")  # fmt: skip
        lines.append(f"| {' | '.join(_cell(c) for c in cells)} |")
    return lines


def _cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


# The report page of a run


def page(results: dict[str, Result], pictures: dict[str, str], *, title: str) -> str:
    """One HTML page with everything in it: pictures, claims, verdicts, and where the tables lie."""
    body = [f"<h1>{escape(title)}</h1><p class=sum>{escape(sentence(results.values()))}.</p>"]
    for paper in PAPERS.values():
        own = [r for r in results.values() if r.experiment.paper == paper.name]
        if own:
            body.append(f"<h2>{escape(paper.authors)}, <i>{escape(paper.title)}</i>, {paper.venue}</h2>")
            body += [_section(result, pictures[result.experiment.id]) for result in own]
    return TEMPLATE.read_text().replace("TITLE", escape(title)).replace("BODY", "\n".join(body))


def _section(result, picture):
    e = result.experiment
    misprint = "" if e.misprint is None else (
        f"<p><b>Printed:</b> {escape(e.misprint.printed)}<br><b>Right:</b> {escape(e.misprint.right)}</p>"
    )  # fmt: skip
    rows = "".join(
        f"<tr class='{o.verdict.split()[0]}{'' if o.held else ' broken'}'>"
        f"<td>{escape(o.check.claim)}<td>{escape(o.check.printed)}<td>{escape(o.found)}<td>{escape(o.check.tolerance)}<td>{escape(MARKS[o.verdict])}"
        for o in result.outcomes
    )
    return (
        f"<section id='{e.file}'><h3>{escape(e.title)} <small>{escape(e.id)} · {escape(e.where)}</small></h3>"
        f"<p>{escape(e.claim)}</p>{misprint}<figure>{picture}</figure>"
        f"<table><tr><th>the paper says<th>printed<th>here<th>agreement<th>verdict</tr>{rows}</table>"
        f"<p class=with>Run with {escape(settings(result))}. <a href='{e.file}.csv'>{e.file}.csv</a></p></section>"
    )
