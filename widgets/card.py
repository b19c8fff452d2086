"""A card: a title, one caption that changes with the state, a view, and a help text that opens."""

from html import escape

import panel as pn

CARD_CSS = """
:host { background: var(--ts-card, #fff); border: 1px solid var(--ts-line, #dde3ea); border-radius: 10px; padding: 12px 14px 6px; box-sizing: border-box; position: relative; }
:host(.ts-card) { display: flex !important; flex-flow: row wrap !important; align-content: flex-start; column-gap: 12px; }
:host(.ts-card) > * { flex: 1 1 100%; min-width: 0; }
/* Captions change with the state: two lines are kept for them, so that nothing below jumps. */
:host(.ts-card) { --lines: 35px; }
:host(.ts-card) > .ts-title { flex: 1 1 170px; width: auto; }
:host(.ts-card) > .ts-control { flex: 0 0 auto; width: auto; margin: -2px 30px 0 0; }
"""
TEXT_CSS = """
:host { font-family: var(--ts-font, "Helvetica Neue", Arial, "Liberation Sans", sans-serif); color: var(--ts-text, #172033); }
h2 { font-size: 15px; font-weight: 700; margin: 0; line-height: 1.5; }
details summary { cursor: pointer; font-size: 12.5px; }
p { margin: 2px 0 0; min-height: var(--lines, auto); font-size: 12.5px; line-height: 1.4; color: var(--ts-soft, #5b687a); }
p b { color: var(--ts-text, #172033); font-weight: 600; }
.legend { display: flex; flex-wrap: wrap; gap: 2px 12px; margin: 4px 0 0; padding: 0; list-style: none; font-size: 12.5px; color: var(--ts-soft, #5b687a); }
.legend li { display: flex; align-items: center; gap: 5px; }
.legend i { width: 14px; height: 0; border-top: 3px solid var(--c); }
.legend i.dashed { border-top-style: dashed; }
.legend i.block { height: 10px; border: 0; background: var(--c); border-radius: 2px; }
.legend i.dotted { border-top-style: dotted; }
.legend i.area { height: 10px; border: 0; background: var(--c); opacity: .4; border-radius: 2px; }
.legend i.block { height: 10px; border: 0; background: var(--c); border-radius: 2px; }
.legend i.dot { width: 9px; height: 9px; border: 0; background: var(--c); border-radius: 50%; }
"""
HELP_CSS = """
:host { position: absolute; top: 10px; right: 12px; z-index: 5; margin: 0; font-family: var(--ts-font, "Helvetica Neue", Arial, "Liberation Sans", sans-serif); color: var(--ts-text, #172033); }
summary { list-style: none; cursor: pointer; width: 20px; height: 20px; line-height: 18px; border-radius: 50%; text-align: center; font-size: 12px; font-weight: 700; color: var(--ts-soft, #5b687a); border: 1px solid var(--ts-edge, #cbd3dd); box-sizing: border-box; }
summary::-webkit-details-marker { display: none; }
summary:hover, details[open] summary { color: var(--ts-accent, #0f7490); border-color: var(--ts-accent, #0f7490); }
summary:focus-visible { outline: 2px solid var(--ts-focus, #1292b4); outline-offset: 2px; }
.body { position: absolute; right: 0; top: 26px; width: min(420px, 70vw); padding: 12px 14px; font-size: 13px; line-height: 1.45; background: var(--ts-card, #fff); border: 1px solid var(--ts-edge, #cbd3dd); border-radius: 8px; box-shadow: 0 6px 24px rgb(0 0 0 / 22%); }
.body p { margin: 0 0 8px; } .body p:last-child { margin: 0; }
.body small { color: var(--ts-soft, #5b687a); font-size: 12px; }
"""


def legend(entries) -> str:
    """Legend items (name, colour, mark) as a list; mark is line, dashed, dotted, area or dot."""
    items = "".join(
        f'<li><i class="{mark}" style="--c: {colour}"></i>{escape(name)}</li>' for name, colour, mark in entries
    )
    return f'<ul class="legend">{items}</ul>'


class Card(pn.viewable.Viewer):
    """A titled surface around views. `say` changes caption and legend; texts are escaped by who makes them."""

    def __init__(self, title: str, *views, help_text: str = "", control=None, **layout):
        super().__init__()
        self._title = pn.pane.HTML("", stylesheets=[TEXT_CSS], css_classes=["ts-title"], margin=0)
        self._head = pn.pane.HTML("", stylesheets=[TEXT_CSS], sizing_mode="stretch_width", margin=0)
        if control is not None:
            control.param.update(css_classes=["ts-control"], sizing_mode=None)
        self._help = pn.pane.HTML(
            f'<details><summary aria-label="Explain: {escape(title)}" title="Explain">?</summary>'
            f'<div class="body">{help_text}</div></details>',
            stylesheets=[HELP_CSS],
            visible=bool(help_text),
        )
        self._layout = pn.Column(
            self._title,
            *([] if control is None else [control]),
            self._head,
            *views,
            self._help,
            stylesheets=[CARD_CSS],
            css_classes=["ts-card"],
            sizing_mode="stretch_width",
            margin=0,
            **layout,
        )
        self.say("", title=title)

    def say(self, caption: str, entries=(), title: str | None = None):
        """Change the caption (HTML), the legend and, where given, the title (text)."""
        if title is not None:
            self._title.object = f"<h2>{escape(title)}</h2>"
        text = f"<p>{caption}</p>{legend(entries) if entries else ''}"
        if text != self._head.object:
            self._head.object = text

    def __panel__(self):
        return self._layout
