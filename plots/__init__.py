"""Plots: a table in, a HoloViews element out, which Bokeh draws on a page and Matplotlib on paper.

>>> import pandas as pd
>>> from trustscope import plots
>>> plots.plot("charts.curves", pd.DataFrame({"copies": [1, 2, 3], "error": [0.5, 0.3, 0.2]}))
:Overlay
   .Curve.Error :Curve   [x]   (y)

HoloViews is imported when the first plot is made. Nothing of it is changed for whoever uses it too: no backend is
chosen, no default option is set. What an element looks like is said in its own options, for both backends.
"""

from importlib import import_module
from typing import Any

import pandas as pd

from trustscope.extras import require

require("paper")


def plot(name: str, table: pd.DataFrame) -> Any:
    """The plot of a table, as a HoloViews element.

    Parameters
    ----------
    name : module and function, as a card says them: "trust.coalitions"
    table : with its looks, as a card makes it; or any table, which is then drawn in plain colours
    """
    module, _, function = name.rpartition(".")
    return getattr(import_module(f"trustscope.plots.{module}"), function)(table)
