"""Rooms in one SQLite file that all processes of a server share; it lies in a private folder and goes with the server.

A file needs nobody who holds it: any process may die and be replaced, and the room goes on. The rollback journal, not
the write-ahead log, which old versions of SQLite can corrupt; nothing is forced to the disk, because a room does not
outlive the machine. What is deleted is overwritten.
"""

import json
import secrets
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from trustscope.app.classroom.room import (
    CLOSED,
    MOST_SEATS,
    Class,
    Room,
    RoomProblem,
    Seat,
    accepted,
    new_code,
    place_of,
)
from trustscope.app.classroom.table import Answers, table_of
from trustscope.lessons.course import Course
from trustscope.lessons.lesson import Try

FILE = "rooms.sqlite"
MOST_ROOMS = 50
UNUSED = 12 * 3600.0  # seconds after which a room that nobody is in is closed
AWAY = 6.0  # seconds without a sign after which a student is not there any more
MOST_KEPT = 5 * MOST_SEATS  # seats that are remembered, with those of students who are away
FULL = f"All {MOST_SEATS} seats of this room are taken."

SCHEMA = """
CREATE TABLE IF NOT EXISTS rooms (
    code TEXT PRIMARY KEY, key TEXT UNIQUE NOT NULL, course TEXT NOT NULL, step INTEGER NOT NULL DEFAULT 0,
    furthest TEXT NOT NULL DEFAULT '{}', together INTEGER NOT NULL DEFAULT 1, live INTEGER NOT NULL DEFAULT 0,
    opened INTEGER NOT NULL DEFAULT 0, paused INTEGER NOT NULL DEFAULT 0, until REAL, rounds TEXT NOT NULL DEFAULT '{}',
    news INTEGER NOT NULL DEFAULT 0, used REAL NOT NULL);
CREATE TABLE IF NOT EXISTS seats (
    room TEXT NOT NULL REFERENCES rooms ON DELETE CASCADE, seat TEXT NOT NULL, number INTEGER NOT NULL,
    step INTEGER NOT NULL, furthest TEXT NOT NULL, seen REAL NOT NULL, PRIMARY KEY (room, seat));
CREATE TABLE IF NOT EXISTS predictions (
    room TEXT NOT NULL, seat TEXT NOT NULL, name TEXT NOT NULL, round INTEGER NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (room, seat, name, round), FOREIGN KEY (room, seat) REFERENCES seats ON DELETE CASCADE);
CREATE TABLE IF NOT EXISTS goals (
    room TEXT NOT NULL, seat TEXT NOT NULL, step INTEGER NOT NULL,
    PRIMARY KEY (room, seat, step), FOREIGN KEY (room, seat) REFERENCES seats ON DELETE CASCADE);
"""
LED = ("step", "furthest", "together", "live", "opened", "paused", "until", "rounds")  # what a teacher changes
SWITCHES = ("together", "live", "opened", "paused")


class Busy(RuntimeError):
    """Another process is just writing to the file."""


class Opened(NamedTuple):
    """A new room: the code for students, and the key that makes its bearer the teacher."""

    code: str
    key: str


class Seated(NamedTuple):
    """What a student finds: the room, the own seat, what was predicted from there in the present rounds, and at which
    places a goal was reached."""

    room: Room
    seat: Seat
    predictions: dict[str, Any]
    reached: frozenset[int] = frozenset()


