"""What an honest analyst still gets: a count with a condition, from each copy; and what the copies cost to keep."""

from html import escape

import numpy as np
import panel as pn
import param

from trustscope import colours
from trustscope.app.categories import help as texts
from trustscope.app.categories.controls import EVERYBODY
from trustscope.app.categories.shares import as_copy
from trustscope.engine import utility
from trustscope.scenarios.categories import words
from trustscope.scenarios.categories.settings import retention
from trustscope.scenarios.words import count, plain
from trustscope.widgets.bars import Bars, Mark
from trustscope.widgets.card import Card
from trustscope.widgets.inputs import dropdown

ALL = -1
MOST_VALUES = 200  # values of another column that a condition offers


class CountView(pn.viewable.Viewer):
    """How wrong a count is. `condition` is (column, label), or (None, None) for everybody."""

    condition = param.ClassSelector(class_=tuple, default=(None, None), doc="Whom to count among.")

    def __init__(self):
        super().__init__()
        self.column = dropdown("Count among", {EVERYBODY: ALL}, value=ALL)
        self.label = dropdown("whose value is", {"": 0}, value=0)
        self.bars = Bars(label="The count, estimated from each copy")
        self.column.param.watch(self._column_chosen, "value")
        self.label.param.watch(self._label_chosen, "value")
        self.column.margin = self.label.margin = (0, 8, 4, 0)
        row = pn.Row(self.column, self.label, sizing_mode="stretch_width", margin=(4, 0))
        self.card = Card("How wrong a count is", row, self.bars, help_text=texts.COUNT)
        self._quiet = False
        self._data, self._others, self._labels = None, [], []

    def load(self, dataset, sensitive: str):
        """Other data: offer its other categorical columns."""
        self._data = dataset
        self._others = others = [name for name in dataset.categorical if name != sensitive]
        self._quiet = True
        self.column.param.update(options={EVERYBODY: ALL} | {name: i for i, name in enumerate(others)}, value=ALL)
        self.column.visible = bool(others)
        self.label.visible = False
        self._quiet = False
        self.condition = (None, None)

    def _column_chosen(self, event):
        if self._quiet:
            return
        self.label.visible = event.new != ALL
        if event.new == ALL:
            self.condition = (None, None)
            return
        name = self._others[event.new]
        self._labels = self._data.frame[name].value_counts().index[:MOST_VALUES].tolist()
        self._quiet = True
        self.label.param.update(options=words.choices(dict(enumerate(self._labels))), value=0)
        self._quiet = False
        self.condition = (name, self._labels[0])

    def _label_chosen(self, event):
        if not self._quiet:
            self.condition = (self._others[self.column.value], self._labels[event.new])

    def show(self, picture, column):
        """Draw the estimates from every copy, as shares of those who meet the condition."""
        settings, size = picture.settings, column.size
        value, met = settings.value, int(picture.original.met.sum())
        question = f"{escape(words.short(column.labels[value]))} among {self._among()}"
        self.bars.visible = met > 0
        if not met:
            self.card.say(f"{question}: nobody meets the condition.")
            return
        true = int(picture.original.met[value])
        found = {}
        for r in settings.recipients:
            mine = picture.held[r.number].met
            if mine.sum():
                found[r] = utility.count(as_copy(mine), size, retention(r), value)
        spans = np.array([[f.low, f.estimate, f.high] for f in found.values()]) if found else np.zeros((0, 3))
        rows = np.array([[f.rows] for f in found.values()]) if found else np.ones((0, 1))
        self.bars.show(
            [f"{r.name}, {r.trust} %" for r in found],
            [
                Mark("true share", "bar", colours.ORIGINAL, np.full(len(found), true / met)),
                Mark("estimated share", "range", colours.GUESS, spans / rows),
            ],
            top=_ceiling(max(true / met, float((spans / rows)[:, 2].max(initial=0)))),
            texts=[_estimate(f, met / f.rows) for f in found.values()],
        )
        errors = {r: _error(met, true, retention(r), size, found.get(r)) for r in settings.recipients}
        self.card.say(
            words.counted(question, true, met, errors),
            [("true count", colours.ORIGINAL, "area"), ("estimated from the copy", colours.GUESS, "dot")],
        )

    def _among(self):
        column, label = self.condition
        return EVERYBODY if column is None else f"{escape(column)} = {escape(words.short(str(label)))}"

    def __panel__(self):
        return self.card.__panel__()


class MemoryView(pn.viewable.Viewer):
    """Values kept for a person, against the bound."""

    def __init__(self):
        super().__init__()
        self.bars = Bars(label="Values kept for a person")
        self.card = Card("What must be kept", self.bars, help_text=texts.MEMORY)

    def show(self, picture):
        """Draw what the path keeps, the paper's list, all copies, and the bound."""
        kept, copies = picture.memory, len(picture.settings.recipients)
        amounts = {
            "the path": kept.stored,
            "the path, expected": kept.expected,
            "the paper's list": kept.history,
            "every copy": copies,
            "bound 1 + ln(pₘₐₓ/pₘᵢₙ)": kept.bound,
        }
        values = np.array(list(amounts.values()), dtype=float)
        self.bars.show(
            list(amounts),
            [
                Mark("values for a person", "solid", colours.SCHEMES["nested"], values),
                Mark("bound", "tick", colours.GUESS, np.full(len(values), kept.bound)),
            ],
            top=float(np.ceil(values.max())),
            texts=[plain(v) for v in values],
        )
        self.card.say(words.memory(picture), [("values kept", colours.SCHEMES["nested"], "block"),
                                              ("bound", colours.GUESS, "dot")])  # fmt: skip

    def __panel__(self):
        return self.card.__panel__()


def _estimate(found, scale: float) -> str:
    """The estimate and its range; a preview counts some of the rows, and is scaled up to all."""
    low, middle, high = (count(max(round(scale * v), 0)) for v in (found.low, found.estimate, found.high))
    return f"{middle} ({low} to {high})"


def _error(met, true, p, size, found):
    """The expected standard error of a count of all, and whether this estimate lies within 4 of its own."""
    expected = float(utility.count_error(met, true / met, p, size))
    if found is None:
        return expected, None
    own = float(utility.count_error(found.rows, true / met, p, size))
    # A preview counts a sample of the rows, which differs by chance from all of them.
    sampled = (1 - found.rows / met) * found.rows * true / met * (1 - true / met)
    return expected, bool(abs(found.estimate - found.rows * true / met) <= 4 * np.sqrt(own**2 + sampled) + 1e-6)


def _ceiling(top):
    return float(np.ceil(20 * top) / 20) if top > 0.05 else max(float(np.ceil(200 * top) / 200), 0.005)
