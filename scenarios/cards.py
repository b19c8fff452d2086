"""What can be looked at on a page, each declared once.

From a card come its tab, its files (CSV, SVG, PNG), its section of the report and its place on a slide, and the name by
which a lesson or a teacher's link shows it. Nothing is drawn here: `plot` names a function of `trustscope.plots`, and
`live` the view that draws the same table while a slider moves.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import pandas as pd

from trustscope.looks import Columns

Table = Callable[[Any, Any], pd.DataFrame]
Caption = Callable[[Any, Any], str]


@dataclass(frozen=True, eq=False)
class Card:
    """One thing to look at.

    Attributes
    ----------
    key : str
        Its name in addresses, lessons and code: it never changes.
    title : str
        What stands above it.
    table : callable
        `table(picture, model)`: what is drawn, every digit of it, with its looks. It has no rows where there is
        nothing to show.
    caption : callable, optional
        `caption(picture, model)`: a sentence or two with the figures that matter, as HTML.
    short : callable, optional
        The same as a lesson says it, without what only experts ask for; the caption itself where there is none.
    plot : str
        Module and function in `trustscope.plots`; nothing where the table itself is what is looked at.
    help : str
        What is shown, why, and where it is proved, as HTML.
    expert : bool
        Whether it stands in the second row of tabs.
    live : str
        The view that draws the table at the rate of a slider (see `trustscope.app.cards`).
    tab : str
        A shorter title for its tab.
    opens : bool
        Whether it is one of the pictures that the page opens with.
    records : bool
        Whether single records are seen in it: then no report has it.
    within : str
        The key of the card that it is another way to look at, or a part of; it has no tab of its own.
    of : tuple of type
        The kinds of pictures that it is of, where a page has several.
    asked : bool
        Whether it is measured on request: `picture` is then what was measured, and no report has it.
    columns : callable, optional
        `columns(picture, model)`: what the table is made of, for a view that follows a slider.
    """

    key: str
    title: str
    table: Table
    caption: Caption | None = None
    plot: str = ""
    help: str = ""
    expert: bool = False
    live: str = ""
    tab: str = ""
    opens: bool = False
    records: bool = False
    within: str = ""
    asked: bool = False
    of: tuple[type, ...] = ()
    short: Caption | None = None
    columns: Callable[[Any, Any], Columns] | None = None

    def drawn(self, picture: Any, model: Any) -> pd.DataFrame | Columns:
        """What a live view draws: the columns where they are declared, else the table."""
        return (self.columns or self.table)(picture, model)

    def caption_for(self, picture: Any, model: Any, *, brief: bool = False) -> str:
        """What is said of it, as HTML; empty where nothing is."""
        caption = self.short if brief and self.short is not None else self.caption
        return "" if caption is None else caption(picture, model)

    def shows(self, picture: Any) -> bool:
        """Whether it is a card of this picture."""
        return not self.of or isinstance(picture, self.of)


def made_of(columns: Callable[[Any, Any], Columns]) -> Any:
    """What a card declares whose table is made of these columns."""
    return {"table": lambda picture, model: columns(picture, model).table(), "columns": columns}


@cache
def cards_of(page: str) -> dict[str, Card]:
    """The cards of a page by their keys, in the order in which they stand."""
    every = import_module(f"trustscope.scenarios.{page}.cards").CARDS
    named = {card.key: card for card in every}
    if len(named) < len(every):
        raise ValueError(f"Two cards of the page {page} have the same key.")
    return named


def keys_of(page: str) -> tuple[str, ...]:
    """The keys that a lesson or a link may name, in order."""
    return tuple(card.key for card in cards_of(page).values() if not card.within)


def tables_of(page: str, picture: Any, model: Any) -> dict[str, pd.DataFrame]:
    """The tables of all cards of a picture, by the titles of the cards."""
    return {card.title: card.table(picture, model) for card in pictured(page, picture)}


def pictured(page: str, picture: Any) -> Iterator[Card]:
    """The cards whose tables are of this picture, each in its first way to be looked at."""
    return (card for card in cards_of(page).values() if not card.asked and not card.within and card.shows(picture))
