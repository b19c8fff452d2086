"""What an explorable is made from: what each part of a page shows of a scenario, as whoever has the page records it.

This room knows no page of the app: the app hands in something that records (`app/explorable/recorder.py`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from trustscope.scenarios.scenario import Scenario

HTML = "html"  # the kind of a part that is a piece of HTML

# What every part shows of one scenario: its properties by the part's name. A part that is not there is not seen.
Snapshot = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class PartOfPage:
    """Something that is drawn.

    Attributes
    ----------
    name : str
        Its name in snapshots.
    card : str
        The card that it stands in, or the headline.
    role : str
        What it is of the card: "title", "caption" or "body".
    kind : str
        The control that draws it, or `HTML`.
    styles : tuple of str
        Its style sheets.
    """

    name: str
    card: str
    role: str
    kind: str
    styles: tuple[str, ...]


class Recorder(Protocol):
    """A page that is looked at by nobody."""

    scenario: Scenario
    cards: tuple[str, ...]

    @property
    def model(self) -> Any:
        """The model of the data that were loaded last."""

    @property
    def parts(self) -> tuple[PartOfPage, ...]:
        """All parts that have been seen so far, in the order in which they stand."""

    def at(self, scenario: Scenario) -> Snapshot:
        """What stands on the page when this scenario is at rest."""

    def script(self) -> str:
        """The script that draws the parts: an object `controls` with a `render` for each kind, and `explainTerms`."""

    def theme(self) -> str:
        """The style sheet with the colours of the page, light and dark."""
