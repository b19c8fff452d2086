"""What plots look like apart from their data: a light and a dark surface, lines, type. Nothing of it is global."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from bokeh.models import (
    BasicTickFormatter,
    FixedTicker,
    HoverTool,
    LogTickFormatter,
    NoOverlap,
    NumeralTickFormatter,
)
from bokeh.models.renderers import GlyphRenderer
from matplotlib.ticker import LogLocator

from trustscope.numbers import format_number

NUMBER, SHARE = "0.[0000]a", "0.[0] %"  # of ticks, as Bokeh has them
DASHES = {"solid": "-", "dashed": "--", "dotted": ":", "dotdash": "-."}  # as Matplotlib calls them
# Of a legend, in pixels: a plot that shares a narrow cell with another one, a mark with its gaps, a letter, a line.
NARROW, MARK, LETTER, LINE = 300, 38, 6.6, 22
MARKERS = {"circle": "o", "triangle": "^", "square": "s", "diamond": "D"}


@dataclass(frozen=True)
class Theme:
    """The colours of text, of axes and of the grid; and of the surface, where a picture brings its own."""

    text: str
    edge: str
    grid: str
    surface: str


LIGHT = Theme("#566375", "#aeb8c4", "#e3e8ee", "#ffffff")
DARK = Theme("#b4c0d0", "#5b687a", "#2b3545", "#161d29")
THEMES = {"light": LIGHT, "dark": DARK}


@dataclass(frozen=True)
class Frame:
    """The axes of one panel.

    Attributes
    ----------
    x, y : (low, high)
    x_share, y_share : whether figures are written in per cent
    ticks, y_ticks : (place, text) pairs on the axes, or None
    rows : names of rows from the top on, in place of a y axis
    hatches : (name of a series, what fills its bars on paper) pairs
    """

    x: tuple[float, float]
    y: tuple[float, float]
    x_share: bool = False
    y_share: bool = False
    ticks: tuple[tuple[float, str], ...] | None = None
    y_ticks: tuple[tuple[float, str], ...] | None = None
    rows: tuple[str, ...] = ()
    hatches: tuple[tuple[str, str], ...] = ()


def names_in_a_line(names: list[str], wide: float = NARROW) -> int:
    """How many names of a legend stand beside one another: Bokeh puts all of them into one line, and cuts it off."""
    for count in range(len(names), 1, -1):
        columns = [max(map(len, names[place::count]), default=0) for place in range(count)]
        if sum(MARK + LETTER * letters for letters in columns) <= wide:
            return count
    return 1


@dataclass(frozen=True)
class BokehLook:
    """A hook of HoloViews that gives a Bokeh figure our look; models of Bokeh belong to one page, so all are new."""

    frame: Frame
    theme: Theme = LIGHT

    def __call__(self, plot: Any, element: Any) -> None:
        """Dress what HoloViews has drawn."""
        fig, theme, frame = plot.state, self.theme, self.frame
        fig.update(
            background_fill_color=None, border_fill_color=None, outline_line_color=None, toolbar_location=None,
            min_border_left=8, min_border_right=14, min_border_top=6,
        )  # fmt: skip
        for axis, share in ((fig.xaxis[0], frame.x_share), (fig.yaxis[0], frame.y_share)):
            axis.update(
                axis_label_text_font_style="normal", axis_label_text_font_size="14px", axis_label_standoff=4,
                axis_label_text_color=theme.text, major_label_text_color=theme.text, major_label_text_font_size="14px",
                axis_line_color=theme.edge, major_tick_line_color=theme.edge, minor_tick_line_color=None,
                major_tick_in=0, major_tick_out=4,
            )  # fmt: skip
            if isinstance(axis.formatter, BasicTickFormatter | LogTickFormatter):
                axis.formatter = NumeralTickFormatter(format=SHARE if share else NUMBER)
        for axis, ticks in ((fig.xaxis[0], frame.ticks), (fig.yaxis[0], frame.y_ticks)):
            if ticks is not None:
                places = dict(ticks)
                axis.update(ticker=FixedTicker(ticks=list(places), minor_ticks=[]), major_label_overrides=places)
        fig.grid.grid_line_color = theme.grid
        fig.xgrid.visible, fig.ygrid.visible = bool(frame.rows), not frame.rows
        if fig.title is not None:
            fig.title.update(text_font_size="12.5px", text_font_style="normal", text_color=theme.text)
        fig.xaxis[0].major_label_policy = NoOverlap(min_distance=8)
        # By these HoloViews and Panel would give all plots one axis: the dimensions of all of them are called x and y.
        fig.x_range.tags = fig.y_range.tags = []
        for legend in fig.legend:
            legend.update(label_text_color=theme.text, background_fill_color=None, border_line_color=None)
            legend.update(margin=0, padding=2)  # Bokeh leaves no room for a margin below a figure, and cuts the names
            beside = LETTER * max(map(len, frame.rows), default=8)  # it begins where names of rows, or figures, end
            names = [str(getattr(item.label, "value", item.label)) for item in legend.items]
            legend.ncols = names_in_a_line(names, NARROW - beside)
            fig.height += LINE * (-(-len(legend.items) // legend.ncols) - 1)
        self._hover(plot, fig)

    def _hover(self, plot: Any, fig: Any) -> None:
        """What lies under the pointer: the series, and its figures in the units of the axes."""
        parts = plot.subplots.values() if plot.subplots else [plot]
        named = []
        for part in parts:
            renderer, shape = part.handles.get("glyph_renderer"), part.current_frame
            if isinstance(renderer, GlyphRenderer) and shape is not None and shape.label:
                renderer.name = shape.label
                named.append(renderer)
        if not named:
            return
        x, y = ((axis.axis_label or name, SHARE if share else "0,0.[000]")
                for axis, name, share in ((fig.xaxis[0], "x", self.frame.x_share),
                                          (fig.yaxis[0], "y", self.frame.y_share)))  # fmt: skip
        tips = [("", "$name"), (x[0], f"$snap_x{{{x[1]}}}")]
        if not self.frame.rows:
            tips.append((y[0], f"$snap_y{{{y[1]}}}"))
        fig.add_tools(HoverTool(renderers=list(named), tooltips=tips, visible=False))


@dataclass(frozen=True)
class PaperLook:
    """The same for the axes of Matplotlib; `larger` is how many times larger than on paper the type is."""

    frame: Frame
    theme: Theme = LIGHT
    larger: float = 1.0

    def __call__(self, plot: Any, element: Any) -> None:
        """Dress what HoloViews has drawn."""
        axes, theme, frame = plot.handles["axis"], self.theme, self.frame
        axes.set_facecolor("none")
        for side, seen in (("top", False), ("right", False), ("left", True), ("bottom", True)):
            axes.spines[side].set_visible(seen)
            axes.spines[side].set_color(theme.edge)
        axes.tick_params(colors=theme.text, labelsize=8 * self.larger, which="both")
        for text, size in ((axes.xaxis.label, 9), (axes.yaxis.label, 9), (axes.title, 10)):
            text.set(color=theme.text, fontsize=size * self.larger, fontweight="normal")
        axes.grid(visible=True, axis="x" if frame.rows else "y", color=theme.grid, linewidth=0.6)
        axes.grid(visible=False, axis="y" if frame.rows else "x")
        axes.set_axisbelow(True)
        axes.minorticks_off()
        if frame.ticks is not None:
            axes.set_xticks([place for place, _ in frame.ticks], [plain(text) for _, text in frame.ticks])
        if frame.y_ticks is not None:
            axes.set_yticks([place for place, _ in frame.y_ticks], [plain(text) for _, text in frame.y_ticks])
        for axis, share, ticks, ends in ((axes.xaxis, frame.x_share, frame.ticks, frame.x),
                                         (axes.yaxis, frame.y_share, frame.y_ticks, frame.y)):  # fmt: skip
            if ticks is not None:
                continue
            if axis.get_scale() == "log":  # 1, 2, 5, 10 ... where they are few, powers of ten where they are many
                few = ends[1] < 300 * ends[0]
                axis.set_major_locator(LogLocator(subs=(1, 2, 5) if few else (1,)))
                axis.set_major_formatter(lambda value, place: format_number(value))
            if share:
                axis.set_major_formatter(lambda value, place: f"{100 * value:g} %")
        hatches = dict(frame.hatches)
        for part in (plot.subplots or {}).values():
            drawn = part.current_frame
            if drawn is not None and drawn.label in hatches:
                part.handles["artist"].set(hatch=hatches[drawn.label], edgecolor="#ffffff", linewidth=0)
        axes.set(xlim=frame.x, ylim=frame.y)  # ticks outside would have widened the axis


def plain(text: str) -> str:
    """A text in which dollar signs, which may be part of somebody's column name, begin no formula."""
    return text.replace("$", r"\$")


def themed(look: BokehLook | PaperLook, **changes: Any) -> BokehLook | PaperLook:
    """The same look on another surface."""
    return replace(look, **changes)
