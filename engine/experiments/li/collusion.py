"""What colluding recipients reconstruct (Li et al. 2012, Section 6.2, Figures 2 and 3).

Two notes on the paper. The normalised error here is the mean square error of an attribute over its variance,
which lies between 0 and 1 (D / Tr(K_X) as printed already holds a factor 1/N). And there are two attackers
with partial knowledge: with noise shaped by K_X the estimated K_X cancels, so the *structured* one is nearly
as good as perfect knowledge; it is the *raw* one, who estimates the covariance of all copies, whose curve
flattens and rises as copies are added.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Floats, Integers, Several
from trustscope.engine.attacks import llse
from trustscope.engine.experiments.li.data import frame_of
from trustscope.engine.gaussian import GaussianRelease
from trustscope.engine.measures import error_histogram
from trustscope.engine.utility import Ticker, keeping
from trustscope.engine.utility.progress import Cancelling, Progress
from trustscope.errors import TrustscopeError

__all__ = ["figure_2", "figure_3", "paper_levels"]

SCHEMES = ("independent", "nested")
COLUMNS = ["attribute", "scheme", "copies", "level", "attacker", "sample", "error", "standard_error", "theory"]
COPIES_OF_FIGURE_3 = (5, 10, 20, 30)


def paper_levels(number: int = 30) -> Floats:
    """Noise levels drawn from [0.25, 1], as in Section 6.2; the paper does not print its own draw."""
    # Not from `keys.rng`: the errors known for the figure belong to exactly this draw.
    return np.random.default_rng(2).uniform(0.25, 1, number)


def figure_2(
    data: pd.DataFrame | ArrayLike | None = None,
    *,
    levels: ArrayLike | None = None,
    samples: Several | None = None,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """Normalised error of the joint linear attack as copies are released one by one (Figure 2).

    Parameters
    ----------
    data : DataFrame or array of shape (rows, N), optional
        By default Age and Income: 10 000 rows, or 100 000 at paper size. Larger data are cut to that.
    levels : sequence of float, optional
        Noise variances s in the order of release; by default the 30 of `paper_levels`.
    samples : sequence of int, optional
        Sample sizes of the attackers with partial knowledge; by default 100, 200 and 300 times N².
    key : int
    progress, cancelled : callable, optional
        See `engine.experiments.li`; a step is one copy more.

    Returns
    -------
    DataFrame
        attribute, scheme, copies (M), level (of the M-th copy), attacker, sample (0 where none is needed),
        error (measured), standard_error (of the measurement, over rows), theory (NaN for "raw").
        Attackers: "perfect" (all copies, perfect knowledge), "best copy" (only the least perturbed one),
        "structured" and "raw".
    """
    frame = frame_of(data, key=key, paper_size=paper_size)
    levels = paper_levels() if levels is None else np.asarray(levels, float)
    known = _samples(samples, frame.shape, key)
    ticker = Ticker(len(SCHEMES) * len(levels), progress, cancelled)
    records: list[tuple[object, ...]] = []
    with keeping(lambda: _table(records)):
        for scheme in SCHEMES:
            for copies, release in _released(frame, levels, scheme, key, ticker):
                attacks = _attacks(copies, levels[: len(copies)], scheme, release.mean, known)
                for attack in attacks:
                    records += _measured(frame, release, scheme, levels, *attack)
                ticker.step(f"{scheme}, {len(copies)} copies")
    return _table(records)


def figure_3(
    data: pd.DataFrame | ArrayLike | None = None,
    *,
    levels: Several | None = None,
    copies: Several = COPIES_OF_FIGURE_3,
    bins: int = 60,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """Distribution of the size of the error for several numbers of copies (Figure 3).

    Parameters
    ----------
    data, levels, key, progress, cancelled
        As in `figure_2`; the same key gives the same copies.
    copies : sequence of int
        Numbers of copies M at which the attack (with perfect knowledge) is shown.
    bins : int
        Between 0 and two standard deviations of the attribute, the same for all; larger errors are in no bin.

    Returns
    -------
    DataFrame
        attribute, scheme, copies, left, right (in the units of the attribute), count, share, cumulative
        (share of the errors up to ``right``).
    """
    frame = frame_of(data, key=key, paper_size=paper_size)
    levels = paper_levels(max(copies)) if levels is None else np.asarray(levels, float)
    if min(copies) < 1 or max(copies) > len(levels):
        raise TrustscopeError(f"The numbers of copies must lie between 1 and {len(levels)}.")
    ticker = Ticker(len(SCHEMES) * len(levels), progress, cancelled)
    parts: list[pd.DataFrame] = []
    with keeping(lambda: _joined(parts)):
        for scheme in SCHEMES:
            for held, release in _released(frame, levels, scheme, key, ticker):
                if len(held) in copies:
                    estimate = llse.reconstruct(held, levels=levels[: len(held)], scheme=scheme, mean=release.mean)
                    parts += _histograms(frame, estimate, release, scheme, len(held), bins)
                ticker.step(f"{scheme}, {len(held)} copies")
    return _joined(parts)


def _released(
    frame: pd.DataFrame, levels: Floats, scheme: str, key: int, ticker: Ticker
) -> Iterator[tuple[list[Any], GaussianRelease]]:
    """All copies so far, after each new one, and the release that makes them."""
    release = GaussianRelease(frame.to_numpy(), scheme=scheme, key=keys.derive(key, "li", "figure 2", scheme))
    copies = []
    for level in levels:
        ticker.check()
        copies.append(release.copy(level=level))
        yield copies, release


def _samples(sizes: Several | None, shape: tuple[int, int], key: int) -> list[Integers]:
    """Rows known to the attackers with partial knowledge, each sample containing the smaller ones."""
    rows, attributes = shape
    sizes = [factor * attributes**2 for factor in (100, 200, 300)] if sizes is None else list(sizes)
    if min(sizes, default=2) < 2:
        raise TrustscopeError("A sample needs at least two rows.")
    order = keys.rng(key, "li", "sample").permutation(rows)
    return [np.sort(order[: min(size, rows)]) for size in sizes]


def _attacks(
    copies: list[Any], levels: Floats, scheme: str, mean: Floats, samples: list[Integers]
) -> Iterator[tuple[str, int, int, Floats, float]]:
    """Every attacker: name, sample size, number of copies, estimate, theory."""
    number, best = len(copies), int(np.argmin(levels))
    joint = llse.reconstruct(copies, levels=levels, scheme=scheme, mean=mean)
    yield "perfect", 0, number, joint, llse.expected_error(levels, scheme)
    alone = llse.reconstruct([copies[best]], levels=levels[[best]], scheme=scheme, mean=mean)
    yield "best copy", 0, number, alone, llse.expected_error(levels[[best]], scheme)
    for rows in samples:
        size = len(rows)
        estimate = llse.reconstruct_structured(copies, levels=levels, scheme=scheme, sample=rows)
        yield "structured", size, number, estimate, llse.expected_error_structured(levels, scheme, n=size)
        yield "raw", size, number, llse.reconstruct_raw(copies, levels=levels, sample=rows), np.nan


def _measured(
    frame: pd.DataFrame,
    release: GaussianRelease,
    scheme: str,
    levels: Floats,
    attacker: str,
    sample: int,
    copies: int,
    estimate: Floats,
    theory: float,
) -> list[tuple[object, ...]]:
    """A row for each attribute."""
    square = (frame.to_numpy() - estimate) ** 2
    variance = np.diag(release.covariance)
    errors = square.mean(axis=0) / variance
    spread = square.std(axis=0) / np.sqrt(len(frame)) / variance
    told = scheme, copies, float(levels[copies - 1]), attacker, sample
    return [(str(name), *told, *two, theory) for name, *two in zip(frame, errors, spread, strict=True)]


def _table(records: list[tuple[object, ...]]) -> pd.DataFrame:
    return pd.DataFrame(records, columns=COLUMNS) if records else pd.DataFrame()


def _histograms(
    frame: pd.DataFrame, estimate: Floats, release: GaussianRelease, scheme: str, copies: int, bins: int
) -> Iterator[pd.DataFrame]:
    for j, name in enumerate(frame):
        edges = np.linspace(0, 2 * np.sqrt(release.covariance[j, j]), bins + 1)
        counts, _, cumulative = error_histogram(frame.iloc[:, j].to_numpy() - estimate[:, j], edges)
        yield pd.DataFrame(
            {
                "attribute": str(name),
                "scheme": scheme,
                "copies": copies,
                "left": edges[:-1],
                "right": edges[1:],
                "count": counts,
                "share": counts / len(frame),
                "cumulative": cumulative,
            }
        )


def _joined(parts: list[pd.DataFrame]) -> pd.DataFrame:
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
