"""Numbers and lists in words."""

import pytest

from trustscope.scenarios.words import alike, count, listed, plain, share


def test_listed():
    assert listed(["Alice"]) == "Alice"
    assert listed(["Alice", "Bob"]) == "Alice and Bob"
    assert listed(["Alice", "Bob", "Carol"]) == "Alice, Bob and Carol"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0 %"),
        (0.0001, "< 0.1 %"),
        (0.042, "4.2 %"),
        (0.05, "5 %"),
        (0.294, "29 %"),
        (0.9961, "> 99 %"),
        (1, "100 %"),
    ],
)
def test_share(value, text):
    assert share(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (1, "1"),
        (0.4286, "0.43"),
        (-41.27, "−41.3"),
        (1234.5, "1\u202f234"),
        (5_013_482, "5\u202f013\u202f482"),
        (0.00012, "0.00012"),
        (-3.2e-7, "−3.2 · 10⁻⁷"),
        (2e15, "2 · 10¹⁵"),
    ],
)
def test_plain(value, text):
    assert plain(value) == text


def test_count():
    assert count(100_000) == "100 000"


@pytest.mark.parametrize(
    ("numbers", "texts"),
    [
        ([5.1, 4.9, 5], ["5.10", "4.90", "5.00"]),
        ([38.6, 38.52, 40], ["38.6", "38.5", "40.0"]),
        ([1234.5, 990], ["1\u202f234", "990"]),
        ([3, 7, 0], ["3", "7", "0"]),
        ([0.01, 0.52, 12.4], ["0.01", "0.52", "12.40"]),
        ([-0.001, 0.5, -0.7], ["0.00", "0.50", "−0.70"]),
        ([0, 0], ["0", "0"]),
        ([1e-6, 5.0], ["1 · 10⁻⁶", "5"]),
        ([], []),
    ],
)
def test_numbers_that_are_compared_have_the_same_decimals(numbers, texts):
    assert alike(numbers) == texts
