"""What is wrong with a file, in our own words: which part, and what to write there."""

from collections.abc import Callable, Mapping
from typing import Any

_Sentence = Callable[[dict[str, Any], Any], str]


def _short(value: Any) -> str:
    text = "nothing" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= 40 else f"{text[:40]}…"


def _choices(text: str) -> str:
    return text.replace("'", "").replace('"', "")


_KINDS = {
    "string": "a text", "int": "a whole number", "float": "a number", "bool": "true or false", "list": "a list in [ ]",
    "tuple": "a list in [ ]", "dict": "an object in { }", "model": "an object in { }", "mapping": "an object in { }",
}  # fmt: skip
_SENTENCES: dict[str, _Sentence] = {
    "missing": lambda c, v: "this is missing: write it",
    "extra_forbidden": lambda c, v: "there is no such thing here: leave it out, or look for a slip of the pen",
    "literal_error": lambda c, v: f"“{_short(v)}” is not possible here: write {_choices(c['expected'])}",
    "union_tag_invalid": lambda c, v: f"“{c['tag']}” is not a kind: write {_choices(c['expected_tags'])}",
    "union_tag_not_found": lambda c, v: "“kind” is missing: it says what this is",
    "string_too_short": lambda c, v: "this is empty: write a text",
    "string_too_long": lambda c, v: f"this has {len(v)} characters, and {c['max_length']} is the most: shorten it",
    "too_short": lambda c, v: f"this has {c['actual_length']} entries, and {c['min_length']} is the least: add some",
    "too_long": lambda c, v: f"this has too many entries, {c['max_length']} is the most: remove some",
    "greater_than": lambda c, v: f"{_short(v)} is too small: write a number above {c['gt']:g}",
    "greater_than_equal": lambda c, v: f"{_short(v)} is too small: write {c['ge']:g} or more",
    "less_than": lambda c, v: f"{_short(v)} is too large: write a number below {c['lt']:g}",
    "less_than_equal": lambda c, v: f"{_short(v)} is too large: write {c['le']:g} or less",
    "string_pattern_mismatch": lambda c, v: (
        f"“{_short(v)}” is not a name: write small letters, digits and hyphens, at most 48"
        if c["pattern"].startswith("^[a-z0-9]")
        else f"“{_short(v)}” is not written as it should be"
    ),
    "scheme": lambda c, v: f"“{_short(v)}” is not possible here: write {c['offered']}",
    "spelling": lambda c, v: c["sentence"],
    "finite_number": lambda c, v: f"{_short(v)} is not a number that can be used",
    "value_error": lambda c, v: str(c["error"]),
}


def what_is_wrong(error: Mapping[str, Any]) -> str:
    """One error of the validating library as the end of a sentence, in words that it has nothing to do with."""
    kind, value = error["type"], error.get("input")
    if kind in _SENTENCES:
        return _SENTENCES[kind](error.get("ctx", {}), value)
    expected = next((text for name, text in _KINDS.items() if kind.startswith(name)), None)
    if expected is not None:
        return f"“{_short(value)}” is not possible here: write {expected}"
    return f"“{_short(value)}” is not possible here"


def where_it_is(place: list[Any]) -> str:
    """The names on the way to a part, places in lists counted from 1."""
    return " → ".join(str(part + 1) if isinstance(part, int) else str(part) for part in place)
