"""The frame of a page of the site: its head, the way to the other parts, and what stands in between."""

from html import escape

from trustscope.handouts.explorable.page import preview
from trustscope.handouts.report.version import OURS

POLICY = "default-src 'none'; style-src 'self'; img-src 'self' data:"
HERE = ' aria-current="true"'
ABOUT = "Who learns what, when copies of one dataset with different noise are pooled: lessons, and scenarios to try."
PARTS = {"": "Home", "lessons": "Learn", "try": "Try", "papers": "Papers", "docs": "Documentation"}


def page(title: str, body: str, *, part: str = "", deep: int = 0, parts: dict[str, str] | None = None) -> str:
    """A whole page.

    Parameters
    ----------
    title, body : str
        The title as text, the body as HTML.
    part : str
        The part of the site that it belongs to.
    deep : int
        How many folders it lies in.
    parts : dict, optional
        The parts that this site has; by default all.
    """
    up = "../" * deep
    meta = preview(f"{title} – Trustscope", ABOUT)
    offered = PARTS if parts is None else parts
    links = "".join(
        f'<a href="{up}index.html{"#" if key else ""}{key}"{HERE if key == part else ""}>{escape(name)}</a>\n'
        for key, name in offered.items()
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{escape(title)} – Trustscope</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="generator" content="Trustscope {escape(OURS)}">
{meta}<link rel="stylesheet" href="{up}site.css">
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header><a class="brand" href="{up}index.html">Trustscope</a><nav aria-label="Parts of this site">{links}</nav></header>
<main id="main" tabindex="-1">
{body}</main>
<footer><p>Made with Trustscope {escape(OURS)}</p></footer>
</body>
</html>
"""


def tiles(entries) -> str:
    """Links with a title, a sentence and a small remark: (address, title, about, remark)."""
    made = "".join(
        f'<li><a href="{escape(address)}"><b>{escape(title)}</b><span>{escape(about)}</span>'
        f"{f'<small>{escape(remark)}</small>' if remark else ''}</a></li>\n"
        for address, title, about, remark in entries
    )
    return f'<ul class="tiles">\n{made}</ul>\n'
