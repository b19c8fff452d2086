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
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
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
    lesson_of,
    new_code,
    place_of,
)
from trustscope.lessons import prediction
from trustscope.lessons.lesson import Lesson
from trustscope.lessons.text import shown

FILE = "rooms.sqlite"
MOST_ROOMS = 50
UNUSED = 12 * 3600.0  # seconds after which a room that nobody is in is closed
AWAY = 6.0  # seconds without a sign after which a student is not there any more
FULL = f"All {MOST_SEATS} seats of this room are taken."

SCHEMA = """
CREATE TABLE IF NOT EXISTS rooms (
    code TEXT PRIMARY KEY, key TEXT UNIQUE NOT NULL, lesson TEXT NOT NULL, step INTEGER NOT NULL DEFAULT 0,
    furthest INTEGER NOT NULL DEFAULT 0, together INTEGER NOT NULL DEFAULT 1, news INTEGER NOT NULL DEFAULT 0,
    used REAL NOT NULL);
CREATE TABLE IF NOT EXISTS seats (
    room TEXT NOT NULL REFERENCES rooms ON DELETE CASCADE, seat TEXT NOT NULL, number INTEGER NOT NULL,
    step INTEGER NOT NULL, furthest INTEGER NOT NULL, seen REAL NOT NULL, PRIMARY KEY (room, seat));
CREATE TABLE IF NOT EXISTS predictions (
    room TEXT NOT NULL, seat TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (room, seat, name), FOREIGN KEY (room, seat) REFERENCES seats ON DELETE CASCADE);
"""


class Opened(NamedTuple):
    """A new room: the code for students, and the key that makes its bearer the teacher."""

    code: str
    key: str


