"""The few pieces of HTML that a report is made of. Whatever is put into them is escaped."""

import json
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from trustscope.numbers import cell, count, unbroken

STYLE = Path(__file__).with_name("report.css")
FEW_COLUMNS = 9
WIDE = 108  # letters of small type, and gaps between columns, that stand beside one another on paper
MOST_ROWS = 20  # of a table; all of them are among the embedded figures
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="generator" content="Trustscope {version}">
<style>
{style}</style>
</head>
<body>
"""


def head(title: str, version: str, style: Path, policy: str = POLICY) -> str:
    """All that stands before the body: the title, who made it, the style sheet, and what the page may load."""
    return HEAD.format(
        title=escape(title), version=escape(version), style=style.read_text(encoding="utf-8"), policy=policy
    )


def page(title: str, version: str, body: Iterable[str], data: Any) -> str:
    """A whole page; `data` is embedded as JSON."""
    # No text inside may end the element, nor begin a comment in it.
    embedded = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    script = f'<script type="application/json" id="figures">{embedded}</script>\n'
    return f"{head(title, version, STYLE)}{''.join(body)}{script}</body>\n</html>\n"


def text(words: str) -> str:
    """Words as they are read: escaped, and with no line that ends before a per cent sign."""
    return escape(unbroken(words))


def heading(level: int, words: str) -> str:
    """A heading."""
    return f"<h{level}>{text(words)}</h{level}>\n"


def paragraph(words: str, kind: str = "") -> str:
    """A paragraph; nothing where there is no text."""
    what = f' class="{kind}"' if kind else ""
    return f"<p{what}>{text(words)}</p>\n" if words else ""


def listing(texts: Iterable[str]) -> str:
    """A list."""
    return f"<ul>\n{''.join(f'<li>{text(words)}</li>' for words in texts)}\n</ul>\n"


def code(words: str) -> str:
    """Something to be typed or copied."""
    return f"<pre><code>{escape(words)}</code></pre>\n"


def folded(title: str, body: str) -> str:
    """Something to be opened by its title; on paper it stands open."""
    return f"<details>\n<summary><h3>{escape(title)}</h3></summary>\n{body}</details>\n" if body else ""


def definitions(pairs: Iterable[tuple[str, str]]) -> str:
    """What is set, and to what."""
    made = "".join(f"<dt>{text(name)}</dt><dd>{text(words)}</dd>\n" for name, words in pairs)
    return f"<dl>\n{made}</dl>\n" if made else ""


def table(frame: pd.DataFrame, caption: str, most: int = MOST_ROWS) -> str:
    """A table; of a long one some rows at even distances, the first and the last among them."""
    if frame.empty:
        return ""
    numeric = [pd.api.types.is_numeric_dtype(frame[name]) and frame[name].dtype != bool for name in frame]
    heads = "".join(_cell("th", str(name), right, ' scope="col"') for name, right in zip(frame, numeric, strict=True))
    rows = []
    shown = np.unique(np.linspace(0, len(frame) - 1, min(most, len(frame))).round().astype(int))
    for row in frame.iloc[shown].itertuples(index=False, name=None):
        cells = "".join(_cell("td", cell(value), right) for value, right in zip(row, numeric, strict=True))
        rows.append(f"<tr>{cells}</tr>\n")
    if len(frame) > most:
        caption += f" ({most} of {count(len(frame))} rows; a report as HTML holds all of them for programs)"
    # On paper: a table that fits on a page is not cut, columns of one with few are not narrow, and words of headings
    # that fit beside one another are not broken.
    longest = sum(max(map(len, str(name).split()), default=0) + 1 for name in frame)
    kinds = " ".join(
        ["wide", *["whole"] * (len(rows) <= MOST_ROWS), *["few"] * (len(frame.columns) <= FEW_COLUMNS),
         *["named"] * (longest <= WIDE)]
    )  # fmt: skip
    return (
        f'<div class="{kinds}"><table>\n<caption>{text(caption)}</caption>\n<thead><tr>{heads}</tr></thead>\n'
        f"<tbody>\n{''.join(rows)}</tbody>\n</table></div>\n"
    )


def _cell(tag: str, words: str, right: bool, more: str = "") -> str:
    what = ' class="n"' if right else ""
    return f"<{tag}{more}{what}>{text(words)}</{tag}>"
