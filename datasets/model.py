"""What every dataset looks like, wherever it came from."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import pandas as pd


@dataclass(frozen=True, eq=False)
class Dataset:
    """A table that is ready to be perturbed.

    Every column of `frame` is either numeric or categorical, and none has a missing value: numeric columns
    are complete, finite int64 or float64; categorical ones have the dtype ``category`` with text labels.
    What had to be done to get there is told in `notes`.

    All texts, column names and labels included, may come from somebody's file: they are plain text, and
    whoever shows them on a page must escape them.

    Parameters
    ----------
    name : str
        Short name; for a built-in set, the one given to ``datasets.load``.
    title : str
        One line for people.
    frame : pandas.DataFrame
        The rows. Each ``load`` hands out its own copy, so changing it harms nobody else.
    numeric, categorical : tuple of str
        The columns of either kind, the most telling ones first.
    label : str or None
        The categorical column that a classifier would predict; also listed in `categorical`.
    source, licence : str
        Where the rows came from, and under which terms.
    notes : tuple of str
        Sentences on what was left out, filled in, renamed or invented.
    units : mapping of str to str
        Units of numeric columns, where known.
    """

    name: str
    title: str
    frame: pd.DataFrame
    numeric: tuple[str, ...]
    categorical: tuple[str, ...]
    label: str | None
    source: str
    licence: str
    notes: tuple[str, ...] = ()
    units: Mapping[str, str] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.frame)
