"""What a column is taken to be, and what becomes of it."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trustscope import datasets
from trustscope.datasets.as_kind import as_kind
from trustscope.datasets.kinds import understand


def column(*values, decimal_comma=False):
    return understand(pa.array(values), decimal_comma)


@pytest.mark.parametrize(
    ("texts", "numbers"),
    [
        (["1,234", "5,678,900", "12"], [1234, 5678900, 12]),
        (["1,234.5", "2.25", "-3"], [1234.5, 2.25, -3]),
        (["1.234,5", "2,25", "3"], [1234.5, 2.25, 3]),
        (["1.234.567", "2", "3"], [1234567, 2, 3]),
        (["1 234", "5 678", "9"], [1234, 5678, 9]),
        (["1\u00a0234,5", "5\u202f678", "9"], [1234.5, 5678, 9]),
        (["1'234.5", "5’678", "9"], [1234.5, 5678, 9]),
        (["$1,200", "$ 3,400.50", "-$5"], [1200, 3400.5, -5]),
        (["1.200 €", "3,50 €", "7 €"], [1200, 3.5, 7]),
        (["12 %", "13%", "7.5 %"], [12, 13, 7.5]),
        (["(1,200)", "300", "−5"], [-1200, 300, -5]),
        (["+1", "1e+5", "2E-3"], [1, 1e5, 2e-3]),
        ([".5", "5.", "0.25"], [0.5, 5, 0.25]),
        ([" 1 ", "2 ", "x"] + ["3"] * 40, [1, 2, np.nan] + [3] * 40),
    ],
)
def test_numbers_as_text(texts, numbers):
    found = column(*texts)
    assert found.kind == "number"
    np.testing.assert_array_equal(found.values, numbers)


def test_an_ambiguous_separator_is_read_by_the_file_and_told():
    thousands, decimal = column("1,234", "5,678"), column("1,234", "5,678", decimal_comma=True)
    assert thousands.values.tolist() == [1234, 5678]
    assert decimal.values.tolist() == [1.234, 5.678]
    assert "could mean two things" in thousands.note
    assert "separator of thousands" in thousands.note
    assert "decimal sign" in decimal.note


@pytest.mark.parametrize("texts", [["$5", "€6", "$7", "€6"], ["5 %", "6", "7 %", "6"], ["1.2.3", "4.5.6", "1.2.3"]])
def test_what_is_not_one_scale_is_not_a_number(texts):
    assert column(*texts).kind == "category"


def test_stray_words_among_numbers_are_missing_and_told():
    found = column(*(str(i) for i in range(99)), "lots")
    assert found.kind == "number"
    assert found.missing == 1
    assert "'lots'" in found.note
    # One in three is no stray word.
    assert column("1", "2", "lots", "3", "4", "many", "1").kind != "number"


def test_numbers_stay_as_they_are():
    whole, real = column(1, 2, 1), column(1.5, None, 2.5)
    assert (whole.kind, whole.values.dtype, whole.distinct) == ("number", np.int64, 2)
    assert (real.kind, real.missing, real.example) == ("number", 1, "1.5")
    assert column(0, 1, 0, 1).kind == "number"


def test_infinities_are_missing_and_told():
    for found in (column(1.0, np.inf, 2.0, -np.inf), column("1.5 ", "inf", "2,000", "-Infinity")):
        assert found.kind == "number"
        assert found.missing == 2
        assert "2 infinite values" in found.note
        assert np.isfinite(found.values).sum() == 2


def test_values_too_large_to_square_are_refused():
    found = column(1e300, -1e300, 0.0)
    assert not found.usable
    assert "too large" in found.note


@pytest.mark.parametrize("values", [(3, 3, 3), (2.5, None, 2.5), ("x", "x"), ("yes", "yes"), (True, True), ("x ", "x")])
def test_constant_columns_say_so(values):
    found = column(*values)
    assert (found.kind, found.usable) == ("constant", False)
    assert "same value" in found.note


@pytest.mark.parametrize("values", [(None, None), ("", "NA", "?"), (np.nan, np.nan), (np.inf, np.inf)])
def test_empty_columns_say_so(values):
    found = column(*values)
    assert (found.kind, found.usable, found.missing) == ("empty", False, len(values))


@pytest.mark.parametrize(
    "values",
    [
        ("yes", "no", "YES"),
        ("y", "n", "Y"),
        ("True", "FALSE", "true"),
        (True, False, True),
        ("on", "off", "On"),
    ],
)
def test_booleans(values):
    found = column(*values)
    assert found.kind == "yes/no"
    assert list(found.values) == ["yes", "no", "yes"]


def test_missing_booleans_are_missing():
    assert column(True, None, False).missing == 1
    assert list(column("y", "", "n").values.codes) == [1, -1, 0]


@pytest.mark.parametrize(
    ("values", "days"),
    [
        (("1970-01-02", "1969-12-31", "2000-01-01"), [1, -1, 10957]),
        (("1970-1-2", "1969-12-31", "2000-1-1"), [1, -1, 10957]),
        (("1970/1/2", "1969/12/31", "2000/1/1"), [1, -1, 10957]),
        (("1970.1.2 6:00", "1969.12.31 18:00", "2000.1.1 12:00"), [1.25, -0.25, 10957.5]),
        (("02.01.1970", "31.12.1969", "1.1.2000"), [1, -1, 10957]),
        (("01/02/1970", "12/31/1969", "01/01/2000"), [1, -1, 10957]),
        (("2 Jan 1970", "31 Dec 1969", "1 Jan 2000"), [1, -1, 10957]),
        (("January 2, 1970", "December 31, 1969", "January 1, 2000"), [1, -1, 10957]),
        (("1970/01/02 12:00", "1969/12/31 00:00", "2000/01/01 06:00"), [1.5, -1, 10957.25]),
        (tuple(pd.to_datetime(["1970-01-02", "1969-12-31", "2000-01-01"]).date), [1, -1, 10957]),
        (tuple(pd.to_datetime(["1970-01-02T12", "1969-12-31T00", "2000-01-01T00"])), [1.5, -1, 10957]),
    ],
)
def test_dates_are_dates_and_on_request_days(values, days):
    date = column(*values)
    assert date.kind == "date"
    assert date.values.dtype == "datetime64[us]"
    np.testing.assert_array_equal((date.values - np.datetime64(0, "us")) / np.timedelta64(1, "D"), days)
    found = as_kind(pa.array(values), "number")
    assert found.kind == "number"
    assert found.values.tolist() == days
    assert found.unit == "days since 1970-01-01"
    assert "days since 1970" in found.note


def test_numbers_of_versions_are_no_dates():
    assert column("1.2.3", "2.0.11", "10.4.1").kind != "date"
    assert column("2024-1", "2024-2", "2024-11").kind != "date"


def test_day_and_month_that_could_be_swapped():
    texts = ("01/02/2020", "03/04/2020", "01/02/2020")
    found = column(*texts)
    assert found.kind == "category"
    assert "the day or the month first" in found.note
    asked = as_kind(pa.array(texts), "date")
    assert asked.kind == "date"
    assert "could be swapped" in asked.note
    assert asked.values[0] == np.datetime64("2020-02-01")
    assert column("13/02/2020", "03/04/2020").values[1] == np.datetime64("2020-04-03")
    # Written with dots the day comes first, and swapping changes nothing in the third.
    assert column("01.02.2020", "03.04.2020").kind == "date"
    assert column("01/01/2020", "02/02/2020").kind == "date"


def test_missing_dates_stay_missing():
    found = column("2020-01-01", "", "2020-01-03")
    assert found.missing == 1
    assert np.isnat(found.values[1])


def test_times_become_seconds():
    found = datasets.inspect(b"t,n\n00:01,1\n12:30,2\n", "a.csv")
    assert found.columns[0].kind == "time"
    assert found.dataset().frame["t"].tolist() == [60, 45000]


def test_categories_are_trimmed_and_freed_from_invisible_characters():
    found = column(" red", "red ", "blue\u200b", "blue", "a\x07b", "a b\n")
    assert found.kind == "category"
    assert list(found.values) == ["red", "red", "blue", "blue", "ab", "a b"]


def test_identifiers_and_long_texts_are_explained():
    names = column("Ann", "Bob", "Cy")
    assert (names.kind, names.usable) == ("identifier", False)
    assert "every row" in names.note
    words = [f"text {i % 60}" for i in range(100)]
    assert column(*words).kind == "text"
    assert "too many" in column(*words).note
    assert "too long" in column("x" * 300, "y", "y").note


def test_row_numbers_are_pointed_out():
    assert "row number" in column(*range(1, 31)).note


@pytest.mark.parametrize("array", [pa.array([[1], [2]]), pa.array([{"a": 1}, {"a": 2}]), pa.array([b"\xff", b"\xfe"])])
def test_nested_and_binary_columns_are_left_aside(array):
    found = understand(array)
    assert (found.kind, found.usable) == ("other", False)


def test_other_types_of_parquet():
    from decimal import Decimal

    assert column(Decimal("1.5"), Decimal("2.5")).values.tolist() == [1.5, 2.5]
    assert understand(pa.array([1, 2, 2**63 + 1], pa.uint64())).kind == "number"
    assert understand(pa.array(["a", "b", "a"]).dictionary_encode()).kind == "category"
    assert understand(pa.array([1, 2, 1]).dictionary_encode()).kind == "number"
    assert understand(pa.array(["a", "b", "a"], pa.large_string())).kind == "category"
    assert understand(pa.array([b"a", b"b", b"a"])).kind == "category"
    assert understand(pa.array([1, 2], pa.duration("s"))).values.tolist() == [1, 2]
    assert understand(pa.array([0, 86400], pa.timestamp("s", tz="Europe/Oslo"))).kind == "date"
    assert as_kind(pa.array([0, 86400], pa.timestamp("s", tz="Europe/Oslo")), "number").values.tolist() == [0, 1]


@settings(deadline=None)
@given(st.lists(st.floats(-1e12, 1e12).map(lambda x: round(x, 2)), min_size=2, max_size=30, unique=True))
def test_any_number_survives_being_written_with_separators(numbers):
    english = [f"{x:,.2f}" for x in numbers]
    german = [e.translate(str.maketrans(",.", ".,")) for e in english]
    np.testing.assert_allclose(column(*english).values, numbers, rtol=1e-15)
    np.testing.assert_allclose(column(*german).values, numbers, rtol=1e-15)
