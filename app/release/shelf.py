"""Where the page finds ledgers: by name in the server's folder, or rehearsals of its own."""

import re
import shutil
import tempfile
import threading
import weakref
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import panel as pn

from trustscope import datasets
from trustscope.app.release.opened import Opened
from trustscope.app.serving import plan
from trustscope.datasets.patients import TITLES as EXAMPLES
from trustscope.datasets.patients import patients
from trustscope.release import Ledger, Problem
from trustscope.release.store import FILE

MOST_NUMBERS, MOST_CATEGORIES = 6, 3  # columns of a built-in dataset that a rehearsal perturbs
# Of a rehearsal: something to be refused that need not be measured, and what else every copy would have to be told.
RULES = {"approval": 80, "purpose": "a rehearsal", "contact": "nobody: this is a rehearsal", "days": 30}


def folder() -> Path | None:
    """The server's folder for ledgers, if it was started with one."""
    current = plan.current()
    return None if current is None or current.ledgers is None else Path(current.ledgers)


def names(where: Path | None) -> list[str]:
    """The ledgers in a folder, by name."""
    if where is None:
        return []
    try:
        found = [one for one in where.iterdir() if not one.name.startswith(".") and (one / FILE).is_file()]
        # A link that leads out of the folder is not in it.
        return sorted(one.name for one in found if one.resolve().parent == where.resolve())
    except OSError:
        return []


def find(where: Path | None, name: str) -> Path:
    """The folder of a ledger. The name is compared with those that are there, and never becomes part of a path."""
    if where is None:
        raise Problem("The server was started without a folder for ledgers, so there is none to open by name.")
    found = next((one for one in names(where) if one == name), None)
    if found is None:
        raise Problem("The server's folder has no ledger of this name; choose one that is listed.")
    return where / found


class Rehearsals:
    """Ledgers on built-in data that last as long as the visitor stays, each with a key that is never written down."""

    def __init__(self):
        self._opened: dict[str, Opened] = {}
        self._lock = threading.Lock()
        self._stack = ExitStack()
        self._end = weakref.finalize(self, self._stack.close)
        document = pn.state.curdoc
        if document is not None and document.session_context is not None:
            end = self._end  # not this object: the document would keep it alive
            document.on_session_destroyed(lambda context: end())

    def open(self, name: str) -> Opened:
        """The rehearsal on a built-in dataset; it is begun when it is first asked for. For a thread."""
        with self._lock:
            self._check()
            if name not in self._opened:
                try:
                    self._opened[name] = self._begun(name)
                finally:
                    if not self._end.alive:  # the visitor left meanwhile: what was made since then is not ended yet
                        self._stack.close()
                        self._check()
            return self._opened[name]

    def _check(self) -> None:
        if not self._end.alive:
            raise Problem("The rehearsal has ended; open the page again.")

    def close(self) -> None:
        """End all of them: folders, files and keys are gone."""
        self._end()

    def _begun(self, name: str) -> Opened:
        data = patients(name) if name in EXAMPLES else datasets.built_in(name)
        home = Path(tempfile.mkdtemp(prefix="trustscope-rehearsal-data-"))
        self._stack.callback(shutil.rmtree, home, ignore_errors=True)
        numbers = list(data.numeric[:MOST_NUMBERS])
        categories: list[Any] = [column for column in data.frame if column not in data.numeric][:MOST_CATEGORIES]
        frame = data.frame[[*numbers, *categories]].copy()
        frame[categories] = frame[categories].astype(str)
        path = home / f"{re.sub('[^a-z0-9]+', '-', name)}.parquet"
        frame.to_parquet(path, index=False)
        ledger = self._stack.enter_context(Ledger.rehearse(path, numbers=numbers, categories=categories))
        ledger.set_policy(RULES)
        return Opened(ledger, data.title, rehearsal=True)
