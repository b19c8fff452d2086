"""Noise as steps of a scikit-learn pipeline: what a model still learns from copies.

They are for exploring. A key that comes from `random_state` protects nothing, and two pipelines with different trusts
are not nested: copies that are handed out come from a release with a secret key.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from trustscope.engine import keys
from trustscope.engine.noise import factor, level_from_trust
from trustscope.engine.rotation import haar
from trustscope.errors import TrustscopeError

__all__ = ["GaussianNoise", "RotationNoise", "UniformNoise"]


def _key(random_state: Any) -> int:
    """A key: a secret one where nobody wants to see the same again."""
    if random_state is None:
        return secrets.randbits(128)
    return int(check_random_state(random_state).randint(2**31 - 1))


def _rng(key: int, table: np.ndarray) -> np.random.Generator:
    """Draws for one table: the same table gets the same noise again, and no other table gets that noise.

    Asking again for the same rows tells nothing new, and noise that two tables share would give both away.
    """
    content = table.tobytes() if table.dtype.kind != "O" else repr(table.tolist()).encode()
    digest = sha256(repr((table.shape, table.dtype.str)).encode() + content).digest()
    return keys.rng(key, "transformer", int.from_bytes(digest[:8], "big"))


class _Noise(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """What the transformers that keep all columns share."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.non_deterministic = True  # rows get noise as parts of a table: alone they get another
        return tags


class GaussianNoise(_Noise):
    """Numbers with Gaussian noise of the data's own shape.

    Parameters
    ----------
    trust : float
        In per cent, from 1 to 100: the share of the variance that a best linear guess explains. 100 adds nothing.
    random_state : int, RandomState or None
        Makes the noise repeatable. None draws a secret key when it is fitted.

    Attributes
    ----------
    covariance_ : numpy.ndarray, shape (columns, columns)
        Of the data that it was fitted to: the noise has this shape.
    level_ : float
        The variance of the noise, in units of the data's.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> pipeline = make_pipeline(GaussianNoise(trust=50, random_state=0), LogisticRegression())
    """

    def __init__(self, trust: float = 50, *, random_state: Any = None) -> None:
        self.trust = trust
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the shape of the noise."""
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        self.level_ = float(level_from_trust(self.trust))
        self.covariance_ = np.atleast_2d(np.cov(X, rowvar=False))
        self._lower = factor(self.covariance_)
        self._secret = _key(self.random_state)
        return self

    def transform(self, X: Any) -> Any:
        """The data with noise added."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        noise = _rng(self._secret, X).standard_normal(X.shape)
        return X + np.sqrt(self.level_) * noise @ self._lower.T


class UniformNoise(_Noise):
    """Categories, each kept with a probability and drawn anew otherwise, column by column.

    Parameters
    ----------
    trust : float
        In per cent, from 1 to 100: the probability that a value is kept.
    random_state : int, RandomState or None
        Makes the draws repeatable. None draws a secret key when it is fitted.

    Attributes
    ----------
    categories_ : list of numpy.ndarray
        The values of each column from which is drawn.
    """

    def __init__(self, trust: float = 50, *, random_state: Any = None) -> None:
        self.trust = trust
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn which values there are."""
        X = validate_data(self, X, dtype=None)
        level_from_trust(self.trust)  # says what is wrong with it
        self.categories_ = [np.unique(column) for column in X.T]
        self._secret = _key(self.random_state)
        return self

    def transform(self, X: Any) -> Any:
        """The data, with values drawn anew."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=None, reset=False)
        rng, out = _rng(self._secret, X), X.copy()
        for place, values in enumerate(self.categories_):
            redrawn = rng.random(len(X)) >= self.trust / 100
            drawn = values[rng.integers(len(values), size=len(X))]
            out[redrawn, place] = drawn[redrawn]
        return out

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


class RotationNoise(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Numbers turned by a secret rotation around their mean: every distance stays, and no value can be read.

    Whoever knows a few of the records turns the others back (Giannella, Liu and Kargupta 2009).

    Parameters
    ----------
    random_state : int, RandomState or None
        Makes the rotation repeatable. None draws a secret one when it is fitted.

    Attributes
    ----------
    rotation_ : numpy.ndarray, shape (columns, columns)
    mean_ : numpy.ndarray, shape (columns,)
    """

    def __init__(self, *, random_state: Any = None) -> None:
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Choose the rotation."""
        X = validate_data(self, X, dtype=np.float64)
        self.mean_ = X.mean(axis=0)
        self.rotation_ = haar(X.shape[1], keys.rng(_key(self.random_state), "rotation transformer"))
        return self

    def transform(self, X: Any) -> Any:
        """The turned data."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return (X - self.mean_) @ self.rotation_.T

    @property
    def _n_features_out(self) -> int:
        if not hasattr(self, "rotation_"):
            raise TrustscopeError("Fit it first: the number of columns is not known yet.")
        return len(self.rotation_)
