"""What follows the first page: details that are folded, every figure, and how to reproduce it."""

import json
import shlex

import pandas as pd

from trustscope.handouts.report import html
from trustscope.handouts.report.drawing import Drawn
from trustscope.handouts.report.part import Part
from trustscope.handouts.report.units import unit_of
from trustscope.handouts.report.version import OURS
from trustscope.numbers import of_unit
from trustscope.scenarios.link import query_of
from trustscope.scenarios.metrics import Metrics
from trustscope.scenarios.scenario import OWN
from trustscope.scenarios.words import count, sentence

NO_RECORD = "The data are described by statistics; no record of them is in this report."
# Whether a figure agrees with what is expected, or stays within a bound.
JUDGED = (
    {True: "✓ agrees", False: "✗ differs", None: "– not judged"},
    {True: "✓ holds", False: "✗ fails", None: "– not judged"},
)


def details(part: Part, told) -> str:
    """All that can be looked at, each under its title, folded; `told(text)` is called before each drawing."""
    made = [html.folded("What the page says", _said(part))]
    made.append(html.folded("Settings", html.definitions(part.sheet.settings)))
    made.append(html.folded("Data", _data(part)))
    for number, plot in enumerate(part.drawn):
        told(f"Drawing {plot.title}")
        made.append(html.folded(plot.title, _plot(part, plot, number)))
    if part.sheet.attackers is not None:
        text, table = part.sheet.attackers
        made.append(html.folded("All attackers", html.paragraph(text) + html.table(table, "Attackers")))
    made.append(html.folded("Theory beside measurement", _judged(part.figures)))
    made.append(html.folded("What is assumed, and what is not said", html.listing(part.sheet.assumptions)))
    return (
        html.heading(2, "Details")
        + html.paragraph("Open what you want to know more about.", "quiet screen")
        + "".join(made)
    )


def every_figure(part: Part) -> str:
    """Every figure by its name in words, with its unit."""
    return html.heading(2, "Every figure") + html.table(listed(part.figures), "All figures, over all rows", most=1000)


def reproduced(part: Part) -> str:
    """What to save and to run for the same report."""
    page, own = part.scenario.page, part.scenario.data.name == OWN
    data = f" --data {shlex.quote(part.found.data.origin.name)}" if own and part.found.data is not None else ""
    file = f"{page}.json"
    steps = f"trustscope run {file}{data}\ntrustscope report {file}{data} -o report.html\ntrustscope open {file}"
    asked = " The file with the data is asked for, and recognised by its digest." if own else ""
    return (
        html.heading(2, "How to reproduce it")
        + html.paragraph(f"Save the lines below as {file}, and with Trustscope {OURS} run:")
        + html.code(steps)
        + html.code(json.dumps(part.scenario.to_dict(), indent=1, ensure_ascii=False))
        + html.paragraph(f"Or open this link, put behind the address of any Trustscope:{asked}")
        + html.code(f"/?{query_of(part.scenario)}")
    )


def _said(part: Part) -> str:
    figures = part.figures
    return (
        html.paragraph(figures.verdict, "verdict")
        + html.paragraph(part.number if figures.after else "", "number")
        + html.paragraph(figures.label, "quiet")
        + html.paragraph(figures.note)
    )


def _data(part: Part) -> str:
    data = part.found.data
    if data is None:
        return html.paragraph("The experiments make their own data.")
    named = [("Data", data.title), ("Rows", count(data.rows)), ("Columns", count(len(data.frame.columns)))]
    used = next((one.value for one in part.figures.figures if one.name == "rows"), data.rows)
    if used < data.rows:
        left = count(data.rows - used)
        named.append(("Rows that are used", f"{count(used)}; {left} lack a value that is used, and are left out"))
    if part.scenario.data.name == OWN:
        origin = data.origin
        named += [("File", f"{origin.name}, {count(origin.size or 0)} bytes"), ("SHA-256 digest", origin.digest or "")]
    else:
        named += [("Source", data.source), ("Licence", data.licence)]
    told = part.frame.loc[:, (part.frame != "").any()]  # without the units, where no column has one
    return html.definitions(named) + html.table(told, "Columns that matter here") + html.paragraph(NO_RECORD)


def _plot(part: Part, plot: Drawn, number: int) -> str:
    drawing = plot.inline(f"{part.letter}{number}", plot.title)
    if drawing:
        made = f"<figure>\n{drawing}<figcaption>{html.text(plot.caption)}</figcaption>\n</figure>\n"
    else:
        made = html.paragraph(plot.caption, "quiet")
    table = part.tables.get(plot.title)
    return made if table is None else made + html.table(table, f"{plot.title}: figures")


def _judged(figures: Metrics) -> str:
    """Where there is theory: what it expects, what was measured, and whether they agree."""
    rows = [
        {"figure": sentence(one.label), "expected": f"{'at most ' if one.bound else ''}{of_unit(one.theory, one.unit)}",
         "measured": of_unit(one.measured, one.unit), "tolerance": of_unit(one.tolerance, one.unit),
         "": JUDGED[one.bound][one.agrees]}
        for one in figures.figures if one.theory is not None and one.measured is not None
    ]  # fmt: skip
    if not rows:
        return html.paragraph("No figure here has a closed form to be held against.")
    return html.table(pd.DataFrame(rows), "Expected and measured over all rows", most=200)


def listed(figures: Metrics) -> pd.DataFrame:
    """The figures as a table: names in words, values as they are read, and units."""
    return pd.DataFrame([
        {"figure": sentence(one.label), "value": of_unit(one.value, one.unit), "unit": unit_of(one, figures.page)}
        for one in figures.figures
    ])  # fmt: skip
