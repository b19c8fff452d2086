"""The data desk of the Categories dashboard: one column, as it is or in bins."""

from html import escape

import panel as pn
import param

from trustscope import datasets
from trustscope.app.data import DataDesk
from trustscope.scenarios.categories.column import BINS, Column, column_of
from trustscope.scenarios.categories.example import TITLES, patients
from trustscope.scenarios.words import count
from trustscope.widgets.inputs import dropdown
from trustscope.widgets.slider import Slider


class ColumnDesk(DataDesk):
    """What is loaded, and the sensitive `column` of it; other columns are carried along."""

    column = param.ClassSelector(class_=Column, doc="The column that is perturbed.")

    def _built_in(self):
        return {title: name for name, title in TITLES.items()} | super()._built_in()

    def _open(self, name):
        return patients(name) if name in TITLES else datasets.load(name)

    def _first(self, dataset):
        return (*dataset.categorical, *dataset.numeric)[:1]

    def _make_chooser(self):
        self.which = dropdown("Sensitive attribute", {"": None})
        self.bins = Slider(label="Bins", start=BINS[0], end=BINS[1], step=1, value=10)
        self.which.param.watch(self._chosen, "value")
        self.bins.param.watch(self._bins_moved, "value")
        self.bins.param.watch(self._rebinned, "value_throttled")
        return pn.Column(self.which, self.bins, sizing_mode="stretch_width", margin=0)

    def _show_chooser(self):
        data = self.dataset
        options = {name: name for name in data.categorical} | {f"{name}, in bins": name for name in data.numeric}
        self.which.param.update(options=options or {"": None}, value=next(iter(self.columns), None))
        self._understand()

    def _understand(self):
        name = next(iter(self.columns), None)
        self.column = None if name is None else column_of(self.dataset, name, int(self.bins.value))
        self.bins.visible = name in self.dataset.numeric
        self._bins_moved()

    def _bins_moved(self, event=None):
        self.bins.readout = f"{int(self.bins.value)}"

    def _chosen(self, event):
        if not self._quiet and event.new is not None and (event.new,) != self.columns:
            self.columns = (event.new,)
            self._understand()
            self._take(self.columns)

    def _rebinned(self, event):
        if not self._quiet:
            self._understand()
            self._take(self.columns)

    def _released(self):
        if self.column is None:
            return "no column to perturb."
        return f"{escape(self.column.name)} has {count(self.column.size)} values."

    def _refusal(self, dataset):
        if dataset.categorical or dataset.numeric:
            return None
        return "None of the chosen columns holds categories or numbers: choose one that does, or another file."
