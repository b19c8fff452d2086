"""What the model finds out, as the views need it. Records are numbered as the private data are."""

from dataclasses import dataclass, field

import numpy as np

from trustscope.engine.attacks.known_input import KnownInputAttack
from trustscope.engine.attacks.known_sample import KnownSampleAttack, eigen_ratio
from trustscope.engine.utility import Clusterings
from trustscope.scenarios.rotation.settings import GUESSED, Settings


@dataclass(frozen=True, eq=False)
class Kept:
    """What an honest analyst finds: one clustering, whether all agree, and how far distances moved.

    `distance_error` is relative to the longest record.
    """

    settings: Settings
    clusterings: Clusterings | None = None
    moved: dict[str, int] = field(default_factory=dict)
    neighbours: float = float("nan")
    distance_error: float = float("nan")
    rows: int = 0

    @property
    def exact(self) -> bool:
        """Whether distances are the same up to rounding."""
        return self.distance_error < 1e-9


@dataclass(frozen=True, eq=False)
class Growth:
    """Mean and highest breach probability of those not known, by the number of known records."""

    known: list[int]
    uniform: list[float]
    highest: list[float]
    projection: list[float]


@dataclass(frozen=True, eq=False)
class Inputs:
    """What the attacker who knows records can do.

    `breach` and `projection` are for the first records, as many as were judged, nan for those that are known;
    `residuals` and `norms` for all. Where there is no closed form `draws` is how many rotations stand for all of them.
    `measured` is a mean share and its standard error, or None; `growth` comes with
    it, when everything stands still.
    """

    settings: Settings
    attack: KnownInputAttack
    linked: dict[int, bool]
    breach: np.ndarray
    projection: np.ndarray
    residuals: np.ndarray
    norms: np.ndarray
    top: int | None
    typical: int | None
    eps: np.ndarray
    by_eps: dict[str, np.ndarray]
    closed: bool
    draws: int = 0
    measured: tuple[float, float] | None = None
    growth: Growth | None = None

    @property
    def mean(self) -> float:
        """Mean breach probability of the records that are not known."""
        return _mean(self.breach)

    @property
    def projected(self) -> float:
        """Share of the records, not known ones, that the projection breaches."""
        return _mean(self.projection)


@dataclass(frozen=True, eq=False)
class Sampled:
    """What the attacker with a sample recovers.

    `rates` of this sample by method, and `spread`, mean and standard error over `samples` of the same size that share
    no record, of which this is number `block`; `alignment` is the cosine between each axis and its true image, `right`
    whether its sign is right, `certainty` how sure of it she can be. `curve` holds rates by sample size and method:
    mean and standard error.
    """

    settings: Settings
    attack: KnownSampleAttack
    rates: dict[str, float]
    estimate: np.ndarray
    breached: np.ndarray
    alignment: np.ndarray
    right: np.ndarray
    certainty: np.ndarray
    judged: int
    samples: int = 1
    block: int = 0
    spread: dict[str, tuple[float, float]] = field(default_factory=dict)
    curve: dict[str, dict[int, tuple[float, float]]] = field(default_factory=dict)

    @property
    def ratio(self) -> float:
        """Least ratio of neighbouring eigenvalues of her sample, those of the axes that were matched."""
        return eigen_ratio(np.maximum(self.attack.sample_eigenvalues, 0.0))

    @property
    def mean(self) -> float:
        """Share recovered by the chosen method, over all samples where they were tried."""
        method = self.settings.method
        return self.spread[method][0] if self.spread else self.rates[method]

    @property
    def doubtful(self) -> np.ndarray:
        """Axes along which the data look nearly the same mirrored: their signs are all but guesses."""
        return self.certainty < GUESSED


@dataclass(frozen=True, eq=False)
class Remedied:
    """One projection for all and a fresh one for each: what is recovered, and what becomes of distances.

    `rates`, `neighbours` and `spread` (relative change of distances) by "one" and "fresh"; `rotation` is what the same
    attacker recovers from rotations, `doubtful` how many of their axes have signs that are guesses; `curve` by
    dimensions.
    """

    settings: Settings
    rates: dict[str, float]
    neighbours: dict[str, float]
    spread: dict[str, float]
    estimate: np.ndarray
    breached: np.ndarray
    sample: int
    rotation: float
    doubtful: int
    curve: dict[str, dict[int, tuple[float, float]]] = field(default_factory=dict)


def _mean(values):
    known = np.isnan(values)
    return 1.0 if known.all() else float(values[~known].mean())
