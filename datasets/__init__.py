"""Where data comes from: the built-in sets, people's own files, and their validation.

>>> from trustscope import datasets
>>> datasets.load("census", rows=1000, seed=7).numeric
('Age', 'Income')

Knows nothing of the other rooms.
"""

from trustscope.datasets.as_kind import KINDS
from trustscope.datasets.gaps import LeftOut
from trustscope.datasets.inspection import ColumnReport, Inspection
from trustscope.datasets.limits import LIMITS, Limits, limits_sentence
from trustscope.datasets.model import Complete, Dataset, Origin
from trustscope.datasets.patients import patients
from trustscope.datasets.problem import DataProblem
from trustscope.datasets.registry import load, names
from trustscope.datasets.upload import columns, inspect

__all__ = [
    "KINDS",
    "LIMITS",
    "ColumnReport",
    "Complete",
    "DataProblem",
    "Dataset",
    "Inspection",
    "LeftOut",
    "Limits",
    "Origin",
    "columns",
    "inspect",
    "limits_sentence",
    "load",
    "names",
    "patients",
]
