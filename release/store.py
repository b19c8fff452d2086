"""The SQLite file of a ledger: events and digests, added and never changed.

Rollback journal and the strictest syncing: the write-ahead mode of SQLite before 3.51.3 can corrupt, and a ledger
writes seldom. Triggers refuse to change or delete what is written. Beside the file stands a note, renewed after every
commit: the file's digest, so that a flipped bit is found even where it means nothing, and the head of the chain under
a seal, so that whoever cuts off the last events cannot write a note that fits. A crash between the two leaves the note
one commit behind, which the chain of events explains.
"""

import contextlib
import datetime
import hashlib
import hmac
import json
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from trustscope.release import chain
from trustscope.release.problems import Problem, from_os_error
from trustscope.release.types import PathLike

APPLICATION = 0x54727374  # "Trst"
FILE, SUM = "ledger.sqlite", "ledger.sum"
PRIVATE = 0o600  # of the ledger's files, its key and backups: for nobody but their owner
PATIENCE = 10  # seconds to wait for another program that writes to the file
_LOCKED = "raise(abort, 'a ledger only grows')"
# One entry for each version of the layout: what leads to it from the one before.
MIGRATIONS = (
    (
        "create table event (number integer primary key, time text not null, kind text not null, body text not null,"
        " digest text not null, seal text not null) strict",
        "create table unit (version integer not null, number integer not null, column integer not null,"
        " digest blob not null, primary key (version, number, column)) strict, without rowid",
        f"create trigger event_update before update on event begin select {_LOCKED}; end",
        f"create trigger event_delete before delete on event begin select {_LOCKED}; end",
        f"create trigger unit_update before update on unit begin select {_LOCKED}; end",
        f"create trigger unit_delete before delete on unit begin select {_LOCKED}; end",
    ),
    # Behind a digest stand words that find a changed cell (`locating`): nothing to do, but older programs must stop.
    (),
)
VERSION = len(MIGRATIONS)


