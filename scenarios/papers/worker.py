"""Experiments in processes of their own: other pages and other people do not wait for them."""

import contextlib
import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from typing import Any, Literal

import pandas as pd

from trustscope.engine.utility import Cancelled
from trustscope.scenarios.papers.registry import EXPERIMENTS

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
GRACE = 3.0  # seconds in which an experiment that was told to stop may do so by itself
# A server process that has everything imported hands out workers at once; Windows has to start each from nothing.
_METHOD: Literal["forkserver", "spawn"] = (
    "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
)
_CONTEXT = multiprocessing.get_context(_METHOD)
_PREPARING = threading.Lock()


class ExperimentBroken(RuntimeError):
    """An experiment failed for a reason that nobody expected.

    Its text is what was raised there and where, without the words of it, which may quote anything of the machine.
    """


class Turns:
    """So many experiments run at one time; the others wait, and those that run can see that.

    Parameters
    ----------
    places : how many run at one time
    """

    def __init__(self, places: int) -> None:
        self._free = threading.BoundedSemaphore(places)
        self._lock = threading.Lock()
        self._waiting = self._leaving = 0

    def take(self, stopped: Callable[[], bool]) -> bool:
        """Wait for a place; False if it was stopped before there was one."""
        if taken := self._free.acquire(blocking=False):  # whoever finds a place waits for nobody to leave
            self._note(0, taken)
            return True
        self._note(1, False)
        try:
            while not (taken := self._free.acquire(timeout=0.1)) and not stopped():
                pass
        finally:
            self._note(-1, taken)
        return taken

    def _note(self, waiting: int, taken: bool) -> None:
        """So many more wait; if a place was taken, another one has to leave for those who still do."""
        with self._lock:
            self._waiting += waiting
            self._leaving = max(min(self._leaving - taken, self._waiting), 0)

    def give_back(self) -> None:
        """Leave the place to another."""
        self._free.release()

    def cede(self) -> bool:
        """Whether one who has had its time has to leave, because another waits; for each who waits only one does."""
        with self._lock:
            wanted = self._waiting > self._leaving
            self._leaving += wanted
        return wanted


_TURNS = Turns(max((os.cpu_count() or 2) - 1, 1))  # one processor is left to the pages


class ExperimentJob:
    """One experiment with its settings, to be run once in a new process, its worker.

    Call it in a thread; read `fraction` and `text` meanwhile; `stop` ends it.

    Parameters
    ----------
    id : of the experiment
    values : its parameters, checked
    key : int
    turn : seconds after which it ends if another one waits; None: it need not
    wanted : asked after that time whether somebody else waits who is not seen here

    Attributes
    ----------
    fraction, text : how far it is
    pid : the number of the worker process, once there is one
    """

    def __init__(
        self, id: str, values: dict[str, Any], key: int, turn: float | None = None,
        wanted: Callable[[], bool] = lambda: False,
    ) -> None:  # fmt: skip
        self.id, self.values, self.key, self.turn, self.wanted = id, values, key, turn, wanted
        self.fraction, self.text = 0.0, "Waiting for a free processor"
        self.pid: int | None = None
        # A pipe and not an event: a worker that is killed while it looks at an event keeps its lock for ever.
        self._told, self._teller = _CONTEXT.Pipe(duplex=False)
        self._since: float | None = None

    @property
    def stopped(self) -> bool:
        """Whether it was told to stop."""
        return self._since is not None

    def stop(self) -> None:
        """End it, soon."""
        if self._since is None:
            self._since = time.monotonic()
            self._teller.send_bytes(b"stop")

    def __call__(self) -> pd.DataFrame | None:
        """Run it; the table, or None if it was stopped. A RuntimeError says in a sentence what went wrong there,
        and is an `ExperimentBroken` where nobody expected it."""
        if not _TURNS.take(lambda: self.stopped):
            return None
        try:
            return self._run()
        finally:
            _TURNS.give_back()

    def _run(self) -> pd.DataFrame | None:
        self.text = "Starting"
        receiver, sender = _CONTEXT.Pipe(duplex=False)
        prepare()
        given = (sender, self._told, self.id, self.values, self.key)
        # Every context has it; the class that they are known by to typeshed has not.
        process = _CONTEXT.Process(target=_work, args=given, daemon=True)  # type: ignore[attr-defined]
        try:
            process.start()
        except EOFError:  # it was killed before it could say its number
            raise RuntimeError(_gone(None)) from None
        self.pid = process.pid
        sender.close()
        try:
            return self._listen(receiver)
        except (EOFError, OSError):  # the worker is gone, between two messages or in the middle of one
            process.join()
            if self.stopped:
                return None
            raise RuntimeError(_gone(process.exitcode)) from None
        finally:
            receiver.close()
            if process.is_alive():
                process.terminate()
            process.join()

    def _listen(self, receiver: Connection) -> pd.DataFrame | None:
        begun, ceded = time.monotonic(), False
        while self._since is None or time.monotonic() - self._since <= GRACE:
            late = self.turn is not None and self._since is None and time.monotonic() - begun > self.turn
            if late and (_TURNS.cede() or self.wanted()):
                ceded = True
                self.stop()
            if not receiver.poll(0.1):
                continue
            kind, content = receiver.recv()
            if kind == "progress":
                self.fraction, self.text = content
            elif kind == "failed":
                raise RuntimeError(content)
            elif kind == "broken":
                raise ExperimentBroken(content)
            else:
                table: pd.DataFrame | None = content
                if table is not None or not ceded:
                    return table
                break
        if ceded:
            raise RuntimeError(_ended(self.turn or 0.0))
        return None


def prepare() -> None:
    """Start the server of workers, unless it runs: each worker is to use one processor.

    Only the environment in which the numerical libraries are loaded can say that, so it is changed for a moment.
    """
    if _METHOD != "forkserver":
        return
    with _PREPARING:
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


def _ended(seconds: float) -> str:
    """One sentence on a run that made way for another."""
    return (
        f"It was ended after more than {seconds / 60:.0f} minutes, because somebody else was waiting for a processor. "
        "Choose smaller settings, or run it where you are alone."
    )


def _gone(code: int | None) -> str:
    """One sentence on a worker that ended without a word."""
    how = "before it began" if code is None else f"with exit code {code}"
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            how = f"by the signal {signal.Signals(-code).name}"
    advice = "Run it again, or choose smaller settings."
    return f"The computation was ended from outside, {how}; perhaps memory ran out. {advice}"


def _work(sender: Connection, told: Connection, id: str, values: dict[str, Any], key: int) -> None:
    """What the worker does."""
    with contextlib.suppress(AttributeError, OSError):
        os.nice(19)  # the pages come first
    last = 0.0

    def progress(done: int, total: int, label: str = "") -> None:
        nonlocal last
        if done == total or time.monotonic() - last > 0.1:
            last = time.monotonic()
            sender.send(("progress", (done / max(total, 1), label)))

    try:
        result = EXPERIMENTS[id].run(key=key, progress=progress, cancelled=told.poll, **values)
        sender.send(("done", result.table))
    except Cancelled:
        sender.send(("done", None))
    except ValueError as error:  # a sentence
        sender.send(("failed", f"{error}"))
    except Exception as error:
        frames = "".join(traceback.format_tb(error.__traceback__))
        sender.send(("broken", f"{frames}{type(error).__qualname__}"))
