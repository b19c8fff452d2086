"""Keyed noise of one shape: what every recipient holds, what attackers make of it, what theory says.

Noise of the data's own shape needs no matrices, because the covariance of the data cancels in the linear attack
(`OwnShape`). Noise of any other shape does (`OtherShape`). What the two have in common is in `Noise`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from functools import lru_cache
from math import sqrt
from typing import Protocol

import numpy as np

from trustscope import schemes
from trustscope.engine import measures
from trustscope.engine.arrays import Floats, Numbers, Several
from trustscope.engine.attacks import llse, reconstruction
from trustscope.engine.attacks.combining import effective_level
from trustscope.engine.attacks.shaped import ShapedAttack, ShapedNoise
from trustscope.engine.path import PathRelease
from trustscope.engine.shapes import noise_shape
from trustscope.scenarios.coalition import Recipient, in_order, most_trusted
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.trust.judge import ModelWithJudge
from trustscope.scenarios.trust.population import Population
from trustscope.scenarios.trust.result import Attack
from trustscope.scenarios.trust.scenario import BEST, LADDER, LEARNED, LEVELS, RECONSTRUCTIONS, levels

UNRELIABLE = 0.5  # relative error of an estimated covariance beyond which no theory of the estimate is given
THEORY_ROWS = 4_000  # rows over which a closed form is averaged
QUANTILES = 1_024  # values of one attribute that stand for all: a smooth function is averaged over them
REMEMBERED = 256
RELEASES = 8


class Linear(Protocol):
    """A linear attack, of either shape."""

    def estimate(self, copies: Several) -> Floats:
        """The guesses, from one copy of each."""


class Noise(ABC):
    """Noise of a given similarity to the data.

    Parameters
    ----------
    population : Population
        What is perturbed.
    similarity : float
        Of the noise's shape to the data's.
    shape : array, (columns, columns)
        The noise of level 1 has this covariance.
    path : PathRelease
        The keyed noise, nested.
    """

    def __init__(self, population: Population, similarity: float, shape: Floats, path: PathRelease) -> None:
        self.population, self.similarity, self.shape, self.path = population, similarity, shape, path
        self._theory, self._releases = Memo(REMEMBERED), Memo(RELEASES)

    def copy(self, recipient: Recipient, scheme: str, start: int, stop: int, *, among: tuple[Recipient, ...]) -> Floats:
        """What a recipient holds of these rows; `among` are all who hold a copy: that of the most trusted one is the
        same under every scheme."""
        release = self.release(scheme, among)
        return release.copy(LEVELS[recipient.trust], start, stop, recipient=recipient.number)

    def release(self, scheme: str, among: tuple[Recipient, ...]) -> PathRelease:
        """The keyed noise of a scheme, made around the copy of the most trusted of those who hold one."""
        key = schemes.of(scheme), tuple((r.number, LEVELS[r.trust]) for r in in_order(among))
        return self._releases(key, lambda: self.path.under(scheme).among(dict(key[1])))

    def drawn_once(
        self, recipient: Recipient, scheme: str, stop: int, *, among: tuple[Recipient, ...]
    ) -> tuple[Floats, float]:
        """The noise of some level in the first rows of a copy that is not read off the path, and that level: at any
        other level it is this one times the root of how many times the level is higher."""
        level = 1.0 if scheme == "independent" else max(LEVELS[most_trusted(among).trust], LADDER[0])
        return self.release(scheme, among).noise(level, 0, stop, recipient=recipient.number), level

    # The linear attackers

    @abstractmethod
    def perfect(self, who: tuple[Recipient, ...], scheme: str) -> Linear:
        """The linear attacker who knows the statistics."""

    @abstractmethod
    def fit(self, attack: Attack, held: Callable[[], list[Floats]]) -> Linear:
        """A linear attack as a function of the copies; `held` are the rows that it learns from, if it does."""

    @abstractmethod
    def guess_at(self, level: float) -> Linear:
        """The linear attacker who knows the statistics, on one copy of any level."""

    @abstractmethod
    def deviations(self, who: tuple[Recipient, ...], scheme: str) -> Floats:
        """Standard deviation of the error of the best linear guess, for every attribute."""

    # What theory says

    @abstractmethod
    def error(self, who: tuple[Recipient, ...], scheme: str) -> float:
        """Expected normalised error of the attacker who knows the statistics."""

    @abstractmethod
    def errors_at(self, level: float) -> Floats:
        """Expected error variance of every attribute for copies that amount to one of this level."""

    @abstractmethod
    def excess_at(self, level: float, rows: int) -> Floats:
        """What learning the mean from so many rows adds to that of every attribute."""

    @abstractmethod
    def excess(self, who: tuple[Recipient, ...], scheme: str, rows: int) -> float:
        """What learning the mean from so many rows adds to it."""

    @abstractmethod
    def coalitions(self, recipients: tuple[Recipient, ...], scheme: str) -> Floats:
        """Expected error of every subset of the recipients."""

    @abstractmethod
    def _bias_and_variance(self, linear: Linear, attribute: int) -> tuple[Floats, float]:
        """Of the guess of one attribute by a linear attack, for records that stand for all."""

    def breach(self, linear: Linear, attribute: int, eps: float, extra: float = 0.0) -> float:
        """Expected share of this attribute's values guessed to within eps by a linear attack; `extra` is variance
        that an estimated mean adds to the guess."""
        bias, variance = self._bias_and_variance(linear, attribute)
        return float(measures.normal_breach(bias, max(variance, 0.0) + extra, eps))

    def hits_at(self, levels: Floats, attribute: int, eps: float, extra: Floats) -> Floats:
        """The same for who knows the statistics, on one copy of each of many levels."""
        return np.array([
            self.breach(self.guess_at(level), attribute, eps, more) for level, more in zip(levels, extra, strict=True)
        ])  # fmt: skip

    # The reconstructing attackers

    def level(self, who: tuple[Recipient, ...], scheme: str) -> float:
        """The level of a coalition's copies, put together as one."""
        found: float = _level(tuple(levels(who)), schemes.of(scheme))
        return found

    def reconstruct(self, attack: Attack, released: Floats, informed: bool) -> Floats:
        """What a reconstructing attacker makes of the combined copy."""
        return self.reconstruct_at(attack.attacker, self.level(attack.who, attack.scheme), released, informed)

    def reconstruct_at(self, attacker: str, level: float, released: Floats, informed: bool) -> Floats:
        """The same of one copy of any level."""
        people = self.population
        known = {"covariance": people.scaled_covariance, "mean": people.mean / people.units} if informed else {}
        function = reconstruction.ATTACKERS[attacker].function
        return function(released / people.units, self._scaled_at(level), **known) * people.units

    def reconstruction_error_at(self, attacker: str, level: float) -> float | None:
        """Expected normalised error of a reconstructing attacker who knows mean and covariance, on one copy."""
        record, covariance = reconstruction.ATTACKERS[attacker], self.population.scaled_covariance
        baseline = reconstruction.guess_error(covariance)
        if record.expected_error is None or not baseline:
            return None
        return float(record.expected_error(covariance, self._scaled_at(level)) / baseline)

    def reconstruction_error(self, attack: Attack, rows: int | None = None) -> float | None:
        """Its expected normalised error, if there is a closed form.

        Exact for those who know mean and covariance, and for who takes the copy as it is. With `rows`, for those who
        estimate from so many: that of normal data, and only the Bayes estimate's has what estimating costs in it.
        From too few rows for the noise, estimates go anywhere: None.
        """
        record, covariance = reconstruction.ATTACKERS[attack.attacker], self.population.scaled_covariance
        if record.expected_error is None:
            return None
        level = self.level(attack.who, attack.scheme)
        # How far an estimated covariance is off, as a multiple of the data's.
        if rows is not None and (1 + level) * np.sqrt(len(covariance) / rows) > UNRELIABLE:
            return None
        key = (attack.attacker, level, rows)
        expected = record.expected_error
        return self._theory(key, lambda: self._reconstruction_error(attack, rows, expected, covariance))

    def _reconstruction_error(
        self, attack: Attack, rows: int | None, expected: Callable[..., Numbers], covariance: Floats
    ) -> float:
        costs = attack.attacker == "bayes" and rows is not None
        error = expected(covariance, self._scaled(attack), **({"rows": rows} if costs else {}))
        baseline = reconstruction.guess_error(covariance)
        return float(error / baseline) if baseline else 0.0

    def spectrum(self, attack: Attack, released: Floats, informed: bool) -> reconstruction.Spectrum:
        """The eigenvalues that the attackers see in the combined copy."""
        people = self.population
        covariance = people.scaled_covariance if informed else None
        return reconstruction.spectrum(released / people.units, self._scaled(attack), covariance=covariance)

    def _scaled(self, attack: Attack) -> Floats:
        return self._scaled_at(self.level(attack.who, attack.scheme))

    def _scaled_at(self, level: float) -> Floats:
        units = self.population.units
        return level * self.shape / np.outer(units, units)


