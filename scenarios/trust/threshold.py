"""How close a guess must come to be a hit: a scale of distances that suits the attribute."""

from typing import NamedTuple


class Scale(NamedTuple):
    """Where a slider of distances ends, its step, and the distance to begin with."""

    step: float
    end: float
    usual: float


def threshold(population, attribute: str, kind: str) -> Scale:
    """In the attribute's own units for one value, as a share for whole records."""
    if kind == "absolute":
        step = _nice(population.sd[population.index(attribute)] / 20)
        return Scale(step, 30 * step, 5 * step)
    return Scale(0.005, 0.2, 0.01) if kind == "cosine" else Scale(0.01, 0.5, 0.1)


def _nice(step: float) -> float:
    """A round step near this one: 1, 2 or 5 times a power of ten."""
    if not step > 0:
        return 1.0
    power = 10.0 ** int(f"{step:e}".split("e")[1])
    return min((1, 2, 5, 10), key=lambda m: abs(m * power - step)) * power
