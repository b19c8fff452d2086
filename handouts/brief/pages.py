"""The brief of a scenario, made by the module of its page."""

from importlib import import_module

from trustscope.handouts.brief.base import Brief
from trustscope.scenarios.metrics import Metrics
from trustscope.scenarios.whole import Whole


def brief_of(found: Whole, figures: Metrics) -> Brief:
    """The brief of a scenario that was worked out over all rows, the attackers that are not ticked included."""
    return import_module(f"trustscope.handouts.brief.{found.scenario.page}").brief_of(found, figures)
