"""The data desk of the Survey dashboard: what is to be learnt, and of whom."""

from html import escape

import panel as pn
import param

from trustscope import datasets
from trustscope.app.data import TITLES, DataDesk
from trustscope.scenarios.categories.words import choices
from trustscope.scenarios.survey.population import Population, population
from trustscope.scenarios.survey.words import plural
from trustscope.scenarios.words import count
from trustscope.widgets.inputs import dropdown

UNFIT = ("gaussian", "diabetes")  # built-in sets without a class to learn
MOST_VALUES = 200  # values of the class that are offered


class SurveyDesk(DataDesk):
    """What is loaded, and the `people` of it who can be asked; None with a `problem` where there are none."""

    people = param.ClassSelector(class_=Population, doc="Those who can be asked.")
    problem = param.String(default="", doc="Why there is nobody to ask.")

    def _built_in(self):
        return {TITLES[name]: name for name in ("votes", *datasets.names()) if name not in UNFIT}

    def _first(self, dataset):
        label = dataset.label or next(iter(dataset.categorical), None)
        return () if label is None else (label,)

    def _make_chooser(self):
        self.which = dropdown("Class to be learnt", {"": None})
        self.value = dropdown("which value, against all others", {"": None})
        self.which.param.watch(self._chosen, "value")
        self.value.param.watch(self._value_chosen, "value")
        return pn.Column(self.which, self.value, sizing_mode="stretch_width", margin=0)

    def _show_chooser(self):
        names = self.dataset.categorical
        self.which.param.update(options={n: n for n in names} or {"": None}, value=next(iter(self.columns), None))
        self._offer_values()
        self._understand()

    def _offer_values(self):
        label = next(iter(self.columns), None)
        counts = self.dataset.frame[label].value_counts() if label else []
        self._values = [value for value in counts.index if counts[value]][:MOST_VALUES] if label else []
        self._quiet, before = True, self._quiet
        options = choices(dict(enumerate(map(str, self._values)))) or {"": None}
        self.value.param.update(options=options, value=next(iter(options.values())))
        self._quiet = before
        self.value.visible = len(self._values) > 2

    def _understand(self):
        self.people, self.problem = None, ""
        label = next(iter(self.columns), None)
        if label is None:
            self.problem = "These data have no column with categories, so there is no class to learn."
            return
        try:
            self.people = population(self.dataset, label, self._values[self.value.value or 0])
        except (ValueError, IndexError) as error:
            self.problem = str(error)

    def _chosen(self, event):
        if not self._quiet and event.new is not None and (event.new,) != self.columns:
            self.columns = (event.new,)
            self._offer_values()
            self._understand()
            self._take(self.columns)

    def _value_chosen(self, event):
        if not self._quiet and event.new is not None:
            self._understand()
            self._take(self.columns)

    def _released(self):
        if self.people is None:
            return "nobody to ask."
        encoding, out, asked = self.people.encoding, self.people.left_out, len(self.people.codes)
        more = f" {plural(len(out), 'column')} with too many answers left out." if out else ""
        if asked < self.dataset.rows:
            more += f" {count(asked)} people, drawn at random, can be asked."
        drawn = " Where a member took no position, an answer is drawn, as in the paper." if self._votes else ""
        questions, answers = plural(len(encoding.questions), "question"), plural(encoding.dimension, "answer")
        return f"{questions}, {answers}.{escape(more)}{drawn}"

    @property
    def _votes(self):
        return self.dataset.name == "votes"

    def _refusal(self, dataset):
        label = next(iter(self._first(dataset)), None)
        if label is None:
            return "None of the chosen columns holds categories, so there is no class to learn: choose another file."
        if not any(column != label for column in dataset.frame):
            return f"Beside {label} no column was chosen: there is nothing to ask for."
        return None
