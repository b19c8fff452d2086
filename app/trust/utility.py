"""What an honest analyst still gets: classifiers on the original and on each copy, on request."""

import asyncio
from html import escape

import holoviews as hv
import holoviews.plotting.bokeh  # registers the way that charts are drawn
import pandas as pd
import panel as pn

from trustscope import colours
from trustscope.app.problem import told
from trustscope.app.trust import help as texts
from trustscope.app.work import Lane, compute
from trustscope.engine import utility
from trustscope.scenarios.words import alike, count, share
from trustscope.widgets.card import Card
from trustscope.widgets.figure import dress, per_cent
from trustscope.widgets.inputs import dropdown
from trustscope.widgets.task import Task
from trustscope.widgets.texttable import TextTable

hv.Store.set_current_backend("bokeh")
MOST = 20_000  # rows handed over; the classifiers take a fair sample of at most 5 000 of them
MODEL_COLOURS = {"tree": "#12809c", "svm": "#d9541e"}
SHORT = {"tree": "tree", "svm": "machine"}
MODEL_WORDS = {"tree": "decision tree", "svm": "support vector machine"}


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
        self.chart = Chart()
        self._lane = Lane(self._failed)
        self._run = None
        self._measured = None
        self.task.param.watch(lambda e: self._start(), "starts")
        self.task.param.watch(lambda e: self._stop(), "stops")
        controls = pn.Column(self.label, self.task, width=280, margin=(6, 20, 6, 0))
        self.statistics = TextTable("Figures of the original and of each copy")
        self.figures_card = Card("What an honest analyst still gets", self.statistics, saved=self.statistics)
        self._card = Card(
            "What a classifier still learns", pn.Row(controls, self.chart, sizing_mode="stretch_width"),
            help_text=texts.UTILITY, saved=self.chart,
        )  # fmt: skip
        self._settings = None

    def load(self, model, data):
        """Other data."""
        self._stop()
        self._lane.stop()
        self.model, self._data = model, data
        # Where rows with gaps were left out, the labels of those that are left cannot be told by their place.
        options = {name: name for name in data.categorical} if data.rows == model.rows else {}
        self.label.param.update(options=options or {"": None}, value=data.label or next(iter(options), None))
        self.label.visible = self.task.visible = bool(options)
        self.task.param.update(disabled=not options, running=False, fraction=0.0, text="")
        self._measured = None
        self.chart.clear()
        self._card.say(
            "How well a classifier does on each copy. It takes a few seconds, with many rows a minute."
            if options
            else "There is no classifier to try: these data have no categorical column to predict, or rows with gaps."
        )

    def show(self, picture, model, subject):
        """The settings have changed: what was measured belongs to others."""
        self.model, settings = model, picture.settings
        self._settings = settings
        if picture.usefulness is not None:
            self._show_statistics(picture.usefulness, settings, subject)
        if self._measured is not None and not self.task.running and _what(settings, self.model.seed) != self._measured:
            self.task.text = "The copies have changed since."

    def _show_statistics(self, found, settings, subject):
        """A statistic a row, the true value and each recipient's; those that the noise moves are marked."""
        who = settings.recipients
        rows = [
            [f"{one.name}{'' if one.kept else ' *'}", *alike([one.true, *(one.copies[r.number] for r in who)])]
            for one in found.statistics
        ]
        self.statistics.show(("figure", "original", *(r.name for r in who)), rows)
        self.figures_card.say(
            f"{escape(subject.axis)}, from {count(found.rows)} {escape(subject.noun)} of each copy. "
            "* the noise moves this figure, and an analyst must correct it."
        )

    def _start(self):
        if self.task.running or self._settings is None:
            return
        self._run = run = _Measurement(self._settings, self.model, self._data, self.label.value)
        self.task.param.update(running=True, fraction=0.0, text="Making the copies")

        async def work():
            job = asyncio.ensure_future(compute(run))
            while not job.done():
                await asyncio.wait([job], timeout=0.2)
                await self._lane.show(lambda: self.task.param.update(fraction=run.fraction, text=run.text))
            await self._lane.show(lambda: self._show(run, job.result()))

        self._lane.start(work)

    def _stop(self):
        if self._run is not None:
            self._run.stopped = True

    def _show(self, run, table):
        stopped, settings, label = run.stopped, run.settings, run.label
        self.task.param.update(running=False, fraction=0.0 if stopped else 1.0, text="Stopped." if stopped else "")
        if table.empty:
            return
        self._measured = _what(settings, run.model.seed)
        order = ["original", *(f"{r.name}'s copy" for r in settings.recipients)]
        chance = self._data.frame[label].value_counts(normalize=True).max()
        self.chart.show(table, order, chance)
        figures = "; ".join(
            f"{escape(name)} {_accuracies(table, name)}" for name in order if name in set(table["copy"])
        )
        note, rows = table["note"].iloc[0], count(int(table["rows"].iloc[0]))
        self._card.say(
            f"Accuracy in predicting {escape(label)}: {figures}. "
            f"Always guessing the most frequent: {share(chance)}. {escape(note) or f'{rows} rows'}.",
            [(MODEL_WORDS[m], c, "dot") for m, c in MODEL_COLOURS.items()]
            + [("most frequent", colours.NEUTRAL, "dashed")],
        )

    def _failed(self, error):
        self.task.param.update(running=False, fraction=0.0, text=" ".join(told(error, "usefulness")))

    def __panel__(self):
        return pn.Column(self.figures_card, pn.Spacer(height=12), self._card, sizing_mode="stretch_width", margin=0)


