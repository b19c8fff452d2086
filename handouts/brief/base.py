"""The shape of a brief, and what the briefs of several pages share."""

from dataclasses import dataclass
from typing import NamedTuple

from trustscope.scenarios.metrics import Metric, Metrics
from trustscope.scenarios.words import sentence

MOST_ROWS = 6  # of the table that is read at one glance


class Row(NamedTuple):
    """A line of the table: what it is, in words, and its figure as it is written."""

    what: str
    value: str


@dataclass(frozen=True)
class Brief:
    """All that stands on the first page.

    Attributes
    ----------
    question : str
        What is asked, as a sentence that ends with a question mark.
    answer : tuple of str
        At most three sentences. The second one has the figures, and names the attacker and what they know.
    measure : str
        What the figures of the table count.
    rows : tuple of Row
        At most six.
    advice : tuple of str
        What to do.
    assumed : tuple of str
        What the answer rests on.
    picture : str
        The key of the card whose plot goes with it; where it has none, the first plot of the page.
    """

    question: str
    answer: tuple[str, ...]
    measure: str
    rows: tuple[Row, ...]
    advice: tuple[str, ...]
    assumed: tuple[str, ...]
    picture: str = ""


def figures_by_name(figures: Metrics) -> dict[str, Metric]:
    """The figures of a page by their names."""
    return {one.name: one for one in figures.figures}


def rows_of(figures: Metrics, names: dict[str, str], write) -> tuple[Row, ...]:
    """Rows for the figures of these names that are there; `names` has what each is called, or nothing: its label."""
    known = figures_by_name(figures)
    return tuple(
        Row(text or sentence(known[name].label), write(known[name].value))
        for name, text in names.items()
        if name in known
    )
