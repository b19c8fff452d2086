"""The figures of the Survey page: all that its headline and its cards say, of everybody who has answered."""

from collections.abc import Iterator

from trustscope.datasets import Dataset
from trustscope.scenarios.cards import tables_of
from trustscope.scenarios.metrics import SHARE, Metric, Metrics, with_headline
from trustscope.scenarios.models import make_model
from trustscope.scenarios.solve.required import on_survey
from trustscope.scenarios.survey.cards import GUESSES, guesses
from trustscope.scenarios.survey.model import Progress as Answering
from trustscope.scenarios.survey.model import SurveyResult
from trustscope.scenarios.survey.population import Population
from trustscope.scenarios.survey.rival import Rival
from trustscope.scenarios.survey.scenario import SurveyScenario
from trustscope.scenarios.survey.verdict import guess_in_force, headline
from trustscope.scenarios.whole import Cancel, Loaded, Progress, Whole, last


def whole(
    scenario: SurveyScenario, own: Dataset | None = None, *, complete: bool = False,
    progress: Progress | None = None, cancel: Cancel | None = None, loaded: Loaded | None = None,
) -> Whole:  # fmt: skip
    """The scenario with as many answers as it says, all views open."""
    data, model = loaded or make_model(scenario, own)
    fitted = model.fit_to_data(scenario)
    steps = model.passes(fitted.replace({"view.closer": "own"}), None)
    picture = last(steps, progress, cancel, lambda p: p.arrived / max(p.goal, 1) if isinstance(p, Answering) else 1.0)
    return Whole(fitted, data, model, picture)


def metrics_of(found: Whole) -> Metrics:
    """What the page says of it."""
    picture, people = found.picture, found.model.people
    named = (*_figures(picture, people), *on_survey(found))
    return with_headline("survey", headline(picture.frame, people), named, tables_of("survey", picture, found.model))


# Figures


def _figures(picture: SurveyResult, people: Population) -> Iterator[Metric]:
    frame, target = picture.frame, picture.frame.target
    yield Metric("arrived", "respondents who arrived", frame.arrived)
    yield Metric("received", "answers received", frame.received)
    yield Metric("refused", "respondents who refused", frame.refused)
    yield Metric("question", "the question that is watched", people.encoding.questions[target.question])
    for name, label in GUESSES.items():
        if (guess := guesses(target)[name]) is not None:
            yield Metric(f"guess.{name}", f"how often its answer is guessed, {label}", guess, SHARE)
    yield Metric("guess", "how often its answer is guessed under the guidance in force", guess_in_force(frame), SHARE)
    yield Metric(
        "accuracy", "share of people whose class the miner finds", frame.accuracy, SHARE, measured=frame.accuracy,
        tolerance=frame.half,
    )  # fmt: skip
    yield Metric("accuracy.clear", "the same from answers in the clear", people.clear_accuracy, SHARE)
    yield Metric("accuracy.majority", "the same by naming the larger class", people.majority, SHARE)
    yield Metric("disclosed", "what respondents give away on average", frame.disclosed, SHARE)
    for part, kind in zip(frame.settings.parts, frame.kinds, strict=True):
        held = None if not kind.level else not kind.broken
        yield Metric(
            f"disclosed.{part.name}", f"what {part.name} give away; the theory is the paper's bound", kind.share, SHARE,
            kind.bound if kind.level else None, kind.share, 3 * kind.error, held, bound=True,
        )  # fmt: skip
        yield Metric(f"level.{part.name}", f"directions that {part.name} follow", kind.level)
    yield Metric("level", "directions that honest guidance asks for", frame.level)
    yield Metric(
        "error", "the worst error in the miner's tables; the theory is the paper's bound", frame.error,
        theory=frame.error_bound, measured=frame.error, tolerance=0.0,
        agrees=None if frame.error_bound > 1 else frame.error <= frame.error_bound, bound=True,
    )  # fmt: skip
    if isinstance(picture.rival, Rival):
        yield Metric("rival.accuracy", "what noise reaches that gives away as much", picture.rival.accuracy, SHARE)
        yield Metric("rival.disclosed", "what that noise gives away", picture.rival.disclosed, SHARE)
