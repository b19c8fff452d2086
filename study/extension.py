"""Getting a notebook ready: scripts come with it, so that plots and pages show without a network."""

from typing import Any

from trustscope.extras import require
from trustscope.study.channel import shell


def extension() -> None:
    """Get a notebook ready for plots and dashboards; call it once, in a cell of its own.

    All scripts and styles are put into the notebook, so that it works without a network. Studies themselves need none:
    their verdict and pictures are plain HTML.
    """
    require("app")
    import holoviews as hv
    import panel as pn

    from trustscope.plots import backends

    backends.load()
    pn.extension(inline=True)
    hv.extension("bokeh", inline=True, logo=False)
    _show_offline()


def _show_offline() -> None:
    """Let Panel show HoloViews plots: HoloViews itself links style sheets on a network, whatever was said to it."""
    running = shell()
    if running is not None:
        from holoviews.core import Dimensioned

        running.display_formatter.mimebundle_formatter.for_type(Dimensioned, _bundle)


def _bundle(element: Any, include: Any = None, exclude: Any = None) -> Any:
    import panel as pn

    return pn.pane.HoloViews(element)._repr_mimebundle_(include=include, exclude=exclude)
