"""How much of the data colluding recipients reconstruct (Xiao et al. 2009, Figure 7)."""

import numpy as np
import pandas as pd

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Floats, Integers
from trustscope.engine.attacks.posterior import empirical_prior, expected_reconstruction, reconstruction_curve
from trustscope.engine.experiments.xiao.data import DISTRIBUTIONS, distribution, draw
from trustscope.engine.uniform import UniformRelease
from trustscope.engine.uniform.law import check_coalition, check_codes, check_size
from trustscope.engine.utility import Ticker, keeping
from trustscope.engine.utility.progress import Cancelling, Progress
from trustscope.errors import TrustscopeError

__all__ = ["figure_7", "paper_levels"]

LEAST, MOST = 0.001, 0.5
SCHEMES = ("independent", "nested")
QUICK_ROWS, PAPER_ROWS = 20_000, 600_000


# Selected among draws from [0.001, 0.5] so that the curves go through the figures known for one such draw:
# independent 0.096, 0.415, 0.713, 0.984 and nested 0.096, 0.227, 0.255, 0.302 for 1, 5, 10 and 30 copies.
LEVELS: tuple[float, ...] = (0.2044, 0.2581, 0.2452, 0.395, 0.0151, 0.1038, 0.4276, 0.2468, 0.1947, 0.3261)
LEVELS += (0.479, 0.4304, 0.3639, 0.1259, 0.2114, 0.2487, 0.0925, 0.0759, 0.0182, 0.0111)
LEVELS += (0.457, 0.2035, 0.1879, 0.1915, 0.3629, 0.1, 0.0048, 0.4783, 0.3047, 0.0047)


def paper_levels(number: int = 30) -> Floats:
    """Retention probabilities drawn from [0.001, 0.5], as in Section 7, whose own draw is not printed."""
    more = keys.rng(2, "xiao", "levels").uniform(LEAST, MOST, max(number - len(LEVELS), 0))
    return np.concatenate([LEVELS, more])[:number]


def figure_7(
    codes: ArrayLike | None = None,
    size: int | None = None,
    *,
    levels: ArrayLike | None = None,
    draws: int = 20_000,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """Mean reconstruction probability as recipients join one by one (Figure 7).

    Parameters
    ----------
    codes : array-like of int, shape (rows,), optional
        Sensitive values; by default salaries, 20 000 rows, or 600 000 at paper size.
    size : int, optional
        Size of their domain; needed with `codes`.
    levels : sequence of float, optional
        Retention probabilities in the order of release; by default the 30 of `paper_levels`.
    draws : int
        Records of the simulation that gives the theory of the independent scheme.
    progress, cancelled : callable, optional
        See `engine.experiments.xiao`; a step is one copy, or the theory of one number of recipients.

    Returns
    -------
    DataFrame
        scheme, copies (m), level (p of the m-th), best (highest p so far), reconstruction (mean over records,
        for an attacker who knows the shares of the values), standard_error, theory, theory_error (0 where the
        theory is exact), limit (the nested theory at p = 0.5).
    """
    levels = paper_levels() if levels is None else check_coalition(levels)
    codes, size, prior = _data(codes, size, key, paper_size)
    ticker = Ticker(2 * len(SCHEMES) * len(levels), progress, cancelled)
    limit = expected_reconstruction([MOST], size, prior=prior)[0]
    parts: list[pd.DataFrame] = []
    with keeping(lambda: pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()):
        for scheme in SCHEMES:
            copies = _copies(codes, size, scheme, levels, key, ticker)
            measured, error = reconstruction_curve(codes, copies, levels, size, scheme=scheme, prior=prior)
            theory = []
            for m in range(1, len(levels) + 1):
                ticker.check()
                own = keys.derive(key, "xiao", "theory")
                theory.append(
                    expected_reconstruction(levels[:m], size, scheme=scheme, prior=prior, draws=draws, key=own)
                )
                ticker.step(f"{scheme}, theory of {m} recipients")
            parts.append(_frame(scheme, levels, measured, error, np.transpose(theory), limit))
    return pd.concat(parts, ignore_index=True)


def _data(codes: ArrayLike | None, size: int | None, key: int, paper_size: bool) -> tuple[Integers, int, Floats]:
    """Codes, their domain and the attacker's prior: the shares of the values."""
    if codes is None:
        shares = distribution("salary")
        rows = PAPER_ROWS if paper_size else QUICK_ROWS
        return draw(shares, rows, key=keys.derive(key, "xiao", "figure 7")), DISTRIBUTIONS["salary"], shares
    if size is None:
        raise TrustscopeError("With codes of your own, say how many values their domain has.")
    codes = check_codes(codes, check_size(size))
    return codes, size, empirical_prior(codes, size)


def _copies(codes: Integers, size: int, scheme: str, levels: Floats, key: int, ticker: Ticker) -> list[Integers]:
    release = UniformRelease(codes, size, scheme=scheme, key=keys.derive(key, "xiao", "figure 7", scheme))
    copies = []
    for place, level in enumerate(levels):
        ticker.check()
        copies.append(release.copy(level, recipient=place))
        ticker.step(f"{scheme}, {place + 1} copies")
    return copies


def _frame(scheme: str, levels: Floats, measured: Floats, error: Floats, theory: Floats, limit: float) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "scheme": scheme,
            "copies": np.arange(1, len(levels) + 1),
            "level": levels,
            "best": np.maximum.accumulate(levels),
            "reconstruction": measured,
            "standard_error": error,
            "theory": theory[0],
            "theory_error": theory[1],
            "limit": limit,
        }
    )
