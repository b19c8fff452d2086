"""A little of what `make soak` does for longer; and that it would notice."""

import pytest

from tests.soak.__main__ import dip, grown


@pytest.mark.soak
def test_nothing_grows_when_the_same_people_come_again():
    """One for each page; `make soak` has twenty at once, in two processes, for longer and with all data."""
    assert dip(7, data=("Census (synthetic)", "Iris")) == []


def test_growth_and_what_is_left_are_noticed():
    rest = {"memory": 500.0, "threads": 20, "children": 2, "sessions": 0, "documents": 0, "errors": 0}
    assert grown([rest, rest]) == []
    assert grown([rest, rest | {"memory": 580.0}]) == []
    assert grown([rest, rest | {"memory": 600.0}]) == ["memory grew from 500 to 600"]
    assert grown([rest, rest | {"threads": 30, "children": 5}]) == [
        "threads grew from 20 to 30",
        "children grew from 2 to 5",
    ]
    assert grown([rest, rest | {"documents": 3, "errors": 1}]) == [
        "3 documents are left when everybody has gone",
        "1 errors were written to the log",
    ]
