"""The judge of the Trust page: what the strongest attacker achieves with any copies, read off curves.

A curve is computed once for an attribute, a shape of the noise and what the attacker knows; then every coalition,
slider, map and solver step is a look-up (`engine.attacks.optimal`). Curves of built-in data are shipped (`curves`).
Those of other data take some seconds: until they stand, the column by itself is the judge, which is exact and quick,
and less than the truth; a picture says so (`Judged.preview`).
"""

import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np

from trustscope.engine.arrays import ArrayLike, Bools, Floats, Integers
from trustscope.engine.attacks.learned import taught
from trustscope.engine.attacks.optimal import (
    TRUSTS,
    Curve,
    Exposure,
    Finder,
    Knowledge,
    Limits,
    Manner,
    RecordCurve,
    Reidentified,
    Strongest,
    breach_curve,
    common_window,
    exposure,
    level_of,
    record_curve,
    row_curve,
    single_curve,
)
from trustscope.engine.attacks.optimal.knowledge import Side
from trustscope.engine.attacks.optimal.manners import looked_at
from trustscope.engine.attacks.optimal.mixture import Centres, Mixture, Moments, one_number
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.trust.population import Population
from trustscope.scenarios.trust.scenario import Settings
from trustscope.scenarios.trust.threshold import threshold
from trustscope.scenarios.value import not_none

STRONGEST = "strongest"
KEY = 20_050_614  # decides whom the attacker knows: the same people for everybody who looks
STEPS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30)  # distances of a curve, in steps of the slider
REMEMBERED = 64
LEARNT = 8  # attackers who have learned, each as large as what they learned from
SMOOTHED = 0.25  # share by which records are smoothed as long as nothing better is known
OTHERS_LINEAR = (0.0, 1.0)  # smoothing that keeps the values of the attribute and takes all else for linear
BELIEVED = 1_024  # records from which the belief about one person is drawn
LIMITS = Limits()  # how much is computed for a point of a curve
Progress = Callable[[float], object]
Guess = Callable[[int, Side, Floats], tuple[Floats, Floats]]  # by the place of a side, the side, and the copies
T = TypeVar("T")


class NoiseLaw(Protocol):
    """What is asked of noise here; `noise.Noise` has it, and knows the judge."""

    shape: Floats

    def hits_at(self, levels: Floats, attribute: int, eps: float, extra: Floats) -> Floats:
        """Share of hits of the best linear guess."""

    def errors_at(self, level: float) -> Floats:
        """Its error variances."""


@dataclass(frozen=True)
class Question:
    """What a curve is computed for: the attribute or the kind of hit, the noise, and what is known.

    Attributes
    ----------
    attribute : int
        The column that is guessed; -1 for whole records.
    distances : tuple of float
        Of a hit, in units of the column, or as shares for whole records.
    kind : str
    similarity : float
    everybody : bool
    others : int or None
        As `Knowledge.sample`.
    known : tuple of int
        Columns that are known of everybody.
    """

    attribute: int
    distances: tuple[float, ...]
    kind: str
    similarity: float
    everybody: bool
    others: int | None
    known: tuple[int, ...]

    @property
    def about_noise(self) -> tuple[float, bool, int | None, tuple[int, ...]]:
        """What decides on the attacker, whatever is guessed."""
        return self.similarity, self.everybody, self.others, self.known


