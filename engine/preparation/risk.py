"""How well the strongest attacker guesses single people of a column, and which step makes that hardest.

The measure is the same before and after a step, whatever it does to the unit: a guess counts within a quarter of the
column's own standard deviation, of what is released, from one copy with as much noise as the column varies (trust
50 %), by somebody who knows everybody's values but not whose they are. Of a normal column the most exposed person is
then guessed for 45 %.
"""

import numpy as np

from trustscope.engine.arrays import ArrayLike, Floats
from trustscope.engine.attacks.optimal.cells import cells_of, common_window
from trustscope.engine.attacks.optimal.single import single
from trustscope.engine.preparation.steps import Step

LEVEL = 1.0  # trust 50 %
NEAR = 0.25  # standard deviations within which a guess counts
ROWS = 20_000  # people who stand for all, and whoever is at the ends
CODED = (0.005, 0.02)  # shares that are tried
HELPS = 0.9  # a step helps if it takes a tenth off the risk
CELLS = 400  # values that are told apart where there are more


def worst_risk(column: ArrayLike) -> float:
    """The chance that the most exposed person's value is guessed; of those whom nobody guesses without a copy.

    Parameters
    ----------
    column : array-like, shape (rows,)
        Without gaps.

    Returns
    -------
    float
        0 where everybody has the same value.
    """
    x = _some(np.asarray(column, dtype=float))
    spread = float(x.std())
    if not spread > 0:
        return 0.0
    within = NEAR * spread
    cells = cells_of(x, within, most=CELLS)
    shares = cells.shares(x)
    there = shares > 0
    values, shares_there = cells.values[there], shares[there]
    middle = common_window(x, within)[0]
    hidden = np.abs(values - middle) > within * (1 + 1e-9)
    if not hidden.any():
        return 0.0
    found = single(cells, shares, values, shares_there, float(np.sqrt(LEVEL)) * spread, [within])
    return float(found.risks[0][hidden].max())


def suggested(column: ArrayLike, side: str, unit: float | None) -> tuple[Step | None, float]:
    """The step that makes the most exposed person hardest to guess, and their risk after it.

    Parameters
    ----------
    column : array-like, shape (rows,)
    side : {"top", "bottom"}
        The end that is coded.
    unit : float or None
        Of the logarithm that is tried as well.

    Returns
    -------
    Step or None, float
        None, and the risk as it is, where no step helps.
    """
    x = np.asarray(column, dtype=float)
    before = worst_risk(x)
    tried = [Step(side, share=share) for share in CODED]
    if unit is not None:
        tried.insert(0, Step("logarithm", unit=unit))
    risks = [_risk_after(step, x) for step in tried]
    best = int(np.argmin(risks))
    if risks[best] > HELPS * before:
        return None, before
    return tried[best], risks[best]


def _risk_after(step: Step, x: Floats) -> float:
    """Infinite where a step leaves nothing: that is leaving the column out."""
    after = step.apply(x)
    return worst_risk(after) if after.std() > 1e-3 * x.std() or step.action == "logarithm" else np.inf


def _some(x: Floats) -> Floats:
    """Few enough people to stand for all: evenly over their values, with both ends."""
    if len(x) <= ROWS:
        return x
    places = np.linspace(0, len(x) - 1, ROWS).round().astype(int)
    return np.asarray(np.sort(x)[places])
