"""What the views of copies at many levels of trust have in common: one person, who joins, and every coalition."""

from abc import abstractmethod
from functools import partial

import numpy as np
import pandas as pd

from trustscope.app.abstract import Abstract
from trustscope.app.cards import CardView
from trustscope.scenarios.cards import cards_of
from trustscope.widgets.controls.action import Action
from trustscope.widgets.controls.choice import Choice
from trustscope.widgets.controls.number import WholeNumber
from trustscope.widgets.scenes.pooling import Pooling

AS = [
    ("belief", "belief", "What can be believed of the person's value"),
    ("path", "path", "The path that the value takes from full trust to little"),
]


class PersonCard(CardView, metaclass=Abstract):
    """One person, who can be chosen, with what is believed of them or the path of their value."""

    def __init__(self, page, plot, row):
        self.number = WholeNumber(label="Person", label_shown=False, start=1, sizing_mode=None, margin=(0, 8, 0, 0))
        self.other = Action(text="somebody else", tip="Another person, drawn at random", margin=(0, 8, 0, 0))
        self.shown_as = Choice(label="Show the person as", options=AS, sizing_mode=None)
        self._rng = np.random.default_rng()
        self.other.param.watch(lambda event: self._surprise(), "clicks")
        super().__init__(page, "person", plot, control=row(self.number, self.other, self.shown_as), twenty=True)

    def _surprise(self):
        self.number.value = int(self._rng.integers(self.number.start, self.number.end + 1))

    def load(self, rows: int):
        """Other data, with so many people."""
        self.number.end = rows

    def show_picture(self, picture, model=None, made: set[int] | None = None, where: str = ""):
        """Draw the person; `made` limits the recipients to those whose copy exists already."""
        shown = [r for r in picture.settings.recipients if made is None or r.number in made]
        path = picture.scenario.view.person_as == "path"
        (self._show_path if path else self._show_belief)(picture, model, shown, made is None)
        below = self.show_twenty(picture, model, made is None and not path)
        declared = cards_of(self._page)["person_path" if path else "person"]
        there = picture.person is not None
        self.taken.put(declared, partial(declared.table, picture, model) if there else pd.DataFrame(), below)
        self.card.say(where or declared.caption_for(picture, model))

    @abstractmethod
    def _show_belief(self, picture, model, shown, believed: bool):
        """Draw what is believed, where all copies are there, and what these recipients were given."""

    @abstractmethod
    def _show_path(self, picture, model, shown, believed: bool):
        """Draw the path, with these recipients on it."""


class JoiningView(CardView):
    """As more of them pool: the present scheme beside its rival."""

    has_legend = False  # the rows name their series

    def __init__(self, page: str, label: str, tall: int):
        super().__init__(page, "pooling", Pooling(label, tall=tall))

    def draw(self, table, picture, model):
        """Draw the coalitions."""
        order = picture.joining.order
        self.plot.show_table(table, order, chosen=2 ** len(order) - 1, present=picture.settings.scheme)


class CoalitionsView(CardView):
    """Every coalition."""

    has_legend = False  # the rows name their series

    def __init__(self, page: str, label: str):
        super().__init__(page, "coalitions", Pooling(label, tall=420))

    def draw(self, table, picture, model):
        """Draw all subsets of the recipients."""
        settings = picture.settings
        self.plot.show_table(table, settings.recipients, chosen=settings.mask, present=settings.scheme)
