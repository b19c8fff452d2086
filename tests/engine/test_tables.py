"""The one validator of tables: what it takes, what it returns, and the sentences that it says."""

import numpy as np
import pandas as pd
import pytest

from trustscope.engine.gaussian import GaussianRelease
from trustscope.engine.tables import as_numbers, as_pair, as_table

MIXED = pd.DataFrame({"a": pd.array([1, 2], dtype="Int64"), "b": [True, False], "c": [0.5, 1.5]})


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ([[1, 2], [3, 4]], [[1.0, 2.0], [3.0, 4.0]]),
        (MIXED, [[1.0, 1.0, 0.5], [2.0, 0.0, 1.5]]),
        (np.array([[True], [False]]), [[1.0], [0.0]]),
        (np.array([[1.5, 2]], dtype=np.float32), [[1.5, 2.0]]),
        (np.array([[1, 2.5]], dtype=object), [[1.0, 2.5]]),
    ],
)
def test_tables_of_all_kinds_become_floats(data, expected):
    table = as_table(data)
    assert table.dtype == float
    np.testing.assert_array_equal(table, expected)


def test_one_dimension_is_one_column_where_that_is_allowed():
    np.testing.assert_array_equal(as_table(pd.Series([1, 2]), flat=True), [[1.0], [2.0]])
    with pytest.raises(ValueError, match="two dimensions, rows and columns, not 1"):
        as_table([1.0, 2.0])


TEXT = "must be numbers"


@pytest.mark.parametrize(
    ("data", "error", "words"),
    [
        ([["1", "2"]], TypeError, TEXT),
        (pd.DataFrame({"a": [1.0], "b": ["x"]}), TypeError, TEXT),
        ([[1 + 2j]], TypeError, "complex"),
        (np.array([["2020-01-01"]], dtype="datetime64[D]"), TypeError, "dates"),
        ([[1.0], [1.0, 2.0]], TypeError, "equally long rows"),
        ([[1.0, np.nan]], ValueError, "missing or infinite"),
        ([[1.0, -np.inf]], ValueError, "missing or infinite"),
        (pd.DataFrame({"a": pd.array([1, None], dtype="Int64"), "b": [1, 2]}), ValueError, "missing or infinite"),
        (np.array([[1.0, None]], dtype=object), ValueError, "missing or infinite"),
        (np.zeros((2, 2, 2)), ValueError, "two dimensions"),
        (np.float64(3), ValueError, "two dimensions"),
        (np.empty((0, 2)), ValueError, "at least one row and one column"),
        (np.empty((3, 0)), ValueError, "at least one row and one column"),
        ([[1.0]], ValueError, "at least 2 rows, not 1"),
    ],
)
def test_what_cannot_be_used_gets_one_sentence_that_names_it(data, error, words):
    with pytest.raises(error, match=words) as caught:
        as_table(data, "sample", rows=2)
    sentence = str(caught.value)
    assert sentence.startswith("The sample must ")
    assert sentence.endswith(".")
    assert sentence.count(". ") == 0


def test_a_gap_in_the_last_rows_of_a_long_table_is_found():
    table = np.zeros((200_000, 1))
    table[-1] = np.nan
    with pytest.raises(ValueError, match="missing"):
        as_table(table)


def test_a_table_of_floats_is_not_copied_unless_the_caller_keeps_it():
    table = np.ones((3, 2))
    assert np.shares_memory(as_table(table), table)
    own = as_table(table, own=True)
    assert not np.shares_memory(own, table)
    frame = pd.DataFrame(table)
    assert not np.shares_memory(as_table(frame, own=True), table)
    table.flags.writeable = False
    assert np.shares_memory(as_table(table, own=True), table)
    assert np.shares_memory(as_table(table[1:], own=True), table)


def test_what_is_not_kept_is_not_looked_at():
    """Numpy warns when it is asked whether somebody can write to an array that it broadcast."""
    broadcast = np.broadcast_arrays(np.ones(2), np.ones((3, 1)))[0]
    assert as_numbers(broadcast, "bounds").shape == (3, 2)


@pytest.mark.parametrize("view", [lambda a: a.view(), lambda a: a[:, :1].view(), lambda a: np.asarray(memoryview(a))])
def test_what_somebody_else_can_write_to_is_copied(view):
    base = np.ones((3, 2))
    seen = view(base)
    seen.flags.writeable = False
    assert not np.shares_memory(as_table(seen, own=True), base)
    release = GaussianRelease(seen, covariance=np.eye(seen.shape[1]), key=7)
    before = np.array(release.noise(trust=50))
    base[0] = 1e9
    np.testing.assert_array_equal(release.noise(trust=50), before)


def test_what_the_caller_keeps_is_laid_out_row_by_row():
    columns_first = np.asfortranarray(np.ones((3, 2)))
    columns_first.flags.writeable = False
    assert as_table(columns_first, own=True).flags.c_contiguous


def test_two_tables_about_the_same_records():
    a, b = as_pair([[1], [2]], [[1, 2], [3, 4]], ("data", "released data"))
    assert (a.shape, b.shape) == ((2, 1), (2, 2))
    with pytest.raises(ValueError, match="The data and the released data must have the same records"):
        as_pair([[1], [2]], [[1]], ("data", "released data"))
