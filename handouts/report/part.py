"""One scenario of a report or of a deck, worked out over all rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module

import pandas as pd

from trustscope.handouts.brief import Brief, brief_of
from trustscope.handouts.report.drawing import Drawn, drawings
from trustscope.scenarios import pages
from trustscope.scenarios.metrics import Metrics
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.scenario import Scenario
from trustscope.scenarios.sheet import Sheet
from trustscope.scenarios.whole import Whole, stop

WORKED = 0.8  # the share of the work that is not drawing


@dataclass(frozen=True, eq=False)
class Part:
    """One scenario: its letter, what was worked out, its figures, what its page tells, and what is read first."""

    letter: str
    found: Whole
    figures: Metrics
    sheet: Sheet
    frame: pd.DataFrame
    records: set[str]
    brief: Brief
    drawn: tuple[Drawn, ...] = ()

    @property
    def scenario(self) -> Scenario:
        """As it fits the data."""
        return self.found.scenario

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables without those that show single records."""
        return {title: table for title, table in self.figures.tables.items() if title not in self.records}

    @property
    def number(self) -> str:
        """The number of the headline as it is written: "42 % → 61 %"."""
        return " → ".join(filter(None, (self.figures.before, self.figures.after)))

    @property
    def main(self) -> Drawn | None:
        """The plot that goes with the answer; None where nothing of the page is drawn."""
        every = [one for one in self.drawn if one.drawn]
        return next((one for one in every if one.card.key == self.brief.picture), every[0] if every else None)


def all_of(scenarios: Scenario | Sequence[Scenario], what: str, most: int) -> list[Scenario]:
    """The scenarios of a report or of a deck, if they are not too many."""
    every = [scenarios] if isinstance(scenarios, Scenario) else list(scenarios)
    if not 1 <= len(every) <= most:
        raise ScenarioProblem(f"A {what} is of 1 to {most} scenarios, not of {len(every)}.")
    return every


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
    figures = work.metrics_of(found)
    tells = import_module(f"trustscope.scenarios.{scenario.page}.sheet")
    drawn, records = drawings(found)
    return Part(
        letter, found, figures, tells.sheet_of(found, figures), tells.frame_of(found), records,
        brief_of(found, figures), tuple(drawn),
    )  # fmt: skip