class Judge:
    """What the strongest attacker achieves on one population.

    Parameters
    ----------
    population : Population
    noises : callable
        The noise, by its similarity to the data.
    normal : bool
        Whether the data were drawn from a normal law: then no guess is better than the best linear one, and nothing
        must be computed.
    """

    def __init__(self, population: Population, noises: Callable[[float], NoiseLaw], normal: bool = False) -> None:
        self._people, self._noises, self._normal = population, noises, normal
        self._curves, self._quick = Memo(REMEMBERED), Memo(REMEMBERED)
        self._attackers, self._exposed = Memo(6), Memo(REMEMBERED)
        self._learned, self._acquaintances = Memo(LEARNT), Memo(16)
        self._making: dict[Any, threading.Lock] = {}
        self._lock = threading.Lock()

    # Questions

    def question(self, settings: Settings, attribute: str = "", eps: float | None = None) -> Question:
        """What is asked on the page, or of another attribute and distance."""
        people = self._people
        near = not_none(settings.eps) if eps is None else eps
        known = tuple(i for i, name in enumerate(people.names) if name in settings.known)
        about = (round(settings.similarity, 3), settings.knowledge == "everybody", settings.others, known)
        if settings.kind != "absolute" and eps is None:
            return Question(-1, (float(near),), settings.kind, *about)
        place = people.index(attribute or settings.attribute)
        step = threshold(people, people.names[place], "absolute").step
        usual = [round(k * step, 12) for k in STEPS]
        return Question(place, tuple(sorted({*usual, round(float(near), 12)})), "absolute", *about)

    def usual(self, attribute: str) -> float:
        """The distance of a hit that an attribute begins with."""
        return threshold(self._people, attribute, "absolute").usual

    def attacker(self, question: Question, afresh: bool = False) -> Strongest:
        """The attacker of a question; `afresh`: one who knows and attacks other people, under other noise."""

        def make() -> Strongest:
            similarity, everybody, others, known = question.about_noise
            knowledge = Knowledge(sample=others, everybody=everybody, columns=known)
            return Strongest(
                self._people.values,
                shape=self._noises(similarity).shape,
                knowledge=knowledge,
                key=KEY + afresh,
                limits=LIMITS,
            )

        return self._attackers((question.about_noise, afresh), make)

    # Curves

    def hits(self, question: Question, wait: bool = True, progress: Progress = lambda share: None) -> Curve | None:
        """The curve of hits; where it is not there and nobody waits for it, that of `quick`."""
        ready: Curve | None = self._curves.get(question)
        if ready is not None:
            return ready
        if self._closed(question) and question.attribute >= 0:
            return self._curves(question, lambda: self._linear_hits(question))
        if not wait:
            return self.quick(question)
        return self._made(question, lambda: self._hits(question, progress))

    def _hits(self, question: Question, progress: Progress) -> Curve:
        attacker = self.attacker(question)
        if question.attribute >= 0:
            alone = self.quick(question)  # a preview may have asked for it before
            return row_curve(attacker, question.attribute, question.distances, alone=alone, progress=progress)
        eps = question.distances[0]
        return breach_curve(attacker, eps, question.kind, 0.0, progress)

    def quick(self, question: Question) -> Curve | None:
        """The curve of a column by itself; None for whole records, which have none."""
        if question.attribute < 0:
            return None
        return self._quick(
            question, lambda: single_curve(self.attacker(question), question.attribute, question.distances)
        )

    def errors(
        self, question: Question, wait: bool = True, progress: Progress = lambda share: None
    ) -> RecordCurve | None:
        """The curve of errors of whole records; None where it is not there and nobody waits for it."""
        key = ("errors", question.about_noise)
        if self._closed(question):
            return self._curves(key, lambda: self._linear(question))
        ready: RecordCurve | None = self._curves.get(key)
        if ready is not None or not wait:
            return ready
        return self._made(key, lambda: record_curve(self.attacker(question), progress=progress))

    def _closed(self, question: Question) -> bool:
        """Whether the best linear guess is known to be the best."""
        return self._normal and not question.known and not question.everybody

    def _linear_hits(self, question: Question) -> Curve:
        noise, levels = self._noises(question.similarity), level_of(TRUSTS)
        nothing = np.zeros(len(levels))
        inner = np.column_stack([
            noise.hits_at(levels, question.attribute, one, nothing) for one in question.distances
        ])  # fmt: skip
        ends = [[common_window(self._people.values[:, question.attribute], one)[1] for one in question.distances]]
        hits = np.maximum.accumulate(np.vstack([ends, inner, np.ones_like(ends)]), axis=0)
        variance = self._people.sd[question.attribute] ** 2
        error = [1.0, *(noise.errors_at(level)[question.attribute] / variance for level in levels), 0.0]
        linear = ((Manner((1.0, 1.0), mean=True),) * len(question.distances),) * len(hits)
        return Curve(question.distances, np.array([0.0, *TRUSTS, 1.0]), hits, 0 * hits, np.array(error),
                     np.zeros(len(hits)), 0, 0, linear, 0 * hits, 0 * hits)  # fmt: skip

    def _linear(self, question: Question) -> RecordCurve:
        noise, people = self._noises(question.similarity), self._people
        inner = (
            np.array([noise.errors_at(level) for level in level_of(TRUSTS)])
            / np.where(people.sd > 0, people.sd, 1) ** 2
        )
        ends = (people.sd > 0).astype(float)
        errors = np.vstack([ends, inner, 0 * ends])
        return RecordCurve.of(np.array([0.0, *TRUSTS, 1.0]), np.ones_like(errors), np.ones(len(errors)), errors)

    def ready(self, question: Question) -> bool:
        """Whether both curves stand."""
        return question in self._curves and ("errors", question.about_noise) in self._curves

    def keep(self, key: Hashable, curve: Curve | RecordCurve) -> None:
        """Take in a curve that was computed before."""
        self._curves(key, lambda: curve)

    def _made(self, key: Hashable, make: Callable[[], T]) -> T:
        """Made once, also if several ask for it at the same time."""
        with self._lock:
            lock = self._making.setdefault(key, threading.Lock())
        with lock:
            return self._curves(key, make)

    # Guesses

    def guesses(
        self, seen: "Judged", level: float, rows: Integers, released: Floats, eps: float
    ) -> tuple[Bools, Floats, Floats]:
        """What the attacker makes of copies of these rows, put together as one of this level.

        Returns
        -------
        attacked : numpy.ndarray of bool, shape (rows,)
            Who of them is no acquaintance of the attacker: the others are not attacked.
        estimates : numpy.ndarray, shape (rows, m)
            Guesses of least square error.
        windows : numpy.ndarray, shape (rows,) or (rows, m)
            Guesses of the attribute that hit most often; of whole records where these are guessed.
        """
        question, attacker = seen.question, self.attacker(seen.question)

        def guess(place: int, side: Side, y: Floats) -> tuple[Floats, Floats]:
            if seen.errors is None:
                means = attacker.means(side, level, SMOOTHED, y)
            else:
                means = seen.errors.means(attacker, side, level, y)
            if question.attribute < 0:
                if seen.hits is None:
                    return means, means
                manners = seen.hits.record_manners_at(level)
                return means, attacker.record_guesses(side, level, manners[place], y)
            manner = not_none(seen.hits).manner_at(level, eps)
            attack = attacker.attack(side, level, question.attribute, np.array([eps]), manner)
            return means, manner.guesses(attack.guess(y))[:, 0]

        return self._of_strangers(question, level, rows, released, guess)

    def learned(
        self, question: Question, name: str, level: float, rows: Integers, released: Floats, eps: float, most: int
    ) -> tuple[Bools, Floats, Floats]:
        """What somebody who learns from `most` of the people known makes of copies of these rows; as `guesses`."""
        attacker = self.attacker(question)

        def guess(place: int, side: Side, y: Floats) -> tuple[Floats, Floats]:
            key = (question.about_noise, name, round(float(level), 9), most, place)
            witness = self._learned(key, lambda: taught(attacker, side, level, name, most))
            means = witness.means(y)
            return means, witness.windows(y, question.attribute, eps) if question.attribute >= 0 else means

        return self._of_strangers(question, level, rows, released, guess)

    def _of_strangers(
        self, question: Question, level: float, rows: Integers, released: Floats, guess: Guess
    ) -> tuple[Bools, Floats, Floats]:
        """What `guess(place, side, y)` makes of copies of these rows, each attacked by a side that does not know it."""
        attacker = self.attacker(question)
        attacked = np.zeros(len(rows), dtype=bool)
        estimates = released.copy()
        windows = released[:, question.attribute].copy() if question.attribute >= 0 else released.copy()
        if level == 0:
            return np.ones(len(rows), dtype=bool), estimates, windows
        for place, (side, mine) in enumerate(attacker.strangers(rows)):
            attacked |= mine
            y = self._without_known(attacker, released[mine], self._people.values[rows[mine]])
            estimates[mine], windows[mine] = guess(place, side, y)
        return attacked, estimates, windows

    @staticmethod
    def _without_known(attacker: Strongest, released: Floats, truth: Floats) -> Floats:
        """The copies less what the attacker knows of their noise."""
        return truth + attacker.without_known(released - truth)

    def belief(
        self, question: Question, hits: Curve, eps: float, level: float, row: int, released: Floats
    ) -> tuple[Floats, Floats]:
        """What is believed of one person's attribute by who guesses to within `eps`: values and their probabilities."""
        attacker, target = self.attacker(question), question.attribute
        # At slider rate it is always the same person.
        key = (question.about_noise, target, row)
        side, known = self._acquaintances(key, lambda: _who_knows_not(attacker, row, target))
        manner = hits.manner_at(level, eps)
        y = self._without_known(attacker, released[None, :], self._people.values[[row]])
        if manner.by_itself:
            within, share = np.array([eps]), manner.smoothing[0]
            before = self._acquaintances(
                (*key, eps, share), lambda: attacker.believed(side, target, within, share)
            )  # fmt: skip
            alone = attacker.by_itself(level, target, within, *before)
            return alone.cells.values, alone.believed_from(float(y[0, target]))
        if manner.smoothing == OTHERS_LINEAR and not attacker.knowledge.columns and attacker.shape[target, target] > 0:
            return known[:, target], _told_by_one_number(known, attacker.noise(level), side.moments, target, y[0])
        some, noise, moments, smoothing, place = looked_at(side, known, attacker.noise(level), target, manner)
        y = y[:, list(manner.columns)] if manner.columns else y
        centres = self._acquaintances(
            (*key, smoothing, manner.columns), lambda: Centres(some, moments, smoothing, place)
        )  # fmt: skip
        mixture = Mixture(some, noise, moments, smoothing, place, centres)
        values = mixture.positions[:, 0] + mixture.shift(y)[0, 0]
        return _spread(values, mixture.weights_of(y[0]), mixture.variance)

    # People

    def exposed(self, question: Question, level: float, eps: float, afresh: bool = False) -> Exposure:
        """Who is exposed with copies of this level, above 0; `afresh`: on noise that was not looked at before."""
        key = (question.about_noise, question.attribute, round(float(level), 9), float(eps), afresh)
        return self._exposed(key, lambda: exposure(self.attacker(question, afresh), level, question.attribute, eps))

    def found_again(self, question: Question, level: float, afresh: bool = False) -> Reidentified:
        """How well people are found again among all records with copies of this level, above 0."""

        def finder() -> Finder:
            return Finder(self.attacker(question, afresh))

        key = ("found", question.about_noise, round(float(level), 9), afresh)
        return self._exposed(key, lambda: self._attackers(("finder", question.about_noise, afresh), finder).at(level))


