"""The parts of each page by name: what a lesson or a link can show alone.

Cards stand in the middle, groups of controls at the side. A page that is given a set of such names shows these and
nothing else.
"""

from dataclasses import dataclass

from trustscope.scenarios.cards import keys_of

HEADLINE = "headline"


@dataclass(frozen=True)
class Parts:
    """The cards and the groups of controls of one page."""

    cards: tuple[str, ...]
    controls: tuple[str, ...]


PARTS = {
    "trust": Parts(
        (HEADLINE, *keys_of("trust")),
        ("data", "recipients", "noise", "attacker", "hit", "goal", "more"),
    ),
    "categories": Parts(
        (HEADLINE, *keys_of("categories")),
        ("data", "recipients", "noise", "attacker", "goal", "more"),
    ),
    "rotation": Parts(
        (HEADLINE, *keys_of("rotation")),
        ("steps", "data", "attacker", "release", "hit", "goal", "more"),
    ),
    "survey": Parts(
        (HEADLINE, *keys_of("survey")),
        ("data", "respondents", "miner", "question", "goal", "guidance_settings", "play"),
    ),
    "papers": Parts((HEADLINE, "gallery", "plots", "claims", "table", "code"), ("filters", "settings")),
}  # fmt: skip
