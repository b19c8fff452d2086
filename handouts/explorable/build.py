"""From a page that is recorded to an explorable: every position of its levers is worked out, and put into one file."""

from collections.abc import Iterator, Sequence
from html import escape
from math import prod

from trustscope.handouts.brief import Brief
from trustscope.handouts.explorable import page
from trustscope.handouts.explorable.lever import Lever, places, scenario_at
from trustscope.handouts.explorable.levers import question_of
from trustscope.handouts.explorable.packing import LEVELS, columns
from trustscope.handouts.explorable.record import Recorder, Snapshot
from trustscope.handouts.report.version import OURS
from trustscope.numbers import count
from trustscope.scenarios.cards import cards_of
from trustscope.scenarios.glossary import TERMS
from trustscope.scenarios.link import query_of
from trustscope.scenarios.whole import Cancel, Progress, stop

ABOUT = "Move a few controls, and see what is learnt from copies with noise when their holders put them together."


def explorable(
    recorder: Recorder, levers: Sequence[Lever], brief: Brief, *, title: str = "", about: str = "", address: str = "",
    home: str = "", input_styles: Sequence[str] = (), progress: Progress | None = None, cancel: Cancel | None = None,
) -> str:  # fmt: skip
    """An explorable as one HTML text.

    Parameters
    ----------
    recorder : Recorder
        The page.
    levers : sequence of Lever
        What a reader moves.
    brief : Brief
        What is assumed.
    title, about : str
        What stands above it (by default what the page is about), and what the data are.
    address : str
        Where an app runs in which the scenario can be opened; empty: a file is given for it.
    home : str
        The address of the site that it is a part of.
    input_styles : sequence of str
        The style sheets of what levers are moved by.
    progress : called with a share from 0 to 1 and what is being done, now and then
    cancel : asked now and then; where it says True, `Stopped` is raised
    """
    many = prod(len(lever.positions) for lever in levers)
    packed = columns(_snapshots(recorder, levers, many, progress, cancel))
    styles: list[str] = []
    data = {
        "parts": page.described(recorder.parts, styles), "columns": packed, "styles": styles,
        "levers": [page.lever_data(lever) for lever in levers], "input_styles": list(input_styles),
        "scenario": recorder.scenario.to_dict(), "terms": TERMS, "side_by_side": _side_by_side(recorder),
    }  # fmt: skip
    title = title or question_of(recorder.scenario.page)
    body = _body(recorder, brief, title, about, address, home, many)
    script = f"{recorder.script()}\n{page.script_file('stage.js', 'explorable.js')}"
    style = f"{recorder.theme()}{page.script_file('explorable.css')}"
    if progress is not None:
        progress(1.0, "Done")
    return page.whole_page(f"{title} – Trustscope", body, about=ABOUT, style=style, script=script, data=data)


def _snapshots(recorder, levers, many, progress, cancel) -> Iterator[Snapshot]:
    for number, place in enumerate(places(levers)):
        stop(cancel)
        if progress is not None and number % 20 == 0:
            progress(number / many, f"Working out position {count(number + 1)} of {count(many)}")
        yield recorder.at(scenario_at(recorder.scenario, levers, place))


def _body(recorder, brief, title, about, address, home, many) -> str:
    assumed = "".join(f"<li>{escape(one)}</li>\n" for one in (*brief.assumed, *_made(many)))
    query = escape(query_of(recorder.scenario))
    back = f'<nav aria-label="Site"><a href="{escape(home)}">← All scenarios</a></nav>\n' if home else ""
    where = (
        f'<a class="button" href="{escape(address.rstrip("/"))}/?{query}">Open in Trustscope</a>\n' if address else ""
    )
    return f"""<a class="skip" href="#pictures">Skip to the pictures</a>
<header class="top">{back}<p class="question">{escape(title)}</p><p>{escape(about)}</p></header>
<main id="main" tabindex="-1">
<div id="headline"><p id="waiting">This page is being put together. It needs JavaScript.</p></div>
<aside aria-label="Controls"><div id="levers"><h2>Try it</h2></div></aside>
<div id="pictures"></div>
</main>
<footer>
<div class="row"><button type="button" id="again">Back to the start</button>
<button type="button" id="take">Take this scenario along</button>
{where}</div>
<details><summary>What is assumed</summary>
<ul>
{assumed}</ul>
<p>The file that “Take this scenario along” gives opens in the app: <code>trustscope open FILE.json</code>.</p>
</details>
<p>Made with Trustscope {escape(OURS)}</p>
</footer>
"""


def _side_by_side(recorder) -> list[str]:
    """The cards that share the width: those that the page opens with, where both are there."""
    known = cards_of(recorder.scenario.page)
    opening = [key for key in recorder.cards if key in known and known[key].opens]
    return opening if len(opening) == 2 else []


def _made(many: int) -> tuple[str, str]:
    return (
        f"All {count(many)} positions of these controls were worked out beforehand, by the models of the app. Nothing "
        "is read in between: words and figures are those of the app.",
        f"Curves are drawn to a {_ordinal(LEVELS)} of their height.",
    )


def _ordinal(number: int) -> str:
    return {1_000: "thousandth"}.get(number, f"{count(number)}th part")
