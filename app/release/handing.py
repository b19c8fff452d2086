"""A button that hands over a file which a thread has to make first."""

from collections.abc import Callable

from trustscope.app import jobs
from trustscope.widgets.controls.give import Give


class Handing:
    """Makes one file at a time beside the server's loop; meanwhile the button says so.

    It can be pressed all the time, and then does nothing: work that ended with a lost connection leaves no dead button.

    Parameters
    ----------
    button : what is pressed
    working : what it says meanwhile
    failed : called, on the page, with the exception of what failed
    """

    def __init__(self, button: Give, working: str, failed: Callable[[Exception], None]):
        self._button, self._text, self._working, self._failed = button, button.text, working, failed
        self._job = jobs.Job(self._broken, kind="release")

    def start(self, make: Callable[[], tuple]) -> None:
        """Hand over what `make()` gives, called in a thread: name, content, and the kind where that is said."""
        if self._job.running:
            return
        self._button.text = self._working
        self._job.start(lambda run: make(), self._ended)

    def _ended(self, run: jobs.Run, made: tuple | None) -> None:
        self._button.text = self._text
        if made is not None and not run.cancelled:
            self._button.give(*made)

    def _broken(self, error: Exception) -> None:
        self._button.text = self._text
        self._failed(error)
