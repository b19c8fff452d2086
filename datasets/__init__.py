"""Where data comes from: the built-in sets, people's own files, and their validation.

>>> from trustscope import datasets
>>> datasets.load("census", rows=1000, seed=7).numeric
('Age', 'Income')

Knows nothing of the other rooms. Whatever reads people's own tables and files needs Arrow, and is imported when it is
first asked for: the built-in sets do without.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from trustscope.datasets.gaps import LeftOut
from trustscope.datasets.limits import LIMITS, Limits, limits_sentence
from trustscope.datasets.model import Complete, Dataset, Origin
from trustscope.datasets.patients import patients
from trustscope.datasets.problem import DataProblem
from trustscope.datasets.registry import built_in, load, names
from trustscope.extras import require

if TYPE_CHECKING:  # for editors and type checkers: the same names as in _ARROW
    from trustscope.datasets.as_kind import KINDS
    from trustscope.datasets.inspection import ColumnReport, Inspection
    from trustscope.datasets.upload import columns, inspect

_ARROW = {
    "KINDS": "as_kind",
    "ColumnReport": "inspection",
    "Inspection": "inspection",
    "columns": "upload",
    "inspect": "upload",
}

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
    "built_in",
    "columns",
    "inspect",
    "limits_sentence",
    "load",
    "names",
    "patients",
]


def __getattr__(name: str) -> Any:
    if name not in _ARROW:
        raise AttributeError(f"module 'trustscope.datasets' has no attribute {name!r}")
    require("files")
    value = getattr(import_module(f"trustscope.datasets.{_ARROW[name]}"), name)
    globals()[name] = value  # the next look-up is direct
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_ARROW})
