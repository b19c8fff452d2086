"""Numbers as people read them."""

import math

import pytest

from trustscope.numbers import MINUS, alike, as_number, cell, plain


@pytest.mark.parametrize("write", [plain, cell])
def test_any_figure_can_be_written(write):
    assert [write(value) for value in (math.inf, -math.inf, math.nan)] == ["∞", f"{MINUS}∞", "–"]


def test_a_column_of_numbers_may_have_one_without_bound():
    assert alike([2.5, math.inf]) == ["2.5", "∞"]


@pytest.mark.parametrize("value", [-20.5, -1.25e-5, -3e8, -0.5, -4321])
def test_tables_have_a_minus_and_no_hyphen(value):
    assert "-" not in cell(value)
    assert as_number(cell(value)) == (value, "")
