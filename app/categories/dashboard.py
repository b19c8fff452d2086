"""The Categories dashboard: controls at the left, verdict and views at the right."""

import numpy as np
import panel as pn

from trustscope import colours, datasets
from trustscope.app.categories import help as texts
from trustscope.app.categories.controls import Controls
from trustscope.app.categories.count import CountView, MemoryView
from trustscope.app.categories.desk import ColumnDesk
from trustscope.app.categories.guarantees import GuaranteesView
from trustscope.app.categories.person import PersonView
from trustscope.app.categories.shares import SharesView
from trustscope.app.live import LiveDashboard
from trustscope.scenarios.categories import words
from trustscope.scenarios.categories.example import SENSITIVE, TITLES
from trustscope.scenarios.categories.model import SCHEMES, Model
from trustscope.scenarios.categories.settings import Settings
from trustscope.scenarios.words import count
from trustscope.widgets.card import Card, grid, heading
from trustscope.widgets.coalitions import Coalitions
from trustscope.widgets.race import Race, Runner


class CategoriesDashboard(LiveDashboard):
    """One sensitive value a person at many retention probabilities, and what coalitions make of the copies.

    Parameters
    ----------
    dataset : name of the built-in dataset to start with; the app's first one stands for the paper's example
    """

    def __init__(self, dataset: str = "patients", **params):
        super().__init__(**params)
        self.desk = ColumnDesk(next(iter(TITLES)) if dataset == datasets.names()[0] else dataset)
        self.controls = Controls()
        self._build_views()
        self._load()
        self._wire()
        self.shares.whose.param.watch(lambda e: self._redraw(), "value")
        self.count.param.watch(lambda e: self._recondition(), "condition")
        self.guarantees.param.watch(lambda e: e.new and self.controls.give(*e.new), "asked")

    # Layout

    def _build_views(self):
        self.shares, self.person = SharesView(), PersonView()
        self.race = Race("Belief in the true value as recipients join")
        self.coalitions = Coalitions("Belief of every coalition in the true value", y_label="belief in the truth")
        self.guarantees, self.count, self.memory = GuaranteesView(), CountView(), MemoryView()
        self._race_card = Card("As recipients join", self.race, help_text=texts.RACE)
        self._coalitions_card = Card("Every coalition", self.coalitions, help_text=texts.COALITIONS)
        last = pn.Column(self.count, pn.Spacer(height=12), self.memory, sizing_mode="stretch_width", margin=0)
        self._grid = grid(self.shares, self.person, self._race_card, self._coalitions_card, self.guarantees, last)
        self.sidebar = pn.Column(heading("Data"), self.desk, self.controls, sizing_mode="stretch_width", margin=0)
        self.main = pn.Column(self.desk.import_view, self.verdict, self._grid, sizing_mode="stretch_width", margin=0)

    # What changes

    def _load(self):
        data, column = self.desk.dataset, self.desk.column
        self._background.stop()
        self.info = f"{data.title}, {count(data.rows)} rows"
        problem = "These data have no column with categories or numbers." if column is None else column.problem
        self._grid.visible = problem is None
        if problem is not None:
            self.model = self._picture = None
            self.controls.generate.param.update(fraction=0.0, text="", running=False)
            self.verdict.say("There is nothing here to perturb.", problem)
            return
        self.model = Model(column, self.controls.seed)
        self.controls.column(column, self.model.shares)
        self.shares.load(column)
        self.person.load(self.model, self._first_person())
        self.count.load(data, column.name)
        self._live()
        self._settle()

    def _first_person(self):
        """In the paper's example, somebody whose HIV is retained for everybody, as in its Figure 1."""
        if self.desk.dataset.name not in TITLES or self.desk.column.name != SENSITIVE:
            return None
        found = self.model.codes == 0
        for scheme in SCHEMES:
            for r in self.controls.recipients.value:
                found = found & (self.model.copy(r, scheme) == 0)
        return int(self.model.order[np.argmax(found)]) + 1

    def _reseed(self):
        if self.model is not None:
            self.model = self.person.model = self.model.reseeded(self.controls.seed)
            self._live()
            self._settle()

    def _recondition(self):
        if self.model is not None:
            column, label = self.count.condition
            values = None if column is None else self.desk.dataset.frame[column]
            self.model = self.person.model = self.model.conditioned(values, column, label)
            self._live()
            self._settle()

    def settings(self) -> Settings:
        """The state of the controls."""
        return self.controls.settings(*self.count.condition)

    def _generated(self, picture):
        return words.generated(picture)

    # Drawing

    def _show_copying(self, step):
        self.shares.show(step.settings, self.model.original, step.held, step.recipient)
        self._show_person(shown=set(step.held), caption=step.where)

    def _show(self, picture):
        self._picture = picture
        settings, column = picture.settings, self.model.column
        self.verdict.say(**words.verdict(picture))
        self.shares.show(settings, picture.original, picture.held)
        self._show_race(picture)
        self._show_coalitions(picture)
        self.guarantees.show(settings, column.size)
        self.count.show(picture, column)
        self.memory.show(picture)

    def _show_race(self, picture):
        joining = picture.joining
        runners = [] if joining is None else [
            Runner(colours.SCHEMES[s], joining.theory[s], [t.mean for t in joining.measured[s]])
            for s in reversed(SCHEMES)
        ]  # fmt: skip
        self.race.show(runners, 0 if joining is None else joining.here)
        legend = [(s, colours.SCHEMES[s], "line") for s in SCHEMES]
        self._race_card.say(words.race(picture), [*legend, ("measured", colours.NEUTRAL, "dot"),
                                                  ("if more joined", colours.NEUTRAL, "dashed")])  # fmt: skip

    def _show_coalitions(self, picture):
        self.coalitions.show(picture.settings.recipients, picture.coalitions, picture.settings.mask)
        legend = [(s, colours.SCHEMES[s], "block") for s in SCHEMES]
        self._coalitions_card.say(words.coalitions(picture), legend)

    def _show_person(self, shown=None, caption=None):
        if self.model is not None:
            self.person.show(self.settings(), shown, caption)
