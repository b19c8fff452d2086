"""The cards of a page: what a card declares, around the view that draws its table while something moves."""

import base64
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import panel as pn

from trustscope import plots
from trustscope.app.problem import explain_error
from trustscope.app.work import TaskSlot, compute
from trustscope.looks import NOTHING, Columns, looks_of
from trustscope.scenarios.cards import Card, cards_of
from trustscope.widgets.beside import Beside, plots_of
from trustscope.widgets.controls.download import PictureOptions, as_csv
from trustscope.widgets.frame import card as surface
from trustscope.widgets.live.lines import Lines
from trustscope.widgets.scenes.twenty import LitRow, People

MADE = f"Made with Trustscope {version('trustscope')}."
HEIGHT = 260  # pixels of a plot behind a tab


Given = pd.DataFrame | Columns | Callable[[], pd.DataFrame]


def _made(table: Given) -> pd.DataFrame:
    if isinstance(table, Columns):
        return table.table()
    return table() if callable(table) else table


class Taken:
    """What can be taken along of a card: its table and its plot, with those of a kept scenario beside it."""

    def __init__(self) -> None:
        self.card: Card | None = None
        self.beside: Taken | None = None
        self._table: Given = pd.DataFrame()
        self._below: tuple[Card, pd.DataFrame | Columns] | None = None
        self.about = ""  # the data, for the line that says where a picture comes from
        self._slot = TaskSlot(self._failed)

    def put(self, card: Card, table: Given, below: tuple[Card, pd.DataFrame | Columns] | None = None) -> None:
        """From now on this is what is looked at, and below it another card with its table.

        A table that the page does not draw from can be given as what makes it, when somebody takes it along.
        """
        self.card, self._table, self._below = card, table, below

    @property
    def own(self) -> pd.DataFrame:
        """The table of the card itself."""
        self._table = _made(self._table)
        return self._table

    @property
    def below(self) -> tuple[Card, pd.DataFrame] | None:
        """The card below, with its table."""
        if self._below is None:
            return None
        card, table = self._below
        return card, _made(table)

    def table(self) -> pd.DataFrame:
        """The table, and beside it what it is in the kept scenario, and that of the card below."""
        parts = [self.own]
        if self.beside is not None and not self.beside.own.empty:
            parts.append(self.beside.own.add_suffix(" (kept)"))
        if (below := self.below) is not None:
            card, table = below
            parts.append(table.add_prefix(f"{card.title}: "))
        return self.own if len(parts) == 1 else pd.concat(parts, axis=1)

    @property
    def visible(self) -> bool:
        """Whether there is something to take along."""
        return callable(self._table) or len(self._table) > 0

    @property
    def draws(self) -> bool:
        """Whether there is a plot."""
        return self.card is not None and bool(self.card.plot)

    def make(self, kind: str, how: PictureOptions, send: Callable[[dict[str, str]], None]) -> None:
        """Make a file, beside the page, and send it: csv, svg or png."""
        if kind == "csv":
            send({"csv": as_csv(self.table())})
            return
        card, own, below = self.card, self.own, self.below
        source = f"{self.about}. {MADE}".removeprefix(". ") if how.source else ""
        behind = None if self.beside is None or self.beside.own.empty else (self.beside.card, self.beside.own)

        async def work() -> None:
            made = await compute(draw_file, kind, replace(how, source=source), card, own, behind, below)
            await self._slot.show(lambda: send(made))

        self._slot.start(work)

    def _failed(self, error: Exception) -> None:
        explain_error(error, "download")  # the log has the cause; a button that gives nothing is pressed again


def draw_file(
    kind: str, how: PictureOptions, card: Card, table: pd.DataFrame,
    behind: tuple | None = None, below: tuple | None = None,
) -> dict[str, str]:  # fmt: skip
    """The plot of a card, and under it that of the card below, as a file's content: an SVG, or a PNG in base 64."""
    from trustscope.plots import draw, elements

    element = plots.plot(card.plot, table)
    kept = None if behind is None or behind[0].plot != card.plot else plots.plot(behind[0].plot, behind[1])
    element = draw.with_behind(element, kept)
    if below is not None:
        under = plots.plot(below[0].plot, below[1])
        element = elements.column(*elements.panels_of(element), *elements.panels_of(under))
    around = draw.Around(card.title if how.title else "", how.caption, how.source)
    if kind == "svg":
        return {"svg": draw.svg(element, theme=how.theme, around=around)}
    made = draw.png(element, theme=how.theme, around=around, dots=draw.SIZES[how.size])
    return {"png": base64.b64encode(made).decode()}


