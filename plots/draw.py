"""A plot as a file or as Bokeh figures. The same table gives the same bytes: no date, no random names."""

import io
import re
import textwrap
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import holoviews as hv
import matplotlib as mpl
import param
from bokeh.document import Document
from bokeh.plotting import figure as BokehFigure
from holoviews.plotting.bokeh import OverlayPlot as PageOverlay
from holoviews.plotting.mpl import OverlayPlot as PaperOverlay
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.patheffects import withStroke
from matplotlib.ticker import PercentFormatter
from matplotlib.transforms import BboxBase

from trustscope.plots.backends import LOCK, paper
from trustscope.plots.elements import PAPER, panels_of, row
from trustscope.plots.theme import DASHES, LIGHT, THEMES, BokehLook, Frame, PaperLook, Theme, plain, themed

BESIDE, BELOW, AROUND = 0.87, 0.93, 0.6  # inches between panels, and around them all; the file is cut to what is drawn
THUMBNAIL = (3.0, 1.75)  # inches
LARGE_ROW = 1.2  # times: the height of a row in large type
LINE = 0.125  # inches of a value beside a bar
ROW, ROWS_WIDTH = 0.2, 4.4  # inches: the height of a row with a name, and the width of a panel of such rows
TICK_ROOM = 52  # characters of names below a panel, side by side, in type for paper
NAME_WIDTH = 60  # characters of the name of an axis in a line, in type for paper
MOST_NAME = 44  # characters of a row's name that are written
SIZES = {"1x": 96, "2x": 192, "print": 300}  # dots of an inch: of a screen, of a fine one, and of a printer
POINTS = 72  # of an inch: the unit of SVG
GHOST_ALPHA = 0.35  # of what a kept scenario draws behind the present one
Entry = tuple[str, str, str, str, str, str]  # of a legend: name, colour, mark, marker, hatch and dash
# Text stays text, in the font of the page.
SETTINGS: Any = {
    "svg.hashsalt": "trustscope",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "path.simplify": True,
}


@dataclass(frozen=True)
class Around:
    """What stands around a picture that stands for itself, which brings its own surface: words that are wanted."""

    title: str = ""
    caption: str = ""
    source: str = ""


# On paper


def svg(element: Any, *, larger: float = 1.0, theme: str = "light", around: Around | None = None) -> str:
    """All panels with their legend, as SVG.

    Parameters
    ----------
    element : a plot
    larger : how many times larger than on paper the type is
    theme : light or dark
    around : of a picture that stands for itself; one within a page has the surface of the page
    """
    with paper(), mpl.rc_context(SETTINGS):
        made = _figure(element, larger, THEMES[theme], around)
        return _text(made, bbox_inches="tight", **_ground(theme, around))


def png(
    element: Any, *, larger: float = 1.0, theme: str = "light", around: Around | None = None, dots: int = 220
) -> bytes:  # fmt: skip
    """The same in pixels: so many `dots` an inch, which the file says too."""
    stream = io.BytesIO()
    with paper(), mpl.rc_context(SETTINGS):
        made = _figure(element, larger, THEMES[theme], around)
        made.savefig(stream, format="png", dpi=dots, bbox_inches=_cut(made, dots), metadata={"Software": None},
                     **_ground(theme, around))  # fmt: skip
    return stream.getvalue()


def figure(element: Any, *, theme: str = "light", title: str = "") -> Figure:
    """All panels with their legend as a figure of Matplotlib, which shows itself in a notebook and has `savefig`."""
    with paper(), mpl.rc_context(SETTINGS):
        return _figure(element, 1.0, THEMES[theme], Around(title))


class Paper(Figure):
    """A figure that a notebook shows whether or not Matplotlib was set up for it."""

    def _repr_svg_(self) -> str:
        with paper(), mpl.rc_context(SETTINGS):
            return _text(self, bbox_inches="tight", facecolor=LIGHT.surface)


