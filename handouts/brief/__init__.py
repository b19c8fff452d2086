"""What somebody who decides reads first of a scenario: the question, the answer, a few figures in words, what to do."""

from importlib import import_module

from trustscope.handouts.brief.base import Brief, Row
from trustscope.scenarios.metrics import Metrics
from trustscope.scenarios.whole import Whole

__all__ = ["Brief", "Row", "brief_of"]


def brief_of(found: Whole, figures: Metrics) -> Brief:
    """The brief of a scenario that was worked out over all rows, the attackers that are not ticked included."""
    return import_module(f"{__name__}.{found.scenario.page}").brief_of(found, figures)
