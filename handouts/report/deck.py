"""A slide deck: one scenario a slide, as one HTML file that needs nothing else.

The same scenarios give the same file, byte for byte. Without scripts the slides stand one below the other, and each is
printed on a page of its own; a short script lets keys walk through them.
"""

import base64
import hashlib
from collections.abc import Sequence
from html import escape
from pathlib import Path

from trustscope.datasets import Dataset
from trustscope.handouts.report import html
from trustscope.handouts.report.part import WORKED, Part, worked_out
from trustscope.handouts.report.version import OURS
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.scenario import Scenario
from trustscope.scenarios.whole import Cancel, Progress, stop
from trustscope.scenarios.words import counted

MOST = 24  # slides of one deck: four scenarios of each page can be kept
PICTURES = 2  # of a slide
LARGER = 1.6  # times: type of plots that is read from the back row
HERE = Path(__file__).parent


def slides(
    scenarios: Scenario | Sequence[Scenario], progress: Progress | None = None, cancel: Cancel | None = None,
    own: Dataset | None = None,
) -> str:  # fmt: skip
    """A slide for each scenario, as one HTML text: the verdict, the number, and the plots.

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
    every = [scenarios] if isinstance(scenarios, Scenario) else list(scenarios)
    if not 1 <= len(every) <= MOST:
        raise ScenarioProblem(f"A deck has 1 to {MOST} slides, one for each scenario, not {len(every)}.")
    told = progress or (lambda fraction, text: None)
    made, first = [], ""
    for place, scenario in enumerate(every):
        part = worked_out(scenario, place, len(every), own, told, cancel)
        first = first or part.figures.verdict
        stop(cancel)
        told((place + WORKED) / len(every), f"Drawing slide {place + 1}")
        made.append(_slide(part, place + 1, len(every)))
    told(1.0, "Done")
    return _page(first if len(every) == 1 else counted(len(every), "scenario"), made)


def _page(title: str, made: list[str]) -> str:
    script = (HERE / "deck.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    head = html.head(
        f"Trustscope slides: {title}", OURS, HERE / "deck.css", f"{html.POLICY}; script-src 'sha256-{digest}'"
    )
    return f"{head}<main>\n{''.join(made)}</main>\n<script>{script}</script>\n</body>\n</html>\n"


def _slide(part: Part, number: int, many: int) -> str:
    """One scenario: what is said, the number, and the first plots of its page."""
    figures = part.figures
    number_text = "".join(
        f'<span class="{kind}">{escape(text)}</span>'
        for kind, text in (
            ("before", figures.before),
            ("arrow", "→" if figures.before else ""),
            ("after", figures.after),
        )
        if text
    )
    said = html.heading(1 if number == 1 else 2, figures.verdict) + html.paragraph(figures.note, "note")
    value = (f'<p class="figures">{number_text}</p>\n' if number_text else "") + html.paragraph(figures.label, "label")
    plots = [plot for plot in part.drawn if plot.drawn][:PICTURES]
    drawn = "".join(
        f"<figure>\n<figcaption>{escape(plot.title)}</figcaption>\n"
        f"{plot.inline(f'{part.letter}{place}', f'{plot.title}: {plot.caption}', LARGER)}</figure>\n"
        for place, plot in enumerate(plots)
    )
    data = part.found.data
    what = ", ".join(filter(None, (part.scenario.page, "" if data is None else data.title)))
    return (
        f'<section class="slide" id="slide-{number}" tabindex="-1">\n<header><div>\n{said}</div>\n'
        f'<div class="value">\n{value}</div></header>\n<div class="plots">\n{drawn}</div>\n'
        f"<footer>{escape(what)} · {number} of {many}</footer>\n</section>\n"
    )
