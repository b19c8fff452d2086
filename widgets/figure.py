"""One look for every Bokeh figure: air, few lines, colours of text and axes from the page's theme."""

import numpy as np
from bokeh.models import NumeralTickFormatter
from bokeh.plotting import figure

TEXT, LINE, GRID = "#5b687a", "#aeb8c4", "#e3e8ee"  # where no page sets the theme's CSS variables


def plain(label: str, *, height: int = 220, x_label: str = "", y_label: str = "", **options):
    """A quiet figure that stretches; `label` is its accessible name."""
    fig = figure(
        height=height,
        sizing_mode="stretch_width",
        toolbar_location=None,
        tools="",
        min_border_left=8,
        min_border_right=14,
        min_border_top=6,
        x_axis_label=x_label,
        y_axis_label=y_label,
        html_attributes={"role": "img", "aria-label": label},
        **options,
    )
    return dress(fig)


def dress(fig):
    """Give a figure, however it was made, the common look."""
    fig.update(output_backend="canvas", background_fill_color=None, border_fill_color=None, outline_line_color=None)
    for axis in fig.axis:
        axis.axis_label_text_font_style = "normal"
        axis.axis_label_text_font_size = "11.5px"
        axis.axis_label_text_color = axis.major_label_text_color = TEXT
        axis.major_label_text_font_size = "11px"
        axis.axis_line_color = axis.major_tick_line_color = LINE
        axis.minor_tick_line_color = None
        axis.major_tick_in = 0
        axis.major_tick_out = 4
        axis.axis_label_standoff = 4
    fig.grid.grid_line_color = GRID
    fig.xgrid.visible = False
    return fig


def numbers(values, digits: int = 5) -> list[float]:
    """A short column for a data source, as a list.

    Bokeh sends every array in websocket frames of its own, each of which costs more than a hundred numbers do
    as text; so what moves at slider rate travels as lists, rounded to what a screen can show.
    """
    array = np.asarray(values, dtype=float)
    if not array.size:
        return []
    size = np.max(np.abs(array))
    places = digits - 1 - int(np.floor(np.log10(size))) if np.isfinite(size) and size > 0 else digits
    return np.round(array, places).tolist()


def per_cent() -> NumeralTickFormatter:
    """Ticks as percentages. A new one each time: a Bokeh model belongs to one page."""
    return NumeralTickFormatter(format="0 %")
