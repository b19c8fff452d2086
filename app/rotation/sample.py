"""The third step: the competitor who has a sample: what is recovered, why, and when it fails."""

import numpy as np
import panel as pn

from trustscope import colours
from trustscope.app.rotation import help as texts
from trustscope.app.rotation.common import HEIGHT, MATCH_LEGEND, AttributesView, pair, scaled, show_match
from trustscope.scenarios.rotation.kept import DRAWN
from trustscope.scenarios.rotation.sample import METHODS
from trustscope.scenarios.rotation.words import sample as words
from trustscope.widgets.card import Card
from trustscope.widgets.lines import Dots, Line, Lines
from trustscope.widgets.match import Match
from trustscope.widgets.texttable import TextTable
from trustscope.widgets.twin import Side, Twin

ARROWS = 3  # axes drawn
HEADINGS = ("axis", "share, sample", "share, release", "ratio to next", "off by", "competitor is", "direction")


class RecoveredView(pn.viewable.Viewer):
    """What is recovered of one attribute, against what it was."""

    def __init__(self):
        super().__init__()
        self.plot = Match("Recovered against original values", height=HEIGHT, counted="recovered closely")
        self.card = Card("What the competitor recovers", self.plot, help_text=texts.RECOVERED, saved=self.plot)

    def show(self, p, model):
        """Draw the dots."""
        column = show_match(self.plot, p.estimate, p.hits, p, model)
        self.card.say(words.recovered(p, model.records, column), MATCH_LEGEND)

    def __panel__(self):
        return self.card.__panel__()


class SampleAttributesView(AttributesView):
    """Attribute by attribute."""

    def show(self, p, model):
        """Draw the bars."""
        self.show_shares(p.hits.attributes, p, model)


class SizesView(pn.viewable.Viewer):
    """What samples of other sizes recover, by both methods."""

    def __init__(self):
        super().__init__()
        self.plot = Lines(
            "Share recovered by the size of the sample", log=True, height=HEIGHT, x_label="records in the sample"
        )
        self.card = Card("By the size of the sample", self.plot, help_text=texts.SIZES, saved=self.plot)

    def show(self, p, model):
        """Draw what is known by now."""
        lines, dots = [], []
        for method in METHODS:
            known = sorted(p.curve.get(method, {}).items())
            if known:
                x, y = [size for size, _ in known], [rate.mean for _, rate in known]
                colour, name = colours.ROTATION[method], words.METHOD_NAMES[method]
                lines.append(Line(name, colour, x, y, dash="solid" if method == "improved" else "dashed"))
                dots.append(Dots(name, colour, x, y, [rate.error for _, rate in known]))
        ends = [p.sizes[0], p.sizes[-1]]
        lines.append(Line("guessing a constant", colours.NEUTRAL, ends, [p.without.rate] * 2, dash="dotted"))
        self.plot.show(lines, dots, x_range=(ends[0] * 0.9, ends[1] * 1.1), mark=p.settings.sample, ticks=p.sizes)
        legend = [(line.name, line.colour, "line" if line.dash == "solid" else line.dash) for line in lines]
        self.card.say(words.sizes(p), legend)

    def __panel__(self):
        return self.card.__panel__()


class AxesView(pn.viewable.Viewer):
    """The sample beside the release, with their principal axes."""

    def __init__(self):
        super().__init__()
        self.twin = Twin("The sample and the release, with their principal axes", height=330)
        self.card = Card("Two sets of axes", self.twin, help_text=texts.AXES, saved=self.twin)

    def show(self, p, model):
        """Draw both clouds and the axes that are seen best."""
        records, columns = model.records, pair(p, model)
        sample = model.sample.sample(p.settings.sample, p.settings.block)[:DRAWN]
        released = model.turned[:DRAWN]
        shown = self._visible(p, model, columns)
        arrows = [[], []]
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
        self.twin.show(left, right)
        legend = [(f"axis {axis + 1}", colours.recipient(i), "line") for i, axis in enumerate(shown)]
        self.card.say(words.axes(p, len(shown)), legend)

    @staticmethod
    def _visible(p, model, columns):
        """The axes that are longest as seen across these two attributes, in both clouds."""
        length = np.zeros(model.records.columns)
        for axes, table in ((p.attack.sample_axes, model.records.pool), (p.attack.released_axes, model.turned)):
            seen = np.linalg.norm(axes[columns], axis=0) * np.std(table[:500] @ axes, axis=0)
            length += seen / (seen.max() or 1.0)
        return np.sort(np.argsort(-length, kind="stable")[:ARROWS])

    def __panel__(self):
        return self.card.__panel__()


class WhenView(pn.viewable.Viewer):
    """Axis by axis: what hides it, and whether its direction was found."""

    def __init__(self):
        super().__init__()
        self.table = TextTable("Principal axes: size, error, direction", tall=420)
        self.card = Card("When it fails, and why", self.table, help_text=texts.WHEN, saved=self.table)

    def show(self, p, model):
        """Draw the table."""
        self.table.show(HEADINGS, words.when_rows(p))
        self.card.say(f"{words.when(p)} {words.reasons(p)}".strip())

    def __panel__(self):
        return self.card.__panel__()


def _width(vector, table):
    """Twice the standard deviation of a cloud along an axis."""
    return 2 * float(np.std(table @ vector)) or 1.0
