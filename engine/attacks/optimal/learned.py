"""What a learned model believes of a column of categories, given columns that are known exactly.

Where columns are known without noise, single ones of them may decide: trees find which. The posterior by references
(`mixed`) treats all columns alike, and is the better one where little is known or much is noise. The attacker has both.
"""

from typing import Any

import numpy as np

from trustscope.engine.arrays import Floats, Integers
from trustscope.engine.threads import one_thread

TRAINED = 20_000  # people of the sample from whom is learned
FEWEST = 40  # people below whom nothing is learned
VALUES = 30  # different values of the target above which boosting takes too long: it needs trees of each
MOST_VALUES = 200  # above which nothing is learned
TREES = 30  # of a forest, each of which tells of all values
LEAF = 3  # people in a leaf of these, at least
HELD = 2_500_000  # beliefs that a forest holds
ROUNDS = 600  # trees in all, shared by the values
CATEGORIES = 60  # values of a known column above which it is taken for a number
SEED = 28
SHARES = (0.0, 0.5, 1.0)  # what learned beliefs may count
PROPER = 0.1  # what the mean logarithm of the belief in the truth counts beside the share of right guesses
LEAST = 1e-6


class Learned:
    """Gradient boosting of a column of categories; of one with very many values a forest.

    Parameters
    ----------
    numbers : numpy.ndarray, shape (N, m)
        Known numbers of the sample.
    codes : numpy.ndarray of int, shape (N, c)
        Known categories of the sample.
    target : numpy.ndarray of int, shape (N,)
    size : int
        Of the domain of the target.
    """

    def __init__(self, numbers: Floats, codes: Integers, target: Integers, size: int) -> None:
        from sklearn.ensemble import HistGradientBoostingClassifier  # takes a second to import

        self.size = size
        self._model: Any
        features, target = np.column_stack([numbers, codes])[:TRAINED], target[:TRAINED]
        wide = [bool(codes[:, c].max(initial=0) >= CATEGORIES) for c in range(codes.shape[1])]
        # A value that one person alone has teaches nothing, and cannot be both learned from and left out.
        values, counts = np.unique(target, return_counts=True)
        values = values[counts > 1]
        several = np.isin(target, values)
        features, target = features[several], target[several]
        many = 1 if len(values) == 2 else len(values)
        self._only = values.astype(int) if len(values) < 2 else None  # one value or none: there is nothing to learn
        if len(values) > VALUES:
            self._model = _forest(len(values)).fit(features, target)
            return
        # Boosting stops where people who are left out would be guessed worse.
        self._model = HistGradientBoostingClassifier(
            max_iter=max(20, ROUNDS // (many + 3)), learning_rate=0.1, max_leaf_nodes=15, min_samples_leaf=10,
            l2_regularization=1.0, early_stopping=len(features) >= 10 * FEWEST, validation_fraction=0.15,
            n_iter_no_change=8, random_state=SEED,
            categorical_features=[False] * numbers.shape[1] + [not one for one in wide],
        )  # fmt: skip
        if self._only is None:
            # Threads that wait for each other on a busy machine take many times as long as one.
            with one_thread("openmp"):
                self._model.fit(features, target)

    def beliefs(self, numbers: Floats, codes: Integers) -> Floats:
        """Of every value for these people, shape (rows, size); never quite 0."""
        out = np.full((len(numbers), self.size), 1e-4 / self.size)
        if self._only is not None:
            out[:, self._only] += 1
        else:
            with one_thread("openmp"):
                believed = self._model.predict_proba(np.column_stack([numbers, codes]))
            out[:, self._model.classes_.astype(int)] += believed
        return np.asarray(out / out.sum(axis=1, keepdims=True))


def can_learn(sample: int, size: int) -> bool:
    """Whether there are people enough to learn from, and not too many values."""
    return sample >= FEWEST and size <= MOST_VALUES


def _forest(values: int) -> Any:
    """Trees that tell of all values at once, with so few leaves that their beliefs can be held."""
    from sklearn.ensemble import ExtraTreesClassifier  # as above

    # Every tree has nearly twice as many nodes as leaves, and holds a belief in every value at each.
    leaves = max(2 * values, HELD // (2 * TREES * values))
    return ExtraTreesClassifier(
        TREES, min_samples_leaf=LEAF, max_features=None, max_leaf_nodes=leaves, random_state=SEED
    )


def blending(references: Floats, learned: Floats, truth: Integers) -> float:
    """How much learned beliefs count beside those by references: what does best on people who were left out."""
    every = np.arange(len(truth))

    def score(share: float) -> float:
        found = blended(references, learned, share)
        proper = np.log(np.maximum(found[every, truth], LEAST)).mean()
        return float((found.argmax(axis=1) == truth).mean() + PROPER * proper)

    return max(SHARES, key=score)


def blended(references: Floats, learned: Floats, share: float) -> Floats:
    """Beliefs mixed in logarithms, shape (rows, values)."""
    found = np.maximum(references, 1e-9) ** (1 - share) * learned**share
    return np.asarray(found / found.sum(axis=1, keepdims=True))
