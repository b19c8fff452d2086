"""What can be guessed without any copy: the constant that hits most often."""

import numpy as np

from trustscope.engine import measures
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.trust.population import Population
from trustscope.scenarios.trust.result import Baseline

ROWS = 20_000  # rows on which guesses of whole records are tried
REMEMBERED = 64


class Constants:
    """The best constant guess of a population, for any attribute and any idea of a hit."""

    def __init__(self, population: Population) -> None:
        self._people = population
        self._kept = Memo(REMEMBERED)

    def best(self, attribute: int, eps: float, kind: str) -> Baseline:
        """The best constant guess, and the share of the records that it hits."""
        key = (attribute if kind == "absolute" else None, eps, kind)
        return self._kept(key, lambda: self._one(attribute, eps) if kind == "absolute" else self._record(eps, kind))

    def _one(self, attribute: int, eps: float) -> Baseline:
        """The middle of the interval of length 2 eps that holds most values: exact, whatever their distribution."""
        values = self._people.sorted(attribute)
        # Rounding must not put a value that is exactly 2 eps away outside.
        reach = values + 2 * eps + 4 * np.spacing(np.abs(values) + eps)
        inside = np.searchsorted(values, reach, side="right") - np.arange(len(values))
        first = int(np.argmax(inside))
        middle = (values[first] + values[first + inside[first] - 1]) / 2
        return Baseline(float(inside[first] / len(values)), float(middle), "the best constant")

    def _record(self, eps: float, kind: str) -> Baseline:
        """Of the mean, the median and the most frequent values, whichever hits most records."""
        rows = self._people.values[:ROWS]
        candidates = {
            "the average": self._people.mean,
            "the median": np.median(rows, axis=0),
            "the most frequent values": np.array([_mode(column) for column in rows.T]),
        }
        rates = {
            name: measures.breach_rate(rows, np.broadcast_to(guess, rows.shape), eps, kind)
            for name, guess in candidates.items()
        }
        name = max(rates, key=rates.__getitem__)
        return Baseline(rates[name], float("nan"), name)


def _mode(values: np.ndarray) -> float:
    found, counts = np.unique(values, return_counts=True)
    result: float = found[np.argmax(counts)]
    return result
