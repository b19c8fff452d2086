"""What stands on the Survey page, as a value; that it is kept and read again is in test_round_trips.py."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from trustscope.engine.survey import Kind
from trustscope.scenarios.survey.scenario import (
    START,
    Part,
    Settings,
    SurveyScenario,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=15,
)


@given(content=JSON)
@settings(max_examples=100, deadline=None)
def test_whatever_is_sent_gives_a_page(content):
    for one in (content, {"settings": content, "view": content}, {"settings": {"parts": content}}):
        assert isinstance(SurveyScenario.read(one).scenario, SurveyScenario)


@pytest.mark.parametrize("parts", [
    [{"name": "a", "weight": 0, "level": 1}],
    [{"name": "a", "weight": 1}, {"name": "a", "weight": 2}],
    [],
])  # fmt: skip
def test_kinds_that_make_no_sense_are_left_out_with_a_sentence(parts):
    with pytest.raises(ValidationError):
        Settings(parts=parts)
    reading = SurveyScenario.read({"settings": {"parts": parts, "miner": "hidden"}})
    assert reading.scenario.settings == Settings(miner="hidden")
    assert "parts was left out" in reading.problems[0]


def test_kinds_as_the_engine_knows_them():
    assert Settings().mix.kinds == tuple(Kind(p.name, p.weight / 100, p.level) for p in START)
    uneven = Settings(parts=(Part(name="a", weight=1, level=0), Part(name="b", weight=3), Part(name="c", weight=0)))
    assert [kind.share for kind in uneven.mix.kinds] == [0.25, 0.75, 0]
    assert [part.colour for part in START] != [part.colour for part in uneven.parts]
