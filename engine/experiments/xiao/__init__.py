"""Figures 4 to 8 and the examples of Xiao, Tao and Chen, VLDB 2009 (multi-level uniform perturbation).

Every function returns a tidy DataFrame: at a quick size by default, at the paper's size with
``paper_size=True``. The same key gives the same table, except for runtimes. Longer ones take
``progress(done, total, label)`` and ``cancelled()``; stopped, they raise `engine.utility.Cancelled` with the
finished rows in its ``result``.
"""

from trustscope.engine.experiments.xiao.collusion import figure_7, paper_levels
from trustscope.engine.experiments.xiao.cost import figure_8
from trustscope.engine.experiments.xiao.data import DISTRIBUTIONS, distribution, draw, figure_4
from trustscope.engine.experiments.xiao.examples import examples
from trustscope.engine.experiments.xiao.simulation import figure_5, figure_6, simulate

__all__ = [
    "DISTRIBUTIONS",
    "distribution",
    "draw",
    "examples",
    "figure_4",
    "figure_5",
    "figure_6",
    "figure_7",
    "figure_8",
    "paper_levels",
    "simulate",
]
