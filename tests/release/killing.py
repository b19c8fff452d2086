"""Copies and appends that are killed by kill -9, ledgers that are tampered with, and what must hold afterwards.

Moments: a copy or an append runs in a process of its own and is killed at a random moment. Then the next call must
finish or remove what was interrupted, nothing that is out may be lost or changed, no temporary file may be left, the
chain must hold, and a copy that was finished must have the bytes that an undisturbed one has.
"""

import multiprocessing
import os
import signal
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.release import hostile
from trustscope.engine.cipher import CipherSource
from trustscope.release import Ledger, Problem, issuing, store
from trustscope.release.digests import whole_file
from trustscope.release.recipe import level, path_of

PASSPHRASE = "four words for soaking"
TERMS = {"purpose": "a test", "contact": "nobody", "expires": "9999-12-31"}
# Large enough that half of the time goes into the copy itself.
ROWS, MORE = 60_000, 500
# A fresh ledger after so many moments: a long history would slow every check.
RENEW = 40

# Computed once, where the processes that are killed start from: their time is to go into what is tested.
path_of(CipherSource(bytes(32)), 0).block(level(333), 0)


def context():
    """Processes that start from a clean one in which everything is imported already."""
    chosen = multiprocessing.get_context("forkserver")
    chosen.set_forkserver_preload(["trustscope.release.ledger", "tests.release.killing"])
    return chosen


def work(folder, action, argument, trust):
    """What is killed: one copy, or one append."""
    with Ledger.open(folder, passphrase=PASSPHRASE) as ledger:
        if action == "copy":
            ledger.copy(f"to {trust:g}", trust, 40, out=argument, **TERMS)
        else:
            ledger.append(argument)


def work_until(step, folder, argument):
    """One copy, killed at a chosen step of the way."""
    kind, number = step
    if kind == "commit":
        _killing(store, "write_durably", number, before=False)
    elif kind == "sum":
        _killing(store, "write_durably", number, before=True)
    elif kind == "rename":
        _killing(issuing.writing.os, "rename", 1, before=number == 0)
    else:
        _killing(pq.ParquetWriter, "write_table", 1, before=number == 0)
    work(folder, "copy", argument, 33)


def _killing(owner, name, number, before):
    """Make the `number`-th call of a function the last thing that this process does."""
    right, left = getattr(owner, name), [number]

    def wrong(*arguments, **options):
        left[0] -= 1
        if not left[0] and before:
            os.kill(os.getpid(), signal.SIGKILL)
        result = right(*arguments, **options)
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    setattr(owner, name, wrong)


def table(rows, key=1):
    """Two columns of numbers and categories."""
    rng = np.random.default_rng(key)
    return pa.table({"x": np.round(rng.normal(50, 10, rows), 1), "c": rng.choice(["a", "b", "c"], rows).tolist()})


class Scene:
    """A ledger with two copies out, and what must never change."""

    def __init__(self, place, rows=ROWS):
        self.place, self.rows = Path(place), rows
        self.folder = self.place / "ledger"
        self.data = self.place / "data-0.parquet"
        self.appended = 0
        self.expected = {}
        pq.write_table(table(rows), self.data)
        with Ledger.create(
            self.folder, self.data, numbers=["x"], categories=["c"], store="file", passphrase=PASSPHRASE
        ) as ledger:
            for trust in (80, 20):
                ledger.copy(f"to {trust:g}", trust, 40, out=self.place / f"first-{trust}.parquet", **TERMS)
        self.known = self.digests()

    def digests(self):
        """SHA-256 of every issued file that is there."""
        files = [path for path in self.place.iterdir() if path.suffix == ".parquet" and "data" not in path.name]
        files += [path for path in self.place.iterdir() if path.name == "new"]
        return {path.name: whole_file(path) for path in files}

    def next_data(self):
        """The data with more rows behind the old ones."""
        path = self.place / f"data-{self.appended + 1}.parquet"
        parts = [table(self.rows), *(table(MORE, key=2 + n) for n in range(self.appended + 1))]
        pq.write_table(pa.concat_tables(parts), path)
        return path

    def verify(self, what):
        """Let the next call clear up, and see that all is well; returns what it said."""
        with Ledger.open(self.folder, passphrase=PASSPHRASE) as ledger:
            ledger.set_policy({})
            said = " ".join(ledger.notes)
            wrong = [one.sentence for one in ledger.check() if not one.holds]
            assert not wrong, (what, wrong)
            record = ledger.record
        assert not record.pending, what
        hidden = [path.name for folder in (self.place, self.folder) for path in folder.glob(".*")]
        assert not hidden, (what, hidden)
        now = self.digests()
        for name, digest in self.known.items():
            assert now.get(name) == digest, (what, name)
        assert set(now) == {Path(copy.out).name for copy in record.copies}, what
        for copy in record.copies:
            content = self.expected.setdefault((copy.setting, copy.version), copy.content)
            assert content == copy.content, what
        self.known = now
        self.appended = (record.data["rows"] - self.rows) // MORE
        return said


