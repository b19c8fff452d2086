"""What an analyst gets from one copy on the Trust page, and the least trust at which that is good enough.

Errors are those that the noise makes: the table itself counts as the truth. All but the classifiers have closed
forms; for them a classifier is trained on the copy of the trust in question.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr

from trustscope.engine import utility
from trustscope.engine.arrays import Floats
from trustscope.scenarios.solve.requirement import TrustRequirement
from trustscope.scenarios.trust.noise import QUANTILES
from trustscope.scenarios.trust.scenario import LEVELS, Settings
from trustscope.scenarios.value import not_none

if TYPE_CHECKING:
    from trustscope.scenarios.trust.model import Model

TWENTIETH = 1.959963984540054  # standard deviations that hold a normal error 19 times in 20
FOLDS, ROWS = 5, 2_000  # of the classifiers
LEAST, MOST = 1, 99  # per cent of trust

Labels = Callable[[str], np.ndarray | None]


class Usefulness:
    """The error, or the accuracy, that one requirement is about.

    Parameters
    ----------
    model : Model
        Of the Trust page.
    settings : Settings
    requirement : TrustRequirement
        One that does not protect.
    labels : callable
        The values of a column by its name, in the order of the model's rows; None where there is no such column.
    """

    def __init__(self, model: Model, settings: Settings, requirement: TrustRequirement, labels: Labels) -> None:
        self.requirement, self.what = requirement, requirement.what
        self.model, self.people, self.noise = model, model.population, model.noise(settings.similarity)
        self.a = self.people.index(requirement.attribute or settings.attribute)
        others = [i for i in range(self.people.columns) if i != self.a]
        named = self.people.names.index(requirement.other) if requirement.other in self.people.names else -1
        self.b = named if named in others else next(iter(others), self.a)
        self._labels = labels
        self._trained: dict[float, utility.Accuracy] = {}

    @property
    def problem(self) -> str:
        """Why these data cannot meet it, in a sentence; empty where they may."""
        flat = [self.people.names[i] for i in {self.a, self.b} if not self.people.sd[i] > 0]
        if self.what == "correlation" and self.people.columns < 2:
            return "A correlation needs two attributes, and one is released: release a second one."
        if self.what == "correlation" and flat:
            return f"{flat[0]} is constant, so that it has no correlation: choose another attribute."
        if self.what == "accuracy" and self.labels is None:
            return "There is no categorical column to predict, or rows with gaps were left out: choose other data."
        if self.what == "accuracy" and len(np.unique(not_none(self.labels).astype(str))) < 2:
            return f"{self.requirement.label} has a single value, so that there is nothing to predict."
        return ""

    @cached_property
    def labels(self) -> np.ndarray | None:
        """What the classifier predicts."""
        found = self._labels(self.requirement.label)
        return None if found is None else np.asarray(found)

    def at(self, trust: float) -> float:
        """The error or the accuracy that a copy of this trust is expected to give."""
        if self.what == "accuracy":
            return self._accuracy(trust)
        form = {"mean": self._mean, "correlation": self._correlation, "histogram": self._histogram}
        return form[self.what](LEVELS[trust])

    def keeps(self, figure: float) -> bool:
        """Whether a figure is within the limit."""
        limit = self.requirement.limit
        return figure >= limit - 1e-9 if self.what == "accuracy" else figure <= limit + 1e-9

    @cached_property
    def least(self) -> int | None:
        """The least trust in per cent from which on it holds, by bisection; None where 99 % is too little."""
        if not self.keeps(self.at(MOST)):
            return None
        low, high = LEAST - 1, MOST
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.keeps(self.at(middle)) else (middle, high)
        return high

    # Closed forms

    def _mean(self, level: float) -> float:
        """19 times in 20 the mean is off by at most 1.96 sqrt(s K_aa / n)."""
        return TWENTIETH * float(np.sqrt(level * self.noise.shape[self.a, self.a] / self.people.rows))

    def _correlation(self, level: float) -> float:
        """The shift by the noise's own correlation, and 1.96 standard deviations by the delta method.

        With S the covariance of the table and N that of the noise, entries of the copy's covariance A have mean S + N
        and n cov(A_ij, A_kl) = S_ik N_jl + S_il N_jk + S_jk N_il + S_jl N_ik + N_ik N_jl + N_il N_jk.
        """
        pick = np.ix_([self.a, self.b], [self.a, self.b])
        s, n = self.people.covariance[pick], level * self.noise.shape[pick]
        mean = s + n
        entries = ((0, 0), (1, 1), (0, 1))
        spread = np.array([[_product(s, n, *p, *q) for q in entries] for p in entries]) / self.people.rows
        r = mean[0, 1] / np.sqrt(mean[0, 0] * mean[1, 1])
        gradient = np.array([-r / (2 * mean[0, 0]), -r / (2 * mean[1, 1]), 1 / np.sqrt(mean[0, 0] * mean[1, 1])])
        true = s[0, 1] / np.sqrt(s[0, 0] * s[1, 1])
        return float(abs(r - true) + TWENTIETH * np.sqrt(max(gradient @ spread @ gradient, 0.0)))

    def _histogram(self, level: float) -> float:
        """Expected share of the records that stand in another bin of the histogram than they should.

        Each count is nearly normal, around what the noise makes of the values; the mean of its distance from the true
        count is that of a folded normal law.
        """
        edges, true = self._bins
        sd = np.sqrt(level * self.noise.shape[self.a, self.a])
        if not sd > 0:
            return 0.0
        values = self.people.quantiles(self.a, QUANTILES)
        below = ndtr((edges[:, None] - values) / sd)
        inside = np.diff(np.vstack([np.zeros(len(values)), below, np.ones(len(values))]), axis=0)
        off = np.abs(inside.mean(axis=1) - true)
        spread = np.sqrt(np.maximum((inside * (1 - inside)).mean(axis=1), 1e-300) / self.people.rows)
        folded = spread * np.sqrt(2 / np.pi) * np.exp(-0.5 * (off / spread) ** 2) + off * (1 - 2 * ndtr(-off / spread))
        return float(folded.sum() / 2)

    @cached_property
    def _bins(self) -> tuple[Floats, Floats]:
        edges = self.people.bin_edges(self.a)
        values = self.people.quantiles(self.a, QUANTILES)
        return edges, shares(values, edges)

    # Trained

    def _accuracy(self, trust: float) -> float:
        if trust not in self._trained:
            self._trained[trust] = self.trained_on(self.noise.path.copy(LEVELS[trust], 0, self._rows))
        return self._trained[trust].mean

    @property
    def _rows(self) -> int:
        return min(4 * ROWS, self.people.rows)

    def trained_on(self, copy: np.ndarray) -> utility.Accuracy:
        """The accuracy of the classifier on a copy."""
        labels, classifier = not_none(self.labels)[: len(copy)], self.requirement.classifier
        return utility.classification_accuracy(
            copy, labels, model=classifier, folds=FOLDS, key=self.model.seed, max_rows=ROWS
        )

    def measured(self, copy: np.ndarray) -> tuple[float, float]:
        """The same figure of a copy as it is, and what sampling may add to the expected one."""
        if self.what == "accuracy":
            found = self.trained_on(copy[: self._rows])
            return found.mean, 2 * found.spread / np.sqrt(found.folds)
        x = self.people.values
        if self.what == "mean":
            return abs(float(copy[:, self.a].mean() - self.people.mean[self.a])), 0.0
        if self.what == "correlation":
            pair = [self.a, self.b]
            return abs(_correlated(copy[:, pair]) - _correlated(x[:, pair])), 0.0
        edges = self.people.bin_edges(self.a)
        off = np.abs(shares(copy[:, self.a], edges) - shares(x[:, self.a], edges))
        # Counts stray by a standard deviation of at most sqrt(p / n) each, and one stands for many quantiles.
        return float(off.sum() / 2), 2 / np.sqrt(len(copy)) + 1 / QUANTILES


def shares(values: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Shares of the values in each bin, those below and above all bins in two more."""
    places = np.searchsorted(edges, values, side="right")
    return np.bincount(places, minlength=len(edges) + 1) / len(values)


def _product(s: Floats, n: Floats, i: int, j: int, k: int, l: int) -> float:
    product: float = (
        s[i, k] * n[j, l] + s[i, l] * n[j, k] + s[j, k] * n[i, l] + s[j, l] * n[i, k] + n[i, k] * n[j, l]
        + n[i, l] * n[j, k]
    )  # fmt: skip
    return product


def _correlated(pair: Floats) -> float:
    return float(np.atleast_2d(np.corrcoef(pair, rowvar=False))[0, 1])
