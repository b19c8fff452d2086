"""How many claims have which verdict, and what a result was run with, in words."""

from collections import Counter
from collections.abc import Iterable

from trustscope.numbers import count
from trustscope.scenarios.papers.record import CONFIRMED, CORRECTED, DIFFERS, STAND_IN, UNTESTED, Result

MARKS = {
    CONFIRMED: "✓ confirmed", CORRECTED: "✎ corrected", DIFFERS: "≠ differs", STAND_IN: "○ stand-in",
    UNTESTED: "– not tested",
}  # fmt: skip


def tally(results: Iterable[Result]) -> Counter[str]:
    """How many claims have which verdict; a misprint is one claim, however many checks show it.

    A result with stand-in data says nothing about a claim of the paper, and is left out.
    """
    return Counter(
        verdict
        for result in results
        for verdict in ([result.verdict] if result.experiment.misprint else [o.verdict for o in result.outcomes])
        if verdict != STAND_IN
    )


def sentence(results: Iterable[Result]) -> str:
    """The tally as a person would say it."""
    found = tally(results)
    total = sum(found.values())
    untested = f", {found[UNTESTED]} not tested" if found[UNTESTED] else ""
    return (
        f"{total} {'claim' if total == 1 else 'claims'}: {found[CONFIRMED]} confirmed, {found[CORRECTED]} corrected, "
        f"{found[DIFFERS]} not reproducible{untested}"
    )


def settings(result: Result) -> str:
    """What it was run with."""
    shown = (f"{p.label.lower()} {_value(result.values[p.name])}" for p in result.experiment.parameters)
    return "; ".join(shown) or "nothing to set"


def _value(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(f"{item:g}" for item in value)
    return count(value) if isinstance(value, int) else str(value)
