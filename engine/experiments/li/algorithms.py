"""What the algorithms promise, measured: the example of Alice and Bob, and Table 2 (Li et al. 2012)."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from trustscope.engine import keys
from trustscope.engine.arrays import Floats, Several
from trustscope.engine.attacks import llse
from trustscope.engine.experiments.li.cost import table_2
from trustscope.engine.experiments.li.data import census
from trustscope.engine.gaussian import GaussianRelease, on_demand, parallel, sequential

__all__ = ["example", "measured_table_2"]

LEVELS = np.array([0.6, 0.3, 1.0, 0.45])
ALICE, BOB = 1.0, 4.0


def example() -> pd.DataFrame:
    """Errors of Alice (s = 1), Bob (s = 4) and both, in theory (Section 1).

    Returns
    -------
    DataFrame
        who, independent, nested.
    """
    coalitions = {"Alice": [ALICE], "Bob": [BOB], "together": [ALICE, BOB]}
    return pd.DataFrame(
        {"who": list(coalitions)}
        | {
            scheme: [llse.expected_error(levels, scheme) for levels in coalitions.values()]
            for scheme in ("independent", "nested")
        }
    )


def measured_table_2(*, rows: int = 10_000, key: int = 1) -> pd.DataFrame:
    """Table 2, and beside it what four copies by each algorithm tell together and the best one alone.

    Every coalition uses the best linear attack for the covariance that its copies' noise is measured to have: it
    finds correlations that an algorithm should not have made.

    Parameters
    ----------
    rows : int
    key : int

    Returns
    -------
    DataFrame
        The columns of `table_2`; together, alone (normalised errors), standard_error (of their difference),
        expected_alone, rows.
    """
    data = census(rows, key=key)["Income"].to_numpy()
    best = int(np.argmin(LEVELS))
    errors = [_errors(data, copies, best) for copies in _released(data, key)]
    measured = pd.DataFrame(errors, columns=["together", "alone", "standard_error"])
    expected = llse.expected_error(LEVELS[[best]])
    return pd.concat([table_2(), measured], axis=1).assign(expected_alone=expected, rows=rows)


def _released(data: Floats, key: int) -> Iterator[Several]:
    """Copies at LEVELS by each line of Table 2."""
    rng = keys.rng(key, "li", "table 2")
    yield parallel(data, LEVELS, rng=rng)
    yield sequential(data, LEVELS, rng=rng)
    first = parallel(data, LEVELS[:2], rng=rng)
    more = on_demand(data, LEVELS[2:], released_levels=LEVELS[:2], released_noise=first - data, rng=rng)
    yield [*first, *more]
    for scheme in ("nested", "independent"):
        release = GaussianRelease(data, scheme=scheme, key=keys.derive(key, "li", "table 2", scheme))
        yield [release.copy(level=level) for level in LEVELS]


def _errors(data: Floats, copies: Several, best: int) -> tuple[float, float, float]:
    centred = np.asarray(copies) - data.mean()
    truth, variance = data - data.mean(), data.var()
    errors = []
    for held in (centred, centred[[best]]):
        weights = np.linalg.solve(held @ held.T, held @ truth)
        errors.append((truth - weights @ held) ** 2 / variance)
    gain = errors[1] - errors[0]
    return errors[0].mean(), errors[1].mean(), gain.std() / np.sqrt(len(data))
