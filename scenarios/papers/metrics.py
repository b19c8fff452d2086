"""The figures of the Papers page: the claims of the experiment that is open, or of all of them, as they are stored."""

from collections.abc import Iterator

from trustscope.datasets import Dataset
from trustscope.scenarios.cards import tables_of
from trustscope.scenarios.metrics import Metric, Metrics, with_headline
from trustscope.scenarios.papers.cards import results_shown
from trustscope.scenarios.papers.collection import collection
from trustscope.scenarios.papers.record import STAND_IN, UNTESTED, Result
from trustscope.scenarios.papers.scenario import PapersScenario
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.whole import Cancel, Progress, Whole, stop


def whole(
    scenario: PapersScenario, own: Dataset | None = None, *, complete: bool = False,
    progress: Progress | None = None, cancel: Cancel | None = None,
) -> Whole:  # fmt: skip
    """The stored result of what is open, or the gallery."""
    stop(cancel)
    fitted, model = scenario.fit_to_experiment(), collection()
    picture = model.picture(fitted)
    if fitted.view.opened and not picture.exact:
        raise ScenarioProblem(
            f"{fitted.view.opened} is stored at its quick size only, not with these settings: "
            f"run `trustscope reproduce {fitted.view.opened}`, or open it in the app."
        )
    return Whole(fitted, None, model, picture)


def metrics_of(found: Whole) -> Metrics:
    """What the page says of it."""
    picture = found.picture
    tables = {title: table for title, table in tables_of("papers", picture, found.model).items() if len(table)}
    named = _gallery(results_shown(picture, found.model)) if picture.run is None else _claims(picture.run.result)
    return with_headline("papers", picture.headline, named, tables)


def _claims(result: Result) -> Iterator[Metric]:
    for number, one in enumerate(result.outcomes, start=1):
        agrees = None if one.verdict in (UNTESTED, STAND_IN) else one.held
        yield Metric(f"claim.{number}", f"{one.check.claim} (printed: {one.check.printed})", one.found, agrees=agrees)
    yield Metric("verdict", "one word for all claims", result.verdict)


def _gallery(results: dict[str, Result]) -> Iterator[Metric]:
    for id, result in results.items():
        paper = id.partition("/")[0].capitalize()  # papers have experiments of the same title
        yield Metric(id.replace("/", "."), f"{paper}: {result.experiment.title}", result.verdict, agrees=result.held)
