"""Three recipients simulated many times: collusion and equivalence (Xiao et al. 2009, Figures 5 and 6).

Alice, Bob and Charlie ask for 0.3, 0.1 and 0.5, in this order. Counts of (X, Y_a, Y_b, Y_c) estimate what the
three believe together and what Charlie, who has the best copy, believes alone. The paper shows the worst case
over all combinations after 10^10 draws. After fewer, the worst case is mostly chance: the distance that
chance alone would give stands beside it, rare combinations are left out, and the exact one is enumerated.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Floats, Integers
from trustscope.engine.attacks.posterior import posterior
from trustscope.engine.experiments.xiao.data import DISTRIBUTIONS, distribution, draw
from trustscope.engine.uniform import History, UniformRelease, joint_law, multi_pert, replacement
from trustscope.engine.utility import Ticker, keeping
from trustscope.engine.utility.progress import Cancelling, Progress
from trustscope.errors import TrustscopeError

__all__ = ["figure_5", "figure_6", "simulate"]

RECIPIENTS = {"Alice": 0.3, "Bob": 0.1, "Charlie": 0.5}
QUICK_DRAWS, PAPER_DRAWS, BATCH = 10**7, 10**10, 10**6


def simulate(
    shares: ArrayLike,
    *,
    draws: int = QUICK_DRAWS,
    scheme: str = "nested",
    key: int = 1,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> Integers:
    """Counts of (X, Y_a, Y_b, Y_c) over many draws.

    Parameters
    ----------
    shares : array-like, shape (size,)
        The law of X; at most about 60 values, since all combinations are counted.
    draws : int
        Made in batches of a million, which are the steps that are reported.
    scheme : {"nested", "independent", "multi_pert"}
        The path, separate draws, or the paper's algorithm.
    key : int
    progress, cancelled : callable, optional
        See `engine.experiments.xiao`; stopped, the counts so far are in the exception's ``result``.

    Returns
    -------
    numpy.ndarray of int, shape (size, size, size, size)
    """
    return _counted(shares, draws, scheme, key, Ticker(-(-draws // BATCH), progress, cancelled), "")


def figure_5(
    distributions: Mapping[str, ArrayLike] | Sequence[str] | None = None,
    *,
    scheme: str = "nested",
    draws: int | None = None,
    counts: Mapping[str, Integers] | None = None,
    least: int = 1000,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """What the three believe together and Charlie alone, where the two differ most (Figure 5).

    Parameters
    ----------
    distributions : dict of str to array-like, or sequence of str, optional
        Shares by name, or names of `DISTRIBUTIONS`; by default all four.
    scheme : {"nested", "independent", "multi_pert"}
    draws : int, optional
        10^7 a distribution, or 10^10 at paper size.
    counts : dict of str to numpy.ndarray, optional
        From `simulate`, by distribution, to be used instead of new draws.
    least : int
        Combinations of received values that came up less often are left out.
    progress, cancelled : callable, optional
        See `engine.experiments.xiao`; a step is a million draws.

    Returns
    -------
    DataFrame
        distribution, value (x), together and alone (measured), exact_together and exact_alone, then the same
        in all rows of a distribution: y_a, y_b, y_c, cell (draws with these), distance (L2, Eq. 15), chance
        (root mean square of the distance that chance alone gives), exact_distance (largest over all
        combinations, enumerated; NaN where that is too large), draws.
    """
    return _worst(_most_dissimilar, distributions, scheme, draws, counts, key, paper_size, progress, cancelled, least)


def figure_6(
    distributions: Mapping[str, ArrayLike] | Sequence[str] | None = None,
    *,
    scheme: str = "nested",
    draws: int | None = None,
    counts: Mapping[str, Integers] | None = None,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """The law of a copy given the original, where it is furthest from uniform perturbation (Figure 6).

    Parameters
    ----------
    distributions, scheme, draws, counts, progress, cancelled
        As in `figure_5`; the same key gives the same draws.

    Returns
    -------
    DataFrame
        distribution, value (y), measured, theory (Eq. 16), then the same in all rows of a distribution:
        recipient, p, x, cell (draws with this x), distance (L2), chance (as in `figure_5`), draws.
    """
    return _worst(_most_erroneous, distributions, scheme, draws, counts, key, paper_size, progress, cancelled)


def _worst(
    worst: Callable[..., pd.DataFrame],
    distributions: Mapping[str, ArrayLike] | Sequence[str] | None,
    scheme: str,
    draws: int | None,
    counts: Mapping[str, Integers] | None,
    key: int,
    paper_size: bool,
    progress: Progress | None,
    cancelled: Cancelling | None,
    *options: int,
) -> pd.DataFrame:
    shares = _shares(distributions)
    draws = draws or (PAPER_DRAWS if paper_size else QUICK_DRAWS)
    steps = 0 if counts else len(shares) * -(-draws // BATCH)
    ticker = Ticker(steps, progress, cancelled)
    parts: list[pd.DataFrame] = []
    with keeping(lambda: _joined(parts)):
        for name, law in shares.items():
            law = np.asarray(law, dtype=float)
            found = counts[name] if counts else _counted(law, draws, scheme, key, ticker, f"{name}, ")
            parts.append(worst(law, found, scheme, *options).assign(draws=int(found.sum())))
            parts[-1].insert(0, "distribution", name)
    return _joined(parts)


def _shares(distributions: Mapping[str, ArrayLike] | Sequence[str] | None) -> dict[str, ArrayLike]:
    names = DISTRIBUTIONS if distributions is None else distributions
    if isinstance(names, str):
        names = [names]
    if distributions is not None and isinstance(distributions, Mapping):
        return dict(distributions)
    return {name: distribution(name) for name in names}


def _counted(shares: ArrayLike, draws: int, scheme: str, key: int, ticker: Ticker, label: str) -> Integers:
    shares = np.asarray(shares, dtype=float)
    size = len(shares)
    if size**4 > 2 * 10**7:
        raise TrustscopeError(f"All combinations of four values out of {size} are too many to count.")
    if draws < 1:
        raise TrustscopeError("At least one draw is needed.")
    counts = np.zeros(size**4, dtype=np.int64)
    with keeping(lambda: counts.reshape((size,) * 4)):
        for batch, start in enumerate(range(0, draws, BATCH)):
            ticker.check()
            own = keys.derive(key, "xiao", scheme, batch)
            x = draw(shares, min(BATCH, draws - start), key=own)
            cells = np.ravel_multi_index((x, *_received(x, size, scheme, own)), (size,) * 4)
            counts += np.bincount(cells, minlength=size**4)
            ticker.step(f"{label}{start + len(x):,} of {draws:,} draws")
    return counts.reshape((size,) * 4)


def _received(x: Integers, size: int, scheme: str, key: int) -> list[Integers]:
    """The three copies, asked for in the order of the paper."""
    if scheme == "multi_pert":
        history, rng = History(x, size), keys.rng(key)
        return [multi_pert(history, p, rng=rng) for p in RECIPIENTS.values()]
    release = UniformRelease(x, size, scheme=scheme, key=key)
    return [release.copy(p, recipient=i) for i, p in enumerate(RECIPIENTS.values())]


def _most_dissimilar(shares: Floats, counts: Integers, scheme: str, least: int) -> pd.DataFrame:
    cells = counts.sum(axis=0)
    # Of those with enough draws; where none has, the most frequent one.
    eligible = np.argwhere(cells >= min(least, cells.max()))
    together = counts[:, *eligible.T] / cells[*eligible.T]
    charlie = counts.sum(axis=(1, 2))
    alone = charlie[:, eligible[:, 2]] / charlie.sum(axis=0)[eligible[:, 2]]
    distance = np.sqrt(((together - alone) ** 2).sum(axis=0))
    worst = int(np.argmax(distance))
    received = eligible[worst]
    known = "independent" if scheme == "independent" else "nested"
    copies, ps = [[value] for value in received], list(RECIPIENTS.values())
    cell = cells[*received]
    return pd.DataFrame(
        {
            "value": np.arange(len(shares)),
            "together": together[:, worst],
            "alone": alone[:, worst],
            "exact_together": posterior(copies, ps, len(shares), scheme=known, prior=shares)[0],
            "exact_alone": posterior(copies[2:], ps[2:], len(shares), prior=shares)[0],
            **dict(zip(("y_a", "y_b", "y_c"), (int(value) for value in received), strict=True)),
            "cell": int(cell),
            "distance": distance[worst],
            "chance": np.sqrt((1 - (alone[:, worst] ** 2).sum()) / cell),
            "exact_distance": _exact_distance(shares, known),
        }
    )


def _exact_distance(shares: Floats, scheme: str) -> float:
    """Eq. 15 at its largest over all combinations, from the joint law itself; NaN if that is too large."""
    size = len(shares)
    if size**4 > 10**7:
        return np.nan
    law = joint_law(list(RECIPIENTS.values()), size, scheme=scheme, prior=shares)
    charlie = law.sum(axis=(1, 2))
    law /= law.sum(axis=0)
    law -= (charlie / charlie.sum(axis=0))[:, None, None, :]
    return float(np.sqrt(np.einsum("xabc,xabc->abc", law, law).max()))


def _most_erroneous(shares: Floats, counts: Integers, scheme: str) -> pd.DataFrame:
    size, worst = len(shares), None
    for place, (name, p) in enumerate(RECIPIENTS.items()):
        pairs = counts.sum(axis=tuple(axis for axis in (1, 2, 3) if axis != place + 1))
        rows = pairs.sum(axis=1)
        law, theory = pairs / np.maximum(rows, 1)[:, None], replacement(p, size)
        # A value that never came up has no law to be judged.
        distance = np.where(rows > 0, np.sqrt(((law - theory) ** 2).sum(axis=1)), 0.0)
        x = int(np.argmax(distance))
        if worst is None or distance[x] > worst["distance"]:
            chance = np.sqrt((1 - (theory[x] ** 2).sum()) / max(rows[x], 1))
            worst = {
                "value": np.arange(size),
                "measured": law[x],
                "theory": theory[x],
                "recipient": name,
                "p": p,
                "x": x,
                "cell": int(rows[x]),
                "distance": distance[x],
                "chance": chance,
            }
    return pd.DataFrame(worst)


def _joined(parts: list[pd.DataFrame]) -> pd.DataFrame:
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
