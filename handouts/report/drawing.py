"""The plots of a report or of a slide: what the cards of a page show of a picture, on paper."""

from dataclasses import dataclass, field

import pandas as pd

from trustscope import plots
from trustscope.looks import looks_of
from trustscope.scenarios.cards import Card, pictured
from trustscope.scenarios.sheet import plain_caption
from trustscope.scenarios.whole import Whole

WRITTEN = "charts.written"  # a report writes a table as a table


@dataclass(frozen=True, eq=False)
class Drawn:
    """A card on paper: its title, its caption as plain text, its table, and its plot where it has one."""

    card: Card
    caption: str
    table: pd.DataFrame
    _made: dict[float, str] = field(default_factory=dict, init=False)

    @property
    def title(self) -> str:
        """That of the card."""
        return self.card.title

    @property
    def drawn(self) -> bool:
        """Whether there is a plot; there is none where the table itself is what is looked at."""
        return bool(self.card.plot) and self.card.plot != WRITTEN

    def inline(self, name: str, label: str, larger: float = 1.0) -> str:
        """The plot as a part of an HTML page; nothing where there is none.

        It is drawn once: what stands beside the answer stands among the details as well.
        """
        if not self.drawn:
            return ""
        from trustscope.plots import draw

        if larger not in self._made:
            self._made[larger] = draw.svg(plots.plot(self.card.plot, self.table), larger=larger)
        return draw.within(self._made[larger], name, label)


def drawings(found: Whole) -> tuple[list[Drawn], set[str]]:
    """What the cards of a page show, but those of single records; and the titles of these."""
    every = list(pictured(found.scenario.page, found.picture))
    shown = []
    for card in every:
        if card.records:
            continue
        table = card.table(found.picture, found.model)
        if len(table) and (not table.attrs.get("looks") or looks_of(table).series):
            caption = "" if card.caption is None else plain_caption(card.caption(found.picture, found.model))
            shown.append(Drawn(card, caption, table))
    return shown, {card.title for card in every if card.records}
