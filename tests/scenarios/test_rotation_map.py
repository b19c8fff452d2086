"""The map of the Rotation page: every place is what the page says there."""

import numpy as np
import pytest

from trustscope import datasets
from trustscope.scenarios.rotation import map
from trustscope.scenarios.rotation.model import Model
from trustscope.scenarios.rotation.scenario import RotationScenario

pytestmark = pytest.mark.usefixtures("few_others")  # models are those of this file alone


@pytest.fixture(scope="module")
def model():
    data = datasets.load("wine")
    return Model(data.frame[list(data.numeric[:4])].to_numpy(float), data.numeric[:4], 12)


@pytest.mark.sweep
@pytest.mark.parametrize("kind", ["value", "euclidean"])
@pytest.mark.parametrize("story", ["known", "sample", "remedy"])
def test_every_place_is_what_the_page_says_there(model, story, kind):
    asked = model.fit_to_data(RotationScenario().replace({"view.story": story, "settings.kind": kind}))
    steps = list(map.grid(model, asked, 0.5))
    known = [int(np.isfinite(step.values).sum()) for step in steps]
    assert known[0] == 0
    assert known == sorted(known)
    found = steps[-1]
    assert found.complete
    assert np.isfinite(found.values).all()
    for row, column in ((0, 0), (1, 11), (-1, 20)):
        there = map.placed(model, asked, {found.across.key: found.across.values[column],
                                          found.upwards.key: found.upwards.values[row]})  # fmt: skip
        assert model.fit_to_data(RotationScenario.from_dict(there.to_dict())) == there
        pictures = [one for one in model.passes(there) if not one.waiting][:1]
        assert found.values[row, column] == pytest.approx(pictures[0].found, abs=1e-9)


def test_the_most_exposed_record_and_the_other_way_round(model):
    changes = {"view.story": "known", "view.map.figure": "exposed", "view.map.across": "known",
               "view.map.upwards": "eps"}  # fmt: skip
    asked = model.fit_to_data(RotationScenario().replace(changes))
    *_, found = map.grid(model, asked)
    assert (found.across.key, found.upwards.key) == ("known", "eps")
    there = map.placed(model, asked, {"known": found.across.values[3], "eps": found.upwards.values[5]})
    assert found.values[5, 3] == pytest.approx(model.preview(there).highest)
    # Who knows others guesses each distance afresh: single values may be lost as the distance grows, but not many.
    assert np.all(found.values[-1] >= found.values[0])
    assert np.mean(np.diff(found.values, axis=0) >= -1e-9) > 0.9


def test_a_story_without_an_attacker_has_no_map(model):
    assert map.offered(model.fit_to_data(RotationScenario())) == ([], [])
