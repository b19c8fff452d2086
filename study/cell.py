"""What a cell of a notebook shows: text and drawings in plain HTML, which need no script and no network."""

from __future__ import annotations

from hashlib import sha256
from html import escape
from typing import Any

from trustscope.extras import MissingExtra
from trustscope.scenarios.cards import pictured

LARGER = 1.4  # times: type that is read where two drawings share a cell
FONT = "font-family:system-ui,sans-serif"


def study(shown: Any) -> str:
    """The headline of a study, and the pictures that its page opens with."""
    found = shown.figures()
    number = " → ".join(filter(None, (found.before, found.after)))
    told = [
        f'<p style="font-size:1.35em;font-weight:600;margin:.2em 0">{escape(found.verdict)}</p>',
        f'<p style="margin:.2em 0"><b>{escape(number)}</b> {escape(found.label)}</p>' if number else "",
        f'<p style="margin:.2em 0">{escape(found.note)}</p>' if found.note else "",
        f'<div style="display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start">{"".join(_pictures(shown))}</div>',
        f'<p style="margin:.2em 0;opacity:.7">{escape(repr(shown))}</p>',
    ]
    return f'<div style="{FONT};line-height:1.4;max-width:70em">{"".join(told)}</div>'


def _pictures(shown: Any) -> list[str]:
    """The pictures that a page opens with, each with its caption."""
    try:
        from trustscope.plots import draw, plot
    except MissingExtra as missing:  # a small installation: the words stand without the pictures
        return [f'<p style="margin:.2em 0;opacity:.7">{escape(str(missing), quote=False)}</p>']
    from trustscope.scenarios.sheet import plain_caption

    worked = shown._whole()
    # Several cells of one page may show studies: identifiers inside of drawings must differ.
    mark = sha256(repr((shown.page, worked.scenario)).encode()).hexdigest()[:8]
    made = []
    every = list(pictured(shown.page, worked.picture))
    # Where a page opens with other pictures at every step, they are the first two.
    for card in [one for one in every if one.opens] or every[:2]:
        table = card.table(worked.picture, worked.model)
        if not len(table):
            continue
        caption = plain_caption(card.caption(worked.picture, worked.model)) if card.caption else ""
        drawing = draw.inline(plot(card.plot, table), f"ts-{mark}-{card.key}", card.title, LARGER)
        drawing = drawing.replace("<svg ", '<svg style="max-width:100%;height:auto" ', 1)
        made.append(
            f'<figure style="margin:.4em 0;flex:1 1 22em;max-width:32em"><figcaption><b>{escape(card.title)}</b>'
            f"</figcaption>{drawing}<figcaption>{escape(caption)}</figcaption></figure>"
        )
    return made


def table(frame: Any, above: str = "") -> str:
    """A table with a sentence above it."""
    told = f'<p style="{FONT};margin:.2em 0">{escape(above)}</p>' if above else ""
    return told + str(frame.to_html(border=0, escape=True, na_rep="–", float_format=lambda number: f"{number:.4g}"))
