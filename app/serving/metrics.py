"""Figures for Prometheus: off unless asked for, and then summed over all processes.

The pages call `step`; everything else is counted by the server itself. Nothing here knows a visitor.
"""

import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

_meters = None  # None: off, and every call returns at once

# From a step that nobody notices to one that everybody does.
BUCKETS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)


class _Meters:
    def __init__(self):
        from prometheus_client import Counter, Gauge, Histogram

        together = partial(Gauge, multiprocess_mode="livesum")
        self.sessions = together("trustscope_sessions", "Open pages.")
        self.memory = together("trustscope_memory_bytes", "Memory of the server's processes.")
        self.documents = together("trustscope_documents", "Documents in memory; more than pages: a leak.")
        self.messages = Histogram(
            "trustscope_message_seconds", "From a browser's message to the end of its handling.", buckets=BUCKETS
        )
        self.steps = Histogram(
            "trustscope_step_seconds", "From a control's movement to the new picture.", ["page"], buckets=BUCKETS
        )
        self.errors = Counter("trustscope_errors", "Errors written to the log.")
        self.refusals = Counter("trustscope_refusals", "Requests that were refused.", ["status"])


def start() -> None:
    """Begin to count, in this process; once."""
    global _meters
    if _meters is None:
        _meters = _Meters()
        counting = _Counting(logging.ERROR)
        for name in ("trustscope", "bokeh", "panel", "tornado", "asyncio"):
            logging.getLogger(name).addHandler(counting)


class _Counting(logging.Handler):
    def emit(self, record):
        if _meters is not None:
            _meters.errors.inc()


def step(page: str, seconds: float) -> None:
    """A step was drawn: how long it took from the control's movement to the new picture.

    Parameters
    ----------
    page : the page's own name ("trust"); never anything that a visitor wrote
    """
    if _meters is not None:
        _meters.steps.labels(page).observe(seconds)


@contextmanager
def message() -> Iterator[None]:
    """Time the handling of one message of a browser."""
    if _meters is None:
        yield
        return
    begin = time.perf_counter()
    try:
        yield
    finally:
        _meters.messages.observe(time.perf_counter() - begin)


def refused(status: int) -> None:
    """A request was refused with this status."""
    if _meters is not None:
        _meters.refusals.labels(str(status)).inc()


def state(sessions: int, memory: int, documents: int) -> None:
    """How things stand in this process."""
    if _meters is not None:
        _meters.documents.set(documents)
        _meters.sessions.set(sessions)
        _meters.memory.set(memory)


def text() -> bytes:
    """All figures in Prometheus' format, of all processes if there are several."""
    from prometheus_client import REGISTRY, CollectorRegistry, generate_latest, multiprocess

    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)
    return generate_latest(registry)