def inline(element: Any, name: str, label: str, larger: float = 1.0) -> str:
    """The drawing as a part of a page: with a name for those who do not see it, and identifiers of its own.

    Parameters
    ----------
    element : a plot
    name : what all identifiers begin with; no other drawing of the page may have it
    label : what it shows
    larger : how many times larger than on paper the type is
    """
    return within(svg(element, larger=larger), name, label)


def within(text: str, name: str, label: str) -> str:
    """What `svg` made, as a part of a page; see `inline`."""
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", text)
    return text.replace("<svg ", f'<svg role="img" aria-label="{escape(label)}" ', 1)


def thumbnail(element: Any) -> str:
    """The first panel, small."""
    panel = panels_of(element)[0]
    with paper(), mpl.rc_context(SETTINGS):
        made = Figure(figsize=THUMBNAIL)
        axes = made.add_axes((0.165, 0.24, 0.805, 0.62))
        _draw(made, axes, panel, 1.0, LIGHT)
        name = axes.get_ylabel()
        axes.set(ylabel="", title="")
        axes.set_title(name, loc="left", fontsize=8.5, color=LIGHT.text, pad=4)  # written upright it would be cut off
        return re.sub(r"(\d\.\d\d)\d{3,}", r"\1", _text(made))  # finer than any screen


