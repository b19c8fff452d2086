"""What the Trust page shows to whoever looks closer; each view is made when it is first opened."""

from html import escape

import numpy as np
import panel as pn

from trustscope import colours
from trustscope.app.trust import help as texts
from trustscope.scenarios.trust import contest, words
from trustscope.scenarios.trust.picture import Copying, Picture
from trustscope.scenarios.trust.run import ERROR_BINS
from trustscope.scenarios.trust.scenario import ATTACKERS
from trustscope.scenarios.trust.words import Subject
from trustscope.scenarios.words import count
from trustscope.widgets.card import Card
from trustscope.widgets.choice import Choice
from trustscope.widgets.cloud import Cloud
from trustscope.widgets.curves import Curve, Curves
from trustscope.widgets.inputs import dropdown
from trustscope.widgets.place import Place
from trustscope.widgets.pooling import Pooling, every_coalition
from trustscope.widgets.spectrum import SpectrumPlot
from trustscope.widgets.standings import Standing, Standings

HEIGHT = 260
COPIES_AS = [
    ("histogram", "histogram", "One attribute, all copies"),
    ("scatter", "scatter", "Two attributes, one copy"),
]
ERRORS_AS = [
    ("cumulative", "cumulative", "Share of people guessed at least that closely"),
    ("histogram", "histogram", "How many people at each error"),
]
DASHES = {
    "perfect": "dashed", "structured": "dotdash", "raw": "dotted", "noise_distribution": "dotted",
    "univariate": "dotdash", "principal_components": "dashed", "spectral_filter": "dotted", "bayes": "solid",
}  # fmt: skip
STRIPS = {
    "principal_components": "kept as strong components",
    "spectral_filter": "kept by the filter",
}


def attacker_colour(name: str, scheme: str) -> str:
    """The colour of an attacker's line."""
    return colours.ATTACKERS.get(name, colours.SCHEMES[scheme])


def _middles(edges: np.ndarray) -> np.ndarray:
    return (edges[1:] + edges[:-1]) / 2


class EveryoneView(pn.viewable.Viewer):
    """What each one holds: histograms of one attribute, or one copy's scatter of two."""

    def __init__(self):
        super().__init__()
        self.copies = Curves("Histogram of each copy and of the original", height=HEIGHT)
        self.cloud = Cloud("Scatter of two attributes: original, one copy, best guess", height=HEIGHT)
        self.shown_as = Choice(label="Show the copies as", options=COPIES_AS)
        self.cloud_of = dropdown("Whose copy", [""])
        self._place = Place()
        self._seen = self.copies
        self.card = Card(
            "Everyone at once", self._place, control=self.shown_as, help_text=texts.COPIES, saved=lambda: self._seen
        )

    def show(self, picture: Picture, model, subject: Subject):
        """Draw what the recipients hold."""
        if picture.held is None:
            return
        people = model.population
        scatter = picture.scenario.view.copies_as == "scatter" and people.columns > 1
        self.shown_as.disabled = [] if people.columns > 1 else ["scatter"]
        self._seen = self.cloud if scatter else self.copies
        self._place.put(*((self.cloud_of, self.cloud) if scatter else (self.copies,)))
        if scatter:
            self._show_cloud(picture, people, subject)
        else:
            self._show_histograms(picture, subject)

    def _show_histograms(self, picture, subject):
        held, settings = picture.held, picture.settings
        lines = [Curve(r.name, r.colour, held.copies[r.number] / picture.rows) for r in settings.recipients]
        if held.guess.any():
            lines.append(Curve("best guess", colours.GUESS, held.guess / picture.rows, dash="dashed", width=3))
        self._draw(held.edges, held.original / picture.rows, lines, subject)
        self.card.say(
            words.held(held, picture, subject),
            [("original", colours.ORIGINAL, "area"), *((c.name, c.colour, c.dash) for c in lines)],
        )

    def show_copying(self, step: Copying, subject: Subject):
        """Draw copies in the making."""
        self._place.put(self.copies)
        lines = [
            Curve(r.name, r.colour, step.copies[r.number]) for r in step.settings.recipients if r.number in step.copies
        ]
        self._draw(step.edges, step.original, lines, subject)

    def _draw(self, edges, original, lines, subject):
        peak = max([original.max(), *(c.y.max() for c in lines)])
        # Headroom in steps, so that the scale does not tremble with the noise.
        step = original.max() / 4 or 1.0
        self.copies.show(
            _middles(edges), lines, x_range=(edges[0], edges[-1]), y_top=np.ceil(1.04 * peak / step) * step,
            area=original, x_label=subject.axis,
        )  # fmt: skip

    def _show_cloud(self, picture, people, subject):
        settings, sample = picture.settings, picture.held.sample
        self.cloud_of.options = [r.name for r in settings.recipients]
        wanted = picture.scenario.view.cloud_of
        chosen = next((r for r in settings.recipients if r.name == wanted), settings.recipients[0])
        a = people.index(settings.attribute)
        b = 0 if a else 1
        pick = [a, b]
        guess, held = sample.get("guess"), sample.get(chosen.number)
        self.cloud.show(
            sample["original"][:, pick], None if held is None else held[:, pick],
            None if guess is None else guess[:, pick],
            colour=chosen.colour, x_range=people.view_range(a), y_range=people.view_range(b),
            x_label=subject.axis, y_label=words.subject_of(people, people.names[b]).axis,
        )  # fmt: skip
        self.card.say(
            f"{count(len(sample['original']))} {subject.noun}: {escape(chosen.name)}'s copy is spread out, the best "
            "guess drawn in.",
            [
                ("original", colours.ORIGINAL, "dot"),
                (chosen.name, chosen.colour, "dot"),
                ("best guess", colours.GUESS, "dot"),
            ],
        )

    def __panel__(self):
        return self.card.__panel__()


