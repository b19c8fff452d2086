"""The pictures of the papers on the page, drawn by Bokeh."""

from collections.abc import Sequence
from functools import singledispatch

import pandas as pd
import panel as pn
from bokeh.models import FixedTicker, Span
from bokeh.plotting import figure

from trustscope.scenarios.papers.picture import Dots, Level, Line, Panel, Sticks, Upright, Whiskers
from trustscope.widgets.beside import Beside
from trustscope.widgets.esm import css
from trustscope.widgets.figure import TEXT, dress, per_cent
from trustscope.widgets.plot import GHOST_ALPHA

HEIGHT = 300


class Panels(Beside, pn.viewable.Viewer):
    """The panels of one picture; `figures` are what is downloaded together."""

    def __init__(self):
        super().__init__()
        self.figures: list[figure] = []
        self._panels: Sequence[Panel] = ()
        self._table = pd.DataFrame()
        self._layout = pn.Column(stylesheets=[css("plots.css")], sizing_mode="stretch_width", margin=0)

    def show(self, panels: Sequence[Panel], table: pd.DataFrame) -> None:
        """Draw these panels; `table` is what they were drawn from."""
        self._panels, self._table = panels, table
        was = {panel.title: panel for panel in (() if self.beside is None else self.beside._panels)}
        self.figures = [draw(panel, was.get(panel.title)) for panel in panels]
        self._layout[:] = [pn.pane.Bokeh(one, sizing_mode="stretch_width", margin=0) for one in self.figures]

    def table(self) -> pd.DataFrame:
        """All that was drawn from."""
        return self._table

    def __panel__(self):
        return self._layout


def draw(panel: Panel, ghost: Panel | None = None) -> figure:
    """One panel as a Bokeh figure that stretches; `ghost` is the same panel of a kept scenario, drawn faintly."""
    x, y = panel.limits()
    fig = figure(
        height=HEIGHT, sizing_mode="stretch_width", toolbar_location=None, tools="", min_border=10,
        title=panel.title, x_axis_label=panel.x, y_axis_label=panel.y, x_range=x, y_range=y,
        x_axis_type="log" if "x" in panel.log else "linear", y_axis_type="log" if "y" in panel.log else "linear",
        html_attributes={"role": "img", "aria-label": panel.label},
    )  # fmt: skip
    for layer in () if ghost is None else ghost.layers:
        _add(layer, fig, GHOST_ALPHA)
    for layer in panel.layers:
        _add(layer, fig, 1.0)
    if panel.ticks is not None:
        fig.xaxis.ticker = FixedTicker(ticks=[place for place, _ in panel.ticks], minor_ticks=[])
        fig.xaxis.major_label_overrides = dict(panel.ticks)
    if panel.shares:
        fig.yaxis.formatter = per_cent()
    dress(fig)
    fig.title.update(text_font_size="12.5px", text_font_style="normal", text_color=TEXT)
    return fig


@singledispatch
def _add(layer, fig, alpha: float) -> None:
    raise TypeError(f"{type(layer).__name__} is not a layer that can be drawn")


@_add.register
def _(layer: Line, fig, alpha):
    style = {"line_color": layer.colour, "line_dash": layer.dash, "line_width": layer.width, "line_alpha": alpha}
    fig.line(layer.x.tolist(), layer.y.tolist(), **style)


@_add.register
def _(layer: Dots, fig, alpha):
    fill = None if layer.hollow else layer.colour
    fig.scatter(layer.x.tolist(), layer.y.tolist(), size=layer.size, line_color=layer.colour, fill_color=fill,
                line_alpha=alpha, fill_alpha=alpha)  # fmt: skip


@_add.register
def _(layer: Whiskers, fig, alpha):
    x = layer.x.tolist()
    fig.segment(x, layer.low.tolist(), x, layer.high.tolist(), line_color=layer.colour, line_width=1.5,
                line_alpha=alpha)  # fmt: skip


@_add.register
def _(layer: Sticks, fig, alpha):
    fig.vbar(
        layer.x.tolist(), layer.width, layer.y.tolist(), layer.base,
        fill_color=layer.colour, line_color=None, fill_alpha=0.85 * alpha,
    )  # fmt: skip


@_add.register
def _(layer: Level, fig, alpha):
    fig.renderers.append(_span(layer.y, "width", layer.colour, layer.dash, alpha))


@_add.register
def _(layer: Upright, fig, alpha):
    fig.renderers.append(_span(layer.x, "height", layer.colour, "dashed", alpha))


def _span(location, dimension, colour, dash, alpha) -> Span:
    """A line across the whole panel. It is put among the layers, so that later ones are drawn over it."""
    return Span(location=location, dimension=dimension, level="glyph", line_color=colour, line_dash=dash,
                line_width=1.5, line_alpha=alpha)  # fmt: skip
