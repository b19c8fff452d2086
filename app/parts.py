"""The parts of a page, and which of them a teacher's link lets be seen."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from trustscope.scenarios.link import values_of

CARD, CONTROLS, TOOL = "card", "controls", "tool"
NAMED = "show"  # in the query of an address
NOTHING = "none"  # where not even one part is to be seen
MOST_PARTS = 200


@dataclass(frozen=True)
class Part:
    """A card, a group of controls, or a tool of the bar: its name in addresses, and its title."""

    key: str
    title: str
    kind: str


COMPARE = Part("compare", "Compare (its table has every figure)", TOOL)


class Shown:
    """What may be seen: all of a page, or the parts that a link names and nothing else.

    Parameters
    ----------
    keys : names of parts; None: everything
    """

    def __init__(self, keys: Iterable[str] | None = None):
        self.keys = None if keys is None else frozenset(keys)

    def __contains__(self, key: object) -> bool:
        return self.keys is None or key in self.keys

    @property
    def limited(self) -> bool:
        """Whether something is left out."""
        return self.keys is not None

    def link(self, query: str) -> str:
        """A query that shows no more than this."""
        if self.keys is None:
            return query
        return f"{query}&{NAMED}={'.'.join(sorted(self.keys)) or NOTHING}"

    @classmethod
    def of(cls, query: str) -> "Shown":
        """What the query of an address lets be seen; names that mean nothing show nothing."""
        found = values_of(query, blank=True).get(NAMED)
        if found is None:
            return cls()
        keys = [key for key in found[0].split(".")[:MOST_PARTS] if re.fullmatch(r"[a-z_]{1,24}", key)]
        return cls(key for key in keys if key != NOTHING)


EVERYTHING = Shown()
