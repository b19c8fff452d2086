"""Libraries are held to one thread, and let go."""

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from trustscope.engine.threads import one_thread


def threads(library):
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == library]


@pytest.mark.parametrize("library", ["blas", "openmp"])
def test_all_that_is_loaded_is_held_and_let_go(library):
    np.linalg.eigh(np.eye(3))
    with one_thread(library):
        held = threads(library)
    assert held
    assert set(held) == {1}
    with one_thread(library):
        pass
    before = threads(library)
    with one_thread(library):
        assert set(threads(library)) == {1}
    assert threads(library) == before
