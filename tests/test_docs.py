"""The documentation: links lead somewhere, examples run, and the site has a place for every public name."""

import ast
import re
import sys
from pathlib import Path

import pytest

import trustscope as ts
from trustscope import schemes
from trustscope.handouts.report.drawing import Drawn
from trustscope.plots import draw
from trustscope.scenarios import attackers
from trustscope.scenarios.parts import PARTS

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.glob("*.md")])
MADE = "_made/"  # pages that are made while the site is built


def blocks(page: str) -> list[str]:
    """The examples in Python of a page."""
    return re.findall(r"^```python\n(.*?)^```", (DOCS / page).read_text(), re.DOTALL | re.MULTILINE)


@pytest.fixture
def made(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS / "_ext"))
    monkeypatch.delitem(sys.modules, "made", raising=False)
    import made

    return made


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    text = page.read_text()
    for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if not link.startswith(("http", MADE)):
            assert (page.parent / link).exists(), link
    for source in re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        ast.parse(source)


def test_files_that_the_architecture_names_are_there():
    """`PAGE` and `NAME` stand for the name of any page."""
    named = set(re.findall(r"`([\w/]+\.(?:py|js|css|json))`", (ROOT / "ARCHITECTURE.md").read_text()))
    rooms = [folder for folder in ROOT.iterdir() if folder.is_dir() and (folder / "__init__.py").exists()]
    known = {f"/{path.relative_to(ROOT)}" for room in rooms for path in room.rglob("*.*")}
    missing = [
        one for one in named if not any(path.endswith(f"/{re.sub('PAGE|NAME', 'trust', one)}") for path in known)
    ]
    assert len(named) > 100
    assert not missing


def test_every_page_of_the_folder_is_on_the_site():
    listed = {"index"}
    for page in ("index", "howto", "tutorials"):
        tree = re.search(r"```\{toctree\}\n(.*?)```", (DOCS / f"{page}.md").read_text(), re.DOTALL).group(1)
        listed |= {line.strip() for line in tree.splitlines() if line.strip() and not line.startswith(":")}
    assert {page.stem for page in DOCS.glob("*.md")} == {name for name in listed if not name.startswith(MADE)}


def test_the_reference_has_all_public_names(made, monkeypatch):
    text = "\n".join(made.reference().values())
    assert all(f"trustscope.{name}" in text for name in ts.__all__ if name not in made.MODULES)
    monkeypatch.setattr(ts, "__all__", [*ts.__all__, "something_new"])
    with pytest.raises(ValueError, match="something_new"):
        made.reference()


@pytest.mark.parametrize("page", PARTS)
def test_what_a_step_of_a_lesson_may_name_is_told(page):
    row = re.search(rf"^\| {page} \| (.*) \| (.*) \|$", (DOCS / "lessons.md").read_text(), re.MULTILINE)
    cards, controls = (cell.split(", ") for cell in row.groups())
    assert sorted(cards) == sorted(PARTS[page].cards)
    assert sorted(controls) == sorted(PARTS[page].controls)


def test_examples_of_own_data_and_attackers_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    try:
        for page in ("own-data.md", "own-attacker.md"):
            scope = {}
            for block in blocks(page):
                exec(block, scope)
    finally:
        attackers.unregister("best_copy")
        schemes.unregister("half_nested")
    assert (tmp_path / "people.parquet").exists()


@pytest.mark.slow
def test_the_first_minute_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # test_report.py looks at the drawings of reports, and tests/study at those of cells.
    monkeypatch.setattr(Drawn, "inline", lambda *arguments: "")
    monkeypatch.setattr(draw, "inline", lambda *arguments: "<svg ></svg>")
    scope = {}
    for block in blocks("start.md"):
        exec(block, scope)
    assert (tmp_path / "report.html").exists()