class ClosenessView(pn.viewable.Viewer):
    """How close the guesses come."""

    def __init__(self):
        super().__init__()
        self.plot = Curves("Distribution of the error of the guesses", height=HEIGHT, shares=True)
        self.shown_as = Choice(label="Show the errors as", options=ERRORS_AS)
        self.card = Card(
            "How close the guesses come", self.plot, control=self.shown_as, help_text=texts.CLOSENESS, saved=self.plot
        )

    def show(self, picture: Picture, model, subject: Subject):
        """Draw the errors."""
        settings, people = picture.settings, model.population
        cumulative = picture.scenario.view.errors_as == "cumulative"
        lines = list(self._lines(picture, cumulative))
        edges = np.linspace(0, people.error_range(people.index(settings.attribute)), ERROR_BINS + 1)
        top = 1.02 if cumulative else 1.1 * max([0.01, *(c.y.max() for c in lines)])
        self.plot.show(
            edges if cumulative else _middles(edges), lines, x_range=(0, edges[-1] or 1.0), y_top=top,
            mark=settings.eps if settings.kind == "absolute" else None,
            x_label=f"error of the guess{f' ({subject.unit})' if subject.unit else ''}",
        )  # fmt: skip
        self.card.say(words.closeness(picture, subject, cumulative), [(c.name, c.colour, c.dash) for c in lines])

    @staticmethod
    def _lines(picture, cumulative):
        settings = picture.settings

        def heights(result):
            return result.tally.cumulative if cumulative else result.tally.counts / result.tally.rows

        for result in list(picture.alone.values())[:1]:
            yield Curve(f"{settings.best.name} alone", settings.best.colour, heights(result), width=4)
        for name, result in picture.together.items():
            label = "together" if len(settings.attackers) == 1 else f"together, {ATTACKERS[name]}"
            # Broken lines, so that one that lies on "alone" lets it shine through.
            yield Curve(label, attacker_colour(name, settings.scheme), heights(result), dash=DASHES[name])
        if picture.rival is not None:
            scheme = picture.rival.attack.scheme
            yield Curve(f"together, if the noise were {scheme}", colours.SCHEMES[scheme], heights(picture.rival))

    def __panel__(self):
        return self.card.__panel__()


