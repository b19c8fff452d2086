"""A report: what stands on one page or several, worked out over all rows, as one file that needs nothing else.

The same scenarios give the same file, byte for byte: it holds no date and no name of a machine.
"""

import json
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

import pandas as pd

from trustscope.datasets import Dataset
from trustscope.handouts.report import html
from trustscope.handouts.report.drawing import Drawn, drawings
from trustscope.numbers import of_unit
from trustscope.scenarios import pages
from trustscope.scenarios.figures import Figures
from trustscope.scenarios.link import query_of
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.scenario import OWN, Scenario
from trustscope.scenarios.sheet import Sheet
from trustscope.scenarios.whole import Cancel, Progress, Whole, stop
from trustscope.scenarios.words import count, counted

MOST = 8  # scenarios of one report
OURS = version("trustscope")
LIBRARIES = ("numpy", "scipy", "pandas", "scikit-learn")
WORKED = 0.8  # the share of the work that is not drawing
NO_RECORD = "The data are described by statistics; no record of them is in this report."


@dataclass(frozen=True, eq=False)
class Part:
    """One scenario of a report: its letter, what was worked out, its figures, and what its page tells."""

    letter: str
    found: Whole
    figures: Figures
    sheet: Sheet
    frame: pd.DataFrame
    records: set[str]
    drawn: tuple[Drawn, ...] = ()

    @property
    def scenario(self) -> Scenario:
        """As it fits the data."""
        return self.found.scenario

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables without those that show single records."""
        return {title: table for title, table in self.figures.tables.items() if title not in self.records}


def report(
    scenarios: Scenario | Sequence[Scenario], progress: Progress | None = None, cancel: Cancel | None = None,
    own: Dataset | None = None,
) -> str:  # fmt: skip
    """The report of one scenario, or of several side by side, as one HTML text.

    Parameters
    ----------
    scenarios : Scenario or sequence of Scenario
    progress : called with a share from 0 to 1 and what is being done, now and then
    cancel : asked now and then; where it says True, `Stopped` is raised
    own : the person's own file, where a scenario names one

    Raises
    ------
    Stopped, ScenarioProblem, Unusable or DataProblem
    """
    every = [scenarios] if isinstance(scenarios, Scenario) else list(scenarios)
    if not 1 <= len(every) <= MOST:
        raise ScenarioProblem(f"A report is of 1 to {MOST} scenarios, not of {len(every)}.")
    told = progress or (lambda fraction, text: None)
    parts, body = [], []
    for place, scenario in enumerate(every):
        parts.append(worked_out(scenario, place, len(every), own, told, cancel))
        body.append(_section(parts[-1], len(every) > 1, told, cancel, (place + WORKED) / len(every)))
    told(1.0, "Done")
    title = parts[0].figures.verdict if len(parts) == 1 else f"{counted(len(parts), 'scenario')} side by side"
    return html.page(
        f"Trustscope report: {title}", OURS,
        [_head(title, parts), _side_by_side(parts), *body, _versions()], _embedded(parts),
    )  # fmt: skip


def worked_out(scenario, place, many, own, told, cancel) -> Part:
    """One scenario, worked out."""
    stop(cancel)
    work = pages.work_of(scenario)
    letter = chr(ord("A") + place)
    text = "Working out all rows" if many == 1 else f"Working out all rows of {letter}"

    def progress(fraction, more):
        told((place + WORKED * fraction) / many, text)

    progress(0.0, "")
    found = work.whole(scenario, own, complete=True, progress=progress, cancel=cancel)
    figures = work.figures_of(found)
    tells = import_module(f"trustscope.scenarios.{scenario.page}.sheet")
    drawn, records = drawings(found)
    return Part(letter, found, figures, tells.sheet_of(found, figures), tells.frame_of(found), records, tuple(drawn))


# Sections


def _head(title, parts) -> str:
    one = parts[0]
    lead = "What perturbed copies of one dataset give away when their holders pool them."
    return html.heading(1, title if len(parts) > 1 else f"Report: {one.scenario.page}") + html.paragraph(lead, "quiet")


def _section(part: Part, several: bool, told, cancel, begun: float) -> str:
    """All that is said of one scenario."""
    figures, page = part.figures, part.scenario.page
    made = [html.heading(2, f"{part.letter}: the page {page}" if several else "What the page says")]
    made.append(html.paragraph(figures.verdict, "verdict"))
    if figures.after:
        made.append(html.paragraph(" → ".join(filter(None, (figures.before, figures.after))), "number"))
    made += [html.paragraph(figures.label, "quiet"), html.paragraph(figures.note)]
    made += [html.heading(3, "Data"), _data(part)]
    made += [html.heading(3, "Settings"), html.definitions(part.sheet.settings)]
    for number, plot in enumerate(part.drawn):
        stop(cancel)
        told(begun, f"Drawing {plot.title}")
        made.append(_plot(part, plot, number))
    if part.sheet.attackers is not None:
        text, table = part.sheet.attackers
        made += [html.heading(3, "All attackers"), html.paragraph(text), html.table(table, "Attackers")]
    made += [html.heading(3, "Theory beside measurement"), _judged(figures)]
    made += [html.heading(3, "Every figure"), html.table(_listed(figures), "Figures", most=1000)]
    made += [html.heading(3, "What is assumed, and what is not said"), html.listing(part.sheet.assumptions)]
    made += [html.heading(3, "How to reproduce it"), _reproduced(part)]
    return f'<section id="{part.letter}">\n{"".join(made)}</section>\n'


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
    return html.definitions(named) + html.table(part.frame, "Columns that matter here") + html.paragraph(NO_RECORD)


def _plot(part: Part, plot, number: int) -> str:
    made = html.heading(3, plot.title)
    drawing = plot.inline(f"{part.letter}{number}", plot.title)
    if drawing:
        made += f"<figure>\n{drawing}<figcaption>{escape(plot.caption)}</figcaption>\n</figure>\n"
    else:
        made += html.paragraph(plot.caption, "quiet")
    table = part.tables.get(plot.title)
    return made if table is None else made + html.table(table, f"{plot.title}: figures")


def _judged(figures: Figures) -> str:
    """Where there is theory: what it expects, what was measured, and whether they agree."""
    rows = [
        {"figure": one.label, "expected": of_unit(one.theory, one.unit),
         "measured": of_unit(one.measured, one.unit), "tolerance": of_unit(one.tolerance, one.unit),
         "": {True: "✓ agrees", False: "✗ differs", None: "– not judged"}[one.agrees]}
        for one in figures.figures if one.theory is not None and one.measured is not None
    ]  # fmt: skip
    if not rows:
        return html.paragraph("No figure here has a closed form to be held against.")
    return html.table(pd.DataFrame(rows), "Expected and measured over all rows", most=200)


def _listed(figures: Figures) -> pd.DataFrame:
    return pd.DataFrame([
        {"figure": one.label, "value": of_unit(one.value, one.unit), "name": one.name} for one in figures.figures
    ])  # fmt: skip


def _reproduced(part: Part) -> str:
    page, own = part.scenario.page, part.scenario.data.name == OWN
    data = f" --data {part.found.data.origin.name}" if own else ""
    file = f"{page}.json"
    steps = f"trustscope run {file}{data}\ntrustscope report {file}{data} -o report.html\ntrustscope open {file}"
    asked = " The file with the data is asked for, and recognised by its digest." if own else ""
    return (
        html.paragraph(f"Save the lines below as {file}, and with Trustscope {OURS} run:")
        + html.code(steps)
        + html.code(json.dumps(part.scenario.to_dict(), indent=1, ensure_ascii=False))
        + html.paragraph(f"Or open this link, put behind the address of any Trustscope:{asked}")
        + html.code(f"/?{query_of(part.scenario)}")
    )


def _versions() -> str:
    found = [("Trustscope", OURS), ("Python", platform.python_version())]
    for name in LIBRARIES:
        try:
            found.append((name, version(name)))
        except PackageNotFoundError:
            continue
    return f"<footer>\n{html.heading(2, 'Versions')}{html.definitions(found)}</footer>\n"


# Several scenarios


def _side_by_side(parts: list[Part]) -> str:
    """Settings and figures that differ, a column for each scenario."""
    if len(parts) == 1:
        return ""
    rows = [("page", [part.scenario.page for part in parts]), ("verdict", [part.figures.verdict for part in parts])]
    rows.append(("number", [" → ".join(filter(None, (p.figures.before, p.figures.after))) for p in parts]))
    rows.append(("data", ["" if p.found.data is None else p.found.data.title for p in parts]))
    settings = pd.DataFrame([*_named(rows, parts), *_named(_of_all([dict(p.sheet.settings) for p in parts]), parts)])
    values = [{one.name: of_unit(one.value, one.unit) for one in p.figures.figures} for p in parts]
    figures = pd.DataFrame(_named(_of_all(values), parts))
    return (
        html.heading(2, "Side by side")
        + html.table(settings, "Settings that differ", most=200)
        + html.table(figures, "Figures that differ", most=1000)
    )


def _of_all(values: list[dict[str, str]]):
    """Name and texts of all scenarios, where they are not the same."""
    names = dict.fromkeys(name for one in values for name in one)
    every = ((name, [one.get(name, "–") for one in values]) for name in names)
    return [(name, texts) for name, texts in every if len(set(texts)) > 1]


def _named(rows, parts) -> list[dict[str, str]]:
    return [{"": name} | {p.letter: text for p, text in zip(parts, texts, strict=True)} for name, texts in rows]


def _embedded(parts: list[Part]) -> dict:
    """All figures and tables for programs; no table of single records."""
    made = []
    for part in parts:
        kept = Figures(**{**vars(part.figures), "tables": part.tables})
        made.append({"name": part.letter, "scenario": part.scenario.to_dict(), **kept.to_dict(tables=True)})
    return {"trustscope": OURS, "scenarios": made}
