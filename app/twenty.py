"""Twenty people below the one: the table of their card, as dots that light up."""

import pandas as pd

from trustscope.looks import looks_of
from trustscope.scenarios.cards import Card, cards_of
from trustscope.widgets.twenty import LitRow, People


def show_twenty(people: People, page: str, picture, model, believed: bool = True) -> tuple[Card, pd.DataFrame] | None:
    """Draw who is caught, and give the card with its table; nothing where nothing is believed yet, or the path of the
    person is looked at."""
    card = cards_of(page)["twenty"]
    wanted = believed and picture.scenario.view.person_as == "belief"
    table = card.table(picture, model) if wanted else ()
    if not len(table):
        people.show((), "")
        return None
    rows = (
        LitRow(name, look.colour, tuple(map(bool, table[column]))) for column, name, look in looks_of(table).named()
    )
    people.show(tuple(rows), card.caption(picture, model))
    return card, table
