"""The static site: every link leads somewhere, nothing is asked of others, and it says what does not work."""

import re
from html import unescape

import pytest

from tests import axe
from trustscope.app.explorable.recorder import theme
from trustscope.app.explorable.sites import DOCS
from trustscope.handouts.site import build, docs, papers
from trustscope.handouts.site.gallery import GALLERY
from trustscope.lessons.reader import shelf
from trustscope.scenarios.papers import stored
from trustscope.scenarios.papers.registry import PAPERS
from trustscope.scenarios.problem import ScenarioProblem

LESSONS = shelf()[:3]
PLACE = "<!DOCTYPE html><html lang=en><title>{0}</title><a href='{1}'>{0}</a>"


def made(folder, **how):
    """A site whose lessons and scenarios are empty pages: they have tests of their own."""
    makers = build.Makers(
        lambda lesson, home, after: PLACE.format(lesson.title, home if after is None else after[1]),
        lambda exhibit: PLACE.format(exhibit.title, "../index.html#try"),
        theme(),
    )
    return build.site(folder, makers, lessons=LESSONS, gallery=GALLERY, source=DOCS, **how)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A site with one paper, whose pictures are not drawn."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(papers, "picture", lambda result: stored.picture(result.experiment.id))
        where = tmp_path_factory.mktemp("site")
        made(where, names=("huang",))
        return where


def documented():
    """The pages of the documentation that say something themselves."""
    return [path for path in DOCS.glob("*.md") if docs.CONTENTS not in path.read_text()]


def test_every_link_leads_somewhere(folder):
    pages = list(folder.rglob("*.html"))
    assert len(pages) == 1 + len(LESSONS) + len(GALLERY) + 1 + len(documented())
    seen = 0
    for page in pages:
        for address in re.findall(r"""(?:href|src)=["']([^"']+)["']""", page.read_text()):
            target, _, place = unescape(address).partition("#")
            if target.startswith(("http:", "https:", "mailto:")):
                continue
            there = (page.parent / target).resolve() if target else page
            assert there.is_file(), (page.name, address)
            if place and there.suffix == ".html":
                assert f'id="{place}"' in there.read_text(), (page.name, address)
            seen += 1
    assert seen > 50


def test_the_first_page_names_everything_and_what_does_not_work(folder):
    text = unescape((folder / "index.html").read_text())
    for title in (*(one.title for one in LESSONS), *(one.title for one in GALLERY), PAPERS["huang"].title):
        assert title in text
    assert "What does not work here" in text
    assert all(one in text for one in build.MISSING)


def test_a_paper_has_all_its_experiments(folder):
    text = unescape((folder / "papers" / "huang.html").read_text())
    results = [one for one in stored.results().values() if one.experiment.paper == "huang"]
    assert len(results) > 5
    for one in results:
        assert one.experiment.title in text
        assert (folder / "papers" / f"{one.experiment.file}.svg").is_file()
        assert all(outcome.found in text for outcome in one.outcomes)


def test_a_picture_of_a_paper_names_its_curves():
    result = next(one for one in stored.results().values() if one.experiment.id == "huang/exp1")
    assert len(re.findall("<text", papers.picture(result))) > len(re.findall("<text", stored.picture("huang/exp1")))


def test_markdown_is_read_and_what_is_not_here_leads_nowhere():
    text = "# A *title*\n\nSee [one](one.md#part), [two](../two.py), <b>x</b>.\n\n## A part, too\n\n"
    text += "| a |\n| --- |\n| 1 |\n\n```{toctree}\nhidden\n```\n\n:::{note}\nkept\n:::\n\n```python\nshown\n```\n"
    found = docs.rendered(text, {"one.md"})
    assert '<a href="one.html#part">one</a>' in found
    assert "<span>two</span>" in found
    assert "<b>" not in found
    assert '<h2 id="a-part-too">' in found
    assert "<table>" in found
    assert "shown" in found
    assert "kept" in found
    assert "hidden" not in found
    assert ":::" not in found


def test_pages_that_only_lead_on_are_left_out(folder):
    assert len(documented()) < len(list(DOCS.glob("*.md")))
    for page in (folder / "docs").glob("*.html"):
        assert not re.search("^(<p>)?:[a-z-]+:", page.read_text(), re.MULTILINE), page.name


def test_a_tile_says_the_first_sentence_of_a_page():
    said = "![Drawn](a.png)\n\n- a list\n\n```\n$code;\n\nmore\n```\n\nThe `first` of\n[two](b.md). The second."
    assert docs._first(f"# A title\n\n## A part\n{said}") == "The first of two."
    for path in documented():
        told = docs._first(path.read_text())
        assert told[0].isupper() or told.startswith(("trustscope", "ts.")), path.name
        assert "do not edit" not in told, path.name


def test_a_folder_with_other_files_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(ScenarioProblem, match="other files"):
        made(tmp_path, names=())
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.mark.browser
def test_everybody_can_read_it(browser, folder):
    for dark, name in ((False, "index.html"), (True, "papers/huang.html"), (False, "docs/papers.html")):
        context = browser.new_context(
            viewport={"width": 390, "height": 844}, color_scheme="dark" if dark else "light", offline=True
        )
        page = context.new_page()
        complaints = []
        page.on("console", lambda m, told=complaints: told.append(m.text))
        page.goto((folder / name).as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, name
        assert complaints == []
        # The policy of the page forbids scripts from elsewhere; those of the tests are let in by the browser's driver.
        assert axe.violations(page) == [], name
        context.close()
