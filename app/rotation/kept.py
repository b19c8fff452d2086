"""The first step: what a rotation keeps, and none of the values."""

import numpy as np
import panel as pn

from trustscope import colours
from trustscope.app.rotation import help as texts
from trustscope.app.rotation.common import HEIGHT, sides
from trustscope.scenarios.rotation.kept import DRAWN
from trustscope.scenarios.rotation.words import kept as words
from trustscope.widgets.card import Card
from trustscope.widgets.match import Match
from trustscope.widgets.texttable import TextTable
from trustscope.widgets.twin import Twin

SHOWN = 6  # columns of the table of values
KEPT = colours.SCHEMES["nested"]  # teal: nothing is lost


class CloudsView(pn.viewable.Viewer):
    """The same records before and after, coloured by cluster, with one distance."""

    def __init__(self):
        super().__init__()
        self.twin = Twin("The same records before and after the rotation, coloured by cluster", height=HEIGHT)
        self.card = Card("The same records, before and after", self.twin, help_text=texts.CLOUDS, saved=self.twin)

    def show(self, kept, model):
        """Draw; a picture without clusters leaves the colours out."""
        drawn = np.arange(min(DRAWN, model.records.rows))
        if kept.clusterings is None:
            colour = [[colours.ORIGINAL] * len(drawn)] * 2
        else:
            labels = kept.clusterings.original, kept.clusterings.released
            colour = [[colours.recipient(int(one)) for one in each[drawn]] for each in labels]
        left, right = sides(kept, model, drawn, colour)
        first, second = kept.ends
        ends = [(i, i, colours.GUESS) for i in kept.ends]
        pairs = [(side, first, second, colours.GUESS) for side in (0, 1)]
        self.twin.show(left, right, marked=ends, pairs=pairs)
        self.card.say(words.clouds(kept))

    def __panel__(self):
        return self.card.__panel__()


class DistancesView(pn.viewable.Viewer):
    """Distances of pairs of records before and after."""

    def __init__(self):
        super().__init__()
        self.plot = Match(
            "Distances of pairs of records before and after", height=HEIGHT, after="distance in the release",
            counted="kept", colour=KEPT,
        )  # fmt: skip
        self.card = Card("Every distance is kept", self.plot, help_text=texts.DISTANCES, saved=self.plot)

    def show(self, kept, model):
        """Draw pairs on the diagonal."""
        before, after = kept.before, kept.after
        longest = max(float(model.norms.max()), 1e-300)
        same = np.abs(after - before) <= 1e-6 * (longest + model.shift_length)
        self.plot.show(before, after, same, x_label="distance in the data")
        self.card.say(words.distances(kept))

    def __panel__(self):
        return self.card.__panel__()


class FindingsView(pn.viewable.Viewer):
    """What an analyst finds in the data and in the release."""

    def __init__(self):
        super().__init__()
        self.table = TextTable("What an analyst finds in the data and in the release")
        self.card = Card("What an analyst finds", self.table, help_text=texts.FINDINGS, saved=self.table)

    def show(self, kept, model):
        """Draw the table."""
        caption, rows = words.findings(kept, model.records)
        self.table.show(("what", "in the data", "in the release"), rows)
        self.card.say(caption)

    def __panel__(self):
        return self.card.__panel__()


class ValuesView(pn.viewable.Viewer):
    """What became of the values of the first records."""

    def __init__(self):
        super().__init__()
        self.table = TextTable("Values of the first records before and after")
        self.card = Card("What became of the values", self.table, help_text=texts.VALUES, saved=self.table)

    def show(self, kept, model):
        """Draw the table."""
        records = model.records
        shown = min(SHOWN, records.columns)
        headings = ("record", *(f"{name} / column {i + 1}" for i, name in enumerate(records.names[:shown])))
        self.table.show(headings, words.value_rows(records, model.turned, shown))
        self.card.say(words.values(records, shown))

    def __panel__(self):
        return self.card.__panel__()
