"""Questionnaires as binary tuples: one bit an answer (Zhang et al. 2005, Eq. 3)."""

import itertools
from dataclasses import dataclass
from functools import cached_property
from numbers import Real

import numpy as np
import pandas as pd

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Bits, Floats, Integers, Several
from trustscope.errors import TrustscopeError

__all__ = ["Encoding"]

MOST_ANSWERS = 1_000


@dataclass(frozen=True, eq=False)
class Encoding:
    """The questions, their answers, and the bits that stand for them.

    Question j with s_j answers has s_j bits, of which an honest tuple sets exactly one.

    Attributes
    ----------
    questions : tuple of str
    answers : tuple of tuple of str
        Of every question, in the order of their bits.
    edges : tuple of (numpy.ndarray or None)
        Inner edges of the intervals that a numeric question was cut into, each of which belongs to the interval below
        it; None for a question whose answers are single values.
    """

    questions: tuple[str, ...]
    answers: tuple[tuple[str, ...], ...]
    edges: tuple[np.ndarray | None, ...]

    @classmethod
    def fit(cls, frame: pd.DataFrame, columns: Several | None = None, *, bins: int = 4) -> "Encoding":
        """Learn questions and answers from a table.

        Parameters
        ----------
        frame : pandas.DataFrame
            Numeric columns are cut at their quantiles; all others, and numeric ones with few different values, are
            categorical.
        columns : sequence of str, optional
            All by default.
        bins : int
            Intervals of a numeric question; four, between the quartiles, in the paper. Fewer where quantiles
            coincide. A numeric column with no more different values than that keeps them as its answers.

        Returns
        -------
        Encoding
        """
        frame = _named(frame)
        columns = [str(c) for c in (frame.columns if columns is None else columns)]
        if not columns or not len(frame):
            raise TrustscopeError("A questionnaire needs at least one question and one row to learn its answers from.")
        if not isinstance(bins, int | np.integer) or bins < 2:
            raise TrustscopeError(f"A numeric question needs at least two intervals, a whole number, not {bins}.")
        absent = [c for c in columns if c not in frame]
        if absent:
            raise TrustscopeError(f"There is no column {', '.join(absent)}.")
        twice = [c for c in columns if columns.count(c) > 1]
        if twice:
            raise TrustscopeError(f"Two questions are called “{twice[0]}”; each needs a name of its own.")
        parts = [_learn(frame[column], column, bins) for column in columns]
        return cls(tuple(columns), *(tuple(part) for part in zip(*parts, strict=True)))

    @cached_property
    def sizes(self) -> Integers:
        """s_j, the number of answers of every question, shape (n,)."""
        return np.array([len(one) for one in self.answers])

    @cached_property
    def starts(self) -> Integers:
        """The first bit of every question, shape (n,)."""
        return np.concatenate([[0], np.cumsum(self.sizes)[:-1]])

    @property
    def dimension(self) -> int:
        """Number of bits, the sum of s_j."""
        return int(self.sizes.sum())

    @cached_property
    def question_of(self) -> Integers:
        """Number of the question that every bit belongs to, shape (dimension,)."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    def bits_of(self, question: int | str) -> slice:
        """The bits of a question, given by number or name, as a slice."""
        j = self._number(question)
        return slice(int(self.starts[j]), int(self.starts[j] + self.sizes[j]))

    def codes(self, frame: pd.DataFrame, *, fill: int | None = None) -> Integers:
        """Number of every answer, from 0.

        Parameters
        ----------
        frame : pandas.DataFrame
            Holds a column for every question.
        fill : int, optional
            Key by which missing answers are drawn, each answer equally likely, as the paper does; without it
            they are refused.

        Returns
        -------
        numpy.ndarray of int, shape (rows, n)
        """
        frame = _named(frame)
        absent = [question for question in self.questions if question not in frame]
        if absent:
            raise TrustscopeError(f"There is no answer to {', '.join(absent)}.")
        found = np.empty((len(frame), len(self.questions)), dtype=np.int64)
        for j, question in enumerate(self.questions):
            found[:, j] = self._column(j, frame[question])
        missing = found < 0
        if missing.any():
            if fill is None:
                row, j = np.argwhere(missing)[0]
                raise TrustscopeError(
                    f"Row {row + 1} has no answer to “{self.questions[j]}” ({missing.sum():,} answers are missing in "
                    "all). Leave such rows out, or give a key by which missing answers are drawn."
                )
            rng = keys.rng(fill, "missing answers")
            drawn = (rng.random(found.shape) * self.sizes).astype(np.int64)
            found[missing] = drawn[missing]
        return found

    def from_codes(self, codes: ArrayLike) -> Bits:
        """Tuples of answers given by number.

        Parameters
        ----------
        codes : array-like of int, shape (rows, n)

        Returns
        -------
        numpy.ndarray of uint8, shape (rows, dimension)
        """
        codes = np.atleast_2d(np.asarray(codes))
        if codes.dtype.kind not in "iu":
            raise TrustscopeError("Answers are given by their numbers, whole numbers from 0.")
        if codes.ndim != 2 or codes.shape[1] != len(self.questions):
            raise TrustscopeError(
                f"There are {len(self.questions)} questions, but the answers have shape {codes.shape}."
            )
        wrong = (codes < 0) | (codes >= self.sizes)
        if wrong.any():
            row, j = np.argwhere(wrong)[0]
            raise TrustscopeError(
                f"“{self.questions[j]}” has answers 0 to {self.sizes[j] - 1}, but row {row + 1} says {codes[row, j]}."
            )
        tuples = np.zeros((len(codes), self.dimension), dtype=np.uint8)
        tuples[np.arange(len(codes))[:, None], codes + self.starts] = 1
        return tuples

    def encode(self, frame: pd.DataFrame, *, fill: int | None = None) -> Bits:
        """Tuples of a table; the parameters are those of `codes`.

        Returns
        -------
        numpy.ndarray of uint8, shape (rows, dimension)
        """
        return self.from_codes(self.codes(frame, fill=fill))

    def to_codes(self, tuples: ArrayLike) -> Integers:
        """Answers of tuples by number; -1 where a perturbed tuple sets no bit of a question, or several.

        Returns
        -------
        numpy.ndarray of int, shape (rows, n)
        """
        tuples = np.atleast_2d(np.asarray(tuples))
        if tuples.shape[1] != self.dimension:
            raise TrustscopeError(f"A tuple has {self.dimension} bits here, not {tuples.shape[1]}.")
        ones = np.add.reduceat(tuples.astype(np.int64), self.starts, axis=1)
        place = np.add.reduceat(tuples * self._within, self.starts, axis=1)
        return np.where(ones == 1, place, -1)

    def decode(self, tuples: ArrayLike) -> pd.DataFrame:
        """The answers in words, missing where a question has no bit set, or several.

        Returns
        -------
        pandas.DataFrame
        """
        codes = self.to_codes(tuples)
        columns = {
            question: pd.Categorical.from_codes(codes[:, j].tolist(), categories=pd.Index(self.answers[j]))
            for j, question in enumerate(self.questions)
        }
        return pd.DataFrame(columns)

    @cached_property
    def _within(self) -> Integers:
        """Number of every bit within its question."""
        return np.arange(self.dimension) - self.starts[self.question_of]

    def _column(self, j: int, column: pd.Series) -> Integers:
        """Numbers of one question's answers, -1 where missing."""
        edges = self.edges[j]
        if edges is not None:
            values = pd.to_numeric(column, errors="coerce").to_numpy(dtype=float, na_value=np.nan)
            wrong = ~np.isfinite(values) & column.notna().to_numpy()
            if wrong.any():
                row = int(np.flatnonzero(wrong)[0])
                raise TrustscopeError(
                    f"Row {row + 1} answers “{column.iloc[row]}” to “{self.questions[j]}”, which asks for a number."
                )
            return np.where(np.isnan(values), -1, np.searchsorted(edges, values, side="left"))
        if isinstance(column.dtype, pd.CategoricalDtype):
            # A text for each category, not for each row.
            places = pd.Index(self.answers[j]).get_indexer(pd.Index([_text(one) for one in column.cat.categories]))
            found = np.append(places, -1)[column.cat.codes.to_numpy()]
        else:
            texts = column.astype(object).map(_text, na_action="ignore")
            found = pd.Index(self.answers[j]).get_indexer(pd.Index(texts))
        unseen = (found < 0) & column.notna().to_numpy()
        if unseen.any():
            row = int(np.flatnonzero(unseen)[0])
            raise TrustscopeError(
                f"Row {row + 1} answers “{column.iloc[row]}” to “{self.questions[j]}”, which is none of its "
                f"{len(self.answers[j])} answers."
            )
        return found

    def _number(self, question: int | str) -> int:
        if isinstance(question, str):
            if question not in self.questions:
                raise TrustscopeError(f"There is no question “{question}”.")
            return self.questions.index(question)
        if not isinstance(question, int | np.integer):
            raise TrustscopeError(f"A question is given by its name or a whole number, not by {question!r}.")
        if not -len(self.questions) <= question < len(self.questions):
            raise TrustscopeError(f"There are {len(self.questions)} questions, no number {question}.")
        return int(question) % len(self.questions)


