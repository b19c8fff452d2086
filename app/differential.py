"""The card of differential privacy: what must not be told apart, epsilon as more pool, and the best test."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

import panel as pn

from trustscope.app.cards import HEIGHT, CardView
from trustscope.app.controls import Field, slider
from trustscope.looks import looks_of
from trustscope.scenarios.cards import cards_of
from trustscope.scenarios.differential import power_of_ten
from trustscope.widgets.controls.slider import Slider
from trustscope.widgets.frame.card import TEXT_CSS
from trustscope.widgets.live.lines import Lines

HALVES_CSS = """
:host { display: grid !important; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 20px; }
@media (max-width: 1180px) { :host { grid-template-columns: minmax(0, 1fr); } }
"""
CHOICES_CSS = """
:host { display: grid !important; grid-template-columns: repeat(auto-fit, minmax(250px, 1fr)); gap: 6px 28px; }
"""
NOTES_CSS = "ul { margin: 6px 0 0; padding-left: 18px; } li { margin: 3px 0; font-size: 14px; line-height: 1.45; }"

JOINS = "The best copy first, then the next best joins, and so on: what is lost when they pool."


def text_pane() -> pn.pane.HTML:
    """A few lines of text."""
    return pn.pane.HTML("", stylesheets=[TEXT_CSS, NOTES_CSS], sizing_mode="stretch_width", margin=(2, 0))


class DifferentialView(CardView):
    """Two plots side by side, controls above them, and what is to be known below.

    Parameters
    ----------
    page : of the card
    powers : the powers of ten that delta can have; 0 stands for no delta
    controls : what else stands above the plots
    """

    def __init__(self, page: str, powers: Sequence[int], *controls: Any):
        self.growth = Lines("ε as more recipients pool", height=HEIGHT, shares=False)
        self.curve = Lines("Misses of the best test over its false alarms", height=HEIGHT, share_places=True)
        self.delta = Slider(label="δ, the share of cases without any bound", stops=list(powers), typed=False)
        self._tests, self._tested, self._notes = cards_of(page)["differential_tests"], text_pane(), text_pane()
        joins = text_pane()
        joins.object = f"<p>{JOINS}</p>"
        left, right = (
            pn.Column(*one, sizing_mode="stretch_width", margin=0)
            for one in ((joins, self.growth), (self._tested, self.curve))
        )
        halves = pn.Column(left, right, stylesheets=[HALVES_CSS], sizing_mode="stretch_width", margin=0)
        self._choices = pn.Column(
            *controls, self.delta, stylesheets=[CHOICES_CSS], sizing_mode="stretch_width", margin=(0, 0, 8, 0)
        )
        super().__init__(page, "differential", halves, above=(self._choices,), below=(self._notes,))

    def bind(self, page: Any) -> None:
        """The page that it stands on, whose controls it adds to."""
        self._dashboard = page
        for field in self.fields():
            page.controls.add(field)

    def shorten(self) -> None:
        """The two plots alone."""
        super().shorten()
        self._choices[:] = []  # its own stylesheet would show it, were it hidden
        self._notes.visible = False

    def fields(self) -> Iterator[Field]:
        """The controls, and the parts of the scenario that they stand for."""
        yield slider("view.differential.delta", self.delta, read=int)

    def draw(self, table, picture, model):
        """Draw epsilon and the test, and say the rest."""
        power = picture.scenario.view.differential.delta
        self.delta.readout = power_of_ten(power) if power else "none"
        self.growth.show_table(table)
        self._shown = self._tests.table(picture, model)
        self.curve.show_table(self._shown)
        self._tested.object = f"<p>{self._tests.caption_for(picture, model)}</p>"
        notes = "".join(f"<li>{escape(note)}</li>" for note in self.notes(picture, model))
        self._notes.object = f"<ul>{notes}</ul>"

    def notes(self, picture, model) -> tuple[str, ...]:
        """What else follows, and what it does not say."""
        return ()

    def legend(self, table):
        """The series of both plots; schemes have the same colours in both."""
        if not len(table):
            return []
        return [*super().legend(table), *looks_of(self._shown).legend()[:2]]