def _figure(element: Any, larger: float, theme: Theme, around: Around | None) -> Figure:
    title = "" if around is None else around.title
    if isinstance(element, hv.Table):
        made = hv.render(element.opts(max_rows=len(element) + 1, aspect="auto", title=title, backend="matplotlib",
                                      fig_inches=(1.1 * len(element.dimensions()) + 1, 0.3 * len(element) + 1),
                                      clone=True), backend="matplotlib")  # fmt: skip
        return made if around is None else _with_words(made, around, theme)
    panels = panels_of(element)
    columns = element.shape[1] if isinstance(element, hv.Layout) else 1
    lines = -(-len(panels) // columns)
    most = max(len(frame_of(panel).rows) for panel in panels)
    spread = 1.0 if larger == 1 else LARGE_ROW  # values of neighbouring bars would touch in large type
    tall = max(PAPER[1], *(larger * len(frame_of(one).rows) * max(ROW * spread, _lines(one) * LINE) for one in panels))
    wide = ROWS_WIDTH / larger if most else PAPER[0]  # large names need the room
    width = columns * wide + (columns - 1) * BESIDE + 2 * AROUND
    height = lines * tall + (lines - 1) * BELOW + 2 * AROUND
    made = Paper(figsize=(width, height))
    for place, panel in enumerate(panels):
        down, across = divmod(place, columns)
        left = AROUND + across * (wide + BESIDE)
        bottom = height - AROUND - tall - down * (tall + BELOW)
        _draw(made, made.add_axes((left / width, bottom / height, wide / width, tall / height)), panel, larger, theme)
    boxes, entries = _boxes(made), legend(element)
    if entries:
        _add_legend(made, entries, boxes, larger, theme)
    if title:
        highest = max(box.y1 for box in boxes) / made.bbox.height
        made.text(0.5, highest + 0.06, plain(title), ha="center", fontsize=11, fontweight="bold", color=theme.text)
    return made if around is None else _with_words(made, around, theme)


def _lines(panel: hv.Overlay) -> float:
    """How many values are written below one another in a row."""
    written = sum(len(layer) for layer in panel if isinstance(layer, hv.Labels))
    return written / max(len(frame_of(panel).rows), 1)


def _with_words(made: Figure, around: Around, theme: Theme) -> Figure:
    """Caption and source below all else, in lines as long as the picture is wide."""
    if not (around.caption or around.source):
        return made
    boxes = _boxes(made)
    left, right = min(box.x0 for box in boxes), max(box.x1 for box in boxes)
    boxes += [legend.get_window_extent() for legend in made.legends]
    bottom = min(box.y0 for box in boxes) / made.bbox.height
    for text, size in ((around.caption, 8.5), (around.source, 7)):
        if text:
            many = max(20, round((right - left) / made.dpi * 72 / (0.54 * size)))  # letters of a line
            written = made.text(left / made.bbox.width, bottom - 0.04, plain(textwrap.fill(text, many)), va="top",
                                fontsize=size, color=theme.text)  # fmt: skip
            bottom = written.get_window_extent().y0 / made.bbox.height
    return made


def _boxes(made: Figure) -> list[BboxBase]:
    """Where the panels are, with all that is written around them."""
    return [box for axes in made.axes if (box := axes.get_tightbbox()) is not None]


class _Panel:
    """Our look sets ticks and limits: HoloViews need not look for them in all layers, which takes long."""

    limits: Any

    def get_extents(self, *arguments: Any, **options: Any) -> tuple[float, float, float, float]:
        """Left, bottom, right and top."""
        frame = self.limits
        return frame.x[0], min(frame.y), frame.x[1], max(frame.y)


class _PaperPanel(_Panel, PaperOverlay):  # type: ignore[misc]  # HoloViews has no types
    limits = param.Parameter(doc="The axes of the panel.")


class _PagePanel(_Panel, PageOverlay):  # type: ignore[misc]
    limits = param.Parameter(doc="The axes of the panel.")


def _draw(made: Figure, axes: Axes, panel: hv.Overlay, larger: float, theme: Theme) -> None:
    """One panel, by HoloViews, on these axes."""
    look = themed(_hook(panel, "matplotlib"), larger=larger, theme=theme, frame=_short_rows(frame_of(panel)))
    plot = _PaperPanel(panel, fig=made, axis=axes, renderer=hv.Store.renderers["matplotlib"], normalize=False,
                       apply_ticks=False, limits=look.frame)  # fmt: skip
    plot.hooks, plot.show_legend = [look], False  # as options of the panel they would be set on a copy of all layers
    plot.initialize_plot()
    for axis in (axes.xaxis, axes.yaxis):
        text = axis.label.get_text()
        if axis is axes.xaxis and larger > 1:  # a long name in large type would make everything else small
            text = textwrap.fill(text, round(NAME_WIDTH / larger))
        axis.label.set_text(plain(text))
    axes.title.set_text(plain(axes.title.get_text()))
    _wrap_names(axes, look.frame, larger)
    for mesh in axes.collections:
        if isinstance(mesh, QuadMesh):
            _add_scale(made, axes, mesh, larger, theme)
    for written in axes.texts:
        written.set(text=plain(written.get_text()), color=theme.text, fontsize=7.5 * larger)


def _wrap_names(axes: Axes, frame: Frame, larger: float) -> None:
    """Names below the panel, in lines that leave their neighbours room."""
    if frame.ticks is None or not any(" " in text for _, text in frame.ticks):
        return
    width = max(6, round(TICK_ROOM / larger / len(frame.ticks)))
    wrapped = [textwrap.fill(text, width, break_long_words=False) for _, text in frame.ticks]
    axes.set_xticks([place for place, _ in frame.ticks], [plain(text) for text in wrapped])


def _add_scale(made: Figure, axes: Axes, mesh: QuadMesh, larger: float, theme: Theme) -> None:
    """What shades stand for, beside the panel."""
    axes.grid(False)
    scale = made.colorbar(mesh, cax=axes.inset_axes((1.03, 0.0, 0.04, 1.0)), format=PercentFormatter(1.0, 0, " %"))
    scale.outline.set_visible(False)
    scale.ax.tick_params(colors=theme.text, labelsize=7.5 * larger, length=0)


def _short_rows(frame: Frame) -> Frame:
    cut = None if frame.y_ticks is None else tuple((place, _short(text)) for place, text in frame.y_ticks)
    return replace(frame, y_ticks=cut)


def _short(name: str) -> str:
    """A name, cut where it is long."""
    return name if len(name) <= MOST_NAME else f"{name[: MOST_NAME - 1]}…"


def _add_legend(made: Figure, entries: list[Entry], boxes: list[BboxBase], larger: float, theme: Theme) -> None:
    """Below the panels, as many names in a line as fit: in large type a wide legend would make the panels small."""
    handles = [_handle(*entry) for entry in entries]
    lowest = min(box.y0 for box in boxes) / made.bbox.height
    room = max(box.x1 for box in boxes) - min(box.x0 for box in boxes)
    for columns in range(min(len(handles), 3 if larger == 1 else 2), 0, -1):
        drawn = made.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, lowest - 0.01),
                            ncols=columns, frameon=False, fontsize=8 * larger, labelcolor=theme.text,
                            handlelength=2.6 / larger, columnspacing=2 / larger)  # fmt: skip
        if larger == 1 or columns == 1 or drawn.get_window_extent().width <= room:
            break
        drawn.remove()


