"""Sentences about ledgers as a page says them: with the names of files and folders, and not where they lie.

Whoever gives a command knows the machine's folders, and needs them. A visitor does not have to learn them.
"""

import re

# From a root to the last name: folders may have blanks in their names, but not before the slash of the next path.
_PATH = re.compile(r"(?<![\w./:\\])(?:[A-Za-z]:)?[/\\](?:(?:[^\s/\\:;,()“”]| (?![/\\]))+[/\\])*([^\s/\\:;,()“”]+)")


def without_paths(sentence: object) -> str:
    """A sentence, or what a problem says, with the last name of each path in place of the whole."""
    return _PATH.sub(r"\1", str(sentence))
