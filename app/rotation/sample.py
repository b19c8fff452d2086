"""The attacker who has a sample of the population: axes, directions, and what is recovered."""

import numpy as np
import panel as pn

from trustscope import colours
from trustscope.app.rotation import help as texts
from trustscope.app.rotation.kept import scaled
from trustscope.scenarios.rotation import words
from trustscope.scenarios.rotation.model import DRAWN, METHODS
from trustscope.scenarios.rotation.settings import SURE
from trustscope.scenarios.words import share
from trustscope.widgets.card import Card, grid
from trustscope.widgets.ledger import Ledger
from trustscope.widgets.lines import Dots, Line, Lines
from trustscope.widgets.match import Match
from trustscope.widgets.twin import Side, Twin

ARROWS = 3  # axes drawn
NAMES = {"improved": "improved", "paper": "as in the paper"}


class SampleView(pn.viewable.Viewer):
    """Her sample beside the release, with principal axes; what she recovers; why and when it fails."""

    def __init__(self):
        super().__init__()
        self._shown, self._kept = np.arange(0), (None, {})
        self.twin = Twin("Her sample and the release, with their principal axes", height=330, arrows=ARROWS)
        self.match = Match("Recovered against original values", height=250)
        self.table = Ledger("Principal axes: size, error, direction", tall=306)
        self.sizes = Lines("Share recovered by the size of the sample", log=True, height=232)
        self._axes = Card("Two sets of axes", self.twin, help_text=texts.AXES)
        self._match = Card("What she recovers", self.match, help_text=texts.RECOVERED)
        self._when = Card("When it fails, and why", self.table, help_text=texts.WHEN)
        self._sizes = Card("By the size of her sample", self.sizes, help_text=texts.SIZES)
        lower = grid(self._match, self._when)
        self._layout = pn.Column(self._axes, lower, self._sizes, sizing_mode="stretch_width", margin=(12, 0, 12, 0))

    def show(self, picture, model, names):
        """Draw everything."""
        p = picture
        self._show_axes(p, model, names)
        true, got = model.private[: p.judged], p.estimate
        which = p.settings.pair[0]
        drawn = slice(2 * DRAWN)
        self.match.show(true[drawn, which], got[drawn, which], p.breached[drawn], x_label=f"{names[which]}, as it was")
        legend = [("breached", colours.GUESS, "dot"), ("not", colours.ORIGINAL, "dot")]
        self._match.say(words.recovered(p), legend)
        self._show_table(p)
        self.show_curve(p, model)

    def _show_axes(self, p, model, names):
        pair = list(p.settings.pair)
        self._shown = self._visible(p, model, pair)
        sample = model.sample(p.settings)[:DRAWN]
        released = model.turned[: min(DRAWN, model.rows)]
        arrows = [[], []]
        for number, axis in enumerate(self._shown):
            z, w = p.attack.sample_axes[:, axis], p.attack.released_axes[:, axis] * p.attack.signs[axis]
            for side, (vector, table) in enumerate(((z, sample), (w, released))):
                x, y = _width(vector, table) * vector[pair]
                arrows[side].append((x, y, colours.recipient(number), bool(side) and not p.right[axis]))
        left = Side("her sample", sample[:, pair], [colours.ROTATION["known"]] * len(sample),
                    scaled([names[i] for i in pair], sample[:, pair]), arrows[0])  # fmt: skip
        right = Side("released", released[:, pair], [colours.ORIGINAL] * len(released),
                     scaled([f"column {i + 1}" for i in pair], released[:, pair]), arrows[1])  # fmt: skip
        self.twin.show(left, right)
        legend = [(f"axis {axis + 1}", colours.recipient(i), "line") for i, axis in enumerate(self._shown)]
        self._axes.say(words.axes(p, len(self._shown)), legend)

    @staticmethod
    def _visible(p, model, pair):
        """The axes that are longest as seen across these two attributes, in both clouds."""
        length = np.zeros(model.columns)
        for axes, table in ((p.attack.sample_axes, model.pool), (p.attack.released_axes, model.turned)):
            seen = np.linalg.norm(axes[pair], axis=0) * np.std(table[:500] @ axes, axis=0)
            length += seen / (seen.max() or 1.0)
        return np.sort(np.argsort(-length, kind="stable")[:ARROWS])

    def _show_table(self, p):
        values, others = p.attack.sample_eigenvalues, p.attack.released_eigenvalues
        total = [float(one.sum()) or 1.0 for one in (values, others)]
        rows = []
        for axis, (a, b) in enumerate(zip(values, others, strict=True)):
            ratio = a / values[axis + 1] if axis + 1 < len(values) and values[axis + 1] > 0 else np.inf
            off = np.degrees(np.arccos(min(p.alignment[axis], 1.0)))
            sure = "guessing" if p.doubtful[axis] else "fairly sure" if p.certainty[axis] < SURE else "sure"
            drawn = np.flatnonzero(self._shown == axis)
            name = (f"{axis + 1}", colours.recipient(int(drawn[0])) if len(drawn) else None)
            rows.append(
                [
                    name, share(a / total[0]), share(b / total[1]),
                    (words.ratio(ratio), "bad" if ratio < 1.2 else "") if np.isfinite(ratio) else "–",
                    (f"{off:.0f}°", "bad" if off > 25 else ""), sure,
                    ("right", "good") if p.right[axis] else ("wrong", "bad"),
                ]
            )  # fmt: skip
        self.table.show(("axis", "hers", "released", "ratio", "off by", "she is", "direction"), rows)
        self._when.say(words.when(p))

    def show_curve(self, p, model):
        """What is known by now of other sample sizes; what was known before stays as long as it holds."""
        lines, dots = [], []
        curve = self._latest(p, (model, p.settings.eps, p.settings.kind))
        for method in METHODS:
            known = sorted(curve.get(method, {}).items())
            if known:
                x, y = [q for q, _ in known], [rate for _, (rate, _) in known]
                colour = colours.ROTATION[method]
                dash = "solid" if method == "improved" else "dashed"
                lines.append(Line(NAMES[method], colour, x, y, dash=dash))
                dots.append(Dots(NAMES[method], colour, x, y, [error for _, (_, error) in known]))
        sizes = model.sizes()
        self.sizes.show(
            lines, dots, x_range=(sizes[0] * 0.9, sizes[-1] * 1.1), mark=p.settings.sample, ticks=sizes,
            x_label="records in her sample",
        )  # fmt: skip
        done = len(curve.get(METHODS[0], {})) == len(sizes)
        legend = [(line.name, line.colour, "line" if line.dash == "solid" else line.dash) for line in lines]
        self._sizes.say(words.sizes(p, done), legend)

    def _latest(self, p, state):
        """The longer of the curve that is given and the one drawn, if both are of this state."""
        if self._kept[0] != state or sum(map(len, p.curve.values())) >= sum(map(len, self._kept[1].values())):
            self._kept = state, p.curve
        return self._kept[1]

    def __panel__(self):
        return self._layout


def _width(vector, table):
    """Twice the standard deviation of a cloud along an axis."""
    return 2 * float(np.std(table @ vector)) or 1.0
