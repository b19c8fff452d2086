"""Text that comes out of somebody's file, made fit to be shown.

Fit to be shown means short, on one line and free of invisible characters. It does not mean safe as markup: a
column may well be called ``<b>``, and stays called that. Whoever shows it on a page must escape it.
"""

import unicodedata
from collections.abc import Iterable

NAME_LENGTH = 60


def clean(text: object, limit: int = NAME_LENGTH) -> str:
    """Put text on one line without control, direction or other invisible characters, at most `limit` long."""
    # The cut bounds the work on a name that is megabytes long.
    characters = str(text).strip()[: 20 * limit]
    kept = (" " if c.isspace() else c for c in characters if c.isspace() or not _is_hidden(c))
    line = " ".join("".join(kept).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def has_hidden(text: object, limit: int = NAME_LENGTH) -> bool:
    """Tell whether `clean` takes out characters that cannot be seen, beyond white space."""
    return any(_is_hidden(c) and not c.isspace() for c in str(text).strip()[: 20 * limit])


def _is_hidden(character: str) -> bool:
    # Control, format (marks of direction among them), surrogate, private and unassigned characters.
    return unicodedata.category(character)[0] == "C"


def spaced(number: int) -> str:
    """A whole number with gaps between the thousands, as everywhere in the app: 2 000 000."""
    return f"{number:,}".replace(",", " ")


def spaced_real(number: float, digits: int = 6) -> str:
    """A real number with so many significant digits, and gaps between the thousands: 1 234.5."""
    return f"{number:,.{digits}g}".replace(",", " ")


def joined(*sentences: str) -> str:
    """Put sentences together, those that are empty left out."""
    return " ".join(sentence for sentence in sentences if sentence)


def many(count: int, noun: str) -> str:
    """Begin a sentence about so many things: "1 value is", "2 values are"."""
    return f"1 {noun} is" if count == 1 else f"{spaced(count)} {noun}s are"


def unique_names(raw: Iterable[object]) -> tuple[list[str], list[str]]:
    """Give every column a name of its own.

    Returns
    -------
    names : list of str
        Cleaned, none empty, no two alike.
    notes : list of str
        A sentence for each name that had to be invented or changed, beyond white space.
    """
    raw = ["" if name is None else name for name in raw]
    cleaned = [clean(name) for name in raw]
    taken = {name for name in cleaned if name}
    used: set[str] = set()
    names: list[str] = []
    notes: list[str] = []
    for position, name in enumerate(cleaned, 1):
        if not name:
            fresh = _free(f"column {position}", taken | used)
            # Where no column has a name there is nothing to tell about this one.
            if taken:
                notes.append(f"Column {position} had no name and is called '{fresh}'.")
        elif name in used:
            fresh = _free(name, taken | used, start=2)
            notes.append(f"Column {position} had the same name as an earlier one and is called '{fresh}'.")
        else:
            fresh = name
        if name and has_hidden(raw[position - 1]):
            notes.append(f"Invisible characters were taken out of the name of column {position}, now '{fresh}'.")
        used.add(fresh)
        names.append(fresh)
    return names, notes


def _free(name: str, taken: set[str], start: int | None = None) -> str:
    if start is None and name not in taken:
        return name
    number = start or 2
    while f"{name} ({number})" in taken:
        number += 1
    return f"{name} ({number})"
