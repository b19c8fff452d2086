"""The fourth step: the remedy that the paper proposes, a random projection, and why it is none."""

import numpy as np
import panel as pn

from trustscope import colours
from trustscope.app.rotation import help as texts
from trustscope.app.rotation.common import HEIGHT, MATCH_LEGEND, AttributesView, show_match
from trustscope.scenarios.rotation.words import remedy as words
from trustscope.widgets.card import Card
from trustscope.widgets.lines import Dots, Line, Lines
from trustscope.widgets.match import Match
from trustscope.widgets.texttable import TextTable

NAMES = {"one": "one matrix for all", "fresh": "a fresh matrix for each", "rotation": "plain rotation"}
TINTS = {"one": colours.ROTATION["one"], "fresh": colours.ROTATION["fresh"], "rotation": colours.NEUTRAL}


class ProjectedView(pn.viewable.Viewer):
    """What is recovered of one attribute through one matrix."""

    def __init__(self):
        super().__init__()
        self.plot = Match(
            "Recovered through one projection, against original values", height=HEIGHT, counted="recovered closely"
        )
        self.card = Card("Recovered through the remedy", self.plot, help_text=texts.REMEDY, saved=self.plot)

    def show(self, p, model):
        """Draw the dots."""
        column = show_match(self.plot, p.one_matrix.estimate, p.one_matrix.hits, p, model)
        self.card.say(words.recovered(p, model.records, column), MATCH_LEGEND)

    def __panel__(self):
        return self.card.__panel__()


class LengthsView(pn.viewable.Viewer):
    """By the number of released columns: one matrix, a fresh one for each, and a plain rotation."""

    def __init__(self):
        super().__init__()
        self.plot = Lines(
            "Share recovered by the number of released columns", log=True, height=HEIGHT, x_label="released columns"
        )
        self.card = Card("As more columns are released", self.plot, help_text=texts.REMEDY, saved=self.plot)

    def show(self, p, model):
        """Draw what is known by now."""
        ends = [p.lengths[0], p.lengths[-1]]
        lines = [
            Line("plain rotation", colours.NEUTRAL, ends, [p.rotation.rate] * 2, dash="dashed"),
            Line("guessing a constant", colours.NEUTRAL, ends, [p.without.rate] * 2, dash="dotted"),
        ]
        dots = []
        for which in ("one", "fresh"):
            known = sorted(p.curve[which].items())
            if known:
                x, y = [columns for columns, _ in known], [rate.mean for _, rate in known]
                lines.append(Line(NAMES[which], TINTS[which], x, y))
                dots.append(Dots(NAMES[which], TINTS[which], x, y, [rate.error for _, rate in known]))
        self.plot.show(
            lines, dots, x_range=(ends[0] * 0.9, ends[1] * 1.12), mark=p.settings.dimensions, ticks=p.lengths[::2],
        )  # fmt: skip
        legend = [(NAMES[which], TINTS[which], "line") for which in ("one", "fresh")]
        legend += [(line.name, line.colour, line.dash) for line in lines[:2]]
        self.card.say(words.lengths(p), legend)

    def __panel__(self):
        return self.card.__panel__()


class RemedyAttributesView(AttributesView):
    """Attribute by attribute, through one matrix."""

    def show(self, p, model):
        """Draw the bars."""
        self.show_shares(p.one_matrix.hits.attributes, p, model)


class SidesView(pn.viewable.Viewer):
    """Privacy and use, side by side."""

    def __init__(self):
        super().__init__()
        self.table = TextTable("One projection for all, a fresh one for each, and a rotation")
        self.card = Card("Privacy and use, side by side", self.table, help_text=texts.REMEDY, saved=self.table)

    def show(self, p, model):
        """Draw the table."""
        headings = ("release", "recovered", "distances change by", "keep their nearest neighbours")
        rows = [[(NAMES[which], TINTS[which]), *cells] for which, cells in words.side_rows(p)]
        self.table.show(headings, rows)
        self.card.say(words.sides(p))

    def __panel__(self):
        return self.card.__panel__()


class SpreadView(pn.viewable.Viewer):
    """Distances of pairs of records before and after one projection for all."""

    def __init__(self):
        super().__init__()
        self.plot = Match(
            "Distances of pairs of records before and after the projection", height=HEIGHT,
            after="distance in the release", counted="within 10 %", colour=colours.SCHEMES["nested"],
        )  # fmt: skip
        self.card = Card("What becomes of distances", self.plot, help_text=texts.REMEDY, saved=self.plot)

    def show(self, p, model):
        """Draw the pairs."""
        before, after = p.one_matrix.before, p.one_matrix.after
        self.plot.show(before, after, np.abs(after - before) <= 0.1 * before, x_label="distance in the data")
        teal = colours.SCHEMES["nested"]
        self.card.say(words.distances(p), [("within 10 %", teal, "dot"), ("further off", colours.ORIGINAL, "dot")])

    def __panel__(self):
        return self.card.__panel__()
