"""Lists and counted things as a person would write them; numbers are written by `trustscope.numbers`."""

from collections.abc import Iterable

from trustscope.numbers import alike, count, plain, share

__all__ = ["alike", "count", "counted", "listed", "number_word", "plain", "rows_used", "sentence", "share"]


def listed(names: Iterable[str]) -> str:
    """Alice; Alice and Bob; Alice, Bob and Carol; none."""
    *first, last = list(names) or ["none"]
    return f"{', '.join(first)} and {last}" if first else last


NUMBER_WORDS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip


def sentence(text: str) -> str:
    """The text with a capital at its beginning; names further on keep theirs."""
    return text[:1].upper() + text[1:]


def number_word(number: int) -> str:
    """Small numbers in words."""
    return NUMBER_WORDS[number] if 0 <= number < len(NUMBER_WORDS) else count(number)


def counted(number: int, one: str, many: str = "") -> str:
    """1 column, 2 columns."""
    return f"{count(number)} {one if number == 1 else many or one + 's'}"


def rows_used(used: int, rows: int) -> str:
    """3 000 rows; or 2 588 of 3 000 rows, where some of them lack a value that is used."""
    return f"{count(rows)} rows" if used == rows else f"{count(used)} of {count(rows)} rows"


def in_app(text: str) -> str:
    """A part of a caption that says what can only be done in the app: reports and notebooks leave it out."""
    return f"<span class='in-app'>{text}</span>"
