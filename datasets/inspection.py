"""What was understood of a file, and the dataset that a person makes of it, corrected where it was wrong."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
import pyarrow as pa

from trustscope.datasets.as_kind import KINDS, as_kind
from trustscope.datasets.column import Column
from trustscope.datasets.gaps import LeftOut, Values, gaps_of, left_out, tight, without_constants
from trustscope.datasets.kinds import understand
from trustscope.datasets.model import Dataset, Origin
from trustscope.datasets.problem import DataProblem
from trustscope.datasets.texts import clean, spaced, spaced_real
from trustscope.datasets.units import unit_in

MISSING = ("drop", "fill", "keep")
UNIT_LENGTH = 24
_REMEMBERED = 1000  # masks of missing values that an inspection keeps, a bit for each row

Kinds = Mapping[str, str]
Codes = Mapping[str, Iterable[object]]


@dataclass(frozen=True)
class ColumnReport:
    """What was understood of one column.

    Parameters
    ----------
    name : str
    kind : str
        One of those listed in ``datasets.kinds``.
    missing, distinct : int
        How many rows have no value, and how many different values the others have.
    example : str
        One value.
    note : str
        What there is to tell, for one why the column is not `usable`.
    usable : bool
        Whether a dataset can have the column as it was understood; it is then chosen at first.
    reason : str
        A sentence that says why it is of this kind.
    choices : tuple of str
        The kinds that it can be given instead.
    unit : str
        The unit of its numbers, from its values or its name; empty if there is none.

    `name`, `example`, `reason` and `note` may quote the file: plain text, to be escaped by whoever shows them.
    """

    name: str
    kind: str
    missing: int
    distinct: int
    example: str
    note: str
    usable: bool
    reason: str = ""
    choices: tuple[str, ...] = ()
    unit: str = ""


@dataclass(frozen=True, eq=False)
class Inspection:
    """What was understood of a file, before any of it is used.

    Parameters
    ----------
    filename : str
        The name without its folders, fit to be shown.
    format : str
        Such as "CSV, semicolon-separated, UTF-8".
    rows : int
        Number of rows, the header not counted.
    columns : tuple of ColumnReport
        In the order of the file.
    notes : tuple of str
        Sentences on what had to be decided, changed or left aside.
    origin : Origin
        Name, size and digest of the file.
    raw : mapping of str to pyarrow.Array
        The columns as they stand in the file.
    decimal_comma : bool
        Whether an ambiguous "1,234" is more likely to be a little over one.
    """

    filename: str
    format: str
    rows: int
    columns: tuple[ColumnReport, ...]
    notes: tuple[str, ...]
    origin: Origin
    raw: Mapping[str, pa.Array | pa.ChunkedArray] = field(repr=False)
    decimal_comma: bool = False
    _masks: dict[tuple[str, str, tuple[str, ...]], np.ndarray] = field(repr=False, default_factory=dict)

    @property
    def usable(self) -> tuple[str, ...]:
        """Names of the columns that a dataset can have, as they were understood."""
        return tuple(c.name for c in self.columns if c.usable)

    def preview(self, rows: int = 5) -> pd.DataFrame:
        """Return the first rows of the usable columns, missing values still missing."""
        read = {name: self._read(name, "", ()).values for name in self.usable}
        return pd.DataFrame({name: values[:rows] for name, values in read.items() if values is not None})

    @property
    def size(self) -> int:
        """Bytes that the columns take as they stand."""
        return sum(array.nbytes for array in self.raw.values())

    def size_of(
        self,
        columns: Iterable[str] | None = None,
        kinds: Kinds | None = None,
        missing_codes: Codes | None = None,
    ) -> int:
        """Bytes that a dataset of these columns would take, about; the parameters are those of `dataset`."""
        was = {c.name: c.kind for c in self.columns}
        plan = self._plan(columns, kinds, missing_codes)
        return self.rows * sum(
            2 if (kind or was[name]) in ("category", "yes/no") else 8 for name, (kind, _) in plan.items()
        )

    def left_out(
        self,
        columns: Iterable[str] | None = None,
        kinds: Kinds | None = None,
        missing_codes: Codes | None = None,
    ) -> LeftOut:
        """Say how many rows a dataset of these columns would leave out, and because of which.

        The parameters are those of `dataset`. Asking again for a column that has not changed costs next to nothing.
        """
        plan = self._plan(columns, kinds, missing_codes)
        return left_out({name: self._mask(name, *how) for name, how in plan.items()}, self.rows)

    def dataset(
        self,
        columns: Iterable[str] | None = None,
        missing: str = "drop",
        title: str | None = None,
        label: str | None = None,
        *,
        kinds: Kinds | None = None,
        missing_codes: Codes | None = None,
        units: Mapping[str, str] | None = None,
    ) -> Dataset:
        """Make a dataset of the chosen columns.

        Parameters
        ----------
        columns : iterable of str, optional
            Names of columns; by default all that are usable, and those that `kinds` makes usable.
        missing : {"drop", "fill", "keep"}
            Leave out rows with a missing value in a chosen column; fill in the column's mean (numbers, dates) or its
            most frequent label (categories); or keep them, for ``Dataset.complete`` to leave out later.
        title : str, optional
            The file's name by default.
        label : str, optional
            A chosen categorical column that a classifier should predict.
        kinds : mapping of str to str, optional
            What columns are, where it was not understood: "number", "category", "date"; "identifier" or
            "leave out" for those that are not to be used.
        missing_codes : mapping of str to iterable, optional
            For a column the values that stand for missing ones, such as ``{"Income": ["-9", "none"]}``.
        units : mapping of str to str, optional
            Units of columns of numbers, in place of those that were found.

        Raises
        ------
        DataProblem
            If a column is unknown or unusable, or fewer than two rows remain.
        """
        if missing not in MISSING:
            raise DataProblem(f"Missing values can be treated by 'drop', 'fill' or 'keep', not by '{clean(missing)}'.")
        plan = self._plan(columns, kinds, missing_codes)
        read = {name: self._usable(name, *how) for name, how in plan.items()}
        raw = {name: column.values for name, column in read.items() if column.values is not None}
        treat = {"drop": self._dropped, "fill": self._filled, "keep": self._kept}[missing]
        values, notes = treat(raw, {name: gaps_of(v) for name, v in raw.items()})
        values, lost = without_constants(values)
        if not values:
            raise DataProblem(
                f"In the rows of {self.filename} that are left, every chosen column has one value "
                "throughout: choose other columns, or fill in missing values."
            )
        told = [f"'{n}': {read[n].note}" for n in values if read[n].note]
        return self._made(values, read, units, title, label, (*notes, *lost, *told))

    def _made(
        self,
        values: dict[str, Values],
        read: Mapping[str, Column],
        units: Mapping[str, str] | None,
        title: str | None,
        label: str | None,
        notes: tuple[str, ...],
    ) -> Dataset:
        dates = tuple(n for n, v in values.items() if isinstance(v, np.ndarray) and v.dtype.kind == "M")
        numeric = tuple(n for n, v in values.items() if isinstance(v, np.ndarray) and n not in dates)
        categorical = tuple(n for n in values if n not in numeric and n not in dates)
        if not numeric and not categorical:
            raise DataProblem("Only dates are chosen: choose numbers or categories as well, or use a date as a number.")
        if label is not None and label not in categorical:
            raise DataProblem(f"The label '{clean(label)}' is not among the chosen categories.")
        found = {n: read[n].unit or unit_in(n) for n in numeric}
        given = {n: clean(unit, UNIT_LENGTH) for n, unit in (units or {}).items() if n in numeric}
        return Dataset(
            name=self.filename,
            title=clean(title) if title else self.filename,
            frame=pd.DataFrame(values),
            numeric=numeric,
            categorical=categorical,
            label=label,
            source=f"Your file {self.filename}.",
            licence="Yours; the program does not know.",
            notes=notes,
            units={n: unit for n, unit in (found | given).items() if unit},
            dates=dates,
            file=self.origin,
        )

    # How each column is read

    def _plan(
        self, columns: Iterable[str] | None, kinds: Kinds | None, missing_codes: Codes | None
    ) -> dict[str, tuple[str, tuple[str, ...]]]:
        """For each chosen column the kind that it is read as ("" as it was understood), and its missing codes."""
        kinds, missing_codes = dict(kinds or {}), dict(missing_codes or {})
        reports = {c.name: c for c in self.columns}
        if isinstance(columns, str):
            columns = (columns,)
        wanted = None if columns is None else list(dict.fromkeys(columns))
        for name in (*(wanted or ()), *kinds, *missing_codes):
            if name not in reports:
                raise DataProblem(f"{self.filename} has no column called '{clean(name)}'.")
        for name, kind in kinds.items():
            if kind not in (*KINDS, reports[name].kind):
                raise DataProblem(
                    f"The column '{name}' cannot be a '{clean(kind)}': choose one of {', '.join(KINDS[:-1])} "
                    f"or {KINDS[-1]}."
                )
        asked = {name: kind for name, kind in kinds.items() if kind != reports[name].kind}
        if wanted is None:
            out = {name for name, kind in asked.items() if kind in ("identifier", "leave out")}
            wanted = [c.name for c in self.columns if (c.usable or c.name in asked) and c.name not in out]
        if not wanted:
            raise DataProblem(f"No column of {self.filename} is chosen: choose at least one.")
        return {n: (asked.get(n, ""), _texts(missing_codes.get(n, ()))) for n in wanted}

    def _read(self, name: str, kind: str, codes: tuple[str, ...]) -> Column:
        if kind:
            return as_kind(self.raw[name], kind, self.decimal_comma, codes)
        before = next(c for c in self.columns if c.name == name)
        known = None if codes else before.distinct
        column = understand(self.raw[name], self.decimal_comma, name, codes, known)
        if codes and not column.usable and before.usable and before.kind in KINDS:
            # Naming a missing code must not make a category an identifier because the values left all differ.
            return as_kind(self.raw[name], before.kind, self.decimal_comma, codes)
        return column

    def _usable(self, name: str, kind: str, codes: tuple[str, ...]) -> Column:
        report = next(c for c in self.columns if c.name == name)
        if not (report.usable or kind or codes):
            raise DataProblem(f"The column '{name}' cannot be used. {report.note}")
        column = self._read(name, kind, codes)
        if not column.usable:
            raise DataProblem(f"The column '{name}' cannot be used. {column.note}")
        return column

    def _mask(self, name: str, kind: str, codes: tuple[str, ...]) -> np.ndarray:
        """Where the column has no value; remembered, packed to a bit for each row."""
        key = (name, kind, codes)
        if key not in self._masks:
            values = self._usable(name, kind, codes).values
            if len(self._masks) >= _REMEMBERED:
                self._masks.clear()
            self._masks[key] = np.packbits(gaps_of(values) if values is not None else np.ones(self.rows, dtype=bool))
        return np.unpackbits(self._masks[key], count=self.rows).astype(bool)

    # What becomes of missing values

    def _dropped(
        self, values: Mapping[str, Values], gaps: Mapping[str, np.ndarray]
    ) -> tuple[dict[str, Values], list[str]]:
        keep = ~np.logical_or.reduce(list(gaps.values()))
        kept, lost = int(keep.sum()), int((~keep).sum())
        if kept < 2:
            worst = max(values, key=lambda name: int(gaps[name].sum()))
            raise DataProblem(
                f"Only {kept} of {spaced(self.rows)} rows of {self.filename} have a value in every chosen column: "
                f"leave out '{worst}' ({gaps[worst].mean():.0%} missing), or fill in missing values."
            )
        if not lost:
            return self._kept(values, gaps)
        return {name: tight(column[keep]) for name, column in values.items()}, [
            f"{spaced(lost)} of {spaced(self.rows)} rows had a missing value in a chosen column and "
            f"{'was' if lost == 1 else 'were'} left out."
        ]

    def _kept(
        self, values: Mapping[str, Values], gaps: Mapping[str, np.ndarray]
    ) -> tuple[dict[str, Values], list[str]]:
        return {name: tight(column.copy()) for name, column in values.items()}, []

    def _filled(
        self, values: Mapping[str, Values], gaps: Mapping[str, np.ndarray]
    ) -> tuple[dict[str, Values], list[str]]:
        filled: dict[str, Values] = {}
        notes = []
        for name, column in values.items():
            gap, count = gaps[name], int(gaps[name].sum())
            if not count:
                filled[name] = column.copy()
                continue
            filled[name], what = _filling(column, gap)
            verb = "value was" if count == 1 else "values were"
            notes.append(f"{spaced(count)} missing {verb} filled in for '{name}', with {what}.")
        return filled, notes


def _filling(column: Values, gap: np.ndarray) -> tuple[Values, str]:
    """Fill in the mean or the most frequent label, and say which."""
    if isinstance(column, pd.Categorical):
        label = column.categories[int(np.bincount(column.codes[~gap]).argmax())]
        return column.fillna(label), f"the most frequent one, '{clean(label)}'"
    if column.dtype.kind == "M":
        middle = column[~gap].astype(np.int64).mean().astype("datetime64[us]")
        return np.where(gap, middle, column), f"the mean, {str(middle)[:10]}"
    mean = float(column[~gap].mean())
    return np.where(gap, mean, column), f"the mean, {spaced_real(mean)}"


def _texts(codes: Iterable[object]) -> tuple[str, ...]:
    codes = (codes,) if isinstance(codes, (str, int, float)) else codes
    return tuple(dict.fromkeys(str(code).strip() for code in codes))