class CardView(pn.viewable.Viewer):
    """A card on a page; `has_legend` is False for a view that names its series itself.

    `ticks` are the names of what is drawn here as upright strokes in bars; on paper these are dots or lines.

    Parameters
    ----------
    page, key : of the card
    plot : the view that draws its table; anything with `show_table`
    control : what stands beside the title
    above, below : what stands around the view
    twenty : whether twenty people stand below it, lit where they are caught
    """

    has_legend = True
    ticks: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self, page: str, key: str, plot: Any, *, control: Any = None, above: tuple = (), below: tuple = (),
        twenty: bool = False,
    ):  # fmt: skip
        super().__init__()
        self.declared = cards_of(page)[key]
        self.plot, self.taken, self._page = plot, Taken(), page
        self.brief = False
        self._last: tuple[Any, Any] | None = None
        self.twenty = People() if twenty else None
        below = below if self.twenty is None else (*below, self.twenty)
        self.card = surface.Card(
            self.declared.title, *above, plot, *below, control=control, help_text=self.declared.help, saved=self.taken
        )

    def shorten(self) -> None:
        """Leave out what no step of a lesson speaks of: what only experts set, and what gives an answer away."""
        if not self.brief:
            self.brief = True
            # Nothing is drawn again where nothing is said otherwise: a class opens sixty pages in one moment.
            if self._last is not None and self.declared.short is not None:
                self.show_picture(*self._last)

    def which(self, picture: Any, model: Any) -> Card:
        """The declaration that is looked at: a view may have several ways to look at one thing."""
        return self.declared

    def show_picture(self, picture: Any, model: Any) -> None:
        """Draw what the card shows of a picture."""
        self._last = picture, model
        declared = self.which(picture, model)
        table = declared.drawn(picture, model)
        self.taken.put(declared, table, self.show_twenty(picture, model))
        if len(table):
            self.draw(table, picture, model)
        seen = self.plot if "visible" in self.plot.param else self.plot.__panel__()
        seen.visible = bool(len(table))
        self.card.say(declared.caption_for(picture, model, brief=self.brief), self.legend(table))

    def show_twenty(self, picture: Any, model: Any, wanted: bool = True) -> tuple[Card, pd.DataFrame | Columns] | None:
        """Draw who of twenty people is caught, as dots that light up; their card with its table, where it is wanted."""
        if self.twenty is None:
            return None
        card = next(card for card in cards_of(self._page).values() if card.live == "twenty" and card.shows(picture))
        table = card.drawn(picture, model) if wanted else NOTHING
        if not len(table) or card.caption is None:
            self.twenty.draw((), "")
            return None
        lit = {name: (look.colour, np.asarray(table[column])) for column, name, look in looks_of(table).named()}
        rows = tuple(LitRow(name, colour, tuple(dots.tolist())) for name, (colour, dots) in lit.items())
        self.twenty.draw(rows, card.caption(picture, model))
        return card, table

    def draw(self, table: pd.DataFrame | Columns, picture: Any, model: Any) -> None:
        """Hand the table to the view."""
        self.plot.show_table(table)

    def legend(self, table: pd.DataFrame | Columns) -> list[tuple[str, str, str]]:
        """What the legend says."""
        entries = looks_of(table).legend() if self.has_legend and len(table) else []
        return [(name, colour, "tick" if name in self.ticks else mark) for name, colour, mark in entries]

    def plots(self) -> dict[str, Beside]:
        """The views that it holds, for whoever holds it."""
        return dict(plots_of(self))

    def __panel__(self):
        return self.card.__panel__()


class LinesView(CardView):
    """Lines that the looks of a table describe in full; `options` are those of `Lines`."""

    def __init__(self, page: str, key: str, label: str, *, height: int = HEIGHT, twenty: bool = False, **options: Any):
        super().__init__(page, key, Lines(label, height=height, **options), twenty=twenty)


def taken_of(view: Any) -> list[Taken]:
    """What can be taken along of a view and of the views in it, always in the same order."""
    inner = [one for one in vars(view).values() if isinstance(one, CardView)]
    own = [one for one in vars(view).values() if isinstance(one, Taken)]
    return [*own, *(taken for one in inner for taken in taken_of(one))]


def tabs(page: str, views: dict[str, Any], *, expert: bool = False) -> dict[str, tuple[str, Any]]:
    """Title and view of every card behind a tab, by its key: those for everybody, or those for experts."""
    cards = cards_of(page)
    return {
        key: (cards[key].tab or cards[key].title, view) for key, view in views.items() if cards[key].expert == expert
    }


def pictures(page: str) -> dict[str, str]:
    """The titles of the pictures that a page opens with, by their keys."""
    return {card.key: card.title for card in cards_of(page).values() if card.opens and not card.within}
