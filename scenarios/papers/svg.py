"""A picture as an SVG text, drawn by Matplotlib: without a browser and without the page's libraries.

Pictures of the papers and of reports are drawn alike.

Matplotlib is imported when the first picture is drawn: listing the experiments does not wait for it.
"""

import io
import re
import textwrap
from functools import singledispatch
from html import escape

from trustscope.scenarios.papers.picture import (
    TEXT,
    Beams,
    Dots,
    Level,
    Line,
    Panel,
    Picture,
    Sticks,
    Upright,
    Whiskers,
)
from trustscope.scenarios.papers.record import Result

EDGE, GRID = "#aeb8c4", "#e3e8ee"
STYLES = {"solid": "-", "dashed": "--", "dotted": ":"}
WIDTH, HEIGHT = 2.9, 1.92  # inches, of the axes of one panel
BESIDE, BELOW, AROUND = 0.87, 0.93, 0.6  # inches between panels, and around them all; the file is cut to what is drawn
THUMBNAIL = (3.0, 1.75)  # inches
ROW, ROWS_WIDTH = 0.2, 4.4  # inches: the height of a row with a name, and the width of a panel of such rows
NAME_WIDTH = 60  # characters of the name of an axis in a line, in type for paper
MOST_NAME = 44  # characters of a row's name that are written
# Line widths and the diameters of dots are given in pixels of a screen; on paper they are drawn in points.
STROKE, DIAMETER = 0.8, 0.75
# The same table gives the same bytes: no date, no random names. Text stays text, in the font of the page.
SETTINGS = {"svg.hashsalt": "trustscope", "svg.fonttype": "none", "font.family": "sans-serif", "path.simplify": True}


def svg(result: Result) -> str:
    """The picture of a result, with its legend."""
    return drawn(result.plot())


