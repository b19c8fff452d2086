"""Every figure and table of the five papers, to be run by yourself, with the printed claim beside it."""

from trustscope.scenarios.papers.registry import EXPERIMENTS, PAPERS, find

__all__ = ["EXPERIMENTS", "PAPERS", "find"]
