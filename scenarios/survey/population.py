"""The people of a dataset as respondents: their tuples, their classes, and what clear answers would be worth."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from trustscope.datasets import Dataset
from trustscope.engine import utility
from trustscope.engine.arrays import Bits, Floats, Integers
from trustscope.engine.survey import Encoding
from trustscope.scenarios.memo import Memo

MOST_ROWS = 20_000  # people who may be asked; of more, a sample
MOST_BITS = 200  # guidance is the eigenvectors of a matrix of so many rows
LAW = 1_000  # people whose answers stand for the law of all, where disclosure is measured
TEST = 2_000  # people on whom the classifier is tried
FEWEST = 40  # people, and of each class a quarter of that
CLEAR = 40  # people who answer in the clear first: the paper wants at least as many as there are questions
SILENT = "Neither"  # in the votes: took no position, which the paper fills in at random
VOTES = "votes"
KEPT = 256  # figures remembered, of many runs
RUNS = 1_024  # runs of which a few figures are remembered


@dataclass(frozen=True, eq=False)
class Population:
    """People to ask.

    Attributes
    ----------
    encoding : Encoding
    codes : numpy.ndarray of int, shape (rows, n)
        Everybody's true answers, people in random order.
    classes : numpy.ndarray of int, shape (rows,)
    names : tuple of str
        Of the two classes.
    label : str
        What the classes are values of.
    left_out : tuple of str
        Columns that are no questions here.
    labels, values : tuple of str
        Columns that can be learnt, and values of the one that is, against all others.
    """

    encoding: Encoding
    codes: np.ndarray
    classes: np.ndarray
    names: tuple[str, str]
    label: str
    left_out: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    values: tuple[str, ...] = ()

    @cached_property
    def memo(self) -> Memo:
        """What depends on these people, and not on a run."""
        return Memo(KEPT)

    @cached_property
    def runs(self) -> Memo:
        """Figures of short runs with other settings: of trade-offs and maps."""
        return Memo(RUNS)

    @cached_property
    def tuples(self) -> np.ndarray:
        """Everybody's true tuple."""
        return self.encoding.from_codes(self.codes)

    def index(self, question: str) -> int:
        """The number of a question; an unknown or empty one stands for the first."""
        questions = list(self.encoding.questions)
        return questions.index(question) if question in questions else 0

    @property
    def law(self) -> np.ndarray:
        """Tuples that stand for the law of all."""
        return self.tuples[:LAW]

    @property
    def test(self) -> tuple[np.ndarray, np.ndarray]:
        """Tuples and classes on which classifiers are tried."""
        return self.tuples[:TEST], self.classes[:TEST]

    @property
    def clear(self) -> int:
        """How many answer in the clear first."""
        return max(CLEAR, len(self.encoding.questions))

    @cached_property
    def clear_accuracy(self) -> float:
        """What naive Bayes finds when everybody answers in the clear."""
        return self.accuracy(self.tuples, self.classes)

    @cached_property
    def majority(self) -> float:
        """What always naming the larger class finds."""
        share = float(np.mean(self.test[1]))
        return max(share, 1 - share)

    def accuracy(self, tuples: Bits, classes: Integers) -> float:
        """What naive Bayes finds that was built on these tuples; the larger class where only one was seen."""
        counts = np.array([tuples[classes == c].sum(axis=0) for c in (0, 1)])
        return self.tried(counts, np.bincount(classes, minlength=2))

    def tried(self, counts: Floats, sizes: Integers) -> float:
        """The same from counts of bits."""
        if min(sizes) == 0:
            return float(np.mean(self.test[1] == int(np.argmax(sizes)))) if sum(sizes) else self.majority
        return utility.NaiveBayes.from_counts(counts, sizes, self.encoding.starts).accuracy(*self.test)


def population(dataset: Dataset, label: str, value: str | None = None) -> Population:
    """People of a dataset, whose class is a column, or one value of it against all others.

    Raises
    ------
    ValueError
        With a sentence, where there is nothing to learn.
    """
    frame = dataset.frame
    values = frame[label].value_counts()
    values = values[values > 0]
    if len(values) < 2:
        raise ValueError(
            f"Everybody has the same value of {label}, so there is nothing to learn. Choose another class."
        )
    chosen = value if value in values.index else values.index[0]
    ones = (frame[label] == chosen).to_numpy()
    order = _asked(dataset)
    questions, left_out = _questions(dataset, label)
    if not questions:
        raise ValueError(f"Beside {label} there is no column to ask for.")
    classes = np.where(ones[order], 0, 1)
    if len(order) < FEWEST or min(np.bincount(classes, minlength=2)) < FEWEST // 4:
        raise ValueError(f"A survey needs {FEWEST} people, and {FEWEST // 4} of each class; these are too few.")
    answers = frame.iloc[order][questions]
    if dataset.name == VOTES:
        answers = answers.apply(_without_silence)
    encoding, offered = Encoding.fit(answers), learnable(dataset)
    other = str(values.index[values.index != chosen][0]) if len(values) == 2 else f"not {chosen}"
    return Population(
        encoding, encoding.codes(answers, fill=1), classes, (str(chosen), other), label, left_out,
        labels=tuple(offered), values=offered.get(label, ()),
    )  # fmt: skip


def learnable(dataset: Dataset) -> dict[str, tuple[str, ...]]:
    """Columns that can be learnt, with their values that enough of those who are asked have, and enough have not.

    The most frequent value of a column comes first.
    """
    order, fewest, found = _asked(dataset), FEWEST // 4, {}
    for label in dataset.categorical:
        counts = dataset.frame[label].iloc[order].value_counts()
        values = tuple(str(value) for value, people in counts.items() if fewest <= people <= len(order) - fewest)
        if values:
            found[label] = values
    return found


def _asked(dataset: Dataset) -> Integers:
    """The rows of those who are asked, in the order in which they come."""
    return np.random.default_rng(20_050_821).permutation(dataset.rows)[:MOST_ROWS]


def _without_silence(answers: pd.Series) -> pd.Series:
    """Answers to a question, or the parties, where who took no position has given none."""
    return answers.cat.set_categories(answers.cat.categories.drop(SILENT, errors="ignore"))


def _questions(dataset: Dataset, label: str) -> tuple[list[str], tuple[str, ...]]:
    """Columns that are asked, as long as their answers fit, and those that are not."""
    names: list[str] = dataset.frame.columns.tolist()
    asked, left_out, bits = [], [], 0
    for column in (c for c in names if c != label):
        size = 4 if column in dataset.numeric else len(dataset.frame[column].cat.categories)
        if bits + size > MOST_BITS:
            left_out.append(column)
        else:
            asked.append(column)
            bits += size
    return asked, tuple(left_out)
