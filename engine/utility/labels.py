"""A decision tree that learns to predict the sensitive value from a copy's other columns.

The other columns of a copy are the original ones and only the class is perturbed: each leaf's shares are
mixed with the uniform law in the same way, so the likeliest value of a leaf stays the likeliest on average.
What the tree is worth is measured on rows that it has not seen, against the true values.
"""

from dataclasses import dataclass

import numpy as np
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeClassifier

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike
from trustscope.engine.tables import as_table
from trustscope.engine.utility.classify import MAX_ROWS

__all__ = ["TreeAccuracy", "tree_on_copy"]


@dataclass(frozen=True)
class TreeAccuracy:
    """How well a tree that was grown on a copy predicts.

    Attributes
    ----------
    accuracy, spread : float
        Share of unseen rows whose true value it finds: mean and standard deviation over the folds.
    apparent : float
        The same against the copy's values, which is all that the analyst can see.
    baseline : float
        Share of the commonest true value: what predicting it always would give.
    rows : int
        Rows used.
    """

    accuracy: float
    spread: float
    apparent: float
    baseline: float
    rows: int


def tree_on_copy(
    features: ArrayLike,
    truth: ArrayLike,
    copy: ArrayLike,
    *,
    folds: int = 5,
    leaf: float = 0.01,
    key: int,
    max_rows: int = MAX_ROWS,
) -> TreeAccuracy:
    """Accuracy of a decision tree that is grown on a copy of the class.

    Parameters
    ----------
    features : array-like, shape (rows, columns)
        The other columns, as numbers.
    truth, copy : array-like of int, shape (rows,)
        The sensitive values and the copy of them; the copy may be the original.
    folds : int
    leaf : float
        Smallest share of the training rows in a leaf: enough to see through the noise.
    key : int
        Decides the rows used, the folds and the tree's ties; the same for all copies.
    max_rows : int

    Returns
    -------
    TreeAccuracy
    """
    x, truth, copy = as_table(features, "features"), np.asarray(truth), np.asarray(copy)
    if not len(x) == len(truth) == len(copy):
        raise ValueError("Features, true values and copy must have the same number of rows.")
    if not 2 <= folds <= len(x):
        raise ValueError(f"{len(x)} rows cannot make {folds} folds; there must be two at least.")
    rng = keys.rng(key, "tree on copy")
    if len(x) > max_rows:
        picked = np.sort(rng.choice(len(x), max_rows, replace=False))
        x, truth, copy = x[picked], truth[picked], copy[picked]
    seed = int(rng.integers(2**31))
    right, apparent = [], []
    for train, test in KFold(folds, shuffle=True, random_state=seed).split(x):
        tree = DecisionTreeClassifier(min_samples_leaf=leaf, random_state=seed).fit(x[train], copy[train])
        guess = tree.predict(x[test])
        right.append(np.mean(guess == truth[test]))
        apparent.append(np.mean(guess == copy[test]))
    commonest = np.unique(truth, return_counts=True)[1].max() / len(truth)
    return TreeAccuracy(np.mean(right), np.std(right), np.mean(apparent), commonest, len(x))
