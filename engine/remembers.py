"""What draws each copy given those that are out: there is one of it, wherever it is handed to."""

from typing import Any, NoReturn, Self

from trustscope.errors import TrustscopeError

__all__ = ["Remembers"]


class Remembers:
    """A release whose next copy depends on those before it.

    Two of them with one key would each give out copies that the other does not know of, and such copies together say
    more than their scheme allows. So a copy of the object is the object itself, and it is not sent to other processes.
    """

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> NoReturn:
        raise TrustscopeError(
            f"A {type(self).__name__} remembers which copies are out, and holds the key and the data: it cannot be "
            "pickled. Send the copies instead, or ask for all of them in one process."
        )
