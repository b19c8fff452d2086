"""The third step: the competitor who has a sample: what is recovered, why, and when it fails."""

import numpy as np

from trustscope import colours
from trustscope.app.cards import CardView
from trustscope.app.rotation.common import scaled
from trustscope.scenarios.rotation.cards import pair
from trustscope.scenarios.rotation.kept import DRAWN
from trustscope.scenarios.rotation.words import sample as words
from trustscope.widgets.scenes.twin import Side, Twin

ARROWS = 3  # axes drawn
HEADINGS = ("axis", "share, sample", "share, release", "ratio to next", "off by", "competitor is", "direction")


class AxesView(CardView):
    """The sample beside the release, with their principal axes."""

    def __init__(self):
        self._shown = []
        super().__init__("rotation", "axes", Twin("The sample and the release, with their principal axes", height=330))

    def draw(self, table, p, model):
        """Draw both clouds and the axes that are seen best."""
        records, columns = model.records, pair(p, model)
        sample = model.sample.sample(p.settings.sample, p.settings.block)[:DRAWN]
        released = model.turned[:DRAWN]
        shown = self._shown = self._visible(p, model, columns)
        arrows: list[list] = [[], []]
        for number, axis in enumerate(shown):
            z, w = p.attack.sample_axes[:, axis], p.attack.released_axes[:, axis] * p.attack.signs[axis]
            for side, (vector, table) in enumerate(((z, sample), (w, released))):
                x, y = _width(vector, table) * vector[columns] * (records.scale[columns] if side == 0 else 1.0)
                arrows[side].append((x, y, colours.recipient(number), bool(side) and not p.right[axis]))
        own = records.own_units(sample)[:, columns]
        left = Side("the sample", own, [colours.ROTATION["known"]] * len(sample),
                    scaled([records.names[i] for i in columns], own), arrows[0])  # fmt: skip
        right = Side("the release", released[:, columns], [colours.ORIGINAL] * len(released),
                     scaled([f"column {i + 1}" for i in columns], released[:, columns]), arrows[1])  # fmt: skip
        self.plot.draw(left, right)

    def show_picture(self, picture, model):
        """Draw, and say how many axes are seen."""
        super().show_picture(picture, model)
        self.card.say(words.axes(picture, len(self._shown)), self.legend(self.taken.own))

    def legend(self, table):
        """The axes that are seen."""
        return [(f"axis {axis + 1}", colours.recipient(i), "line") for i, axis in enumerate(self._shown)]

    @staticmethod
    def _visible(p, model, columns):
        """The axes that are longest as seen across these two attributes, in both clouds."""
        length = np.zeros(model.records.columns)
        for axes, table in ((p.attack.sample_axes, model.records.pool), (p.attack.released_axes, model.turned)):
            seen = np.linalg.norm(axes[columns], axis=0) * np.std(table[:500] @ axes, axis=0)
            length += seen / (seen.max() or 1.0)
        return np.sort(np.argsort(-length, kind="stable")[:ARROWS])


def when(picture, model):
    """Axis by axis: what hides it, and whether its direction was found; headings and rows."""
    return HEADINGS, words.when_rows(picture)


def _width(vector, table):
    """Twice the standard deviation of a cloud along an axis."""
    return 2 * float(np.std(table @ vector)) or 1.0
