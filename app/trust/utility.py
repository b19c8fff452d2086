"""What an honest analyst still gets: classifiers on the original and on each copy, on request."""

from functools import partial
from html import escape

import pandas as pd
import panel as pn

from trustscope import plots
from trustscope.app.cards import CardView, Taken
from trustscope.app.jobs import Job, Run
from trustscope.app.panels import Panels
from trustscope.app.problem import explain_error
from trustscope.scenarios.cards import cards_of
from trustscope.scenarios.trust.usefulness import accuracies
from trustscope.scenarios.words import alike, count, share
from trustscope.widgets.controls.inputs import dropdown
from trustscope.widgets.controls.task import Task
from trustscope.widgets.frame.card import Card
from trustscope.widgets.tables.texttable import TextTable

SHORT = {"tree": "tree", "svm": "machine"}


class UtilityView(pn.viewable.Viewer):
    """Runs when asked to, with progress, and can be stopped."""

    def __init__(self):
        super().__init__()
        self.label = dropdown("Predict", {"": None})
        self.task = Task(
            label="Classifiers trained",
            start_text="Measure usefulness",
            stop_text="Stop",
            sizing_mode="stretch_width",
        )
        self.chart = Panels(height=210)
        self._job = Job(self._failed, self._tell)
        self._measured = None
        self.task.param.watch(lambda e: self._start(), "starts")
        self.task.param.watch(lambda e: self._job.cancel(), "stops")
        controls = pn.Column(self.label, self.task, width=280, margin=(6, 20, 6, 0))
        self.figures = StatisticsView()
        declared = cards_of("trust")["classifiers"]
        self.taken = Taken()
        self._card = Card(
            declared.title, pn.Row(controls, self.chart, sizing_mode="stretch_width"), help_text=declared.help,
            saved=self.taken,
        )  # fmt: skip
        self._settings = None

    def load(self, model, data):
        """Other data."""
        self._job.drop()
        self.model, self._data = model, data
        # Where rows with gaps were left out, the labels of those that are left cannot be told by their place.
        options = {name: name for name in data.categorical} if data.rows == model.rows else {}
        self.label.param.update(options=options or {"": None}, value=data.label or next(iter(options), None))
        self.label.visible = self.task.visible = bool(options)
        self.task.param.update(disabled=not options, running=False, fraction=0.0, text="")
        self._measured = None
        self.chart.clear()
        self.taken.put(cards_of("trust")["classifiers"], pd.DataFrame())
        self._card.say(
            "How well a classifier does on each copy. It takes a few seconds, with many rows a minute."
            if options
            else "There is no classifier to try: these data have no categorical column to predict, or rows with gaps."
        )

    def show_picture(self, picture, model):
        """The settings have changed: what was measured belongs to others."""
        self.model, settings = model, picture.settings
        self._settings = settings
        if picture.usefulness is not None:
            self.figures.show_picture(picture, model)
        self._compare()

    def _compare(self):
        """Say so where what was measured is of other copies than those of now."""
        if self._measured is None or self._settings is None or self.task.running:
            return
        if _what(self._settings, self.model.seed) != self._measured:
            self.task.text = "The copies have changed since."

    def _tell(self, run):
        self.task.param.update(fraction=run.fraction, text=run.text)

    def _start(self):
        if self.task.running or self._settings is None:
            return
        measurement = _Measurement(self._settings, self.model, self._data, self.label.value)
        self.task.param.update(running=True, fraction=0.0, text="Making the copies")
        self._job.start(measurement, lambda run, table: self._show(measurement, run.cancelled, table))

    def hide(self):
        """Nobody looks: end what is under way."""
        if self._job.running:
            self._job.drop()
            self.task.param.update(running=False, fraction=0.0, text="Stopped.")

    def _show(self, measured, stopped, table):
        settings, label = measured.settings, measured.label
        self.task.param.update(running=False, fraction=0.0 if stopped else 1.0, text="Stopped." if stopped else "")
        if table is None or table.empty:
            return
        self._measured = _what(settings, measured.model.seed)
        order = ["original", *(f"{r.name}'s copy" for r in settings.recipients)]
        chance = table["chance"].iloc[0]
        self.taken.put(cards_of("trust")["classifiers"], table)
        figures = "; ".join(
            f"{escape(name)} {_accuracies(table, name)}" for name in order if name in set(table["copy"])
        )
        note, rows = table["note"].iloc[0], count(int(table["rows"].iloc[0]))
        caption = (
            f"Accuracy in predicting {escape(label)}: {figures}. "
            f"Always guessing the most frequent: {share(chance)}. {escape(note) or f'{rows} rows'}."
        )
        self.chart.put(lambda: plots.plot("trust.classifiers", table), partial(self._card.say, caption))
        self._compare()

    def _failed(self, error):
        self.task.param.update(running=False, fraction=0.0, text=" ".join(explain_error(error, "usefulness")))

    def __panel__(self):
        return pn.Column(self.figures, pn.Spacer(height=12), self._card, sizing_mode="stretch_width", margin=0)


class StatisticsView(CardView):
    """A statistic a row, the true value and each recipient's; those that the noise moves are marked."""

    has_legend = False  # it is a table

    def __init__(self):
        super().__init__("trust", "usefulness", TextTable("Figures of the original and of each copy"))

    def draw(self, table, picture, model):
        """Write the table."""
        who = [r.name for r in picture.settings.recipients]
        rows = [
            [f"{row['figure']}{'' if row['correct without correction'] else ' *'}",
             *alike([row["original"], *(row[name] for name in who)])]
            for row in table.to_dict("records")
        ]  # fmt: skip
        self.plot.draw(("figure", "original", *who), rows)


class _Measurement:
    """One measurement, called in a thread: it keeps what it began with, whatever the page does meanwhile."""

    def __init__(self, settings, model, data, label):
        self.settings, self.model, self.data, self.label = settings, model, data, label

    def __call__(self, run: Run):
        """The accuracies, as far as they were measured before it was called off."""
        run.text = "Making the copies"
        return accuracies(
            self.model, self.settings, self.data.frame[self.label].to_numpy(),
            progress=lambda done, total, text: run.progress(done / total, text), cancelled=lambda: run.cancelled,
        )  # fmt: skip


def _what(settings, seed):
    """What the copies, and how they are called, depend on."""
    return settings.scheme, settings.similarity, seed, tuple((r.number, r.trust, r.name) for r in settings.recipients)


def _accuracies(table, name) -> str:
    """The classifiers' accuracies on one copy."""
    rows = table[table["copy"] == name].set_index("model")["accuracy"]
    return ", ".join(f"{SHORT[model]} <b>{share(rows[model])}</b>" for model in SHORT if model in rows)
