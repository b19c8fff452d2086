"""Sentences about ledgers as a page says them: with the names of files and folders, and not where they lie.

Whoever gives a command knows the machine's folders, and needs them. A visitor does not have to learn them.
"""

import re
from collections.abc import Iterable
from functools import partial
from pathlib import Path

# A word of a folder's name, with what stands in brackets. One that ends like a file's and is followed by a blank is
# the end of a path: what comes after it are words of the sentence, which may have slashes of their own.
_WORD = r"(?![^\s/\\]*\.[A-Za-z]\w{0,7} )(?:[^\s/\\:;,()'\"“”‘’]|\([^()/\\:;'\"“”]*\)|[,'’](?=\w))+"
_FOLDERS = rf"(?:{_WORD}(?: {_WORD})*[/\\]+)"
_ROOT = r"(?:file:(?://[^/\s]*)?/|(?:[A-Za-z]:|~\w*)?[/\\]{1,2})"
_NAME = r"(?=[^\s/\\])"
# Slashes within words, as in “Income (€/month)”, are no paths: a path begins where a word can begin.
_PATH = re.compile(rf"(?:(?<=[\s\"'“‘«(\[<])|^){_ROOT}{_FOLDERS}+{_NAME}")
# As Python and others name them: whatever stands between two quotes.
_QUOTED = re.compile(rf"(['\"]){_ROOT}(?:(?!\1).)*[/\\](?=(?:(?!\1)[^/\\])+\1)")


def without_paths(sentence: object, known: Iterable[Path] = ()) -> str:
    """A sentence, or what a problem says, with the last name of each path in place of the whole.

    Parameters
    ----------
    known : files and folders that it may name, which are found whatever they are called
    """
    text = str(sentence)
    for path in sorted(map(str, known), key=len, reverse=True):
        # With what lies in it, if something of that is named; not where the name of another one begins so.
        inside = rf"(?:[/\\]{_FOLDERS}*{_NAME}|(?!\w|[.-]\w))"
        text = re.sub(rf"(?:file:(?://)?)?{re.escape(path)}{inside}", partial(_last, Path(path).name), text)
    return _PATH.sub("", _QUOTED.sub(r"\1", text))


def _last(name: str, found: re.Match[str]) -> str:
    """Of a known path its name, or nothing before the name of what lies in it."""
    return "" if found[0].endswith(("/", "\\")) else name
