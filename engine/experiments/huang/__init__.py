"""Experiments 1 to 4 (Figures 1 to 4) of Huang, Du and Chen, SIGMOD 2005 (reconstructing randomised data).

Every function returns a tidy DataFrame: at a quick size by default, at the paper's size with
``paper_size=True``. The same key gives the same table. They take ``progress(done, total, label)`` and
``cancelled()``; stopped, they raise `engine.utility.Cancelled` with the finished rows in its ``result``.

All tables have the columns attacker (a name in `engine.attacks.reconstruction.ATTACKERS`), error (mean square
error, mean over the repetitions), standard_error, theory (perfect knowledge; NaN where there is no closed
form), estimated_theory (the same with what estimating the covariance adds to the Bayes estimate before its gains
are clipped: clipping makes it less), guess (the error of guessing the mean), rows and repetitions, after the
column that the figure varies.

The paper does not print all its settings. The data have mean variance 100 in the first two experiments, small
eigenvalues 4 and noise variance 25.
"""

from trustscope.engine.experiments.huang.data import gaussian_data, principal_eigenvalues
from trustscope.engine.experiments.huang.figures import crossing, figure_1, figure_2, figure_3
from trustscope.engine.experiments.huang.shape import figure_4

__all__ = [
    "crossing",
    "figure_1",
    "figure_2",
    "figure_3",
    "figure_4",
    "gaussian_data",
    "principal_eigenvalues",
]
