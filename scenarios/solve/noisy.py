"""Noise on top of a rotation, in the hands of somebody who has undone the rotation and knows other records.

A few known records suffice to undo a rotation; then the noise alone protects. Who guesses is the strongest attacker
(`engine.attacks.optimal`), who knows the distribution of the records; the paper's linear guess and the copy as it is
are among what is tried.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from trustscope.engine import keys
from trustscope.engine.arrays import Floats
from trustscope.engine.attacks.optimal import Limits, Strongest
from trustscope.engine.attacks.optimal.manners import Manner
from trustscope.scenarios.rotation.judge import JUDGED, Hits, Judge
from trustscope.scenarios.rotation.scenario import RotationScenario
from trustscope.scenarios.value import not_none

if TYPE_CHECKING:
    from trustscope.scenarios.rotation.model import Model

STEP, MOST_NOISE = 0.01, 1_000  # of the typical standard deviation, and the most steps that are tried
ROUNDS = 4  # in which the attacker finds out anew how to guess
LIMITS = Limits(references=768, probes=2_048, rehearsed=192, drawn=2_048)


class Noisy:
    """Records with white noise on them, in the units that are turned.

    Parameters
    ----------
    model : Model
        Of the Rotation page.
    scenario : RotationScenario
        Fitted to it.
    rows : int
        Records on which the linear guess is judged.
    draw : int
        Which noise; another one confirms what was found.
    """

    def __init__(self, model: Model, scenario: RotationScenario, rows: int = JUDGED, draw: int = 0) -> None:
        self.records, self.settings = model.records, scenario.settings
        private = self.records.private
        self.true: Floats = private[:rows]
        self.mean = private.mean(axis=0)
        self.covariance = np.atleast_2d(np.cov(private, rowvar=False))
        self.typical = float(np.sqrt(np.trace(self.covariance) / len(self.covariance)))
        self.noise: Floats = keys.rng(model.seed, "noise on a rotation", draw).standard_normal(self.true.shape)
        self.eps = not_none(self.settings.eps)
        self.judge = Judge(self.records, self.settings.kind, self.eps)
        self.without = model.without(self.settings).rate
        self.attacker = Strongest(
            np.vstack([private, self.records.pool]), shape=self.typical**2 * np.eye(self.records.columns),
            key=model.seed + draw, limits=LIMITS,
        )  # fmt: skip
        self._columns = np.flatnonzero(self.records.varying).tolist()
        self.manners: dict[int, list[tuple[Manner]]] = {}

    def copy(self, sd: float) -> Floats:
        """The records with noise of so many typical standard deviations, the rotation undone."""
        return self.true + sd * self.typical * self.noise

    def linear_rate(self, sd: float) -> float:
        """The share of hits in per cent by the better of the linear guess and the copy as it is, or without a copy."""
        return 100 * max(self.without, self._linear(sd).rate)

    def rate(self, sd: float) -> tuple[float, float]:
        """The share of hits in per cent by the best of all guesses, and its standard error."""
        linear = self._linear(sd)
        best = max(linear.rate, self.without), float(linear.record.std() / np.sqrt(len(linear.record)))
        if sd > 0 and self._columns:
            best = max(best, self._strongest(sd**2))
        return 100 * best[0], 100 * best[1]

    def settle(self, sd: float) -> None:
        """Let the attacker find out on the records of others how to guess at this noise, and go on guessing so."""
        if sd > 0 and self.settings.kind == "value":
            reach, (one, *others) = self.judge.reach, self.attacker.sides  # the other half does as the first one
            chosen = {c: self.attacker.choose(one, sd**2, c, reach[[c]]) for c in self._columns}
            self.manners = {c: [(manner,)] * (1 + len(others)) for c, manner in chosen.items()}

    def _linear(self, sd: float) -> Hits:
        held, variance = self.copy(sd), (sd * self.typical) ** 2
        gain = np.linalg.pinv(self.covariance + variance * np.eye(len(self.covariance)), hermitian=True)
        guess = self.mean + (held - self.mean) @ gain @ self.covariance
        return max((self.judge.hits(self.true, one) for one in (guess, held)), key=lambda hits: hits.rate)

    def _strongest(self, level: float) -> tuple[float, float]:
        """The share of hits of the strongest attacker, and its standard error."""
        if self.settings.kind != "value":
            rate = self.attacker.record_hits(level, self.eps, self.settings.kind)
            return rate, float(np.sqrt(rate * (1 - rate) / sum(len(side.people) for side in self.attacker.sides)))
        rates, errors = [], []
        for c in self._columns:
            reach = self.judge.reach[[c]]
            point = self.attacker.point(level, c, reach, self.manners.get(c))
            rates.append(max(float(point.hits[0]), float(self.attacker.alone(level, c, reach).hits[0])))
            errors.append(float(point.hits_error[0]))
        return float(np.mean(rates)), float(np.mean(errors))  # the same people: errors of columns do not average out


def least_noise(noisy: Noisy, limit: float) -> int | None:
    """The least noise in steps that keeps a limit; None where none does.

    The linear guess, which takes no time, says from where on to look.
    """
    found = _least(noisy.linear_rate, limit, 0)
    for _ in range(ROUNDS):
        if found is None:
            return None
        noisy.settle(STEP * found)
        before, found = found, _least(lambda sd: noisy.rate(sd)[0], limit, found)
        if found == before:  # the attacker found out at this very noise how to guess
            break
    return found


def _least(rate: Callable[[float], float], limit: float, first: int) -> int | None:
    """The least noise of so many steps or more that keeps a limit, by strides that double, and then by bisection."""

    def kept(steps: int) -> bool:
        return rate(STEP * steps) <= limit + 1e-9

    if kept(first):
        return first
    low, stride = first, max(first // 8, 1)
    while not kept(high := min(low + stride, MOST_NOISE)):
        if high == MOST_NOISE:
            return None
        low, stride = high, 2 * stride
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if kept(middle) else (middle, high)
    return high
