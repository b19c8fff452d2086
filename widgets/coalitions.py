"""Every coalition at a glance: its error under two schemes, side by side."""

import numpy as np
import panel as pn
from bokeh.models import ColumnDataSource, FixedTicker, Range1d

from widgets import colours
from widgets.figure import numbers, plain

LEAST_ROWS = 5  # three bars alone would look like a poster
LISTED = 4  # up to this many recipients every coalition has its row; beyond, its dot


class Coalitions(pn.viewable.Viewer):
    """Bars for each of up to 15 coalitions; for more recipients a cloud of dots by coalition size."""

    def __init__(self, label: str, *, height: int = 240, schemes=("nested", "independent")):
        super().__init__()
        self.schemes = schemes
        self.figure = self._make_bars(label, height)
        self.cloud = self._make_dots(label, height)
        self._bars_pane = pn.pane.Bokeh(self.figure, sizing_mode="stretch_width")
        self._dots_pane = pn.pane.Bokeh(self.cloud, sizing_mode="stretch_width")
        self.cloud.visible = False
        self._layout = pn.Column(self._bars_pane, self._dots_pane, sizing_mode="stretch_width", margin=0)

    def _make_bars(self, label, height):
        self._y_range = Range1d(8, 0)
        fig = plain(
            label, height=height, x_label="error of the guess: 1 = knows nothing, 0 = knows all",
            x_range=Range1d(-0.36, 1.0), y_range=self._y_range,
        )  # fmt: skip
        fig.yaxis.visible = False
        fig.ygrid.visible = False
        fig.xaxis.ticker = FixedTicker(ticks=[0, 0.25, 0.5, 0.75, 1])
        self._bars = ColumnDataSource({"y": [], "right": [], "colour": []})
        self._texts = ColumnDataSource({"x": [], "y": [], "text": []})
        self._seats = ColumnDataSource({"x": [], "y": [], "colour": [], "alpha": [], "initial": []})
        self._chosen = ColumnDataSource({"y": []})
        fig.hbar(y="y", left=-0.36, right=1, height=0.98, source=self._chosen, fill_color=colours.NEUTRAL, fill_alpha=0.16, line_color=None)
        fig.hbar(y="y", left=0, right="right", height=0.3, source=self._bars, fill_color="colour", line_color=None)
        fig.scatter("x", "y", size=14, source=self._seats, fill_color="colour", fill_alpha="alpha", line_color=None)
        fig.text("x", "y", text="initial", source=self._seats, text_color="#ffffff", text_font_size="9px",
                 text_font_style="bold", text_align="center", text_baseline="middle")  # fmt: skip
        fig.text("x", "y", text="text", source=self._texts, text_font_size="10.5px", text_color=colours.NEUTRAL,
                 text_baseline="middle", x_offset=4)  # fmt: skip
        return fig

    def _make_dots(self, label, height):
        self._size_range = Range1d(0.4, 5.6)
        fig = plain(
            label, height=height, x_label="how many collude", y_label="error of the guess",
            x_range=self._size_range, y_range=Range1d(0, 1),
        )  # fmt: skip
        self._dots = {}
        for scheme in self.schemes:
            self._dots[scheme] = ColumnDataSource({"x": [], "y": []})
            fig.scatter("x", "y", source=self._dots[scheme], size=5, line_color=None, fill_alpha=0.55,
                        fill_color=colours.SCHEMES[scheme])  # fmt: skip
        self._ring = ColumnDataSource({"x": [], "y": [], "colour": []})
        fig.scatter("x", "y", source=self._ring, size=13, fill_color=None, line_color="colour", line_width=2.5)
        return fig

    def show(self, initials, recipient_colours, errors, chosen: int):
        """Draw the errors of all subsets.

        Parameters
        ----------
        initials, recipient_colours : sequences of str, one a recipient
        errors : dict of scheme to an array of 2^M errors, indexed by bit mask
        chosen : the mask of the coalition at work (0: none)
        """
        count = len(initials)
        few = count <= LISTED
        if self.figure.visible != few:
            self.figure.visible, self.cloud.visible = few, not few
        if few:
            self._show_bars(initials, recipient_colours, errors, chosen)
        else:
            self._show_dots(count, errors, chosen)

    def _show_bars(self, initials, seat_colours, errors, chosen):
        count = len(initials)
        masks = np.array(sorted(range(1, 2**count), key=lambda m: (m.bit_count(), _reversed_bits(m, count))))
        place = np.arange(len(masks)) + 0.5
        offsets = np.linspace(-0.17, 0.17, len(self.schemes))
        y = np.concatenate([place + o for o in offsets])
        right = np.concatenate([errors[s][masks] for s in self.schemes])
        self._bars.data = {
            "y": numbers(y),
            "right": numbers(np.maximum(right, 0.004)),  # a bar of no length would look forgotten
            "colour": [colours.SCHEMES[s] for s in self.schemes for _ in masks],
        }
        first, second = (errors[s][masks] for s in self.schemes)
        same = np.isclose(first, second, atol=5e-4)
        text = [f"{a:.3f}" if e else f"{a:.3f}   {b:.3f}" for a, b, e in zip(first, second, same, strict=True)]
        self._texts.data = {"x": numbers(np.maximum(first, second)), "y": numbers(place), "text": text}
        inside = (masks[:, None] >> np.arange(count)) & 1
        self._seats.data = {
            "x": numbers(np.tile(-0.325 + 0.085 * np.arange(count), len(masks))),
            "y": numbers(np.repeat(place, count)),
            "colour": [seat_colours[i] if m else colours.NEUTRAL for row in inside for i, m in enumerate(row)],
            "alpha": numbers(np.where(inside, 1.0, 0.22).ravel()),
            "initial": [initials[i] if m else "" for row in inside for i, m in enumerate(row)],
        }
        self._chosen.data = {"y": numbers(place[masks == chosen])}
        self._y_range.start = float(max(len(masks), LEAST_ROWS))

    def _show_dots(self, count, errors, chosen):
        masks = np.arange(1, 2**count)
        size = np.bitwise_count(masks.astype(np.uint32)).astype(float)
        spread = ((masks * 0.6180339887) % 1 - 0.5) * 0.34  # low discrepancy: dots lie apart without chance
        for scheme, offset in zip(self.schemes, (-0.2, 0.2), strict=True):
            self._dots[scheme].data = {"x": size + offset + spread, "y": errors[scheme][masks]}
        here = [] if chosen == 0 else [chosen.bit_count() + o for o in (-0.2, 0.2)]
        self._ring.data = {
            "x": here,
            "y": [errors[s][chosen] for s in self.schemes] if chosen else [],
            "colour": [colours.SCHEMES[s] for s in self.schemes] if chosen else [],
        }
        self._size_range.end = count + 0.6

    def __panel__(self):
        return self._layout


def _reversed_bits(mask: int, count: int) -> int:
    """Sorts coalitions of one size as words are sorted: AB, AC, BC."""
    return -int(f"{mask:0{count}b}"[::-1], 2)
