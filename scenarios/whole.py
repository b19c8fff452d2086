"""A scenario worked out over all rows, as far as a page would show it to whoever opens every view."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from trustscope.datasets import Dataset

Progress = Callable[[float, str], None]
Cancel = Callable[[], bool]


class Stopped(Exception):
    """Whoever asked for it wants it no more."""


class Loaded(NamedTuple):
    """Data, and a model of them: whoever asks for several scenarios of the same data keeps both."""

    data: Dataset
    model: Any


@dataclass(frozen=True, eq=False)
class Whole:
    """A scenario that fits its data, the data, a model of them, and the last picture of all that can be seen."""

    scenario: Any  # of the page's own kind, as are the model and the picture
    data: Dataset | None
    model: Any
    picture: Any

    @property
    def title(self) -> str:
        """What the data are called; nothing where a page has no data."""
        return "" if self.data is None else self.data.title


def last(
    pictures: Iterable[Any],
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    done: Callable[[Any], float] | None = None,
) -> Any:
    """The last of some pictures; `done(picture)` is how much of the work one stands for, from 0 to 1.

    Raises
    ------
    Stopped
        Where `cancel()` says so, which is asked before every picture.
    """
    picture = None
    for picture in pictures:
        stop(cancel)
        if progress is not None and done is not None:
            progress(done(picture), "")
    return picture


def stop(cancel: Cancel | None) -> None:
    """Go no further where nobody waits any more."""
    if cancel is not None and cancel():
        raise Stopped
