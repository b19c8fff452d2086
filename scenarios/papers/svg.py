"""A plot as an SVG file, without a browser: HoloViews through Matplotlib."""

import io
import re

import holoviews as hv

from trustscope.scenarios.papers.draw import TEXT, legend, panels, use
from trustscope.scenarios.papers.record import Result

STYLES = {"line": "-", "dashed": "--", "dotted": ":"}
# The same table gives the same bytes: no date, no random names; text stays text, in the font of the page.
SETTINGS = {"svg.hashsalt": "trustscope", "svg.fonttype": "none", "font.family": "sans-serif", "path.simplify": True}


def svg(result: Result) -> str:
    """The whole picture, with its legend."""
    with use("matplotlib"):
        picture = result.plot()
        entries = {name: (colour, mark) for part in panels(picture) for name, colour, mark in legend(part)}
        figure = hv.renderer("matplotlib").instance(fig="svg").get_plot(picture).state
        if entries:
            _add_legend(figure, entries)
        return _text(figure)


def thumbnail(result: Result) -> str:
    """The first panel, small."""
    with use("matplotlib"):
        figure = hv.renderer("matplotlib").instance(fig="svg").get_plot(panels(result.plot())[0]).state
        figure.set_size_inches(3.0, 1.75)
        axis = figure.axes[0]
        axis.set_title(axis.get_ylabel(), loc="left", fontsize=8.5, color=TEXT, pad=4)  # upright it would be cut
        axis.set(ylabel="", title="", box_aspect=None)
        axis.set_position([0.165, 0.24, 0.805, 0.62])
        return re.sub(r"(\d\.\d\d)\d{3,}", r"\1", _text(figure, tight=False))  # finer than any screen


def _add_legend(figure, entries):
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=colour, label=name, linewidth=2 if mark in STYLES else 0, linestyle=STYLES.get(mark, "-"),
               marker="" if mark in STYLES else "s" if mark == "block" else "o")
        for name, (colour, mark) in entries.items()
    ]  # fmt: skip
    figure.canvas.draw()
    lowest = min(axis.get_tightbbox().y0 for axis in figure.axes) / figure.bbox.height
    figure.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, lowest - 0.01), ncols=min(len(handles), 3),
                  frameon=False, fontsize=8, labelcolor=TEXT)  # fmt: skip


def _text(figure, *, tight=True) -> str:
    import matplotlib as mpl
    from matplotlib import pyplot

    mpl.use("Agg")
    stream = io.StringIO()
    with mpl.rc_context(SETTINGS):
        figure.savefig(stream, format="svg", transparent=True, bbox_inches="tight" if tight else None,
                       metadata={"Date": None, "Creator": None})  # fmt: skip
    pyplot.close(figure)
    text = stream.getvalue()
    return text[text.index("<svg") :]
