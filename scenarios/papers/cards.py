"""What can be looked at on the Papers page: the gallery, or one experiment with its claims, its table and its plot."""

import pandas as pd

from trustscope.scenarios.cards import Card
from trustscope.scenarios.papers import help as texts
from trustscope.scenarios.papers import words
from trustscope.scenarios.papers.collection import Collection, PapersResult
from trustscope.scenarios.papers.record import Result


def results_shown(picture: PapersResult, model: Collection) -> dict[str, Result]:
    """The stored results that the gallery shows."""
    return {id: model.results[id] for id in picture.shown if id in model.results}


def _gallery(picture: PapersResult, model: Collection) -> pd.DataFrame:
    results = {} if picture.run is not None else results_shown(picture, model)
    return pd.DataFrame([
        {"experiment": id, "title": one.experiment.title, "where": one.experiment.where, "verdict": one.verdict}
        for id, one in results.items()
    ])  # fmt: skip


def _claims(picture: PapersResult, model: Collection) -> pd.DataFrame:
    return pd.DataFrame() if picture.run is None else claims_of(picture.run.result)


def claims_of(result: Result) -> pd.DataFrame:
    """What the paper says, and what was found."""
    return pd.DataFrame([
        {"claim": one.check.claim, "printed": one.check.printed, "found": one.found,
         "tolerance": one.check.tolerance, "verdict": one.verdict} for one in result.outcomes
    ])  # fmt: skip


def _table(picture: PapersResult, model: Collection) -> pd.DataFrame:
    return pd.DataFrame() if picture.run is None else table_of(picture.run.result)


def table_of(result: Result) -> pd.DataFrame:
    """The table of a run, which says whose it is."""
    table = result.table.copy(deep=False)
    table.attrs["experiment"] = result.experiment.id
    return table


def _ran(picture: PapersResult, model: Collection) -> str:
    return "" if picture.run is None else words.ran(picture.run.result)


CARDS = (
    Card("gallery", "Experiments", _gallery, lambda p, m: "Every experiment, and the verdict on its claims."),
    Card("plots", "What comes out", _table, _ran, "papers.experiment", texts.PLOT, within="table"),
    Card("claims", "What the paper says, and what we find", _claims,
         lambda p, m: "Each claim, what was found, and the verdict.", "charts.written", texts.CLAIMS),
    Card("table", "The table", _table, _ran, "papers.experiment", texts.TABLE),
)  # fmt: skip
