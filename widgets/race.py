"""How much is found out as ever more recipients join, under two schemes: expected lines and measured dots."""

from dataclasses import dataclass

import panel as pn
from bokeh.models import ColumnDataSource, FixedTicker, NumeralTickFormatter, Range1d

from trustscope.widgets.figure import numbers, plain


@dataclass(frozen=True)
class Runner:
    """One scheme: expected figures for 0, 1, 2 ... recipients, and the measured ones from 1 on."""

    colour: str
    expected: list[float]
    measured: list[float]


class Race(pn.viewable.Viewer):
    """Solid lines as far as there are recipients; dashed beyond, were there more like them."""

    def __init__(self, label: str, *, height: int = 216, x_label: str = "how many collude"):
        super().__init__()
        self.x_range = Range1d(0, 12)
        self.figure = fig = plain(label, height=height, x_label=x_label, x_range=self.x_range, y_range=Range1d(0, 1.02))
        fig.yaxis.formatter = NumeralTickFormatter(format="0 %")
        fig.xaxis.ticker = FixedTicker(ticks=list(range(0, 13, 2)))
        self._lines = ColumnDataSource({"xs": [], "ys": [], "colour": [], "dash": []})
        self._dots = ColumnDataSource({"x": [], "y": [], "colour": []})
        fig.multi_line("xs", "ys", source=self._lines, line_color="colour", line_dash="dash", line_width=2.2)
        fig.scatter("x", "y", source=self._dots, size=9, fill_color="colour", line_color="#ffffff", line_width=1.2)
        self._drawn = None
        self._pane = pn.pane.Bokeh(fig, sizing_mode="stretch_width")

    def show(self, runners: list[Runner], here: int):
        """Draw; `here` recipients are real, those beyond are imagined."""
        lines = {"xs": [], "ys": [], "colour": [], "dash": []}
        dots = {"x": [], "y": [], "colour": []}
        for runner in runners:
            for start, stop, dash in ((0, here, "solid"), (here, len(runner.expected) - 1, "dashed")):
                if stop > start:
                    lines["xs"].append(list(range(start, stop + 1)))
                    lines["ys"].append(numbers(runner.expected[start : stop + 1]))
                    lines["colour"].append(runner.colour)
                    lines["dash"].append(dash)
            dots["x"] += range(1, len(runner.measured) + 1)
            dots["y"] += numbers(runner.measured)
            dots["colour"] += [runner.colour] * len(runner.measured)
        if (lines, dots) == self._drawn:
            return
        self._drawn = lines, dots
        self._lines.data, self._dots.data = dict(lines), dict(dots)
        end = max((len(r.expected) - 1 for r in runners), default=12)
        self.x_range.end = end + 0.2

    def __panel__(self):
        return self._pane
