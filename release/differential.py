"""A release in terms of differential privacy: what its best copy lets somebody tell apart.

All copies lie on one path, so that whatever is out costs as much as the best copy of it (`engine.measures`). Rounding
to a grid afterwards costs nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from trustscope.engine.measures import differential, losses
from trustscope.release.recipe import Recipe, level
from trustscope.release.types import Setting

DELTA = 1e-6
LIMITS = (
    "Rows themselves are released, each with noise of its own: figures are much larger than where only statistics of "
    "many people are published. The covariance of the noise and the values that are possible were taken from the data. "
    "A number has no bounds of its own: two values farther apart than one standard deviation have a larger figure, in "
    "proportion for mu, and no finite one bounds them all. Columns that are kept as they are tell everything."
)


@dataclass(frozen=True)
class PrivacyLoss:
    """What two rows that differ in one thing alone can be told apart by.

    Attributes
    ----------
    what : str
        The column, and how far the rows lie apart.
    mu : float or None
        Of Gaussian differential privacy; None for categories.
    epsilon : float
        For categories without a delta.
    """

    what: str
    mu: float | None
    epsilon: float


def privacy_losses(recipe: Recipe, setting: Setting) -> Iterator[PrivacyLoss]:
    """One row for every number, and one for all categories, at the best copies' trust and retention in thousandths."""
    trust, retention = setting
    if trust is not None and recipe.roles.numbers:
        distances = differential.Distances(recipe.covariance)
        s = level(trust) if trust < 1000 else 0.0
        for place, (name, deviation) in enumerate(zip(recipe.roles.numbers, recipe.deviations, strict=True)):
            mu = float(differential.mu_at(distances.within_row(place, deviation), s))
            epsilon = float(differential.epsilon_of_delta(mu, DELTA))
            yield PrivacyLoss(f"{name}: two values one standard deviation ({deviation:.4g}) apart", mu, epsilon)
    if retention is not None and recipe.roles.categories:
        named = ", ".join(recipe.roles.categories)
        epsilon = float(losses.epsilon_of_retention(retention / 1000, recipe.size))
        yield PrivacyLoss(f"{named}: any two of {recipe.size:,} combinations of values", None, epsilon)


def three_digits(value: float | None) -> str:
    """A figure with three digits; none, or without a bound."""
    return "–" if value is None else "∞" if np.isinf(value) else f"{value:.3g}"
