"""Lines that grow with time, with a band around one and levels across."""

from dataclasses import dataclass

import numpy as np
from bokeh.models import FixedTicker

from trustscope.widgets.lines import Line, Lines


@dataclass(frozen=True)
class Track:
    """One line: how it looks, its places and heights, and what it is called."""

    colour: str
    x: list
    y: list
    dash: str = "solid"
    width: float = 2.2
    name: str = ""


class Tracks(Lines):
    """Lines over a time that runs on.

    Parameters
    ----------
    label : the accessible name
    height, x_label : of the figure
    shares : whether heights are shares
    growing : whether places grow tenfold from tick to tick: what came early stays to be seen; places are then above 0
    """

    def __init__(
        self, label: str, *, height: int = 220, x_label: str = " ", shares: bool = False, growing: bool = False
    ):
        super().__init__(label, height=height, x_label=x_label, shares=shares, log=growing)
        self._growing = growing
        if growing:
            self.figure.xaxis.ticker = FixedTicker(ticks=[])

    def show(self, tracks: list[Track], *, x_range, y_range, band=None, levels=(), ghost=()):
        """Draw.

        Parameters
        ----------
        tracks : the lines
        x_range, y_range : (first, last)
        band : places, lower and upper heights
        levels : (height, colour, dash) of lines across, and a name as the fourth where it has one
        ghost : the lines of a kept scenario
        """
        across = [
            Line(name[0] if name else "level", colour, list(x_range), [height] * 2, dash, 1.6)
            for height, colour, dash, *name in levels
        ]
        super().show(
            [*across, *map(_line, tracks)], x_range=x_range, y_start=y_range[0], y_top=y_range[1], band=band,
            ticks=growing_ticks(*x_range) if self._growing else None, ghost=[*map(_line, ghost)],
        )  # fmt: skip


def _line(track: Track) -> Line:
    return Line(track.name, track.colour, track.x, track.y, track.dash, track.width)


def growing_ticks(first: float, last: float) -> list[float]:
    """Round numbers between two others, fewer for each power of ten the more powers there are."""
    powers = np.log10(last / first)
    steps = (1, 2, 5) if powers < 2.2 else (1, 3) if powers < 3.2 else (1,)
    numbers = [step * 10.0**power for power in range(int(np.floor(np.log10(first))), 10) for step in steps]
    return [number for number in numbers if first <= number <= last]
