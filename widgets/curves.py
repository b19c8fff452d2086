"""Several curves over the same places, and an area behind them."""

from dataclasses import dataclass

import numpy as np

from trustscope.widgets.lines import Line, Lines


@dataclass(frozen=True)
class Curve:
    """One line: what it is called in the legend, how it looks, its heights."""

    name: str
    colour: str
    y: np.ndarray
    dash: str = "solid"
    width: float = 2.0


class Curves(Lines):
    """Lines that share their places. Without `shares` they are densities: the shape matters, not the height."""

    def __init__(self, label: str, *, height: int = 220, shares: bool = False):
        super().__init__(label, height=height, shares=shares, scaled=shares)

    def show(self, x, curves, *, x_range, y_top, area=None, mark=None, x_label=None, ghost=None):
        """Draw these curves over the places `x`; `area` has heights too; `ghost` is a pair (places, curves)."""
        super().show(
            _lines(x, curves), x_range=x_range, y_top=y_top, mark=mark, x_label=x_label,
            area=None if area is None else (x, area), ghost=_lines(*(ghost or ((), ()))),
        )  # fmt: skip


def _lines(x, curves) -> list[Line]:
    return [Line(c.name, c.colour, x, c.y, c.dash, c.width) for c in curves]
