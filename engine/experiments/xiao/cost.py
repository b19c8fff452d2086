"""What copies on demand cost in space and time (Xiao et al. 2009, Figure 8)."""

import time
from collections.abc import Iterator

import numpy as np
import pandas as pd

from trustscope.engine import keys
from trustscope.engine.arrays import Floats, Integers, Several
from trustscope.engine.experiments.xiao.collusion import LEAST, MOST
from trustscope.engine.experiments.xiao.data import DISTRIBUTIONS, distribution, draw
from trustscope.engine.uniform import History, UniformRelease, expected_history, history_bound, multi_pert
from trustscope.engine.utility import Ticker, keeping
from trustscope.engine.utility.progress import Cancelling, Progress
from trustscope.errors import TrustscopeError

__all__ = ["ORDERS", "figure_8"]

ORDERS = ("random", "ascending", "descending")
METHODS = ("multi_pert", "path")
# Retention probabilities that are drawn, however few of them are released: the first ones are then always the same.
DRAWN = 10_000


def figure_8(
    *,
    copies: Several | None = None,
    rows: int | None = None,
    orders: Several = ORDERS,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """Values stored for a record and seconds for a copy, as copies are released in three orders (Figure 8).

    Parameters
    ----------
    copies : sequence of int, optional
        Numbers of copies m to report at: 1, 3, 10, 30, 100 and 300, or up to 10 000 at paper size.
    rows : int, optional
        2 000, or 600 000 at paper size.
    orders : sequence of {"random", "ascending", "descending"}
        Of one and the same 10 000 retention probabilities, drawn from [0.001, 0.5]; the first m of an order are
        released.
    progress, cancelled : callable, optional
        See `engine.experiments.xiao`; a step is one copy.

    Returns
    -------
    DataFrame
        order, method ("multi_pert" with its history, or "path"), copies (m), values (stored for a record, on
        average, the original not counted), expected (in the paper's history, or on the path), bound
        (1 + ln(p_max / p_min)), seconds (median over the copies since the number before). Times are not
        reproducible.
    """
    marks = sorted(set(copies or (1, 3, 10, 30, 100, 300, *((1_000, 3_000, 10_000) if paper_size else ()))))
    if marks[0] < 1 or set(orders) - set(ORDERS):
        raise TrustscopeError(f"At least one copy is needed, in orders out of {', '.join(ORDERS)}.")
    codes = draw(distribution("salary"), rows or (600_000 if paper_size else 2_000), key=key)
    levels = keys.rng(key, "xiao", "figure 8").uniform(LEAST, MOST, max(DRAWN, marks[-1]))
    ticker = Ticker(len(orders) * len(METHODS) * marks[-1], progress, cancelled)
    records: list[tuple[object, ...]] = []
    with keeping(lambda: _frame(records)):
        for order in orders:
            for method in METHODS:
                for record in _run(codes, _ordered(levels, order)[: marks[-1]], method, marks, key, ticker, order):
                    records.append((order, method, *record))
    return _frame(records)


def _ordered(levels: Floats, order: str) -> Floats:
    if order == "random":
        return levels
    return np.sort(levels) if order == "ascending" else np.sort(levels)[::-1]


def _run(
    codes: Integers, levels: Floats, method: str, marks: list[int], key: int, ticker: Ticker, order: str
) -> Iterator[tuple[int, float, float, float, float]]:
    """Release one copy after another; report whenever their number is one of `marks`."""
    size = DISTRIBUTIONS["salary"]
    history, rng = History(codes, size), keys.rng(key, "xiao", "figure 8", method)
    release = UniformRelease(codes, size, key=keys.derive(key, "xiao", "figure 8", method))
    times = []
    for m, level in enumerate(levels, start=1):
        ticker.check()
        start = time.perf_counter()
        _ = release.copy(level) if method == "path" else multi_pert(history, level, rng=rng)
        times.append(time.perf_counter() - start)
        ticker.step(f"{order}, {method}, {m} copies")
        if m in marks:
            lowest, highest = levels[:m].min(), levels[:m].max()
            if method == "path":
                values, expected = release.values_stored, release.expected_values(lowest, highest)
            else:
                values, expected = history.lengths.mean(), expected_history(levels[:m], size)
            yield m, values, expected, float(history_bound(highest, lowest)), float(np.median(times))
            times = []


def _frame(records: list[tuple[object, ...]]) -> pd.DataFrame:
    columns = ["order", "method", "copies", "values", "expected", "bound", "seconds"]
    return pd.DataFrame(records, columns=columns)
