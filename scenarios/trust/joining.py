"""As more of them pool: how often ever larger coalitions hit, in two schemes."""

from itertools import accumulate

import numpy as np

from trustscope.engine import measures
from trustscope.scenarios.trust.noise import Noise
from trustscope.scenarios.trust.picture import Joining
from trustscope.scenarios.trust.scenario import Settings


def joining(noise: Noise, settings: Settings, attribute: int, eps: float, without: float, copy, rows: int) -> Joining:
    """The coalition, its best copy first, then the next best ...

    For one attribute the shares are exact for the data and expected over the noise; for whole records they are
    measured on `rows` rows of the copies that `copy(recipient, scheme)` gives.
    """
    order = tuple(sorted(settings.coalition, key=lambda r: -r.trust))
    schemes = (settings.scheme, settings.rival)

    def rate(who, scheme):
        linear = noise.perfect(who, scheme)
        if settings.kind == "absolute":
            return noise.breach(linear, attribute, eps)
        x = noise.population.values[:rows]
        estimate = np.broadcast_to(linear.estimate([copy(r, scheme)[:rows] for r in who]), x.shape)
        return measures.breach_rate(x, estimate, eps, settings.kind)

    rates = {}
    for scheme in schemes:
        # Nested copies together tell no more than the best of them, which everybody here holds.
        several = 1 if scheme == "nested" else len(order)
        # More copies never help less: whoever holds them may leave some out.
        grown = list(accumulate((rate(order[:k], scheme) for k in range(1, several + 1)), max, initial=without))[1:]
        rates[scheme] = tuple(grown + grown[-1:] * (len(order) - len(grown)))
    return Joining(order, rates, without)
