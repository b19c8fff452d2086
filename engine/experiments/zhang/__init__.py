"""Figures 3 to 5 and both theorems of Zhang, Wang and Zhao, KDD 2005 (guided perturbation for classification).

Every function returns a tidy DataFrame: at a quick size by default, at the paper's size with
``paper_size=True``. The same key gives the same table. They take ``progress(done, total, label)`` and
``cancelled()``; stopped, they raise `engine.utility.Cancelled` with the finished rows in its ``result``.

`figure_3` makes its own data. `figure_4`, `figure_5` and `theorem_1` take the answers and classes of a survey,
``questionnaire(frame, "Party")`` of the votes of 1984 in the paper.
"""

from trustscope.engine.experiments.zhang.data import DEFINITIONS, FUNCTIONS, people, questionnaire
from trustscope.engine.experiments.zhang.functions import figure_3
from trustscope.engine.experiments.zhang.theorems import theorem_1, theorem_2
from trustscope.engine.experiments.zhang.votes import figure_4, figure_5

__all__ = [
    "DEFINITIONS",
    "FUNCTIONS",
    "figure_3",
    "figure_4",
    "figure_5",
    "people",
    "questionnaire",
    "theorem_1",
    "theorem_2",
]
