"""Figures 1 to 5, Tables 2 and 3 and the example of Li, Chen, Li and Zhang, TKDE 2012 (multi-level trust).

Every function returns a tidy DataFrame: at a quick size by default, at the paper's size with
``paper_size=True``. The same key gives the same table, except for runtimes. Longer ones take
``progress(done, total, label)`` and ``cancelled()``; stopped, they raise `engine.utility.Cancelled` with the
finished rows in its ``result``.
"""

from trustscope.engine.experiments.li.accuracy import figure_4
from trustscope.engine.experiments.li.algorithms import example, measured_table_2
from trustscope.engine.experiments.li.collusion import figure_2, figure_3, paper_levels
from trustscope.engine.experiments.li.cost import figure_5, table_2
from trustscope.engine.experiments.li.data import MOMENTS, census, figure_1, table_3

__all__ = [
    "MOMENTS",
    "census",
    "example",
    "figure_1",
    "figure_2",
    "figure_3",
    "figure_4",
    "figure_5",
    "measured_table_2",
    "paper_levels",
    "table_2",
    "table_3",
]