class OwnShape(Noise):
    """Noise that varies as the data do: every figure is a number, and nothing is inverted."""

    def __init__(self, population: Population, seed: int) -> None:
        path = PathRelease(population.values, covariance=population.covariance, ladder=LADDER, key=seed)
        super().__init__(population, 1.0, population.covariance, path)

    def perfect(self, who: tuple[Recipient, ...], scheme: str) -> llse.LinearAttack:
        return llse.perfect(levels(who), scheme, self.population.mean)

    def fit(self, attack: Attack, held: Callable[[], list[Floats]]) -> llse.LinearAttack | llse.RawAttack:
        at = levels(attack.who)
        if attack.attacker == "perfect":
            return self.perfect(attack.who, attack.scheme)
        return llse.raw(held(), at, None) if attack.attacker == "raw" else llse.structured(held(), at, attack.scheme)

    def deviations(self, who: tuple[Recipient, ...], scheme: str) -> Floats:
        return self.population.sd * sqrt(llse.expected_error(levels(who), scheme))

    def guess_at(self, level: float) -> llse.LinearAttack:
        return llse.perfect([level], "nested", self.population.mean)

    def hits_at(self, levels: Floats, attribute: int, eps: float, extra: Floats) -> Floats:
        error = levels / (1 + levels)
        off = self.population.quantiles(attribute, QUANTILES)[:, None] - self.population.mean[attribute]
        variance = error * (1 - error) * self.shape[attribute, attribute] + extra
        return np.asarray(measures.normal_breach(-error * off, variance, eps))

    def errors_at(self, level: float) -> Floats:
        return self.population.sd**2 * llse.expected_error([level])

    def excess_at(self, level: float, rows: int) -> Floats:
        return self.population.sd**2 * (llse.expected_error_structured([level], n=rows) - llse.expected_error([level]))

    def error(self, who: tuple[Recipient, ...], scheme: str) -> float:
        return float(llse.expected_error(levels(who), scheme))

    def excess(self, who: tuple[Recipient, ...], scheme: str, rows: int) -> float:
        return float(llse.expected_error_structured(levels(who), scheme, rows)) - self.error(who, scheme)

    def coalitions(self, recipients: tuple[Recipient, ...], scheme: str) -> Floats:
        return llse.coalitions(levels(recipients), scheme)

    def _bias_and_variance(self, linear: Linear, attribute: int) -> tuple[Floats, float]:
        assert isinstance(linear, llse.LinearAttack)
        # Only the attribute itself matters here, so that a list of its quantiles stands for all records.
        bias = -(1 - linear.shrink) * (self.population.quantiles(attribute, QUANTILES) - linear.mean[attribute])
        return bias, linear.noise_variance * self.shape[attribute, attribute]


