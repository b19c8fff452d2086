"""What can be done about a column before noise is added to it, and which columns need it."""

from trustscope.engine.preparation.risk import worst_risk
from trustscope.engine.preparation.steps import ACTIONS, Step, bound, exponential, logarithm, rounded
from trustscope.engine.preparation.traits import KINDS, Effect, Trait, effect, traits

__all__ = [
    "ACTIONS",
    "KINDS",
    "Effect",
    "Step",
    "Trait",
    "bound",
    "effect",
    "exponential",
    "logarithm",
    "rounded",
    "traits",
    "worst_risk",
]
