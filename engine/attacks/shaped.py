"""The linear attack when the noise has another shape than the data.

Copies Y_i = X + Z_i, the noise with covariance Sigma (x) R: Sigma over the copies (`engine.noise.noise_covariance`),
R the shape over the attributes. For R = K_X everything is a number (`engine.attacks.llse`). For any R the copies
become one first, with weights Sigma^-1 1 / 1' Sigma^-1 1 and noise of one level s (nested: the lowest, independent:
1 / sum 1/s_i, proportional: 0), which tells all that they tell together; then Eq. 6 of Li et al. (2012) is

    estimate = mu + (y - mu) G,   G = (K_X + s R)^-1 K_X,   error K_X - K_X (K_X + s R)^-1 K_X.

One basis makes K_X and R diagonal, K_X = B diag(a) B', R = B diag(b) B' with a + b = 1, so that the error at
every level is B diag(a s b / (a + s b)) B': nothing is inverted that may be singular, and all levels cost one
decomposition.
"""

from dataclasses import dataclass

import numpy as np

from trustscope.engine.arrays import ArrayLike, Floats, Several
from trustscope.engine.attacks import llse
from trustscope.engine.attacks.combining import combined, combining_weights, effective_level, level_of_error
from trustscope.engine.attacks.reconstruction.inputs import as_matrix


@dataclass(frozen=True, eq=False)
class ShapedAttack:
    """Estimate mu + (y - mu) G with y the combined copy.

    Attributes
    ----------
    weights : numpy.ndarray, shape (M,)
        Of the copies in y.
    gain : numpy.ndarray, shape (N, N)
        G.
    mean : numpy.ndarray, shape (N,)
        mu, as the attacker knows or estimates it.
    noise : numpy.ndarray, shape (N, N)
        Covariance G' s R G of the noise in the estimate.
    """

    weights: Floats
    gain: Floats
    mean: Floats
    noise: Floats

    def bias(self, x: ArrayLike) -> Floats:
        """What the estimate of x is off by on average, shape (rows, N)."""
        return (np.asarray(x, dtype=float) - self.mean) @ (self.gain - np.eye(len(self.gain)))

    def estimate(self, copies: Several) -> Floats:
        """Estimate of the rows of M copies, each of shape (rows, N); copies of weight 0 are not read."""
        return (combined(copies, self.weights) - self.mean) @ self.gain + self.mean


class ShapedNoise:
    """Data of covariance K_X under noise of shape R: the linear attack and its error at every level.

    Parameters
    ----------
    covariance : array-like, shape (N, N)
        K_X.
    shape : array-like, shape (N, N)
        R, the noise at level 1. Either may be singular.
    """

    def __init__(self, covariance: ArrayLike, shape: ArrayLike) -> None:
        own = np.atleast_2d(np.asarray(covariance, dtype=float))
        own = as_matrix(own, len(own))
        noise = as_matrix(shape, len(own), "shape of the noise")
        scale = np.sqrt(np.maximum(np.diag(own + noise), 0))
        safe = np.where(scale > 0, scale, 1.0)
        # Correlations first: attributes in very different units would drown in each other's rounding.
        units = np.outer(safe, safe)
        values, vectors = np.linalg.eigh((own + noise) / units)
        there = values > len(values) * np.finfo(float).eps * np.abs(values).max(initial=0)
        root, vectors = np.sqrt(values[there]), vectors[:, there]
        into = vectors / root
        share, turn = np.linalg.eigh(into.T @ (own / units) @ into)
        self._data = np.clip(share, 0, 1)
        self._noise = 1 - self._data
        self._basis = safe[:, None] * ((vectors * root) @ turn)
        self._dual = (into @ turn) / safe[:, None]

    def errors(self, levels: ArrayLike) -> Floats:
        """Error variance of every attribute, shape (..., N) for levels of shape (...); infinite: nothing is known."""
        return np.asarray(self._errors(levels) @ (self._basis**2).T)

    def mean_excess(self, level: float, rows: int) -> Floats:
        """What every attribute's error gains if mu is the mean of so many rows of the copy, shape (N,).

        The estimated mean has covariance (K_X + s R) / n and enters with factor I - G.
        """
        total = self._data + level * self._noise
        lost = np.divide((level * self._noise) ** 2, total, out=np.zeros_like(total), where=total > 0)
        return np.asarray((self._basis**2) @ lost / rows)

    def attack(self, levels: ArrayLike, scheme: str, mean: ArrayLike) -> ShapedAttack:
        """The attacker who knows K_X, R, the levels and (or believes) the mean: a `ShapedAttack`."""
        level = effective_level(levels, scheme)
        total = self._data + level * self._noise
        gains = np.divide(self._data, total, out=np.zeros_like(total), where=total > 0)
        gain = (self._dual * gains) @ self._basis.T
        noise = (self._basis * (gains**2 * level * self._noise)) @ self._basis.T
        return ShapedAttack(combining_weights(levels, scheme), gain, np.atleast_1d(np.asarray(mean, float)), noise)

    def bias_and_variance(self, x: ArrayLike, mean: ArrayLike, attribute: int, levels: Floats) -> tuple[Floats, Floats]:
        """The guess of one attribute at many levels at once: what it is off by on average, and the variance around it.

        Parameters
        ----------
        x : array-like, shape (rows, N)
        mean : array-like, shape (N,)
        attribute : int
        levels : array, shape (L,)
            Not infinite.

        Returns
        -------
        two numpy.ndarray, shapes (rows, L) and (L,)
            As `ShapedAttack.bias` and the diagonal of its `noise`.
        """
        level = np.asarray(levels, dtype=float)[:, None]
        total = self._data + level * self._noise
        gains = np.divide(self._data, total, out=np.zeros_like(total), where=total > 0)
        basis = self._basis[attribute]
        centred = np.asarray(x, dtype=float) - np.asarray(mean, dtype=float)
        bias = (centred @ self._dual * basis) @ gains.T - centred[:, [attribute]]
        return bias, (gains**2 * level * self._noise) @ basis**2

    def coalitions(self, levels: ArrayLike, scheme: str = "nested") -> Floats:
        """Error variance of every attribute for every coalition, shape (2^M, N), as in `llse.coalitions`."""
        return self.errors(level_of_error(llse.coalitions(levels, scheme)))

    def _errors(self, levels: ArrayLike) -> Floats:
        s = np.asarray(levels, dtype=float)[..., None]
        finite = np.where(np.isinf(s), 0.0, s)
        noise = finite * self._noise
        total = self._data + noise
        known = np.divide(self._data * noise, total, out=np.zeros(np.broadcast(total).shape), where=total > 0)
        return np.asarray(np.where(np.isinf(s), self._data, known))
