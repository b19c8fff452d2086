"""One look for every Bokeh figure: air, few lines, colours of text and axes from the page's theme."""

import numpy as np
from bokeh.models import BasicTickFormatter, LogTickFormatter, NumeralTickFormatter, PrintfTickFormatter
from bokeh.plotting import figure

from trustscope.numbers import GAP

TEXT, LINE, GRID = "#5b687a", "#aeb8c4", "#e3e8ee"  # where no page sets the theme's CSS variables
TICK_SIZE, LABEL_SIZE = "14px", "14px"

# While presenting, the page is zoomed, and Bokeh would mistake places on the screen for lengths: there a figure stands
# in plain pixels, as high as the page says.
PRESENTED_CSS = """
:host {
  zoom: var(--ts-unzoom, 1); min-height: var(--ts-figure, 0) !important; max-height: var(--ts-figure, 100%) !important;
}
"""


def quiet_figure(*, height: int = 220, x_label: str = "", y_label: str = "", **options):
    """A quiet figure that stretches."""
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
        **options,
    )
    return style_figure(fig)


def style_figure(fig):
    """Give a figure, however it was made, the common look."""
    fig.stylesheets = [PRESENTED_CSS]
    fig.update(output_backend="canvas", background_fill_color=None, border_fill_color=None, outline_line_color=None)
    for axis in fig.axis:
        axis.axis_label_text_font_style = "normal"
        axis.axis_label_text_font_size = LABEL_SIZE
        axis.axis_label_text_color = axis.major_label_text_color = TEXT
        axis.major_label_text_font_size = TICK_SIZE
        axis.axis_line_color = axis.major_tick_line_color = LINE
        axis.minor_tick_line_color = None
        axis.major_tick_in = 0
        axis.major_tick_out = 4
        axis.axis_label_standoff = 4
        if isinstance(axis.formatter, BasicTickFormatter | LogTickFormatter):  # Bokeh's own, which write 5.000e+4
            axis.formatter = number_ticks()
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


# A new formatter each time: a Bokeh model belongs to one page. A formatter with code of its own would be shorter to
# write, but the browser would have to run a text as a script, which the pages' security policy forbids.


def number_ticks() -> NumeralTickFormatter:
    """Ticks as numbers: 50k, 1.5m, 0.25; never powers of ten."""
    return NumeralTickFormatter(format="0.[0000]a")


def per_cent() -> NumeralTickFormatter:
    """Ticks of shares as percentages."""
    return NumeralTickFormatter(format="0.[0] %")


def in_per_cent() -> PrintfTickFormatter:
    """Ticks that are percentages already."""
    return PrintfTickFormatter(format=f"%.4g{GAP}%%")
