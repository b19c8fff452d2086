"""The attacker who knows some records: links, who is exposed, and why."""

from dataclasses import replace

import numpy as np
import panel as pn
import param

from trustscope import colours
from trustscope.app.rotation import help as texts
from trustscope.app.rotation.kept import sides
from trustscope.engine.attacks.known_input import breach_probability, printed_breach_probability, simulated_breach
from trustscope.scenarios.rotation import words
from trustscope.scenarios.rotation.model import DRAWN
from trustscope.scenarios.words import plain, share
from trustscope.widgets.cap import Cap
from trustscope.widgets.card import TEXT_CSS, Card, grid
from trustscope.widgets.choice import Choice
from trustscope.widgets.ledger import Ledger
from trustscope.widgets.lines import Dots, Line, Lines
from trustscope.widgets.slider import Slider
from trustscope.widgets.twin import Twin

PICK = [
    ("top", "most exposed", "The record that is easiest to guess"),
    ("typical", "a typical one", "The record in the middle of all others"),
]
BY = [
    ("known", "by records known", "As she knows more records"),
    ("eps", "by closeness", "As guesses may be further off"),
]
GUESSES = 160
DRAWS = 4_000  # rotations behind a dot
CHORDS = np.linspace(0.0, 2.0, 201)
BESIDE_CSS = ":host { display: flex !important; flex-flow: row wrap; gap: 4px 16px; align-items: center; }"


