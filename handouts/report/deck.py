"""A slide deck as one HTML file that needs nothing else.

The same scenarios give the same file, byte for byte. Without scripts the slides stand one below the other, and each is
printed on a page of its own; a short script lets keys walk through them. Speaker notes are folded below each slide.
"""

import base64
import hashlib
from collections.abc import Sequence
from html import escape
from pathlib import Path

from trustscope import plots
from trustscope.datasets import Dataset
from trustscope.handouts.report import html
from trustscope.handouts.report.part import WORKED, Part, all_of, worked_out
from trustscope.handouts.report.story import Slide, story
from trustscope.handouts.report.version import OURS
from trustscope.numbers import unbroken
from trustscope.scenarios.scenario import Scenario
from trustscope.scenarios.whole import Cancel, Progress, stop

MOST = 24  # scenarios of one deck: four of each page can be kept
LARGER = 1.75  # times: type of plots that is read from the back row
HERE = Path(__file__).parent


def slides(
    scenarios: Scenario | Sequence[Scenario], progress: Progress | None = None, cancel: Cancel | None = None,
    own: Dataset | None = None,
) -> str:  # fmt: skip
    """A deck as one HTML text: title, question, a slide for each scenario, comparison, what to do, assumptions.

    Parameters
    ----------
    scenarios : Scenario or sequence of Scenario
    progress : called with a share from 0 to 1 and what is being done, now and then
    cancel : asked now and then; where it says True, `Stopped` is raised
    own : the person's own file, where a scenario names one

    Raises
    ------
    Stopped, ScenarioProblem, Unusable or DataProblem
    """
    told = progress or (lambda fraction, text: None)
    every = story(parts_of(scenarios, told, cancel, own))
    made = []
    for number, slide in enumerate(every, start=1):
        stop(cancel)
        told(WORKED + (1 - WORKED) * number / len(every), f"Drawing slide {number}")
        made.append(_slide(slide, number, len(every)))
    return _page(every[0].title, made)


def parts_of(scenarios, told, cancel, own) -> list[Part]:
    """The scenarios of a deck, worked out."""
    every = all_of(scenarios, "deck", MOST)

    def working(fraction, text):
        told(WORKED * fraction, text)

    return [worked_out(scenario, place, len(every), own, working, cancel) for place, scenario in enumerate(every)]


def _page(title: str, made: list[str]) -> str:
    script = (HERE / "deck.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    head = html.head(
        f"Trustscope slides: {title}", OURS, HERE / "deck.css", f"{html.POLICY}; script-src 'sha256-{digest}'"
    )
    return f"{head}<main>\n{''.join(made)}</main>\n<script>{script}</script>\n</body>\n</html>\n"


def _slide(slide: Slide, number: int, many: int) -> str:
    title = html.heading(1 if number == 1 else 2, slide.title)
    if slide.kind == "scenario":
        body = f'<header><div>\n{title}</div>\n<div class="value">\n{_number(slide)}</div></header>\n'
    elif slide.kind in ("advice", "assumed"):
        body = title + html.listing(slide.texts)
    else:
        body = title + "".join(html.paragraph(text, "said") for text in slide.texts)
    drawn = _plots(slide, number)
    if slide.kind == "comparison" and drawn:
        said = "".join(html.paragraph(text, "said") for text in slide.texts)
        body, drawn = f'{title}<div class="beside"><div>\n{said}</div>\n{drawn}</div>\n', ""
    notes = "".join(html.paragraph(text) for text in slide.notes)
    return (
        f'<section class="slide {slide.kind}" id="slide-{number}" tabindex="-1">\n{unbroken(body)}{drawn}'
        f"<footer>{number} of {many}</footer>\n"
        f'<details class="notes"><summary>Speaker notes</summary>\n{notes}</details>\n</section>\n'
    )


def _number(slide: Slide) -> str:
    parts = (("before", slide.before), ("arrow", "→" if slide.before else ""), ("after", slide.after))
    text = "".join(f'<span class="{kind}">{escape(one)}</span>' for kind, one in parts if one)
    return (f'<p class="figures">{text}</p>\n' if text else "") + html.paragraph(slide.label, "label")


def _plots(slide: Slide, number: int) -> str:
    drawn = [(one.title, one.inline(f"s{number}-{place}", f"{one.title}: {one.caption}", LARGER))
             for place, one in enumerate(slide.pictures)]  # fmt: skip
    if slide.bars is not None:
        from trustscope.plots import draw

        label = slide.bars.attrs["label"]
        drawn.append((label, draw.inline(plots.plot("charts.bars", slide.bars), f"s{number}", label, LARGER)))
    figures = (f"<figure>\n<figcaption>{escape(name)}</figcaption>\n{svg}</figure>\n" for name, svg in drawn if svg)
    return f'<div class="plots">\n{"".join(figures)}</div>\n' if drawn else ""
