"""The few shapes that the papers' figures are drawn with, as HoloViews elements.

Bokeh draws them on the page and Matplotlib into files; the two spell their options differently, and each shape here
speaks the language of the backend in use (`use`).
"""

from contextlib import contextmanager
from importlib import import_module

import holoviews as hv
import numpy as np
import pandas as pd

from trustscope import colours
from trustscope.widgets import figure
from trustscope.widgets.figure import dress, per_cent

BACKENDS = {"bokeh": "holoviews.plotting.bokeh", "matplotlib": "holoviews.plotting.mpl"}
TEXT, EDGE, GRID = "#566375", "#aeb8c4", "#e3e8ee"
DASHES = {"solid": "-", "dashed": "--", "dotted": ":"}  # as Matplotlib writes them
PALETTE = colours.RECIPIENTS
HEIGHT = 300


@contextmanager
def use(backend: str):
    """Draw for this backend."""
    before = hv.Store.current_backend
    import_module(BACKENDS[backend])
    hv.Store.set_current_backend(backend)
    try:
        yield
    finally:
        if before in hv.Store.renderers:
            hv.Store.set_current_backend(before)


def _bokeh() -> bool:
    return hv.Store.current_backend == "bokeh"


def line(x, y, colour, name="", dash="solid", width=2.0):
    """A curve; dash is solid, dashed or dotted."""
    element = hv.Curve((np.asarray(x), np.asarray(y)), label=name)
    if _bokeh():
        return element.opts(color=colour, line_dash=dash, line_width=width)
    return element.opts(
        color=colour, linestyle={"solid": "-", "dashed": "--", "dotted": ":"}[dash], linewidth=width * 0.8
    )


def dots(x, y, colour, name="", size=7, hollow=False):
    """Points."""
    element = hv.Scatter((np.asarray(x), np.asarray(y)), label=name)
    if _bokeh():
        fill = {"fill_color": None} if hollow else {}
        return element.opts(color=colour, size=size, **fill)
    fill = {"facecolors": "none", "edgecolors": colour} if hollow else {"color": colour}
    return element.opts(s=(size * 0.75) ** 2, **fill)


def whiskers(x, y, spread, colour, within=(-np.inf, np.inf)):
    """An upright stroke of `spread` on either side of each point, cut off where no value can be."""
    x, y, spread = np.asarray(x), np.asarray(y, dtype=float), np.nan_to_num(np.asarray(spread, dtype=float))
    element = hv.ErrorBars((x, y, np.minimum(spread, y - within[0]), np.minimum(spread, within[1] - y)),
                           vdims=["y", "down", "up"])  # fmt: skip
    if _bokeh():
        return element.opts(color=colour, line_width=1.5, upper_head=None, lower_head=None)
    return element.opts(edgecolor=colour, elinewidth=1.2, capsize=0)


def steps(left, right, y, colour, name="", dash="solid"):
    """The outline of a histogram."""
    left, right, y = (np.asarray(a, dtype=float) for a in (left, right, y))
    return line(np.column_stack([left, right]).ravel(), np.repeat(y, 2), colour, name, dash)


def sticks(x, y, colour, name="", width=0.8, base=0.0):
    """Upright bars from `base`."""
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    element = hv.Rectangles([(a - width / 2, base, a + width / 2, b) for a, b in zip(x, y, strict=True)], label=name)
    if _bokeh():
        return element.opts(color=colour, line_color=None, fill_alpha=0.85)
    return element.opts(facecolor=colour, edgecolor="none", alpha=0.85)


def level(y, colour=colours.NEUTRAL, dash="dashed"):
    """A line right across."""
    element = hv.HLine(y)
    if _bokeh():
        return element.opts(color=colour, line_dash=dash, line_width=1.5)
    return element.opts(color=colour, linestyle="--" if dash == "dashed" else ":", linewidth=1.1)


def upright(x, colour=colours.NEUTRAL):
    """A line from top to bottom."""
    element = hv.VLine(x)
    if _bokeh():
        return element.opts(color=colour, line_dash="dashed", line_width=1.5)
    return element.opts(color=colour, linestyle="--", linewidth=1.1)


def panel(layers, *, x, y, title="", x_range=None, y_range=None, ticks=None, log="", shares=False):
    """Layers over one another, with axes called `x` and `y`.

    Parameters
    ----------
    x_range, y_range : (low, high); None leaves an end open
    ticks : [(place, text)] on the x axis
    log : "x", "y" or "xy"
    shares : whether y is to be read in per cent
    """
    common = {
        "title": title, "xlabel": x, "ylabel": y, "show_legend": False, "logx": "x" in log, "logy": "y" in log,
        "xlim": x_range or (None, None), "ylim": y_range or (None, None), "padding": 0.05, "show_frame": False,
    }  # fmt: skip
    if ticks is not None:
        common["xticks"] = list(ticks)
    if _bokeh():
        formatter = {"yformatter": per_cent()} if shares else {}
        options = {"responsive": True, "height": HEIGHT, "toolbar": None, "hooks": [_quiet], **formatter}
    else:
        options = {"hooks": [_plain, _in_per_cent] if shares else [_plain], "aspect": 1.5}
    return hv.Overlay(list(layers)).opts(hv.opts.Overlay(**common, **options))


