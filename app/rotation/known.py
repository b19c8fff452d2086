"""The second step: the insider who knows some records: links, who is exposed, and why."""

import numpy as np
import panel as pn
import param

from trustscope import colours
from trustscope.app.cards import CardView
from trustscope.app.rotation.common import HEIGHT, PICK, TALLER, sides
from trustscope.looks import looks_of
from trustscope.scenarios.rotation.kept import DRAWN
from trustscope.scenarios.rotation.words import known as words
from trustscope.widgets.controls.choice import Choice
from trustscope.widgets.controls.slider import Slider
from trustscope.widgets.frame.card import TEXT_CSS
from trustscope.widgets.live.cap import Cap
from trustscope.widgets.live.lines import Lines
from trustscope.widgets.scenes.twin import Twin
from trustscope.widgets.tables import marks
from trustscope.widgets.tables.texttable import TextTable

GUESSES = 160
BESIDE_CSS = ":host { display: flex !important; flex-flow: row wrap; gap: 4px 16px; align-items: center; }"
KNOWN = colours.ROTATION["known"]


class LinksView(CardView):
    """The known records found among the released ones. `clicked` is the place of a record that was clicked, or -1."""

    clicked = param.Integer(default=-1, doc="The record that was clicked in the original cloud.")

    def __init__(self):
        self.twin = Twin("Known records and their links to the release", height=HEIGHT + TALLER, taps=True)
        super().__init__("rotation", "links", self.twin)
        self._places = np.arange(0)
        self.twin.param.watch(self._tapped, "tapped")

    def _tapped(self, event):
        if event.new >= 0:
            self.clicked = -1
            self.clicked = int(self._places[event.new])

    def show_picture(self, picture, model):
        """Draw both clouds, the known records and their links; the clouds stand also where nobody is known."""
        super().show_picture(picture, model)
        self.twin.visible = True
        known = list(picture.linked)
        extra = [i for i in (*known, picture.exposed) if i is not None and i >= DRAWN]
        drawn = self._places = np.array([*range(min(DRAWN, model.records.rows)), *dict.fromkeys(extra)])
        at = {int(place): i for i, place in enumerate(drawn)}
        grey = [colours.ORIGINAL] * len(drawn)
        left, right = sides(picture, model, drawn, (grey, grey))
        marked = [(at[i], at[i] if picture.linked[i] else None, KNOWN) for i in known]
        lines = [(at[i], at[i], KNOWN, "solid") for i in known if picture.linked[i]]
        if picture.exposed is not None and picture.exposed not in known and known:
            marked.insert(0, (at[picture.exposed], at[picture.exposed], colours.GUESS))
        self.twin.draw(left, right, links=lines, marked=marked, first=[at[i] for i in known])

    def draw(self, table, picture, model):
        """Nothing: what is drawn is more than the table."""

    def legend(self, table):
        """Who is known, and what was found."""
        legend = [("known to the insider", KNOWN, "dot"), ("found in the release", KNOWN, "line")]
        return legend + ([("most exposed other record", colours.GUESS, "dot")] if len(table) else [])


class ClosenessView(CardView):
    """Shares of hits by how close a guess must come, expected and drawn."""

    def __init__(self):
        self._mark = pn.pane.HTML(
            "", stylesheets=[TEXT_CSS, marks.CSS], sizing_mode="stretch_width", margin=(2, 0, 0, 0)
        )
        plot = Lines("Share recovered by how close a guess must come", share_places=True, height=HEIGHT)
        super().__init__("rotation", "closeness", plot, below=(self._mark,))

    def show_picture(self, picture, model):
        """Draw both curves and what was drawn at random."""
        super().show_picture(picture, model)
        _, state, by = words.closeness(picture, model.records)
        self._mark.object = f"<p>Theory and drawn rotations: {marks.mark(state, by)}</p>" if state else ""


class SphereView(CardView):
    """Why: the chord and the sphere."""

    has_legend = False  # the table beside it says what is what

    def __init__(self):
        self.cap = Cap("The sphere on which the guess lies, and the cap that is close enough")
        self.parts = TextTable("What is known of the record and what is not")
        self.pick = Choice(label="Which record", options=PICK)
        parts = pn.Column(self.parts, sizing_mode="stretch_width", margin=0, styles={"flex": "1 1 260px"})
        beside = pn.Column(self.cap, parts, stylesheets=[BESIDE_CSS], sizing_mode="stretch_width", margin=0)
        super().__init__("rotation", "sphere", beside, control=self.pick)

    def draw(self, table, picture, model):
        """Draw the sphere of the record that was chosen."""
        place = picture.exposed if picture.view.record_as == "exposed" else picture.typical
        if place is None or not picture.attack.informed:
            self.cap.draw(0, 0.0, [])
            self.parts.draw(("for the whole record", "figure"), [])
            return
        free, norm, radius = picture.attack.freedom, float(picture.norms[place]), float(picture.residuals[place])
        chord = min(picture.settings.eps * norm / radius, 2.0) if radius > 1e-9 * norm else 2.0
        normals = np.random.default_rng(place).standard_normal((GUESSES, max(free, 1)))
        angles = np.arccos(np.clip(normals[:, 0] / np.linalg.norm(normals, axis=1), -1, 1)) if free else np.array([])
        self.cap.draw(free if radius > 1e-9 * norm else 0, chord, angles)
        self.parts.draw(("for the whole record", "figure"), words.parts(picture, place, angles, chord))


class PrintedView(CardView):
    """The printed formula against the corrected one, and drawn rotations that decide."""

    def __init__(self):
        self.freedom = Slider(label="Free dimensions", start=2, end=20, step=1, value=3)
        plot = Lines("Chance of a hit by the chord: printed, corrected and drawn", height=HEIGHT)
        super().__init__("rotation", "printed", plot, above=(self.freedom,))

    def draw(self, table, picture, model):
        """Draw the two formulas in this many dimensions."""
        self.plot.show_table(looks_of(table).more["curves"])

    def legend(self, table):
        """Of the curves."""
        return looks_of(looks_of(table).more["curves"]).legend()
