"""Naive Bayes on guided answers, and how the level falls: Figures 4 and 5 (Zhang et al. 2005), on the votes of 1984.

The tables take answers and classes (`questionnaire` makes them of a table). Missing answers are drawn anew in every
repetition, each answer equally likely.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Bits, Integers, Several
from trustscope.engine.measures import degree_of_disclosure, disclosure_bound
from trustscope.engine.survey import Encoding, Kind, Mix, Survey, guidance_of, probabilities
from trustscope.engine.utility import NaiveBayes, Ticker, keeping
from trustscope.engine.utility.progress import Cancelling, Progress
from trustscope.errors import TrustscopeError

__all__ = ["figure_4", "figure_5"]

UPDATE_EVERY, CLEAR, CLEAR_LEVEL, DRAWS = 10, 40, 20, 300
QUICK_REPETITIONS, PAPER_REPETITIONS = 10, 50

# Order, level, accuracy, disclosure, bound.
_Record = tuple[str, int, float, float, float]


def figure_4(
    answers: pd.DataFrame,
    classes: ArrayLike,
    *,
    levels: Several | None = None,
    orders: Several = ("magnitude", "signed"),
    clear: int = CLEAR,
    repetitions: int | None = None,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """Accuracy of naive Bayes by the level that everybody discloses (Figure 4).

    Trained on what was sent after the first `clear` tuples, which only start the guidance; tested on all true tuples.

    Parameters
    ----------
    answers : pandas.DataFrame
    classes : array-like of 0 and 1, shape (rows,)
    levels : sequence of int, optional
        k: 1, 2, 3, 5 and 9, or 1 to 9 at paper size.
    orders : sequence of {"magnitude", "signed"}
        Orders of the eigenvalues.
    clear : int
        Tuples that come in the clear first.
    repetitions : int, optional
        10, or 50 at paper size.
    key : int
    progress, cancelled : callable, optional
        See `engine.experiments.zhang`; a step is one repetition.

    Returns
    -------
    DataFrame
        order ("original" first, at level 0), level, accuracy, standard_error, disclosure, disclosure_error (its
        standard error), bound (that of Theorem 5.2), rows, repetitions.
    """
    classes = _checked(answers, classes, clear)
    levels = list(levels or (range(1, 10) if paper_size else (1, 2, 3, 5, 9)))
    repetitions = repetitions or (PAPER_REPETITIONS if paper_size else QUICK_REPETITIONS)
    encoding = Encoding.fit(answers)
    ticker = Ticker(repetitions, progress, cancelled)
    found: list[_Record] = []
    with keeping(lambda: _summary(found, len(answers))):
        for repetition in range(repetitions):
            ticker.check()
            own = keys.derive(key, "zhang", "figure 4", repetition)
            tuples = encoding.encode(answers, fill=own)
            found.append(_original(encoding, tuples, classes))
            for order in orders:
                found += _levels(encoding, tuples, classes, levels, order, clear, own)
            ticker.step(f"repetition {repetition + 1}")
    return _summary(found, len(answers))


def _checked(answers: pd.DataFrame, classes: ArrayLike, clear: int) -> Integers:
    """Classes that fit the answers, with people left to ask after those who answer in the clear."""
    classes = np.asarray(classes)
    if classes.shape != (len(answers),):
        raise TrustscopeError(f"There are answers of {len(answers):,} people but classes of shape {classes.shape}.")
    if classes.dtype.kind not in "biu" or not np.isin(classes, (0, 1)).all():
        raise TrustscopeError("Classes are 0 or 1 (`questionnaire` makes them of a column).")
    if not 1 <= clear < len(answers):
        raise TrustscopeError(f"Between 1 and {len(answers) - 1:,} people can answer in the clear first, not {clear}.")
    return classes.astype(int)


def _original(encoding: Encoding, tuples: Bits, classes: Integers) -> _Record:
    counts = np.array([tuples[classes == c].sum(axis=0) for c in (0, 1)])
    bayes = NaiveBayes.from_counts(counts, np.bincount(classes, minlength=2), encoding.starts)
    return "original", 0, bayes.accuracy(tuples, classes), 1.0, 1.0


def _levels(
    encoding: Encoding, tuples: Bits, classes: Integers, levels: Sequence[int], order: str, clear: int, key: int
) -> list[_Record]:
    """Every level of one repetition: order, level, accuracy, disclosure, bound."""
    signs = np.where(classes == 0, 1.0, -1.0)[:, None]
    basis = guidance_of((signs * tuples).T @ tuples.astype(float), 0.0, order=order).basis
    # In signed order the eigenvalues above 0 may be fewer than the level.
    records = []
    for level in levels:
        chances = probabilities(tuples, basis[:, :level])
        disclosed = degree_of_disclosure(tuples, chances, draws=DRAWS, key=key).share
        survey = Survey(
            encoding,
            tuples,
            classes,
            mix=Mix((Kind("everybody", 1.0, level),)),
            mu=0.0,
            update_every=UPDATE_EVERY,
            order=order,
            clear=clear,
            extra_check=False,
            key=keys.derive(key, "zhang", order, level),
        )
        batch = survey.ask(len(tuples))
        asked, of_asked = batch.sent[clear:], classes[batch.rows[clear:]]
        counts = np.array([asked[of_asked == c].sum(axis=0) for c in (0, 1)])
        bayes = NaiveBayes.from_counts(counts, np.bincount(of_asked, minlength=2), encoding.starts)
        bound = disclosure_bound(tuples, level)
        records.append((order, level, bayes.accuracy(tuples, classes), disclosed, bound))
    return records


def _summary(found: list[_Record], rows: int) -> pd.DataFrame:
    columns = ["order", "level", "accuracy", "disclosure", "bound"]
    table = pd.DataFrame(found, columns=columns)
    groups = table.groupby(["order", "level"], sort=False)
    out = groups[["accuracy", "disclosure", "bound"]].mean()
    spread = groups[["accuracy", "disclosure"]].sem()
    out.insert(1, "standard_error", spread["accuracy"])
    out.insert(3, "disclosure_error", spread["disclosure"])
    return out.reset_index().assign(rows=rows, repetitions=groups.size().to_numpy())


def figure_5(
    answers: pd.DataFrame,
    classes: ArrayLike,
    *,
    mus: Several = (0.15, 0.025),
    order: str = "magnitude",
    clear: int = CLEAR_LEVEL,
    repetitions: int | None = None,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """The level k* by the number of tuples received, for two values of mu (Figure 5).

    Respondents accept whatever level is asked for. The paper wants at least as many tuples in the clear as there
    are questions (16) before guidance begins, and does not say how many it took; here 20. The path depends on it: on
    the votes at mu = 2.5 % the level is 9.7 after 50 tuples and 7.3 after all with 20, and no number from 16 to 40
    gives the pair of 9.6 and 6.9 that was worked out beforehand within its error.

    Parameters
    ----------
    answers, classes, clear, key, progress, cancelled
        As in `figure_4`.
    mus : sequence of float
    order : {"magnitude", "signed"}
    repetitions : int, optional
        10, or 50 at paper size.

    Returns
    -------
    DataFrame
        mu, received, level (mean over the repetitions), standard_error, repetitions.
    """
    classes = _checked(answers, classes, clear)
    repetitions = repetitions or (PAPER_REPETITIONS if paper_size else QUICK_REPETITIONS)
    encoding = Encoding.fit(answers)
    ticker = Ticker(len(mus) * repetitions, progress, cancelled)
    records: list[tuple[float, int, int]] = []
    with keeping(lambda: _paths(records)):
        for mu in mus:
            for repetition in range(repetitions):
                ticker.check()
                own = keys.derive(key, "zhang", "figure 5", repetition)
                survey = Survey(
                    encoding,
                    encoding.encode(answers, fill=own),
                    classes,
                    mix=Mix((Kind("everybody", 1.0, None),)),
                    mu=mu,
                    update_every=UPDATE_EVERY,
                    order=order,
                    clear=clear,
                    extra_check=False,
                    key=own,
                )
                records += [(mu, *change) for change in survey.ask(len(answers)).changes]
                ticker.step(f"mu = {mu:g}, repetition {repetition + 1}")
    return _paths(records)


def _paths(records: list[tuple[float, int, int]]) -> pd.DataFrame:
    table = pd.DataFrame(records, columns=["mu", "received", "level"])
    groups = table.groupby(["mu", "received"], sort=False)["level"]
    out = groups.agg(level="mean", standard_error="sem", repetitions="size").reset_index()
    return out.sort_values(["mu", "received"], ascending=[False, True], ignore_index=True)
