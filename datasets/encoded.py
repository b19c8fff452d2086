"""A column of text as its different texts, how often each occurs, and where."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from pyarrow import compute as pc

from trustscope.datasets.layout import MISSING_WORDS
from trustscope.datasets.texts import clean


@dataclass(frozen=True)
class Encoded:
    """The different texts of a column, trimmed, none of them missing.

    Parameters
    ----------
    texts : pyarrow.Array
        Strings, no two alike.
    codes : numpy.ndarray
        For each row its place in `texts`, -1 where missing.
    counts : numpy.ndarray
        How many rows have each text; at least one.
    """

    texts: pa.Array
    codes: np.ndarray
    counts: np.ndarray

    @property
    def present(self) -> int:
        """How many rows have a value."""
        return int(self.counts.sum())

    @property
    def example(self) -> str:
        """The first value, fit to be shown."""
        there = self.codes[self.codes >= 0]
        return clean(self.texts[int(there[0])].as_py(), 40) if there.size else ""

    def spread(self, values: np.ndarray) -> np.ndarray:
        """Give each row the value of its text, NaN where missing."""
        spread: np.ndarray = np.append(values, np.nan)[self.codes]
        return spread


def encode(array: pa.Array, codes: Iterable[str] = ()) -> Encoded | None:
    """Take a column of text apart; None if it holds bytes that are no text.

    Parameters
    ----------
    array : pyarrow.Array
        Strings or bytes, dictionary-encoded or not.
    codes : iterable of str
        Texts that stand for missing values, besides the usual.
    """
    if not pa.types.is_dictionary(array.type):
        array = array.dictionary_encode()
    texts = array.dictionary
    if not pa.types.is_string(texts.type):
        try:
            texts = texts.cast(pa.string())
        except pa.ArrowInvalid:
            return None
    # Trimming can make two texts equal, and a file may list one twice: number them anew.
    trimmed = pc.utf8_trim_whitespace(texts).dictionary_encode()
    gone = pa.array([*MISSING_WORDS, *(str(code).strip() for code in codes)], pa.string())
    missing = pc.is_in(trimmed.dictionary, gone).fill_null(True).to_numpy(zero_copy_only=False)
    place = trimmed.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    place = np.where((place >= 0) & ~np.append(missing, True)[place], place, -1)
    rows = np.append(place, -1)[array.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)]
    counts = np.bincount(rows[rows >= 0], minlength=len(trimmed.dictionary))
    used = np.flatnonzero(counts)
    renumbered = np.full(len(trimmed.dictionary) + 1, -1)
    renumbered[used] = np.arange(used.size)
    return Encoded(trimmed.dictionary.take(pa.array(used)), renumbered[rows], counts[used])
