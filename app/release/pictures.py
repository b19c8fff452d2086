"""The two pictures that the Release page opens with: who holds what, and what every coalition could do."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from trustscope import colours
from trustscope.app.cards import CardView
from trustscope.numbers import GAP
from trustscope.scenarios.release import words
from trustscope.scenarios.release.cards import holders
from trustscope.widgets.controls.choice import Choice
from trustscope.widgets.scenes.bars import Bars, Mark
from trustscope.widgets.scenes.pooling import Pooling

HEIGHT = 230
MEASURES = [
    ("numbers", "numbers", "The trust of their best copy"),
    ("categories", "categories", "The retention of their best copy"),
]


class HoldingView(CardView):
    """Who holds what: a row for each copy, its place on the path of noise."""

    def __init__(self):
        plot = Bars(label="Who holds what: trust and retention of every copy", tallest=HEIGHT)
        super().__init__("release", "holding", plot)

    def draw(self, table, picture, model):
        """Draw the copies that are out, and the one that is considered."""
        rows, asked = holders(picture), picture.asked
        flagged = [i for i, row in enumerate(rows) if asked is not None and row[0] == words.considered(asked.to)]
        self.plot.draw(
            [row[0] for row in rows], self._marks(picture, rows), top=100, flagged=flagged, fill=HEIGHT,
            texts=[words.holder_row(*row[1:]) for row in rows],
        )  # fmt: skip

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


class Held(Pooling):
    """Trust is counted in tenths of a per cent: the bar of 99.9 % is not that of the data, nor 0.1 % nothing."""

    def draw(self, seats: Sequence, masks: Sequence[int], series: dict, **options: Any) -> None:
        """Draw, with the words of the headline at the ends of the bars."""
        texts = {
            name: [words.of_copy(value).replace(" ", GAP) for value in values] for name, (_, values) in series.items()
        }
        super().draw(seats, masks, series, **(options | {"texts": texts}))


class PooledView(CardView):
    """What every coalition of holders could do, now and with the copy that is considered."""

    def __init__(self):
        self.measure = Choice(label="Best copy of", options=MEASURES)
        self._who: Sequence[Any] = ()
        plot = Held("The best copy of every coalition of holders", tall=HEIGHT)
        super().__init__("release", "pooled", plot, control=self.measure)

    def show_picture(self, picture, model=None):
        """Draw the coalitions of what is out."""
        self.measure.disabled = [name for name, *_ in MEASURES if name not in picture.measures]
        self._who, _ = picture.pooled()
        super().show_picture(picture, model)

    def draw(self, table, picture, model):
        """Draw a row for each coalition."""
        self.plot.show_table(table, self._who)

    def legend(self, table):
        """Who they are."""
        return [(one.name, one.colour, "dot") for one in self._who]
