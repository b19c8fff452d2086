"""Experiments in a process of their own: other pages and other people do not wait for them."""

import contextlib
import multiprocessing
import os
import threading
import time
from functools import cache
from multiprocessing import forkserver

import pandas as pd

from trustscope.engine.utility import Cancelled
from trustscope.scenarios.papers.registry import EXPERIMENTS

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
GRACE = 3.0  # seconds in which a run that was told to stop may do so by itself
# A server that has everything imported hands out processes in no time; Windows has to start each from nothing.
_METHOD = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
_CONTEXT = multiprocessing.get_context(_METHOD)
_SLOTS = threading.BoundedSemaphore(max((os.cpu_count() or 2) - 1, 1))  # one processor is left to the pages


class Run:
    """One run of one experiment. Call it in a thread; read `fraction` and `text` meanwhile; `stop` ends it.

    Parameters
    ----------
    id : of the experiment
    values : its parameters, checked
    key : int

    Attributes
    ----------
    fraction, text : how far it is
    stopped : whether it was told to stop
    """

    def __init__(self, id: str, values: dict, key: int):
        self.id, self.values, self.key = id, values, key
        self.fraction, self.text = 0.0, "Waiting for a free processor"
        self._told = _CONTEXT.Event()
        self._since = None

    @property
    def stopped(self) -> bool:
        """Whether it was told to stop."""
        return self._since is not None

    def stop(self) -> None:
        """End it, soon."""
        if self._since is None:
            self._since = time.monotonic()
            self._told.set()

    def __call__(self) -> pd.DataFrame | None:
        """Run it; the table, or None if it was stopped. What fails there fails here."""
        while not _SLOTS.acquire(timeout=0.1):
            if self.stopped:
                return None
        try:
            return self._run()
        finally:
            _SLOTS.release()

    def _run(self):
        self.text = "Starting"
        receiver, sender = _CONTEXT.Pipe(duplex=False)
        prepare()
        process = _CONTEXT.Process(target=_work, args=(sender, self._told, self.id, self.values, self.key), daemon=True)
        process.start()
        sender.close()
        try:
            return self._listen(receiver)
        finally:
            receiver.close()
            if process.is_alive():
                process.terminate()
            process.join()

    def _listen(self, receiver):
        while not (self.stopped and time.monotonic() - self._since > GRACE):
            if not receiver.poll(0.1):
                continue
            try:
                kind, content = receiver.recv()
            except EOFError:
                raise RuntimeError("The computation ended without a result; perhaps memory ran out.") from None
            if kind == "progress":
                self.fraction, self.text = content
            elif kind == "failed":
                raise RuntimeError(content)
            else:
                return content
        return None


@cache
def prepare():
    """Start the server of processes: each of them is to use one processor, which only its environment can say."""
    if _METHOD != "forkserver":
        return
    _CONTEXT.set_forkserver_preload(["trustscope.scenarios.papers.registry"])
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        forkserver.ensure_running()
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _work(sender, told, id, values, key):
    """What the other process does."""
    with contextlib.suppress(AttributeError, OSError):
        os.nice(5)  # the pages come first
    last = 0.0

    def progress(done, total, label=""):
        nonlocal last
        if done == total or time.monotonic() - last > 0.1:
            last = time.monotonic()
            sender.send(("progress", (done / max(total, 1), label)))

    try:
        result = EXPERIMENTS[id].run(key=key, progress=progress, cancelled=told.is_set, **values)
        sender.send(("done", result.table))
    except Cancelled:
        sender.send(("done", None))
    except Exception as error:  # whatever it is, it is said on the page
        sender.send(("failed", f"{error}" if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"))
