"""What the steps of the Rotation page draw alike: two clouds, values attribute by attribute, and one record."""

import numpy as np
import panel as pn

from trustscope import colours
from trustscope.app.rotation import help as texts
from trustscope.scenarios.rotation.words import common as words
from trustscope.scenarios.words import plain, share
from trustscope.widgets.bars import Bars, Mark
from trustscope.widgets.card import Card
from trustscope.widgets.choice import Choice
from trustscope.widgets.match import Match
from trustscope.widgets.texttable import TextTable
from trustscope.widgets.twin import Side

HEIGHT = 290  # of the two pictures of a step
BARS = 330  # pixels beyond which bars scroll: sixteen attributes do not
DOTS = 500  # drawn of one attribute
PICK = [
    ("exposed", "most exposed", "The record that is recovered best"),
    ("typical", "a typical one", "The record in the middle of all others"),
]


def pair(picture, model) -> list[int]:
    """The columns of the two attributes that are drawn."""
    return [model.records.index(picture.view.across), model.records.index(picture.view.upwards, 1)]


def sides(picture, model, drawn, colour, titles=("the data", "the release")) -> tuple[Side, Side]:
    """Both clouds of these records over the pair of attributes; the data in their own units."""
    records, columns = model.records, pair(picture, model)
    before = records.own_units(records.private[drawn])[:, columns]
    after = model.turned[drawn][:, columns]
    left = Side(titles[0], before, colour[0], scaled([records.names[i] for i in columns], before))
    right = Side(titles[1], after, colour[1], scaled([f"column {i + 1}" for i in columns], after))
    return left, right


def scaled(names, points) -> tuple[str, ...]:
    """Names of two axes with the range of what is drawn along them."""
    ends = zip(names, points.min(axis=0), points.max(axis=0), strict=True)
    return tuple(f"{name}, {plain(float(low))} to {plain(float(high))}" for name, low, high in ends)


def show_match(plot: Match, estimate: np.ndarray, hits, picture, model) -> int:
    """Draw what was recovered of one attribute against what it was, in its own units; returns its column.

    Orange is what counts: single values, or whole records where those are judged.
    """
    records = model.records
    column = pair(picture, model)[0]
    true = records.own_units(records.private[: len(estimate), column], column)[:DOTS]
    guess = records.own_units(estimate[:, column], column)[:DOTS]
    counts = hits.values[:DOTS, column] if picture.settings.kind == "value" else hits.record[:DOTS] > 0
    plot.show(true, guess, counts, x_label=f"{records.axis(column)}, as it was")
    return column


MATCH_LEGEND = [("recovered", colours.GUESS, "dot"), ("not recovered", colours.ORIGINAL, "dot")]


class AttributesView(pn.viewable.Viewer):
    """What is recovered of every attribute, and what guessing a constant would hit."""

    def __init__(self):
        super().__init__()
        self.bars = Bars(label="Share of values recovered, attribute by attribute", tallest=BARS)
        self.card = Card("Attribute by attribute", self.bars, help_text=texts.ATTRIBUTES, saved=self.bars)

    def show_shares(self, attributes: np.ndarray, picture, model):
        """Draw shares of hits by attribute; those where all records are the same are left out."""
        records = model.records
        columns = np.flatnonzero(records.varying)
        without = picture.without.attributes[columns]
        found = np.asarray(attributes)[columns]
        marks = [
            Mark("recovered", "solid", colours.GUESS, found),
            Mark("by guessing a constant", "tick", colours.NEUTRAL, without),
        ]
        self.bars.show(
            [records.names[i] for i in columns], marks, top=1.0, texts=[share(float(one)) for one in found],
            fill=HEIGHT,
        )  # fmt: skip
        self.card.say(
            words.attributes(records, picture.settings),
            [("recovered", colours.GUESS, "block"), ("by guessing a constant", colours.NEUTRAL, "line")],
        )

    def __panel__(self):
        return self.card.__panel__()


class RecordView(pn.viewable.Viewer):
    """One record: every value as it was and as it was guessed."""

    def __init__(self):
        super().__init__()
        self.pick = Choice(label="Which record", options=PICK)
        self.table = TextTable("One record: true values and guesses", tall=420)
        self.card = Card("One record", self.table, control=self.pick, help_text=texts.RECORD, saved=self.table)

    def show(self, picture, model):
        """Draw the record that was chosen."""
        one, records = picture.one, model.records
        self.card.say(words.record(one, records, picture.settings))
        rows = [] if one is None else words.record_rows(one, records)
        self.table.show(("attribute", "true value", "guess", "off by (standard deviations)", "counts as"), rows)

    def __panel__(self):
        return self.card.__panel__()
