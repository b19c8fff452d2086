"""Words that are explained where they stand: a button with a dotted line below it, and one sentence when it is reached.

The sentence is an attribute, so that the text around reads on as it is; `terms.js` shows it beside the word.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape, unescape

_known: dict[str, str] = {}
_TAG = re.compile(r"(<[^<>]*>)")
# A word that is explained and the mark after it: a line may end after a button, but not before a full stop.
_HELD = re.compile(r'(<button type="button" class="term"[^>]*>[^<]*</button>[.,:;!?)]+)')
_TOLD = re.compile(r'data-term="([^"]*)"')
# Inside these nothing is marked: they are controls or headings themselves, or are not read as prose.
_CLOSED = ("a", "button", "code", "summary", "kbd", "sup", "sub", "th", "style", "h2", "h3")


def teach(terms: Mapping[str, str]) -> None:
    """From now on these words are explained wherever `explained` is used."""
    _known.clear()
    _known.update({word.lower(): sentence for word, sentence in terms.items()})
    _pattern.cache_clear()


@cache
def _pattern() -> re.Pattern | None:
    if not _known:
        return None
    longest_first = sorted(_known, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, longest_first))})(?![\w-])", re.IGNORECASE)


def sentences_in(html: str) -> set[str]:
    """The sentences that explain words in HTML of `explained`."""
    return {unescape(found) for found in _TOLD.findall(html)}


def explained(html: str, seen: Iterable[str] = ()) -> str:
    """The same HTML, with the first occurrence of every known word explained.

    `seen` are sentences that stand nearby already.
    """
    pattern = _pattern()
    if pattern is None or not html:
        return html
    seen = set(seen)
    closed: list[str] = []

    def mark(found: re.Match) -> str:
        sentence = _known[found[0].lower()]
        if sentence in seen:
            return found[0]
        seen.add(sentence)
        told = escape(sentence)
        return f'<button type="button" class="term" data-term="{told}" aria-description="{told}">{found[0]}</button>'

    parts = _TAG.split(html)
    for place, part in enumerate(parts):
        if part.startswith("<"):
            _enter(part, closed)
        elif not closed:
            parts[place] = pattern.sub(mark, part)
    return _HELD.sub(r'<span style="white-space: nowrap">\1</span>', "".join(parts))


def _enter(tag: str, closed: list[str]) -> None:
    """Keep account of the elements in which nothing is marked."""
    found = re.match(r"<(/?)([a-zA-Z0-9]+)", tag)
    if found is None or found[2].lower() not in _CLOSED:
        return
    if found[1]:
        if closed:
            closed.pop()
    else:
        closed.append(found[2].lower())
