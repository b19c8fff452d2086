"""The headline: one sentence that a person reads first, and one number as before and after."""

import param

from trustscope.numbers import GAP
from trustscope.widgets.esm import Control, css, module

TONES = ("leak", "safe", "quiet")


class Headline(Control):
    """A sentence of at most twelve words, and beside it a number; room is kept for them, so that nothing jumps."""

    said = param.Dict(default={}, doc="The texts that are shown, and their tone.")
    versus = param.String(default="", doc="What changed against a kept scenario, in a sentence.")
    working = param.Boolean(default=False, doc="Whether the figures are still being computed on all rows.")
    brief = param.Boolean(default=False, doc="Whether a number stands without the second line, and without why.")
    stale = param.Boolean(default=False, doc="Whether what stands is of something else than what was asked for.")

    _esm = module("flow.js", "headline.js")
    _stylesheets = (css("controls.css"), css("headline.css"))

    def say(
        self, title: str, before: str = "", after: str = "", label: str = "", note: str = "", tone: str = "quiet",
        why: str = "",
    ):  # fmt: skip
        """Show plain texts.

        Parameters
        ----------
        title : the sentence
        before, after : the number, as "33 %" and "51 %"; without `before` the one stands alone
        label : what is counted, below the number
        note : a second line below the sentence
        tone : "leak" (orange), "safe" (teal) or "quiet"
        why : what it follows from, behind a button; empty: there is no button
        """
        if tone not in TONES:
            raise ValueError(f"A headline's tone is one of {', '.join(TONES)}, not {tone!r}.")
        texts = {"title": title, "before": before, "after": after, "label": label, "note": note, "why": why}
        said = {name: _unbroken(text) for name, text in texts.items()} | {"tone": tone}
        if said != self.said:
            self.said = said


def _unbroken(text: str) -> str:
    """A number stays together with its per cent sign."""
    return text.replace(" %", f"{GAP}%")
