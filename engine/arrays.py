"""Names for the types of arrays that signatures speak of."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["ArrayLike", "Bits", "Bools", "Floats", "Integers", "Values"]

# The shapes stand in the docstrings: numpy's types do not carry them.
Floats = NDArray[np.float64]
Integers = NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]
Bits = NDArray[np.uint8]
Values = NDArray[Any]
