"""An axis of a drawing: from figures to places between 0 and 1, and the round numbers along it."""

from dataclasses import dataclass

import numpy as np

from trustscope.numbers import format_number

TICKS = 5  # round numbers along an axis, about


@dataclass(frozen=True)
class Scale:
    """One axis.

    Attributes
    ----------
    label : str
    share : bool
        Whether figures are shares, written in per cent.
    log : bool
        Whether equal ratios are equally far apart.
    less : bool
        Whether less is better: figures then run from the largest to the smallest.
    """

    label: str
    share: bool = False
    log: bool = False
    less: bool = False

    def over(self, values) -> "Span":
        """The axis over these figures, with some air; those that are not finite are left out."""
        values = np.asarray(values, dtype=float)
        values = values[np.isfinite(values)]
        values = self._straight(values[values > 0] if self.log else values)
        low, high = (values.min(), values.max()) if len(values) else (0.0, 1.0)
        air = 0.05 * (high - low) or 0.05 * abs(high) or 0.5
        low, high = low - air, high + air
        if self.share and not self.log:
            low, high = max(low, 0.0), min(high, 1.0)
        return Span(self, float(low), float(high))

    def _straight(self, values):
        return np.log10(np.maximum(values, 1e-300)) if self.log else np.asarray(values, dtype=float)

    def format(self, value: float) -> str:
        """A figure as it is written at the axis."""
        return format_number(value, share=self.share)


@dataclass(frozen=True)
class Span:
    """An axis from `low` to `high`, in figures or in their logarithms."""

    scale: Scale
    low: float
    high: float

    def place(self, values) -> np.ndarray:
        """Where these figures stand, from 0 to 1; beyond the ends at the ends."""
        at = (self.scale._straight(values) - self.low) / (self.high - self.low)
        at = np.clip(at, 0.0, 1.0)
        return 1 - at if self.scale.less else at

    @property
    def ticks(self) -> list[list]:
        """Place and text of round numbers, in the order of their places."""
        numbers = _round_powers(self.low, self.high) if self.scale.log else _round_steps(self.low, self.high)
        found = [[round(float(self.place(n)), 4), self.scale.format(n)] for n in numbers]
        return sorted(found)


def _round_steps(low: float, high: float) -> list[float]:
    raw = (high - low) / TICKS
    power = 10.0 ** np.floor(np.log10(raw))
    step = power * next(m for m in (1, 2, 5, 10) if m * power >= 0.999 * raw)
    first = np.ceil(low / step - 1e-9)
    return [float(n * step) for n in np.arange(first, np.floor(high / step + 1e-9) + 1)]


def _round_powers(low: float, high: float) -> list[float]:
    """1, 2, 5, 10 ... where they are few, powers of ten where they are many."""
    parts = (1, 2, 5) if high - low < 2.5 else (1,)
    powers = range(int(np.floor(low)), int(np.ceil(high)) + 1)
    every = [m * 10.0**p for p in powers for m in parts]
    return [n for n in every if low - 1e-9 <= np.log10(n) <= high + 1e-9]
