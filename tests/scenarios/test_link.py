"""Links: every page comes back from its query, short enough to be sent, and no query breaks anything.

That any scenario comes back is in test_round_trips.py.
"""

import base64
import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as some

from trustscope.app.pages import PAGES
from trustscope.scenarios.coalition import recipients
from trustscope.scenarios.link import MOST_FIELDS, MOST_JSON, page_of, query_of, scenario_of, values_of
from trustscope.scenarios.preparation.steps import MOST_STEPS
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.scenario import MOST_PROBLEMS
from trustscope.scenarios.trust.scenario import ATTACKERS, TrustScenario

KINDS = {name: page.kind().kind for name, page in PAGES.items()}


@pytest.mark.parametrize("name", PAGES)
def test_every_page_opens_at_its_default_by_its_name_alone(name):
    kind = KINDS[name]
    assert query_of(kind()) == f"page={name}"
    assert scenario_of(f"page={name}", kind) == (kind(), ())
    other = kind().replace({"seed": 99})
    assert scenario_of(query_of(other), kind) == (other, ())
    assert kind.from_dict(json.loads(json.dumps(other.to_dict()))) == other


def test_eight_recipients_fit():
    scenario = TrustScenario().replace({
        "settings.recipients": recipients(90, 80, 70, 60, 50, 40, 30, 20),
        "settings.attackers": tuple(ATTACKERS),
        "settings.attribute": "Hours per week",
        "data.columns": ("Age", "Hours per week", "Years of education", "Capital gain", "Capital loss"),
        "settings.eps": 2.5, "view.person": 41_234, "seed": 2**31 - 1, "settings.scheme": "nested",
    })  # fmt: skip
    assert len(query_of(scenario)) < 1_000


@given(some.text(max_size=300))
def test_no_query_breaks_anything(text):
    for query in (text, f"page=trust&s={text}", f"page={text}&v=1&s=AAAA"):
        page_of(query)
        found = scenario_of(query, TrustScenario)
        assert found.scenario is not None


def test_a_bomb_is_not_unfolded():
    folded = zlib.compress(b"{}" + b" " * MOST_JSON, 9, -15)  # which is JSON, also where it is cut off
    bomb = base64.urlsafe_b64encode(folded).decode().rstrip("=")
    assert len(bomb) < 20_000
    assert scenario_of(f"page=trust&s={bomb}", TrustScenario).problems == (
        "This link is damaged, so the page opens as it usually does.",
    )


def packed_of(content):
    """A link to Trust, packed as anybody could pack it."""
    folded = zlib.compress(json.dumps(content, separators=(",", ":")).encode(), 9, -15)
    return f"page=trust&v=1&s={base64.urlsafe_b64encode(folded).decode().rstrip('=')}"


def nested(depth):
    return {"more": nested(depth - 1)} if depth else {}


@pytest.mark.parametrize(
    "content",
    [
        {"settings": {"recipients": [{f"k{n}": 0 for n in range(1_000)}] * 6}},
        {"data": {"columns": [1] * 20_000}},
        {"view": nested(400)},
    ],
)
def test_what_holds_more_than_any_scenario_is_not_looked_at(content):
    query = packed_of(content)
    assert len(query) < 10_000
    assert scenario_of(query, TrustScenario) == (
        TrustScenario(),
        ("This holds far more than any scenario does, so the page opens as it usually does.",),
    )
    with pytest.raises(ScenarioProblem, match="far more than any scenario"):
        TrustScenario.from_dict(content)


def test_of_what_is_wrong_in_hundreds_of_places_nothing_is_used():
    content = {"seed": 5, "view": {f"k{n}": 0 for n in range(1_000)}}
    assert scenario_of(packed_of(content), TrustScenario) == (
        TrustScenario(),
        ("More than 200 things in this cannot be used, so the page opens as it usually does.",),
    )
    content["view"] = {f"k{n}": 0 for n in range(100)}
    found, problems = scenario_of(packed_of(content), TrustScenario)
    assert (found.seed, len(problems)) == (5, MOST_PROBLEMS)


def test_the_largest_scenario_is_read():
    names = [f"column {n}" for n in range(1_000)]
    steps = [{"column": name, "action": "bottom", "limit": 1.0} for name in names[:MOST_STEPS]]
    content = {
        "data": {"columns": names, "preparation": steps},
        "settings": {"known": names[:200], "recipients": [r.model_dump() for r in recipients(*[50] * 12)]},
    }
    found, problems = TrustScenario.read(content)
    assert problems == ()
    assert TrustScenario.from_dict(json.loads(json.dumps(found.to_dict()))) == found


def test_a_query_with_too_many_fields_is_read_as_far_as_it_goes():
    many = "&".join(f"k{n}=1" for n in range(100))
    assert len(values_of(many)) == MOST_FIELDS
    assert page_of(f"page=trust&{many}") == "trust"
    assert scenario_of(many, TrustScenario) == (TrustScenario(), ())
    assert page_of(many) == ""


@pytest.mark.parametrize(
    "packed",
    [
        "q0YvZzKLMkFBjT1rwQMZZ06CpvDaWgA",  # with the common words of links
        base64.urlsafe_b64encode(zlib.compress(
            b'{"data":{"name":"iris"},"settings":{"scheme":"nested","attackers":["strongest","bayes"]}}', 9, -15
        )).decode().rstrip("="),  # as they were before there were any
    ],
)  # fmt: skip
def test_links_of_yesterday_open(packed):
    changes = {"settings.scheme": "nested", "data.name": "iris", "settings.attackers": ("strongest", "bayes")}
    assert scenario_of(f"page=trust&v=1&s={packed}", TrustScenario) == (TrustScenario().replace(changes), ())