class InputsView(pn.viewable.Viewer):
    """`clicked` is a record that was clicked in the original cloud, or -1."""

    clicked = param.Integer(default=-1, doc="The record that was clicked.")

    def __init__(self):
        super().__init__()
        self.twin = Twin("Known records and their links to the release", height=330, taps=True)
        self.exposed = Lines(
            "How many records are breached with at least a given probability", share_places=True,
            x_label="breach probability at least", y_label="share of the other records",
        )  # fmt: skip
        self.cap = Cap("The sphere on which the guess lies, and the cap that is close enough")
        self.parts = Ledger("What is known of the record and what is not")
        self.pick = Choice(label="Which record", options=PICK, value="top")
        self.growth = Lines("Breach probability by the number of known records, or by closeness")
        self.by = Choice(label="Along what", options=BY, value="known")
        self.printed = Lines(
            "Breach probability by the chord: printed, corrected and drawn",
            x_label="chord, in units of the radius",
            height=250,
        )
        self.freedom = Slider(label="Free dimensions", start=2, end=20, step=1, value=3)
        self._links = Card("Her records in the release", self.twin, help_text=texts.LINKS)
        self._exposed = Card("Who is exposed", self.exposed, help_text=texts.EXPOSED)
        parts = pn.Column(self.parts, sizing_mode="stretch_width", margin=0, styles={"flex": "1 1 190px"})
        beside = pn.Column(self.cap, parts, stylesheets=[BESIDE_CSS], sizing_mode="stretch_width", margin=0)
        self._sphere = Card("Why: chord and sphere", beside, control=self.pick, help_text=texts.SPHERE)
        self._growth = Card("What more would give away", self.growth, control=self.by, help_text=texts.GROWTH)
        self._printed = Card("Printed and corrected", self.freedom, self.printed, help_text=texts.PRINTED)
        self._note = pn.pane.HTML("", stylesheets=[TEXT_CSS], margin=0)
        lower = grid(self._exposed, self._growth, self._sphere, self._printed)
        self._layout = pn.Column(self._links, lower, sizing_mode="stretch_width", margin=(12, 0, 0, 0))
        self._picture = self._model = self._state = None
        self._drawn_records = np.arange(0)
        self.twin.param.watch(self._tapped, "tapped")
        self.pick.param.watch(lambda e: self._show_sphere(), "value")
        self.by.param.watch(lambda e: self._show_growth(), "value")
        self.freedom.param.watch(lambda e: self._show_printed(), "value")
        self._show_printed()

    def _tapped(self, event):
        if event.new >= 0:
            self.clicked = -1
            self.clicked = int(self._drawn_records[event.new])

    def show(self, picture, model, names):
        """Draw everything."""
        # Along the slider the curve by the number of known records stays the same.
        state = model, model.order(picture.settings), picture.settings.eps, picture.settings.kind
        if picture.growth is None and self._state == state:
            picture = replace(picture, growth=self._picture.growth)
        self._picture, self._model, self._state = picture, model, state
        self._show_links(names)
        self._show_exposed()
        self._show_sphere()
        self._show_growth()

    def _show_links(self, names):
        p, model = self._picture, self._model
        known = list(p.settings.known)
        extra = [i for i in (*known, p.top) if i is not None and i >= DRAWN]
        drawn = self._drawn_records = np.array([*range(min(DRAWN, model.rows)), *dict.fromkeys(extra)])
        place = {int(record): i for i, record in enumerate(drawn)}
        grey = [colours.ORIGINAL] * len(drawn)
        left, right = sides(model, names, p.settings.pair, drawn, (grey, grey))
        blue, orange = colours.ROTATION["known"], colours.GUESS
        marked = [(place[i], place[i] if p.linked[i] else None, blue) for i in known]
        lines = [(place[i], place[i], blue, "solid") for i in known if p.linked[i]]
        if p.top is not None and p.top not in known and known:
            marked.insert(0, (place[p.top], place[p.top], orange))
        self.twin.show(left, right, links=lines, marked=marked, first=[place[i] for i in known])
        legend = [("known to her", blue, "dot"), ("a link she found", blue, "line")]
        legend += [("most exposed other record", orange, "dot")] if known else []
        self._links.say(words.links(p, model), legend)

    def _show_exposed(self):
        p = self._picture
        levels = np.linspace(0, 1, 201)
        judged = np.sort(p.breach[~np.isnan(p.breach)])
        lines, uniform = [], colours.ROTATION["uniform"]
        if len(judged):
            above = 1 - np.searchsorted(judged, levels - 1e-12, side="left") / len(judged)
            lines = [
                Line("uniform guess", uniform, levels, above, width=3),
                Line("projection", colours.ROTATION["projection"], [0, 1], [p.projected] * 2, dash="dashed"),
            ]
        top = 1.0
        if len(judged):
            # Nearly everybody is above nothing: the scale is that of those who have something to fear.
            most = max(float(np.mean(judged >= 0.02)), p.projected)
            top = next(step for step in (0.05, 0.1, 0.2, 0.5, 1.0) if most <= step)
        self.exposed.show(lines, x_range=(0, 1), y_top=1.02 * top, ticks=np.linspace(0, 1, 6))
        legend = [(line.name, line.colour, line.dash if line.dash != "solid" else "line") for line in lines]
        self._exposed.say(words.exposed(p), legend)

    def _show_sphere(self):
        p, model = self._picture, self._model
        if p is None:
            return
        record = p.top if self.pick.value == "top" else p.typical
        self._sphere.say(words.sphere(p, model, record))
        if record is None or not p.attack.informed:
            self.cap.show(0, 0.0, [])
            self.parts.show(("", ""), [])
            return
        free, norm, radius = p.attack.freedom, float(p.norms[record]), float(p.residuals[record])
        reach = p.settings.eps * norm
        chord = min(reach / radius, 2.0) if radius > 1e-9 * norm else 2.0
        rng = np.random.default_rng(record)
        normals = rng.standard_normal((GUESSES, max(free, 1)))
        angles = np.arccos(np.clip(normals[:, 0] / np.linalg.norm(normals, axis=1), -1, 1)) if free else np.array([])
        self.cap.show(free if radius > 1e-9 * norm else 0, chord, angles)
        right = breach_probability(p.settings.eps, norm, radius, free)
        close = float(np.mean(2 * np.sin(angles / 2) <= chord + 1e-9)) if free else 1.0
        rows = [
            ["length of the record", plain(norm)],
            ["of it unknown: radius r", plain(radius)],
            [f"allowed distance, {share(p.settings.eps)}", plain(reach)],
            ["free dimensions", str(free)],
            ["share of the cap", (words.chance(right), "bad" if right > 0.05 else "")],
            [f"of {GUESSES} random guesses", share(close) if free else "–"],
            ["projection (the foot)", ("a breach", "bad") if radius <= reach else "too far off"],
        ]
        self.parts.show(("for the whole record", ""), rows)

    def _show_growth(self):
        p = self._picture
        if p is None:
            return
        by, uniform, projection = self.by.value, colours.ROTATION["uniform"], colours.ROTATION["projection"]
        if by == "eps":
            lines = [
                Line("mean, uniform guess", uniform, p.eps, p.by_eps["uniform"]),
                Line("mean, projection", projection, p.eps, p.by_eps["projection"], dash="dashed"),
            ]
            dots = []
            if p.measured is not None and p.closed:
                dots = [Dots("drawn", uniform, [p.settings.eps], [p.measured[0]], [p.measured[1]])]
            self.growth.show(
                lines,
                dots,
                x_range=(0, 0.6),
                mark=p.settings.eps,
                ticks=np.linspace(0, 0.6, 7),
                x_label="ε: how close is close",
            )
        else:
            lines, dots, g = [], [], p.growth
            if g is not None:
                lines = [
                    Line("most exposed", colours.GUESS, g.known, g.highest, dash="dotted"),
                    Line("mean, uniform guess", uniform, g.known, g.uniform),
                    Line("mean, projection", projection, g.known, g.projection, dash="dashed"),
                ]
            most = self._model.most_known
            step = max(1, -(-most // 10))
            self.growth.show(
                lines, dots, x_range=(-0.2, most + 0.2), mark=len(p.settings.known), ticks=range(0, most + 1, step),
                x_label="records that she knows",
            )  # fmt: skip
        legend = [(line.name, line.colour, "line" if line.dash == "solid" else line.dash) for line in lines]
        self._growth.say(words.growth(p, by), legend)

    def _show_printed(self):
        """The two formulas in this many dimensions, and dots that decide."""
        free = int(self.freedom.value)
        self.freedom.readout = f"{free}"
        right = breach_probability(CHORDS, 1.0, 1.0, free)
        wrong = printed_breach_probability(CHORDS, 1.0, 1.0, free)
        lines = []
        # Apart at the jump: the printed formula has no line there.
        low = np.sqrt(2) >= CHORDS
        for part in (low, ~low):
            lines.append(Line("printed", colours.ROTATION["printed"], CHORDS[part], wrong[part], dash="dashed"))
        lines.append(Line("corrected", colours.ROTATION["corrected"], CHORDS, right, width=2.6))
        places = [0.6, 1.0, 1.3, 1.41, 1.6, 1.85]
        rng = np.random.default_rng(free)
        drawn = [simulated_breach(c, 1.0, 1.0, free, draws=DRAWS, rng=rng) for c in places]
        dots = Dots("drawn rotations", colours.GUESS, places, [d[0] for d in drawn], [d[1] for d in drawn])
        self.printed.show(lines, [dots], x_range=(0, 2.02), ticks=(0, 0.5, 1, 1.5, 2))
        chord = 1.3
        found = drawn[places.index(chord)]
        values = breach_probability(chord, 1, 1, free), printed_breach_probability(chord, 1, 1, free)
        legend = [
            ("printed", colours.ROTATION["printed"], "dashed"),
            ("corrected", colours.ROTATION["corrected"], "line"),
            ("drawn rotations", colours.GUESS, "dot"),
        ]
        self._printed.say(words.printed(free, *values, found, chord), legend)

    def __panel__(self):
        return self._layout
