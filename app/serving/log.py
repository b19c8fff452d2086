"""The log: one line for each thing that happened, with the visitor's short name, and nothing that a visitor wrote.

What people type or upload never reaches the log. So a traceback is written without the text of its exception (that text
often quotes a value), the query of an address is cut, and of the lines of other libraries only their fixed words are
kept. What is left, files and line numbers and kinds of errors, is what mends a defect.
"""

import contextvars
import hashlib
import logging
import re
import secrets
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

from trustscope.app.serving.logfile import LogFile

__all__ = ["LEVELS", "carry", "configure", "get", "reference", "report_error", "session_name"]

LEVELS = ("debug", "info", "warning", "error")
FIRST, LAST = 10, 15  # lines of code of a traceback that are kept: where it began, and where it ended
CAUSES = 5  # errors that led to one another, at most
NOBODY = "----"  # in place of a visitor's name: the server itself
# No vowels, hence no words; no 0, 1, I, O, which are misread when somebody reads a reference aloud.
_ALPHABET = "23456789BCDFGHJKLMNPQRSTVWXZ"
_LENGTH = 4
# The loggers of others whose lines go to our log as well.
OTHERS = ("asyncio", "bokeh", "holoviews", "panel", "param", "py.warnings", "tornado")
# What Panel and Bokeh warn of whenever somebody closes a tab while it is being sent to.
NO_NEWS = ("Failed sending message as connection was closed",)

_session: contextvars.ContextVar[str | None] = contextvars.ContextVar("trustscope_session", default=None)


def get(name: str = "") -> logging.Logger:
    """The logger `trustscope`, or the one below it with this name; a module passes its `__name__`."""
    name = name.removeprefix("trustscope.")
    return logging.getLogger(f"trustscope.{name}" if name else "trustscope")


def session_name() -> str:
    """The short name of the visitor whose page is being worked on; four dashes outside of any page.

    It is made from the session's identifier but does not give it away: who knows an identifier can join the session.
    """
    if (name := _session.get()) is not None:
        return name
    panel = sys.modules.get("panel")
    document = panel.state.curdoc if panel is not None and hasattr(panel, "state") else None
    context = document.session_context if document is not None else None
    return short_name(context.id) if context is not None else NOBODY


def short_name(session_id: str) -> str:
    """Four characters for a session's identifier."""
    return _characters(int.from_bytes(hashlib.sha256(str(session_id).encode()).digest()[:8]))


def carry(function: Callable) -> Callable:
    """The function, to be called in another thread, with the visitor's name of the thread that asks for it."""
    name = session_name()

    def carried(*arguments, **options):
        token = _session.set(name)
        try:
            return function(*arguments, **options)
        finally:
            _session.reset(token)

    return carried


def reference() -> str:
    """A new short reference such as `K7Q2`: shown on the page and found in the log."""
    return _characters(secrets.randbits(40))


def report_error(error: BaseException, where: str) -> str:
    """Write an error to the log and give the reference under which it is found there.

    Parameters
    ----------
    error : what was raised; its traceback is logged, the text of it is not, since it may quote what a visitor gave
    where : what was being done, in words of ours, e.g. "the preview of the Trust page"
    """
    short = reference()
    get().error("error %s in %s", short, where, exc_info=error)
    return short


def configure(level: str = "info", file: str | Path | None = None) -> None:
    """Send the log to a file, or to the standard error stream; called once, by the command.

    Raises
    ------
    OSError
        if the file cannot be written.
    """
    handler = LogFile(file) if file else logging.StreamHandler()
    handler.setFormatter(Formatter())
    handler.addFilter(lambda record: record.msg not in NO_NEWS)
    own = get()
    _replace(own, handler, getattr(logging, level.upper()))
    others = logging.DEBUG if level == "debug" else logging.WARNING
    for name in OTHERS:
        _replace(logging.getLogger(name), handler, others)
    for chatty in ("tornado.access", "asyncio"):  # each request and each slow step: only for those who look for them
        logging.getLogger(chatty).setLevel(logging.INFO if level == "debug" else logging.ERROR)
    logging.captureWarnings(True)


def _replace(logger, handler, level):
    for old in logger.handlers[:]:
        logger.removeHandler(old)
    logger.addHandler(handler)
    logger.setLevel(level)
    logger.propagate = False


class Formatter(logging.Formatter):
    """`2026-01-31 12:00:00 WARNING K7Q2 app.trust: what happened`, with tracebacks that quote nobody."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        own = record.name == "trustscope" or record.name.startswith("trustscope.")
        said = record.getMessage() if own else fixed_words(record)
        name = record.name.removeprefix("trustscope.")
        time = self.formatTime(record, "%Y-%m-%d %H:%M:%S")
        line = f"{time} {record.levelname} {session_name()} {name}: {_one_line(said)}"
        if record.exc_info and record.exc_info[1] is not None:
            line += "\n" + without_words(record.exc_info[1])
        return line


def without_words(error: BaseException | None) -> str:
    """A traceback with the kinds of its exceptions but not their texts.

    Of an operating system's error the name of its number is kept (`ENOSPC`): it quotes nobody.
    """
    parts: list[str] = []
    seen: set[int] = set()
    while error is not None and id(error) not in seen and len(seen) < CAUSES:
        seen.add(id(error))
        frames = _frames(error.__traceback__)
        kind = f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")
        number = f" [error number {error.errno}]" if isinstance(error, OSError) and error.errno else ""
        parts.append(f"{frames}{kind}{number}")
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "\n  caused, or came while handling, the error above:\n".join(parts)


def _frames(found) -> str:
    """The lines of a traceback, which may be of a thousand calls: a short text is soon written, and fills no disk."""
    between = sum(1 for _ in traceback.walk_tb(found)) - FIRST - LAST
    if between <= 0:
        return "".join(traceback.format_tb(found))
    return "".join(
        [*traceback.format_tb(found, FIRST), f"  ... {between} more ...\n", *traceback.format_tb(found, -LAST)]
    )


_SUMMARY = re.compile(r"([A-Z]{3,8}) ([^\s?]{1,200})\S{0,9000} \(([0-9a-fA-F.:]{2,45})\)")
_QUOTED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|<[^<>\n]*>")


def fixed_words(record: logging.LogRecord) -> str:
    """The line of another library without the values in it: only numbers, and paths without their query, are kept."""
    arguments = record.args if isinstance(record.args, tuple) else ()
    if not arguments:
        return _QUOTED.sub("…", str(record.msg)[:2000])
    try:
        return str(record.msg) % tuple(_harmless(value) for value in arguments)
    except (TypeError, ValueError):
        return str(record.msg)


def _harmless(value):
    if isinstance(value, int | float):
        return value
    if isinstance(value, str) and (request := _SUMMARY.fullmatch(value)):
        return "{} {} ({})".format(*request.groups())
    return "…"


def _one_line(text: str) -> str:
    """Line ends and other control characters written out: a value must not be able to forge a line of the log."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _characters(number: int) -> str:
    found = ""
    for _ in range(_LENGTH):
        number, rest = divmod(number, len(_ALPHABET))
        found += _ALPHABET[rest]
    return found
