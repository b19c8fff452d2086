"""Numbers and lists as a person would write them."""

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


def plain(number: float) -> str:
    """About three significant digits; powers of ten only where a person cannot do without."""
    size = abs(number)
    if size == 0 or 1e-3 <= size < 1e15:
        digits = 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 0.1 else 4
        text = f"{number:.{digits}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
        return (count(int(text)) if size >= 1000 else text).replace("-", "−")
    if 1e-4 <= size < 1e-3:
        return f"{number:.2g}".replace("-", "−")
    digits, power = f"{number:.1e}".split("e")
    return f"{digits.removesuffix('.0')} · 10{str(int(power)).translate(RAISED)}".replace("-", "−")
