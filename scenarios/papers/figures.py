"""The figures of the Papers page: the claims of the experiment that is open, or of all of them, as they are stored."""

from collections.abc import Iterator

import pandas as pd

from trustscope.datasets import Dataset
from trustscope.scenarios.figures import Figure, Figures, said
from trustscope.scenarios.papers.collection import collection
from trustscope.scenarios.papers.record import STAND_IN, UNTESTED, Result
from trustscope.scenarios.papers.scenario import PapersScenario
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.whole import Cancel, Progress, Whole, stop

RECORDS: set[str] = set()  # no card shows a single record


def whole(
    scenario: PapersScenario, own: Dataset | None = None, *, complete: bool = False,
    progress: Progress | None = None, cancel: Cancel | None = None,
) -> Whole:  # fmt: skip
    """The stored result of what is open, or the gallery."""
    stop(cancel)
    fitted, model = scenario.fitted(), collection()
    picture = model.picture(fitted)
    if fitted.view.opened and not picture.exact:
        raise ScenarioProblem(
            f"{fitted.view.opened} is stored at its quick size only, not with these settings: "
            f"run `trustscope reproduce {fitted.view.opened}`, or open it in the app."
        )
    return Whole(fitted, None, model, picture)


def figures_of(found: Whole) -> Figures:
    """What the page says of it."""
    picture = found.picture
    if picture.run is None:
        results = {id: found.model.results[id] for id in picture.shown if id in found.model.results}
        return said("papers", picture.headline, _gallery(results), {"Experiments": _table(results)})
    result = picture.run.result
    tables = {
        "What the paper says, and what we find": pd.DataFrame([
            {"claim": one.check.claim, "printed": one.check.printed, "found": one.found,
             "tolerance": one.check.tolerance, "verdict": one.verdict} for one in result.outcomes
        ]),
        "The table": result.table,
    }  # fmt: skip
    return said("papers", picture.headline, _claims(result), tables)


def _claims(result: Result) -> Iterator[Figure]:
    for number, one in enumerate(result.outcomes, start=1):
        agrees = None if one.verdict in (UNTESTED, STAND_IN) else one.held
        yield Figure(f"claim.{number}", f"{one.check.claim} (printed: {one.check.printed})", one.found, agrees=agrees)
    yield Figure("verdict", "one word for all claims", result.verdict)


def _gallery(results: dict[str, Result]) -> Iterator[Figure]:
    for id, result in results.items():
        yield Figure(id.replace("/", "."), result.experiment.title, result.verdict, agrees=result.held)


def _table(results: dict[str, Result]) -> pd.DataFrame:
    return pd.DataFrame([
        {"experiment": id, "title": one.experiment.title, "where": one.experiment.where, "verdict": one.verdict}
        for id, one in results.items()
    ])  # fmt: skip