def _learn(column: pd.Series, name: str, bins: int) -> tuple[tuple[str, ...], Floats | None]:
    """Answers and edges of one question."""
    present = column.dropna()
    if not len(present):
        raise TrustscopeError(f"Nobody answered “{name}”.")
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        if np.iscomplexobj(present.to_numpy()):
            raise TrustscopeError(f"“{name}” has complex numbers, which cannot be put in order.")
        values = present.to_numpy(dtype=float)
        if not np.isfinite(values).all():
            raise TrustscopeError(f"“{name}” has infinite values.")
        distinct = np.unique(values)
        if len(distinct) <= bins:
            return tuple(_text(one) for one in distinct), None
        # Edges are values that occur and belong to the interval below: so none is empty, and a common least value has
        # one to itself.
        edges = np.unique(np.quantile(values, np.arange(1, bins) / bins, method="inverted_cdf"))
        edges = edges[edges < distinct[-1]]
        return _intervals(edges), edges
    listed = present.cat.categories if isinstance(present.dtype, pd.CategoricalDtype) else sorted(set(present), key=str)
    answers = tuple(_text(one) for one in listed)
    if len(set(answers)) < len(answers):
        raise TrustscopeError(f"Two answers to “{name}” read the same.")
    if len(answers) > MOST_ANSWERS:
        raise TrustscopeError(f"“{name}” has {len(answers):,} answers; a question may have {MOST_ANSWERS:,} at most.")
    return answers, None


