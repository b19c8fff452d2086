"""Xiao, Tao and Chen, VLDB 2009."""

import bisect
from collections.abc import Sequence

import numpy as np
import pandas as pd

from trustscope.engine import keys
from trustscope.engine.arrays import Integers, Several
from trustscope.engine.uniform import History, UniformRelease, bridge, multi_pert
from trustscope.engine.utility import Ticker
from trustscope.engine.utility.progress import Cancelling, Progress

__all__ = ["PrintedHistory", "corruption", "retained", "row_sums"]


def row_sums(sizes: Several = (2, 3, 5, 10, 50), *, low: float = 0.4, high: float = 0.8) -> pd.DataFrame:
    """Total probability of Bob's values given Alice's and the original, where these two differ (Eq. 7).

    Parameters
    ----------
    low, high : float
        p_a and p_b.

    Returns
    -------
    DataFrame
        size (s), case, printed, right (totals with the third case as printed and as in Eq. 20), gap (largest
        difference of the right cases from the law that multi-pert draws by).
    """
    ratio = low / high
    records = []
    for size in sizes:
        front = (1 - high) / (1 - low)
        third = {"printed": front * (ratio + (1 - low) / size), "right": front * (ratio + (1 - ratio) / size)}
        fourth = (1 - ratio) / (1 - low) * (high + (1 - high) / size)
        other = (1 - high) * (1 - ratio) / (size * (1 - low))
        totals = {name: value + fourth + (size - 2) * other for name, value in third.items()}
        law = bridge(high, 1.0, low, size)[0, 1]
        expected = np.array([fourth, third["right"], *[other] * (size - 2)])
        records.append({"size": size, "case": f"{size}", **totals, "gap": np.abs(law - expected).max()})
    return pd.DataFrame(records)


class PrintedHistory(History):
    """A history that is updated as printed in Section 6: it corrupts copies released before."""

    def insert(self, p: float, values: Integers) -> None:
        """Enter (p, Y) unless the element above implies it; remove the next element if it is equal."""
        place = self._count(p)
        levels = self._widened()
        at = np.arange(len(values))
        above = self._y[at, np.maximum(place - 1, 0)]
        removed = (levels[at, place] > 0) & (self._y[at, place] == values)
        self._splice(place, removed, [((place == 0) | (above != values), p, values)])
        bisect.insort(self._ascending, p)


def corruption(
    sizes: Several = (2, 10, 50),
    releases: Several = (3, 10, 30, 100),
    *,
    rows: int = 200,
    repetitions: int = 8,
    key: int = 1,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """Share of records of which some copy, read again, is not what was given out.

    Every repetition draws retention probabilities from [0.001, 0.5], the same for both updates.

    Returns
    -------
    DataFrame
        size (s), releases, printed, right (shares of records, means over the repetitions), standard_error (of
        printed: it depends on the levels drawn).
    """
    marks = sorted(releases)
    ticker = Ticker(2 * len(sizes) * repetitions, progress, cancelled)
    parts = []
    for size in sizes:
        shares = {
            name: np.array([_corrupted(kind, size, marks, rows, (key, r), ticker) for r in range(repetitions)])
            for name, kind in {"printed": PrintedHistory, "right": History}.items()
        }
        means = {name: found.mean(axis=0) for name, found in shares.items()}
        error = shares["printed"].std(axis=0) / np.sqrt(max(repetitions - 1, 1))
        parts.append(pd.DataFrame({"size": size, "releases": marks, **means, "standard_error": error}))
    return pd.concat(parts, ignore_index=True)


def _corrupted(
    kind: type[History], size: int, marks: Sequence[int], rows: int, key: tuple[int, int], ticker: Ticker
) -> list[float]:
    ticker.check()
    main, repetition = key
    rng = keys.rng(main, "misprints", "history", size, repetition)
    levels = keys.rng(main, "misprints", "levels", repetition).uniform(0.001, 0.5, marks[-1])
    history, given = kind(rng.integers(size, size=rows), size), {}
    shares = []
    for number, level in enumerate(levels, start=1):
        given[level] = multi_pert(history, level, rng=rng)
        if number in marks:
            wrong = [history.read(p) != copy for p, copy in given.items()]
            shares.append(np.any(wrong, axis=0).mean())
    ticker.step(f"{size} values, repetition {repetition + 1}")
    return shares


def retained(
    pairs: Sequence[tuple[float, float]] = ((0.4, 0.2), (0.5, 0.45), (0.3, 0.03)),
    *,
    rows: int = 100_000,
    size: int = 10,
    key: int = 1,
) -> pd.DataFrame:
    """The chance that a value is passed on from the copy at p_k to the one at p_j below it (Appendix 1).

    Returns
    -------
    DataFrame
        case, above (p_k), below (p_j), printed (p_k / p_j: more than 1), right (p_j / p_k), measured (from how
        often two copies agree) and standard_error.
    """
    codes = keys.rng(key, "misprints", "codes").integers(size, size=rows)
    records = []
    for above, below in pairs:
        release = UniformRelease(codes, size, key=key)
        equal = np.mean(release.copy(above) == release.copy(below))
        # They agree if the value is passed on, or else by chance.
        share = (equal - 1 / size) / (1 - 1 / size)
        error = np.sqrt(equal * (1 - equal) / rows) / (1 - 1 / size)
        records.append((f"{above:g} → {below:g}", above, below, above / below, below / above, share, error))
    columns = ["case", "above", "below", "printed", "right", "measured", "standard_error"]
    return pd.DataFrame(records, columns=columns)
