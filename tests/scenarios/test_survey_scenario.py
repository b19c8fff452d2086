"""What stands on the Survey page, as a value."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from trustscope.engine.survey import Kind
from trustscope.scenarios.link import query_of, scenario_of
from trustscope.scenarios.survey.scenario import (
    END,
    MINERS,
    MOST_OWN,
    SPEEDS,
    START,
    Own,
    Part,
    Settings,
    SurveyData,
    SurveyScenario,
    View,
)

TEXT = st.text(max_size=20)
SHARES = st.floats(0, 0.5)
PARTS = st.lists(
    st.builds(Part, name=st.text(min_size=1, max_size=20), weight=st.integers(0, 100),
              level=st.none() | st.integers(0, 1000)),
    min_size=1, max_size=6, unique_by=lambda part: part.name,
).filter(lambda parts: any(part.weight for part in parts)).map(tuple)  # fmt: skip
SCENARIOS = st.builds(
    SurveyScenario,
    data=st.builds(SurveyData, name=TEXT, label=TEXT, value=TEXT),
    seed=st.integers(0, 2**31 - 1),
    settings=st.builds(
        Settings, parts=PARTS, mu=SHARES, update_every=st.integers(1, 500),
        order=st.sampled_from(["magnitude", "signed"]), miner=st.sampled_from(MINERS), target=TEXT,
        extra_check=st.booleans(), rival=st.booleans(),
    ),
    view=st.builds(
        View, arrived=st.integers(0, END), speed=st.sampled_from(SPEEDS),
        closer=st.sampled_from(["", "accuracy", "disclosure", "own", "guidance", "level"]),
        own=st.builds(Own, level=st.integers(0, MOST_OWN), of_class=TEXT,
                      answers=st.lists(st.tuples(TEXT, TEXT), max_size=5).map(tuple), draw=st.integers(1, 10**6)),
    ),
)  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=15,
)


@given(scenario=SCENARIOS)
@settings(max_examples=100, deadline=None)
def test_a_scenario_is_read_as_it_was_written(scenario):
    assert SurveyScenario.from_dict(json.loads(json.dumps(scenario.to_dict(), allow_nan=False))) == scenario
    reading = scenario_of(query_of(scenario), SurveyScenario)
    assert (reading.scenario, reading.problems) == (scenario, ())


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
