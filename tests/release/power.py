"""Power cuts: a disk that forgets what was not synced, and what must hold when the machine is on again.

An action (a copy to a file, a copy to a folder, an append, a new ledger) runs once while every step that counts for a
disk is noted: what is written, synced, renamed, made and removed, and each commit of SQLite. A moment is a step
together with what the disk made of that which was not synced yet:

* strict: nothing of it is there; names in a folder are those of the last time that the folder was synced;
* names: names are those of the moment, but contents those of the last sync (the empty files that power cuts leave);
* torn: names are those of the moment, and of contents that were not synced half is there;
* eager: everything is there.

For each moment the folder is put into that state, and then the next call must clear up: nothing that was said to be
issued, appended or created may be lost or changed, nothing may be half there, the chain must hold.

Commits of SQLite are taken to last when they return, and to be whole or not at all: that is what it promises in the
rollback mode with `synchronous=extra`, which is checked here to be set.
"""

import contextlib
import os
import shutil
from pathlib import Path
from unittest import mock

import numpy as np

from tests.release.killing import PASSPHRASE, TERMS, Scene
from trustscope.release import Ledger, Problem, creating, store, writing

KINDS = ("strict", "names", "torn", "eager")
ACTIONS = ("copy", "folder", "append", "create")
ROWS = 3_000