class OtherShape(Noise):
    """The same normals, turned towards other directions than the data's own.

    Parameters
    ----------
    own : OwnShape
        The noise that it is made from.
    similarity : float
    """

    def __init__(self, own: OwnShape, similarity: float):
        people = own.population
        shape = noise_shape(people.covariance, similarity, standardised=not people.common_unit)
        super().__init__(people, similarity, shape, own.path.reshaped(shape))
        self.joint = ShapedNoise(people.covariance, shape)

    def perfect(self, who: tuple[Recipient, ...], scheme: str) -> ShapedAttack:
        return self.joint.attack(levels(who), scheme, self.population.mean)

    def fit(self, attack: Attack, held: Callable[[], list[Floats]]) -> ShapedAttack | llse.RawAttack:
        at = levels(attack.who)
        if attack.attacker == "perfect":
            return self.perfect(attack.who, attack.scheme)
        if attack.attacker == "raw":
            return llse.raw(held(), at, self.shape)
        return self.joint.attack(at, attack.scheme, llse.structured(held(), at, attack.scheme).mean)

    def deviations(self, who: tuple[Recipient, ...], scheme: str) -> Floats:
        return np.sqrt(self.joint.errors(self.level(who, scheme)))

    def guess_at(self, level: float) -> ShapedAttack:
        return self.joint.attack([level], "nested", self.population.mean)

    def errors_at(self, level: float) -> Floats:
        return self.joint.errors(level)

    def excess_at(self, level: float, rows: int) -> Floats:
        return self.joint.mean_excess(level, rows)

    def error(self, who: tuple[Recipient, ...], scheme: str) -> float:
        return float(self.joint.errors(self.level(who, scheme)) @ self.population.weights)

    def excess(self, who: tuple[Recipient, ...], scheme: str, rows: int) -> float:
        return float(self.joint.mean_excess(self.level(who, scheme), rows) @ self.population.weights)

    def coalitions(self, recipients: tuple[Recipient, ...], scheme: str) -> Floats:
        return self.joint.coalitions(levels(recipients), scheme) @ self.population.weights

    def _bias_and_variance(self, linear: Linear, attribute: int) -> tuple[Floats, float]:
        assert isinstance(linear, ShapedAttack)
        x = self.population.values[:THEORY_ROWS]
        return linear.bias(x)[:, attribute], linear.noise[attribute, attribute]


