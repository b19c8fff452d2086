"""Every technical word in a headline, a title, a heading or a label is explained somewhere on the same page."""

import re

import pytest
from playwright.sync_api import expect

from tests.app.pages import settled
from trustscope.app.pages import PAGES
from trustscope.scenarios.glossary import TERMS

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


@pytest.mark.parametrize("name", [name for name in PAGES if name != "learn"])
def test_every_technical_word_is_explained_on_the_page(open_page, name):
    page = open_page(f"?page={name}")
    assert unexplained(settled(page)) == {}


def test_a_word_in_a_label_is_explained_by_keyboard(page):
    """Nothing is added to the way of the Tab key: the control itself has the explanation of its label."""
    sheet = page.get_by_role("tooltip")
    page.get_by_role("heading", level=1).get_by_role("button", name="pool").focus()
    expect(sheet).to_have_text(TERMS["pool"])
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
