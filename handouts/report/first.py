"""The first page: the question, the answer in three sentences, one picture, a table in words, and what is assumed."""

import pandas as pd

from trustscope.handouts.brief import Row
from trustscope.handouts.report import html
from trustscope.handouts.report.comparing import Comparison
from trustscope.handouts.report.drawing import Drawn
from trustscope.handouts.report.part import Part


def first_page(part: Part, level: int) -> str:
    """The first page of one scenario; `level` is that of its heading."""
    brief = part.brief
    plot = part.main
    drawing = "" if plot is None else plot.inline(f"{part.letter}-main", plot.title)
    what = part.scenario.page if part.found.data is None else f"{part.scenario.page}, {part.found.data.title}"
    return _page(
        f"Trustscope report · {part.letter + ': ' if level > 1 else ''}{what}", level, brief.question, brief.answer,
        _figure(plot, drawing), _rows(brief.rows, brief.measure), brief.advice, brief.assumed,
    )  # fmt: skip


def comparison_page(parts: list[Part], compared: Comparison) -> str:
    """The first page of several scenarios: what differs, and by how much."""
    drawing, caption = compared.drawing("compared")
    figure = "" if not drawing else f"<figure>\n{drawing}<figcaption>{html.text(caption)}</figcaption>\n</figure>\n"
    table = html.table(compared.table, "What differs", most=len(compared.table))
    asked = {part.brief.question for part in parts}
    question = asked.pop() if len(asked) == 1 else compared.question
    return _page(
        f"Trustscope report · {len(parts)} scenarios side by side", 1, question, compared.answer, figure,
        table, compared.advice, compared.assumed,
    )  # fmt: skip


def _page(kicker, level, question, answer, figure, table, advice, assumed) -> str:
    said = "".join(html.paragraph(sentence) for sentence in answer)
    done = html.heading(level + 1, "What to do") + html.listing(advice) if advice else ""
    known = html.heading(level + 1, "What is assumed") + html.listing(assumed)
    return (
        f'<div class="first">\n{html.paragraph(kicker, "quiet")}{html.heading(level, question)}<div class="answer">\n'
        f"{said}</div>\n{figure}{table}{done}{known}</div>\n"
    )


def _figure(plot: Drawn | None, drawing: str) -> str:
    if plot is None or not drawing:
        return ""
    return f"<figure>\n{drawing}<figcaption>{html.text(f'{plot.title}. {plot.caption}')}</figcaption>\n</figure>\n"


def _rows(rows: tuple[Row, ...], measure: str) -> str:
    return html.table(pd.DataFrame([{"": row.what, "figure": row.value} for row in rows]), measure) if rows else ""
