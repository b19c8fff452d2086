"""What an honest analyst still gets: a count with a condition, estimated from each copy."""

from dataclasses import dataclass
from html import escape

import numpy as np

from trustscope.engine import utility
from trustscope.engine.arrays import Integers
from trustscope.scenarios.categories.everyone import as_copy
from trustscope.scenarios.categories.model import Model
from trustscope.scenarios.categories.result import ENOUGH, STANDARD_ERRORS, CategoriesResult
from trustscope.scenarios.categories.scenario import retention
from trustscope.scenarios.categories.words import short
from trustscope.scenarios.coalition import Recipient
from trustscope.scenarios.value import not_none
from trustscope.scenarios.words import count, plain, share


@dataclass(frozen=True)
class Estimate:
    """A count as one recipient can estimate it, scaled up to all rows where only some were counted.

    Attributes
    ----------
    recipient : Recipient
    low, middle, high : float
        The estimate, and the range that holds the true count 19 times in 20; none is below 0 or above all who meet the
        condition, even where chance takes the estimate further.
    error : float
        The standard error that is expected of it.
    tolerance : float
        How far the estimate may lie from the truth and still agree.
    agrees : bool or str
        Whether it does; "few" where there are too few rows to tell.
    """

    recipient: Recipient
    low: float
    middle: float
    high: float
    error: float
    tolerance: float
    agrees: bool | str


@dataclass(frozen=True)
class Counted:
    """A count: how many really have the value among how many, and the estimates."""

    true: int
    met: int
    estimates: tuple[Estimate, ...]


def counted(model: Model, picture: CategoriesResult, value: int) -> Counted:
    """The count from every copy, among those who meet the condition."""
    original = not_none(picture.original)
    met, true = int(original.met.sum()), int(original.met[value])
    found = [
        _estimate(model, r, picture.held[r.number].met, value, met, true)
        for r in picture.settings.recipients
        if picture.held[r.number].met.any()
    ]
    return Counted(true, met, tuple(found))


def _estimate(model: Model, recipient: Recipient, held: Integers, value: int, met: int, true: int) -> Estimate:
    p, part = retention(recipient), true / met
    found = utility.count(as_copy(held), model.size, p, value)
    scale = met / found.rows
    own = float(utility.count_error(found.rows, part, p, model.size))
    # A preview counts a sample of the rows, which differs by chance from all of them.
    sampled = (1 - found.rows / met) * found.rows * part * (1 - part)
    tolerance = scale * STANDARD_ERRORS * float(np.sqrt(own**2 + sampled)) + 1e-6
    agrees = "few" if found.rows < ENOUGH else bool(abs(scale * found.estimate - true) <= tolerance)
    low, middle, high = (min(max(scale * v, 0.0), met) for v in (found.low, found.estimate, found.high))
    error = float(utility.count_error(met, part, p, model.size))
    return Estimate(recipient, low, middle, high, error, tolerance, agrees)


def caption(found: Counted, model: Model, picture: CategoriesResult, value: int) -> str:
    """What is counted, and how wrong it is."""
    view = picture.scenario.view
    among = "everybody" if model.noun == "people" else f"all {model.noun}"
    if view.among:
        among = f"those whose {escape(short(view.among))} is {escape(short(view.label))}"
    question = f"{escape(short(model.column.labels[value]))} among {among}"
    if not found.met:
        return f"{question}: nobody meets the condition."
    said = f"{question}: really <b>{count(found.true)}</b> of {count(found.met)} ({share(found.true / found.met)})."
    if not found.estimates:
        return said
    best = min(found.estimates, key=lambda e: e.error)
    worst = max(found.estimates, key=lambda e: e.error)
    text = f"{said} From {escape(best.recipient.name)}'s copy the count is typically wrong by {plain(best.error)}"
    if worst.error > best.error * 1.001:
        text += f", from {escape(worst.recipient.name)}'s by {plain(worst.error)}"
    return f"{text}. It depends on how much each copy keeps, not on the scheme."
