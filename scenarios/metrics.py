"""All figures of a page without the page: the same model, over all rows, as plain values and tables.

>>> from trustscope.scenarios.metrics import compute_metrics
>>> from trustscope.scenarios.trust.scenario import TrustScenario
>>> compute_metrics(TrustScenario()).after
'55 %'
"""

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from html import escape
from numbers import Integral, Real
from typing import Any

import pandas as pd

from trustscope.datasets import Dataset
from trustscope.scenarios import pages
from trustscope.scenarios.base import BaseScenario
from trustscope.scenarios.statement import Headline

SHARE = "share"  # the unit of a figure between 0 and 1 that is read in per cent


@dataclass(frozen=True)
class Metric:
    """One figure.

    Attributes
    ----------
    name : str
        A short dotted name that stays the same: "coalition.error".
    label : str
        What it is, in plain words.
    value : float, int, str, bool or None
        What the page says.
    unit : str
        Empty for a plain number; "share" where 0.5 is read as 50 %.
    theory, measured : float or None
        What is expected, and what was measured on all rows.
    tolerance : float or None
        How far the two may lie apart and still agree.
    agrees : bool or None
        Whether they do; None where there is no theory that judges, or too little to judge by.
    bound : bool
        Whether the theory says no more than how large it can be.
    """

    name: str
    label: str
    value: Any
    unit: str = ""
    theory: float | None = None
    measured: float | None = None
    tolerance: float | None = None
    agrees: bool | None = None
    bound: bool = False


@dataclass(frozen=True, eq=False)
class Metrics:
    """What a page says and shows.

    Attributes
    ----------
    page : str
    verdict : str
        The headline's sentence.
    before, after : str
        Its number, as the page writes it; empty where there is none.
    figures : tuple of Metric
    tables : dict of str to DataFrame
        One for each card of the page, by its title.
    label, note : str
        What the number of the headline is, and its second sentence.
    """

    page: str
    verdict: str
    before: str
    after: str
    figures: tuple[Metric, ...]
    tables: dict[str, pd.DataFrame] = field(default_factory=dict)
    label: str = ""
    note: str = ""

    def __repr__(self) -> str:
        number = " → ".join(filter(None, (self.before, self.after)))
        told = f"{self.verdict} {f'({number}) ' if number else ''}".strip()
        return f"<Metrics of the page {self.page}: {told} {len(self.figures)} figures, {len(self.tables)} tables>"

    def _repr_html_(self) -> str:
        number = " → ".join(filter(None, (self.before, self.after)))
        return f"<p><b>{escape(self.verdict)}</b> {escape(number)} {escape(self.label)}</p>" + self.frame().to_html(
            border=0, na_rep="–", max_rows=60
        )

    def frame(self) -> pd.DataFrame:
        """The figures as a table, by their names."""
        return pd.DataFrame([asdict(one) for one in self.figures]).set_index("name")

    def of(self, name: str) -> Metric:
        """The figure of this name."""
        for figure in self.figures:
            if figure.name == name:
                return figure
        raise KeyError(f"There is no figure called {name!r} here.")

    def to_dict(self, tables: bool = False) -> dict[str, Any]:
        """Plain JSON values; what is not a number becomes null. The tables only where they are wanted."""
        said = {name: getattr(self, name) for name in ("page", "verdict", "before", "after", "label", "note")}
        said["figures"] = [{key: as_json(value) for key, value in asdict(figure).items()} for figure in self.figures]
        if tables:
            said["tables"] = {title: table_of(table) for title, table in self.tables.items()}
        return said


def table_of(table: pd.DataFrame) -> dict[str, Any]:
    """A table as plain JSON values."""
    rows = [[as_json(value) for value in row] for row in table.itertuples(index=False, name=None)]
    return {"columns": [str(name) for name in table.columns], "rows": rows}


def as_json(value: Any) -> Any:
    """A value as JSON has it: numbers of numpy become numbers, what is not a finite number becomes null."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool) or type(value).__name__ in ("bool", "bool_"):
        return bool(value)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value) if math.isfinite(value) else None
    return str(value)


def with_headline(page: str, headline: Headline, found: Iterable[Metric], tables: dict[str, pd.DataFrame]) -> Metrics:
    """The figures of a page under its headline."""
    return Metrics(
        page, headline.title, headline.before, headline.after, tuple(found), tables, headline.label, headline.note
    )


def compute_metrics(scenario: BaseScenario, own: Dataset | None = None, *, tables: bool = True) -> Metrics:
    """All figures of a scenario's page, over all rows.

    Parameters
    ----------
    scenario : BaseScenario
    own : Dataset, optional
        The person's own file, where the scenario names one.
    tables : bool
        Whether the tables of the cards are wanted too; a page on which they take most of the time else leaves them out.

    Raises
    ------
    ScenarioProblem, Unusable or DataProblem
        A sentence, where they cannot be had.
    """
    work = pages.work_of(scenario)
    alone = None if tables else getattr(work, "figures_alone", None)
    metrics: Metrics = alone(scenario, own) if alone else work.metrics_of(work.whole(scenario, own))
    return metrics
