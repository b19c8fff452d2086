"""The trade-off of the Categories page: what a coalition finds out, against what an honest analyst gets.

All odds of keeping a value, p / (1 - p), are scaled alike; the recipients keep their order. The analyst holds the copy
that keeps most. What independent copies tell on average is listed or drawn, so it comes step by step.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from trustscope import colours
from trustscope.engine import utility
from trustscope.engine.attacks.agreement import Insight
from trustscope.scenarios.categories.model import Model
from trustscope.scenarios.categories.promise import gamma
from trustscope.scenarios.categories.scenario import SCHEMES, CategoriesScenario, retentions
from trustscope.scenarios.categories.words import points, short
from trustscope.scenarios.coalition import Recipient
from trustscope.scenarios.frontier import Frontier, Measure, Point, TradeoffLine, members_in_words
from trustscope.scenarios.moving import at_trusts, pivot
from trustscope.scenarios.solve.lines import on_categories_frontier
from trustscope.scenarios.words import share

TRUSTS = tuple(range(1, 100))
STEP = 9  # points that are measured between two drawings
PRIVATE = {
    "right": Measure(
        "values not guessed", "values that the coalition does not guess",
        "The share of values that the coalition's best guess does not hit", measured=True,
    ),
    "belief": Measure(
        "doubt in the truth", "mean belief that is not in the true value",
        "One minus the mean belief in the true value", measured=True,
    ),
    "growth": Measure(
        "guaranteed", "one minus the largest growth of any belief",
        "By how much the belief in anything can grow at the worst prior, for certain",
    ),
}  # fmt: skip
USEFUL = {
    "share": Measure(
        "an estimated share", "error of an estimated share",
        "Standard error of the share of the value looked at, estimated from the copy that keeps most", log=True,
        less=True,
    ),
    "kept": Measure(
        "values as they are", "values released as they are", "How often the copy that keeps most shows the true value"
    ),
}  # fmt: skip


def frontier(
    model: Model, scenario: CategoriesScenario, kept: Sequence[tuple[str, CategoriesScenario]] = ()
) -> Iterator[Frontier]:
    """The trade-off, in steps where figures must be listed or drawn.

    Parameters
    ----------
    model : Model
    scenario : CategoriesScenario
        Fitted to the data.
    kept : sequence of (str, CategoriesScenario)
        Kept scenarios, by name, to be drawn beside.
    """
    first = pivot(scenario.settings.recipients)
    # What stands may lie between two whole per cents.
    trusts = sorted({*TRUSTS} if first is None else {*TRUSTS, first.trust})
    many = dict(zip(trusts, at_trusts(scenario.settings.recipients, trusts), strict=True))
    if not PRIVATE[scenario.view.tradeoff.private].measured:
        yield _drawn(model, scenario, many, set(trusts), kept, 1, 1)
        return
    # Every tenth first, then those between: the shape of the curve is seen early.
    order = sorted(trusts, key=lambda t: (t != (first and first.trust), t % 10 != 0, t % 5 != 0, t))
    known: set[float] = set()
    for start in range(0, len(order), STEP):
        yield _drawn(model, scenario, many, known, kept, len(known), len(order))
        for trust in order[start : start + STEP]:
            insight_of(model, scenario, many[trust], "independent")
            known = known | {trust}
    yield _drawn(model, scenario, many, known, kept, len(order), len(order))


def insight_of(model: Model, scenario: CategoriesScenario, who: Sequence[Recipient], scheme: str) -> Insight:
    """What the coalition among these finds out on average; whoever finds nothing out names the most frequent value."""
    settings, without = scenario.settings, model.without(scenario.settings)
    ps = sorted(retentions([r for r in who if r.member]), reverse=True)
    if not ps:
        return without
    one = model.growing(ps, scheme, settings)[-1]
    return one if one.right >= without.right else replace(one, right=without.right, right_error=0.0)


def private(model: Model, scenario: CategoriesScenario, who: Sequence[Recipient], scheme: str) -> float:
    """The chosen privacy of these recipients."""
    measure = scenario.view.tradeoff.private
    if measure == "growth":
        odds = gamma([r for r in who if r.member], scheme, model.size)
        return 0.0 if np.isinf(odds) else 1 - float((np.sqrt(odds) - 1) / (np.sqrt(odds) + 1))
    figures = insight_of(model, scenario, who, scheme)
    return 1 - min(figures.right if measure == "right" else figures.belief, 1.0)


def useful(model: Model, scenario: CategoriesScenario, who: Sequence[Recipient]) -> float:
    """The chosen usefulness of the copy that keeps most."""
    p = max(retentions(who))
    if scenario.view.tradeoff.useful == "kept":
        return p + (1 - p) / model.size
    part = float(model.shares[model.code(scenario.view.value)])
    return float(utility.count_error(model.rows, part, p, model.size)) / model.rows


def _drawn(
    model: Model,
    scenario: CategoriesScenario,
    many: Mapping[float, Sequence[Recipient]],
    known: Collection[float],
    kept: Sequence[tuple[str, CategoriesScenario]],
    done: int,
    total: int,
) -> Frontier:
    lines = []
    for scheme in SCHEMES:
        there = [trust for trust in many if trust in known or scheme == "nested"]
        every = tuple(_point(model, scenario, scenario, many[trust], scheme) for trust in there)
        lines.append(TradeoffLine(scheme, colours.SCHEMES[scheme], every))
    settings = scenario.settings
    first = pivot(settings.recipients)
    measured = settings.scheme == "nested" or first is None or first.trust in known
    present = _point(model, scenario, scenario, settings.recipients, settings.scheme) if measured else None
    beside = tuple(
        (name, _point(model, one, scenario, one.settings.recipients, one.settings.scheme)) for name, one in kept
    )
    measures = PRIVATE[scenario.view.tradeoff.private], USEFUL[scenario.view.tradeoff.useful]
    note = _note(model, scenario, [many[trust] for trust in known])
    drawn = Frontier(*measures, tuple(lines), present, beside, done, total, note)
    limit = on_categories_frontier(scenario)
    return drawn.with_limit(limit)


def _note(model: Model, scenario: CategoriesScenario, many: Sequence[Sequence[Recipient]]) -> str:
    """What is counted, and how sure the drawn figures are."""
    told = []
    if scenario.view.tradeoff.useful == "share":
        told.append(f"The share is that of {short(model.column.labels[model.code(scenario.view.value)])}.")
    measure = scenario.view.tradeoff.private
    if PRIVATE[measure].measured:
        every = [insight_of(model, scenario, who, "independent") for who in many]
        doubt = max((2 * (f.right_error if measure == "right" else f.belief_error) for f in every), default=0.0)
        if doubt:
            told.append(f"Where there is too much to list, records are drawn: {points(doubt)}.")
    return " ".join(told)


def _point(
    model: Model, scenario: CategoriesScenario, asked: CategoriesScenario, who: Sequence[Recipient], scheme: str
) -> Point:
    """One scenario, measured as another one asks."""
    judged = scenario.replace({"view.tradeoff": asked.view.tradeoff, "view.value": asked.view.value})
    x, y = useful(model, judged, who), private(model, judged, who, scheme)
    measure = USEFUL[asked.view.tradeoff.useful]
    changes = {"settings.recipients": tuple(who), "settings.scheme": scheme}
    return Point(
        x, y, f"{scheme}: {members_in_words(who)}. Privacy {share(y)}, {measure.axis} {share(x)}.", scenario, changes
    )