def _who_knows_not(attacker: Strongest, row: int, target: int) -> tuple[Side, Floats]:
    """The side that attacks a person, and records of it among which the person is not, unless all are known.

    They come in the order of the target: a belief is drawn in that order, and need not be sorted at every step.
    """
    side = next((side for side, mine in attacker.strangers(np.array([row])) if mine[0]), attacker.sides[0])
    known = side.references[:BELIEVED]
    if not attacker.knowledge.everybody:
        known = known[side.known[: len(known)] != row]
    return side, known[np.argsort(known[:, target], kind="stable")]


def _told_by_one_number(references: Floats, noise: Floats, moments: Moments, target: int, y: Floats) -> Floats:
    """Weights of the references' values if all else is taken for linear: quick enough for many of them."""
    weights, precision = one_number(moments, noise, target)
    z = moments.mean[target] + weights @ (y - moments.mean)
    exponent = -0.5 * precision * (references[:, target] - z) ** 2
    found: Floats = np.exp(exponent - exponent.max())
    found /= found.sum()
    return found


def _spread(values: Floats, weights: Floats, variance: float) -> tuple[Floats, Floats]:
    """Components that are spread out, as values: a few of each."""
    if not variance:
        return values, weights
    steps = np.linspace(-2, 2, 9)
    shares = np.exp(-0.5 * steps**2)
    places = values[:, None] + np.sqrt(variance) * steps
    return places.ravel(), np.outer(weights, shares / shares.sum()).ravel()


