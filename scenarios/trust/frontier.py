"""The trade-off of the Trust page: what a coalition is left to guess, against what an honest analyst gets.

All noise is scaled alike, from hardly any to nearly nothing else; the recipients keep their order. The coalition is
judged by the strongest attacker, or by the best linear guess where that one is not ticked; the analyst holds the copy
that is trusted most.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from scipy.special import ndtr

from trustscope import schemes
from trustscope.engine import utility
from trustscope.engine.arrays import Floats
from trustscope.engine.attacks.combining import effective_levels
from trustscope.scenarios.coalition import Recipient
from trustscope.scenarios.frontier import Frontier, Measure, Point, TradeoffLine, members_in_words
from trustscope.scenarios.moving import at_trust, at_trusts, pivot
from trustscope.scenarios.solve.lines import on_trust_frontier
from trustscope.scenarios.trust import closed
from trustscope.scenarios.trust.model import Model
from trustscope.scenarios.trust.scenario import LEVELS, TrustScenario, levels
from trustscope.scenarios.value import not_none
from trustscope.scenarios.words import plain, share

TRUSTS = tuple(range(1, 100))
TRAINED = (1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 99)  # trusts at which classifiers are trained
FOLDS, TRAINED_ROWS = 5, 1_500
SMOOTH = 256  # values of an attribute that stand for all in the histogram of a copy
BY = {
    True: "The coalition makes the best guess, and knows other people's records.",
    False: "The coalition makes the best linear guess, and knows the statistics.",
}

PRIVATE = {
    "error": Measure(
        "error of the coalition", "variance that the coalition cannot explain",
        "What is left of the variance after the best guess from all pooled copies",
    ),
    "hits": Measure(
        "values not guessed", "values that the coalition does not guess",
        "The share of values that the best guess, or a constant one, does not hit",
    ),
}  # fmt: skip
USEFUL = {
    "values": Measure(
        "single values", "variance of the copy that is data",
        "The squared correlation between the most trusted copy and the data",
    ),
    "histogram": Measure(
        "histogram", "overlap with the true histogram",
        "The share of the true histogram that the histogram of the most trusted copy covers",
    ),
    "mean": Measure(
        "mean", "error of the mean", "Standard error of the attribute's mean in the most trusted copy",
        share=False, log=True, less=True,
    ),
    "tree": Measure(
        "decision tree", "accuracy of a decision tree", "Trained and tested on the most trusted copy", measured=True
    ),
    "svm": Measure(
        "support vectors", "accuracy of a support vector machine", "Trained and tested on the most trusted copy",
        measured=True,
    ),
}  # fmt: skip

Kept = Sequence[tuple[str, TrustScenario]]


class Ends:
    """Both ends of the trade-off for one model; what was measured is remembered there.

    Parameters
    ----------
    model : Model
    labels : array, (rows,), or None
        The class of every record in the order of the population, for the classifiers.
    """

    def __init__(self, model: Model, labels: np.ndarray | None = None, label: str = "") -> None:
        self.model, self.labels, self.label = model, labels, label

    # Privacy

    def private(self, scenario: TrustScenario, many: Sequence[tuple[Recipient, ...]], scheme: str) -> Floats:
        """The chosen privacy of each of these tuples of recipients."""
        settings = scenario.settings
        held = [levels([r for r in who if r.member]) or [np.inf] for who in many]
        level = effective_levels(held, scheme)
        if scenario.view.tradeoff.private == "error" or settings.kind != "absolute":
            return closed.judged_errors(self.model, settings, level)
        attribute, eps = self.model.population.index(settings.attribute), not_none(settings.eps)
        without = self.model.constants.best(attribute, eps, "absolute").rate
        return 1 - np.maximum(without, closed.judged_hits(self.model, settings, level, attribute, eps))

    # Usefulness

    def useful(self, scenario: TrustScenario, many: Sequence[tuple[Recipient, ...]]) -> Floats:
        """The chosen usefulness of the most trusted copy of each; nan where it has not been measured."""
        settings, measure = scenario.settings, scenario.view.tradeoff.useful
        best = [max(r.trust for r in who) for who in many]
        if USEFUL[measure].measured:
            return np.array([self.accuracy(settings.similarity, measure, trust, make=False) for trust in best])
        level = np.array([LEVELS[trust] for trust in best])
        noise, people = self.model.noise(settings.similarity), self.model.population
        a = people.index(settings.attribute)
        variance, own = noise.shape[a, a], people.covariance[a, a]
        if measure == "mean":
            found: Floats = np.sqrt(level * variance / people.rows)
            return found
        if measure == "histogram":
            return np.array([self._overlap(a, settings.similarity, float(one * variance)) for one in level])
        return np.where(own > 0, own / np.where(own > 0, own + level * variance, 1.0), 0.0)

    def _overlap(self, attribute: int, similarity: float, variance: float) -> float:
        people = self.model.population

        def make() -> float:
            return overlap(people.quantiles(attribute, SMOOTH), people.bin_edges(attribute), variance)

        return self.model.trained(("overlap", attribute, similarity, variance), make)

    def accuracy(self, similarity: float, measure: str, trust: float, make: bool = True) -> float:
        """Of a classifier on a copy of this trust: measured, or nan where it has not been and is not to be."""
        key = ("accuracy", similarity, measure, trust, self.label)
        if not make and key not in self.model.trained:
            return np.nan

        def train() -> float:
            noise = self.model.noise(similarity)
            copy = noise.path.copy(LEVELS[trust], 0, self.model.rows)
            found = utility.classification_accuracy(
                copy, not_none(self.labels), model=measure, folds=FOLDS, key=self.model.seed, max_rows=TRAINED_ROWS
            )
            return found.mean

        return self.model.trained(key, train)


def overlap(values: np.ndarray, edges: np.ndarray, variance: float) -> float:
    """How much of the histogram of values is covered by that of the values with normal noise added.

    In expectation over the noise; what falls outside of the edges counts as two more bins.
    """
    if variance == 0:
        return 1.0
    true = np.histogram(values, [-np.inf, *edges, np.inf])[0] / len(values)
    below = ndtr((edges[:, None] - values) / np.sqrt(variance)).mean(axis=1)
    return float(np.minimum(np.diff([0.0, *below, 1.0]), true).sum())


def frontier(
    model: Model, scenario: TrustScenario, labels: np.ndarray | None = None, label: str = "", kept: Kept = ()
) -> Iterator[Frontier]:
    """The trade-off, in steps where classifiers must be trained.

    Parameters
    ----------
    model : Model
    scenario : TrustScenario
        Fitted to the data.
    labels, label : array or None, str
        What classifiers predict, in the order of the population, and its name.
    kept : sequence of (str, TrustScenario)
        Kept scenarios, by name, to be drawn beside.
    """
    ends = Ends(model, labels, label)
    measure = scenario.view.tradeoff.useful
    trained = USEFUL[measure].measured
    trusts = tuple(sorted({*TRAINED, *_present(scenario)})) if trained else TRUSTS
    if not trained:
        yield _drawn(ends, scenario, trusts, kept, 1, 1)
        return
    wanted = _wanted(scenario, trusts, kept)
    # From the middle outwards: the shape of the curve is seen early.
    for done, trust in enumerate(sorted(wanted, key=lambda t: abs(t - 50))):
        yield _drawn(ends, scenario, trusts, kept, done, len(wanted))
        ends.accuracy(scenario.settings.similarity, measure, trust)
    yield _drawn(ends, scenario, trusts, kept, len(wanted), len(wanted))


def _present(scenario: TrustScenario) -> tuple[float, ...]:
    first = pivot(scenario.settings.recipients)
    return () if first is None else (first.trust,)


def _wanted(scenario: TrustScenario, trusts: Sequence[float], kept: Kept) -> list[float]:
    """The trusts of the copies that classifiers are trained on."""
    scenarios = [*(at_trust(scenario.settings.recipients, t) for t in trusts), scenario.settings.recipients,
                 *(one.settings.recipients for _, one in kept)]  # fmt: skip
    return sorted({max(r.trust for r in who) for who in scenarios})


def _drawn(ends: Ends, scenario: TrustScenario, trusts: Sequence[float], kept: Kept, done: int, total: int) -> Frontier:
    many = at_trusts(scenario.settings.recipients, trusts)
    useful = ends.useful(scenario, many)
    lines = []
    for scheme in dict.fromkeys(("nested", "independent", scenario.settings.scheme)):
        private = ends.private(scenario, many, scheme)
        points = [
            Point(float(u), float(p), _text(scheme, who, u, p, scenario), scenario, _gone(who, scheme))
            for who, u, p in zip(many, useful, private, strict=True)
        ]
        lines.append(TradeoffLine(schemes.adjective(scheme), schemes.of(scheme).colour, tuple(points)))
    settings = scenario.settings
    present = _point(ends, scenario, scenario)
    beside = [(name, _point(ends, one, scenario)) for name, one in kept]
    note = BY["strongest" in settings.attackers]
    if settings.best is not None and settings.best.trust == 100:
        note += f" {settings.best.name} holds the original, whatever noise the others get."
    measures = PRIVATE[_private(scenario)], USEFUL[scenario.view.tradeoff.useful]
    found = Frontier(*measures, tuple(lines), present, tuple(beside), done, total, note)
    limit = on_trust_frontier(ends.model.population, scenario, _private(scenario))
    return found.with_limit(limit)


def _private(scenario: TrustScenario) -> str:
    """Values not guessed are counted for one attribute only."""
    return scenario.view.tradeoff.private if scenario.settings.kind == "absolute" else "error"


def _point(ends: Ends, scenario: TrustScenario, asked: TrustScenario) -> Point:
    """One scenario, measured as another one asks."""
    judged = scenario.replace({"view.tradeoff": asked.view.tradeoff})
    who, scheme = scenario.settings.recipients, scenario.settings.scheme
    useful, private = ends.useful(judged, [who])[0], ends.private(judged, [who], scheme)[0]
    return Point(float(useful), float(private), _text(scheme, who, useful, private, judged), scenario)


def _gone(who: tuple[Recipient, ...], scheme: str) -> dict[str, Any]:
    return {"settings.recipients": who, "settings.scheme": scheme}


def _text(scheme: str, who: tuple[Recipient, ...], useful: float, private: float, scenario: TrustScenario) -> str:
    """The parameters of a point, and its figures."""
    measure = USEFUL[scenario.view.tradeoff.useful]
    known = "not yet measured" if np.isnan(useful) else share(useful) if measure.share else plain(useful)
    return f"{schemes.adjective(scheme)}: {members_in_words(who)}. Privacy {share(private)}, {measure.text} {known}."
