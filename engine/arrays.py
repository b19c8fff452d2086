"""Names for the types of arrays that signatures speak of."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["ArrayLike", "Bits", "Bools", "Floats", "Integers", "Numbers", "Several", "Weights", "Words"]

# The shapes stand in the docstrings: numpy's types do not carry them.
Floats = NDArray[np.float64]
Integers = NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]
Bits = NDArray[np.uint8]
Words = NDArray[np.uint64]
# Of either precision: many weights are added up as float32, which takes half of the time.
Weights = NDArray[np.floating[Any]]
# One thing after another: copies, or the values that an experiment goes through.
Several = Sequence[Any] | NDArray[Any]
# What formulas are written for: one number, or many at once.
Numbers = float | Floats