def drawn(picture: Picture, larger: float = 1.0) -> str:
    """All panels, with the legend; `larger` is how many times larger than on paper the type is."""
    from matplotlib.figure import Figure

    columns = picture.columns
    lines = -(-len(picture.panels) // columns)
    tall = max(HEIGHT, ROW * larger * max(len(panel.rows) for panel in picture.panels))
    wide = ROWS_WIDTH / larger if picture.panels[0].rows else WIDTH  # large names need the room
    width = columns * wide + (columns - 1) * BESIDE + 2 * AROUND
    height = lines * tall + (lines - 1) * BELOW + 2 * AROUND
    with _settings():
        figure = Figure(figsize=(width, height))
        for place, panel in enumerate(picture.panels):
            down, across = divmod(place, columns)
            left = AROUND + across * (wide + BESIDE)
            bottom = height - AROUND - tall - down * (tall + BELOW)
            _draw(figure.add_axes((left / width, bottom / height, wide / width, tall / height)), panel, larger)
        if picture.legend:
            _add_legend(figure, picture.legend, larger)
        return _text(figure, bbox_inches="tight")


def inline(picture: Picture, name: str, label: str, larger: float = 1.0) -> str:
    """The drawing as a part of a page: with a name for those who do not see it, and identifiers of its own.

    Parameters
    ----------
    picture : Picture
    name : what all identifiers begin with; no other drawing of the page may have it
    label : what it shows
    larger : how many times larger than on paper the type is
    """
    text = re.sub(r"<metadata>.*?</metadata>", "", drawn(picture, larger), flags=re.DOTALL)
    text = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", text)
    return text.replace("<svg ", f'<svg role="img" aria-label="{escape(label)}" ', 1)


def thumbnail(result: Result) -> str:
    """The first panel, small."""
    from matplotlib.figure import Figure

    panel = result.plot().panels[0]
    with _settings():
        figure = Figure(figsize=THUMBNAIL)
        axes = figure.add_axes((0.165, 0.24, 0.805, 0.62))
        _draw(axes, panel)
        axes.set(ylabel="", title="")
        axes.set_title(panel.y, loc="left", fontsize=8.5, color=TEXT, pad=4)  # written upright it would be cut off
        return re.sub(r"(\d\.\d\d)\d{3,}", r"\1", _text(figure))  # finer than any screen


def _settings():
    import matplotlib as mpl

    return mpl.rc_context(SETTINGS)


def _draw(axes, panel: Panel, larger: float = 1.0) -> None:
    """One panel, on these axes."""
    x, y = panel.limits()
    axes.set(
        xlim=x, ylim=y, xlabel=_plain(panel.x), ylabel=_plain(panel.y), title=_plain(panel.title), facecolor="none",
        xscale="log" if "x" in panel.log else "linear", yscale="log" if "y" in panel.log else "linear",
    )  # fmt: skip
    for order, layer in enumerate(panel.layers, start=1):
        _add(layer, axes, order)
    if panel.ticks is not None:
        axes.set_xticks([place for place, _ in panel.ticks], [_plain(text) for _, text in panel.ticks])
    if panel.rows:
        axes.set_yticks(range(len(panel.rows)), [_short(name) for name in panel.rows])
    if panel.shares:
        axis = axes.xaxis if panel.rows else axes.yaxis
        axis.set_major_formatter(lambda value, place: f"{100 * value:g} %")
    axes.set(xlim=x, ylim=y)  # ticks outside would have widened the axis
    _dress(axes, "x" if panel.rows else "y", larger)
    if larger > 1:  # a long name in large type would make everything else small
        axes.set_xlabel(textwrap.fill(axes.get_xlabel(), round(NAME_WIDTH / larger)))


def _plain(text: str) -> str:
    """A text in which dollar signs, which may be part of somebody's column name, begin no formula."""
    return text.replace("$", r"\$")


def _short(name: str) -> str:
    """A name, cut where it is long."""
    return _plain(name if len(name) <= MOST_NAME else f"{name[: MOST_NAME - 1]}…")


def _dress(axes, grid: str, larger: float) -> None:
    """The look of the page's figures, on paper."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(EDGE)
    axes.tick_params(colors=TEXT, labelsize=8 * larger, which="both")
    axes.xaxis.label.set(color=TEXT, fontsize=9 * larger)
    axes.yaxis.label.set(color=TEXT, fontsize=9 * larger)
    axes.title.set(color=TEXT, fontsize=10 * larger)
    axes.grid(axis=grid, color=GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.minorticks_off()


@singledispatch
def _add(layer, axes, order) -> None:
    raise TypeError(f"{type(layer).__name__} is not a layer that can be drawn")


@_add.register
def _(layer: Line, axes, order):
    style = {"linestyle": STYLES[layer.dash], "linewidth": STROKE * layer.width}
    axes.plot(layer.x, layer.y, color=layer.colour, zorder=order, **style)


@_add.register
def _(layer: Dots, axes, order):
    fill = "none" if layer.hollow else layer.colour
    axes.scatter(layer.x, layer.y, s=(DIAMETER * layer.size) ** 2, facecolors=fill, edgecolors=layer.colour,
                 linewidths=1.0 if layer.hollow else 0.0, zorder=order)  # fmt: skip


@_add.register
def _(layer: Whiskers, axes, order):
    axes.vlines(layer.x, layer.low, layer.high, colors=layer.colour, linewidth=1.2, zorder=order)


@_add.register
def _(layer: Sticks, axes, order):
    heights = layer.y - layer.base
    axes.bar(layer.x, heights, layer.width, layer.base, color=layer.colour, edgecolor="none", alpha=0.85, zorder=order)


@_add.register
def _(layer: Beams, axes, order):
    axes.barh(layer.y, layer.x, layer.width, color=layer.colour, edgecolor="none", alpha=0.85, zorder=order)


@_add.register
def _(layer: Level, axes, order):
    axes.axhline(layer.y, color=layer.colour, linestyle=STYLES[layer.dash], linewidth=1.1, zorder=order)


@_add.register
def _(layer: Upright, axes, order):
    axes.axvline(layer.x, color=layer.colour, linestyle="--", linewidth=1.1, zorder=order)


def _add_legend(figure, entries, larger: float) -> None:
    """Below the panels, as many names in a line as fit."""
    from matplotlib.lines import Line2D

    styles = {"line": "-", "dashed": "--", "dotted": ":"}
    handles = [
        Line2D([], [], color=colour, label=_listed(name), linewidth=2 if mark in styles else 0,
               linestyle=styles.get(mark, "-"), marker="" if mark in styles else "s" if mark == "block" else "o")
        for name, colour, mark in entries
    ]  # fmt: skip
    figure.canvas.draw()
    lowest = min(axes.get_tightbbox().y0 for axes in figure.axes) / figure.bbox.height
    figure.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, lowest - 0.01),
                  ncols=min(len(handles), 3), frameon=False, fontsize=8 * larger, labelcolor=TEXT,
                  handlelength=2 / larger, columnspacing=2 / larger)  # fmt: skip


def _listed(name: str) -> str:
    """A name as the legend takes it: what begins with an underscore would be left out."""
    return f"\u200b{_short(name)}" if name.startswith("_") else _short(name)


def _text(figure, **options) -> str:
    stream = io.StringIO()
    figure.savefig(stream, format="svg", transparent=True, metadata={"Date": None, "Creator": None}, **options)
    text = stream.getvalue()
    return text[text.index("<svg") :]
