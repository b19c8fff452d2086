"""A release that remembers what is out stays one, wherever it is handed to."""

import copy
import pickle

import numpy as np
import pytest

from trustscope.engine.gaussian import GaussianRelease
from trustscope.engine.uniform import UniformRelease
from trustscope.errors import TrustscopeError

MADE = {
    "numbers": lambda: GaussianRelease(np.arange(8.0), key=1_234_567),
    "categories": lambda: UniformRelease(np.arange(8) % 2, 2, key=1_234_567),
}


@pytest.mark.parametrize("kind", MADE)
def test_a_copy_of_a_release_is_the_release(kind):
    release = MADE[kind]()
    assert copy.copy(release) is copy.deepcopy({"of": release})["of"] is release


@pytest.mark.parametrize("kind", MADE)
def test_a_release_is_not_pickled(kind):
    with pytest.raises(TrustscopeError, match="remembers which copies are out"):
        pickle.dumps(MADE[kind]())
