"""The one validator of tables: what is given as data becomes an array of finite floats, or one clear sentence."""

import math
import numbers
from typing import Any

import numpy as np
import pandas as pd

from trustscope.engine.arrays import ArrayLike, Floats, Several
from trustscope.errors import TrustscopeError, WrongType

__all__ = ["aligned", "as_numbers", "as_pair", "as_table"]

# Rows that are checked at once: a mask for all of a large table would be another eighth of its memory.
_CHUNK = 65_536


def as_table(data: ArrayLike, name: str = "data", *, rows: int = 1, flat: bool = False, own: bool = False) -> Floats:
    """Data as a float64 array (rows, columns), after checking that it holds finite numbers.

    Parameters
    ----------
    data : array-like or DataFrame, shape (rows, columns)
    name : str
        What the data are called in the sentence that says what is wrong.
    rows : int
        The fewest rows that will do.
    flat : bool
        Whether one dimension is taken as one column; otherwise it is refused.
    own : bool
        Whether the caller keeps the array: it is then copied, unless nobody can write to what was given.

    Returns
    -------
    numpy.ndarray, shape (rows, columns)
        A view of what was given, where that is an array of floats and `own` is false.

    Raises
    ------
    TypeError
        If these are not numbers.
    ValueError
        If the shape or a value is wrong.
    """
    table = as_numbers(data, name, own=own)
    if flat and table.ndim == 1:
        table = table[:, None]
    if table.ndim != 2:
        allowed = "one or two dimensions" if flat else "two dimensions, rows and columns"
        raise TrustscopeError(f"The {name} must have {allowed}, not {table.ndim}.")
    if not table.size:
        raise TrustscopeError(f"The {name} must have at least one row and one column, but the shape is {table.shape}.")
    if not all(np.isfinite(table[start : start + _CHUNK]).all() for start in range(0, len(table), _CHUNK)):
        raise TrustscopeError(f"The {name} must not hold missing or infinite values: drop or fill them first.")
    if len(table) < rows:
        raise TrustscopeError(f"The {name} must have at least {rows} rows, not {len(table)}.")
    return table


def as_pair(first: ArrayLike, second: ArrayLike, names: tuple[str, str], *, rows: int = 1) -> tuple[Floats, Floats]:
    """Two tables about the same records, which may have different columns; `names` and `rows` as in `as_table`."""
    a, b = as_table(first, names[0], rows=rows), as_table(second, names[1], rows=rows)
    if len(a) != len(b):
        raise TrustscopeError(
            f"The {names[0]} and the {names[1]} must have the same records, but they have {len(a)} and {len(b)} rows."
        )
    return a, b


def aligned(copies: Several, what: str = "Copies") -> Several:
    """Copies of the same records, row by row.

    Tables of pandas are put into the order of the first one's index and columns; arrays are taken as they stand. What
    is None stays None. `what` is what they are called in a sentence.

    Raises
    ------
    TrustscopeError
        If they are not of the same records or columns.
    """
    if isinstance(copies, np.ndarray):
        return copies
    there = [one for one in copies if one is not None]
    tables = [one for one in there if isinstance(one, pd.DataFrame | pd.Series)]
    if not tables:
        lengths = sorted({len(one) for one in there if np.ndim(one)})
        if len(lengths) > 1:
            raise TrustscopeError(f"{what} must be of the same records, but they have {_listed(lengths)} rows.")
        return copies
    if len(tables) < len(there):
        raise WrongType(f"{what} must be of one kind: some are tables with an index, and others are not.")
    first = tables[0]
    return [one if one is None else _like(one, first, what) for one in copies]


def _like(one: pd.DataFrame | pd.Series, first: pd.DataFrame | pd.Series, what: str) -> Any:
    """A table in the order of another one's rows and columns."""
    if type(one) is not type(first):
        raise WrongType(f"{what} must be of one kind: some are single columns, and others tables.")
    if isinstance(one, pd.DataFrame) and not one.columns.equals(first.columns):
        if set(one.columns) != set(first.columns) or len(one.columns) != len(first.columns):
            raise TrustscopeError(f"{what} must have the same columns: " + " and ".join(
                str(sorted(map(str, table.columns))) for table in (first, one)) + " differ.")  # fmt: skip
        one = one[list(first.columns)]
    if one.index.equals(first.index):
        return one
    if len(one) != len(first):
        raise TrustscopeError(f"{what} must be of the same records, but they have {len(first)} and {len(one)} rows.")
    if one.index.has_duplicates or first.index.has_duplicates:
        raise TrustscopeError(
            f"{what} in another order need an index without duplicates: it says which rows are whose."
        )
    missing = first.index.difference(one.index)
    if len(missing):
        raise TrustscopeError(
            f"{what} must be of the same records: {len(missing)} of {len(first)} are not in each of them, such as "
            f"{missing[0]!r}. Where they stand in one order all the same, give arrays (`.to_numpy()`)."
        )
    return one.loc[first.index]


def _listed(lengths: list[int]) -> str:
    return " and ".join(map(str, lengths[:4]))


def as_numbers(data: ArrayLike, name: str, *, own: bool = False) -> Floats:
    """An array of floats of any shape, gaps as nan; text that looks like numbers is not taken for numbers.

    `name` and `own` as in `as_table`.
    """
    refusal = f"The {name} must be numbers in equally long rows: text, dates and complex numbers are refused."
    try:
        array = np.asarray(data)
        if array.dtype.kind == "O":
            # A frame with columns of several kinds, or with gaps.
            array = np.array([_number(value) for value in array.ravel()]).reshape(array.shape)
    except (TypeError, ValueError):
        raise WrongType(refusal) from None
    if array.dtype.kind not in "biuf":
        raise WrongType(refusal)
    # What nobody can write to need not be copied: several releases of one table then share it.
    frozen = own and isinstance(data, np.ndarray) and _is_frozen(data)
    return np.array(array, dtype=float, order="C" if own else "K", copy=True if own and not frozen else None)


def _is_frozen(array: object) -> bool:
    """Whether nobody can write to an array, be it through the one that it is a view of."""
    while isinstance(array, np.ndarray):
        if array.flags.writeable:
            return False
        array = array.base
    return array is None or isinstance(array, bytes)  # other owners of memory may write to it


def _number(value: object) -> float:
    """A float, nan for a gap."""
    if isinstance(value, numbers.Real | np.bool_):
        try:
            return float(value)
        except OverflowError:  # a whole number beyond all floats
            return math.inf if value > 0 else -math.inf  # type: ignore[operator]
    if value is None or value is pd.NA:
        return float("nan")
    raise TypeError(value)
