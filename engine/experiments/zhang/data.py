"""Five classification functions on synthetic people, as in Figure 3.

Zhang et al. take people and functions from Agrawal and Srikant (2000), who took them from Agrawal, Imielinski and
Swami (1993), but not under the same numbers: the first two are the same, the third of 2000 is nearly the fourth of
1993, and the fourth and fifth of 2000 weigh incomes against loans. Both sets are here, and those of 2000 are the
default. Their text is not among our sources: they are given as they are commonly quoted.

Salary 20 000 to 150 000; commission 0 from a salary of 75 000, below it 10 000 to 75 000; age 20 to 80; education
level 0 to 4; make of car 1 to 20; nine zip codes; value of the house 0.5 k to 1.5 k times 100 000, with k from 1 to 9
given by the zip code; years of owning it 1 to 30; loan 0 to 500 000. All uniform.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Bools, Integers
from trustscope.errors import TrustscopeError

__all__ = ["ATTRIBUTES", "DEFINITIONS", "FUNCTIONS", "people", "questionnaire"]

ATTRIBUTES = ("salary", "commission", "age", "elevel", "car", "zipcode", "hvalue", "hyears", "loan")
FUNCTIONS = (1, 2, 3, 4, 5)
# The years of the two papers that define the functions differently.
DEFINITIONS = (2000, 1993)


def people(function: int, rows: int, *, definitions: int = 2000, key: int = 1) -> tuple[pd.DataFrame, Integers]:
    """Synthetic people and their class.

    Parameters
    ----------
    function : {1, 2, 3, 4, 5}
    rows : int
    definitions : {2000, 1993}
        Whose functions: Agrawal and Srikant's, or Agrawal, Imielinski and Swami's.
    key : int

    Returns
    -------
    frame : pandas.DataFrame
        Seven numeric columns, and elevel and zipcode as categories.
    classes : numpy.ndarray of int, shape (rows,)
        0 for group A, 1 for group B.
    """
    if function not in FUNCTIONS:
        raise TrustscopeError(f"The functions are {', '.join(map(str, FUNCTIONS))}; there is no {function}.")
    if definitions not in DEFINITIONS:
        raise TrustscopeError(
            f"The functions are defined as in {' or '.join(map(str, DEFINITIONS))}, not {definitions}."
        )
    if not isinstance(rows, int | np.integer) or rows < 1:
        raise TrustscopeError(f"At least one person is needed, a whole number of them, not {rows}.")
    rng = keys.rng(key, "zhang", "people")
    salary = rng.uniform(20_000, 150_000, rows)
    commission = np.where(salary >= 75_000, 0.0, rng.uniform(10_000, 75_000, rows))
    age = rng.uniform(20, 80, rows)
    level = rng.integers(0, 5, rows)
    car = rng.integers(1, 21, rows)
    zipcode = rng.integers(0, 9, rows)
    value = (zipcode + 1) * 1e5 * rng.uniform(0.5, 1.5, rows)
    years = rng.integers(1, 31, rows)
    loan = rng.uniform(0, 500_000, rows)
    frame = pd.DataFrame(
        {
            "salary": salary,
            "commission": commission,
            "age": age,
            "elevel": pd.Categorical(level, range(5)),
            "car": car.astype(float),
            "zipcode": pd.Categorical(zipcode, range(9)),
            "hvalue": value,
            "hyears": years.astype(float),
            "loan": loan,
        }
    )
    return frame, np.where(group_a(function, frame, definitions), 0, 1)


def group_a(function: int, frame: pd.DataFrame, definitions: int = 2000) -> Bools:
    """Whether people are in group A, shape (rows,); the parameters are those of `people`."""
    return _GROUPS[definitions][function](frame.astype(float))


def questionnaire(frame: pd.DataFrame, label: str, *, missing: str | None = "Neither") -> tuple[pd.DataFrame, Integers]:
    """Answers and classes of a table like the votes.

    Parameters
    ----------
    frame : pandas.DataFrame
        Categorical columns.
    label : str
        The column that holds the class, of two values; the commoner one is class 0.
    missing : str, optional
        The answer that stands for none.

    Returns
    -------
    answers : pandas.DataFrame
        The other columns, with missing values, and without answers that nobody gave.
    classes : numpy.ndarray of int, shape (rows,)
    """
    if label not in frame:
        raise TrustscopeError(f"There is no column “{label}”.")
    missing_class = frame[label].isna().to_numpy()
    if missing_class.any():
        raise TrustscopeError(
            f"Row {np.flatnonzero(missing_class)[0] + 1} has no “{label}” ({missing_class.sum()} rows in all). Leave "
            "such rows out: their class cannot be guessed."
        )
    values = frame[label].value_counts()
    values = values[values > 0]
    if len(values) != 2:
        raise TrustscopeError(f"“{label}” must hold two classes, but it holds {len(values)}.")
    answers = frame.drop(columns=label).astype(object)
    answers = answers.mask(answers == missing) if missing is not None else answers
    return answers.astype("category"), (frame[label] == values.index[1]).to_numpy().astype(int)


def _by_age(age: pd.Series, young: ArrayLike, middle: ArrayLike, old: ArrayLike) -> Bools:
    """What holds for people under 40, from 40 to under 60, and from 60."""
    return np.select([age < 40, age < 60], [young, middle], old)


def _within(values: pd.Series, low: int, high: int) -> pd.Series:
    """Whether values lie from low to high, in thousands."""
    return (values >= low * 1_000) & (values <= high * 1_000)


def _second(p: pd.DataFrame) -> Bools:
    return _by_age(p.age, _within(p.salary, 50, 100), _within(p.salary, 75, 125), _within(p.salary, 25, 75))


def _third_of_2000(p: pd.DataFrame) -> Bools:
    """Like the fourth of 1993, but nobody is in group A beyond the levels that are named."""
    return _by_age(
        p.age,
        np.select([p.elevel <= 1, p.elevel <= 3], [_within(p.salary, 25, 75), _within(p.salary, 50, 100)], False),
        np.select(
            [p.elevel.between(1, 3), p.elevel == 4], [_within(p.salary, 50, 100), _within(p.salary, 75, 125)], False
        ),
        np.select([p.elevel >= 2, p.elevel == 1], [_within(p.salary, 50, 100), _within(p.salary, 25, 75)], False),
    )


def _disposable(p: pd.DataFrame) -> pd.Series:
    """What is left of an income beside a loan."""
    return 0.67 * (p.salary + p.commission) - 0.2 * p.loan - 10_000


def _equity(p: pd.DataFrame) -> pd.Series:
    """Of a house that was owned for more than 20 years."""
    return 0.1 * p.hvalue * np.maximum(p.hyears - 20, 0)


def _fourth_of_1993(p: pd.DataFrame) -> Bools:
    return _by_age(
        p.age,
        np.where(p.elevel <= 1, _within(p.salary, 25, 75), _within(p.salary, 50, 100)),
        np.where(p.elevel.between(1, 3), _within(p.salary, 50, 100), _within(p.salary, 75, 125)),
        np.where(p.elevel >= 2, _within(p.salary, 50, 100), _within(p.salary, 25, 75)),
    )


def _fifth_of_1993(p: pd.DataFrame) -> Bools:
    return _by_age(
        p.age,
        np.where(_within(p.salary, 50, 100), _within(p.loan, 100, 300), _within(p.loan, 200, 400)),
        np.where(_within(p.salary, 75, 125), _within(p.loan, 200, 400), _within(p.loan, 300, 500)),
        np.where(_within(p.salary, 25, 75), _within(p.loan, 300, 500), _within(p.loan, 100, 300)),
    )


_Group = Callable[[pd.DataFrame], Bools]
_FIRST_TWO: dict[int, _Group] = {1: lambda p: ((p.age < 40) | (p.age >= 60)).to_numpy(), 2: _second}
_GROUPS: dict[int, dict[int, _Group]] = {
    2000: {
        **_FIRST_TWO,
        3: _third_of_2000,
        4: lambda p: (_disposable(p) > 0).to_numpy(),
        5: lambda p: (_disposable(p) + 0.2 * _equity(p) > 0).to_numpy(),
    },
    1993: {
        **_FIRST_TWO,
        3: lambda p: _by_age(p.age, p.elevel <= 1, p.elevel.between(1, 3), p.elevel >= 2),
        4: _fourth_of_1993,
        5: _fifth_of_1993,
    },
}
