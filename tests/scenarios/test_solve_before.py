"""What a target is told of steps before the noise."""

import numpy as np
import pandas as pd
import pytest

from trustscope.datasets import Dataset
from trustscope.scenarios.preparation import Preparation
from trustscope.scenarios.solve.before import before_the_noise
from trustscope.scenarios.solve.requirement import TrustRequirement
from trustscope.scenarios.trust.scenario import TrustScenario


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({
        "Hours": np.append(rng.normal(40, 5, 2_000), np.full(3, 200.0)), "Wage": rng.lognormal(6, 1, 2_003),
        "Size": rng.normal(170, 8, 2_003),
    })  # fmt: skip
    return Dataset("own", "own", frame, ("Hours", "Wage", "Size"), (), None, "", "", units={"Hours": "h"})


def asked(*requirements, **changes):
    columns = {"data.columns": ("Hours", "Wage", "Size"), "settings.attribute": "Hours"}
    return TrustScenario().replace({"settings.requirements": requirements} | columns | changes)


def hits(attribute=""):
    return TrustRequirement(what="hits", limit=0.3, attribute=attribute, distance=2.0)


def test_a_bound_is_offered_for_the_column_that_the_target_is_about(data):
    scenario = asked(hits())
    (answer,) = before_the_noise(data, scenario)
    assert answer.title == "Before the noise: Hours"
    assert answer.text.startswith("3 records share the value 200 h of Hours")
    assert "With “Code the highest 0.5 %” it would be" in answer.text
    assert answer.found
    assert answer.hint
    assert answer.changes == {"data.preparation": (Preparation(column="Hours", action="top", share=0.005),)}


def test_what_changes_the_unit_is_told_and_not_applied(data):
    (answer,) = before_the_noise(data, asked(hits("Wage")))
    assert not answer.found
    assert "“Take the logarithm”" in answer.text
    assert answer.text.endswith("It is done under Data.")


def test_a_limit_on_whole_records_is_about_all_columns(data):
    error = TrustRequirement(what="error", limit=0.4)
    assert [one.key for one in before_the_noise(data, asked(error, hits()))] == ["before Hours", "before Wage"]


def test_nothing_is_said_where_nothing_is_needed(data):
    assert not list(before_the_noise(data, asked(hits("Size"))))
    assert not list(before_the_noise(data, asked(TrustRequirement(what="mean", limit=1.0, attribute="Hours"))))
    assert not list(before_the_noise(None, asked(hits())))
    done = (Preparation(column="Hours", action="top", share=0.005),)
    assert not list(before_the_noise(data, asked(hits(), **{"data.preparation": done})))
