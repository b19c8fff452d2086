"""Scenarios that a site lets its readers try: each with what it is about, and what is moved."""

from dataclasses import dataclass

from trustscope.scenarios.categories.scenario import PAPER, CategoriesScenario
from trustscope.scenarios.coalition import recipients
from trustscope.scenarios.scenario import Scenario
from trustscope.scenarios.trust.scenario import TrustScenario


@dataclass(frozen=True)
class Exhibit:
    """One scenario of the gallery.

    Attributes
    ----------
    name : str
        Of its file.
    title, about : str
    scenario : Scenario
    controls : tuple of str
        What is moved, as `trustscope explorable --control` has it.
    """

    name: str
    title: str
    about: str
    scenario: Scenario
    controls: tuple[str, ...]


TWO = {"settings.recipients": recipients(60, 40), "settings.scheme": "proportional"}
GALLERY = (
    Exhibit(
        "census", "Six recipients of one census",
        "Who pools, with which noise, and how much the ministry is trusted: watch what becomes of one age.",
        TrustScenario(), ("pool", "scheme", "trust:Ministry=10,20,30,40,60,70,80,90,100"),
    ),
    Exhibit(
        "shortcut", "Louder and softer copies of the same noise",
        "Two recipients, two trusts. With proportional noise two copies give everything away, unless they are equal.",
        TrustScenario().replace(TWO), ("scheme", "trust:Ministry", "trust:University"),
    ),
    Exhibit(
        "within", "How close is close?",
        "A guess may be five years off, or one, or twenty: the same copies look safe or dangerous.",
        TrustScenario(), ("within", "scheme", "trust:Ministry=10,20,30,40,60,70,80,90"),
    ),
    Exhibit(
        "patients", "Ten diseases and six recipients",
        "Answers instead of numbers: each copy keeps some of them, and draws the others at random.",
        CategoriesScenario(), ("pool", "scheme", "trust:Ministry=10,20,40,50,60,80,100"),
    ),
    Exhibit(
        "two-witnesses", "When two copies agree",
        "Alice and Bob hold a copy each, and both say HIV. How far should they believe it?",
        PAPER, ("scheme", "trust:Alice", "trust:Bob"),
    ),
)  # fmt: skip