@lru_cache(4_096)
def _level(held: tuple[float, ...], scheme: schemes.Scheme) -> float:
    """`effective_level`, of which a picture and its words ask a dozen times."""
    return effective_level(held, scheme.name)


class ModelWithNoise(ModelWithJudge, Protocol):
    """A model, as far as its noise is asked for."""

    rows: int
    seed: int

    def noise(self, similarity: float = 1.0) -> Noise:
        """The noise of this similarity to the data."""


def noise_of(own: OwnShape, similarity: float) -> Noise:
    """The noise of this similarity to the data."""
    people = own.population
    if similarity == 1 or people.columns == 1 or not people.weights.any():
        return own
    return OtherShape(own, similarity)


def origin(recipient: Recipient, scheme: str, among: tuple[Recipient, ...]) -> tuple[Hashable, ...]:
    """All that a recipient's copy depends on beside its trust, the noise's shape and its rows: what is kept of a copy
    is kept under this."""
    first, record = most_trusted(among), schemes.of(scheme)
    if not record.house:
        order = in_order(among)
        before = order[: [r.number for r in order].index(recipient.number)]
        return (record, recipient.number, *((r.number, r.trust) for r in before)) if before else ("nested",)
    if scheme == "independent":
        return ("nested",) if recipient.number == first.number else ("independent", recipient.number)
    if scheme == "proportional" and recipient.trust != first.trust:
        return "proportional", first.trust
    return ("nested",)


def reconstructs(attack: Attack) -> bool:
    """Whether the attack works on the combined copy as a whole."""
    return attack.attacker in RECONSTRUCTIONS


def combines(attack: Attack) -> bool:
    """Whether the attack works on the copies put together as one: as a whole, or row by row as the strongest does."""
    return reconstructs(attack) or attack.attacker in BEST or attack.attacker in LEARNED
