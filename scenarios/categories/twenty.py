"""Twenty people on the Categories page: what they were given, and whose value is guessed (see `scenarios.twenty`).

A group is held against the sample with one copy at several trusts, and with more and more independent copies of the
trusts that the page opens with.
"""

from collections.abc import Sequence

import numpy as np

from trustscope.engine.arrays import Bools, Integers
from trustscope.engine.attacks import agreement
from trustscope.scenarios.categories.result import Joining
from trustscope.scenarios.categories.scenario import Settings, retention, retentions
from trustscope.scenarios.categories.side import ColumnModel
from trustscope.scenarios.coalition import Recipient, most_trusted
from trustscope.scenarios.twenty import CANDIDATES, FEWEST, Twenty, nearest_group

TRUSTS = (20, 35, 60)  # of one copy, at which a group is held against the sample
SIZES = (2, 4, 6)  # of coalitions, likewise


def chosen(model: ColumnModel) -> np.ndarray:
    """The rows of the twenty, by the rule: shape (20,), or (0,) where there are too few people."""
    if model.rows < FEWEST:
        return np.zeros(0, dtype=int)
    rows = min(CANDIDATES, model.rows // 2)
    usual, hits = Settings().recipients, []
    first = usual[0]

    def hit(who: Sequence[Recipient], copies: list[Integers]) -> Bools:
        guess = agreement.best_values(copies, retentions(who), model.size, scheme="independent", prior=model.shares)
        return np.asarray(guess == model.codes[:rows])

    for trust in TRUSTS:
        one = first.replace({"trust": trust})
        hits.append(hit((one,), [model.copy(one, "nested", 0, rows, first=one)]))
    copies = [model.copy(r, "independent", 0, rows, first=first) for r in usual]
    for size in SIZES:
        hits.append(hit(usual[:size], copies[:size]))
    return nearest_group(np.array(hits, dtype=float), model.seed)


def twenty(model: ColumnModel, settings: Settings, joining: Joining | None, rows: np.ndarray) -> Twenty | None:
    """Whose value is guessed; None where nobody pools, or there are too few people."""
    if joining is None or not len(rows):
        return None
    best = (most_trusted(settings.coalition),)
    alone = _caught(model, settings, best, rows, joining.alone.right <= joining.without.right)
    together = alone
    if settings.scheme != "nested":  # nested copies together tell what the best one tells
        pooled = joining.last(settings.scheme).right <= joining.without.right
        together = _caught(model, settings, settings.coalition, rows, pooled)
    return Twenty(model.order[rows] + 1, model.codes[rows], alone, together)


def _caught(model: ColumnModel, settings: Settings, who: Sequence[Recipient], rows: Integers, useless: bool) -> Bools:
    """Whether the best guess of these recipients is right, for each of the twenty."""
    order = sorted(who, key=lambda r: -r.trust)
    copies = [model.copy_of(r, settings.scheme, rows, first=settings.first) for r in order]
    prior = model.prior(settings)
    guess: Integers | int
    if model.side(settings) is not None:
        guess = _personal(model, settings, order, rows, copies)
    elif prior is None and useless:  # then naming the most frequent value is right more often
        guess = int(model.shares.argmax())
    else:
        guess = agreement.best_values(copies, retentions(order), model.size, scheme=settings.scheme, prior=prior)
    return np.asarray(guess == model.codes[rows])


def _personal(
    model: ColumnModel, settings: Settings, order: list[Recipient], rows: Integers, copies: list[Integers]
) -> Integers:
    """The likeliest values where something else is believed of each person beforehand."""
    if retention(order[0]) == 1:
        return copies[0]
    weight = model.believed_of(rows, settings).copy()
    several = 1 if settings.scheme == "nested" else len(order)
    for copy, p in list(zip(copies, retentions(order), strict=True))[:several]:
        weight[np.arange(len(rows)), copy] *= 1 + model.size * p / (1 - p)
    return np.asarray(weight.argmax(axis=1))
