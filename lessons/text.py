"""The texts of a lesson: plain words, *stress*, and figures that are checked.

A figure stands in braces: `{51 % = coalition.hits | share}` shows "51 %" and claims that this is what the expression
gives, written as a share. A claim without a format is true or false:
`{twice as often = coalition.hits > 2 * alone.hits}`.
"""

import re
from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from trustscope.numbers import unbroken

CLAIM = re.compile(r"\{([^{}]*)\}")
STRESS = re.compile(r"\*([^*\s][^*]*)\*")
FORMATS = ("share", "plain", "count", "word", "text")


class Claim(NamedTuple):
    """What is shown, the expression that it stands for, and how its value is written; no format: it must be true."""

    shown: str
    expression: str
    format: str


def claims(text: str) -> Iterator[Claim]:
    """The checked figures of a text; a ValueError where one is not written as it should be."""
    for found in CLAIM.finditer(text):
        shown, equals, rest = found[1].partition("=")
        if not equals or not shown.strip() or not rest.strip():
            raise ValueError(
                f"“{found[0]}” is not a checked figure: write {{what is shown = expression | format}}, for example "
                "{51 % = coalition.hits | share}"
            )
        expression, bar, form = rest.rpartition("|")
        form = form.strip()
        if not bar:
            expression, form = rest, ""
        elif form not in FORMATS:
            raise ValueError(f"“{found[0]}” has the format “{form}”: choose one of {', '.join(FORMATS)}")
        yield Claim(shown.strip(), expression.strip(), form)


def plain_text(text: str) -> str:
    """The text as it is read."""
    plain = CLAIM.sub(lambda found: found[1].partition("=")[0].strip(), text)
    return STRESS.sub(r"\1", plain)


def html(text: str) -> str:
    """The text as HTML: a paragraph for each part between empty lines, *stress* as emphasis, figures in bold."""
    safe = escape(text, quote=False)
    safe = CLAIM.sub(lambda found: f"<b>{found[1].partition('=')[0].strip()}</b>", safe)
    safe = STRESS.sub(r"<em>\1</em>", safe)
    joined = "".join(f"<p>{' '.join(part.split())}</p>" for part in safe.split("\n\n") if part.strip())
    return unbroken(joined)


def words(*texts: str) -> int:
    """How many words are read."""
    return sum(len(re.findall(r"[\w’'%]+", plain_text(text))) for text in texts)


def loose_numbers(text: str) -> list[str]:
    """Numbers that stand in the text without being checked."""
    return re.findall(r"\d[\d.,]*", CLAIM.sub(" ", text))
