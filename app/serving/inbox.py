"""What browsers have sent and what is not yet a whole message: so much for one connection, so much for a process.

A message of Bokeh's is a header, two more parts and as many pieces of data as the header names, each in two parts. It
is kept until its last part is here, so whoever names a million pieces makes the server keep all that they send.
"""

import time
import weakref
from collections import deque

MB = 1_000_000
PARTS = 3 + 2 * 16  # of one message; ours have one piece of data at most
LARGEST_PART = 8 * MB  # files come in pieces of 4 MB at most
# A text of a million characters is the most that pages send: a lesson, or a scenario's file. The lessons that a browser
# kept come with the one that is being written, 2.1 million together at the very most.
LARGEST_TEXT = 4 * MB
# Values in a text. What each of them costs is nearly the same, however short it is: 100 000 take a tenth of a second
# from everybody. A lesson of thirty steps has two thousand.
MOST_VALUES = 100_000
MOST = 16 * MB  # of one connection
MOST_OF_ALL = 200 * MB  # of all connections of a process
LATELY = 120.0  # seconds for which what was sent counts as something that may still be kept
TOGETHER = 1.0  # seconds of what was sent that are counted as one: a slider that is dragged sends hundreds of parts

TOO_LARGE = "This page has sent more at once than the server takes. Reload it."
TOO_MUCH = "The server takes no more at present, and this page has sent the most. Reload it in a minute."


class Inbox:
    """The unfinished message of one connection, and how much has come lately.

    Parameters
    ----------
    owner : the connection
    """

    def __init__(self, owner, clock=time.monotonic):
        self._owner, self._clock = weakref.ref(owner), clock
        self.size = self.parts = 0
        self._lately: deque[list] = deque()  # of each second when it began, and its bytes
        self._sum = 0
        _all.add(self)

    def add(self, part: str | bytes) -> bool:
        """One more part has come; whether that is still allowed."""
        self.size += len(part)
        self.parts += 1
        now = self._clock()
        if not self._lately or now - self._lately[-1][0] > TOGETHER:
            self._forget(now)
            self._lately.append([now, 0])
        self._lately[-1][1] += len(part)
        self._sum += len(part)
        return self.size <= MOST and self.parts <= PARTS and (isinstance(part, bytes) or readable(part))

    def clear(self) -> None:
        """The message is whole, or nobody waits for the rest."""
        self.size = self.parts = 0

    def lately(self) -> int:
        """Bytes that have come in the last two minutes: of a file, say, whose end has not come."""
        self._forget(self._clock())
        return self._sum

    def _forget(self, now: float) -> None:
        while self._lately and self._lately[0][0] < now - LATELY:
            self._sum -= self._lately.popleft()[1]


def readable(text: str) -> bool:
    """Whether a text is one that may be read as JSON: neither too long, nor of too many values."""
    if len(text) > LARGEST_TEXT:
        return False
    if _separators(text) <= MOST_VALUES:
        return True
    # What stands in quotes is one value, such as a file of somebody's with many commas.
    bare = text.replace("\\\\", "").replace('\\"', "")
    return bare.count('"') <= 4 * MOST_VALUES and _separators("".join(bare.split('"')[::2])) <= MOST_VALUES


def _separators(text):
    return text.count(",") + text.count("[") + text.count("{")


_all: weakref.WeakSet[Inbox] = weakref.WeakSet()


def fullest():
    """The connection whose unfinished message is the largest, if all of them together are too large."""
    if sum(one.size for one in _all) <= MOST_OF_ALL:
        return None
    return max(_all, key=lambda one: one.size)._owner()
