"""One experiment, opened: its plot, its claims with their verdicts, its table, its code."""

import io

import panel as pn

from trustscope.app.papers import help as texts
from trustscope.app.papers.plots import draw
from trustscope.scenarios.papers import words
from trustscope.scenarios.papers.picture import Picture
from trustscope.scenarios.papers.record import Result
from trustscope.scenarios.papers.stored import csv
from trustscope.widgets.card import Card, grid
from trustscope.widgets.claims import Claims, Figures
from trustscope.widgets.code import Code
from trustscope.widgets.esm import css

PLOTS_CSS = css("plots.css")


class Detail(pn.viewable.Viewer):
    """Views that are built once and filled by `show`."""

    def __init__(self):
        super().__init__()
        self._plots = pn.Column(stylesheets=[PLOTS_CSS], sizing_mode="stretch_width", margin=0)
        self.claims, self.table = Claims("Claims and verdicts"), Figures("The table")
        self.code = Code(label="Code for a notebook")
        self._file = pn.widgets.FileDownload(
            callback=self._csv, filename="table.csv", label="Save as CSV", embed=False, auto=True,
            stylesheets=[css("download.css")], margin=(6, 0, 4, 0),
        )  # fmt: skip
        self._plot_card = Card("What comes out", self._plots, help_text=texts.PLOT)
        self._claims_card = Card("What the paper says, and what we find", self.claims, help_text=texts.CLAIMS)
        self._table_card = Card("The table", self.table, pn.Row(self._file, margin=0), help_text=texts.TABLE)
        self._code_card = Card("In a notebook", self.code, help_text=texts.CODE)
        self._code_card.say("The same run, as Python code.")
        self._result = None
        self._layout = pn.Column(
            pn.Spacer(height=12), self._plot_card, pn.Spacer(height=12), self._claims_card,
            grid(self._table_card, self._code_card), sizing_mode="stretch_width", margin=0,
        )  # fmt: skip

    def show(self, result: Result, picture: Picture, key: int) -> None:
        """Draw this result, with its plot as it was described; what is drawn already stays."""
        if result is self._result:
            return
        self._result = result
        e = result.experiment
        self._plots[:] = [pn.pane.Bokeh(draw(panel), sizing_mode="stretch_width", margin=0) for panel in picture.panels]
        self._plot_card.say(words.ran(result), picture.legend)
        misprint = (e.misprint.printed, e.misprint.right) if e.misprint else ()
        self.claims.show(words.claims(result), *misprint)
        title = "What is printed, what is right" if e.misprint else "What the paper says, and what we find"
        self._claims_card.say(words.source(e), title=title)
        seen = self.table.show(result.table)
        self._table_card.say(words.rows(result.table, seen))
        self._file.filename = f"{e.file}.csv"
        self.code.text = words.code(e, result.values, key)

    def _csv(self):
        return io.BytesIO(csv(self._result.table).encode())

    def __panel__(self):
        return self._layout
