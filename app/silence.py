"""Setting a control without anybody hearing of it, for as long as that takes and no longer."""


class Silence:
    """Counts who asked for silence. Use it as a context: it ends whatever happens inside, and contexts may nest.

    >>> silence = Silence()
    >>> with silence:
    ...     bool(silence)
    True
    >>> bool(silence)
    False
    """

    def __init__(self) -> None:
        self._depth = 0

    def __bool__(self) -> bool:
        return self._depth > 0

    def __enter__(self) -> None:
        self._depth += 1

    def __exit__(self, *error: object) -> None:
        self._depth -= 1
