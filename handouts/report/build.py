"""A report: what stands on one page or several, worked out over all rows, as one file that needs nothing else.

It is written for people who decide: the first page has the question, the answer and what to do; details are folded,
and every figure stands after them. The same scenarios give the same file, byte for byte: it holds no date and no name
of a machine.
"""

from collections.abc import Sequence

import pandas as pd

from trustscope.datasets import Dataset
from trustscope.handouts.report import html
from trustscope.handouts.report.comparing import compare
from trustscope.handouts.report.first import comparison_page, first_page
from trustscope.handouts.report.part import WORKED, Part, all_of, worked_out
from trustscope.handouts.report.sections import details, every_figure, reproduced
from trustscope.handouts.report.version import OURS, versions
from trustscope.numbers import of_unit
from trustscope.scenarios.metrics import Metrics
from trustscope.scenarios.scenario import Scenario
from trustscope.scenarios.whole import Cancel, Progress, stop
from trustscope.scenarios.words import sentence

MOST = 8  # scenarios of one report


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
    every = all_of(scenarios, "report", MOST)
    told = progress or (lambda fraction, text: None)
    parts, body = [], []
    for place, scenario in enumerate(every):
        parts.append(worked_out(scenario, place, len(every), own, told, cancel))
        body.append(_section(parts[-1], len(every) > 1, told, cancel, (place + WORKED) / len(every)))
    told(1.0, "Done")
    title = parts[0].brief.question if len(parts) == 1 else f"{len(parts)} scenarios side by side"
    if len(parts) > 1:
        body = [comparison_page(parts, compare(parts)), _side_by_side(parts), *body]
    return html.page(f"Trustscope report: {title}", OURS, [*body, _versions()], _embedded(parts))


def _section(part: Part, several: bool, told, cancel, begun: float) -> str:
    """All that is said of one scenario."""

    def drawing(text: str) -> None:
        stop(cancel)
        told(begun, text)

    drawing("Drawing the first page")
    made = first_page(part, 2 if several else 1) + details(part, drawing) + every_figure(part) + reproduced(part)
    return f'<section id="{part.letter}">\n{made}</section>\n'


def _versions() -> str:
    return f"<footer>\n{html.heading(2, 'Versions')}{html.definitions(versions())}</footer>\n"


# Several scenarios


def _side_by_side(parts: list[Part]) -> str:
    """All settings and figures that differ, a column for each scenario."""
    rows = [("page", [part.scenario.page for part in parts]), ("verdict", [part.figures.verdict for part in parts])]
    rows.append(("number", [part.number for part in parts]))
    rows.append(("data", ["" if p.found.data is None else p.found.data.title for p in parts]))
    settings = pd.DataFrame([*_named(rows, parts), *_named(_of_all([dict(p.sheet.settings) for p in parts]), parts)])
    # By name, because the words of a label may differ where the figure is the same.
    labels = {one.name: sentence(one.label) for part in reversed(parts) for one in part.figures.figures}
    values = [{one.name: of_unit(one.value, one.unit) for one in p.figures.figures} for p in parts]
    figures = pd.DataFrame(_named([(labels[name], texts) for name, texts in _of_all(values)], parts))
    return (
        html.heading(2, "Side by side")
        + html.folded("All settings that differ", html.table(settings, "Settings that differ", most=200))
        + html.folded("All figures that differ", html.table(figures, "Figures that differ", most=1000))
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
        kept = Metrics(**{**vars(part.figures), "tables": part.tables})
        made.append({"name": part.letter, "scenario": part.scenario.to_dict(), **kept.to_dict(tables=True)})
    return {"trustscope": OURS, "scenarios": made}