def _handle(name: str, colour: str, mark: str, marker: str, hatch: str, dash: str) -> Patch | Line2D:
    label = plain(_short(name))
    label = f"\u200b{label}" if label.startswith("_") else label  # what begins with an underscore would be left out
    if mark in ("block", "area"):
        return Patch(facecolor=colour, edgecolor="#ffffff", label=label, hatch=hatch, linewidth=0,
                     alpha=0.28 if mark == "area" else 0.85)  # fmt: skip
    if mark in ("dot", "hollow"):
        fill = "none" if mark == "hollow" else colour
        return Line2D([], [], color=colour, label=label, linewidth=0, marker=marker, markerfacecolor=fill)
    outline = [withStroke(linewidth=3.5, foreground=LIGHT.text)] if colour == "#ffffff" else []  # seen on white, too
    return Line2D([], [], color=colour, label=label, linewidth=2, path_effects=outline,
                  linestyle=DASHES[dash])  # type: ignore[arg-type]  # fmt: skip


def _ground(theme: str, around: Around | None) -> dict[str, Any]:
    """A picture that stands for itself brings its surface; one within a page has that of the page."""
    return {"transparent": True} if around is None else {"facecolor": THEMES[theme].surface}


def _cut(made: Figure, dots: int, renderer: RendererBase | None = None) -> BboxBase:
    """What is drawn with so many dots an inch, and a margin; Matplotlib would draw everything twice to find it."""
    before, made.dpi = made.dpi, dots
    try:
        found = made.get_tightbbox(renderer)
    finally:
        made.dpi = before
    return found.padded(mpl.rcParams["savefig.pad_inches"])


def _text(made: Figure, **options: Any) -> str:
    stream = io.StringIO()
    if options.get("bbox_inches") == "tight":
        width, height = POINTS * made.get_size_inches()
        options["bbox_inches"] = _cut(made, POINTS, RendererSVG(width, height, io.StringIO(), image_dpi=made.dpi))
    options.setdefault("transparent", "facecolor" not in options)
    made.savefig(stream, format="svg", metadata={"Date": None, "Creator": None}, **options)
    text = stream.getvalue()
    return text[text.index("<svg") :]


# On a page


def bokeh(element: Any, *, theme: str = "light", behind: Any = None) -> list[BokehFigure]:
    """A Bokeh figure for each panel, without a legend, which stretches; `behind` is drawn faintly below.

    Figures are new each time: a model of Bokeh belongs to one page.
    """
    with LOCK:
        made = []
        for panel in panels_of(with_behind(element, behind)):
            look = themed(_hook(panel, "bokeh"), theme=THEMES[theme])
            # In a document of its own (HoloViews takes one in its mode for servers alone), and without its theme, which
            # it would set on the current document: while this thread draws, that may be the open page of any visitor.
            renderer = hv.renderer("bokeh").instance(mode="server", theme=None)
            plot = _PagePanel(panel, renderer=renderer, normalize=False, limits=look.frame)
            plot.hooks, plot.show_legend = [look], False
            made.append(renderer.get_plot(plot, doc=Document()).initialize_plot())
        return made


