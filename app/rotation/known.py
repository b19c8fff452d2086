"""The second step: the insider who knows some records: links, who is exposed, and why."""

import numpy as np
import panel as pn
import param

from trustscope import colours
from trustscope.app.rotation import help as texts
from trustscope.app.rotation.common import HEIGHT, PICK, AttributesView, sides
from trustscope.engine.attacks.known_input import breach_probability, printed_breach_probability, simulated_breach
from trustscope.scenarios.rotation.kept import DRAWN
from trustscope.scenarios.rotation.scenario import FURTHEST
from trustscope.scenarios.rotation.words import known as words
from trustscope.widgets import marks
from trustscope.widgets.cap import Cap
from trustscope.widgets.card import TEXT_CSS, Card
from trustscope.widgets.choice import Choice
from trustscope.widgets.lines import Dots, Line, Lines
from trustscope.widgets.slider import Slider
from trustscope.widgets.texttable import TextTable
from trustscope.widgets.twin import Twin

GUESSES = 160
DRAWS = 4_000  # rotations behind a dot
CHORDS = np.linspace(0.0, 2.0, 201)
PLACES = (0.6, 1.0, 1.3, 1.41, 1.6, 1.85)  # chords at which rotations are drawn
BESIDE_CSS = ":host { display: flex !important; flex-flow: row wrap; gap: 4px 16px; align-items: center; }"
UNIFORM, PROJECTION, KNOWN = (colours.ROTATION[name] for name in ("uniform", "projection", "known"))


def _legend(lines):
    return [(line.name, line.colour, "line" if line.dash == "solid" else line.dash) for line in lines]


class LinksView(pn.viewable.Viewer):
    """The known records found among the released ones. `clicked` is the place of a record that was clicked, or -1."""

    clicked = param.Integer(default=-1, doc="The record that was clicked in the original cloud.")

    def __init__(self):
        super().__init__()
        self.twin = Twin("Known records and their links to the release", height=HEIGHT, taps=True)
        self.card = Card("Known records, found in the release", self.twin, help_text=texts.LINKS, saved=self.twin)
        self._places = np.arange(0)
        self.twin.param.watch(self._tapped, "tapped")

    def _tapped(self, event):
        if event.new >= 0:
            self.clicked = -1
            self.clicked = int(self._places[event.new])

    def show(self, p, model):
        """Draw both clouds, the known records and their links."""
        known = list(p.linked)
        extra = [i for i in (*known, p.exposed) if i is not None and i >= DRAWN]
        drawn = self._places = np.array([*range(min(DRAWN, model.records.rows)), *dict.fromkeys(extra)])
        at = {int(place): i for i, place in enumerate(drawn)}
        grey = [colours.ORIGINAL] * len(drawn)
        left, right = sides(p, model, drawn, (grey, grey))
        marked = [(at[i], at[i] if p.linked[i] else None, KNOWN) for i in known]
        lines = [(at[i], at[i], KNOWN, "solid") for i in known if p.linked[i]]
        if p.exposed is not None and p.exposed not in known and known:
            marked.insert(0, (at[p.exposed], at[p.exposed], colours.GUESS))
        self.twin.show(left, right, links=lines, marked=marked, first=[at[i] for i in known])
        legend = [("known to the insider", KNOWN, "dot"), ("found in the release", KNOWN, "line")]
        legend += [("most exposed other record", colours.GUESS, "dot")] if known else []
        self.card.say(words.links(p, model.records, model.most_known), legend)

    def __panel__(self):
        return self.card.__panel__()


