"""Models that are remembered: of built-in data for everybody, of own data with these data."""

import gc
import pickle
import weakref
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from trustscope.datasets import inspect
from trustscope.scenarios import models, pages
from trustscope.scenarios.scenario import OWN


def own_data():
    draw = np.random.default_rng(3)
    frame = pd.DataFrame({"a": draw.normal(size=80), "b": draw.normal(size=80), "kind": draw.choice(list("xyz"), 80)})
    return inspect(frame.to_csv(index=False).encode(), "mine.csv").dataset()


@pytest.mark.parametrize("page", ["trust", "categories", "rotation"])
def test_a_model_of_own_data_is_there_as_long_as_they_are(page):
    own = own_data()
    work = pages.work_of(pages.kind_of(page)())
    scenario = pages.kind_of(page)().replace({"data.name": OWN})
    found = work.make_model(scenario, own)
    fitted = found.model.fit_to_data(scenario)
    assert work.make_model(fitted, own).model is found.model  # also where the columns are named
    assert work.make_model(scenario, replace(own)).model is not found.model  # nobody else's
    assert not models.of_own(pickle.loads(pickle.dumps(own)))._kept  # it does not go along
    gone = weakref.ref(own)
    del own, found
    gc.collect()
    assert gone() is None
