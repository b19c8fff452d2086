"""What the Survey page computes: people who answer, and frames of where that stands."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from trustscope.scenarios.memo import Memo
from trustscope.scenarios.survey.frame import Frame
from trustscope.scenarios.survey.inference import Inferred, inferred
from trustscope.scenarios.survey.population import Population
from trustscope.scenarios.survey.rival import MOST as RIVAL_MOST
from trustscope.scenarios.survey.rival import Rival, randomised
from trustscope.scenarios.survey.run import SurveyRun
from trustscope.scenarios.survey.scenario import SurveyScenario
from trustscope.scenarios.survey.target import guessed, knowing_nothing

PREVIEW, ROUGH = 400, 100  # people who answer anew while a control is dragged, and draws to measure by
OUTCOMES = 64  # surveys whose outcome is remembered while a target is solved
BALANCED = 0.6  # a question whose commonest answer is rarer than this is worth watching


@dataclass(frozen=True)
class Progress:
    """So many of so many have answered anew."""

    arrived: int
    goal: int


@dataclass(frozen=True)
class SurveyResult:
    """Where a survey stands.

    Attributes
    ----------
    scenario : SurveyScenario
    frame : Frame
    run : SurveyRun
        In which further people may be asked; None where it is a preview.
    rival : Rival, str or None
        The randomisation beside it, or why there is none.
    own, own_followed, own_answers : Inferred or None, int, tuple of int
        What is inferred from one's own answers, the directions followed, and the answers by their numbers, where they
        are looked at.
    """

    scenario: SurveyScenario
    frame: Frame
    run: SurveyRun | None
    rival: Rival | str | None = None
    own: Inferred | None = None
    own_followed: int = 0
    own_answers: tuple[int, ...] = ()


class Model:
    """The people of a dataset, ready to be asked."""

    def __init__(self, people: Population):
        self.people = people
        self.rows = len(people.codes)
        self.outcomes = Memo(OUTCOMES)

    @cached_property
    def telling(self) -> str:
        """A question to watch: its answers are mixed, and the class tells as little of them as possible."""
        people = self.people
        nobody = np.zeros((people.encoding.dimension, 0))
        found = []
        for number, question in enumerate(people.encoding.questions):
            nothing = knowing_nothing(people, number)
            told = guessed(people, number, nobody) - nothing
            found.append((nothing > BALANCED, told, nothing, question))
        return min(found)[-1]

    def fit_to_data(self, scenario: SurveyScenario) -> SurveyScenario:
        """The scenario as far as it fits these people."""
        people, settings, own = self.people, scenario.settings, scenario.view.own
        questions = people.encoding.questions
        known = {q: set(map(str, a)) for q, a in zip(questions, people.encoding.answers, strict=True)}
        answers = tuple((q, a) for q, a in own.answers if a in known.get(q, ()))
        return scenario.replace({
            "data.label": people.label,
            "data.value": people.names[0],
            "settings.target": settings.target if settings.target in questions else self.telling,
            "view.own.answers": answers,
            "view.own.of_class": own.of_class if own.of_class in people.names else people.names[int(people.classes[0])],
        })  # fmt: skip

    def preview(self, scenario: SurveyScenario, run: SurveyRun | None) -> SurveyResult:
        """The first few answer anew; or the run that stands, where nothing has changed that it depends on."""
        if run is not None and (frame := run.at(scenario.view.arrived)) is not None:
            return self._picture(scenario, run, frame)
        rough = SurveyRun(self.people, scenario.settings, scenario.seed, ROUGH)
        return replace(self._picture(scenario, rough, rough.advance(min(PREVIEW, scenario.view.arrived))), run=None)

    def _picture(self, scenario: SurveyScenario, run: SurveyRun, frame: Frame) -> SurveyResult:
        """With one's own answers, where they are looked at."""
        if scenario.view.closer != "own":
            return SurveyResult(scenario, frame, run)
        own = scenario.view.own
        basis, refuses = run.followed(own.level)
        of_class = int(own.of_class == self.people.names[1])
        codes = own_codes(self.people, own.answers)
        found = inferred(self.people, codes, of_class, basis, refuses, own.draw)
        return SurveyResult(scenario, frame, run, None, found, basis.shape[1], tuple(codes))

    def passes(self, scenario: SurveyScenario, run: SurveyRun | None) -> Iterator[Progress | SurveyResult]:
        """As many as are wanted answer, in slices; then the randomisation, where it is wanted."""
        goal = scenario.view.arrived
        if run is None or run.arrived > goal:
            run = SurveyRun(self.people, scenario.settings, scenario.seed)
        while (arrived := run.approach(goal)) < goal:
            yield Progress(arrived, goal)
        frame = run.advance(0)
        picture = self._picture(scenario, run, frame)
        if not scenario.settings.rival or frame.settings.malicious or frame.disclosed <= 0:
            yield picture
            return
        yield replace(picture, rival="Randomisation is being computed …")
        yield replace(picture, rival=self.rival(run, frame))

    def rival(self, run: SurveyRun, frame: Frame) -> Rival | str:
        """The randomisation that gives away as much, on the same people; a sentence where there is none."""
        rows = run.survey.people(run.survey.clear, min(max(frame.arrived, 30), RIVAL_MOST))
        try:
            return randomised(self.people, rows, frame.disclosed)
        except ValueError as refusal:  # no noise gives away just as much
            return str(refusal)


def own_codes(people: Population, answers: Iterable[tuple[str, str]]) -> list[int]:
    """The number of every answer; where none is named, the first person's."""
    named = dict(answers)
    codes = []
    for j, (question, offered) in enumerate(zip(people.encoding.questions, people.encoding.answers, strict=True)):
        texts = list(map(str, offered))
        wanted = named.get(question)
        codes.append(texts.index(wanted) if wanted in texts else int(people.codes[0][j]))
    return codes
