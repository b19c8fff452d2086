"""Kept scenarios of a page side by side: the settings and the figures in which they differ."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pandas as pd

from trustscope.app.own import OwnData
from trustscope.app.problem import explain_error
from trustscope.app.work import TaskSlot, compute
from trustscope.scenarios.differences import differences
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.metrics import SHARE, Metrics, compute_metrics
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.scenario import Scenario
from trustscope.scenarios.words import plain, share

NOW = "now"  # the column of what stands on the page
REMEMBERED = 12  # scenarios whose figures a visitor's table remembers


class Compared:
    """The table. Settings are told at once, figures when they have been computed over all rows.

    Parameters
    ----------
    own : the visitor's own data
    show : called with the table for the page: columns, rows [kind, name, texts], a note
    """

    def __init__(self, own: OwnData, show: Callable[[dict[str, Any]], object]):
        self._own, self._show = own, show
        self._slot = TaskSlot(self._failed)
        self._known = Memo(REMEMBERED)
        self._rows: list[tuple[str, str, tuple]] = []
        self._columns: list[str] = []

    def start(self, scenarios: dict[str, Scenario]) -> None:
        """Show these, by the heading of their column; their figures follow."""
        self._slot.stop()
        self._columns = list(scenarios)
        settings = [("setting", name, texts) for name, texts in differences(list(scenarios.values()))]
        if len(scenarios) < 2:
            self._tell([], "")
            return
        self._tell(settings, "The figures are being computed …")

        async def work():
            found = []
            for letter, scenario in scenarios.items():
                found.append(await compute(self._figures, scenario, kind="compare"))
                note = f"The figures of {letter} are there, the next are being computed …"
                await self._slot.show(partial(self._tell, settings, note))
            await self._slot.show(partial(self._tell, [*settings, *_figure_rows(found)], ""))

        self._slot.start(work)

    def stop(self) -> None:
        """Nobody looks at it any more."""
        self._slot.stop()

    def _figures(self, scenario: Scenario) -> Metrics:
        return self._known(scenario, lambda: compute_metrics(scenario, self._own.dataset))

    def _failed(self, error: Exception) -> None:
        self._tell(
            self._rows, str(error) if isinstance(error, ScenarioProblem) else " ".join(explain_error(error, "compare"))
        )

    def _tell(self, rows: list[tuple[str, str, tuple]], note: str) -> None:
        self._rows = rows
        seen = [[kind, name, *map(_text, values)] for kind, name, values in rows]
        self._show({"columns": ["", *self._columns], "rows": seen, "note": note})

    def table(self) -> pd.DataFrame:
        """The table with plain numbers; shares are between 0 and 1."""
        rows = [[kind, name, *map(_value, values)] for kind, name, values in self._rows]
        return pd.DataFrame(rows, columns=["kind", "name", *self._columns], dtype=object)


def _figure_rows(found: list[Metrics]) -> Iterator[tuple[str, str, tuple]]:
    """What differs: the verdicts, the headline's number, and every figure."""
    numbers = [f"{f'{one.before} → ' if one.before else ''}{one.after}" for one in found]
    for name, texts in (("verdict", [one.verdict for one in found]), (found[0].label or "number", numbers)):
        if len(set(texts)) > 1:
            yield "figure", name, tuple(texts)
    labels = {figure.name: figure.label for one in found for figure in one.figures}
    every = [{figure.name: figure for figure in one.figures} for one in found]
    for name, label in labels.items():
        values = tuple((one[name].value, one[name].unit) if name in one else None for one in every)
        if len(set(map(_text, values))) > 1:
            yield "figure", label, values


def _text(value: Any) -> str:
    """A cell for people: a text, or a figure with its unit."""
    if isinstance(value, str) or value is None:
        return value or "–"
    number, unit = value
    if number is None or isinstance(number, str):
        return number or "–"
    if isinstance(number, bool):
        return "yes" if number else "no"
    return share(number) if unit == SHARE else f"{plain(number)}{f' {unit}' if unit else ''}"


def _value(value: Any) -> Any:
    """A cell for programs."""
    return value if isinstance(value, str) or value is None else value[0]
