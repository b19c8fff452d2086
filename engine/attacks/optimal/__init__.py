"""The strongest attacker: one posterior, one curve.

- `strongest`: the attacker, and what it achieves at one level of noise; `knowledge`: what it knows; `manners`: how it
  may guess;
- `curve`: the same over all levels, to be read for every coalition;
- `people`: who is exposed, and who can be found again;
- `single`: one column alone, exactly; `mixture`: whole rows; `cells`: the values of a column;
- `mixed`: rows with numbers and categories, with `mixed_people` and the law of categories, `retention`;
- `beforehand`: one column of categories for who knows other columns exactly, with what is `learned` from a sample.
"""

from trustscope.engine.attacks.optimal.beforehand import Beforehand, Known, beforehand
from trustscope.engine.attacks.optimal.cells import common_window, is_common
from trustscope.engine.attacks.optimal.curve import (
    TRUSTS,
    Curve,
    RecordCurve,
    breach_curve,
    level_of,
    record_curve,
    row_curve,
    single_curve,
)
from trustscope.engine.attacks.optimal.knowledge import Knowledge, Limits
from trustscope.engine.attacks.optimal.manners import Manner
from trustscope.engine.attacks.optimal.mixed import Guessed, Holding, Mixed, at_trust, holding_of
from trustscope.engine.attacks.optimal.mixed_people import MixedFinder, mixed_exposure
from trustscope.engine.attacks.optimal.people import Exposure, Finder, Reidentified, exposure
from trustscope.engine.attacks.optimal.strongest import Point, Strongest

__all__ = [
    "TRUSTS", "Beforehand", "Curve", "Exposure", "Finder", "Guessed", "Holding", "Knowledge", "Known", "Limits",
    "Manner", "Mixed", "MixedFinder", "Point", "RecordCurve", "Reidentified", "Strongest", "at_trust", "beforehand",
    "breach_curve", "common_window", "exposure", "holding_of", "is_common", "level_of", "mixed_exposure",
    "record_curve", "row_curve", "single_curve",
]  # fmt: skip