def _intervals(edges: Floats) -> tuple[str, ...]:
    """Names of the intervals between edges, with as many digits as tell them apart."""
    for digits in range(3, 18):
        shown = [_number(edge, digits) for edge in edges]
        if len(set(shown)) == len(shown):
            break
    middle = [f"{low} to {high}" for low, high in itertools.pairwise(shown)]
    return (f"up to {shown[0]}", *middle, f"above {shown[-1]}")


def _number(value: float, digits: int) -> str:
    """A number with so many digits at least, and gaps between thousands."""
    if value and abs(value) < 1e-4:
        return f"{value:.{digits}g}"
    decimals = max(0, digits - 1 - int(np.floor(np.log10(abs(value))))) if value else 0
    text = f"{value:,.{decimals}f}".replace(",", " ")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _named(frame: pd.DataFrame) -> pd.DataFrame:
    """A table whose columns are called by texts."""
    frame = pd.DataFrame(frame)
    return frame.set_axis([str(column) for column in frame.columns], axis=1)


def _text(value: object) -> str:
    """An answer as text; a whole number reads the same however it is stored."""
    if isinstance(value, Real) and not isinstance(value, bool | np.bool_) and float(value).is_integer():
        return str(int(value))  # type: ignore[call-overload]  # `Real` does not name __int__
    return str(value)
