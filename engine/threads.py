"""One thread for a numeric library, where work is shared out among threads of our own or the machine is busy."""

from contextlib import AbstractContextManager
from functools import cache
from typing import Any, Literal

from threadpoolctl import ThreadpoolController

__all__ = ["one_thread"]


def one_thread(library: Literal["blas", "openmp"]) -> AbstractContextManager[Any]:
    """Hold a library to one thread for a while: matrices, or the trees of scikit-learn."""
    held: AbstractContextManager[Any] = _controller(library).limit(limits=1, user_api=library)
    return held


@cache
def _controller(library: str) -> ThreadpoolController:
    """Finds what is loaded, which takes milliseconds: once. So what is to be held is loaded first."""
    if library == "openmp":
        import sklearn.ensemble  # noqa: F401 - takes a second
    else:
        import scipy.linalg  # noqa: F401 - its matrices are not numpy's
    return ThreadpoolController()