class CoalitionsView(pn.viewable.Viewer):
    """Every coalition, and how much of the variance each can explain."""

    def __init__(self):
        super().__init__()
        self.plot = Pooling("Share of the variance that every coalition can explain", tall=420)
        self.card = Card("Every coalition", self.plot, help_text=texts.COALITIONS, saved=self.plot)

    def show(self, picture: Picture, model, subject: Subject):
        """Draw all subsets of the recipients."""
        if picture.coalitions is None:
            return
        who = picture.settings.recipients
        masks = every_coalition(len(who))
        schemes = sorted(picture.coalitions, key=lambda scheme: scheme == "nested")
        self.plot.show(
            who, masks,
            {s: (colours.SCHEMES[s], 1 - np.asarray(picture.coalitions[s])[masks]) for s in schemes},
            chosen=picture.settings.mask,
        )  # fmt: skip
        self.card.say(words.coalitions(picture))

    def __panel__(self):
        return self.card.__panel__()


class AttackersView(pn.viewable.Viewer):
    """The attackers one beside the other."""

    def __init__(self):
        super().__init__()
        self.table = Standings("Attackers: error, expected error, hits, and what each one needs to know")
        self.card = Card("Attacker by attacker", self.table, help_text=texts.CONTEST, saved=self.table)

    def show(self, picture: Picture, model, subject: Subject):
        """Draw what the attackers of a picture achieved."""
        rows = contest.rows(picture, model.population)
        square = ("mean square error",) if rows and rows[0].mean_square is not None else ()
        headings = ("an attacker who", "error", "expected", *square, "hits")
        self.table.show(headings, [self._standing(row, picture.settings.scheme) for row in rows])
        self.card.say(contest.caption(picture, model.population))

    @staticmethod
    def _standing(row, scheme):
        square = () if row.mean_square is None else (row.mean_square,)
        return Standing(
            name=row.name, note=row.note, colour=attacker_colour(row.attacker, scheme),
            dash=DASHES.get(row.attacker, "dotted"), value=row.bar, measured=row.error, expected=row.expected,
            agrees=row.agrees, cells=(*square, row.hits), best=row.best,
        )  # fmt: skip

    def __panel__(self):
        return self.card.__panel__()


class SpectrumView(pn.viewable.Viewer):
    """What stands out of the noise: the spectrum of the combined copy, and what two attackers keep of it."""

    def __init__(self):
        super().__init__()
        self.plot = SpectrumPlot("Variance of every component of the combined copy, with the band of pure noise")
        self._place = pn.Column(self.plot, sizing_mode="stretch_width", margin=0)
        self.card = Card("What stands out of the noise", self._place, help_text=texts.SPECTRUM, saved=self.plot)

    def show(self, picture: Picture, model, subject: Subject):
        """Draw the spectrum of the coalition's combined copy."""
        seen = picture.spectrum
        self._place.visible = seen is not None
        if seen is None:
            if picture.complete or not picture.settings.coalition:
                self.card.say("Tick a recipient: the spectrum is that of their copies, put together.")
            return
        filtered = np.arange(len(seen.released)) < seen.kept_by_filter
        kept = {"principal_components": seen.components_within, "spectral_filter": filtered}
        self.plot.show(
            seen.released, seen.data_within, seen.noise_within, seen.band,
            {colours.ATTACKERS[name]: kept[name] for name in STRIPS},
        )  # fmt: skip
        data = "in it, the data" if picture.settings.informed else "in it, the data, as estimated"
        self.card.say(
            words.spectrum(picture, model.population.common_unit),
            [
                ("the combined copy", colours.SPECTRUM["released"], "dot"),
                (data, colours.ORIGINAL, "line"),
                ("in it, the noise", colours.SPECTRUM["noise"], "dotted"),
                ("what white noise alone would give", colours.NEUTRAL, "area"),
                *((text, colours.ATTACKERS[name], "block") for name, text in STRIPS.items()),
            ],
        )

    def __panel__(self):
        return self.card.__panel__()
