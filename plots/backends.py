"""HoloViews with both of its backends, loaded without choosing one of them for whoever else uses it."""

import threading

import holoviews as hv

LOCK = threading.RLock()  # HoloViews and Matplotlib are not made for several threads: whoever draws holds it


def load() -> None:
    """Register how Bokeh and Matplotlib draw. Takes a second or two the first time, because HoloViews imports Panel."""
    with LOCK:
        chosen = hv.Store.__dict__.get("current_backend", "matplotlib")
        import holoviews.plotting.bokeh
        import holoviews.plotting.mpl  # noqa: F401

        if hv.Store.current_backend != chosen:
            hv.Store.current_backend = chosen


load()
