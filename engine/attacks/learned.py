"""Attackers who learn from people they know: nearest neighbours, and trees that are boosted.

They are given what is seen of people whose values they know, and guess those of others from what is seen of them. Both
see whole rows, of as many copies as there are. They assume nothing about data or noise, and are witnesses for the
strongest attacker (`engine.attacks.optimal`), which nobody with the same knowledge should beat.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.spatial import KDTree

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Floats
from trustscope.engine.attacks.optimal.knowledge import Side
from trustscope.engine.attacks.optimal.strongest import Strongest
from trustscope.engine.threads import one_thread
from trustscope.errors import TrustscopeError

NEIGHBOURS = (16, 64, 256)  # of which the attacker takes what does best on people left out
LEFT_OUT = 0.15  # share of the known people on whom that is tried
MOST_LEFT_OUT = 2_000
TREES = 600  # for all columns together
FEWEST_TREES, MOST_TREES = 20, 100
CLASSES = 24  # into which a column of many values is put to be guessed within a distance
MANY = 10_000  # known people above whom some are left out, to see when more trees guess worse
CLASSIFIED = 2_000  # known people below whom there are too few for that
FEWEST = 2_048  # copies to learn from, of people who are known
SEED = 28
BLOCK = 2**23  # values of neighbours held at a time
ROUNDING = 1e-9


class Learned(ABC):
    """An attacker who has learned.

    Parameters
    ----------
    seen : array-like, shape (N, features)
        What is seen of people who are known: all columns of all copies, beside each other.
    values : array-like, shape (N, m)
        The values of these people.
    """

    def __init__(self, seen: ArrayLike, values: ArrayLike) -> None:
        self.features = np.asarray(seen, dtype=float)
        self.values = np.asarray(values, dtype=float)
        if len(self.features) != len(self.values):
            raise TrustscopeError(f"{len(self.features)} people are seen, but {len(self.values)} are known.")
        if len(self.values) < 2:
            raise TrustscopeError("There must be two people at least to learn from.")

    @abstractmethod
    def means(self, seen: ArrayLike) -> Floats:
        """Guesses of least square error of all values, shape (rows, m)."""

    def windows(self, seen: ArrayLike, target: int, within: float) -> Floats:
        """Guesses of one value that are to come within a distance, shape (rows,)."""
        return self.means(seen)[:, target]


class Neighbours(Learned):
    """The average, or the fullest window, of the people whose copies look most alike."""

    def __init__(self, seen: ArrayLike, values: ArrayLike) -> None:
        super().__init__(seen, values)
        # A copy with much noise says little: what is seen counts as far as it tells of the values.
        self._scale = self._told()
        self._tree = KDTree(self.features * self._scale)
        self.number = self._best()

    def _told(self) -> Floats:
        """What each feature counts: its part in the linear guess of the values, by their spread."""
        centred, targets = self.features - self.features.mean(axis=0), self.values - self.values.mean(axis=0)
        spread = targets.std(axis=0)
        weights = np.linalg.pinv(centred) @ (targets / np.where(spread > 0, spread, 1))
        counts = np.sqrt((weights**2).sum(axis=1))
        return np.asarray(np.maximum(counts, 1e-3 * (counts.max() or 1.0)))

    def _best(self) -> int:
        """How many neighbours guess best: tried on known people who are left out."""
        out = min(int(LEFT_OUT * len(self.values)), MOST_LEFT_OUT)
        most = max(len(self.values) - out, 1)
        tried = [number for number in NEIGHBOURS if number <= most // 2]
        if len(tried) < 2 or out < 2:
            return tried[0] if tried else 1
        rest = KDTree(self.features[out:] * self._scale)
        spread = self.values.std(axis=0)
        _, near = rest.query(self.features[:out] * self._scale, k=tried[-1])
        near = self.values[out:][near]

        def error(number: int) -> float:
            off = near[:, :number].mean(axis=1) - self.values[:out]
            return float((off**2).mean(axis=0) @ (1 / np.where(spread > 0, spread, 1) ** 2))

        return min(tried, key=error)

    def _near(self, seen: ArrayLike, held: int) -> Iterator[Floats]:
        """The values of the neighbours, shape (rows, number, m), of so many people at a time that `held` values for
        each can be held."""
        features = np.asarray(seen, dtype=float) * self._scale
        size = max(1, BLOCK // held)
        for start in range(0, len(features), size):
            _, near = self._tree.query(features[start : start + size], k=[*range(1, self.number + 1)])
            yield self.values[near]

    def means(self, seen: ArrayLike) -> Floats:
        """The averages of the neighbours."""
        return np.concatenate([near.mean(axis=1) for near in self._near(seen, self.number * self.values.shape[1])])

    def windows(self, seen: ArrayLike, target: int, within: float) -> Floats:
        """The middle of the window that holds most neighbours."""
        found = []
        for near in self._near(seen, self.number**2):
            values = np.sort(near[:, :, target], axis=1)
            reach = 2 * within + ROUNDING * (np.abs(values).max() + within)
            # From each value upwards: the place of the last one that a window still holds.
            last = (values[:, None, :] <= values[:, :, None] + reach).sum(axis=2) - 1
            rows = np.arange(len(values))
            first = (last - np.arange(self.number)).argmax(axis=1)
            found.append((values[rows, first] + values[rows, last[rows, first]]) / 2)
        return np.concatenate(found)


class Boosting(Learned):
    """Trees for each column, one after the other, each mending what those before it left."""

    def __init__(self, seen: ArrayLike, values: ArrayLike) -> None:
        super().__init__(seen, values)
        columns = self.values.shape[1]
        trees = int(np.clip(TREES // columns, FEWEST_TREES, MOST_TREES))
        # Threads that wait for each other on a busy machine take many times as long as one.
        with one_thread("openmp"):
            self._models = [self._fit(trees, self.values[:, c]) for c in range(columns)]
        self._classes: dict[int, tuple[Floats, Any]] = {}

    def _fit(self, trees: int, values: Floats) -> Any:
        from sklearn.ensemble import HistGradientBoostingRegressor  # takes a second to import

        model = HistGradientBoostingRegressor(
            max_iter=trees, learning_rate=0.1, max_leaf_nodes=15, min_samples_leaf=20,
            early_stopping=len(values) >= 400, validation_fraction=0.15, n_iter_no_change=8, random_state=SEED,
        )  # fmt: skip
        return model.fit(self.features, values)

    def means(self, seen: ArrayLike) -> Floats:
        """What the trees of each column say."""
        with one_thread("openmp"):
            return np.column_stack([model.predict(np.asarray(seen, dtype=float)) for model in self._models])

    def windows(self, seen: ArrayLike, target: int, within: float) -> Floats:
        """The middle of the window that trees for classes believe in most; the mean, where few people are known."""
        if len(self.values) < CLASSIFIED:
            return super().windows(seen, target, within)
        if target not in self._classes:
            self._classes[target] = self._classify(self.values[:, target])
        places, model = self._classes[target]
        with one_thread("openmp"):
            beliefs = model.predict_proba(np.asarray(seen, dtype=float))
        reach = 2 * within + ROUNDING * (np.abs(places).max() + within)
        last = np.searchsorted(places, places + reach, side="right") - 1
        grown = np.column_stack([np.zeros(len(beliefs)), np.cumsum(beliefs, axis=1)])
        first = (grown[:, last + 1] - grown[:, :-1]).argmax(axis=1)
        return np.asarray((places[first] + places[last[first]]) / 2)

    def _classify(self, values: Floats) -> tuple[Floats, Any]:
        """Trees for the classes of one column: its values where they are few, and else parts of equal share."""
        from sklearn.dummy import DummyClassifier
        from sklearn.ensemble import HistGradientBoostingClassifier

        places = np.unique(values)
        if len(places) > CLASSES:
            edges = np.unique(np.quantile(values, np.arange(1, CLASSES) / CLASSES))
            codes = np.searchsorted(edges, values, side="right")
            places = np.array([values[codes == code].mean() for code in np.unique(codes)])
            codes = np.searchsorted(np.unique(codes), codes)
        else:
            codes = np.searchsorted(places, values)
        if len(places) == 1:
            return places, DummyClassifier().fit(self.features, codes)
        model = HistGradientBoostingClassifier(
            max_iter=max(FEWEST_TREES, TREES // len(places)), learning_rate=0.15, max_leaf_nodes=15, random_state=SEED,
            l2_regularization=1.0,  # without it a value that few people have leads the trees of all others astray
            # Who is left out to see when to stop has every class: of a value that one person has nobody can be.
            early_stopping=len(codes) > MANY and np.bincount(codes).min() > 1,
        )  # fmt: skip
        with one_thread("openmp"):
            return places, model.fit(self.features, codes)


def taught(attacker: Strongest, side: Side, level: float, name: str, most: int) -> Learned:
    """An attacker who has learned from the people whom the strongest one knows, under noise of the same law.

    Parameters
    ----------
    attacker, side : Strongest, Side
    level : float
        Of the noise, above 0.
    name : str
        Of `LEARNED`.
    most : int
        People to learn from at most; where fewer are known, each is seen several times.
    """
    known = side.sample[:most]
    known = np.resize(known, (max(len(known), min(most, FEWEST)), known.shape[1]))
    normals = keys.rng(attacker.key, "learned", name).standard_normal(known.shape)
    return LEARNED[name](attacker.seen(known, normals, level), known)


LEARNED: dict[str, type[Learned]] = {"neighbours": Neighbours, "boosting": Boosting}
