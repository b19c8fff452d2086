"""The schema of scenario files: made from the code, kept beside it, and true of every scenario."""

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from tests.scenarios.strategies import SCENARIOS
from trustscope.app import cli
from trustscope.scenarios import pages
from trustscope.scenarios.scenario import Scenario
from trustscope.scenarios.schema import schema

KEPT = Path(__file__).parents[2] / "docs" / "scenario.schema.json"
VALIDATOR = jsonschema.Draft202012Validator(schema())


def test_the_kept_schema_is_that_of_the_code(capsys):
    """Renew it with `trustscope schema > docs/scenario.schema.json`."""
    assert json.loads(KEPT.read_text(encoding="utf-8")) == schema()
    assert cli.main(["schema"]) == 0
    assert capsys.readouterr().out == KEPT.read_text(encoding="utf-8")


def test_it_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("page", pages.NAMES)
@settings(max_examples=20, deadline=None)
@given(data=some.data())
def test_every_scenario_has_this_form(page, data):
    VALIDATOR.validate(json.loads(json.dumps(data.draw(SCENARIOS[page]).to_dict())))


@pytest.mark.parametrize(
    "change",
    [
        {"page": "moon"}, {"trustscope": 2}, {"seed": -1}, {"seed": "twelve"}, {"nonsense": 1}, {"data": {"name": 7}},
        {"settings": {"scheme": "The best"}}, {"settings": {"recipients": []}}, {"view": {"person": 0}},
    ],
)  # fmt: skip
def test_what_the_code_refuses_the_schema_refuses(change):
    content = pages.kind_of("trust")().to_dict() | change
    assert VALIDATOR.is_valid(content | {name: pages.kind_of("trust")().to_dict().get(name) for name in change}) == (
        "nonsense" not in change
    )
    assert not VALIDATOR.is_valid(content)
    with pytest.raises(ValueError):
        Scenario.from_dict(content)


def test_the_example_of_the_documentation_is_one():
    text = (KEPT.parent / "scenario.md").read_text(encoding="utf-8")
    example = json.loads(text.split("```json\n")[1].split("```")[0])
    VALIDATOR.validate(example)
    assert Scenario.from_dict(example).page == "trust"