class Store:
    """The rooms of one server.

    Parameters
    ----------
    folder : private to the user who runs the server
    clock : seconds, the same for all processes; for the tests
    """

    def __init__(self, folder: Path | str, clock=time.time):
        self._path, self._clock = Path(folder) / FILE, clock
        self._here = threading.local()
        self._courses: dict[str, Course] = {}  # by code: what is taught in a room never changes
        with self._writing() as base:
            for statement in SCHEMA.split(";"):
                base.execute(statement)

    # Opening and closing

    def open(self, course: Course) -> Opened:
        """Open a room for what is to be taught."""
        made = Opened(new_code(), secrets.token_urlsafe(16))
        with self._writing() as base:
            base.execute("DELETE FROM rooms WHERE used < ?", [self._clock() - UNUSED])
            if base.execute("SELECT count(*) FROM rooms").fetchone()[0] >= MOST_ROOMS:
                raise RoomProblem(f"{MOST_ROOMS} rooms are open on this server: close one that is done.")
            row = [*made, course.model_dump_json(), self._clock()]
            base.execute("INSERT INTO rooms (code, key, course, used) VALUES (?, ?, ?, ?)", row)
        return made

    def close(self, code: str) -> None:
        """Close a room: nothing of it stays."""
        with self._writing() as base:
            base.execute("DELETE FROM rooms WHERE code = ?", [code])

    # Looking

    def room(self, code: str) -> Room | None:
        """The room of a code; None if there is none, or no longer."""
        return self._room(self._base, code)

    def look_up(self, *, code: str = "", key: str = "") -> str | None:
        """The code of the room that has this code, or this key; for a loop that serves everybody, so it never waits.

        Raises
        ------
        Busy
            A process that is stopped in the middle of writing holds the file for as long as it stands still.
        """
        try:
            row = self._looking.execute("SELECT code FROM rooms WHERE code = ? OR key = ?", [code, key]).fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            raise Busy from None
        return row[0] if row else None

    def key_of(self, code: str) -> str | None:
        """The teacher's key of a room."""
        row = self._base.execute("SELECT key FROM rooms WHERE code = ?", [code]).fetchone()
        return row[0] if row else None

    def news(self, code: str) -> int | None:
        """A number that changes with every prediction and every seat; None when the room is closed."""
        row = self._base.execute("SELECT news FROM rooms WHERE code = ?", [code]).fetchone()
        return row[0] if row else None

    def places(self, code: str) -> dict[int, int]:
        """By step how many students are there now."""
        query = "SELECT step, count(*) FROM seats WHERE room = ? AND seen > ? GROUP BY step"
        return dict(self._base.execute(query, [code, self._clock() - AWAY]))

    def class_of(self, code: str) -> Class:
        """What the teacher sees."""
        room = self.room(code)
        found: dict[tuple[str, int], list[Any]] = {}
        query = "SELECT name, round, value FROM predictions NATURAL JOIN seats WHERE room = ? ORDER BY number"
        for name, number, value in self._base.execute(query, [code]):
            found.setdefault((name, number), []).append(json.loads(value))
        rounds = {} if room is None else room.rounds
        names = {name for name, _ in found}
        reached = self._base.execute("SELECT step, count(*) FROM goals WHERE room = ? GROUP BY step", [code])
        return Class(
            self.places(code), {name: tuple(found.get((name, rounds.get(name, 1)), ())) for name in names},
            {name: tuple(found.get((name, 1), ())) for name in rounds}, dict(reached),
        )  # fmt: skip

    # The teacher

    def lead(self, code: str, step: int | None = None, together: bool | None = None) -> Room:
        """Go to a place with everybody, let everybody run, or gather them."""
        return self._change(code, lambda room: room.led(step, together))

    def set(self, code: str, **values: bool) -> Room:
        """Open or cover what is predicted (`opened`, `live`), or give everybody a pause (`paused`)."""
        changes: dict[str, Any] = {**values}
        return self._change(code, lambda room: replace(room, **changes))

    def ask_again(self, code: str) -> Room:
        """Ask the present question once more; what was predicted before is kept."""
        return self._change(code, Room.asked_again)

    def count_down(self, code: str, seconds: float | None) -> Room:
        """Start a countdown, or end it."""
        until = None if seconds is None else self._clock() + seconds
        return self._change(code, lambda room: replace(room, until=until))

    def left(self, room: Room) -> float:
        """How many seconds are left of the countdown."""
        return 0.0 if room.until is None else max(0.0, room.until - self._clock())

    def _change(self, code: str, change: Callable[[Room], Room]) -> Room:
        with self._writing() as base:
            room = self._existing(base, code)
            led = change(room)
            if led.together is not room.together or led.section != room.section:
                for seat, found in _seats(base, code):
                    after = found.followed(room, led)
                    if after != found:
                        base.execute("UPDATE seats SET step = ? WHERE room = ? AND seat = ?", [after.step, code, seat])
            values = [_column(getattr(led, name)) for name in LED]
            changes = ", ".join(f"{name} = ?" for name in LED)
            base.execute(f"UPDATE rooms SET {changes}, used = ? WHERE code = ?", [*values, self._clock(), code])
            if led.rounds != room.rounds:
                _changed(base, code)
        return led

    def table(self, code: str) -> pd.DataFrame:
        """A row for each seat and each step at which something is done: students are numbers, as they came."""
        room = self.room(code)
        if room is None:
            raise RoomProblem(CLOSED)
        found: dict[str, Answers] = {}
        query = "SELECT seat, number, furthest FROM seats WHERE room = ? ORDER BY number"
        for seat, number, furthest in self._base.execute(query, [code]):
            found[seat] = Answers(number, _mapping(furthest))
        query = "SELECT seat, name, round, value FROM predictions WHERE room = ?"
        for seat, name, number, value in self._base.execute(query, [code]):
            found[seat].predictions[name, number] = json.loads(value)
        for seat, step in self._base.execute("SELECT seat, step FROM goals WHERE room = ?", [code]):
            found[seat].reached.add(step)
        return table_of(room, list(found.values()))

    # Students

    def sit(self, code: str, seat: str) -> Seated:
        """Take a seat, or find one's own again; whoever is new lands on the present step."""
        with self._writing() as base:
            room = self._existing(base, code)
            found = _seat(base, code, seat)
            if found is None:
                self._make_room(base, code)
                found = Seat(max(room.step, 1))
                last = base.execute("SELECT coalesce(max(number), 0) FROM seats WHERE room = ?", [code]).fetchone()[0]
                row = [code, seat, last + 1, found.step, "{}", self._clock()]
                base.execute("INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?)", row)
                _changed(base, code)
            base.execute("UPDATE seats SET seen = ? WHERE room = ? AND seat = ?", [self._clock(), code, seat])
            query = "SELECT name, round, value FROM predictions WHERE room = ? AND seat = ?"
            rows = base.execute(query, [code, seat]).fetchall()
            before = {name: json.loads(value) for name, number, value in rows if number == room.round_of(name)}
            reached = base.execute("SELECT step FROM goals WHERE room = ? AND seat = ?", [code, seat]).fetchall()
        return Seated(room, found, before, frozenset(step for (step,) in reached))

    def _make_room(self, base, code: str) -> None:
        """Whoever has left takes no seat from others; what they predicted is kept, and is there when they come back.

        Else whoever takes all seats once, with a prediction each, would keep the class out for good. Of too many that
        are remembered the one with the fewest predictions goes, and of those the one that has been away longest.
        """
        away = self._clock() - AWAY
        count = "SELECT count(*) FROM seats WHERE room = ? AND seen > ?"
        if base.execute(count, [code, away]).fetchone()[0] >= MOST_SEATS:
            raise RoomProblem(FULL)
        beyond = base.execute(count, [code, float("-inf")]).fetchone()[0] - MOST_KEPT + 1
        if beyond > 0:
            made = "SELECT count(*) FROM predictions p WHERE p.room = seats.room AND p.seat = seats.seat"
            fewest = f"SELECT seat FROM seats WHERE room = ? AND seen <= ? ORDER BY ({made}), seen LIMIT ?"
            base.execute(f"DELETE FROM seats WHERE room = ? AND seat IN ({fewest})", [code, code, away, beyond])

    def walk(self, code: str, seat: str, step: int) -> Seat:
        """A student goes to a step alone; only while students run freely."""
        with self._writing() as base:
            room, before = self._existing(base, code), _seated(base, code, seat)
            if room.together:
                return Seat(place_of(room, before), before.furthest)
            after = before.moved(room, step)
            base.execute(
                "UPDATE seats SET step = ?, furthest = ? WHERE room = ? AND seat = ?",
                [after.step, _column(after.furthest), code, seat],
            )
        return after

    def reach(self, code: str, seat: str, step: int) -> None:
        """A student has reached the goal of what is to be tried at a place."""
        with self._writing() as base:
            room = self._existing(base, code)
            _seated(base, code, seat)
            if isinstance(room.course.step(step), Try):
                done = base.execute("INSERT OR IGNORE INTO goals VALUES (?, ?, ?)", [code, seat, step])
                if done.rowcount:
                    _changed(base, code)

    def predict(self, code: str, seat: str, name: Any, value: Any) -> Any:
        """Keep a prediction, in place of an earlier one; what is kept, or a RoomProblem that says why not."""
        with self._writing() as base:
            room = self._existing(base, code)
            kept = accepted(room, _seated(base, code, seat), name, value)
            base.execute(
                "INSERT INTO predictions VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
                [code, seat, name, room.round_of(name), json.dumps(kept)],
            )
            _changed(base, code)
        return kept

    def beat(self, code: str, seats: Iterable[str]) -> None:
        """These students are there."""
        now = self._clock()
        with self._writing() as base:
            base.execute("UPDATE rooms SET used = ? WHERE code = ?", [now, code])
            rows = [[now, code, seat] for seat in seats]
            base.executemany("UPDATE seats SET seen = ? WHERE room = ? AND seat = ?", rows)

    # The file

    def _room(self, base: sqlite3.Connection, code: str) -> Room | None:
        row = base.execute(f"SELECT {', '.join(LED)} FROM rooms WHERE code = ?", [code]).fetchone()
        if row is None:
            self._courses.pop(code, None)
            return None
        if code not in self._courses:
            text = base.execute("SELECT course FROM rooms WHERE code = ?", [code]).fetchone()[0]
            self._courses[code] = Course.model_validate_json(text)
        found = dict(zip(LED, row, strict=True)) | {"furthest": _mapping(row[1]), "rounds": json.loads(row[-1])}
        values: dict[str, Any] = {k: bool(v) if k in SWITCHES else v for k, v in found.items()}
        return Room(code, self._courses[code], **values)

    def _existing(self, base: sqlite3.Connection, code: str) -> Room:
        room = self._room(base, code)
        if room is None:
            raise RoomProblem(CLOSED)
        return room

    @property
    def _base(self) -> sqlite3.Connection:
        """A connection for each thread."""
        if not hasattr(self._here, "base"):
            base = sqlite3.connect(self._path, timeout=20.0, isolation_level=None)
            for pragma in ("journal_mode = TRUNCATE", "synchronous = OFF", "foreign_keys = ON", "secure_delete = ON"):
                base.execute(f"PRAGMA {pragma}").fetchall()
            self._here.base = base
        return self._here.base

    @property
    def _looking(self) -> sqlite3.Connection:
        """One that only reads and does not wait, for each thread."""
        if not hasattr(self._here, "looking"):
            self._here.looking = sqlite3.connect(self._path, timeout=0.0, isolation_level=None)
        return self._here.looking

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Whatever is done in it is done whole and alone, or not at all."""
        base = self._base
        base.execute("BEGIN IMMEDIATE")
        try:
            yield base
            base.execute("COMMIT")
        except BaseException:
            self._roll_back(base)
            raise

    def _roll_back(self, base: sqlite3.Connection) -> None:
        """Also after a COMMIT that failed (a full disk): left open, it would lock the file for everybody, for ever."""
        try:
            if base.in_transaction:
                base.execute("ROLLBACK")
        except sqlite3.Error:  # closing it ends whatever it holds; this thread gets another one
            base.close()
            del self._here.base


def remove(folder: str | None) -> None:
    """Remove the folder with all rooms: nothing is kept when the server has stopped."""
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


@cache
def shared(folder: str) -> Store:
    """The rooms of the server that this process belongs to."""
    return Store(folder)


def _seats(base, code: str) -> list[tuple[str, Seat]]:
    rows = base.execute("SELECT seat, step, furthest FROM seats WHERE room = ?", [code]).fetchall()
    return [(seat, Seat(step, _mapping(furthest))) for seat, step, furthest in rows]


def _seat(base, code: str, seat: str) -> Seat | None:
    row = base.execute("SELECT step, furthest FROM seats WHERE room = ? AND seat = ?", [code, seat]).fetchone()
    return Seat(row[0], _mapping(row[1])) if row else None


def _seated(base, code: str, seat: str) -> Seat:
    found = _seat(base, code, seat)
    if found is None:
        raise RoomProblem("Nobody sits here any more: open the address of the room again.")
    return found


def _changed(base, code: str) -> None:
    base.execute("UPDATE rooms SET news = news + 1 WHERE code = ?", [code])


def _column(value: Any) -> Any:
    """A value as a column holds it."""
    return json.dumps(value) if isinstance(value, Mapping) else value


def _mapping(text: str) -> dict[int, int]:
    """By section the furthest place; JSON has texts for names."""
    return {int(name): value for name, value in json.loads(text).items()}
