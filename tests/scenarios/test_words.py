"""Lists as a person would write them."""

import pytest

from trustscope.scenarios.words import listed


@pytest.mark.parametrize(
    ("names", "text"), [([], "none"), (["A"], "A"), (["A", "B"], "A and B"), (iter("ABC"), "A, B and C")]
)
def test_names_are_listed(names, text):
    assert listed(names) == text
