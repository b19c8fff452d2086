"""Parts of a document that is read as HTML and printed on A4: escaped text, tables that are not cut, bars."""

import html as _html
from collections.abc import Collection, Iterable, Sequence

STYLE = """
@page { size: A4; margin: 15mm 14mm; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 52rem; margin: 1.5rem auto; padding: 0 1rem; color: #1d1d1d;
  background: #fff; }
h1 { font-size: 1.6rem; margin: 0 0 .3rem; } h2 { font-size: 1.2rem; margin: 1.4rem 0 .4rem; }
h1, h2, h3 { break-after: avoid; } h3 { font-size: 1rem; margin: 1rem 0 .3rem; }
p, li { margin: .35rem 0; orphans: 3; widows: 3; }
table { border-collapse: collapse; width: 100%; margin: .6rem 0; font-size: .88em; }
thead { display: table-header-group; } tr { break-inside: avoid; }
th, td { text-align: left; padding: .25rem .45rem; border-bottom: 1px solid #bbb; vertical-align: top; }
td.when { white-space: nowrap; }
td.figure, th.figure { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
code { font-size: .85em; overflow-wrap: anywhere; }
pre { font-size: .78em; line-height: 1.35; background: #f4f4f2; padding: .7rem; white-space: pre-wrap;
  overflow-wrap: anywhere; break-inside: avoid; }
svg, .whole { break-inside: avoid; } svg { display: block; width: 100%; height: auto; }
.next { break-before: page; } .quiet { color: #555; font-size: .9em; }
.bad { color: #a3300b; } .signed td { height: 1.9rem; border: 1px solid #888; }
@media print { body { font-size: 9.5pt; line-height: 1.35; margin: 0; padding: 0; max-width: none; }
  h2 { margin: .8rem 0 .2rem; } p, li { margin: .2rem 0; } ul { margin: .3rem 0; }
  pre { background: none; border: 1px solid #bbb; } }
"""
WITH, WITHOUT = "#d1661f", "#9aa3a8"


def page(title: str, parts: Iterable[str]) -> str:
    """A whole document that needs nothing else."""
    head = f'<meta charset="utf-8"><title>{cell(title)}</title><style>{STYLE}</style>'
    body = "\n".join(part for part in parts if part)
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>\n{body}\n</body></html>\n'


def cell(value: object) -> str:
    """Text that is no markup."""
    return _html.escape(str(value))


def paragraphs(sentences: Iterable[str]) -> str:
    """Each as a paragraph of its own."""
    return "\n".join(f"<p>{cell(one)}</p>" for one in sentences)


def listing(sentences: Iterable[str]) -> str:
    """A list of sentences; nothing where there are none."""
    rows = "".join(f"<li>{cell(one)}</li>" for one in sentences)
    return f"<ul>{rows}</ul>" if rows else ""


def table(titles: Sequence[str], rows: Iterable[Sequence[object]], figures: Collection[int] = ()) -> str:
    """A table of cells that are markup already; `figures` are the places of columns that are set to the right."""
    marked = [' class="figure"' if place in figures else "" for place in range(len(titles))]
    head = "".join(f'<th scope="col"{mark}>{cell(title)}</th>' for title, mark in zip(titles, marked, strict=True))
    body = "".join(
        "<tr>" + "".join(f"<td{mark}>{one}</td>" for one, mark in zip(row, marked, strict=True)) + "</tr>\n"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table>"


def bars(rows: Sequence[tuple[str, float, float]], label: str) -> str:
    """Two bars a row: with copies, and without any.

    Parameters
    ----------
    rows : sequence of (str, float, float)
        A name, and the shares with and without.
    label : str
        What the picture is, for who cannot see it.
    """
    tall, left, wide = 24, 190, 420
    drawn = []
    for place, (name, with_, without) in enumerate(rows):
        top = 22 + tall * place
        drawn.append(
            f'<text x="{left - 8}" y="{top + 15}" text-anchor="end">{cell(name)}</text>'
            f'<rect x="{left}" y="{top + 2}" width="{wide * with_:.1f}" height="10" fill="{WITH}"/>'
            f'<rect x="{left}" y="{top + 13}" width="{wide * without:.1f}" height="6" fill="{WITHOUT}"/>'
            f'<text x="{left + wide * max(with_, without) + 6:.1f}" y="{top + 14}">{100 * with_:.0f} %'
            f'<tspan fill="#555"> ({100 * without:.0f} %)</tspan></text>'
        )
    high = 26 + tall * len(rows)
    key = (
        f'<rect x="{left}" y="3" width="14" height="10" fill="{WITH}"/>'
        f'<text x="{left + 19}" y="12">with all copies</text>'
        f'<rect x="{left + 140}" y="3" width="14" height="7" fill="{WITHOUT}"/>'
        f'<text x="{left + 159}" y="12">without any copy</text>'
    )
    return (
        f'<svg viewBox="0 0 720 {high}" role="img" aria-label="{cell(label)}" font-size="12" '
        f'font-family="system-ui, sans-serif">{key}{"".join(drawn)}</svg>'
    )
