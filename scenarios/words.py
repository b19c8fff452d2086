"""Numbers and lists as a person would write them."""

from collections.abc import Iterable

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
GAP = "\u202f"  # a narrow space between thousands, at which no line breaks


def listed(names) -> str:
    """Alice; Alice and Bob; Alice, Bob and Carol."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def share(value: float) -> str:
    """A fraction as a percentage: whole where that says enough, never "0 %" for what is not nothing, nor
    "100 %" for what is not all."""
    per_cent = 100 * value
    if 0 < per_cent < 0.05:
        return "< 0.1 %"
    if 99.5 <= per_cent < 100:
        return "> 99 %"
    if per_cent < 10 and abs(per_cent - round(per_cent)) > 0.05:
        return f"{per_cent:.1f} %"
    return f"{per_cent:.0f} %"


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


def count(number: int) -> str:
    """100 000, with thin gaps that no line breaks at."""
    return f"{number:,}".replace(",", GAP)


def rows_used(used: int, rows: int) -> str:
    """3 000 rows; or 2 588 of 3 000 rows, where some of them lack a value that is used."""
    return f"{count(rows)} rows" if used == rows else f"{count(used)} of {count(rows)} rows"


def _decimals(size: float) -> int:
    """How many decimals give about three significant digits."""
    return 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 0.1 else 4


def plain(number: float) -> str:
    """About three significant digits; powers of ten only where a person cannot do without."""
    size = abs(number)
    if size == 0 or 1e-3 <= size < 1e15:
        text = f"{number:.{_decimals(size)}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
        return (count(int(text)) if size >= 1000 else text).replace("-", "−")
    if 1e-4 <= size < 1e-3:
        return f"{number:.2g}".replace("-", "−")
    digits, power = f"{number:.1e}".split("e")
    return f"{digits.removesuffix('.0')} · 10{str(int(power)).translate(RAISED)}".replace("-", "−")


def alike(numbers: Iterable[float]) -> list[str]:
    """Numbers that are compared with one another, all with as many decimals as the one in the middle needs.

    Where these are not all of one kind, some tiny and some huge, each is written by itself.
    """
    numbers = [float(number) for number in numbers]
    sizes = sorted(abs(number) for number in numbers if number)
    if not sizes or sizes[0] < 1e-3 or sizes[-1] >= 1e5:
        return [plain(number) for number in numbers]
    decimals = _decimals(sizes[len(sizes) // 2])
    texts = [f"{number:,.{decimals}f}" for number in numbers]
    if all("." in text and not text.rpartition(".")[2].strip("0") for text in texts):  # whole numbers need none
        texts = [text.partition(".")[0] for text in texts]
    return [_unsigned(text).replace(",", GAP).replace("-", "−") for text in texts]


def _unsigned(text: str) -> str:
    """Without the sign of what has been rounded to nothing."""
    return text.removeprefix("-") if not text.strip("-0.,") else text
