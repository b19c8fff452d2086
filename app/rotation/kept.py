"""What a rotation keeps: distances, clusters, neighbours, and none of the values."""

import numpy as np
import panel as pn

from trustscope import colours
from trustscope.app.rotation import help as texts
from trustscope.scenarios.rotation import words
from trustscope.scenarios.rotation.model import DRAWN
from trustscope.scenarios.words import count, plain, share
from trustscope.widgets.card import Card, grid
from trustscope.widgets.ledger import Ledger
from trustscope.widgets.twin import Side, Twin

SHOWN = 6  # columns and records of the table of values


class KeptView(pn.viewable.Viewer):
    """Two clouds, what an analyst finds in either, and what became of the values."""

    def __init__(self):
        super().__init__()
        self.twin = Twin("The same records before and after the rotation, coloured by cluster", height=330)
        self.findings = Ledger("What an analyst finds in the data and in the release")
        self.values = Ledger("Values of the first records before and after")
        self.clouds = Card("The same records, before and after", self.twin, help_text=texts.CLOUDS)
        self._findings = Card("What an analyst finds", self.findings, help_text=texts.FINDINGS)
        self._values = Card("What became of the values", self.values, help_text=texts.VALUES)
        lower = grid(self._findings, self._values)
        self._layout = pn.Column(self.clouds, lower, sizing_mode="stretch_width", margin=(12, 0, 0, 0))

    def show(self, kept, model, names):
        """Draw; a picture without clusterings leaves the colours out."""
        drawn = np.arange(min(DRAWN, model.rows))
        if kept.clusterings is None:
            colour = [[colours.ORIGINAL] * len(drawn)] * 2
        else:
            labels = kept.clusterings.original, kept.clusterings.released
            colour = [[colours.recipient(int(one)) for one in each[drawn]] for each in labels]
        first, second = self._far(model)
        left, right = sides(model, names, kept.settings.pair, drawn, colour)
        ends = [(i, i, colours.GUESS) for i in (first, second)]
        pairs = [(side, first, second, colours.GUESS) for side in (0, 1)]
        self.twin.show(left, right, marked=ends, pairs=pairs)
        apart = [float(np.linalg.norm(t[first] - t[second])) for t in (model.private, model.turned)]
        self.clouds.say(words.clouds(kept, apart))
        self._show_findings(kept)
        self._show_values(model, names)

    @staticmethod
    def _far(model):
        """Two records of the drawn ones that lie well apart."""
        some = model.private[: min(DRAWN, model.rows)]
        return 0, int(np.argmax(np.linalg.norm(some - some[0], axis=1)))

    def _show_findings(self, kept):
        if kept.clusterings is None:
            self._findings.say("Looking for clusters in the data and in the release …")
            return
        rows = [
            ["distances", "as they were", ("equal ✓", "good") if kept.exact else ("changed", "bad")],
            [
                "5 nearest neighbours",
                "of each record",
                (f"{share(kept.neighbours)} the same", "good" if kept.neighbours == 1 else "bad"),
            ],
        ]
        for method, moved in kept.moved.items():
            verdict = ("identical ✓", "good") if not moved else (f"{moved} records moved", "bad")
            rows.append([method, f"{kept.settings.clusters} clusters", verdict])
        self.findings.show(("what", "in the data", "in the release"), rows)
        self._findings.say(f"The same algorithms on both, compared record by record on {count(kept.rows)} records.")

    def _show_values(self, model, names):
        columns = list(range(min(SHOWN, model.columns)))
        rows = []
        for record in range(min(3, model.rows)):
            for title, table in (("data", model.private), ("release", model.turned)):
                name = f"{words.ordinal(model, record)}, {title}"
                rows.append([name, *(plain(float(table[record, c])) for c in columns)])
        self.values.show(("", *(names[c] for c in columns)), rows)
        more = f" {model.columns - SHOWN} more columns are not shown." if model.columns > SHOWN else ""
        self._values.say(f"A released column mixes all attributes; whose row is whose is hidden as well.{more}")

    def __panel__(self):
        return self._layout


def sides(model, names, pair, drawn, colour, titles=("original", "released")):
    """Both clouds of these records over a pair of attributes."""
    pair = list(pair)
    before, after = model.private[drawn][:, pair], model.turned[drawn][:, pair]
    left = Side(titles[0], before, colour[0], scaled([names[i] for i in pair], before))
    right = Side(titles[1], after, colour[1], scaled([f"column {i + 1}" for i in pair], after))
    return left, right


def scaled(names, points):
    """Names of two axes with the range of what is drawn along them."""
    ends = zip(names, points.min(axis=0), points.max(axis=0), strict=True)
    return tuple(f"{name}, {plain(float(low))} to {plain(float(high))}" for name, low, high in ends)
