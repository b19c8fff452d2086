"""Normal data made to order, and Huang's experiments that can be played with them."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from trustscope import datasets
from trustscope.engine.experiments.huang import principal_eigenvalues
from trustscope.scenarios.trust.scenario import Order

MEAN_VARIANCE, LARGE, NOISE_VARIANCE = 100.0, 400.0, 25.0
RECORDS = (200, 500, 1_000, 2_000, 5_000, 10_000, 50_000)
SMALL = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 12.0, 18.0, 25.0, 35.0, 50.0, 70.0, 99.0)


@dataclass(frozen=True)
class Experiment:
    """Where the sliders stand at the beginning, what is held fixed, and what to drag then."""

    title: str
    order: Order
    drag: str
    large: float | None = None  # held at this; otherwise the mean variance is held at 100
    similarity: float = 0.0


def _order(number: Literal["1", "2", "3", "4"], attributes: int, components: int, small: float, records: int) -> Order:
    return Order(attributes=attributes, components=components, small=small, records=records, experiment=number)


EXPERIMENTS = {
    "1": Experiment("more attributes", _order("1", 20, 5, 4.0, 10_000), "the attributes"),
    "2": Experiment("more components", _order("2", 100, 20, 4.0, 10_000), "the components"),
    "3": Experiment("smaller remainder", _order("3", 100, 20, 12.0, 10_000), "the variance of the others", LARGE),
    "4": Experiment("shape of the noise", _order("4", 100, 50, 4.0, 2_000), "the shape of the noise", LARGE, 1.0),
}


def eigenvalues(order: Order) -> np.ndarray:
    """The variances of the components, the strongest first."""
    attributes, components = order.attributes, min(order.components, order.attributes)
    large = EXPERIMENTS[order.experiment].large if order.experiment else None
    mean = MEAN_VARIANCE
    if large is not None:
        mean = (components * large + (attributes - components) * order.small) / attributes
    return principal_eigenvalues(attributes, components, small=order.small, mean_variance=mean)


def make_dataset(order: Order) -> datasets.Dataset:
    """The data as ordered."""
    return datasets.load("gaussian", rows=order.records, eigenvalues=eigenvalues(order))


def trust(order: Order) -> int:
    """The trust at which noise has the variance of the experiments, 25."""
    found: int = round(100 / (1 + NOISE_VARIANCE / eigenvalues(order).mean()))
    return found
