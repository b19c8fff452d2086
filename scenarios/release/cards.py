"""What can be looked at on the Release page: what a ledger says, as tables and plots."""

from collections.abc import Iterable, Sequence

import pandas as pd

from trustscope import colours
from trustscope.looks import Axis, Look, Looks, with_looks
from trustscope.scenarios.cards import Card
from trustscope.scenarios.release import help as texts
from trustscope.scenarios.release import words
from trustscope.scenarios.release.ledger import Finding
from trustscope.scenarios.release.result import ReleaseResult


def holders(picture: ReleaseResult) -> list[tuple[str, float | None, float | None]]:
    """Name, trust and retention in per cent of every copy, the most trusted first; and of the one considered."""
    rows = [(copy.to, _percent(copy.trust), _percent(copy.retention)) for copy in picture.first_issued]
    if picture.asked is not None:
        rows.append((words.considered(picture.asked.to), picture.asked.trust, picture.asked.retention))
    return sorted(rows, key=lambda row: tuple(-(value or 0) for value in row[1:]))


def _percent(thousandths: int | None) -> float | None:
    return None if thousandths is None else thousandths / 10


def _holding(picture: ReleaseResult, model: object = None) -> pd.DataFrame:
    table = pd.DataFrame(holders(picture), columns=["recipient", "trust in per cent", "retention in per cent"])
    looks = {}
    if picture.numbers:
        looks["trust in per cent"] = Look(colours.SCHEMES["nested"], "trust, of numbers", mark="dot")
    if picture.categories:
        looks["retention in per cent"] = Look(colours.GUESS, "retention, of categories", mark="dot", marker="diamond")
    return with_looks(table, Looks("recipient", looks, Axis("per cent", low=0.0, high=100.0)))


def _pooled(picture: ReleaseResult, model: object = None) -> pd.DataFrame:
    who, masks = picture.pooled()
    measure = picture.scenario.view.measure
    rows = []
    for mask in masks:
        names = [one.name for i, one in enumerate(who) if mask >> i & 1]
        row = {"coalition": " + ".join(names), "members": len(names)}
        if picture.asked is not None:
            row["with this copy"] = picture.best(picture.asked.coalitions, names, measure)
        if picture.copies:
            row["what is out"] = picture.best(picture.coalitions, names, measure)
        rows.append(row)
    table = pd.DataFrame(rows)
    looks = {"with this copy": Look(colours.GUESS, mark="block", marker="triangle", hatch="////"),
             "what is out": Look(colours.SCHEMES["nested"], mark="block")}  # fmt: skip
    return with_looks(table, Looks(
        "coalition", {name: look for name, look in looks.items() if name in table},
        Axis(words.TITLES[measure], share=True, low=0.0, high=1.0), more={"sizes": "members", "masks": masks},
    ))  # fmt: skip


def _written(headings: Iterable[str], rows: Iterable[Sequence[words.Cell]]) -> pd.DataFrame:
    """Rows of texts, of which some have a colour or a tone, as a table."""
    return pd.DataFrame([[cell if isinstance(cell, str) else cell[0] for cell in row] for row in rows],
                        columns=list(headings))  # fmt: skip


def _copies(picture: ReleaseResult, model: object = None) -> pd.DataFrame:
    return _written(words.COPY_HEADINGS, words.copies(picture))


def _coalitions(picture: ReleaseResult, model: object = None) -> pd.DataFrame:
    return _written(words.RISK_HEADINGS, words.risks(picture))


def _before(picture: ReleaseResult, model: object = None) -> pd.DataFrame:
    return _written(words.NOTICED_HEADINGS, picture.noticed)


def _history(picture: ReleaseResult, model: object = None) -> pd.DataFrame:
    return _written(words.EVENT_HEADINGS, words.events(picture))


def _check(found: Iterable[Finding], model: object = None) -> pd.DataFrame:
    return _written(words.CHECK_HEADINGS, words.findings(found))


CARDS = (
    Card("holding", "Who holds what", _holding, lambda p, m: words.holding(p),
         "charts.bars", texts.HOLDING, live="bars", opens=True),
    Card("pooled", "What every coalition holds", _pooled, lambda p, m: words.pooled(p, len(p.pooled()[0])),
         "charts.coalitions", texts.POOLED, live="pooling", opens=True),
    Card("copies", "Copies that are out", _copies, None,
         "charts.written", texts.COPIES, live="table", tab="Copies"),
    Card("coalitions", "What the strongest attacker gets", _coalitions, None,
         "charts.written", texts.COALITIONS, live="table", tab="Strongest attacker"),
    Card("before", "Before the first copy", _before, None,
         "charts.written", texts.BEFORE, live="table", tab="Before the noise"),
    Card("history", "History", _history, None,
         "charts.written", texts.HISTORY, live="table"),
    Card("check", "Check", _check, None,
         "charts.written", texts.CHECK, live="table", asked=True),
)  # fmt: skip
