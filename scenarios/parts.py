"""The parts of each page by name: what a lesson or a link can show alone.

Cards stand in the middle, groups of controls at the side. A page that is given a set of such names shows these and
nothing else.
"""

from dataclasses import dataclass

HEADLINE = "headline"


@dataclass(frozen=True)
class Parts:
    """The cards and the groups of controls of one page."""

    cards: tuple[str, ...]
    controls: tuple[str, ...]


PARTS = {
    "trust": Parts(
        (
            HEADLINE, "person", "pooling", "everyone", "closeness", "coalitions", "attackers", "usefulness", "tradeoff",
            "map", "spectrum",
        ),
        ("data", "recipients", "noise", "attacker", "hit", "target", "more"),
    ),
    "categories": Parts(
        (
            HEADLINE, "person", "pooling", "everyone", "coalitions", "promises", "usefulness", "evidence", "joining",
            "memory", "tradeoff", "map",
        ),
        ("data", "recipients", "noise", "attacker", "target", "more"),
    ),
    "rotation": Parts(
        (
            HEADLINE, "clouds", "pairs", "findings", "values", "links", "growth", "record", "attributes", "exposed",
            "closeness", "sphere", "printed", "recovered", "by_attribute", "sizes", "axes", "when", "projected",
            "lengths", "sides", "distances", "map",
        ),
        ("steps", "data", "attacker", "release", "hit", "target", "more"),
    ),
    "survey": Parts(
        (HEADLINE, "arrivals", "target", "accuracy", "disclosure", "own", "guidance", "level", "tradeoff", "map"),
        ("data", "respondents", "miner", "question", "goal", "guidance_settings", "play"),
    ),
    "papers": Parts((HEADLINE, "gallery", "plots", "claims", "table", "code"), ("filters", "settings")),
}  # fmt: skip
