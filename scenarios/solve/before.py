"""What could be done before the noise about a target: answers beside those of the schemes."""

from collections.abc import Iterator

from trustscope.datasets import Dataset
from trustscope.scenarios.preparation import offered, words
from trustscope.scenarios.preparation.steps import Offer
from trustscope.scenarios.solve.solution import SolutionOption
from trustscope.scenarios.source import noun_of
from trustscope.scenarios.trust.scenario import TrustScenario

SAME_UNIT = ("top", "bottom", "round")  # steps after which a distance means what it meant


def before_the_noise(data: Dataset | None, scenario: TrustScenario) -> Iterator[SolutionOption]:
    """Steps for the columns that a target is about, to which nothing has been done yet.

    A step that changes the unit of a column changes what a required distance means, and one that takes the column away
    what is released: these are told of, and done under Data.
    """
    if data is None:
        return
    done = {one.column for one in scenario.data.preparation}
    columns = dict.fromkeys(_columns(scenario))
    offers = offered(data, [name for name in columns if name in data.numeric and name not in done])
    for name in columns:
        offer = next((one for one in offers if one.column == name and one.trait.kind in ("far", "tail")), None)
        if offer is not None:
            yield _answer(data, scenario, offer)


def _columns(scenario: TrustScenario) -> Iterator[str]:
    """Of a limit on whole records, all that are released."""
    for one in scenario.settings.requirements:
        if one.what in ("hits", "worst", "hundredth"):
            yield one.attribute or scenario.settings.attribute
        elif one.protects:
            yield from scenario.data.columns


def _answer(data: Dataset, scenario: TrustScenario, offer: Offer) -> SolutionOption:
    unit, step = data.units.get(offer.column, ""), offer.preparation
    text = f"{words.has(offer, noun_of(data), unit)} {words.would(offer, unit)}".strip()
    changes = {}
    if step is not None and step.action in SAME_UNIT:
        changes = {"data.preparation": (*scenario.data.preparation, step)}
    elif step is not None:
        text += " It is done under Data."
    return SolutionOption(f"before {offer.column}", f"Before the noise: {offer.column}", text, changes, hint=True)
