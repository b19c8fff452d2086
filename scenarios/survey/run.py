"""A run of the survey, and frames of it to show."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from trustscope.engine import measures
from trustscope.engine.arrays import Bits, Floats, Integers, Numbers
from trustscope.engine.survey import (
    GuidanceRefused,
    Survey,
    check_followed,
    guidance_of,
    hand_picked,
    moderated,
    probabilities,
    weight_bound,
    weights,
)
from trustscope.engine.survey.encoding import Encoding
from trustscope.engine.survey.guidance import Guidance
from trustscope.engine.survey.run import Batch
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.survey.frame import Frame, KindFigures, Person
from trustscope.scenarios.survey.population import Population
from trustscope.scenarios.survey.scenario import END, FIRST, Settings
from trustscope.scenarios.survey.target import GUESSES, Found, TargetFigures, guessed, knowing_nothing
from trustscope.scenarios.survey.twenty import chosen, twenty
from trustscope.scenarios.twenty import Twenty
from trustscope.scenarios.value import not_none

SHOWN = 10  # people who are listed
POINTS = 160  # of a line
DRAWS = 300  # of what is sent, where disclosure is measured
NORMAL = 1.96
SLICE, STEP = 0.25, 200  # seconds after which a long run looks up, and people asked between two looks at the clock
Columns = Callable[[int], Floats]  # what is asked for of whoever accepts a level
FRESH = 0.7  # seconds for which measurements of the guidance serve while respondents stream in


class SurveyRun:
    """One survey with fixed settings. The same people answer alike in every run, as far as settings let them.

    Parameters
    ----------
    population : who can be asked
    settings : Settings
    key : of all that is drawn
    draws : of what is sent, where disclosure is measured; fewer make a rough run, with fewer points of its lines

    Attributes
    ----------
    called : int
        How many were called while respondents stream in. They come in a thread: who pauses meanwhile counts them.
    """

    def __init__(self, population: Population, settings: Settings, key: int = 12, draws: int = DRAWS):
        self.population, self.settings, self.key, self.draws = population, settings, key, draws
        self.question = population.index(settings.target)
        self.survey = Survey(
            population.encoding, population.tuples, population.classes,
            mix=settings.mix, mu=settings.mu, update_every=settings.update_every, order=settings.order,
            clear=population.clear, extra_check=settings.extra_check,
            target=self.question if settings.malicious else None,
            attack=settings.miner if settings.malicious else "outright",
            replace=True, key=key,
        )  # fmt: skip
        self.called = 0
        self._lock = threading.Lock()
        self._memo = Memo(64)
        self._people: list[Person] = []
        self._accuracies: list[tuple[int, float]] = []
        self._levels: list[tuple[int, int]] = []
        self._next = 0
        self._base: tuple[Floats, Integers] | None = None
        self._epoch, self._measured_at, self._at_rest = -1, 0.0, False

    @property
    def arrived(self) -> int:
        """How many have come so far, without those who started it in the clear."""
        return max(self.survey.arrived - self.survey.clear, 0)

    @property
    def over(self) -> bool:
        """Whether enough have come."""
        return self.arrived >= END

    def advance(self, count: int) -> Frame:
        """Let so many more people arrive, and show where things stand; one caller at a time."""
        with self._lock:
            self._ask(count)
            self._measure_anew(streaming=False)
            return self._frame()

    def call(self, count: int) -> None:
        """Call so many more, who come with `come`."""
        self.called = min(max(self.called, self.arrived) + count, END)

    def come(self) -> Frame:
        """Let all who were called arrive; what takes long to measure may be a moment old in what is shown."""
        with self._lock:
            self._ask(max(self.called - self.arrived, 0))
            self._measure_anew(streaming=True)
            return self._frame()

    def at(self, goal: int) -> Frame | None:
        """Where things stand, if just so many have come."""
        with self._lock:
            if self.arrived != goal:
                return None
            self._measure_anew(streaming=False)
            return self._frame()

    def approach(self, goal: int) -> int:
        """Let people arrive until there are so many, or a moment has passed; how many there are then.

        Who replays a long run calls this again and again, and can stop in between.
        """
        with self._lock:
            until = time.monotonic() + SLICE
            while self.arrived < min(goal, END):
                self._ask(min(goal - self.arrived, STEP))
                if time.monotonic() >= until:
                    break
            return self.arrived

    def _ask(self, count: int) -> None:
        """So many more, and the clear ones before the first."""
        if self._base is None:
            self._keep(self.survey.ask(self.survey.clear))
            self._base = self.survey.miner.counts, self.survey.miner.sizes
            self._point()
        left = min(int(count), END - self.arrived)
        while left > 0:
            step = min(left, max(self._next - self.arrived, 1))
            self._keep(self.survey.ask(step))
            left -= step
            if self.arrived >= self._next:
                self._point()

    def _measure_anew(self, streaming: bool) -> None:
        """Decide whether the guidance is to be measured again."""
        now = time.monotonic()
        self._at_rest = not streaming and self.draws >= DRAWS
        if not streaming or now - self._measured_at > FRESH:
            self._measured_at, self._epoch = now, not_none(self.survey.miner.guidance()).received

    def _keep(self, batch: Batch) -> None:
        """What a batch leaves behind: its last people, and changes of the level."""
        self._levels += batch.changes
        if len(self._levels) > 4 * POINTS:
            # Where the level stays, the points between its changes say nothing.
            changed = [b for a, b in zip(self._levels, self._levels[1:-1], strict=False) if a[1] != b[1]]
            self._levels = [self._levels[0], *changed[-2 * POINTS :], self._levels[-1]]
        encoding, clear = self.population.encoding, self.survey.clear
        last = range(max(len(batch.rows) - SHOWN, 0), len(batch.rows))
        sent = to_answers(encoding, batch.sent[last.start :])
        for place, i in enumerate(last):
            answers = None if batch.refused[i] else tuple(sent[place].tolist())
            truth = tuple(self.population.codes[batch.rows[i]].tolist())
            number = batch.first + i + 1 - clear
            self._people.append(Person(number, int(batch.kinds[i]), int(batch.levels[i]), truth, answers))
        del self._people[:-SHOWN]

    def _point(self) -> None:
        """Note how good the classifier is now, and when to look again: ever more rarely."""
        self._accuracies.append((self.arrived, self._accuracy()))
        rough = self.draws < DRAWS
        self._next = self.arrived + (max(20, self.arrived // 6) if rough else max(5, self.arrived // 25))
        if len(self._accuracies) > POINTS:
            del self._accuracies[1:-1:2]

    def _accuracy(self) -> float:
        """Of naive Bayes on what was sent after the start: answers in the clear only begin the guidance."""
        miner, (counts, sizes) = self.survey.miner, not_none(self._base)
        return self.population.tried(miner.counts - counts, miner.sizes - sizes)

    def _frame(self) -> Frame:
        survey, settings = self.survey, self.settings
        guidance = not_none(survey.miner.guidance())
        accuracy = self._accuracy()
        kinds = self._kinds(guidance)
        basis = survey.sent_guidance(None)
        weight, bound = self._weight(settings)
        target, asked = self._target(guidance)
        accuracies = [*self._accuracies]
        if accuracies[-1][0] != self.arrived:
            accuracies.append((self.arrived, accuracy))
        return Frame(
            settings=settings,
            arrived=self.arrived,
            received=survey.miner.received - survey.clear,
            refused=survey.refused,
            level=guidance.level,
            basis=basis,
            weight=weight,
            bound=bound,
            people=tuple(reversed(self._people)),
            accuracy=accuracy,
            half=NORMAL * float(np.sqrt(max(accuracy * (1 - accuracy), 0) / len(self.population.test[1]))),
            accuracies=(tuple(place for place, _ in accuracies), tuple(height for _, height in accuracies)),
            levels=self._level_line(guidance.level),
            kinds=kinds,
            error=self._memo(("error", self._epoch), lambda: self._error(kinds)),
            error_bound=self._memo("error bound", self._error_bound),
            target=target,
            reason=next((figures.refuses for figures in kinds if figures.refuses), ""),
            twenty=self._memo(("twenty", self._epoch), lambda: self._twenty(asked)),
        )

    def _level_line(self, level: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The level as stairs."""
        clear = self.survey.clear
        x: list[int] = []
        y: list[int] = []
        for received, height in self._levels:
            if y and y[-1] != height:
                x.append(max(received - clear, 0))
                y.append(y[-1])
            x.append(max(received - clear, 0))
            y.append(height)
        return (*x, max(self.survey.miner.received - clear, 0)), (*y, level)

    def followed(self, level: int | None) -> tuple[np.ndarray, str]:
        """The columns that somebody follows who accepts this level, none if they refuse; and why they do."""
        encoding = self.population.encoding
        level = encoding.dimension if level is None else level
        if level == 0:
            return np.zeros((encoding.dimension, 0)), ""
        basis = self.survey.sent_guidance(level)[:, :level]
        return (basis, "") if self._accepted(basis) else (basis[:, :0], self._why(basis))

    def _accepted(self, basis: Floats) -> bool:
        """Whether respondents would follow these columns."""
        encoding = self.population.encoding
        try:
            check_followed(basis, encoding.dimension, len(encoding.questions), self.settings.extra_check)
        except GuidanceRefused:
            return False
        return True

    def _why(self, basis: Floats) -> str:
        """Why this guidance is refused: the engine names a bit, people know the question."""
        encoding = self.population.encoding
        heavy = weights(basis)
        bit, bound = int(heavy.argmax()), weight_bound(basis.shape[1], len(encoding.questions))
        question = encoding.questions[encoding.question_of[bit]]
        return f"One answer to “{question}” would weigh {heavy[bit]:.2f}, and {bound:.2f} is the most that is accepted."

    def _kinds(self, guidance: Guidance) -> tuple[KindFigures, ...]:
        figures = []
        for part in self.settings.parts:
            basis, reason = self.followed(part.level)
            level = basis.shape[1]
            found = None
            if level:
                found = self._memo(("kind", self._epoch, level), partial(self._disclosure, basis))
            bound = self.population.memo(("bound", level), partial(self._disclosure_bound, level))
            figures.append(KindFigures(level, reason, found, bound))
        return tuple(figures)

    def _disclosure(self, basis: Floats) -> measures.Disclosure:
        law = self.population.law
        return measures.degree_of_disclosure(law, lambda tuples: probabilities(tuples, basis), draws=self.draws)

    def _disclosure_bound(self, level: int) -> float:
        return measures.disclosure_bound(self.population.law, level) if level else 0.0

    def _weight(self, settings: Settings) -> tuple[Floats, float]:
        """The heaviest single answer of every question, among the most columns that anybody follows."""
        encoding = self.population.encoding
        levels = [encoding.dimension if part.level is None else part.level for part in settings.parts if part.weight]
        basis = self.survey.sent_guidance(max(max(levels), 1))[:, : max(max(levels), 1)]
        heaviest = np.maximum.reduceat(weights(basis), encoding.starts)
        return heaviest, weight_bound(basis.shape[1], len(encoding.questions))

    def _error(self, kinds: tuple[KindFigures, ...]) -> float:
        """l_e, expected: what all kinds send, in their shares, against what is true."""
        tuples, classes = self.population.test
        sent: Numbers = 0.0
        for part, kind, figures in zip(self.settings.parts, self.settings.mix.kinds, kinds, strict=True):
            if figures.level:
                chances = probabilities(tuples, self.followed(part.level)[0])
                sent = sent + kind.share * measures.expected_difference(chances, classes)
        return measures.degree_of_error(self._difference(), sent + 0 * self._difference(), len(tuples))

    def _error_bound(self) -> float:
        return measures.error_bound(self._difference(), len(self.population.test[1]), self.settings.mu)

    def _difference(self) -> Floats:
        tuples, classes = self.population.test
        signs = np.where(classes == 0, 1.0, -1.0)[:, None]
        return self.population.memo("difference", lambda: (signs * tuples).T @ tuples.astype(float))

    def _from_all(self) -> Guidance:
        """The guidance that clear answers would give, cut down to pass where respondents check."""
        learnt = guidance_of(self._difference(), self.settings.mu, order=self.settings.order)
        checked = self.settings.extra_check
        return replace(learnt, basis=moderated(learnt.basis, self.population.encoding)) if checked else learnt

    def _target(self, guidance: Guidance) -> tuple[TargetFigures, Columns | None]:
        """One question, as far as each kind lets it be seen; and the columns that each kind is asked for."""
        encoding, question = self.population.encoding, self.question
        if self.settings.malicious:  # what it was sent says nothing of what honest guidance would be
            guidance = self._memo("honest guidance", self._from_all)

        def picked(name: str, level: int) -> tuple[Floats, Callable[[], float]]:
            basis = hand_picked(encoding, question, level=level, checked=name == "hidden")
            return basis, partial(self._guessed, self.population.memo, (name, question, basis.shape[1], level), basis)

        def honest(level: int) -> tuple[Floats, Callable[[], float]]:
            basis = guidance.basis[:, :level]
            return basis, partial(self._guessed, self._memo, ("honest", self._epoch, basis.shape[1]), basis)

        nothing = self.population.memo(("nothing", question), partial(knowing_nothing, self.population, question))
        by_class = self._by_class(question)
        try:
            hidden = self._found(partial(picked, "hidden"), nothing, by_class)
        except ValueError:  # too few other questions to hide it among
            hidden = None
        outright = self._found(partial(picked, "outright"), nothing, by_class)
        figures = TargetFigures(question, nothing, by_class, self._found(honest, nothing, by_class), outright, hidden)
        miner = self.settings.miner
        if miner == "hidden" and hidden is None:
            return figures, None
        made = honest if miner == "honest" else partial(picked, miner)
        return figures, lambda level: made(level)[0]

    def _guessed(self, memo: Memo, key: tuple[Any, ...], basis: Floats) -> float:
        """How often the watched answer is guessed: roughly while something moves, unless it is known better."""
        draws = GUESSES if self._at_rest or (*key, GUESSES) in memo else self.draws
        found: float = memo((*key, draws), partial(guessed, self.population, self.question, basis, draws))
        return found

    def _twenty(self, asked: Columns | None) -> Twenty | None:
        """Whose answer is guessed, of twenty people; `asked` gives the columns for a level, where there are some."""
        people, question, dimension = self.population, self.question, self.population.encoding.dimension
        who = people.memo(("twenty", question), lambda: chosen(people, question, self._opening(), self.key))
        followed = []
        for part in self.settings.parts:
            level = dimension if part.level is None else part.level
            basis = np.zeros((dimension, 0)) if asked is None or not level else asked(level)
            followed.append(basis if not basis.shape[1] or self._accepted(basis) else None)
        return twenty(who, self.settings, followed)

    def _opening(self) -> Floats:
        """The honest guidance of the page as it opens."""

        def make() -> Floats:
            run = SurveyRun(self.population, Settings(), self.key)
            run._ask(FIRST)
            return not_none(run.survey.miner.guidance()).basis

        return self.population.memo("opening guidance", make)

    def _by_class(self, question: int) -> float:
        nobody = np.zeros((self.population.encoding.dimension, 0))
        return self.population.memo(("class", question), partial(guessed, self.population, question, nobody))

    def _found(
        self, made: Callable[[int], tuple[Floats, Callable[[], float]]], nothing: float, by_class: float
    ) -> Found:
        """What is guessed of every kind: of who follows nothing from the class, of who refuses from nothing at all.

        `made` gives, for a level, the columns followed, and a function that measures them.
        """
        found = []
        for part in self.settings.parts:
            level = self.population.encoding.dimension if part.level is None else part.level
            if level == 0:
                found.append(by_class)
                continue
            basis, measure = made(level)
            # Who sends something sends the class too: more cannot tell less, whatever the draws say.
            found.append(max(measure(), by_class) if self._accepted(basis) else nothing)
        shares = [kind.share for kind in self.settings.mix.kinds]
        return Found(tuple(found), round(float(np.dot(shares, found)), 9))


def to_answers(encoding: Encoding, tuples: Bits) -> Integers:
    """Number of the answer that tuples give to every question; -1 for none, -2 for several."""
    codes = encoding.to_codes(tuples)
    set_bits = np.add.reduceat(np.asarray(tuples).astype(np.int64), encoding.starts, axis=1)
    return np.where(set_bits > 1, -2, codes)
