"""Long work that says how far it is and can be stopped between two steps."""

__all__ = ["Cancelled", "Ticker"]


class Cancelled(Exception):
    """The work was stopped on request.

    Attributes
    ----------
    result : object
        What was finished before the stop (for the functions that return a table, the rows so far), or None.
    """

    def __init__(self, message="Stopped on request.", result=None):
        super().__init__(message)
        self.result = result


class Ticker:
    """Counts the steps of a long task.

    Parameters
    ----------
    total : int
        How many steps there are.
    progress : callable, optional
        Called as ``progress(done, total, label)`` after every step.
    cancelled : callable, optional
        Called without arguments before every step; a true answer raises `Cancelled`.
    """

    def __init__(self, total, progress=None, cancelled=None):
        self.done = 0
        self.total = int(total)
        self._progress = progress
        self._cancelled = cancelled

    def check(self):
        """Raise `Cancelled` if a stop was asked for."""
        if self._cancelled is not None and self._cancelled():
            raise Cancelled(f"Stopped on request after {self.done} of {self.total} steps.")

    def step(self, label=""):
        """Count one finished step and say so."""
        self.done += 1
        if self._progress is not None:
            self._progress(self.done, self.total, label)