class Store:
    """The events and digests of one ledger.

    Parameters
    ----------
    folder : path-like
    new : bool
        Make the file; otherwise it must be there.
    """

    def __init__(self, folder: PathLike, *, new: bool = False) -> None:
        self.folder = Path(folder)
        self._file = self.folder / FILE
        self._seal: str | None = None  # of the head of the chain, since the last event that was added here
        self._seen: dict[bool, list[chain.Event]] = {}  # events that were checked, by whether their seals were
        # The page looks from several threads, and leaves while one of them still looks: SQLite itself would crash.
        self._lock, self._closed = threading.RLock(), False
        if not new and not self._file.exists():
            raise Problem(f"There is no ledger at {folder}; create one, or give the folder of another.")
        with self._words():
            self._open(new)

    def _open(self, new: bool) -> None:
        mode = "rwc" if new else "rw" if os.access(self._file, os.W_OK) else "ro"
        if new:
            os.close(os.open(self._file, os.O_CREAT | os.O_RDWR, PRIVATE))
        address = f"{self._file.resolve().as_uri()}?mode={mode}"
        self._base = sqlite3.connect(address, uri=True, isolation_level=None, timeout=PATIENCE, check_same_thread=False)
        for setting in ("journal_mode=delete", "synchronous=extra", "trusted_schema=off", "cell_size_check=on"):
            self._base.execute(f"pragma {setting}").fetchall()
        (application,) = self._base.execute("pragma application_id").fetchone()
        (version,) = self._base.execute("pragma user_version").fetchone()
        if not new and application != APPLICATION:
            raise Problem(f"The file {self._file} is not a ledger of Trustscope.")
        if version > VERSION:
            raise Problem(
                f"The ledger was written by a newer Trustscope (layout {version}, this one knows {VERSION}); update it."
            )
        if version < VERSION and (mode != "ro" or any(MIGRATIONS[version:])):
            with self.writing():
                for number in range(version, VERSION):
                    for statement in MIGRATIONS[number]:
                        self._base.execute(statement)
                self._base.execute(f"pragma application_id={APPLICATION}")
                self._base.execute(f"pragma user_version={VERSION}")

    def close(self) -> None:
        """Let go of the file, when whoever reads it just now has ended."""
        with self._lock:
            self._closed = True
            self._base.close()

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction: all of it or nothing, and then the file's new digest."""
        with self._words():
            self._base.execute("begin immediate")
            try:
                yield
                self._base.execute("commit")
            except BaseException:
                if self._base.in_transaction:
                    self._base.execute("rollback")
                raise
            self._write_sum()

    def add(self, kind: str, body: Mapping[str, object], key: bytes | None) -> chain.Event:
        """Add one event, within `writing`; returns it."""
        last = self._base.execute("select number, time, digest from event order by number desc limit 1").fetchone()
        number, before, previous = (last[0] + 1, last[1], last[2]) if last else (1, "", chain.START)
        now = clock().isoformat(timespec="microseconds")
        if now < before:
            raise Problem(f"The clock went back: it is {now}, but the last entry is of {before}; set the clock first.")
        text = chain.text(body)
        digest = chain.digest(previous, number, now, kind, text)
        event = chain.Event(number, now, kind, json.loads(text), digest, chain.seal(key, digest))
        self._base.execute("insert into event values (?, ?, ?, ?, ?, ?)", (*event[:3], text, *event[4:]))
        self._seal = _head_seal(key, number, digest)
        return event

    def events(self, key: bytes | None = None, *, anew: bool = False) -> list[chain.Event]:
        """All events, after following the chain; and the seals, with a key. What was checked before, only `anew`."""
        sealed = key is not None
        known = [] if anew else self._seen.get(sealed) or self._seen.get(True) or []
        with self._words():
            rows = self._base.execute(
                "select number, time, kind, body, digest, seal from event where number > ? order by number",
                (len(known),),
            )
            self._seen[sealed] = known + chain.follow(rows.fetchall(), key, known)
        return list(self._seen[sealed])

    def add_units(self, version: int, digests: Iterable[tuple[int, Sequence[bytes]]]) -> None:
        """Keep digests of the data by unit and column for the event `version`, within `writing`."""
        rows = ((version, unit, place, one) for unit, row in digests for place, one in enumerate(row))
        self._base.executemany("insert into unit values (?, ?, ?, ?)", rows)

    def units(self, versions: Sequence[int]) -> list[list[bytes]]:
        """The digests of the data as of the last of `versions`, a list of rows of digests by unit."""
        with self._words():
            marks = ",".join("?" * len(versions))
            rows = self._base.execute(
                f"select number, column, digest from unit where version in ({marks}) order by version, number, column",
                list(versions),
            ).fetchall()
        latest: dict[int, dict[int, bytes]] = {}
        for number, column, digest in rows:
            latest.setdefault(number, {})[column] = digest
        return [[columns[place] for place in sorted(columns)] for _, columns in sorted(latest.items())]

    def intact(self) -> str | None:
        """Say what is wrong with the file itself, if anything is; returns a note where a crash explains it."""
        with self._words():
            answer = self._base.execute("pragma integrity_check").fetchall()
            if answer != [("ok",)]:
                raise Problem(f"The file {self._file} is damaged: {answer[0][0]}.")
            found = {row[0] for row in self._base.execute("select sql from sqlite_master where sql is not null")}
            if found != {statement for migration in MIGRATIONS for statement in _as_stored(migration)}:
                raise Problem("The tables or triggers of the ledger have been changed.")
            return self._compare_sum()

    def _compare_sum(self) -> str | None:
        path = self.folder / SUM
        noted, head = read_exactly(path), self._head()
        if noted == {**head, "sha256": _digest(self._file), "seal": noted.get("seal")}:
            return None
        rows = self._base.execute("select digest from event where number = ?", (noted.get("events"),)).fetchone()
        if rows and rows[0] == noted.get("head") and rows[0] != head["head"]:
            return "The digest of the ledger's file was one entry behind, as after a crash."
        raise Problem(f"The file {self._file} is not the one whose digest was noted in {path}.")

    def check_seal(self, key: bytes) -> None:
        """Say so if the noted head of the chain was not written with the ledger's key."""
        noted = read_exactly(self.folder / SUM)
        right = _head_seal(key, noted.get("events"), noted.get("head"))
        if not hmac.compare_digest(str(noted.get("seal")), right):
            raise Problem("The ledger has been changed: its last event was not noted with this ledger's key.")

    def _head(self) -> dict[str, Any]:
        last = self._base.execute("select number, digest from event order by number desc limit 1").fetchone()
        return {"events": last[0], "head": last[1]} if last else {"events": 0, "head": chain.START}

    def _write_sum(self) -> None:
        path = self.folder / SUM
        # Bringing the layout up to date adds no event: the seal stays.
        seal = self._seal or (read_exactly(path).get("seal") if path.exists() else "")
        write_durably(path, chain.text({**self._head(), "sha256": _digest(self._file), "seal": seal}).encode())

    @contextlib.contextmanager
    def _words(self) -> Iterator[None]:
        """One thread at a time, and a sentence for whatever goes wrong."""
        with self._lock, self._sqlite_problems():
            if self._closed:
                raise Problem(f"The ledger in {self.folder} was closed; open it again.")
            yield

    @contextlib.contextmanager
    def _sqlite_problems(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise Problem(
                    "The ledger is being written to by another program; try again when it has ended."
                ) from None
            if "readonly" in str(error) or "unable to open" in str(error):
                raise Problem(f"The folder {self.folder} cannot be written to; change its rights.") from None
            if "full" in str(error):
                raise Problem("There is no room left on the disk for the ledger; free some and try again.") from None
            if "disk I/O" in str(error):
                raise Problem(
                    f"The disk refused the ledger in {self.folder}; see whether there is room left on it, and whether "
                    "it is sound, then try again."
                ) from None
            raise Problem(f"The ledger in {self.folder} cannot be read: {error}.") from None
        except (sqlite3.Error, UnicodeDecodeError, json.JSONDecodeError) as error:
            raise Problem(f"The ledger in {self.folder} is damaged: {error}.") from None


def _head_seal(key: bytes | None, number: int | None, digest: str | None) -> str:
    return chain.seal(key, chain.text(["head", number, digest]))


def _as_stored(statements: Iterable[str]) -> list[str]:
    """What SQLite keeps of statements that create something."""
    return [
        statement.replace("create table ", "CREATE TABLE ").replace("create trigger ", "CREATE TRIGGER ")
        for statement in statements
    ]


def clock() -> datetime.datetime:
    """The time now, in UTC."""
    return datetime.datetime.now(datetime.UTC)


def _digest(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_exactly(path: Path) -> dict[str, Any]:
    """The plain value in a file that must be spelled in the one way that `chain.text` has."""
    try:
        raw = path.read_bytes()
        value = json.loads(raw)
        if chain.text(value).encode() != raw or not isinstance(value, dict):
            raise ValueError
    except FileNotFoundError:
        raise Problem(f"The file {path} is missing from the ledger.") from None
    except (ValueError, UnicodeDecodeError):
        raise Problem(f"The file {path} is damaged.") from None
    return value


def write_durably(path: PathLike, content: bytes, what: str = "the ledger", mode: int = PRIVATE) -> None:
    """Write a whole file so that after a crash there is either the old or the new one.

    Parameters
    ----------
    path : path-like
    content : bytes
    what : str
        For sentences.
    mode : int
        Who may read and write it, less what the system's mask takes away.
    """
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with open(temporary, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
        sync_folder(path.parent)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise from_os_error(error, what) from None


def make_private(folder: Path) -> None:
    """Take the rights to a ledger's files from everybody but their owner: older versions left them to the mask."""
    for path in folder.iterdir():
        if path.is_file() and path.stat().st_mode & 0o077 and path.name.startswith(("ledger.", "key.")):
            with contextlib.suppress(PermissionError):  # whoever may write here need not own what is here
                path.chmod(PRIVATE)


def sync_folder(folder: PathLike) -> None:
    """Make renames in a folder last through a crash."""
    if os.name == "posix":
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
