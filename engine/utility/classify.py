"""Classification accuracy on the original and on its copies (Li et al. 2012, Section 6.2 and Figure 4).

The analyst has a copy and nothing else, so a classifier is both trained and tested on the same copy: the
accuracy is what cross-validation on that copy reports, and the original is treated in the same way.
Labels are not perturbed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Floats, Integers, Several
from trustscope.engine.tables import as_table
from trustscope.engine.utility.progress import Cancelled, Cancelling, Progress, Ticker
from trustscope.errors import TrustscopeError

__all__ = ["MAX_ROWS", "MODELS", "Accuracy", "classification_accuracy", "compare"]

MODELS = {"tree": "decision tree", "svm": "SVM, radial basis"}
# The SVM is quadratic in the rows: at 5 000 a fit takes about a second, at 100 000 most of an hour.
MAX_ROWS = 5_000
COLUMNS = ["copy", "model", "accuracy", "spread", "folds", "rows", "note"]


@dataclass(frozen=True)
class Accuracy:
    """Accuracy of one classifier on one table by cross-validation.

    Attributes
    ----------
    mean, spread : float
        Mean and standard deviation of the accuracy over the folds.
    per_fold : ndarray of shape (folds,)
    rows, rows_total : int
        Rows used, and rows given: fewer are used when there are more than ``max_rows``.
    note : str
        What was done differently from what was asked, in words; empty if nothing was.
    """

    mean: float
    spread: float
    per_fold: Floats
    rows: int
    rows_total: int
    note: str

    @property
    def folds(self) -> int:
        """Number of folds used."""
        return len(self.per_fold)


def classification_accuracy(
    x: ArrayLike, y: ArrayLike, *, model: str = "tree", folds: int = 10, key: int, max_rows: int = MAX_ROWS
) -> Accuracy:
    """Accuracy of a classifier by stratified cross-validation, trained and tested on the same table.

    Parameters
    ----------
    x : array of shape (rows, columns)
        The original or a copy.
    y : array of shape (rows,)
        Class labels of any kind.
    model : {"tree", "svm"}
        A decision tree, or a support vector machine with a radial basis kernel on inputs that are
        standardised with the moments of the training folds.
    folds : int
        At most this many; fewer when the rarest class has fewer members.
    key : int
        Decides the subsample, the folds and the tree's ties. Tables of equal length get equal folds.
    max_rows : int
        Above it a keyed, stratified subsample is used.

    Returns
    -------
    Accuracy
    """
    _check_models([model])
    plan = _Plan(y, folds=folds, key=key, max_rows=max_rows)
    return plan.run(_table(x, plan.rows_total, "table"), model, Ticker(plan.folds), "")


def compare(
    original: ArrayLike,
    copies: Mapping[str, ArrayLike],
    labels: ArrayLike,
    *,
    models: Several = ("tree", "svm"),
    folds: int = 10,
    key: int,
    max_rows: int = MAX_ROWS,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """Accuracy on the original and on every copy, with the same rows and the same folds for all.

    Parameters
    ----------
    original : array of shape (rows, columns)
    copies : dict of str to array of shape (rows, columns)
        Copies by name, in the order in which they are reported.
    labels : array of shape (rows,)
    models : sequence of {"tree", "svm"}
    folds, key, max_rows
        As in `classification_accuracy`.
    progress : callable, optional
        Called as ``progress(done, total, label)`` after every fit.
    cancelled : callable, optional
        Asked between fits; when it answers true, `Cancelled` is raised with the finished rows of the table
        in its ``result``.

    Returns
    -------
    DataFrame
        One row for a copy and model: copy ("original" first), model, accuracy (mean over folds), spread
        (standard deviation over folds), folds, rows, note.
    """
    models = [models] if isinstance(models, str) else list(models)
    _check_models(models)
    if "original" in copies:
        raise TrustscopeError("A copy cannot be named “original”: that name stands for the data itself.")
    plan = _Plan(labels, folds=folds, key=key, max_rows=max_rows)
    tables = {"original": _table(original, plan.rows_total, "original")}
    for name, copy in copies.items():
        tables[name] = _table(copy, plan.rows_total, f"copy “{name}”")
    ticker = Ticker(len(tables) * len(models) * plan.folds, progress, cancelled)
    records = []
    try:
        for name, table in tables.items():
            for model in models:
                result = plan.run(table, model, ticker, name)
                records.append((name, model, result.mean, result.spread, plan.folds, plan.rows, plan.note))
    except Cancelled as stop:
        stop.result = pd.DataFrame(records, columns=COLUMNS)
        raise
    return pd.DataFrame(records, columns=COLUMNS)


class _Plan:
    """Which rows are used and how they are folded: a function of labels, key and sizes only."""

    def __init__(self, labels: ArrayLike, *, folds: int, key: int, max_rows: int) -> None:
        codes, classes = _encode(labels)
        if folds < 2:
            raise TrustscopeError("Cross-validation needs at least two folds.")
        self.rows_total = len(codes)
        rng = keys.rng(key, "utility")
        counts = np.bincount(codes)
        if counts.min() < 2:
            rare = classes[counts.argmin()]
            raise TrustscopeError(
                f"The class “{rare}” has a single row; cross-validation needs at least two of each class."
            )
        self.folds = int(min(folds, counts.min()))
        self.picked = _subsample(codes, counts, self.folds, int(max_rows), rng)
        self.labels = codes[self.picked]
        self.rows = len(self.picked)
        self.seed = int(rng.integers(2**31))
        notes = []
        if self.rows < self.rows_total:
            notes.append(f"{self.rows:,} of {self.rows_total:,} rows, drawn at random by class")
        if self.folds < folds:
            rare = classes[counts.argmin()]
            notes.append(f"{self.folds} folds instead of {folds}: class “{rare}” has {counts.min()} rows only")
        self.note = "; ".join(notes)

    @cached_property
    def split(self) -> list[tuple[Integers, Integers]]:
        """Rows to train on and rows to test on, fold by fold."""
        from sklearn.model_selection import StratifiedKFold  # see `engine.utility`

        splitter = StratifiedKFold(self.folds, shuffle=True, random_state=self.seed)
        return list(splitter.split(self.labels, self.labels))

    def run(self, table: Floats, model: str, ticker: Ticker, name: str) -> Accuracy:
        """Fit and score every fold; `ticker` may stop it between two fits."""
        from sklearn import config_context  # see `engine.utility`

        table, guess = table[self.picked], _GUESSES[model]
        each = []
        # The table was checked when it came in, and the classifiers are made here: most of the time of a small fit
        # would go into checking both again.
        with config_context(assume_finite=True, skip_parameter_validation=True):
            for train, test in self.split:
                ticker.check()
                found = guess(table[train], self.labels[train], table[test], self.seed)
                each.append(np.mean(found == self.labels[test]))
                ticker.step(f"{name}, {MODELS[model]}" if name else MODELS[model])
        scores = np.array(each)
        return Accuracy(float(scores.mean()), float(scores.std(ddof=1)), scores, self.rows, self.rows_total, self.note)


def _by_tree(known: Floats, labels: Integers, asked: Floats, seed: int) -> Integers:
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(random_state=seed)
    # Trees compute in single precision: that is what their own check would turn the table into.
    tree.fit(known.astype(np.float32), labels, check_input=False)
    return np.asarray(tree.predict(asked.astype(np.float32), check_input=False))


def _by_machine(known: Floats, labels: Integers, asked: Floats, seed: int) -> Integers:
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    # Test rows must not lend their moments to the training.
    scale = StandardScaler().fit(known)
    return np.asarray(SVC(kernel="rbf").fit(scale.transform(known), labels).predict(scale.transform(asked)))


_GUESSES = {"tree": _by_tree, "svm": _by_machine}


def _check_models(models: Sequence[str]) -> None:
    unknown = [model for model in models if model not in MODELS]
    if unknown or not models:
        raise TrustscopeError(f"The models are “tree” and “svm”, not {unknown or 'an empty list'}.")


def _encode(labels: ArrayLike) -> tuple[Integers, NDArray[Any]]:
    """Class codes 0, 1, ... and the class names; missing labels and a single class are refused."""
    codes, classes = pd.factorize(np.asarray(labels).ravel(), sort=False)
    if len(codes) == 0:
        raise TrustscopeError("There are no rows to classify.")
    if (codes < 0).any():
        missing = int((codes < 0).sum())
        raise TrustscopeError(f"{missing:,} of {len(codes):,} labels are missing; drop those rows first.")
    if len(classes) < 2:
        raise TrustscopeError(f"All labels are “{classes[0]}”; a classifier needs at least two classes.")
    return codes, classes


def _subsample(codes: Integers, counts: Integers, folds: int, max_rows: int, rng: np.random.Generator) -> Integers:
    """Sorted row numbers, at most `max_rows`, in the proportions of the classes, `folds` of each at least."""
    if len(codes) <= max_rows:
        return np.arange(len(codes))
    floor = np.minimum(counts, folds)
    if floor.sum() > max_rows:
        raise TrustscopeError(
            f"{len(counts):,} classes are too many for {max_rows:,} rows; choose a label with fewer values."
        )
    share = floor + np.floor((max_rows - floor.sum()) * (counts - floor) / (counts - floor).sum())
    picked = [rng.choice(np.flatnonzero(codes == c), size=int(share[c]), replace=False) for c in range(len(counts))]
    return np.sort(np.concatenate(picked))


def _table(x: ArrayLike, rows: int, name: str) -> Floats:
    table = as_table(x, name, flat=True)
    if len(table) != rows:
        raise TrustscopeError(
            f"The {name} has {len(table):,} rows, but there are {rows:,} labels: give one for each row."
        )
    return table
