"""Remembering what was computed not long ago."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

_T = TypeVar("_T")


class Memo:
    """The last `most` results by key; a full pass in a thread and a preview on the page may both ask.

    Two who ask at once for what is not there may both compute it: neither waits for the other.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[type["Memo"], tuple[int]]:
        """Copied, or sent to another process, it remembers nothing."""
        return type(self), (self._most,)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._kept

    def get(self, key: Hashable) -> Any:
        """What was made for this key, or None."""
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key]

    def __call__(self, key: Hashable, make: Callable[[], _T]) -> _T:
        """What was made for this key, or is made now by `make()`."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                known: _T = self._kept[key]
                return known
        made = make()
        with self._lock:
            self._kept[key] = made
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return made
