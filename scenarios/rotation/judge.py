"""When a guess is a hit, and how many hits there are without any release: the best that a constant guess does."""

from dataclasses import dataclass, replace

import numpy as np

from trustscope.engine.measures import breached
from trustscope.scenarios.rotation.records import Records

JUDGED = 1_000  # records on which guesses are judged
ROUNDING = 1e-9  # a value that is exactly as far off as allowed is a hit, whatever the last digits say


@dataclass(frozen=True, eq=False)
class Hits:
    """A share of hits, and the same for each attribute by itself (nan where all records have the same value).

    `record` is the share of hits of each record judged: of its values, or 0 and 1 where records are judged whole.
    `values` says which single values were hit, whatever the kind.
    """

    rate: float
    attributes: np.ndarray
    record: np.ndarray
    values: np.ndarray


class Judge:
    """What counts as a hit.

    "value": each value by itself, within `eps` standard deviations of its attribute; the share of hits is that of all
    values of all records. The others judge whole records, as the paper does (Definition 3.1), in the units that are
    turned: within `eps` of the record's length, any one value within `eps` of it, or the direction within `eps`.
    """

    def __init__(self, records: Records, kind: str, eps: float):
        self.records, self.kind, self.eps = records, kind, eps
        self.reach = records.reach(eps) * (1 + ROUNDING)

    def hits(self, true: np.ndarray, guess: np.ndarray) -> Hits:
        """Judge guesses of these records, both in the units that are turned."""
        values = np.abs(guess - true) <= self.reach
        varying = self.records.varying
        attributes = np.where(varying, values.mean(axis=0), np.nan)
        if self.kind == "value":
            record = values[:, varying].mean(axis=1)
        else:
            record = breached(true, guess, self.eps, self.kind).astype(float)
        return Hits(float(record.mean()), attributes, record, values)

    def constant(self) -> Hits:
        """The best constant guess, without any release: for each value by itself, or for whole records."""
        true = self.records.private[:JUDGED]
        best = np.array([best_constant(column, reach) for column, reach in zip(true.T, self.reach, strict=True)])
        if self.kind == "value":
            return self.hits(true, np.broadcast_to(best, true.shape))
        guesses = (best, true.mean(axis=0), np.median(true, axis=0), np.array([_mode(column) for column in true.T]))
        by_value, *_ = found = [self.hits(true, np.broadcast_to(guess, true.shape)) for guess in guesses]
        # Values by themselves are compared with what is best for each, which need not be best for whole records.
        return replace(max(found, key=lambda one: one.rate), attributes=by_value.attributes, values=by_value.values)


def best_constant(values: np.ndarray, reach: float) -> float:
    """The middle of an interval of length 2 `reach` that holds as many values as any."""
    ordered = np.sort(values)
    # Rounding must not put a value that is exactly twice the reach away outside.
    inside = np.searchsorted(ordered, ordered + 2 * reach, side="right") - np.arange(len(ordered))
    first = int(np.argmax(inside))
    low, high = ordered[first], ordered[first + inside[first] - 1]
    return float((low + high) / 2)


def _mode(values: np.ndarray) -> float:
    found, counts = np.unique(values, return_counts=True)
    result: float = found[np.argmax(counts)]
    return result
