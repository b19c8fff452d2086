"""The known-input attack on normal data and on letters: Figures 1 to 4 (Giannella et al. 2009, Sec. IV-E)."""

import time
from collections import defaultdict

import numpy as np
import pandas as pd

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Floats, Several
from trustscope.engine.attacks.known_input import Links, attack, link, printed_breach_probability
from trustscope.engine.experiments.giannella.data import hundred_normals, repeated, several
from trustscope.engine.rotation import RotationRelease
from trustscope.engine.tables import as_table
from trustscope.engine.utility.progress import Cancelling, Progress
from trustscope.errors import TrustscopeError

__all__ = ["figure_1", "figure_2", "figure_3", "figure_4"]

EPS = 0.15
QUICK_REPETITIONS, PAPER_REPETITIONS = 3, 10
# Times that each link is repeated, only to measure its time.
AGAIN = 6


def figure_1(
    *,
    known: ArrayLike | None = None,
    eps: float = EPS,
    rows: int | None = None,
    repetitions: int | None = None,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """Links and breach probability by the number of known inputs, 100-dimensional normal data (Figure 1).

    Parameters
    ----------
    known : sequence of int, optional
        a: 50 to 75 in fives, or 10 to 100 as well at paper size.
    eps : float
    rows, repetitions : int, optional
        10 000 rows three times, or 100 000 rows ten times at paper size.
    progress, cancelled : callable, optional
        See `engine.experiments.giannella`; a step is one repetition of one setting.

    Returns
    -------
    DataFrame
        known, and the columns common to Figures 1 to 3.
    """
    default = (10, 20, 30, 40, 50, 55, 60, 65, 70, 75, 80, 90, 100) if paper_size else (50, 55, 60, 65, 70, 75)
    known = several(known, default, "number of known records", whole=True)
    (count,) = several(rows, 100_000 if paper_size else 10_000, "number of rows", least=1, whole=True)
    data = hundred_normals(int(count), key=key)
    settings = [{"known": a} for a in known]
    return _attacked(data, settings, eps, repetitions, key, paper_size, progress, cancelled)


def figure_2(
    data: ArrayLike,
    *,
    known: ArrayLike | None = None,
    eps: float = EPS,
    repetitions: int | None = None,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """Links and breach probability by the number of known inputs, Letter Recognition (Figure 2).

    Parameters
    ----------
    data : array-like, shape (rows, 16)
        The letters' numeric columns; duplicates are removed here.
    known : sequence of int, optional
        a: some of 1 to 16, or all at paper size.
    eps, repetitions, progress, cancelled
        As in `figure_1`.

    Returns
    -------
    DataFrame
        known, and the columns common to Figures 1 to 3.
    """
    default = range(1, 17) if paper_size else (1, 2, 3, 4, 6, 8, 12, 16)
    settings = [{"known": a} for a in several(known, default, "number of known records", whole=True)]
    return _attacked(_distinct(data), settings, eps, repetitions, key, paper_size, progress, cancelled)


def figure_3(
    data: ArrayLike,
    *,
    eps: ArrayLike | None = None,
    known: int = 4,
    repetitions: int | None = None,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """Breach probability by eps with four known inputs, Letter Recognition (Figure 3).

    Parameters
    ----------
    data : array-like, shape (rows, 16)
    eps : sequence of float, optional
        .01 to .2, in steps of .01 at paper size.
    known : int
    repetitions, progress, cancelled
        As in `figure_1`.

    Returns
    -------
    DataFrame
        eps, and the columns common to Figures 1 to 3.
    """
    default = np.arange(1, 21) / 100 if paper_size else (0.01, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2)
    settings = [{"known": known, "eps": one} for one in several(eps, default, "threshold")]
    return _attacked(_distinct(data), settings, EPS, repetitions, key, paper_size, progress, cancelled)


def figure_4(
    data: ArrayLike | None = None,
    *,
    rows: ArrayLike | None = None,
    repetitions: int | None = None,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """Time to link by the number of rows (Figure 4).

    Parameters
    ----------
    data : array-like, shape (rows, 16), optional
        The letters' numeric columns, for the figure's right half.
    rows : sequence of int, optional
        For the normal data: 2 000 to 10 000, or 10 000 to 100 000 at paper size.
    repetitions, progress, cancelled
        As in `figure_1`.

    Returns
    -------
    DataFrame
        data ("gaussian" or "letter"), rows, known (50 and 10), linked, seconds with their _sd, repetitions, fastest
        (of all runs: other work on the machine can only slow one down).
    """
    default = range(10_000, 100_001, 10_000) if paper_size else range(2_000, 10_001, 2_000)
    rows = several(rows, default, "number of rows", least=50, whole=True)
    tables = {"gaussian": hundred_normals(int(max(rows)), key=key)}
    settings = [{"data": "gaussian", "rows": count, "known": 50} for count in rows]
    if data is not None:
        tables["letter"] = _distinct(data)
        steps = range(2_000, 18_001, 2_000) if paper_size else range(3_000, 18_001, 5_000)
        settings += [{"data": "letter", "rows": n, "known": 10} for n in steps if n <= len(tables["letter"])]

    times: dict[tuple[str, int], list[float]] = defaultdict(list)

    def one_run(repetition: int, data: str, rows: int, known: int) -> dict[str, float]:
        table = tables[data][:rows]
        rng = keys.rng(key, "giannella", "timed", repetition)
        release = RotationRelease(table, key=keys.derive(key, "giannella", "release", repetition))
        inputs = _independent(table, known, rng)
        links, seconds = _timed_link(inputs, release.released)
        times[data, rows] += [seconds, *(_timed_link(inputs, release.released)[1] for _ in range(AGAIN))]
        return {"linked": len(links.linked), "seconds": seconds}

    count = (PAPER_REPETITIONS if paper_size else QUICK_REPETITIONS) if repetitions is None else repetitions
    table = repeated(settings, one_run, repetitions=count, progress=progress, cancelled=cancelled)
    return table.assign(
        fastest=[min(times[name, rows]) for name, rows in zip(table["data"], table["rows"], strict=True)]
    )


def _attacked(
    data: Floats,
    settings: Several,
    eps: float,
    repetitions: int | None,
    key: int,
    paper_size: bool,
    progress: Progress | None,
    cancelled: Cancelling | None,
) -> pd.DataFrame:
    """Link and attack with fresh known inputs in every repetition; one release for all."""
    released = RotationRelease(data, key=keys.derive(key, "giannella", "release")).released

    def one_run(repetition: int, known: int, eps: float = eps) -> dict[str, float]:
        rng = keys.rng(key, "giannella", "known", known, repetition)
        inputs = _independent(data, known, rng)
        links, seconds = _timed_link(inputs, released)
        found = attack(inputs, released, links=links)
        if found.linked_rows.all():
            raise TrustscopeError(f"All {len(data)} records are known: nobody is left to be breached. Take fewer.")
        printed = np.asarray(printed_breach_probability(eps, found.norms, found.residuals, found.freedom))
        return {
            "linked": len(links.linked),
            "breach": found.most_exposed(eps)[1],
            "projection": found.most_exposed(eps, attacker="projection")[1],
            "printed": np.max(printed[~found.linked_rows], initial=0.0),
            "mean_breach": found.breach(eps)[~found.linked_rows].mean(),
            "seconds": seconds,
        }

    count = (PAPER_REPETITIONS if paper_size else QUICK_REPETITIONS) if repetitions is None else repetitions
    table = repeated(settings, one_run, repetitions=count, progress=progress, cancelled=cancelled)
    return table.assign(rows=len(data))


def _timed_link(known: Floats, released: Floats) -> tuple[Links, float]:
    start = time.perf_counter()
    links = link(known, released)
    return links, time.perf_counter() - start


def _independent(data: Floats, count: int, rng: np.random.Generator) -> Floats:
    """So many linearly independent records, drawn at random."""
    if count > min(data.shape):
        raise TrustscopeError(
            f"There are no {count} linearly independent records among {data.shape[0]} x {data.shape[1]}."
        )
    for _ in range(1000):
        chosen = data[rng.choice(len(data), count, replace=False)]
        if np.linalg.matrix_rank(chosen) == count:
            return chosen
    raise TrustscopeError(f"No {count} linearly independent records were found in a thousand draws.")


def _distinct(data: ArrayLike) -> Floats:
    return np.unique(as_table(data), axis=0)