def with_behind(element: Any, behind: Any = None) -> Any:
    """A plot with what a kept scenario draws faintly behind it; panels belong together by their titles."""
    if behind is None:
        return element
    kept = {title_of(panel): panel for panel in panels_of(behind)}
    made = []
    for panel in panels_of(element):
        whole = hv.Overlay([*faint(kept.get(title_of(panel))), *panel])
        for backend in ("bokeh", "matplotlib"):
            options = hv.Store.lookup_options(backend, panel, "plot").kwargs
            whole = whole.opts(**options, backend=backend, clone=True)
        made.append(whole)
    return row(*made) if len(made) > 1 else made[0]


def faint(panel: hv.Overlay | None) -> list[Any]:
    """The layers of a kept scenario, as they are drawn behind the present one."""
    if panel is None:
        return []
    layers = [layer for layer in panel if not isinstance(layer, hv.Labels)]
    return [layer.opts(alpha=GHOST_ALPHA, backend="bokeh", clone=True)
            .opts(alpha=GHOST_ALPHA, backend="matplotlib", clone=True).relabel("") for layer in layers]  # fmt: skip


# What a plot says of itself


def _hook(panel: hv.Overlay, backend: str) -> BokehLook | PaperLook:
    look: BokehLook | PaperLook = hv.Store.lookup_options(backend, panel, "plot").kwargs["hooks"][0]
    return look


def frame_of(panel: hv.Overlay) -> Frame:
    """The axes of a panel."""
    return _hook(panel, "bokeh").frame


def options_of(element: Any) -> dict[str, Any]:
    """How Bokeh is told to draw a layer or a panel."""
    groups = ("style", "plot")
    return {k: v for group in groups for k, v in hv.Store.lookup_options("bokeh", element, group).kwargs.items()}


def title_of(panel: hv.Overlay) -> str:
    """What stands above a panel."""
    return str(options_of(panel).get("title", ""))


def label_of(panel: hv.Overlay) -> str:
    """One line that says what is drawn, for those who do not see it."""
    options = options_of(panel)
    words = " ".join(part for part in (options["title"], options["ylabel"], "by", options["xlabel"]) if part)
    return words.removesuffix(" by")


def legend(element: Any) -> list[Entry]:
    """(name, colour, mark, marker, hatch, dash) of every layer that has a name, in the order of drawing, once each."""
    entries = {}
    for panel in panels_of(element):
        hatches = dict(frame_of(panel).hatches)
        for layer in panel:
            if layer.label and layer.label not in entries:
                entries[layer.label] = (layer.label, *_shown(layer), hatches.get(layer.label, ""), _dash(layer))
    return list(entries.values())


def entries(element: Any) -> list[tuple[str, str, str]]:
    """(name, colour, mark) of the legend, as a card on a page shows it."""
    return [
        (name, colour, dash if mark == "line" and dash != "solid" else mark)
        for name, colour, mark, _, _, dash in legend(element)
    ]


def _shown(layer: Any) -> tuple[str, str, str]:
    """The colour of a layer, and how the legend marks it."""
    options = hv.Store.lookup_options("matplotlib", layer, "style").kwargs
    if isinstance(layer, hv.Scatter):
        hollow = options["facecolors"] == "none"
        return options["edgecolors"], "hollow" if hollow else "dot", options["marker"]
    if isinstance(layer, hv.Rectangles | hv.Area | hv.HSpan):
        return options["facecolor"], "block" if isinstance(layer, hv.Rectangles) else "area", ""
    return options["color"], "line", ""


def _dash(layer: Any) -> str:
    return str(hv.Store.lookup_options("bokeh", layer, "style").kwargs.get("line_dash", "solid"))
