"""The attacker who knows a sample of the population of a release that keeps distances (Giannella et al. 2009, Sec. V).

`attack` matches the principal axes of sample and release and chooses their signs by the energy distance, over all
2^n patterns or in polynomial time. `overlay` goes on from there, and lays all released rows over those of the sample.
`eigen_ratio` and `invariance` tell beforehand when that fails.
"""

from trustscope.engine.attacks.known_sample.attack import METHODS, SEARCHES, KnownSampleAttack, attack
from trustscope.engine.attacks.known_sample.axes import eigen_ratio, invariance, principal_axes
from trustscope.engine.attacks.known_sample.clouds import Overlay, overlay
from trustscope.engine.attacks.known_sample.signs import MOST_EXACT

__all__ = [
    "METHODS",
    "MOST_EXACT",
    "SEARCHES",
    "KnownSampleAttack",
    "Overlay",
    "attack",
    "eigen_ratio",
    "invariance",
    "overlay",
    "principal_axes",
]
