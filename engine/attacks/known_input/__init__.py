"""The attacker who knows some records of a release that keeps distances (Giannella, Liu, Kargupta 2009, Sec. IV).

`link` finds the known records among the released rows; `attack` works out what they give away of every other
row, by the paper's uniform choice and by projection; `KnowsOthers` guesses them with what is known of other people, as
the strongest attacker does, and `KnowsSample` those behind a random projection. `breach_probability` is the closed
form, as corrected; `printed_breach_probability` is the paper's, for comparison.
"""

from trustscope.engine.attacks.known_input.attack import ATTACKERS, KnownInputAttack, attack
from trustscope.engine.attacks.known_input.breach import (
    breach_probability,
    cosine_breach,
    printed_breach_probability,
    projection_breach,
    simulated_breach,
)
from trustscope.engine.attacks.known_input.linking import Links, link
from trustscope.engine.attacks.known_input.others import KnowsOthers
from trustscope.engine.attacks.known_input.projected import KnowsSample
from trustscope.engine.attacks.known_input.values import value_chances

__all__ = [
    "ATTACKERS",
    "KnownInputAttack",
    "KnowsOthers",
    "KnowsSample",
    "Links",
    "attack",
    "breach_probability",
    "cosine_breach",
    "link",
    "printed_breach_probability",
    "projection_breach",
    "simulated_breach",
    "value_chances",
]
