"""Many snapshots in little room: what is the same at several positions stands there once.

Every property of every part is a column with its different values and, for each position, which of them stands there.
Figures stay as the page has them. Long rows of numbers, which are curves, are rounded to a thousandth of their largest
value: less than a line is thick.
"""

import base64
import gzip
import json
from collections.abc import Iterable
from typing import Any

import numpy as np

from trustscope.handouts.explorable.record import Snapshot

LEVELS = 1_000  # of the largest value of a curve
TOLERANCE = 0.5 / LEVELS  # of the largest value: how far a drawn curve may be from the page's own
CURVE = 24  # numbers from which on a list is a curve
EVEN = 1e-4  # of the largest: evenly spaced numbers are even to within the digits that pages send
SEEN = "$seen"


def columns(snapshots: Iterable[Snapshot]) -> list[dict[str, Any]]:
    """The columns of some snapshots: path, values, and for each position the place of its value.

    Parts that are dictionaries have a column for each entry. A position at which something is not there has the place
    -1.
    """
    found: dict[tuple[str, ...], tuple[dict[str, int], list[Any], list[int]]] = {}
    many = 0
    for many, snapshot in enumerate(snapshots, start=1):
        for path, value in _entries(snapshot):
            known, values, places = found.setdefault(path, ({}, [], []))
            places.extend([-1] * (many - 1 - len(places)))
            text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
            if text not in known:
                known[text] = len(values)
                values.append(packed(value))
            places.append(known[text])
    return [
        {"path": list(path), "values": values, "places": _places(places + [-1] * (many - len(places)))}
        for path, (_, values, places) in found.items()
    ]


def _places(places: list[int]) -> list[int]:
    """Nothing where there is one value everywhere."""
    return [] if not any(places) else places


def _entries(snapshot: Snapshot) -> Iterable[tuple[tuple[str, ...], Any]]:
    for part, properties in snapshot.items():
        yield (part, SEEN), True
        for name, value in properties.items():
            if isinstance(value, dict) and value:
                for inner, one in value.items():
                    yield (part, name, str(inner)), one
            else:
                yield (part, name), value


def packed(value: Any) -> Any:
    """A value as it is kept: a curve as whole numbers, each less the one before it."""
    if not isinstance(value, list) or len(value) < CURVE or not all(isinstance(one, int | float) for one in value):
        return value
    numbers = np.asarray(value, dtype=float)
    top = float(np.abs(numbers).max())
    if top and np.abs(numbers - np.linspace(numbers[0], numbers[-1], len(numbers))).max() <= EVEN * top:
        return {"$line": [float(numbers[0]), float(numbers[-1]), len(numbers)]}
    if not top:
        return {"$curve": 0, "by": [0] * len(numbers)}
    whole = np.round(numbers / top * LEVELS).astype(int)
    return {"$curve": float(f"{top / LEVELS:.9g}"), "by": np.diff(whole, prepend=0).tolist()}


def text_of(content: Any) -> str:
    """JSON, compressed, as text that can stand in HTML; the same content gives the same text."""
    plain = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    return base64.b64encode(gzip.compress(plain, 9, mtime=0)).decode()
