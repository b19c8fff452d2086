"""Libraries are held to one thread, and let go."""

import pytest
import scipy.linalg  # noqa: F401 - its matrices are not numpy's
import sklearn.ensemble  # noqa: F401 - trees have a library of their own
from threadpoolctl import threadpool_info, threadpool_limits

from trustscope.engine.threads import one_thread


def threads(library):
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == library]


@pytest.mark.parametrize("library", ["blas", "openmp"])
def test_all_that_is_loaded_is_held_and_let_go(library):
    with threadpool_limits(2, user_api=library):
        with one_thread(library):
            held = threads(library)
        after = threads(library)
    assert held == [1] * len(held) != []
    assert after == [2] * len(held)