class Chart(pn.viewable.Viewer):
    """Accuracies by copy: a figure that HoloViews makes once something was measured."""

    def __init__(self):
        super().__init__()
        self.figure, self._table = None, pd.DataFrame()
        self._pane = pn.pane.Bokeh(None, sizing_mode="stretch_width", height=210, visible=False)

    def clear(self):
        """Nothing was measured of these data."""
        self.figure, self._table = None, pd.DataFrame()
        self._pane.visible = False

    def show(self, table, order, chance):
        """Draw what was measured."""
        self.figure, self._table = hv.render(_chart(table, order, chance), backend="bokeh"), table
        self._pane.object = self.figure
        self._pane.visible = True

    def table(self) -> pd.DataFrame:
        """A row for each classifier on each copy."""
        return self._table

    def __panel__(self):
        return self._pane


class _Measurement:
    """One measurement, called in a thread: it keeps what it began with, whatever the page does meanwhile."""

    def __init__(self, settings, model, data, label):
        self.settings, self.model, self.data, self.label = settings, model, data, label
        self.fraction, self.text, self.stopped = 0.0, "", False

    def __call__(self):
        model, rows = self.model, min(MOST, self.model.rows)
        people, noise, scheme = model.population, model.noise(self.settings.similarity), self.settings.scheme
        copies = {f"{r.name}'s copy": noise.copy(r, scheme, 0, rows) for r in self.settings.recipients}
        labels = self.data.frame[self.label].to_numpy()[people.order[:rows]]
        try:
            return utility.compare(
                people.values[:rows],
                copies,
                labels,
                key=model.seed,
                progress=self._progress,
                cancelled=lambda: self.stopped,
            )
        except utility.Cancelled as stopped:
            return stopped.result

    def _progress(self, done, total, text):
        self.fraction, self.text = done / total, text


def _what(settings, seed):
    """What the copies, and how they are called, depend on."""
    return settings.scheme, settings.similarity, seed, tuple((r.number, r.trust, r.name) for r in settings.recipients)


def _accuracies(table, name) -> str:
    """The classifiers' accuracies on one copy."""
    rows = table[table["copy"] == name].set_index("model")["accuracy"]
    return ", ".join(f"{SHORT[model]} <b>{share(rows[model])}</b>" for model in SHORT if model in rows)


def _chart(table, order, chance):
    """Accuracy by copy, one colour a classifier, whiskers of one standard deviation over the folds."""
    layers = [hv.HLine(chance).opts(color=colours.NEUTRAL, line_dash="dashed", line_width=1.5)]
    for offset, (model, colour) in zip((-0.1, 0.1), MODEL_COLOURS.items(), strict=True):
        rows = table[table["model"] == model]
        x = [order.index(name) + offset for name in rows["copy"]]
        y, spread = rows["accuracy"].to_numpy(), rows["spread"].to_numpy()
        layers.append(hv.ErrorBars((x, y, spread)).opts(color=colour, line_width=2, upper_head=None, lower_head=None))
        layers.append(hv.Scatter((x, y)).opts(color=colour, size=9))
    ticks = [(i, name) for i, name in enumerate(order)]
    return hv.Overlay(layers).opts(
        hv.opts.Overlay(
            xticks=ticks, xlabel="", ylabel="accuracy", responsive=True, height=210, toolbar=None, show_frame=False,
            ylim=(0, 1.04), xlim=(-0.5, len(order) - 0.5), yformatter=per_cent(), show_legend=False, hooks=[_dressed],
        )
    )  # fmt: skip


def _dressed(plot, element):
    """The look of the other figures (see widgets.figure)."""
    dress(plot.state)
