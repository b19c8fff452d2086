"""A picture made of HTML or SVG by a script of ours, as a `Plot` is one made by Bokeh."""

from uuid import uuid4

import pandas as pd
import param

from trustscope.widgets.beside import Beside
from trustscope.widgets.esm import Control


class Drawing(Beside, Control):
    """It says itself in a sentence and gives its figures; its element carries `plot_id` (`data-plot`)."""

    plot_id = param.String(default="", doc="By which a download finds it.")

    __abstract = True

    def __init__(self, **params):
        super().__init__(**{"plot_id": uuid4().hex, **params})

    def summary(self) -> str:
        """What is drawn, in one sentence with its figures."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it draws")

    def table(self) -> pd.DataFrame:
        """What is drawn, in figures."""
        raise NotImplementedError(f"{type(self).__name__} does not give its figures")
