"""The trade-off of the Survey page: what respondents keep to themselves, against what the miner learns.

Every kind of respondent moves along the ladder of directions alike: from following nothing to following everything.
Beside it stands randomisation that gives away as much. Each point is a survey of its own, so that it takes a while.
"""

from collections.abc import Iterator, Sequence

from trustscope import colours
from trustscope.scenarios.frontier import Frontier, Measure, Point, TradeoffLine
from trustscope.scenarios.solve.lines import on_survey_frontier
from trustscope.scenarios.survey.model import Model
from trustscope.scenarios.survey.moving import levels_in_words, moved, steps
from trustscope.scenarios.survey.rival import Rival
from trustscope.scenarios.survey.run import SurveyRun
from trustscope.scenarios.survey.scenario import SurveyScenario
from trustscope.scenarios.survey.short import asked_in_words, outcome, people_asked
from trustscope.scenarios.words import share

PRIVATE = {
    "disclosure": Measure(
        "kept to themselves", "what respondents do not give away",
        "One minus the share of what there is to know that is given away on average", measured=True,
    ),
    "answer": Measure(
        "the watched answer", "people whose watched answer is not guessed",
        "How often the answer that is watched is not guessed from what is sent", measured=True,
    ),
}  # fmt: skip
USEFUL = {
    "accuracy": Measure(
        "the classifier", "people whose class is found", "Accuracy of the classifier learnt from what was sent",
        measured=True,
    )
}  # fmt: skip
GUIDED, RANDOMISED = "guided by the miner", "noise on every answer"


def frontier(
    model: Model, scenario: SurveyScenario, kept: Sequence[tuple[str, SurveyScenario]] = ()
) -> Iterator[Frontier]:
    """The trade-off, survey by survey; then randomisation, where the miner is honest and disclosure is looked at.

    Parameters
    ----------
    model : Model
    scenario : SurveyScenario
        Fitted to the people.
    kept : sequence of (str, SurveyScenario)
        Kept scenarios, by name, to be drawn beside.
    """
    settings = scenario.settings
    moves = sorted(steps(settings.parts), key=abs)  # what stands comes first
    beside = scenario.view.tradeoff.private == "disclosure" and not settings.malicious
    total = len(moves) * (1 + beside) + len(kept)
    points: dict[int, Point] = {}
    noisy: dict[int, Point] = {}
    there: list[tuple[str, Point]] = []
    tried: set[int] = set()
    limit = on_survey_frontier(scenario)

    def stepped(step: int) -> SurveyScenario:
        return scenario.replace({"settings.parts": moved(settings.parts, step)})

    def drawn() -> Frontier:
        lines = [TradeoffLine(GUIDED, colours.SCHEMES["nested"], tuple(points[d] for d in sorted(points)))]
        if beside:
            lines.append(
                TradeoffLine(RANDOMISED, colours.SCHEMES["independent"], tuple(noisy[d] for d in sorted(noisy)))
            )
        done = len(points) + len(there) + len(tried)
        measures = PRIVATE[scenario.view.tradeoff.private], USEFUL["accuracy"]
        found = Frontier(
            *measures, tuple(lines), points.get(0), tuple(there), done, total, asked_in_words(scenario.view.arrived)
        )
        return found.with_limit(limit)

    yield drawn()
    for step in moves:
        points[step] = _point(model, scenario, stepped(step))
        yield drawn()
    for name, one in kept:
        there.append((name, _point(model, scenario, one)))
        yield drawn()
    for step in moves if beside else ():
        found = _randomised(model, stepped(step))
        if found is not None:
            noisy[step] = found
        tried.add(step)
        yield drawn()


def _point(model: Model, scenario: SurveyScenario, one: SurveyScenario) -> Point:
    """One scenario: a survey of its own."""
    arrived = people_asked(scenario.view.arrived)
    found = outcome(model.people, one.settings, one.seed, arrived)
    private = 1 - (found.disclosed if scenario.view.tradeoff.private == "disclosure" else found.guess)
    text = (
        f"Directions followed: {levels_in_words(one.settings.parts)}. Given away {share(found.disclosed)}, "
        f"class found for {share(found.accuracy)}, watched answer guessed for {share(found.guess)}."
    )
    return Point(found.accuracy, private, text, one)


def _randomised(model: Model, scenario: SurveyScenario) -> Point | None:
    """Randomisation that gives away as much as a scenario; None where no noise does."""
    arrived = people_asked(scenario.view.arrived)
    settings = scenario.settings.replace({"rival": False})

    def make() -> Rival | str:
        run = SurveyRun(model.people, settings, scenario.seed)
        while run.approach(arrived) < arrived:
            pass
        frame = run.advance(0)
        return model.rival(run, frame) if frame.disclosed > 0 else ""

    found = model.people.runs(("rival", settings, scenario.seed, arrived), make)
    if not isinstance(found, Rival):
        return None
    text = f"Noise on every answer: given away {share(found.disclosed)}, class found for {share(found.accuracy)}."
    return Point(found.accuracy, 1 - found.disclosed, text, scenario.replace({"settings.rival": True}))