class GrowthView(pn.viewable.Viewer):
    """What more known records, or fewer, would give away."""

    def __init__(self):
        super().__init__()
        self.plot = Lines(
            "Share recovered by the number of known records", height=HEIGHT, x_label="records that the insider knows",
            y_label="values recovered",
        )  # fmt: skip
        self.card = Card("As the insider knows more", self.plot, help_text=texts.GROWTH, saved=self.plot)

    def show(self, p, model):
        """Draw the curves, as far as they are worked out."""
        lines, most, grown = [], model.most_known, p.growth
        if grown is not None:
            flat = [p.without.rate] * 2
            lines = [
                Line("any rotation that fits", UNIFORM, grown.known, grown.uniform),
                Line("projection", PROJECTION, grown.known, grown.projection, dash="dashed"),
                Line("guessing a constant", colours.NEUTRAL, [0, most], flat, dash="dotted"),
            ]
        step = max(1, -(-most // 8))
        self.plot.show(
            lines, x_range=(-0.2, most + 0.2), mark=len(p.linked), ticks=range(0, most + 1, step),
        )  # fmt: skip
        self.card.say(words.growth(p, model.records), _legend(lines))

    def __panel__(self):
        return self.card.__panel__()


class KnownAttributesView(AttributesView):
    """Attribute by attribute, by whichever guess hits more."""

    def show(self, p, model):
        """Draw the bars."""
        self.show_shares(p.attributes[p.leader], p, model)


class ExposedView(pn.viewable.Viewer):
    """How many records are exposed how much."""

    def __init__(self):
        super().__init__()
        self.plot = Lines(
            "How many records are exposed at least so much", share_places=True, height=HEIGHT,
            x_label="recovered at least", y_label="share of the other records",
        )  # fmt: skip
        self.card = Card("Who is exposed", self.plot, help_text=texts.EXPOSED, saved=self.plot)

    def show(self, p, model):
        """Draw the distribution over records for both guesses."""
        levels, lines = np.linspace(0, 1, 201), []
        guesses = (
            ("any rotation that fits", UNIFORM, p.uniform, "solid"),
            ("projection", PROJECTION, p.projection, "dashed"),
        )
        for name, colour, shares, dash in guesses:
            judged = np.sort(shares[~np.isnan(shares)])
            if len(judged):
                above = 1 - np.searchsorted(judged, levels - 1e-12, side="left") / len(judged)
                lines.append(Line(name, colour, levels, above, dash=dash, width=2.6))
        self.plot.show(lines, x_range=(0, 1), ticks=np.linspace(0, 1, 6))
        self.card.say(words.exposed(p, model.records), _legend(lines))

    def __panel__(self):
        return self.card.__panel__()


class ClosenessView(pn.viewable.Viewer):
    """Shares of hits by how close a guess must come, expected and drawn."""

    def __init__(self):
        super().__init__()
        self.plot = Lines(
            "Share recovered by how close a guess must come", share_places=True, height=HEIGHT,
            x_label="how close is close",
        )  # fmt: skip
        self._mark = pn.pane.HTML(
            "", stylesheets=[TEXT_CSS, marks.CSS], sizing_mode="stretch_width", margin=(2, 0, 0, 0)
        )
        self.card = Card(
            "How close the guesses come", self.plot, self._mark, help_text=texts.CLOSENESS, saved=self.plot
        )

    def show(self, p, model):
        """Draw both curves and what was drawn at random."""
        found, lines, dots = p.closeness, [], []
        if found is not None:
            lines = [
                Line("any rotation that fits", UNIFORM, found.eps, found.lines["uniform"]),
                Line("projection", PROJECTION, found.eps, found.lines["projection"], dash="dashed"),
            ]
            if found.drawn is not None and p.closed:
                drawn = found.drawn
                dots = [Dots("drawn", UNIFORM, [p.settings.eps], [drawn.mean], [drawn.error])]
        self.plot.show(lines, dots, x_range=(0, FURTHEST), mark=p.settings.eps, ticks=np.linspace(0, FURTHEST, 7))
        caption, state, by = words.closeness(p, model.records)
        self.card.say(caption, [*_legend(lines), *([("drawn rotations", UNIFORM, "dot")] if dots else [])])
        self._mark.object = f"<p>Theory and drawn rotations: {marks.mark(state, by)}</p>" if state else ""

    def __panel__(self):
        return self.card.__panel__()


class SphereView(pn.viewable.Viewer):
    """Why: the chord and the sphere."""

    def __init__(self):
        super().__init__()
        self.cap = Cap("The sphere on which the guess lies, and the cap that is close enough")
        self.parts = TextTable("What is known of the record and what is not")
        self.pick = Choice(label="Which record", options=PICK)
        parts = pn.Column(self.parts, sizing_mode="stretch_width", margin=0, styles={"flex": "1 1 260px"})
        beside = pn.Column(self.cap, parts, stylesheets=[BESIDE_CSS], sizing_mode="stretch_width", margin=0)
        self.card = Card("Why: chord and sphere", beside, control=self.pick, help_text=texts.SPHERE, saved=self.cap)

    def show(self, p, model):
        """Draw the sphere of the record that was chosen."""
        place = p.exposed if p.view.record_as == "exposed" else p.typical
        self.card.say(words.sphere(p, model.records, place))
        if place is None or not p.attack.informed:
            self.cap.show(0, 0.0, [])
            self.parts.show(("for the whole record", "figure"), [])
            return
        free, norm, radius = p.attack.freedom, float(p.norms[place]), float(p.residuals[place])
        chord = min(p.settings.eps * norm / radius, 2.0) if radius > 1e-9 * norm else 2.0
        normals = np.random.default_rng(place).standard_normal((GUESSES, max(free, 1)))
        angles = np.arccos(np.clip(normals[:, 0] / np.linalg.norm(normals, axis=1), -1, 1)) if free else np.array([])
        self.cap.show(free if radius > 1e-9 * norm else 0, chord, angles)
        self.parts.show(("for the whole record", "figure"), words.parts(p, place, angles, chord))

    def __panel__(self):
        return self.card.__panel__()


class PrintedView(pn.viewable.Viewer):
    """The printed formula against the corrected one, and drawn rotations that decide."""

    def __init__(self):
        super().__init__()
        self.plot = Lines(
            "Chance of a hit by the chord: printed, corrected and drawn", x_label="chord, in units of the radius",
            height=HEIGHT,
        )  # fmt: skip
        self.freedom = Slider(label="Free dimensions", start=2, end=20, step=1, value=3)
        self.card = Card("Printed and corrected", self.freedom, self.plot, help_text=texts.PRINTED, saved=self.plot)

    def show(self, p, model):
        """Draw the two formulas in this many dimensions."""
        free = p.view.freedom
        right = breach_probability(CHORDS, 1.0, 1.0, free)
        wrong = printed_breach_probability(CHORDS, 1.0, 1.0, free)
        printed, corrected = colours.ROTATION["printed"], colours.ROTATION["corrected"]
        # Apart at the jump: the printed formula has no line there.
        low = np.sqrt(2) >= CHORDS
        lines = [Line("printed", printed, CHORDS[part], wrong[part], dash="dashed") for part in (low, ~low)]
        lines.append(Line("corrected", corrected, CHORDS, right, width=2.6))
        rng = np.random.default_rng(free)
        drawn = [simulated_breach(chord, 1.0, 1.0, free, draws=DRAWS, rng=rng) for chord in PLACES]
        dots = Dots("drawn rotations", colours.GUESS, PLACES, [d[0] for d in drawn], [d[1] for d in drawn])
        self.plot.show(lines, [dots], x_range=(0, 2.02), ticks=(0, 0.5, 1, 1.5, 2))
        chord = 1.3
        values = breach_probability(chord, 1, 1, free), printed_breach_probability(chord, 1, 1, free)
        legend = [
            ("printed", printed, "dashed"), ("corrected", corrected, "line"),
            ("drawn rotations", colours.GUESS, "dot"),
        ]  # fmt: skip
        self.card.say(words.printed(free, *values, drawn[PLACES.index(chord)], chord), legend)

    def __panel__(self):
        return self.card.__panel__()
