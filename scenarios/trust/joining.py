"""As more of them pool: how often ever larger coalitions hit, in two schemes."""

from collections.abc import Callable
from itertools import accumulate

import numpy as np

from trustscope.engine import measures
from trustscope.engine.arrays import Floats
from trustscope.engine.attacks.combining import growing_levels
from trustscope.scenarios.coalition import Recipient
from trustscope.scenarios.trust.judge import Judged
from trustscope.scenarios.trust.noise import Noise
from trustscope.scenarios.trust.result import Joining
from trustscope.scenarios.trust.scenario import Settings, levels

CopyOf = Callable[[Recipient, str], Floats]  # what a recipient holds under a scheme


def joining(
    noise: Noise, settings: Settings, attribute: int, eps: float, without: float, copy: CopyOf, rows: int,
    judged: Judged | None = None,
) -> Joining:  # fmt: skip
    """The coalition, its best copy first, then the next best ...

    By the strongest attacker where its curves are given; otherwise by the best linear guess. For one attribute the
    shares are exact for the data and expected over the noise; for whole records they are measured on `rows` rows of
    the copies that `copy(recipient, scheme)` gives.
    """
    order = tuple(sorted(settings.coalition, key=lambda r: -r.trust))
    schemes = (settings.scheme, settings.rival)

    def measured(who: tuple[Recipient, ...], scheme: str) -> float:
        linear = noise.perfect(who, scheme)
        x = noise.population.values[:rows]
        estimate = np.broadcast_to(linear.estimate([copy(r, scheme)[:rows] for r in who]), x.shape)
        return measures.breach_rate(x, estimate, eps, settings.kind)

    def rates_of(who: tuple[Recipient, ...], scheme: str) -> list[float]:
        """Of the first one, of the first two, and so on."""
        if judged is not None and judged.hits is not None:
            rates: list[float] = judged.hits.hits_at(growing_levels(levels(who), scheme), eps).tolist()
            return rates
        if settings.kind != "absolute":
            return [measured(who[:size], scheme) for size in range(1, len(who) + 1)]
        at = growing_levels(levels(who), scheme)  # together, copies tell as much as one of some level
        rates = noise.hits_at(at, attribute, eps, np.zeros(len(at))).tolist()
        return rates

    rates = {}
    for scheme in schemes:
        # Nested copies together tell no more than the best of them, which everybody here holds.
        several = 1 if scheme == "nested" else len(order)
        # More copies never help less: whoever holds them may leave some out.
        grown = list(accumulate(rates_of(order[:several], scheme), max, initial=without))[1:]
        rates[scheme] = tuple(grown + grown[-1:] * (len(order) - len(grown)))
    return Joining(order, rates, without)
