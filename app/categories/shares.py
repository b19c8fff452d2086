"""The distribution as it was, as one recipient holds it, and as it can be estimated back."""

import numpy as np
import pandas as pd
import panel as pn

from trustscope import colours
from trustscope.app.categories import help as texts
from trustscope.engine import utility
from trustscope.scenarios.categories import words
from trustscope.scenarios.categories.picture import Held
from trustscope.scenarios.categories.settings import retention
from trustscope.scenarios.words import share
from trustscope.widgets.bars import Bars, Mark
from trustscope.widgets.card import Card
from trustscope.widgets.choice import Choice

MOST = 30  # values shown; the others are put together


class SharesView(pn.viewable.Viewer):
    """One recipient's copy, value by value."""

    def __init__(self):
        super().__init__()
        self.bars = Bars(label="Share of each value: as it was, as released, as estimated back", tallest=320)
        self.whose = Choice(label="Whose copy", options=[], value=None)
        self.card = Card("The distribution", self.bars, control=self.whose, help_text=texts.SHARES)
        self.column = None

    def load(self, column):
        """Other data."""
        self.column = column

    def recipient(self, settings):
        """The recipient whose copy is shown."""
        chosen = pick(self.whose, settings.recipients, "Show {}'s copy")
        return next(r for r in settings.recipients if r.number == chosen)

    def show(self, settings, original: Held, held: dict[int, Held], recipient=None):
        """Draw the copy of the recipient that is picked, or of the one that is given."""
        r = recipient or self.recipient(settings)
        mine, size = held[r.number], self.column.size
        sample = mine.rows < original.rows  # a preview: its rows are a sample of all
        table = utility.frequencies(as_copy(mine.counts), size, retention(r), population=sample)
        true = original.counts / original.rows
        labels, rows, true_shown, flagged = self._rows(table, mine, true, r, settings.value)
        spans = rows[["low", "estimate", "high"]].to_numpy()
        released = rows["released"].to_numpy()
        listed = len(labels) - (size > MOST)  # the others have no bar: theirs would dwarf all
        drawn = np.arange(len(labels)) < listed
        self.bars.show(
            labels,
            [
                Mark("as it was", "bar", colours.ORIGINAL, np.where(drawn, true_shown, -1)),
                Mark("as released", "thin", r.colour, np.where(drawn, released, -1)),
                Mark("as estimated back", "range", colours.GUESS, np.where(drawn[:, None], np.maximum(spans, 0), -1)),
            ],
            top=_ceiling(max(a[:listed].max() for a in (true_shown, released, spans[:, 1]))),
            texts=[f"{share(a)} → {share(max(b, 0))}" for a, b in zip(true_shown, spans[:, 1], strict=True)],
            flagged=flagged,
            fill=300,
        )
        self.card.say(
            words.shares(self.column, r, settings.value, table, true[settings.value], mine.rows)
            + f" {self._covered(table, true)}",
            [
                ("as it was", colours.ORIGINAL, "area"),
                (f"as {r.name} holds it", r.colour, "block"),
                ("estimated back", colours.GUESS, "dot"),
            ],
        )

    @staticmethod
    def _covered(table, true):
        inside = int(((table["low"] <= true + 1e-12) & (table["high"] >= true - 1e-12)).sum())
        return f"{inside} of {len(true)} ranges hold the truth."

    def _rows(self, table, mine, true, recipient, value):
        """What is listed: all values, or the most frequent ones and all others as one."""
        size = self.column.size
        if size <= MOST:
            return self.column.labels, table, true, [value]
        shown = sorted({*np.argsort(-true, kind="stable")[:MOST].tolist(), value}, key=lambda c: -true[c])
        rest = np.setdiff1d(np.arange(size), shown)
        found = utility.count(as_copy(mine.counts), size, retention(recipient), rest)
        other = {
            "released": found.seen / mine.rows,
            **{k: getattr(found, k) / mine.rows for k in ("estimate", "low", "high")},
        }
        rows = pd.concat([table.iloc[shown], pd.DataFrame([other])], ignore_index=True)
        labels = [*(self.column.labels[c] for c in shown), f"{len(rest)} others"]
        return labels, rows, np.array([*true[shown], true[rest].sum()]), [shown.index(value)]

    def __panel__(self):
        return self.card.__panel__()


def pick(choice: Choice, recipients, tip: str) -> int:
    """Offer these recipients as pills; the number of the one that is picked (the first where none is)."""
    options = [(str(r.number), r.name, tip.format(r.name)) for r in recipients]
    if choice.options != options:
        choice.options = options
    numbers = [r.number for r in recipients]
    chosen = int(choice.value) if choice.value and int(choice.value) in numbers else numbers[0]
    if choice.value != str(chosen):
        choice.value = str(chosen)
    return chosen


def as_copy(counts: np.ndarray) -> np.ndarray:
    """A copy with these counts; the order of its rows is lost, and does not matter to who only counts."""
    return np.repeat(np.arange(len(counts)), counts)


def _ceiling(top: float) -> float:
    """Headroom in steps, so that the scale does not tremble with the copies."""
    step = 10.0 ** np.floor(np.log10(max(top, 1e-6))) / 2
    return float(np.ceil(1.02 * top / step) * step)
