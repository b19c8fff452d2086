"""From a column of a dataset to codes: its categories as they are, or its numbers in bins."""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from trustscope.datasets import Dataset
from trustscope.scenarios.words import plain

BINS = (2, 50)  # fewest and most bins of a numeric column


@dataclass(frozen=True, eq=False)
class Column:
    """A sensitive column, ready to be perturbed.

    Attributes
    ----------
    name : str
    labels : tuple of str
        One for each code; they may come from somebody's file: plain text.
    codes : numpy.ndarray of int, shape (rows,)
    """

    name: str
    labels: tuple[str, ...]
    codes: np.ndarray

    @property
    def size(self) -> int:
        """Size of the domain."""
        return len(self.labels)

    @property
    def problem(self) -> str | None:
        """Why this column cannot be perturbed, in a sentence, or None if it can."""
        if len(self.codes) < 2:
            return "These data have fewer than two rows. Choose another dataset, or drop a file."
        if self.size < 2 or self.codes.min() == self.codes.max():
            return f"Everybody has the same value of {self.name}, so there is nothing to hide. Choose another column."
        return None


def without_gaps(dataset: Dataset, name: str) -> Dataset:
    """The rows that have a value in this column; a DataProblem where fewer than two have one."""
    dataset.complete((name,))
    there = dataset.frame[name].notna().to_numpy()
    return dataset if there.all() else replace(dataset, frame=dataset.frame[there].reset_index(drop=True))


def column_of(dataset: Dataset, name: str, bins: int) -> Column:
    """A column by name, in `bins` bins if it is numeric."""
    values = dataset.frame[name]
    if name in dataset.categorical:
        return Column(name, tuple(map(str, values.cat.categories)), values.cat.codes.to_numpy().astype(np.int64))
    labels, codes = binned(values.to_numpy(dtype=float), bins)
    return Column(name, labels, codes)


def binned(values: np.ndarray, bins: int) -> tuple[tuple[str, ...], np.ndarray]:
    """Labels and codes of numbers in bins of equal width; the outermost bins are open, so that no tail is empty.

    Numbers with no more different values than bins stay as they are.
    """
    places, cut = cuts(values, bins)
    texts = _apart(places)
    if not cut:
        return tuple(texts), np.searchsorted(places, values)
    inner = [f"{a} to {b}" for a, b in pairwise(texts)]
    return (f"below {texts[0]}", *inner, f"{texts[-1]} or more"), np.digitize(values, places)


def cuts(values: np.ndarray, bins: int) -> tuple[np.ndarray, bool]:
    """The bounds between the bins, and True; or all values, and False, where there are no more of them than bins."""
    different = np.unique(values)
    if len(different) <= bins:
        return different, False
    low, high = np.quantile(values, [0.01, 0.99])
    if not high > low:
        low, high = different[0], different[-1]
    edges = np.linspace(low, high, bins + 1)[1:-1]
    if np.array_equal(different, np.round(different)) and high - low >= 2 * bins:
        edges = np.unique(np.round(edges))  # whole numbers get whole bounds
    return edges, True


def _apart(numbers: np.ndarray) -> list[str]:
    """Numbers as texts with as many digits as it takes to tell them apart."""
    texts = [plain(number) for number in numbers]
    places = 0
    while len(set(texts)) < len(texts) and places < 17:
        texts = [f"{number:.{places}f}".replace("-", "−") for number in numbers]
        places += 1
    return texts
