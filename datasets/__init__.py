"""Where data comes from: the built-in sets, people's own files, and their validation.

>>> from trustscope import datasets
>>> datasets.load("census", rows=1000, seed=7).numeric
('Age', 'Income')

Knows nothing of the other rooms.
"""

from trustscope.datasets.limits import LIMITS, Limits, limits_sentence
from trustscope.datasets.model import Dataset
from trustscope.datasets.problem import DataProblem
from trustscope.datasets.registry import load, names
from trustscope.datasets.upload import ColumnReport, Inspection, inspect

__all__ = [
    "LIMITS",
    "ColumnReport",
    "DataProblem",
    "Dataset",
    "Inspection",
    "Limits",
    "inspect",
    "limits_sentence",
    "load",
    "names",
]
