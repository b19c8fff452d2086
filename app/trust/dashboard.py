"""The Trust dashboard: controls at the left, verdict and views at the right."""

from html import escape

import numpy as np
import panel as pn

from trustscope import colours
from trustscope.app.live import LiveDashboard
from trustscope.app.trust import help as texts
from trustscope.app.trust.contest import DASHES, ContestView, colour
from trustscope.app.trust.controls import Controls
from trustscope.app.trust.desk import TrustDesk
from trustscope.app.trust.person import PersonView
from trustscope.app.trust.spectrum import SpectrumView
from trustscope.app.trust.utility import UtilityView
from trustscope.scenarios.trust import words
from trustscope.scenarios.trust.model import ERROR_BINS, Model
from trustscope.scenarios.trust.settings import ATTACKERS, Settings
from trustscope.scenarios.words import count
from trustscope.widgets.card import Card, grid, heading
from trustscope.widgets.choice import Choice
from trustscope.widgets.cloud import Cloud
from trustscope.widgets.coalitions import Coalitions
from trustscope.widgets.curves import Curve, Curves

COPIES_AS = [
    ("histogram", "histogram", "One attribute, all copies"),
    ("scatter", "scatter", "Two attributes, one copy"),
]
ERRORS_AS = [
    ("cumulative", "cumulative", "Share of people guessed at least that closely"),
    ("histogram", "histogram", "How many people at each error"),
]
PEOPLE = {"census", "adult", "breast", "breast-original", "diabetes"}  # where a row stands for a person


