"""What many visitors ask for at the same time is computed once, and belongs to none of them.

The first who asks sets it going, outside of any page; everybody who asks meanwhile waits for the same. A visitor who
draws slowly, or leaves, keeps nobody waiting; when the last has left, it ends.
"""

import asyncio
import contextvars
from collections.abc import AsyncGenerator, Callable, Hashable, Iterator
from contextlib import aclosing
from typing import Any

from trustscope.app.work import compute

_flights: dict[Hashable, "Flight"] = {}


class Flight:
    """Something that is computed step by step, for all who follow it.

    Parameters
    ----------
    key : of all that it depends on
    steps : called once, for an iterator whose steps are computed in threads
    done : called with the last step when all are there, before anybody else can ask
    kind : of the threads
    """

    def __init__(
        self, key: Hashable, steps: Callable[[], Iterator[Any]], done: Callable[[Any], None], kind: str = "pass"
    ):
        self._key, self._steps, self._done, self._kind = key, steps, done, kind
        self._count, self._over = 0, False
        self._last: Any = None
        self._error: Exception | None = None
        self._news: asyncio.Future = asyncio.get_running_loop().create_future()
        self._followers = 0
        # In a context of its own: it is computed for no visitor, and is in nobody's log.
        self._task = asyncio.get_running_loop().create_task(self._fly(), context=contextvars.Context())

    async def _fly(self) -> None:
        try:
            steps = await compute(self._steps, kind=self._kind)
            while (step := await compute(next, steps, None, kind=self._kind)) is not None:
                self._count, self._last = self._count + 1, step
                self._tell()
            if self._count:
                self._done(self._last)
        except Exception as error:
            self._error = error
        finally:
            self._over = True
            self._leave()
            self._tell()

    def _leave(self) -> None:
        """Whoever asks from now on begins anew."""
        if _flights.get(self._key) is self:
            del _flights[self._key]

    def _tell(self) -> None:
        news, self._news = self._news, asyncio.get_running_loop().create_future()
        if not news.done():
            news.set_result(None)

    async def follow(self) -> AsyncGenerator[Any, None]:
        """The steps, as they come; of those that came while the last one was being drawn, only the newest."""
        self._followers += 1
        seen = 0
        try:
            while True:
                if self._count > seen:
                    seen = self._count
                    yield self._last
                elif self._over:
                    break
                else:
                    await asyncio.shield(self._news)
            if self._error is not None:
                raise self._error
        finally:
            self._followers -= 1
            if not self._followers and not self._over:
                self._leave()
                self._task.cancel()


def shared_steps(
    key: Hashable, steps: Callable[[], Iterator[Any]], done: Callable[[Any], None] = lambda last: None,
    kind: str = "pass",
) -> AsyncGenerator[Any, None]:  # fmt: skip
    """Follow what is computed under a key on this loop; it is begun where nobody has begun it (see `Flight`)."""
    place = asyncio.get_running_loop(), key
    flight = _flights.get(place)
    if flight is None:
        flight = _flights[place] = Flight(place, steps, done, kind)
    return flight.follow()


async def single_flight(key: Hashable, make: Callable[[], Any], kind: str = "pass") -> Any:
    """Compute `make()` in a thread, once for all who ask for the same key at the same time."""
    async with aclosing(shared_steps(key, lambda: iter([(make(),)]), kind=kind)) as made:
        async for (result,) in made:
            return result
