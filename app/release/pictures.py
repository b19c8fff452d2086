"""The two pictures that the Release page opens with: who holds what, and what every coalition could do."""

import numpy as np
import panel as pn

from trustscope import colours
from trustscope.app.release import help as texts
from trustscope.scenarios.release import words
from trustscope.scenarios.release.picture import Picture
from trustscope.widgets.bars import Bars, Mark
from trustscope.widgets.card import Card
from trustscope.widgets.choice import Choice
from trustscope.widgets.pooling import Pooling

HEIGHT = 230
MEASURES = [
    ("numbers", "numbers", "What they know of the numbers"),
    ("categories", "categories", "What they know of the categories"),
]


class HoldingView(pn.viewable.Viewer):
    """Who holds what: a row for each copy, its place on the path of noise."""

    def __init__(self):
        super().__init__()
        self.plot = Bars(label="Who holds what: trust and retention of every copy", tallest=HEIGHT)
        self.card = Card("Who holds what", self.plot, help_text=texts.HOLDING, saved=self.plot)

    def show(self, picture: Picture):
        """Draw the copies that are out, and the one that is considered."""
        rows = [(copy.to, _percent(copy.trust), _percent(copy.retention)) for copy in picture.first_issued]
        asked = picture.asked
        if asked is not None:
            rows.append((words.considered(asked.to), asked.trust, asked.retention))
        rows = sorted(rows, key=lambda row: tuple(-(value or 0) for value in row[1:]))
        self.plot.visible = bool(rows)
        flagged = [i for i, row in enumerate(rows) if asked is not None and row[0] == words.considered(asked.to)]
        if rows:
            self.plot.show(
                [row[0] for row in rows], self._marks(picture, rows), top=100, flagged=flagged, fill=HEIGHT,
                texts=[words.holder_row(*row[1:]) for row in rows],
            )  # fmt: skip
        both = len(picture.measures) > 1
        legend = [("trust, of numbers", colours.SCHEMES["nested"], "dot")] if picture.numbers else []
        if picture.categories:
            legend.append(("retention, of categories", colours.GUESS, "line" if both else "dot"))
        self.card.say(words.holding(picture), legend if rows else ())

    @staticmethod
    def _marks(picture, rows):
        def on_path(place):
            return np.array([(0, row[place] or 0, 100) for row in rows], dtype=float)

        if not picture.numbers:
            return [Mark("retention in per cent", "range", colours.GUESS, on_path(2))]
        marks = [Mark("trust in per cent", "range", colours.SCHEMES["nested"], on_path(1))]
        if picture.categories:
            ticks = np.array([row[2] or -1 for row in rows], dtype=float)
            marks.append(Mark("retention in per cent", "tick", colours.GUESS, ticks))
        return marks

    def __panel__(self):
        return self.card.__panel__()


class PooledView(pn.viewable.Viewer):
    """What every coalition of holders could do, now and with the copy that is considered."""

    def __init__(self):
        super().__init__()
        self.plot = Pooling("What every coalition of holders knows", tall=HEIGHT)
        self.measure = Choice(label="What they know of", options=MEASURES)
        self.card = Card(
            "What every coalition could do", self.plot, control=self.measure, help_text=texts.POOLED, saved=self.plot
        )

    def show(self, picture: Picture):
        """Draw the coalitions of what is out."""
        measure = picture.scenario.view.measure
        self.measure.disabled = [name for name, *_ in MEASURES if name not in picture.measures]
        who, masks = picture.pooled()
        self.plot.visible = bool(masks)
        if masks:
            members = [[one.name for i, one in enumerate(who) if mask >> i & 1] for mask in masks]
            series = {}
            if picture.asked is not None:
                then = [picture.known(picture.asked.coalitions, names, measure) for names in members]
                series["with this copy"] = (colours.GUESS, then)
            if picture.copies:
                now = [picture.known(picture.coalitions, names, measure) for names in members]
                series["what is out"] = (colours.SCHEMES["nested"], now)
            self.plot.show(who, masks, series, top=1.0, baseline=picture.without(measure) or None)
        self.card.say(words.pooled(picture, len(who)), [(one.name, one.colour, "dot") for one in who])

    def __panel__(self):
        return self.card.__panel__()


def _percent(thousandths: int | None) -> float | None:
    return None if thousandths is None else thousandths / 10
