"""Classifiers built on perturbed tuples of bits, where a question may have no bit set, or several."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from trustscope.engine.arrays import ArrayLike, Floats, Integers
from trustscope.errors import TrustscopeError

if TYPE_CHECKING:
    from sklearn.tree import DecisionTreeClassifier

__all__ = ["NaiveBayes", "tuple_tree"]


@dataclass(frozen=True, eq=False)
class NaiveBayes:
    """Naive Bayes on bits, its chances normalised for each question.

    scikit-learn's own counts either single answers or bits that are independent; here the bits of one question
    share out one answer, however many of them came through.

    Attributes
    ----------
    log_chances : numpy.ndarray, shape (2, dimension)
        log P(answer | class).
    log_prior : numpy.ndarray, shape (2,)
    """

    log_chances: Floats
    log_prior: Floats

    @classmethod
    def from_counts(
        cls, counts: ArrayLike, sizes: ArrayLike, starts: ArrayLike, *, smoothing: float = 1.0
    ) -> "NaiveBayes":
        """Build from how often bits were set: no tuple is needed.

        Parameters
        ----------
        counts : array-like, shape (2, dimension)
            How often every bit was set in both classes.
        sizes : array-like of int, shape (2,)
            Tuples of both classes.
        starts : array-like of int, shape (n,)
            The first bit of every question.
        smoothing : float
            Added to every count (Laplace).

        Returns
        -------
        NaiveBayes
        """
        counts, sizes = np.asarray(counts, dtype=float), np.asarray(sizes, dtype=float)
        if counts.ndim != 2 or len(counts) != 2 or sizes.shape != (2,):
            raise TrustscopeError(
                f"There are two classes, but the counts have shape {counts.shape}, the sizes {sizes.shape}."
            )
        # Negated, so that what is not a number is refused too.
        if not ((counts >= 0).all() and (sizes >= 0).all()):
            raise TrustscopeError("Counts of bits and of tuples are numbers that are not negative.")
        if (sizes > 0).sum() < 2:
            raise TrustscopeError("Only one class has answered so far; a classifier needs tuples of both.")
        if not smoothing > 0:
            raise TrustscopeError("Smoothing must be above 0: an answer that was never sent would be impossible.")
        starts = np.asarray(starts)
        smoothed = counts + smoothing
        totals = np.add.reduceat(smoothed, starts, axis=1)
        lengths = np.diff(np.append(starts, counts.shape[1]))
        return cls(np.log(smoothed / np.repeat(totals, lengths, axis=1)), np.log(sizes / sizes.sum()))

    def scores(self, tuples: ArrayLike) -> Floats:
        """log P(class, answers) up to a constant, shape (rows, 2)."""
        tuples = np.asarray(tuples, dtype=float)
        if tuples.shape[-1:] != self.log_chances.shape[1:]:
            raise TrustscopeError(
                f"A tuple has {self.log_chances.shape[1]} bits here; these have the shape {tuples.shape}."
            )
        return tuples @ self.log_chances.T + self.log_prior

    def predict(self, tuples: ArrayLike) -> Integers:
        """The likelier class of every tuple, shape (rows,)."""
        return np.asarray(self.scores(tuples).argmax(axis=1))

    def accuracy(self, tuples: ArrayLike, classes: ArrayLike) -> float:
        """Share of tuples whose class is found."""
        return float(np.mean(self.predict(tuples) == np.asarray(classes)))


def tuple_tree(tuples: ArrayLike, classes: ArrayLike, *, leaf: float = 0.002, key: int = 1) -> "DecisionTreeClassifier":
    """A decision tree that splits on bits by information gain, as ID3 does.

    Parameters
    ----------
    tuples : array-like of 0 and 1, shape (rows, dimension)
    classes : array-like, shape (rows,)
    leaf : float
        Smallest share of the tuples in a leaf: smaller ones learn the perturbation.
    key : int
        Decides ties.

    Returns
    -------
    sklearn.tree.DecisionTreeClassifier
        Fitted.
    """
    from sklearn.tree import DecisionTreeClassifier  # see `engine.utility`

    tuples, classes = np.asarray(tuples, dtype=np.float32), np.asarray(classes)
    if tuples.ndim != 2 or classes.shape != tuples.shape[:1] or not np.isfinite(tuples).all():
        raise TrustscopeError(
            f"A tree needs a table of tuples without gaps and a class for each, not shapes {tuples.shape} and "
            f"{classes.shape}."
        )
    if len(np.unique(classes)) < 2:
        raise TrustscopeError("All tuples are of one class; a tree needs two.")
    tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=leaf, random_state=int(key) % 2**32)
    return tree.fit(tuples, classes)
