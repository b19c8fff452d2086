"""The documentation as pages: Markdown in, HTML out, links between the pages kept."""

import re
from itertools import count, pairwise
from pathlib import Path

from markdown_it import MarkdownIt

from trustscope.handouts.site import html
from trustscope.scenarios import files

TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
CONTENTS = "```{toctree}"  # of a page that only leads on, in the program that builds the documentation by itself
PICTURES = (".png", ".svg", ".jpg", ".gif")
LONGEST = 160  # characters of the sentence on a tile


def write(folder: Path, source: Path) -> list[tuple[str, str, str, str]]:
    """Write a page for each Markdown file of a folder, with its pictures; the tiles that lead there."""
    every = {path: path.read_text(encoding="utf-8") for path in sorted(source.glob("*.md"))}
    pages = {path: text for path, text in every.items() if CONTENTS not in text}  # the tiles lead on here
    known = {page.name for page in pages}
    tiles = []
    for path, text in pages.items():
        title = found[1] if (found := TITLE.search(text)) else path.stem
        body = rendered(text, known)
        files.write(folder / "docs" / f"{path.stem}.html", html.page(title, body, part="docs", deep=1))
        for picture in set(re.findall(r'<img src="([^":/]+)"', body)):
            if picture.endswith(PICTURES) and (source / picture).is_file():
                files.write(folder / "docs" / picture, (source / picture).read_bytes())
        tiles.append((f"docs/{path.stem}.html", title, _first(text), ""))
    return tiles


def _first(text: str) -> str:
    """The first sentence of the page, as plain text; a picture, a list or code says nothing there."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    for before, block in pairwise(tokens):
        if before.type == "paragraph_open" and before.level == 0:
            said = "".join(" " if one.type == "softbreak" else one.content for one in block.children or []
                           if one.type != "image")  # fmt: skip
            if said.strip():
                sentence = re.split(r"(?<=[.!?]) ", said)[0]
                return sentence if len(sentence) <= LONGEST else f"{sentence[: LONGEST - 1].rsplit(' ', 1)[0]} …"
    return ""


def rendered(text: str, known: set[str]) -> str:
    """Markdown as HTML; links to pages that are here lead to them, and those to files that are not lead nowhere."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    # Directives (in braces, or behind colons) are for the program that builds the documentation with its own index.
    text = re.sub(r"^:{3,}.*\n?", "", text, flags=re.MULTILINE)
    tokens = [one for one in reader.parse(text) if not (one.type == "fence" and one.info.startswith("{"))]
    for block in tokens:
        _with_anchor(block, tokens)
        open_links = []
        for token in block.children or []:
            if token.type == "link_open":
                target = _target(str(token.attrGet("href")), known)
                open_links.append(target is not None)
                if target is None:
                    token.tag, token.attrs = "span", {}
                else:
                    token.attrSet("href", target)
            elif token.type == "link_close" and not open_links.pop():
                token.tag = "span"
    made = reader.renderer.render(tokens, reader.options, {})
    numbers = count(1)
    scrolls = '<div class="wide" tabindex="0" role="region" aria-label="Table {}"><table>'
    made = re.sub("<table>", lambda found: scrolls.format(next(numbers)), made)
    return made.replace("</table>", "</table></div>")


def _with_anchor(block, tokens) -> None:
    """Give a heading the name by which links call it."""
    if block.type == "heading_open":
        text = tokens[tokens.index(block) + 1].content
        block.attrSet("id", re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", "-"))


def _target(address: str, known: set[str]) -> str | None:
    """Where a link leads on the site; None where that is not here."""
    if address.startswith(("#", "https:", "http:", "mailto:")):
        return address
    name, _, place = address.partition("#")
    if name in known:
        return f"{Path(name).stem}.html{f'#{place}' if place else ''}"
    return None
