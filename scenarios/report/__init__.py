"""Reports: one scenario or several as one HTML file that needs nothing else."""

from trustscope.scenarios.report.build import report

__all__ = ["report"]
