"""An explorable as one HTML text that needs nothing else: it opens from a disk, and asks nobody for anything."""

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Any

from trustscope.handouts.explorable.lever import Lever
from trustscope.handouts.explorable.packing import text_of
from trustscope.handouts.explorable.record import PartOfPage
from trustscope.handouts.report import html
from trustscope.handouts.report.version import OURS

HERE = Path(__file__).parent


def script_file(*names: str) -> str:
    """Scripts that lie beside this file."""
    return "\n".join((HERE / name).read_text(encoding="utf-8") for name in names)


def whole_page(title: str, body: str, *, about: str, style: str, script: str, data: dict[str, Any]) -> str:
    """A page with its data and its script. What it may load is nothing: all of it is inside.

    `about` is a sentence for whoever is sent a link to it, beside the title.
    """
    # Names of helpers must not meet those of whatever else is on a page that takes this one in.
    run = f"(() => {{\n{script}\n}})()"
    digest = base64.b64encode(hashlib.sha256(run.encode()).digest()).decode()
    policy = f"{html.POLICY}; img-src data:; script-src 'sha256-{digest}'"
    head = html.HEAD.format(title=escape(title), version=escape(OURS), style=style, policy=policy)
    head = head.replace("</head>", f"{preview(title, about)}</head>", 1)
    packed = f'<script type="text/plain" id="data">{text_of(data)}</script>\n'
    return f"{head}{body}{packed}<script>{run}</script>\n</body>\n</html>\n"


def preview(title: str, about: str) -> str:
    """What programs show of a link to a page: a title and a sentence."""
    kinds = {"og:type": "website", "og:site_name": "Trustscope", "og:title": title, "og:description": about}
    named = "".join(f'<meta property="{name}" content="{escape(text)}">\n' for name, text in kinds.items())
    return f'<meta name="description" content="{escape(about)}">\n{named}'


def described(parts: Sequence[PartOfPage], styles: list[str]) -> list[dict[str, Any]]:
    """Parts as the script reads them; their style sheets are put into `styles`, each once."""
    found = []
    for part in parts:
        for style in part.styles:
            if style not in styles:
                styles.append(style)
        found.append({"name": part.name, "card": part.card, "role": part.role, "kind": part.kind,
                      "styles": [styles.index(style) for style in part.styles]})  # fmt: skip
    return found


def lever_data(lever: Lever) -> dict[str, Any]:
    """A lever as the script reads it."""
    kept = asdict(lever)
    kept.pop("coarser")
    return kept
