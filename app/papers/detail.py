"""One experiment, opened: its plot, its claims with their verdicts, its table, its code."""

from collections.abc import Container
from dataclasses import replace
from functools import partial
from typing import Any

import panel as pn

from trustscope import plots
from trustscope.app.cards import Taken
from trustscope.app.panels import Panels
from trustscope.app.parts import EVERYTHING
from trustscope.scenarios.cards import cards_of
from trustscope.scenarios.papers import help as texts
from trustscope.scenarios.papers import words
from trustscope.scenarios.papers.cards import claims_of, table_of
from trustscope.scenarios.papers.record import Result
from trustscope.widgets.controls.code import Code
from trustscope.widgets.frame.card import Card, grid
from trustscope.widgets.tables.claims import Claims, FirstRows


class Detail(pn.viewable.Viewer):
    """Views that are built once and filled by `show_result`; of them those are laid out that may be seen."""

    def __init__(self, shown: Container[str] = EVERYTHING):
        super().__init__()
        self.plots, self.taken = Panels(), Taken()
        self.taken_claims, self.taken_table = Taken(), Taken()
        self.claims, self.table = Claims("Claims and verdicts"), FirstRows("The table")
        self.code = Code(label="Code for a notebook")
        self.plot_card = Card("What comes out", self.plots, help_text=texts.PLOT, saved=self.taken)
        self.claims_card = Card(
            "What the paper says, and what we find", self.claims, help_text=texts.CLAIMS, saved=self.taken_claims
        )
        self.table_card = Card("The table", self.table, help_text=texts.TABLE, saved=self.taken_table)
        self.code_card = Card("In a notebook", self.code, help_text=texts.CODE)
        self.code_card.say("The same run, as Python code.")
        self._result: Result | None = None
        self._behind: Any = None
        tall = {
            key: pn.Column(pn.Spacer(height=12), card, sizing_mode="stretch_width", margin=0)
            for key, card in (("plots", self.plot_card), ("claims", self.claims_card))
            if key in shown
        }
        small = {key: card for key, card in (("table", self.table_card), ("code", self.code_card)) if key in shown}
        self._places = tall | small
        self._small = grid(*small.values())
        views = [*tall.values(), *([self._small] if small else [])]
        self._layout = pn.Column(*views, sizing_mode="stretch_width", margin=0)

    def only(self, keys: Container[str]) -> None:
        """Show these views alone."""
        for key, place in self._places.items():
            place.visible = key in keys
        self._small.visible = "table" in keys or "code" in keys

    def show_result(self, result: Result, key: int) -> None:
        """Draw this result; what is drawn already stays."""
        beside = None if self.plots.beside is None else self.plots.beside.figures
        if result is self._result and beside is self._behind:
            return
        self._result, self._behind = result, beside
        e = result.experiment
        table = table_of(result)
        self.taken.put(replace(cards_of("papers")["plots"], title=e.title), table)
        self.plot_card.say(words.ran(result), named=e.title)
        self.plots.put(lambda: plots.plot("papers.experiment", table), partial(self._tell, result))
        misprint = (e.misprint.printed, e.misprint.right) if e.misprint else ()
        self.claims.draw(words.claims(result), *misprint)
        self.taken_claims.put(cards_of("papers")["claims"], claims_of(result))
        title = "What is printed, what is right" if e.misprint else "What the paper says, and what we find"
        self.claims_card.say(words.source(e), title=title, named=f"{title}: {e.title}")
        seen = self.table.draw(result.table)
        self.taken_table.put(replace(cards_of("papers")["table"], title=e.file, plot="charts.written"), table)
        self.table_card.say(words.rows(result.table, seen), named=e.file)
        self.code.text = words.code(e, result.values, key)

    def _tell(self, result: Result, legend: list) -> None:
        self.plot_card.say(words.ran(result), legend, named=result.experiment.title)

    def __panel__(self):
        return self._layout
