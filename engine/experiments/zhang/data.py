"""The five classification functions on synthetic people (Agrawal, Imielinski and Swami 1993), as in Figure 3.

Salary 20 000 to 150 000; commission 0 from a salary of 75 000, below it 10 000 to 75 000; age 20 to 80; education
level 0 to 4; make of car 1 to 20; nine zip codes; value of the house 0.5 k to 1.5 k times 100 000, with k from 0 to 9
given by the zip code; years of owning it 1 to 30; loan 0 to 500 000. All uniform.
"""

import numpy as np
import pandas as pd

from engine import keys

__all__ = ["ATTRIBUTES", "FUNCTIONS", "people", "questionnaire"]

ATTRIBUTES = ("salary", "commission", "age", "elevel", "car", "zipcode", "hvalue", "hyears", "loan")
CATEGORICAL = ("elevel", "zipcode")
FUNCTIONS = (1, 2, 3, 4, 5)


def people(function, rows, *, key=1):
    """Synthetic people and their class.

    Parameters
    ----------
    function : {1, 2, 3, 4, 5}
    rows : int
    key : int

    Returns
    -------
    frame : pandas.DataFrame
        Seven numeric columns, and elevel and zipcode as categories.
    classes : numpy.ndarray of int, shape (rows,)
        0 for group A, 1 for group B.
    """
    if function not in FUNCTIONS:
        raise ValueError(f"The functions are {', '.join(map(str, FUNCTIONS))}; there is no {function}.")
    rng = np.random.default_rng(derived_key(key, "people"))
    salary = rng.uniform(20_000, 150_000, rows)
    commission = np.where(salary >= 75_000, 0.0, rng.uniform(10_000, 75_000, rows))
    age = rng.uniform(20, 80, rows)
    level = rng.integers(0, 5, rows)
    car = rng.integers(1, 21, rows)
    zipcode = rng.integers(0, 9, rows)
    value = (zipcode + 1) * 1e5 * rng.uniform(0.5, 1.5, rows)
    years = rng.integers(1, 31, rows)
    loan = rng.uniform(0, 500_000, rows)
    group = _GROUPS[function](age, salary, level, loan)
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
    return frame, np.where(group, 0, 1)


def questionnaire(frame, label, *, missing="Neither"):
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
        raise ValueError(f"There is no column “{label}”.")
    values = frame[label].value_counts()
    values = values[values > 0]
    if len(values) != 2:
        raise ValueError(f"“{label}” must hold two classes, but it holds {len(values)}.")
    answers = frame.drop(columns=label).astype(object)
    answers = answers.mask(answers == missing) if missing is not None else answers
    return answers.astype("category"), (frame[label] == values.index[1]).to_numpy().astype(int)


def _by_age(age, young, middle, old):
    """What holds for people under 40, from 40 to under 60, and from 60."""
    return np.select([age < 40, age < 60], [young, middle], old)


def _within(values, low, high):
    """Whether values lie from low to high, in thousands."""
    return (values >= low * 1_000) & (values <= high * 1_000)


def _fourth(age, salary, level, loan):
    return _by_age(
        age,
        np.where(level <= 1, _within(salary, 25, 75), _within(salary, 50, 100)),
        np.where((level >= 1) & (level <= 3), _within(salary, 50, 100), _within(salary, 75, 125)),
        np.where(level >= 2, _within(salary, 50, 100), _within(salary, 25, 75)),
    )


def _fifth(age, salary, level, loan):
    return _by_age(
        age,
        np.where(_within(salary, 50, 100), _within(loan, 100, 300), _within(loan, 200, 400)),
        np.where(_within(salary, 75, 125), _within(loan, 200, 400), _within(loan, 300, 500)),
        np.where(_within(salary, 25, 75), _within(loan, 300, 500), _within(loan, 100, 300)),
    )


_GROUPS = {
    1: lambda age, salary, level, loan: (age < 40) | (age >= 60),
    2: lambda age, salary, level, loan: _by_age(
        age, _within(salary, 50, 100), _within(salary, 75, 125), _within(salary, 25, 75)
    ),
    3: lambda age, salary, level, loan: _by_age(age, level <= 1, (level >= 1) & (level <= 3), level >= 2),
    4: _fourth,
    5: _fifth,
}


def derived_key(key, *purpose):
    """A key of its own for one part of an experiment."""
    return int.from_bytes(keys.stream(key, "zhang", *purpose), "little")
