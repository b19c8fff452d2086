"""The rules of axe-core (tests/vendor, MPL-2.0) on a page in the browser: what some people would miss there."""

from pathlib import Path

SCRIPT = Path(__file__).parent / "vendor" / "axe.min.js"
# The levels A and AA of the Web Content Accessibility Guidelines 2.0 to 2.2, and axe's good practice.
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
# Rules that axe leaves out unless they are asked for: names that say something else than what is seen, small targets.
ASKED_FOR = ("label-content-name-mismatch", "target-size")
# What depends on the theme.
COLOURS = ("color-contrast", "link-in-text-block")
# Style sheets are not read beforehand: axe does so in every shadow, for one experimental rule that it leaves out.
RUN = """
async ([tags, asked, without, only, within]) => {
  const rules = Object.fromEntries([...asked.map((rule) => [rule, {enabled: true}]), ...without.map((rule) => [rule, {enabled: false}])])
  const all = {runOnly: {type: "tag", values: tags}, rules}
  const found = await axe.run(within ?? document, {...(only.length ? {runOnly: only} : all), resultTypes: ["violations"], preload: {assets: ["media"]}})
  return found.violations.map((rule) => [rule.id, rule.help, rule.nodes.map((node) => [node.target.flat().join(" > "), node.html])])
}
"""  # noqa: E501


def violations(page, *, without=(), colours: bool = False, within: str | None = None) -> list[str]:
    """What breaks a rule, one line for each element, with the rule, where, and the element's markup.

    Parameters
    ----------
    page : a Playwright page
    without : names of rules that are left out
    colours : whether to look at the colours alone, where another theme is all that has changed
    within : a CSS selector of the part that is looked at
    """
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(SCRIPT.read_text())
    found = page.evaluate(RUN, [list(TAGS), list(ASKED_FOR), list(without), list(COLOURS) if colours else [], within])
    return [
        f"{rule} ({text}): {where}: {html[:200]}"
        for rule, text, nodes in found
        for where, html in nodes
    ]  # fmt: skip
