"""Figures 1 to 11 of Giannella, Liu and Kargupta (2009), on the privacy of releases that keep distances.

Every function returns a tidy DataFrame: at a quick size by default, at the paper's size with
``paper_size=True``. The same key gives the same table, times apart. They take ``progress(done, total, label)``
and ``cancelled()``; stopped, they raise `engine.utility.Cancelled` with what was finished in its ``result``.

Figures 2, 3 and 6 take the numeric columns of Letter Recognition as their first argument, Figure 7 age, years of
education and hours per week of Adult, and Figure 4 may take the letters: `DATA` says so.

Columns of Figures 1 to 3, after what they vary: linked (known inputs that were linked), breach (the highest
breach probability of any other record, rho), projection (the same for the projection attacker), printed (by the
paper's formula), mean_breach (mean over all other records), seconds (to link), each with its standard deviation
over the repetitions under name_sd; repetitions, rows.

Columns of Figures 5 to 11, after method ("paper" or "improved", `engine.attacks.known_sample`) and what they
vary: eps, breach (share of the records), its standard_error, signs_right (share of the axes), eigen_ratio,
repetitions. `remedy` shows what Section VI proposes; `formulas` the breach probability printed, corrected and
simulated.
"""

from trustscope.engine.experiments.giannella.data import hundred_normals, mixture, three_normals
from trustscope.engine.experiments.giannella.formulas import formulas
from trustscope.engine.experiments.giannella.known_inputs import figure_1, figure_2, figure_3, figure_4
from trustscope.engine.experiments.giannella.known_samples import (
    figure_5,
    figure_6,
    figure_7,
    figure_8,
    figure_9,
    figure_10,
    figure_11,
    remedy,
)

DATA = {"figure_2": "letter", "figure_3": "letter", "figure_4": "letter", "figure_6": "letter", "figure_7": "adult"}

__all__ = [
    "DATA",
    "figure_1",
    "figure_2",
    "figure_3",
    "figure_4",
    "figure_5",
    "figure_6",
    "figure_7",
    "figure_8",
    "figure_9",
    "figure_10",
    "figure_11",
    "formulas",
    "hundred_normals",
    "mixture",
    "remedy",
    "three_normals",
]
