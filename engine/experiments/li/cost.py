"""What the algorithms cost: Table 2 as facts, Figure 5 measured (Li et al. 2012, Sections 5.4 and 6.3)."""

import time
from collections.abc import Callable

import numpy as np
import pandas as pd

from trustscope.engine import keys
from trustscope.engine.arrays import Floats, Several
from trustscope.engine.experiments.li.data import PAPER_ROWS, census
from trustscope.engine.gaussian import GaussianRelease, on_demand
from trustscope.engine.utility import Ticker, keeping
from trustscope.engine.utility.progress import Cancelling, Progress
from trustscope.errors import TrustscopeError

__all__ = ["figure_5", "table_2"]

METHODS = ("algorithm 3", "bridge", "independent")
SHARES = {"M/4": 1 / 4, "M/2": 1 / 2, "3M/4": 3 / 4}


def table_2() -> pd.DataFrame:
    """Applicability and complexity of the algorithms (Table 2; Theorems 6, 7 and 8).

    M copies in all, L of them released before, N attributes. The time and space are for one record, as in the
    paper; the last column is for T records that share what can be shared. The bridge is not in the paper: a
    new level needs only its two neighbours among the L released ones, found by bisection.

    Returns
    -------
    DataFrame
        algorithm, levels, resists_collusion, time, space, time_for_rows.
    """
    batch = "O(N³ + MN²)"
    rows = "O(N³ + T·MN²)"
    columns = ["algorithm", "levels", "resists_collusion", "time", "space", "time_for_rows"]
    return pd.DataFrame(
        [
            ("1, parallel", "all known beforehand, any order", True, batch, "O(M + N²)", rows),
            ("2, sequential", "all known beforehand, released in order", True, batch, "O(N²)", rows),
            (
                "3, on demand",
                "any, at any time",
                True,
                "O(M³ + N³)",
                "O(M² + N²)",
                "O(M³ + N³ + T·(M²N + MN²))",
            ),
            (
                "bridge, on demand",
                "any, at any time",
                True,
                "O(N³ + (M − L)(N² + log M))",
                "O(M + N²)",
                "O(N³ + (M − L)(log M + T·N²))",
            ),
            ("independent noise", "any, at any time", False, batch, "O(N²)", rows),
        ],
        columns=columns,
    )


def figure_5(
    *,
    copies: Several | None = None,
    rows: int | None = None,
    repetitions: int | None = None,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """Time to make M - L more copies when L are released, by three methods (Figure 5).

    The data are one attribute, Income. The three methods take turns within a repetition. Copies on demand
    (bridge and independent noise) are asked for one after another; algorithm 3 gets all new levels at once.

    Parameters
    ----------
    copies : sequence of int, optional
        Totals M, each at least 4: 8, 16 and 32, or 10, 20, 30, 50 and 100 at paper size.
    rows : int, optional
        10 000, or 100 000 at paper size.
    repetitions : int, optional
        3, or 100 at paper size.
    progress, cancelled : callable, optional
        See `engine.experiments.li`; a step is one repetition of one setting.

    Returns
    -------
    DataFrame
        copies (M), released (L), share ("M/4", "M/2", "3M/4"), new (M - L), method, seconds (median),
        fastest, rows, repetitions. Times are not reproducible.
    """
    copies = copies or ((10, 20, 30, 50, 100) if paper_size else (8, 16, 32))
    rows = rows or (PAPER_ROWS if paper_size else 10_000)
    repetitions = repetitions or (100 if paper_size else 3)
    if min(copies) < 4:
        raise TrustscopeError("At least four copies are needed: a quarter of them is released before.")
    income = census(rows, key=key)["Income"].to_numpy()
    ticker = Ticker(len(copies) * len(SHARES) * repetitions, progress, cancelled)
    records: list[tuple[object, ...]] = []
    with keeping(lambda: _frame(records)):
        for total in copies:
            for name, share in SHARES.items():
                released = int(total * share)
                times = []
                for repetition in range(repetitions):
                    ticker.check()
                    times.append(_race(income, total, released, keys.derive(key, "li", total, repetition)))
                    ticker.step(f"M = {total}, L = {released}")
                for method, taken in zip(METHODS, np.transpose(times), strict=True):
                    values = (float(np.median(taken)), float(taken.min()), rows, repetitions)
                    records.append((total, released, name, total - released, method, *values))
    return _frame(records)


def _race(data: Floats, total: int, released: int, key: int) -> list[float]:
    """Seconds of each method for one setting; what was released before is not timed."""
    rng = keys.rng(key)
    levels = rng.uniform(0.25, 1, total)
    old, new = levels[:released], levels[released:]
    releases = {name: GaussianRelease(data, scheme=name, key=key) for name in ("nested", "independent")}
    for release in releases.values():
        for level in old:
            release.copy(level=level)
    noise = np.stack([releases["nested"].noise(level=level) for level in old])
    variance = releases["nested"].covariance
    # The kind of generator that the releases draw with: methods are to be compared, not generators.
    drawing = np.random.Generator(np.random.SFC64(keys.derive(key, "algorithm 3")))

    def by_algorithm_3() -> None:
        on_demand(data, new, released_levels=old, released_noise=noise, covariance=variance, rng=drawing)

    def on_request(scheme: str) -> None:
        for level in new:
            releases[scheme].copy(level=level)

    return [
        _seconds(by_algorithm_3),
        _seconds(lambda: on_request("nested")),
        _seconds(lambda: on_request("independent")),
    ]


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _frame(records: list[tuple[object, ...]]) -> pd.DataFrame:
    columns = ["copies", "released", "share", "new", "method", "seconds", "fastest", "rows", "repetitions"]
    return pd.DataFrame(records, columns=columns)
