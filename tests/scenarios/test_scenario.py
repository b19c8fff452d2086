"""Scenarios as values: read from anything that anybody sends, and changed part by part.

That they are kept and read again is in test_round_trips.py.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from trustscope.scenarios.coalition import NAMES, Recipient
from trustscope.scenarios.scenario import MOST_PROBLEMS, OwnFile
from trustscope.scenarios.trust.scenario import ATTACKERS, SCHEMES, Order, Settings, TrustData, TrustScenario, View

TEXT = some.text(min_size=1, max_size=24)


@some.composite
def recipients(draw):
    names = draw(some.lists(some.sampled_from(NAMES) | TEXT, min_size=1, max_size=12, unique=True))
    return tuple(
        Recipient(number=i, name=name, trust=draw(some.integers(1, 100)), member=draw(some.booleans()))
        for i, name in enumerate(names)
    )


SETTINGS = some.builds(
    Settings,
    recipients=recipients(),
    scheme=some.sampled_from(list(SCHEMES)),
    attackers=some.lists(some.sampled_from(list(ATTACKERS)), min_size=1, max_size=8, unique=True).map(tuple),
    sample=some.integers(2, 5000),
    attribute=some.text(max_size=50),
    eps=some.none() | some.floats(0, 1e6),
    similarity=some.floats(-1, 1),
    informed=some.booleans(),
)
FILE = some.builds(OwnFile, name=TEXT, size=some.integers(0, 10**9), digest=some.from_regex(r"\A[0-9a-f]{64}\Z"))
SCENARIOS = some.builds(
    TrustScenario,
    data=some.builds(
        TrustData,
        name=some.sampled_from(["census", "own", "gaussian"]),
        file=some.none() | FILE,
        columns=some.lists(TEXT, max_size=5).map(tuple),
        order=some.builds(Order, attributes=some.integers(2, 100), small=some.floats(0, 99)),
    ),
    seed=some.integers(0, 2**31 - 1),
    settings=SETTINGS,
    view=some.builds(View, person=some.none() | some.integers(1, 10**6)),
)
JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(max_size=8),
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(some.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_whatever_is_sent_something_can_be_opened(content):
    scenario, problems = TrustScenario.read(content)
    assert TrustScenario.from_dict(scenario.to_dict()) == scenario
    assert len(problems) <= MOST_PROBLEMS
    assert problems or not content or not isinstance(content, dict) or content.keys() <= {"trustscope", "page"}


@given(SCENARIOS, some.sampled_from(["seed", "settings", "data", "view"]), JSON)
def test_one_spoilt_part_leaves_the_others(scenario, part, junk):
    content = scenario.to_dict() | {part: junk}
    found, _ = TrustScenario.read(content)
    for other in {"seed", "settings", "data", "view"} - {part}:
        assert getattr(found, other) == getattr(scenario, other)


def test_what_cannot_be_used_is_said():
    content = TrustScenario().to_dict()
    content["settings"]["recipients"][1]["trust"] = 400
    content["settings"]["scheme"] = "best"
    content["settings"]["__proto__"] = {"polluted": 1}
    found, problems = TrustScenario.read(content)
    assert [r.name for r in found.settings.recipients] == ["Ministry", "Insurer", "Bank", "Press", "Start-up"]
    assert found.settings.scheme == TrustScenario().settings.scheme
    assert any(problem.startswith("settings → recipients → 2 → trust was left out") for problem in problems)
    assert any(problem.startswith("settings → scheme was left out") for problem in problems)
    assert any(problem.startswith("settings → __proto__ was left out") for problem in problems)


def test_two_recipients_of_one_name_are_refused():
    twice = TrustScenario().to_dict()
    twice["settings"]["recipients"][1]["name"] = "Ministry"
    with pytest.raises(ValueError, match="same name"):
        TrustScenario.from_dict(twice)
    assert TrustScenario.read(twice).scenario.settings.recipients == TrustScenario().settings.recipients


def test_parts_by_path():
    scenario = TrustScenario()
    other = scenario.replace({"settings.scheme": "nested", "settings.sample": 50, "seed": 3})
    assert (other.at("settings.scheme"), other.at("settings.sample"), other.seed) == ("nested", 50, 3)
    assert scenario.seed == 12
    with pytest.raises(AttributeError, match="no part called shceme"):
        scenario.replace({"settings.shceme": "nested"})
