"""Numbers and lists in words."""

import pytest

from trustscope.scenarios.words import count, listed, plain, share


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