class Seated(NamedTuple):
    """What a student finds: the room, the own seat, and what was predicted from there before."""

    room: Room
    seat: Seat
    predictions: dict[str, Any]


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
        with self._writing() as base:
            for statement in SCHEMA.split(";"):
                base.execute(statement)

    # Opening and closing

    def open(self, lesson: Lesson) -> Opened:
        """Open a room for a lesson."""
        made = Opened(new_code(), secrets.token_urlsafe(16))
        with self._writing() as base:
            base.execute("DELETE FROM rooms WHERE used < ?", [self._clock() - UNUSED])
            if base.execute("SELECT count(*) FROM rooms").fetchone()[0] >= MOST_ROOMS:
                raise RoomProblem(f"{MOST_ROOMS} rooms are open on this server: close one that is done.")
            row = [*made, lesson.model_dump_json(), self._clock()]
            base.execute("INSERT INTO rooms (code, key, lesson, used) VALUES (?, ?, ?, ?)", row)
        return made

    def close(self, code: str) -> None:
        """Close a room: nothing of it stays."""
        with self._writing() as base:
            base.execute("DELETE FROM rooms WHERE code = ?", [code])

    # Looking

    def room(self, code: str) -> Room | None:
        """The room of a code; None if there is none, or no longer."""
        return _room(self._base, code)

    def code_of(self, key: str) -> str | None:
        """The code of the room whose teacher has this key."""
        row = self._base.execute("SELECT code FROM rooms WHERE key = ?", [key]).fetchone()
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
        found: dict[str, list[Any]] = {}
        query = "SELECT name, value FROM predictions NATURAL JOIN seats WHERE room = ? ORDER BY number"
        for name, value in self._base.execute(query, [code]):
            found.setdefault(name, []).append(json.loads(value))
        return Class(self.places(code), {name: tuple(values) for name, values in found.items()})

    # The teacher

    def lead(self, code: str, step: int | None = None, together: bool | None = None) -> Room:
        """Go to a step with everybody, let everybody run, or gather them."""
        with self._writing() as base:
            room = _existing(base, code)
            led = room.led(step, together)
            if room.together and not led.together:  # they begin to run where they stand
                base.execute("UPDATE seats SET step = ? WHERE room = ?", [led.step, code])
            base.execute(
                "UPDATE rooms SET step = ?, furthest = ?, together = ?, used = ? WHERE code = ?",
                [led.step, led.furthest, led.together, self._clock(), code],
            )
        return led

    def table(self, code: str) -> pd.DataFrame:
        """Everything that was predicted, a row each: students are numbers, in the order in which they came."""
        room = self.room(code)
        if room is None:
            raise RoomProblem(CLOSED)
        query = "SELECT number, name, value FROM predictions NATURAL JOIN seats WHERE room = ? ORDER BY name, number"
        rows = []
        for number, name, text in self._base.execute(query, [code]):
            question, value = room.lesson.question(name), json.loads(text)
            truth, close = prediction.truth(question), prediction.is_close(question, value)
            rows.append((number, name, shown(question.ask), _cell(value), _cell(truth), "yes" if close else "no"))
        return pd.DataFrame(rows, columns=["student", "prediction of", "question", "predicted", "truth", "close"])

    # Students

    def sit(self, code: str, seat: str) -> Seated:
        """Take a seat, or find one's own again; whoever is new lands on the present step."""
        with self._writing() as base:
            room = _existing(base, code)
            found = _seat(base, code, seat)
            if found is None:
                self._make_room(base, code)
                found = Seat(max(room.step, 1))
                last = base.execute("SELECT coalesce(max(number), 0) FROM seats WHERE room = ?", [code]).fetchone()[0]
                row = [code, seat, last + 1, found.step, found.furthest, self._clock()]
                base.execute("INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?)", row)
                _changed(base, code)
            base.execute("UPDATE seats SET seen = ? WHERE room = ? AND seat = ?", [self._clock(), code, seat])
            query = "SELECT name, value FROM predictions WHERE room = ? AND seat = ?"
            before = {name: json.loads(value) for name, value in base.execute(query, [code, seat])}
        return Seated(room, found, before)

    def _make_room(self, base, code: str) -> None:
        """Whoever left without a prediction leaves a free seat when all are taken."""
        count = "SELECT count(*) FROM seats WHERE room = ?"
        if base.execute(count, [code]).fetchone()[0] < MOST_SEATS:
            return
        base.execute(
            "DELETE FROM seats WHERE room = ? AND seen <= ? AND NOT EXISTS "
            "(SELECT 1 FROM predictions p WHERE p.room = seats.room AND p.seat = seats.seat)",
            [code, self._clock() - AWAY],
        )
        if base.execute(count, [code]).fetchone()[0] >= MOST_SEATS:
            raise RoomProblem(FULL)

    def walk(self, code: str, seat: str, step: int) -> Seat:
        """A student goes to a step alone; only while students run freely."""
        with self._writing() as base:
            room, before = _existing(base, code), _seated(base, code, seat)
            if room.together:
                return Seat(place_of(room, before), before.furthest)
            after = before.moved(room.lesson, step)
            base.execute(
                "UPDATE seats SET step = ?, furthest = ? WHERE room = ? AND seat = ?",
                [after.step, after.furthest, code, seat],
            )
        return after

    def predict(self, code: str, seat: str, name: Any, value: Any) -> Any:
        """Keep a prediction, in place of an earlier one; what is kept, or a RoomProblem that says why not."""
        with self._writing() as base:
            kept = accepted(_existing(base, code), _seated(base, code, seat), name, value)
            base.execute(
                "INSERT INTO predictions VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
                [code, seat, name, json.dumps(kept)],
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

    @property
    def _base(self) -> sqlite3.Connection:
        """A connection for each thread."""
        if not hasattr(self._here, "base"):
            base = sqlite3.connect(self._path, timeout=20.0, isolation_level=None)
            for pragma in ("journal_mode = TRUNCATE", "synchronous = OFF", "foreign_keys = ON", "secure_delete = ON"):
                base.execute(f"PRAGMA {pragma}").fetchall()
            self._here.base = base
        return self._here.base

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Whatever is done in it is done whole and alone, or not at all."""
        base = self._base
        base.execute("BEGIN IMMEDIATE")
        try:
            yield base
        except BaseException:
            base.execute("ROLLBACK")
            raise
        base.execute("COMMIT")


def remove(folder: str | None) -> None:
    """Remove the folder with all rooms: nothing is kept when the server has stopped."""
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


@cache
def shared(folder: str) -> Store:
    """The rooms of the server that this process belongs to."""
    return Store(folder)


def _room(base, code: str) -> Room | None:
    query = "SELECT code, lesson, step, furthest, together FROM rooms WHERE code = ?"
    row = base.execute(query, [code]).fetchone()
    return Room(row[0], lesson_of(row[1]), row[2], row[3], bool(row[4])) if row else None


def _existing(base, code: str) -> Room:
    room = _room(base, code)
    if room is None:
        raise RoomProblem(CLOSED)
    return room


def _seat(base, code: str, seat: str) -> Seat | None:
    row = base.execute("SELECT step, furthest FROM seats WHERE room = ? AND seat = ?", [code, seat]).fetchone()
    return Seat(*row) if row else None


def _seated(base, code: str, seat: str) -> Seat:
    found = _seat(base, code, seat)
    if found is None:
        raise RoomProblem("Nobody sits here any more: open the address of the room again.")
    return found


def _changed(base, code: str) -> None:
    base.execute("UPDATE rooms SET news = news + 1 WHERE code = ?", [code])


def _cell(value: Any) -> Any:
    """A prediction in one cell of a table."""
    if isinstance(value, list):
        return "; ".join(one if isinstance(one, str) else f"{one:.6g}" for one in value)
    return value
