"""Every coalition at a glance: its error under two schemes, side by side."""

import numpy as np
import panel as pn
import param
from bokeh.models import ColumnDataSource, Range1d

from trustscope import colours
from trustscope.widgets.esm import Control, module
from trustscope.widgets.figure import plain

LISTED = 4  # up to this many recipients every coalition has its row; beyond, its dot


class CoalitionList(Control):
    """A table of coalitions with a bar for each scheme."""

    frame = param.Dict(default={}, doc="What seldom changes: seats, masks, schemes.")
    errors = param.List(default=[], item_type=float, doc="The errors of all masks, scheme by scheme.")
    chosen = param.Integer(default=0, doc="The mask of the coalition at work.")
    label = param.String(default="", doc="The accessible name of the table.")

    _esm = module("flow.js", "coalitions.js")


class Coalitions(pn.viewable.Viewer):
    """Bars for each of up to 15 coalitions; for more recipients a cloud of dots by coalition size."""

    def __init__(self, label: str, *, height: int = 236, y_label: str = "error of the guess"):
        super().__init__()
        self.list = CoalitionList(label=label)
        self.figure = self._make_dots(label, height, y_label)
        self.figure.visible = False
        pane = pn.pane.Bokeh(self.figure, sizing_mode="stretch_width")
        self._layout = pn.Column(self.list, pane, sizing_mode="stretch_width", margin=0)

    def _make_dots(self, label, height, y_label):
        self._size_range = Range1d(0.4, 5.6)
        fig = plain(
            label, height=height, x_label="how many collude", y_label=y_label,
            x_range=self._size_range, y_range=Range1d(0, 1),
        )  # fmt: skip
        self._dots = ColumnDataSource({"x": [], "y": [], "colour": []})
        self._ring = ColumnDataSource({"x": [], "y": [], "colour": []})
        fig.scatter("x", "y", source=self._dots, size=5, line_color=None, fill_alpha=0.55, fill_color="colour")
        fig.scatter("x", "y", source=self._ring, size=13, fill_color=None, line_color="colour", line_width=2.5)
        return fig

    def show(self, recipients, errors, chosen: int):
        """Draw the errors of all subsets.

        Parameters
        ----------
        recipients : sequence of objects with `name`, `initial` and `colour`
        errors : dict of scheme to an array of 2^M errors, indexed by bit mask
        chosen : the mask of the coalition at work (0: none)
        """
        few = len(recipients) <= LISTED
        if self.figure.visible == few:
            self.list.visible, self.figure.visible = few, not few
        if few:
            self._show_list(recipients, errors, chosen)
        else:
            self._show_dots(len(recipients), errors, chosen)

    def _show_list(self, recipients, errors, chosen):
        count = len(recipients)
        masks = sorted(range(1, 2**count), key=lambda m: (m.bit_count(), _reversed_bits(m, count)))
        self.list.param.update(
            frame={
                "seats": [{"initial": r.initial, "colour": r.colour, "name": r.name} for r in recipients],
                "masks": masks,
                "schemes": [[name, colours.SCHEMES[name]] for name in errors],
            },
            errors=np.round(np.concatenate([of_all[masks] for of_all in errors.values()]), 5).tolist(),
            chosen=chosen,
        )

    def _show_dots(self, count, errors, chosen):
        masks = np.arange(1, 2**count)
        size = np.bitwise_count(masks.astype(np.uint32)).astype(float)
        spread = ((masks * 0.6180339887) % 1 - 0.5) * 0.34  # low discrepancy: dots lie apart without chance
        offsets = np.array([-0.2, 0.2])
        tints = [colours.SCHEMES[name] for name in errors]
        self._dots.data = {
            "x": (size + spread + offsets[:, None]).ravel(),
            "y": np.concatenate([of_all[masks] for of_all in errors.values()]),
            "colour": [tint for tint in tints for _ in masks],
        }
        here = chosen > 0
        self._ring.data = {
            "x": (chosen.bit_count() + offsets).tolist() if here else [],
            "y": [float(of_all[chosen]) for of_all in errors.values()] if here else [],
            "colour": tints if here else [],
        }
        self._size_range.end = count + 0.6

    def __panel__(self):
        return self._layout


def _reversed_bits(mask: int, count: int) -> int:
    """Sorts coalitions of one size as words are sorted: AB, AC, BC."""
    return -int(f"{mask:0{count}b}"[::-1], 2)
