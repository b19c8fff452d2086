"""Reports and slides: one scenario or several as one HTML file that needs nothing else."""

from trustscope.scenarios.report.build import report
from trustscope.scenarios.report.deck import slides

__all__ = ["report", "slides"]
