"""The built-in sets by name."""

from collections.abc import Callable
from difflib import get_close_matches
from inspect import signature
from typing import Any

from trustscope.datasets import shipped, synthetic
from trustscope.datasets.model import Dataset
from trustscope.datasets.problem import DataProblem

_MADE: dict[str, Callable[..., Dataset]] = {"census": synthetic.census, "gaussian": synthetic.gaussian}
_NAMES = ("census", *shipped.READERS, "gaussian")


def names() -> tuple[str, ...]:
    """Return the names of the built-in sets, the one to start with first."""
    return _NAMES


def load(name: str, **options: Any) -> Dataset:
    """Load a built-in set.

    Parameters
    ----------
    name : str
        One of ``names()``.
    **options
        For "census": `rows`, `seed`. For "gaussian": `rows`, `eigenvalues`, `seed`, `mean`.
        The others take none.

    Returns
    -------
    Dataset
        With a frame of its own. Files are read once for each process; what is made from a seed is made anew.

    Raises
    ------
    DataProblem
        If there is no such set or option, or an option's value makes no sense.
    """
    if name not in _NAMES:
        raise DataProblem(_unknown(name))
    make = _MADE.get(name)
    known = tuple(signature(make).parameters) if make else ()
    for option in options:
        if option not in known:
            offered = f"it takes {_listed(known)}" if known else "it takes none"
            raise DataProblem(f"The dataset '{name}' has no option '{option}'; {offered}.")
    return make(**options) if make else shipped.load(name)


def _unknown(name: object) -> str:
    close = get_close_matches(str(name).lower(), _NAMES, n=1)
    hint = f"Did you mean '{close[0]}'? " if close else ""
    return f"There is no dataset called '{name}'. {hint}The built-in ones are {_listed(_NAMES)}."


def _listed(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}"