def moments(number, place, say=print, key=1):
    """Kill at so many random moments; returns how often each ending came."""
    rng, processes, endings = np.random.default_rng(key), context(), {}
    scene, longest = None, {"copy": 0.0, "append": 0.0}
    first = processes.Process(target=int)  # starting the clean process takes seconds, which must not be measured
    first.start()
    first.join()
    for moment in range(number):
        if moment % RENEW == 0:
            folder = Path(place) / f"scene-{moment}"
            folder.mkdir()
            scene = Scene(folder)
            for action in longest:  # how long it takes undisturbed, on this machine, now
                longest[action] = _timed(processes, scene, action)
        action = "copy" if rng.random() < 0.7 else "append"
        argument = scene.place / f"copy-{moment}.parquet" if action == "copy" else scene.next_data()
        trust = float(rng.integers(1, 999)) / 10
        delay = rng.random() * 1.1 * longest[action]
        process = processes.Process(target=work, args=(scene.folder, action, argument, trust))
        process.start()
        process.join(delay)
        if process.pid and process.exitcode is None:
            os.kill(process.pid, signal.SIGKILL)
        process.join()
        before = scene.appended
        said = scene.verify((moment, action, delay))
        ending = "finished" if "finished" in said else "removed" if "removed" in said else "nothing to clear up"
        if action == "append":
            ending = "appended" if scene.appended > before else "not appended"
        endings[ending] = endings.get(ending, 0) + 1
        if say and (moment + 1) % 100 == 0:
            say(f"{moment + 1} moments: {endings}", flush=True)
    return endings


def _timed(processes, scene, action):
    argument = scene.place / f"timed-{action}.parquet" if action == "copy" else scene.next_data()
    start = time.perf_counter()
    process = processes.Process(target=work, args=(scene.folder, action, argument, 50))
    process.start()
    process.join()
    took = time.perf_counter() - start
    assert process.exitcode == 0
    scene.verify(("undisturbed", action))
    return took


def detected(folder):
    """What a check finds wrong, or None."""
    try:
        with Ledger.open(folder, passphrase=PASSPHRASE) as opened:
            wrong = [one for one in opened.check() if not one.holds]
    except Problem as problem:
        return str(problem)
    return wrong[0].sentence if wrong else None


def tries(number, place, say=print, key=1):
    """Tamper so many times; every one must be detected."""
    scene = Scene(place)
    issued = sorted(scene.place / name for name in scene.known)
    kept = Path(place) / "kept"
    kept.mkdir()
    hostile.kept(scene.folder, issued, kept)
    rng = np.random.default_rng(key)
    assert detected(scene.folder) is None
    for turn in range(number):
        did = hostile.WAYS[turn % len(hostile.WAYS)](rng, scene.folder, issued)
        assert detected(scene.folder), did
        hostile.restored(scene.folder, issued, kept)
        if say and (turn + 1) % 100 == 0:
            say(f"{turn + 1} of {turn + 1} tries detected", flush=True)
    assert detected(scene.folder) is None
