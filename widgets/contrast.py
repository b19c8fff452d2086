"""How well two colours stand apart, by the measure of the Web Content Accessibility Guidelines."""

from functools import cache

INK, PAPER = "#101828", "#ffffff"  # of letters on a coloured ground


def luminance(colour: str) -> float:
    """Relative luminance of a colour `#rrggbb` (or `#rgb`), 0 black to 1 white."""
    digits = colour.lstrip("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    parts = (int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Their contrast ratio: 1 (the same) to 21 (black on white). Text needs 4.5, lines that carry meaning 3."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@cache
def ink(ground: str) -> str:
    """The colour of letters on this ground: dark or white, whichever is easier to read."""
    return max(INK, PAPER, key=lambda colour: contrast(colour, ground))
