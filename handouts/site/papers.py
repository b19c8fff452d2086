"""A page for each paper: every experiment with its picture, what the paper claims in our words, and what came out."""

from collections.abc import Iterator
from html import escape
from pathlib import Path

from trustscope import plots
from trustscope.handouts.site import html
from trustscope.scenarios import files
from trustscope.scenarios.papers import stored, words
from trustscope.scenarios.papers.cards import table_of
from trustscope.scenarios.papers.record import Result
from trustscope.scenarios.papers.registry import PAPERS
from trustscope.scenarios.papers.tally import sentence, settings

HEADINGS = ("claim", "printed", "here", "agreement", "verdict")


def write(folder: Path, names: tuple[str, ...] = tuple(PAPERS)) -> list[tuple[str, str, str, str]]:
    """Write the pages of these papers and their pictures; the tiles that lead there."""
    results = stored.results()
    tiles = []
    for name in names:
        paper, own = PAPERS[name], [one for one in results.values() if one.experiment.paper == name]
        files.write(folder / "papers" / f"{name}.html", _page(paper, own))
        for one in own:
            files.write(folder / "papers" / f"{one.experiment.file}.svg", picture(one))
        tiles.append((f"papers/{name}.html", paper.title, f"{paper.authors}, {paper.venue}", f"{sentence(own)}."))
    return tiles


def picture(result: Result) -> str:
    """The plot of an experiment, with its legend."""
    from trustscope.plots import draw

    return draw.svg(plots.plot("papers.experiment", table_of(result)))


def _page(paper, results: list[Result]) -> str:
    contents = "".join(
        f'<li><a href="#{one.experiment.file}">{escape(one.experiment.title)}</a></li>\n' for one in results
    )
    body = (
        f"<h1>{escape(paper.title)}</h1>\n<p>{escape(paper.authors)}, {escape(paper.venue)}. "
        f"{escape(sentence(results))}. What the paper claims is told in our words. Everything was run at a quick "
        "size; the app runs each of them again, also at the paper’s own size.</p>\n"
        f"<details><summary>{len(results)} experiments</summary>\n<ul>\n{contents}</ul></details>\n"
        f"{''.join(_sections(results))}"
    )
    return html.page(paper.title, body, part="papers", deep=1)


def _sections(results: list[Result]) -> Iterator[str]:
    for one in results:
        e = one.experiment
        misprint = "" if e.misprint is None else (
            f"<dl><dt>Printed</dt><dd>{escape(e.misprint.printed)}</dd><dt>Right</dt>"
            f"<dd>{escape(e.misprint.right)}</dd></dl>\n"
        )  # fmt: skip
        head = "".join(f'<th scope="col">{name}</th>' for name in HEADINGS)
        rows = "".join(
            f"<tr><td>{escape(c.claim)}</td><td>{escape(c.printed)}</td><td>{escape(c.found)}</td>"
            f'<td>{escape(c.tolerance)}</td><td class="{escape(c.tone)}">{escape(c.verdict)}</td></tr>\n'
            for c in words.claims(one)
        )
        yield (
            f'<section id="{e.file}"><h2>{escape(e.title)}</h2>\n<p>{escape(e.claim)} <small>{escape(e.where)}</small>'
            f'</p>\n{misprint}<img src="{e.file}.svg" alt="What comes out: {escape(e.title)}" '
            f'loading="lazy">\n<div class="wide" tabindex="0" role="region" '
            f'aria-label="Claims: {escape(e.title)}"><table><thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>'
            f"</table></div>\n<p><small>Run with {escape(settings(one))}. In the app or at a prompt: "
            f"<code>trustscope reproduce {escape(e.id)}</code></small></p></section>\n"
        )
