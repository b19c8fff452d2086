"""How close a guess must come to be a hit: a scale of distances that suits the attribute."""

from typing import NamedTuple

from trustscope.engine.measures.closeness import nice_step, usual_distance
from trustscope.scenarios.trust.population import Population


class Scale(NamedTuple):
    """Where a slider of distances ends, its step, and the distance to begin with."""

    step: float
    end: float
    usual: float


def threshold(population: Population, attribute: str, kind: str) -> Scale:
    """In the attribute's own units for one value, as a share for whole records."""
    if kind == "absolute":
        sd = population.sd[population.index(attribute)]
        step = nice_step(sd)
        return Scale(step, 30 * step, usual_distance(sd))
    return Scale(0.005, 0.2, 0.01) if kind == "cosine" else Scale(0.01, 0.5, 0.1)
