"""How much a piece of JSON holds, seen before anything is made of it.

A short link can unfold to a hundred thousand entries that belong nowhere, and each of them would become an error, a
sentence and a change. So whatever comes from outside is counted first: that takes a moment, however much it is.
"""

from math import inf
from typing import Any

MOST_PARTS = 5_000  # objects, lists and values of one scenario; the largest that a page makes has a fifth of it
DEEPEST = 40  # parts inside one another


def is_too_much(content: Any, most: int = MOST_PARTS, letters: float = inf) -> bool:
    """Whether a piece of JSON has more parts or letters than that, or too many parts inside one another."""
    level, found, written = [content], 0, 0
    for _ in range(DEEPEST):
        holders = [one for one in level if isinstance(one, dict | list | tuple)]
        found += len(level)
        if found + sum(map(len, holders)) > most:
            return True
        names = (name for one in holders if isinstance(one, dict) for name in one)
        written += sum(len(text) for text in (*names, *level) if isinstance(text, str))
        if written > letters:
            return True
        level = [part for one in holders for part in (one.values() if isinstance(one, dict) else one)]
        if not level:
            return False
    return True