class TrustDashboard(LiveDashboard):
    """Numbers at many trust levels, and what coalitions make of them.

    Parameters
    ----------
    dataset : name of the built-in dataset to start with
    """

    def __init__(self, dataset: str = "census", **params):
        super().__init__(**params)
        self.desk = TrustDesk(dataset)
        self.controls = Controls()
        self._build_views()
        self._load()
        self._wire()
        self.desk.generator.param.watch(lambda e: self._play(), "played")

    # Layout

    def _build_views(self):
        self.copies = Curves("Histogram of each copy and of the original", height=216)
        self.cloud = Cloud("Scatter of two attributes: original, one copy, best guess", height=216)
        self._copies_as = Choice(
            label="Show the copies as", value=["histogram"],
            options=COPIES_AS,
        )  # fmt: skip
        self._cloud_of = Choice(label="Whose copy", options=[], value=[])
        self.closeness = Curves("Distribution of the error of the guesses", height=216, shares=True)
        self._errors_as = Choice(
            label="Show the errors as", value=["cumulative"],
            options=ERRORS_AS,
        )  # fmt: skip
        self.coalitions = Coalitions("Expected error of every coalition", height=236)
        self.person = PersonView()
        self.contest = ContestView()
        self.spectrum = SpectrumView()
        self.utility = UtilityView()
        self._copies_card = Card(
            "What each one holds", self._cloud_of, self.copies, self.cloud,
            control=self._copies_as, help_text=texts.COPIES,
        )  # fmt: skip
        self._closeness_card = Card(
            "How close the guesses come", self.closeness, control=self._errors_as, help_text=texts.CLOSENESS
        )
        self._coalitions_card = Card("Every coalition", self.coalitions, help_text=texts.COALITIONS)
        cards = grid(self._copies_card, self._closeness_card, self.person, self._coalitions_card)
        self._views = pn.Column(
            cards, self.contest, pn.Spacer(height=12), self.spectrum, pn.Spacer(height=12), self.utility,
            sizing_mode="stretch_width", margin=0,
        )  # fmt: skip
        for choice in (self._copies_as, self._cloud_of, self._errors_as):
            choice.param.watch(lambda e: self._redraw(), "value")
        self.cloud.__panel__().visible = False
        self.sidebar = pn.Column(heading("Data"), self.desk, self.controls, sizing_mode="stretch_width", margin=0)
        self.main = pn.Column(
            self.desk.import_view,
            self.verdict,
            self._views,
            sizing_mode="stretch_width",
            margin=0,
        )

    # What changes

    def _load(self):
        data, columns = self.desk.dataset, self.desk.columns
        self._background.stop()
        usable = bool(columns) and data.rows > 1
        self._views.visible = usable
        self.info = f"{data.title}, {count(data.rows)} rows"
        if not usable:
            self.model = None
            self.controls.attributes((), {}, (), 0)
            self.verdict.say(
                "There is nothing here to add noise to.",
                "This dataset has no numeric column, or a single row. Choose another dataset, or drop a file.",
            )
            return
        values = data.frame[list(columns)].to_numpy(dtype=float)
        noun = "people" if data.name in PEOPLE else "records"
        self.model = Model(values, self.controls.seed, noun, common_unit=self.desk.made)
        self.controls.attributes(columns, data.units, self.model.population.sd, data.rows, noun)
        if self.desk.made and self.desk.generator.chosen:
            self.controls.trust_at_most(self.desk.generator.trust())
        self.person.load(self.model, columns, data.units)
        self.utility.load(self.model, data)
        self._live()
        self._settle()

    def _play(self):
        """An experiment was chosen: its noise, all attackers, and its data."""
        generator = self.desk.generator
        self.controls.play(generator.chosen.similarity)
        generator.changed += 1  # the desk makes the data, and everything is drawn anew

    def _reseed(self):
        if self.model is not None:
            self.model = self.model.reseeded(self.controls.seed)
            self.person.model = self.utility.model = self.model
            self.person.forget()
            self._live()
            self._settle()

    def settings(self) -> Settings:
        """The state of the controls."""
        return self.controls.settings()

    def _settle(self):
        if self.model is not None:
            self.utility.outdated(self.settings())
        super()._settle()

    def _watch(self):
        self._copies_as.value = ["histogram"]  # where they can be seen
        super()._watch()

    def _generated(self, picture):
        return words.generated(picture, self.controls.subject.noun)

    # Drawing

    def _show_copying(self, step):
        lines = [
            Curve(r.name, r.colour, step.copies[r.number]) for r in step.settings.recipients if r.number in step.copies
        ]
        self._draw_copies(step.settings, step.edges, step.original, lines)
        self._show_person(shown=set(step.copies), caption=step.where)

    def _show(self, picture):
        self._picture = picture
        subject = self.controls.subject
        self.verdict.say(**words.verdict(picture, subject))
        self._show_copies(picture, subject)
        self._show_closeness(picture, subject)
        self.contest.show(picture, self.model.population)
        self.spectrum.show(picture, self.model.population.common_unit)
        self.coalitions.show(picture.settings.recipients, picture.coalitions, picture.settings.mask)
        other = next(s for s in picture.coalitions if s != "nested")
        self._coalitions_card.say(
            words.coalitions(picture),
            [("nested", colours.SCHEMES["nested"], "block"), (other, colours.SCHEMES[other], "block")],
        )

    @staticmethod
    def _middles(edges):
        return (edges[1:] + edges[:-1]) / 2

    def _show_copies(self, picture, subject):
        scatter = self._copies_as.picked == "scatter" and self.model.population.columns > 1
        self.copies.__panel__().visible, self.cloud.__panel__().visible = not scatter, scatter
        self._copies_as.disabled = [] if self.model.population.columns > 1 else ["scatter"]
        self._cloud_of.visible = scatter
        if scatter:
            self._show_cloud(picture)
            return
        settings = picture.settings
        lines = [Curve(r.name, r.colour, picture.copies[r.number] / picture.rows) for r in settings.recipients]
        if picture.guess.any():
            lines.append(Curve("best guess", colours.GUESS, picture.guess / picture.rows, dash="dashed"))
        self._draw_copies(settings, picture.edges, picture.original / picture.rows, lines)
        self._copies_card.say(
            words.held(picture, subject),
            [("original", colours.ORIGINAL, "area"), *((c.name, c.colour, c.dash) for c in lines)],
        )

    def _draw_copies(self, settings, edges, original, lines):
        peak = max([original.max(), *(c.y.max() for c in lines)])
        # Headroom in steps, so that the scale does not tremble with the noise.
        step = original.max() / 4
        self.copies.show(
            self._middles(edges), lines, x_range=(edges[0], edges[-1]), y_top=np.ceil(1.04 * peak / step) * step,
            area=original, x_label=self.controls.subject.axis,
        )  # fmt: skip

    def _show_cloud(self, picture):
        settings, people = picture.settings, self.model.population
        names = [(str(r.number), r.name, f"Show {r.name}'s copy") for r in settings.recipients]
        if self._cloud_of.options != names:
            self._cloud_of.options = names
        chosen = next(
            (r for r in settings.recipients if [str(r.number)] == self._cloud_of.value),
            settings.recipients[0],
        )
        if self._cloud_of.value != [str(chosen.number)]:
            self._cloud_of.param.update(value=[str(chosen.number)])
        a = settings.attribute
        b = 0 if a else 1
        pick = [a, b]
        guess = picture.sample.get("guess")
        held = picture.sample.get(chosen.number)
        self.cloud.show(
            picture.sample["original"][:, pick], None if held is None else held[:, pick],
            None if guess is None else guess[:, pick],
            colour=chosen.colour, x_range=people.view_range(a), y_range=people.view_range(b),
            x_label=self.controls.subject.axis, y_label=self.controls.axis(b),
        )  # fmt: skip
        self._copies_card.say(
            f"{len(picture.sample['original'])} {self.controls.subject.noun}: "
            f"{escape(chosen.name)}'s copy is spread out, the coalition's guess drawn in.",
            [
                ("original", colours.ORIGINAL, "dot"),
                (chosen.name, chosen.colour, "dot"),
                ("best guess", colours.GUESS, "dot"),
            ],
        )

    def _show_closeness(self, picture, subject):
        settings = picture.settings
        cumulative = self._errors_as.picked == "cumulative"
        lines = []
        for name, result in picture.results.items():
            tally = result.tally
            y = tally.cumulative if cumulative else tally.counts / tally.rows
            if name == "single":
                lines.append(Curve(f"{settings.best.name} alone", settings.best.colour, y, width=4))
            elif name == "rival":
                label = f"together, if the noise were {result.attack.scheme}"
                lines.append(Curve(label, colours.SCHEMES[result.attack.scheme], y))
            elif name in ATTACKERS:
                label = "together" if len(settings.attackers) == 1 else f"together, {ATTACKERS[name]}"
                # Broken lines, so that one that lies on "alone" lets it shine through.
                lines.append(Curve(label, colour(name, settings.scheme), y, dash=DASHES[name]))
        edges = np.linspace(0, self.model.population.error_range(settings.attribute), ERROR_BINS + 1)
        top = 1.02 if cumulative else 1.1 * max([0.01, *(c.y.max() for c in lines)])
        mark = settings.eps if settings.kind == "absolute" else None
        self.closeness.show(
            edges if cumulative else self._middles(edges), lines, x_range=(0, edges[-1]), y_top=top, mark=mark,
            x_label=f"error of the guess{f' ({subject.unit})' if subject.unit else ''}",
        )  # fmt: skip
        self._closeness_card.say(
            words.closeness(picture, subject, cumulative), [(c.name, c.colour, c.dash) for c in lines]
        )

    def _show_person(self, shown=None, caption=None):
        if self.model is not None:
            self.person.show(self.settings(), shown, caption)
