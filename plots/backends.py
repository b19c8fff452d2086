"""HoloViews with both of its backends, loaded without choosing one of them for whoever else uses it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

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


@contextmanager
def paper() -> Iterator[None]:
    """Draw by Matplotlib, alone: where somebody chose Bokeh, its own default colours would be drawn as well."""
    with LOCK:
        before = hv.Store.current_backend
        hv.Store.current_backend = "matplotlib"
        try:
            yield
        finally:
            hv.Store.current_backend = before


load()
