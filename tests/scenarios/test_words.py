"""Lists and sentences as a person would write them."""

import pytest

from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.stored import scenario_of
from trustscope.scenarios.trust.scenario import TrustScenario
from trustscope.scenarios.words import listed


@pytest.mark.parametrize(
    ("names", "text"), [([], "none"), (["A"], "A"), (["A", "B"], "A and B"), (iter("ABC"), "A, B and C")]
)
def test_names_are_listed(names, text):
    assert listed(names) == text


def test_a_sentence_in_a_sentence_ends_once():
    content = TrustScenario().to_dict()
    content["settings"] = {"scheme": "zz"}
    with pytest.raises(ScenarioProblem, match=r"or choose another\. Correct it"):
        scenario_of(content)
