"""Python's reader of cookies as it was until 3.11.9 and 3.12.5, for whichever Python has this first in PYTHONPATH."""

import http.cookies
import re

_OCTAL = re.compile(r"\\[0-3][0-7][0-7]", re.ASCII)
_QUOTE = re.compile(r"[\\].", re.ASCII)


def _unquote(text):
    if text is None or len(text) < 2 or text[0] != '"' or text[-1] != '"':
        return text
    text = text[1:-1]
    place, parts = 0, []
    while 0 <= place < len(text):
        octal, quote = _OCTAL.search(text, place), _QUOTE.search(text, place)
        if not octal and not quote:
            parts.append(text[place:])
            break
        o, q = (octal.start(0) if octal else -1), (quote.start(0) if quote else -1)
        if quote and (not octal or q < o):
            parts += [text[place:q], text[q + 1]]
            place = q + 2
        else:
            parts += [text[place:o], chr(int(text[o + 1 : o + 4], 8))]
            place = o + 4
    return "".join(parts)


http.cookies._unquote = _unquote
