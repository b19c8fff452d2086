"""Reports and slides: one scenario or several as one HTML file that needs nothing else, and slides for PowerPoint."""

from trustscope.handouts.report.build import report
from trustscope.handouts.report.deck import slides

__all__ = ["report", "slides"]
