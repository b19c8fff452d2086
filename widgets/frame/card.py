"""A card: a title, one caption that changes with the state, a view, and a help text that opens."""

import re
from collections.abc import Sequence
from html import escape, unescape

import panel as pn

from trustscope.numbers import unbroken
from trustscope.widgets.controls.download import Download
from trustscope.widgets.esm import css
from trustscope.widgets.frame.two import Two
from trustscope.widgets.term import explained, sentences_in

CARD_CSS = css("card.css")
TEXT_CSS = css("text.css")
HELP_CSS = css("help.css")
HEADING_CSS = css("heading.css")
GRID_CSS = css("grid.css")
TOOL_CSS = css("tool.css")  # of what is not there while presenting


def legend(entries) -> str:
    """Legend items (name, colour, mark) as a list.

    A mark is line, dashed, dotted, dotdash, area, block, striped, hollow, dot or tick (an upright stroke).
    """
    items = "".join(
        f'<li><i class="{mark}" style="--c: {colour}"></i>{escape(name)}</li>' for name, colour, mark in entries
    )
    return f'<ul class="legend">{items}</ul>'


class Card(pn.viewable.Viewer):
    """A titled surface around views. `say` changes caption and legend; texts are escaped by who makes them.

    `saved` is what can be downloaded (see `Download`).
    """

    def __init__(self, title: str, *views, help_text: str = "", control=None, saved=None, **layout):
        super().__init__()
        self.download = None if saved is None else Download(saved, title, margin=(2, 0, 4, 0))
        self.title_pane = pn.pane.HTML("", stylesheets=[TEXT_CSS], css_classes=["ts-title"], margin=0)
        self.caption_pane = pn.pane.HTML(
            "", stylesheets=[TEXT_CSS], css_classes=["ts-head"], sizing_mode="stretch_width", margin=0
        )
        if control is not None:
            control.param.update(css_classes=["ts-control"], sizing_mode=None)
        self._help = pn.pane.HTML(
            f'<details><summary title="Explain"><span aria-hidden="true">?</span>'
            f'<span class="unseen">Explain: {escape(title)}</span></summary>'
            f'<div class="body">{explained(help_text)}</div></details>',
            stylesheets=[HELP_CSS],
            visible=bool(help_text),
        )
        self._layout = pn.Column(
            self.title_pane,
            *([] if control is None else [control]),
            self.caption_pane,
            *views,
            *([] if saved is None else [self.download]),
            self._help,
            stylesheets=[CARD_CSS],
            css_classes=["ts-card"],
            sizing_mode="stretch_width",
            margin=0,
            **layout,
        )
        self.say("", title=title)

    @property
    def visible(self) -> bool:
        """Whether it is seen."""
        return self._layout.visible

    @visible.setter
    def visible(self, seen: bool) -> None:
        self._layout.visible = seen

    def say(self, caption: str, entries=(), title: str | None = None, named: str | None = None):
        """Change the caption (HTML), the legend and, where given, the title (text), and what a download is called."""
        if title is not None:
            self._title = title
        text = f"<p>{explained(unbroken(caption))}</p>{legend(entries) if entries else ''}"
        # A word is explained in the caption rather than above it.
        heading_html = f"<h2>{explained(escape(self._title, quote=False), sentences_in(text))}</h2>"
        if heading_html != self.title_pane.object:
            self.title_pane.object = heading_html
        if text != self.caption_pane.object:
            self.caption_pane.object = text
        if self.download is not None:
            self.download.caption = unescape(re.sub(r"<[^<>]*>", "", caption)).strip()
            self.download.look(named or title)

    def __panel__(self):
        return self._layout


def heading(title: str, more: str = "") -> pn.pane.HTML:
    """A heading of the sidebar, and a few words of explanation beside it."""
    extra = f" <span>{escape(more, quote=False)}</span>" if more else ""
    text = f"<h2>{explained(escape(title, quote=False) + extra)}</h2>"
    return pn.pane.HTML(text, stylesheets=[HEADING_CSS], sizing_mode="stretch_width")


def sidebar_text(html: str = "", below: int = 0) -> pn.pane.HTML:
    """A few words of explanation below a control, with so many pixels after them."""
    return pn.pane.HTML(html, stylesheets=[TEXT_CSS], sizing_mode="stretch_width", margin=(3, 0, below, 0))


class One(pn.Column):
    """The place of one picture, or of none, where `Two` has two."""

    def __init__(self, *cards):
        super().__init__(*cards, sizing_mode="stretch_width", margin=(12, 0) if cards else 0)

    def only(self, shown: Sequence[bool]) -> None:
        """Show it or hide it."""
        self.visible = any(shown)

    def place(self, number: int, card) -> None:
        """Put a card into the first place, which is the only one."""
        self[number] = card


def pictures(*cards) -> Two | One:
    """The two pictures that a page opens with, side by side where there is room; one alone takes all of it."""
    return Two(*cards) if len(cards) == 2 else One(*cards)


def grid(*cards) -> pn.Column:
    """Cards two by two; one below the other where the page is narrow. What is returned can be hidden."""
    inner = pn.Column(*cards, stylesheets=[GRID_CSS], sizing_mode="stretch_width", margin=(12, 0))
    return pn.Column(inner, sizing_mode="stretch_width", margin=0)
