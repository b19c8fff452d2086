"""What holds on every page: everybody can read it, and every technical word in a headline, a title, a heading or a
label is explained somewhere on the same page. The tests share one window for each page."""

import re

import pytest

from tests.app.pages import SIZES, look_closer, settled, tick
from tests.axe import violations
from tests.waiting import expect
from trustscope.app.pages import PAGES
from trustscope.scenarios.glossary import TERMS
from trustscope.scenarios.link import query_of
from trustscope.scenarios.rotation.scenario import RotationScenario

pytestmark = pytest.mark.browser

# Texts of all headings and labels that are seen, and the sentences of all words that are explained, in all shadows.
READ = """() => {
  const texts = [], sentences = []
  const seen = (node) => node.checkVisibility({visibilityProperty: true, opacityProperty: true})
    && node.getBoundingClientRect().width > 2
  const walk = (node) => {
    for (const child of [...(node.shadowRoot?.children ?? []), ...node.children]) {
      const read = child.matches("h1, h2, h3, label, legend, .note, .caption, .line p")
      if (read && seen(child)) texts.push(child.textContent)
      if (child.dataset?.term && seen(child)) sentences.push(child.dataset.term)
      walk(child)
    }
  }
  walk(document.body)
  return [texts, sentences]
}"""
PATTERN = re.compile(
    rf"(?<![\w-])({'|'.join(map(re.escape, sorted(TERMS, key=len, reverse=True)))})(?![\w-])", re.IGNORECASE
)
SENTENCES = {word.lower(): sentence for word, sentence in TERMS.items()}


def unexplained(page):
    """Words of the glossary that stand in a heading or a label, and are explained nowhere on the page."""
    texts, sentences = page.evaluate(READ)
    assert len(texts) > 3
    words = {found.lower(): text for text in texts for found in PATTERN.findall(text)}
    return {word: text for word, text in words.items() if SENTENCES[word] not in sentences}


def test_a_word_in_a_label_is_explained_by_keyboard(go_to):
    """Nothing is added to the way of the Tab key: the control itself has the explanation of its label."""
    page = go_to()
    sheet = page.get_by_role("tooltip")
    page.get_by_role("heading", level=1).get_by_role("button", name="recipients").focus()
    expect(sheet).to_have_text(TERMS["recipient"])
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    chosen = page.get_by_role("radio", name="nested", exact=True)
    chosen.press("Space")
    chosen.evaluate("node => node.blur()")
    expect(sheet).to_have_count(0)
    page.get_by_role("button", name="add a recipient").focus()
    page.keyboard.press("Tab")
    expect(chosen).to_be_focused()
    expect(sheet).to_have_text(TERMS["nested"])
    expect(chosen).to_have_attribute("aria-description", TERMS["nested"])
    page.keyboard.press("ArrowRight")  # whoever goes on wants the control, not the sentence
    expect(sheet).to_have_count(0)


def test_no_plot_is_an_empty_stop_of_the_tab_key(go_to):
    """The plot of known records hears clicks; the Tab key goes past it, and every stop has a name."""
    page = go_to(f"?{query_of(RotationScenario().replace({'data.name': 'iris'}))}")
    tick(page.get_by_role("radio", name=re.compile("^2 ")))
    expect(page.get_by_role("heading", name="Known records, found in the release")).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Why?").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="SVG of Known records, found in the release")).to_be_focused()


# Counts in this time the frames that scripts ask for and the changes of the page, and what styles move at its end; in
# all shadows.
RESTLESS = """(milliseconds) => new Promise((done) => {
  const ask = window.requestAnimationFrame
  let frames = 0
  window.requestAnimationFrame = (act) => { frames += 1; return ask(act) }
  const roots = (node) => [node, ...[...node.querySelectorAll("*")].flatMap((one) => one.shadowRoot ? roots(one.shadowRoot) : [])]
  let changes = 0
  const watcher = new MutationObserver((list) => { changes += list.length })
  for (const root of roots(document))
    watcher.observe(root, {subtree: true, childList: true, attributes: true, characterData: true})
  setTimeout(() => {
    window.requestAnimationFrame = ask
    watcher.disconnect()
    done([frames, changes, roots(document).flatMap((root) => root.getAnimations()).filter((one) => one.playState === "running").length])
  }, milliseconds)
})"""  # noqa: E501


LEAST = 14  # pixels of type
# What is opened under the pictures: a table, a plot and controls among them.
CLOSER = {
    "trust": "What an honest analyst gets", "categories": "What is guaranteed", "rotation": "What an analyst finds",
    "survey": "What each kind gives away", "release": "History",
}  # fmt: skip


def closer(page, name):
    """Open what is looked at closer on this page, and wait until all of it is there."""
    if name in CLOSER:
        look_closer(page, CLOSER[name])
        expect(page.get_by_role("tab", name=CLOSER[name])).to_have_attribute("aria-selected", "true")
        expect(page.locator("[aria-busy=true]").filter(visible=True)).to_have_count(0)
        settled(page)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_rests_explains_its_words_and_can_be_read_by_everybody(go_to, name):
    """At rest it draws nothing: whoever leaves it open pays nothing for it. The film on Learn rests for those who want
    no motion, and for all others after three rounds (widgets/test_film); Learn is watched for longer than the film ever
    stands in between. Every technical word is explained. With a view opened no type is too small, and axe has nothing
    to say."""
    page = go_to(f"?page={name}")
    if name == "learn":
        page.emulate_media(reduced_motion="reduce")
    watched = 3_000 if name == "learn" else 1_000  # milliseconds
    assert any(page.evaluate(RESTLESS, watched) == [0, 0, 0] for _ in range(20))  # soon
    page.emulate_media(reduced_motion="no-preference")
    if name != "learn":
        assert unexplained(page) == {}
    closer(page, name)
    texts = page.evaluate(SIZES)
    assert len(texts) > 20
    assert [text for text in texts if text[0] < LEAST - 0.01] == []
    assert violations(page) == []


@pytest.mark.sweep
@pytest.mark.parametrize("name", PAGES)
def test_everybody_can_read_it_in_the_dark(go_to, name):
    """Colours come from one sheet for all pages; `widgets/test_showcase.py` has every widget in the dark."""
    page = go_to(f"?page={name}")
    closer(page, name)
    page.get_by_role("button", name="Dark theme").click()
    expect(page.get_by_role("button", name="Light theme")).to_be_visible()
    assert violations(page, colours=True) == []