def row(*panels):
    """Panels beside one another."""
    if len(panels) == 1:
        return panels[0]
    options = {} if _bokeh() else {"sublabel_format": "", "hspace": 0.45, "vspace": 0.35}
    return hv.Layout(list(panels)).cols(2 if len(panels) in (2, 4) else 3).opts(shared_axes=False, **options)


def panels(picture) -> list:
    """The overlays of which a picture consists."""
    return list(picture) if isinstance(picture, hv.Layout) else [picture]


def legend(overlay) -> list[tuple[str, str, str]]:
    """(name, colour, mark) of every layer that has a name, in the order of drawing, each once."""
    entries = {}
    for element in overlay:
        if not element.label or element.label in entries:
            continue
        style = hv.Store.lookup_options(hv.Store.current_backend, element, "style").kwargs
        named = (style.get(name) for name in ("edgecolors", "facecolor", "color"))
        colour = next(value for value in named if isinstance(value, str) and value.startswith("#"))
        dash = {"--": "dashed", ":": "dotted", "-": "solid"}.get(
            style.get("linestyle"), style.get("line_dash", "solid")
        )
        mark = {hv.Curve: "line" if dash == "solid" else dash, hv.Rectangles: "block"}.get(type(element), "dot")
        entries[element.label] = (element.label, colour, mark)
    return list(entries.values())


def at(values) -> list[tuple[float, str]]:
    """Ticks at these places, as far as they do not crowd: what a logarithmic axis needs to be read."""
    ticks = []
    for value in sorted(set(values)):
        if not ticks or value >= 1.7 * ticks[-1][0]:
            ticks.append((float(value), f"{value / 1000:g}k" if value >= 1000 and value % 100 == 0 else f"{value:g}"))
    return ticks


def by_group(table: pd.DataFrame, columns):
    """(key, rows) of each group, in the order in which the groups first appear."""
    return table.groupby(columns, sort=False)


def compare(table: pd.DataFrame, *, x: str = "", y: str, shares=False, log=""):
    """What is printed, what is right and what was measured, side by side.

    Parameters
    ----------
    table : DataFrame
        case (text), printed, right and measured (any may be missing), standard_error (optional).
    """
    places = np.arange(len(table))
    layers = []
    looks = {"printed": (colours.SCHEMES["independent"], -0.12), "right": (colours.SCHEMES["nested"], 0.0)}
    for name, (colour, offset) in looks.items():
        if name in table:
            layers.append(dots(places + offset, table[name], colour, f"{name}, by the formula", size=11))
    if "measured" in table:
        if "standard_error" in table:
            layers.append(whiskers(places + 0.12, table["measured"], 2 * table["standard_error"], TEXT))
        layers.append(dots(places + 0.12, table["measured"], colours.NEUTRAL, "measured", size=8))
    ticks = list(zip(places, table["case"].astype(str), strict=True))
    return panel(layers, x=x, y=y, ticks=ticks, shares=shares, log=log, x_range=(-0.5, len(table) - 0.5))


def _quiet(plot, element):
    """The look of the other figures of the page."""
    fig = dress(plot.state)
    name = " ".join(part for part in (fig.title.text, fig.yaxis[0].axis_label, "by", fig.xaxis[0].axis_label) if part)
    fig.html_attributes = {"role": "img", "aria-label": name.removesuffix(" by")}
    plot.state.title.update(text_font_size="12.5px", text_font_style="normal", text_color=figure.TEXT)


def _plain(plot, element):
    """The same look on paper."""
    axis = plot.handles["axis"]
    axis.set(aspect="auto", box_aspect=0.66)
    for side in ("top", "right"):
        axis.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axis.spines[side].set_color(EDGE)
    axis.tick_params(colors=TEXT, labelsize=8, which="both")
    axis.xaxis.label.set(color=TEXT, fontsize=9)
    axis.yaxis.label.set(color=TEXT, fontsize=9)
    axis.title.set(color=TEXT, fontsize=10)
    axis.grid(axis="y", color=GRID, linewidth=0.6)
    axis.yaxis.set_zorder(-1)  # HoloViews draws its first layer at 0
    axis.minorticks_off()


def _in_per_cent(plot, element):
    plot.handles["axis"].yaxis.set_major_formatter(lambda value, place: f"{100 * value:g} %")
