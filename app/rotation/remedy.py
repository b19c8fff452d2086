"""The remedy that the paper proposes, a random projection, and why it is none."""

import panel as pn

from trustscope import colours
from trustscope.app.rotation import help as texts
from trustscope.scenarios.rotation import words
from trustscope.scenarios.rotation.model import DRAWN
from trustscope.scenarios.words import share
from trustscope.widgets.card import Card, grid
from trustscope.widgets.ledger import Ledger
from trustscope.widgets.lines import Dots, Line, Lines
from trustscope.widgets.match import Match

NAMES = {"one": "one matrix for all records", "fresh": "a fresh matrix for each"}


class RemedyView(pn.viewable.Viewer):
    """What is recovered through a projection, by its columns, and what becomes of distances."""

    def __init__(self):
        super().__init__()
        self._kept = None, {}
        self.match = Match("Recovered through one projection, against original values", height=250)
        self.lengths = Lines("Share recovered by the number of released columns", log=True, height=250)
        self.table = Ledger("One projection for all, and a fresh one for each")
        self._match = Card("Recovered through the remedy", self.match, help_text=texts.REMEDY)
        self._lengths = Card("By the number of released columns", self.lengths, help_text=texts.REMEDY)
        self._table = Card("Privacy and use, side by side", self.table, help_text=texts.REMEDY)
        self._layout = pn.Column(
            grid(self._match, self._lengths), self._table, sizing_mode="stretch_width", margin=(0, 0, 12, 0)
        )

    def show(self, p, model, names):
        """Draw."""
        which = p.settings.pair[0]
        drawn = slice(2 * DRAWN)
        true = model.private[: len(p.estimate)]
        self.match.show(
            true[drawn, which], p.estimate[drawn, which], p.breached[drawn], x_label=f"{names[which]}, as it was"
        )
        self._match.say(words.remedy(p), [("breached", colours.GUESS, "dot"), ("not", colours.ORIGINAL, "dot")])
        rows = [
            [
                (NAMES[w], colours.ROTATION[w]), (share(p.rates[w]), "bad" if p.rates[w] > 0.05 else "good"),
                (words.change(p.spread[w]), "bad" if p.spread[w] > 0.5 else ""),
                (share(p.neighbours[w]), "bad" if p.neighbours[w] < 0.05 else ""),
            ]
            for w in ("one", "fresh")
        ]  # fmt: skip
        rows.append(
            [("rotation", colours.NEUTRAL), (share(p.rotation), "bad" if p.rotation > 0.05 else ""), "0 %", "100 %"]
        )
        self.table.show(("release", "recovered", "distances change by", "keep their 5 nearest neighbours"), rows)
        self._table.say(words.sides(p))
        self.show_curve(p, model)

    def show_curve(self, p, model):
        """What is known by now of other numbers of columns; what was known before stays as long as it holds."""
        lengths, state = model.lengths(), (model.seed, id(model.private), p.settings.eps, p.settings.kind)
        if self._kept[0] != state or len(p.curve.get("one", {})) >= len(self._kept[1].get("one", {})):
            self._kept = state, p.curve
        curve = self._kept[1]
        lines = [Line("rotation", colours.NEUTRAL, [lengths[0], lengths[-1]], [p.rotation] * 2, dash="dotted")]
        dots = []
        for which in ("one", "fresh"):
            known = sorted(curve.get(which, {}).items())
            if known:
                x, y = [l for l, _ in known], [rate for _, (rate, _) in known]
                lines.append(Line(NAMES[which], colours.ROTATION[which], x, y))
                dots.append(Dots(NAMES[which], colours.ROTATION[which], x, y, [error for _, (_, error) in known]))
        self.lengths.show(
            lines, dots, x_range=(lengths[0] * 0.9, lengths[-1] * 1.12), mark=p.settings.dimensions, ticks=lengths,
            x_label="released columns",
        )  # fmt: skip
        done = len(curve.get("one", {})) == len(lengths)
        legend = [
            ("one matrix for all records", colours.ROTATION["one"], "line"),
            ("a fresh matrix for each", colours.ROTATION["fresh"], "line"),
            ("rotation, same sample", colours.NEUTRAL, "dotted"),
        ]
        self._lengths.say(words.lengths(p, done), legend)

    def __panel__(self):
        return self._layout
