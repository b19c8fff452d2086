"""The pictures of the papers on the page, drawn by Bokeh."""

from functools import singledispatch

from bokeh.models import FixedTicker, Span
from bokeh.plotting import figure

from trustscope.scenarios.papers.picture import Dots, Level, Line, Panel, Sticks, Upright, Whiskers
from trustscope.widgets.figure import TEXT, dress, per_cent

HEIGHT = 300


def draw(panel: Panel) -> figure:
    """One panel as a Bokeh figure that stretches."""
    x, y = panel.limits()
    fig = figure(
        height=HEIGHT, sizing_mode="stretch_width", toolbar_location=None, tools="", min_border=10,
        title=panel.title, x_axis_label=panel.x, y_axis_label=panel.y, x_range=x, y_range=y,
        x_axis_type="log" if "x" in panel.log else "linear", y_axis_type="log" if "y" in panel.log else "linear",
        html_attributes={"role": "img", "aria-label": panel.label},
    )  # fmt: skip
    for layer in panel.layers:
        _add(layer, fig)
    if panel.ticks is not None:
        fig.xaxis.ticker = FixedTicker(ticks=[place for place, _ in panel.ticks], minor_ticks=[])
        fig.xaxis.major_label_overrides = dict(panel.ticks)
    if panel.shares:
        fig.yaxis.formatter = per_cent()
    dress(fig)
    fig.title.update(text_font_size="12.5px", text_font_style="normal", text_color=TEXT)
    return fig


@singledispatch
def _add(layer, fig) -> None:
    raise TypeError(f"{type(layer).__name__} is not a layer that can be drawn")


@_add.register
def _(layer: Line, fig):
    style = {"line_color": layer.colour, "line_dash": layer.dash, "line_width": layer.width}
    fig.line(layer.x.tolist(), layer.y.tolist(), **style)


@_add.register
def _(layer: Dots, fig):
    fill = None if layer.hollow else layer.colour
    fig.scatter(layer.x.tolist(), layer.y.tolist(), size=layer.size, line_color=layer.colour, fill_color=fill)


@_add.register
def _(layer: Whiskers, fig):
    x = layer.x.tolist()
    fig.segment(x, layer.low.tolist(), x, layer.high.tolist(), line_color=layer.colour, line_width=1.5)


@_add.register
def _(layer: Sticks, fig):
    fig.vbar(
        layer.x.tolist(), layer.width, layer.y.tolist(), layer.base,
        fill_color=layer.colour, line_color=None, fill_alpha=0.85,
    )  # fmt: skip


@_add.register
def _(layer: Level, fig):
    fig.renderers.append(_span(layer.y, "width", layer.colour, layer.dash))


@_add.register
def _(layer: Upright, fig):
    fig.renderers.append(_span(layer.x, "height", layer.colour, "dashed"))


def _span(location, dimension, colour, dash) -> Span:
    """A line across the whole panel. It is put among the layers, so that later ones are drawn over it."""
    return Span(location=location, dimension=dimension, level="glyph", line_color=colour, line_dash=dash,
                line_width=1.5)  # fmt: skip
