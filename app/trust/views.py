"""What the Trust page shows to whoever looks closer; each view is made when it is first opened."""

from dataclasses import replace

from trustscope.app.cards import HEIGHT, CardView
from trustscope.looks import looks_of, with_looks
from trustscope.scenarios import attackers
from trustscope.scenarios.cards import cards_of
from trustscope.scenarios.trust import contest
from trustscope.scenarios.trust.cards import attacker_colour, cloud_pair, copying
from trustscope.scenarios.trust.result import Copying
from trustscope.scenarios.trust.words import Subject
from trustscope.widgets.controls.choice import Choice
from trustscope.widgets.controls.inputs import dropdown
from trustscope.widgets.frame.place import Place
from trustscope.widgets.live.cloud import Cloud
from trustscope.widgets.live.lines import Lines
from trustscope.widgets.live.spectrum import SpectrumPlot
from trustscope.widgets.tables.standings import Standing, Standings

CARDS = cards_of("trust")
COPIES_AS = [
    ("histogram", "histogram", "One attribute, all copies"),
    ("scatter", "scatter", "Two attributes, one copy"),
]
ERRORS_AS = [
    ("cumulative", "cumulative", "Share of people guessed at least that closely"),
    ("histogram", "histogram", "How many people at each error"),
]


class EveryoneView(CardView):
    """What each one holds: histograms of one attribute, or one copy's scatter of two."""

    def __init__(self):
        self.copies = Lines("Histogram of each copy and of the original", height=HEIGHT)
        self.cloud = Cloud("Scatter of two attributes: original, one copy, best guess", height=HEIGHT)
        self.shown_as = Choice(label="Show the copies as", options=COPIES_AS)
        self.cloud_of = dropdown("Whose copy", [""])
        super().__init__("trust", "everyone", Place(), control=self.shown_as)

    def which(self, picture, model):
        """A cloud, where one is asked for and there are two attributes."""
        several = model.population.columns > 1
        self.shown_as.disabled = [] if several else ["scatter"]
        return CARDS["everyone_cloud" if picture.scenario.view.copies_as == "scatter" and several else "everyone"]

    def draw(self, table, picture, model):
        """Draw the histograms or the cloud."""
        if self.which(picture, model) is CARDS["everyone"]:
            self.plot.put(self.copies)
            self.copies.show_table(table)
            return
        self.plot.put(self.cloud_of, self.cloud)
        self.cloud_of.options = [r.name for r in picture.settings.recipients]
        self.cloud.show_table(table, copy=cloud_pair(picture, model)[0].name)

    def show_copying(self, step: Copying, subject: Subject):
        """Draw copies in the making."""
        self.plot.put(self.copies)
        self.copies.show_table(copying(step, subject))


class ClosenessView(CardView):
    """How close the guesses come."""

    def __init__(self):
        self.shown_as = Choice(label="Show the errors as", options=ERRORS_AS)
        plot = Lines("Distribution of the error of the guesses", height=HEIGHT)
        super().__init__("trust", "closeness", plot, control=self.shown_as)

    def which(self, picture, model):
        """The share within an error, or at it."""
        return CARDS["closeness" if picture.scenario.view.errors_as == "cumulative" else "closeness_histogram"]


class AttackersView(CardView):
    """The attackers one beside the other."""

    has_legend = False  # every row has its mark

    def __init__(self):
        self.table = Standings("Attackers: error, expected error, hits, and what each one needs to know")
        super().__init__("trust", "attackers", self.table)

    def draw(self, table, picture, model):
        """Draw what the attackers of a picture achieved; in a lesson by one measure, the error that was found."""
        rows = contest.rows(picture, model.population)
        if self.brief:
            standings = (self._standing(row, picture.settings.scheme) for row in rows)
            bare = [replace(one, note="", expected="", agrees=None, cells=()) for one in standings]
            self.table.draw(("an attacker who", "normalised error"), bare)
            return
        square = ("mean square error",) if rows and rows[0].mean_square is not None else ()
        headings = ("an attacker who", "normalised error", "expected", *square, "hits")
        self.table.draw(headings, [self._standing(row, picture.settings.scheme) for row in rows])

    @staticmethod
    def _standing(row, scheme):
        square = () if row.mean_square is None else (row.mean_square,)
        dash = "dotted" if row.attacker == "guess" else attackers.of(row.attacker).dash
        return Standing(
            name=row.name, note=row.note, colour=attacker_colour(row.attacker, scheme),
            dash=dash, value=row.bar, measured=row.error, expected=row.expected,
            agrees=row.agrees, cells=(*square, row.hits), best=row.best,
        )  # fmt: skip


class SpectrumView(CardView):
    """What stands out of the noise: the spectrum of the combined copy, and what two attackers keep of it."""

    def __init__(self):
        plot = SpectrumPlot("Variance of every component of the combined copy, with the band of pure noise")
        super().__init__("trust", "spectrum", plot)

    def draw(self, table, picture, model):
        """Draw the spectrum; in a lesson without what filters keep of it."""
        looks = looks_of(table)
        strips = {} if self.brief else looks.more["strips"]
        self.plot.show_table(with_looks(table.copy(), replace(looks, more={**looks.more, "strips": strips})))

    def legend(self, table):
        """In a lesson the copy, the data and the noise."""
        return super().legend(table)[: 3 if self.brief else None]
