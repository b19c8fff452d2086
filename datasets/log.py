"""The log of this package: what went wrong and where, never what somebody's file holds."""

import logging
import traceback
from pathlib import Path

log = logging.getLogger("trustscope.datasets")


def place_of(error: BaseException) -> str:
    """Name an error's type and the lines it came through, without its message, which may quote the file.

    Returns
    -------
    str
        Such as "ArrowInvalid in read_text.py:70 < upload.py:210", the innermost first.
    """
    places = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)]
    return f"{type(error).__name__} in {' < '.join(reversed(places))}"
