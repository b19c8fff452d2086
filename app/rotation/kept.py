"""The first step: what a rotation keeps, and none of the values."""

import numpy as np

from trustscope import colours
from trustscope.app.cards import CardView
from trustscope.app.rotation.common import HEIGHT, sides
from trustscope.scenarios.rotation.cards import SHOWN
from trustscope.scenarios.rotation.kept import DRAWN
from trustscope.scenarios.rotation.words import kept as words
from trustscope.widgets.scenes.twin import Twin


class CloudsView(CardView):
    """The same records before and after, coloured by cluster, with one distance."""

    has_legend = False  # colours are clusters

    def __init__(self):
        plot = Twin("The same records before and after the rotation, coloured by cluster", height=HEIGHT)
        super().__init__("rotation", "clouds", plot)

    def draw(self, table, picture, model):
        """Draw; a picture without clusters leaves the colours out."""
        drawn = np.arange(min(DRAWN, model.records.rows))
        if picture.clusterings is None:
            colour = [[colours.ORIGINAL] * len(drawn)] * 2
        else:
            labels = picture.clusterings.original, picture.clusterings.released
            colour = [[colours.recipient(int(one)) for one in each[drawn]] for each in labels]
        left, right = sides(picture, model, drawn, colour)
        first, second = picture.ends
        ends = [(i, i, colours.GUESS) for i in picture.ends]
        pairs = [(side, first, second, colours.GUESS) for side in (0, 1)]
        self.plot.draw(left, right, marked=ends, pairs=pairs)


def findings(picture, model):
    """What an analyst finds in the data and in the release: headings and rows."""
    return ("what", "in the data", "in the release"), words.findings(picture, model.records)[1]


def values(picture, model):
    """What became of the values of the first records: headings and rows."""
    records = model.records
    shown = min(SHOWN, records.columns)
    headings = ("record", *(f"{name} / column {i + 1}" for i, name in enumerate(records.names[:shown])))
    return headings, words.value_rows(records, model.turned, shown)
