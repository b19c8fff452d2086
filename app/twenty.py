"""Twenty people below a picture: the table of their card, as dots that light up."""

import pandas as pd

from trustscope.looks import looks_of
from trustscope.scenarios.cards import Card, cards_of
from trustscope.widgets.scenes.twenty import LitRow, People


def show_twenty(people: People, page: str, picture, model, wanted: bool = True) -> tuple[Card, pd.DataFrame] | None:
    """Draw who is caught, and give the card with its table; nothing where they are not wanted."""
    card = next(card for card in cards_of(page).values() if card.live == "twenty" and card.shows(picture))
    table = card.table(picture, model) if wanted else pd.DataFrame()
    if not len(table) or card.caption is None:
        people.draw((), "")
        return None
    rows = (
        LitRow(name, look.colour, tuple(map(bool, table[column]))) for column, name, look in looks_of(table).named()
    )
    people.draw(tuple(rows), card.caption(picture, model))
    return card, table
