"""The built-in sets by name."""

from collections.abc import Callable
from difflib import get_close_matches
from inspect import signature
from pathlib import Path
from typing import Any

from trustscope.datasets import shipped, synthetic
from trustscope.datasets.model import Dataset
from trustscope.datasets.problem import DataProblem
from trustscope.extras import require

_MADE: dict[str, Callable[..., Dataset]] = {"census": synthetic.census, "gaussian": synthetic.gaussian}
_NAMES = ("census", *shipped.READERS, "gaussian")
LONGEST = 40  # letters of an unknown name that are repeated


def names() -> tuple[str, ...]:
    """Return the names of the built-in sets, the one to start with first."""
    return _NAMES


def load(data: str | Path | Any, **options: Any) -> Dataset:
    """Load a built-in set, a file, or a table in memory.

    Parameters
    ----------
    data : str, path or table
        One of ``names()``; the path of a CSV, Parquet, Excel or OpenDocument file; or a pandas, polars or Arrow table.
    **options
        For "census": `rows`, `seed`. For "gaussian": `rows`, `eigenvalues`, `seed`, `mean`. The other built-in sets
        take none. For files and tables those of `Inspection.dataset`: `columns`, `missing`, `kinds` ...

    Returns
    -------
    Dataset
        With a frame of its own. Files are read once for each process; what is made from a seed is made anew.

    Raises
    ------
    DataProblem
        If there is no such set, file or option, or an option's value makes no sense.
    """
    if isinstance(data, Dataset):
        raise DataProblem("This is a dataset already: it can be used as it is.")
    if not isinstance(data, str) or (data not in _NAMES and is_path(data)):
        return _own(data, options)
    if data not in _NAMES:
        raise DataProblem(f"{_unknown(data)}; a file is named by its path, such as 'data.csv'.")
    return built_in(data, **options)


def built_in(name: str, **options: Any) -> Dataset:
    """Load a built-in set, and nothing else: for names that come from outside, such as those of a link.

    Parameters
    ----------
    name : str
        One of ``names()``.
    **options
        As for ``load``.

    Returns
    -------
    Dataset

    Raises
    ------
    DataProblem
        If there is no such set or option. No file is looked at.
    """
    if name not in _NAMES:
        raise DataProblem(f"{_unknown(name[:LONGEST])}.")
    make = _MADE.get(name)
    known = tuple(signature(make).parameters) if make else ()
    for option in options:
        if option not in known:
            offered = f"it takes {_listed(known)}" if known else "it takes none"
            raise DataProblem(f"The dataset '{name}' has no option '{option}'; {offered}.")
    return make(**options) if make else shipped.load(name)


def is_path(text: str) -> bool:
    """Whether a text that names no built-in set looks like the path of a file, or is one."""
    return bool(Path(text).suffix) or "/" in text or "\\" in text or Path(text).is_file()


def _own(data: Any, options: dict[str, Any]) -> Dataset:
    """A file or a table of a person's own."""
    require("files")
    from trustscope.datasets.inspection import Inspection
    from trustscope.datasets.upload import inspect

    known = tuple(signature(Inspection.dataset).parameters)[1:]
    for option in options:
        if option not in known:
            raise DataProblem(f"A file or a table has no option '{option}'; it takes {_listed(known)}.")
    return inspect(data).dataset(**options)


def _unknown(name: object) -> str:
    """The sentence on a name that is none, without its end."""
    close = get_close_matches(str(name).lower(), _NAMES, n=1)
    hint = f"Did you mean '{close[0]}'? " if close else ""
    return f"There is no dataset called '{name}'. {hint}The built-in ones are {_listed(_NAMES)}"


def _listed(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}"
