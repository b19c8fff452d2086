"""What every dataset looks like, wherever it came from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from html import escape
from typing import NamedTuple

import numpy as np
import pandas as pd

from trustscope.datasets.gaps import Values, gaps_of, left_out, tight, without_constants
from trustscope.datasets.problem import DataProblem
from trustscope.datasets.texts import clean, spaced


@dataclass(frozen=True)
class Origin:
    """Which data these are, without any of them, so that a link can name them.

    Parameters
    ----------
    name : str
        The name of a built-in set, or of a person's own file.
    size : int or None
        The number of bytes of an own file, as it was given (compressed or not).
    digest : str or None
        The SHA-256 digest of these bytes, in hexadecimal.
    """

    name: str
    size: int | None = None
    digest: str | None = None

    @property
    def own(self) -> bool:
        """Whether this is a person's own file."""
        return self.digest is not None


class Complete(NamedTuple):
    """The rows of a dataset that have a value in each of some columns, and how many rows do not."""

    dataset: "Dataset"
    left_out: int


@dataclass(frozen=True, eq=False)
class Dataset:
    """A table that is ready to be perturbed.

    Every column of `frame` is numeric, categorical or a date. Numeric columns are finite int64 or float64,
    categorical ones have the dtype ``category`` with text labels, dates are ``datetime64[us]``. None has a missing
    value, unless the dataset was made with ``missing="keep"``: then `gaps` counts them, and `complete` gives the
    rows without. What had to be done to get there is told in `notes`.

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
    dates : tuple of str
        The columns of dates. They are kept, and not released.
    file : Origin or None
        Which file it is, if it is a person's own; see `origin`.
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
    dates: tuple[str, ...] = ()
    file: Origin | None = None

    def __repr__(self) -> str:
        kinds = {"numbers": self.numeric, "categories": self.categorical, "dates": self.dates}
        told = "; ".join(f"{kind} {_few(names)}" for kind, names in kinds.items() if names)
        return f"<Dataset {self.name}: {spaced(self.rows)} rows; {told}>"

    def _repr_html_(self) -> str:
        told = "".join(f"<li>{escape(note)}</li>" for note in self.notes)
        return f"<p>{escape(repr(self)[1:-1])}</p><ul>{told}</ul>{self.frame.head().to_html(border=0)}"

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.frame)

    @property
    def origin(self) -> Origin:
        """Which data these are: for an own file its name, size and digest, otherwise the name of the set."""
        return self.file if self.file is not None else Origin(self.name)

    @property
    def gaps(self) -> dict[str, int]:
        """The number of missing values of each column that has any."""
        counts = self.frame.isna().sum()
        return {str(name): int(count) for name, count in counts.items() if count}

    def complete(self, columns: Iterable[str] | None = None) -> Complete:
        """Return the rows that have a value in each of these columns, with these columns only.

        Parameters
        ----------
        columns : iterable of str, optional
            All by default.

        Returns
        -------
        Complete
            ``dataset``, without gaps, and ``left_out``, the number of rows that had one. A column that has only one
            value left is left aside, as everywhere; the notes say so.

        Raises
        ------
        DataProblem
            If there is no such column, or fewer than two rows are complete.
        """
        chosen = list(dict.fromkeys(self.frame.columns if columns is None else columns))
        for name in chosen:
            if name not in self.frame.columns:
                raise DataProblem(f"There is no column called '{clean(name)}' in {self.name}.")
        values = {name: _values(self.frame[name]) for name in chosen}
        gaps = {name: gaps_of(column) for name, column in values.items()}
        lost = left_out(gaps, self.rows)
        if self.rows - lost.rows < 2:
            raise DataProblem(
                f"Fewer than two of {spaced(self.rows)} rows have a value in each of these columns: "
                "choose fewer columns, or fill in missing values."
            )
        if not lost.rows:
            return Complete(self._with(self.frame[chosen].copy(), ()), 0)
        keep = ~np.logical_or.reduce(list(gaps.values()))
        kept, notes = without_constants({name: tight(column[keep]) for name, column in values.items()})
        told = f"{spaced(lost.rows)} of {spaced(self.rows)} rows had a missing value in a chosen column and "
        told += "was left out." if lost.rows == 1 else "were left out."
        return Complete(self._with(pd.DataFrame(kept), (told, *notes)), lost.rows)

    def _with(self, frame: pd.DataFrame, notes: tuple[str, ...]) -> "Dataset":
        """The same dataset with fewer rows or columns."""
        return replace(
            self,
            frame=frame,
            numeric=tuple(n for n in self.numeric if n in frame),
            categorical=tuple(n for n in self.categorical if n in frame),
            dates=tuple(n for n in self.dates if n in frame),
            label=self.label if self.label in frame else None,
            notes=(*notes, *self.notes),
            units={n: unit for n, unit in self.units.items() if n in frame},
        )


def _few(names: tuple[str, ...], most: int = 6) -> str:
    """Some names, and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def _values(series: "pd.Series") -> Values:
    return series.array if isinstance(series.dtype, pd.CategoricalDtype) else series.to_numpy()