@dataclass(frozen=True)
class Judged:
    """What the strongest attacker achieves in a picture, by level: the curves that stand so far.

    Attributes
    ----------
    question : Question
    hits : Curve or None
        None for whole records of which no curve stands yet.
    errors : RecordCurve or None
        None where it does not stand yet.
    weights : numpy.ndarray, shape (m,)
        What the error of each column counts, as a share of its variance.
    preview : bool
        Whether a curve that sees more is still being computed.
    """

    question: Question
    hits: Curve | None
    errors: RecordCurve | None
    weights: np.ndarray
    preview: bool

    def hits_at(self, levels: ArrayLike, eps: float) -> Floats | None:
        """Share of hits with copies of these levels."""
        return None if self.hits is None else self.hits.hits_at(levels, eps)

    def error_at(self, levels: ArrayLike) -> Floats | None:
        """Normalised error of the best guess of whole records with copies of these levels."""
        return None if self.errors is None else self.errors.errors_at(levels) @ self.weights


class ModelWithJudge(Protocol):
    """A model, as far as the strongest attacker needs it."""

    population: Population
    judge: Judge


def judged(model: ModelWithJudge, settings: Settings, wait: bool, progress: Progress = lambda share: None) -> Judged:
    """The curves for these settings, as far as they stand, or all of them where somebody waits."""
    judge, people = model.judge, model.population
    question = judge.question(settings)
    shares = people.weights * people.sd**2
    hits = judge.hits(question, wait, lambda share: progress(share / 2))
    errors = judge.errors(question, wait, lambda share: progress(0.5 + share / 2))
    return Judged(question, hits, errors, shares, not judge.ready(question))
