"""Keyed noise of one shape: what every recipient holds, what attackers make of it, what theory says."""

import numpy as np

from trustscope.engine import measures
from trustscope.engine.attacks import llse, reconstruction
from trustscope.engine.attacks.shaped import ShapedNoise, effective_level
from trustscope.engine.path import PathRelease
from trustscope.engine.shapes import noise_shape
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.trust.picture import Attack
from trustscope.scenarios.trust.settings import LADDER, LEVELS, RECONSTRUCTIONS, levels

SCHEMES = ("nested", "independent", "proportional")
UNRELIABLE = 0.5


class Noise:
    """Noise of a given similarity to the data.

    Parameters
    ----------
    population : Population
        What is perturbed.
    seed : int
        The secret key of the noise.
    """

    def __init__(self, population, seed: int):
        self.population = population
        self.similarity = 1.0
        self.shape = population.covariance
        self.releases = {
            scheme: PathRelease(population.values, scheme=scheme, covariance=self.shape, ladder=LADDER, key=seed)
            for scheme in SCHEMES
        }
        self._theory = Memo(256)
        self._joint = None  # noise of the data's own shape needs no matrices: K_X cancels

    def shaped(self, similarity: float) -> "Noise":
        """The same noise in another shape: the same normals, turned towards other directions."""
        people = self.population
        if similarity == 1 or people.columns == 1 or not people.weights.any():
            return self
        other = object.__new__(Noise)
        other.population, other.similarity = people, similarity
        other.shape = noise_shape(people.covariance, similarity, standardised=not people.common_unit)
        other.releases = {scheme: release.reshaped(other.shape) for scheme, release in self.releases.items()}
        other._theory = Memo(256)
        other._joint = ShapedNoise(people.covariance, other.shape)
        return other

    def copy(self, recipient, scheme: str, start: int, stop: int) -> np.ndarray:
        """What a recipient holds of these rows."""
        return self.releases[scheme].copy(LEVELS[recipient.trust], start, stop, recipient=recipient.number)

    # The linear attackers

    def perfect(self, who, scheme):
        """The linear attacker who knows the statistics."""
        if self._joint is None:
            return llse.perfect(levels(who), scheme, self.population.mean)
        return self._joint.attack(levels(who), scheme, self.population.mean)

    def fit(self, attack: Attack, held):
        """A linear attack as a function of the copies; `held` are the rows that it learns from, if it does."""
        at, scheme = levels(attack.who), attack.scheme
        if attack.attacker == "perfect":
            return self.perfect(attack.who, scheme)
        if attack.attacker == "raw":
            return llse.raw(held(), at, None if self._joint is None else self.shape)
        learned = llse.structured(held(), at, scheme)
        return learned if self._joint is None else self._joint.attack(at, scheme, learned.mean)

    def deviations(self, who, scheme) -> np.ndarray:
        """Standard deviation of the best linear guess of every attribute."""
        if self._joint is None:
            return self.population.sd * np.sqrt(llse.expected_error(levels(who), scheme))
        return np.sqrt(self._joint.errors(self.level(who, scheme)))

    # What theory says

    def error(self, who, scheme) -> float:
        """Expected normalised error of the attacker who knows the statistics."""
        if self._joint is None:
            return float(llse.expected_error(levels(who), scheme))
        return float(self._joint.errors(self.level(who, scheme)) @ self.population.weights)

    def excess(self, who, scheme, rows: int) -> float:
        """What learning the mean from so many rows adds to it."""
        if self._joint is None:
            return float(llse.expected_error_structured(levels(who), scheme, rows)) - self.error(who, scheme)
        return float(self._joint.mean_excess(self.level(who, scheme), rows) @ self.population.weights)

    def coalitions(self, recipients, scheme) -> np.ndarray:
        """Expected error of every subset of the recipients."""
        if self._joint is None:
            return llse.coalitions(levels(recipients), scheme)
        return self._joint.coalitions(levels(recipients), scheme) @ self.population.weights

    def breach(self, linear, attribute: int, eps: float, rows: int) -> float:
        """Expected share of this attribute's values guessed to within eps by a linear attack, of the first rows."""
        x = self.population.values[:rows]
        if self._joint is None:
            bias = -(1 - linear.shrink) * (x[:, attribute] - linear.mean[attribute])
            variance = linear.noise_variance * self.shape[attribute, attribute]
        else:
            bias, variance = linear.bias(x)[:, attribute], linear.noise[attribute, attribute]
        return float(measures.normal_breach(bias, max(variance, 0.0), eps))

    # The reconstructing attackers

    def level(self, who, scheme) -> float:
        """The level of a coalition's copies, put together as one."""
        return effective_level(levels(who), scheme)

    def reconstruct(self, attack: Attack, released, informed: bool) -> np.ndarray:
        """What a reconstructing attacker makes of the combined copy."""
        people = self.population
        known = {"covariance": people.scaled_covariance, "mean": people.mean / people.units} if informed else {}
        function = reconstruction.ATTACKERS[attack.attacker].function
        return function(released / people.units, self._scaled(attack), **known) * people.units

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
        return self._theory(key, lambda: self._reconstruction_error(attack, rows, record, covariance))

    def _reconstruction_error(self, attack, rows, record, covariance):
        costs = attack.attacker == "bayes" and rows is not None
        error = record.expected_error(covariance, self._scaled(attack), **({"rows": rows} if costs else {}))
        baseline = reconstruction.guess_error(covariance)
        return error / baseline if baseline else 0.0

    def spectrum(self, attack: Attack, released, informed: bool):
        """The eigenvalues that the attackers see in the combined copy."""
        people = self.population
        covariance = people.scaled_covariance if informed else None
        return reconstruction.spectrum(released / people.units, self._scaled(attack), covariance=covariance)

    def _scaled(self, attack):
        units = self.population.units
        return self.level(attack.who, attack.scheme) * self.shape / np.outer(units, units)


def reconstructs(attack: Attack) -> bool:
    """Whether the attack works on the combined copy as a whole."""
    return attack.attacker in RECONSTRUCTIONS
