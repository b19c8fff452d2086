"""What the steps of the Rotation page draw alike: two clouds, values attribute by attribute, and one record."""

from functools import partial

from trustscope.app.cards import CardView, LinesView
from trustscope.looks import looks_of
from trustscope.scenarios.rotation.cards import pair
from trustscope.scenarios.rotation.words import common as words
from trustscope.scenarios.words import plain, share
from trustscope.widgets.controls.choice import Choice
from trustscope.widgets.scenes.bars import Bars, Mark
from trustscope.widgets.scenes.match import Match
from trustscope.widgets.scenes.twin import Side
from trustscope.widgets.tables.texttable import TextTable

HEIGHT = 290  # of the two pictures of a step
PEOPLE = 62  # that twenty people take from one of them
TALLER = 76  # by which the other is taller
BARS = 330  # pixels beyond which bars scroll: sixteen attributes do not
PICK = [
    ("exposed", "most exposed", "The record that is recovered best"),
    ("typical", "a typical one", "The record in the middle of all others"),
]


def sides(picture, model, drawn, colour) -> tuple[Side, Side]:
    """Both clouds of these records over the pair of attributes; the data in their own units."""
    records, columns = model.records, pair(picture, model)
    before = records.own_units(records.private[drawn])[:, columns]
    after = model.turned[drawn][:, columns]
    left = Side("the data", before, colour[0], scaled([records.names[i] for i in columns], before))
    right = Side("the release", after, colour[1], scaled([f"column {i + 1}" for i in columns], after))
    return left, right


def scaled(names, points) -> tuple[str, str]:
    """Names of two axes with the range of what is drawn along them."""
    ends = zip(names, points.min(axis=0), points.max(axis=0), strict=True)
    across, upwards = (f"{name}, {plain(float(low))} to {plain(float(high))}" for name, low, high in ends)
    return across, upwards


class MatchView(CardView):
    """Dots: what was recovered of one attribute, or a distance after, against what it was."""

    def __init__(self, key: str, label: str, *, height: int = HEIGHT, legend: bool = True, **options):
        self.has_legend = legend
        super().__init__("rotation", key, Match(label, height=height, **options))

    def draw(self, table, picture, model):
        """Draw the dots; orange, or teal, is what counts."""
        looks = looks_of(table)
        true, guess = table[looks.at].to_numpy(), table.iloc[:, -1].to_numpy()
        self.plot.draw(true, guess, looks.more["counts"], x_label=looks.x.label)


class TableView(CardView):
    """A table to read, without a legend, with headings and rows of texts that the words make.

    Parameters
    ----------
    key : of the card
    label : the accessible name
    written : called with a picture and the model: headings, and rows of texts
    """

    has_legend = False

    def __init__(self, key: str, label: str, written, *, tall: int = 300, **options):
        self._written = written
        super().__init__("rotation", key, TextTable(label, tall=tall), **options)

    def draw(self, table, picture, model):
        """Write the table."""
        self.plot.draw(*self._written(picture, model))


def curves(key: str, label: str, *, twenty: bool = False, **options):
    """What makes a view of lines, with twenty people below them or without."""
    height = HEIGHT - PEOPLE if twenty else HEIGHT
    return partial(LinesView, "rotation", key, label, height=height, twenty=twenty, **options)


class AttributesView(CardView):
    """What is recovered of every attribute, and what guessing a constant would hit."""

    ticks = ("by guessing a constant",)

    def __init__(self, key: str = "attributes", *, twenty: bool = False):
        bars = Bars(label="Share of values recovered, attribute by attribute", tallest=BARS)
        super().__init__("rotation", key, bars, twenty=twenty)

    def draw(self, table, picture, model):
        """Draw shares of hits by attribute; those where all records are the same are left out."""
        recovered, constant = looks_of(table).series.items()
        marks = [
            Mark("recovered", "solid", recovered[1].colour, table["recovered"]),
            Mark("by guessing a constant", "tick", constant[1].colour, table["by guessing a constant"]),
        ]
        texts = [share(float(one)) for one in table["recovered"]]
        self.plot.draw(table["attribute"], marks, top=1.0, texts=texts, fill=HEIGHT)


class RecordView(TableView):
    """One record: every value as it was and as it was guessed."""

    HEADINGS = ("attribute", "true value", "guess", "off by (standard deviations)", "counts as")

    def __init__(self):
        self.pick = Choice(label="Which record", options=PICK)
        super().__init__("record", "One record: true values and guesses", self._rows, tall=420, control=self.pick)

    def _rows(self, picture, model):
        return self.HEADINGS, words.record_rows(picture.one, model.records)