class Moment:
    """What is on the disk, and what would be after a power cut.

    Attributes
    ----------
    step : str
    live, synced : dict of str to bytes or None
        Files by path, and folders (None): as programs see them, and as they were synced.
    last : dict of str to bytes
        Contents of the live files as of their last sync.
    """

    def __init__(self, step, live, synced, last):
        self.step, self.live, self.synced, self.last = step, live, synced, last

    def after(self, kind):
        """The disk after a power cut of one kind."""
        if kind == "eager":
            return self.live
        if kind == "strict":
            return self.synced
        left = {}
        for path, content in self.live.items():
            if content is None or self.last.get(path) == content:
                left[path] = content
            else:
                left[path] = self.last.get(path, b"") if kind == "names" else content[: len(content) // 2]
        return left


class Disk:
    """Notes what is done below one folder."""

    def __init__(self, root):
        self.root = Path(root)
        self.moments = []
        self._contents = {}  # by inode: what was synced last
        self._names = {}  # by folder: what was in it when it was synced last
        # What is there before the action lasts.
        for path, content in self._tree().items():
            if content is None:
                self._names[path] = self._listing(path)
            else:
                self._contents[os.stat(path).st_ino] = content
        self._names[str(self.root)] = self._listing(self.root)

    def _tree(self):
        out = {}
        for path in sorted(self.root.rglob("*")):
            out[str(path)] = None if path.is_dir() else path.read_bytes()
        return out

    @staticmethod
    def _listing(folder):
        with os.scandir(folder) as entries:
            return {entry.name: (entry.is_dir(), entry.inode()) for entry in entries}

    def note(self, step):
        """A moment."""
        live = self._tree()
        known = {path: self._contents.get(os.stat(path).st_ino, b"") for path, c in live.items() if c is not None}
        self.moments.append(Moment(step, live, self._synced(str(self.root)), known))

    def _synced(self, folder):
        out = {}
        for name, (is_folder, inode) in self._names.get(folder, {}).items():
            path = f"{folder}/{name}"
            if is_folder:
                out[path] = None
                out |= self._synced(path)
            else:
                out[path] = self._contents.get(inode, b"")
        return out

    def sync(self, number):
        """A file or folder was synced."""
        path = Path(os.readlink(f"/proc/self/fd/{number}"))
        if not path.is_relative_to(self.root):
            return
        if path.is_dir():
            self._names[str(path)] = self._listing(path)
            for name, (is_folder, _) in self._names[str(path)].items():
                self._moved(path / name, is_folder)
        else:
            self._contents[os.fstat(number).st_ino] = path.read_bytes()

    def _moved(self, path, is_folder):
        """A folder that got another name keeps what was synced in it."""
        if is_folder and str(path) not in self._names:
            inode = os.stat(path).st_ino
            self._names[str(path)] = next((self._names[old] for old, i in self._folders if i == inode), {})

    @property
    def _folders(self):
        return [(path, inode) for path, inode in self._inodes.items() if path in self._names]

    def commit(self, file):
        """SQLite has committed."""
        if Path(file).is_relative_to(self.root):
            self._contents[os.stat(file).st_ino] = Path(file).read_bytes()
            self._names.setdefault(str(Path(file).parent), {})[Path(file).name] = (False, os.stat(file).st_ino)

    @contextlib.contextmanager
    def watched(self):
        """Note what is done within the block."""
        self._inodes = {}
        with contextlib.ExitStack() as patches:
            for name in ("fsync", "rename", "replace", "unlink", "mkdir", "rmdir"):
                patches.enter_context(mock.patch.object(os, name, self._noting(name, getattr(os, name))))
            for owner, name in ((writing._Digested, "write"), (store.Store, "_write_sum")):
                patches.enter_context(mock.patch.object(owner, name, self._noting(name, getattr(owner, name))))
            yield self

    def _noting(self, name, function):
        def wrapped(*arguments, **options):
            if name == "_write_sum":
                self.commit(arguments[0]._file)
            self.note(f"before {name}")
            self._inodes |= {path: os.stat(path).st_ino for path, c in self._tree().items() if c is None}
            result = function(*arguments, **options)
            if name == "fsync":
                self.sync(arguments[0])
            self.note(f"after {name}")
            return result

        return wrapped

    def restore(self, state):
        """Make the folder what a dictionary of paths says."""
        for path in self.root.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        for path in sorted(state):
            if state[path] is None:
                Path(path).mkdir(exist_ok=True)
            else:
                Path(path).parent.mkdir(exist_ok=True)
                Path(path).write_bytes(state[path])


def create(scene):
    """A second ledger."""
    options = {"numbers": ["x"], "categories": ["c"], "store": "file", "passphrase": PASSPHRASE}
    Ledger.create(scene.place / "second", scene.data, **options).close()


def perform(scene, action):
    """Do one action; returns the disk with its moments. The last one comes after the promise."""
    out = scene.place / ("new" if action == "folder" else "new.parquet")
    argument = scene.next_data() if action == "append" else None
    disk = Disk(scene.place)
    with disk.watched():
        disk.note("begun")
        if action == "create":
            create(scene)
        else:
            with Ledger.open(scene.folder, passphrase=PASSPHRASE) as ledger:
                if action == "append":
                    ledger.append(argument)
                else:
                    ledger.copy("to new", 33.3, 40, out=out, **TERMS)
        disk.note("promised")
    return disk


def survived(scene, action, promised):
    """See that all is well after a power cut; returns whether the action counts as done."""
    done = action == "create" and (scene.place / "second").exists()
    if action == "create":
        if not done:  # whoever tries again finds nothing in the way; after a power cut no process is the one it was
            with mock.patch.object(creating, "_alive", return_value=False):
                create(scene)
        with Ledger.open(scene.place / "second", passphrase=PASSPHRASE) as ledger:
            wrong = [one.sentence for one in ledger.check() if not one.holds]
            assert not wrong, wrong
    scene.verify(action)
    if action == "append":
        done = scene.appended > 0
    elif action != "create":
        with Ledger.open(scene.folder, passphrase=PASSPHRASE) as ledger:
            done = any(copy.to == "to new" for copy in ledger.copies)
    assert done or not promised, "what was promised is lost"
    return done


def moments(number, place, say=print, key=1):
    """Cut the power at so many moments; returns how many actions were done and not done afterwards."""
    rng, endings, scenes = np.random.default_rng(key), {}, {}
    for action in ACTIONS:
        folder = Path(place) / action
        folder.mkdir()
        scene = Scene(folder, ROWS)
        scenes[action] = scene, perform(scene, action)
    for turn in range(number):
        action, kind = ACTIONS[turn % len(ACTIONS)], KINDS[turn // len(ACTIONS) % len(KINDS)]
        scene, disk = scenes[action]
        # First of all when everything was promised and nothing more has happened.
        step = int(rng.integers(len(disk.moments))) if turn >= len(ACTIONS) else len(disk.moments) - 1
        moment = disk.moments[step]
        try:
            ending = cut(scene, disk, action, moment, kind)
        except (AssertionError, Problem) as problem:
            raise AssertionError(f"{action}, {kind}, step {step} ({moment.step}): {problem}") from problem
        endings[action, ending] = endings.get((action, ending), 0) + 1
        if say and (turn + 1) % 50 == 0:
            say(f"{turn + 1} power cuts: {endings}", flush=True)
    return endings


def cut(scene, disk, action, moment, kind):
    """One power cut: the disk as it would be, and then the next call."""
    disk.restore(moment.after(kind))
    known, appended, expected = dict(scene.known), scene.appended, dict(scene.expected)
    try:
        return survived(scene, action, moment.step == "promised")
    finally:
        scene.known, scene.appended, scene.expected = known, appended, expected
