"""A person's own file: first what was understood, then the dataset they choose from it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from trustscope.datasets.kinds import Column, understand
from trustscope.datasets.limits import LIMITS, Limits
from trustscope.datasets.model import Dataset
from trustscope.datasets.problem import DataProblem
from trustscope.datasets.read_excel import read_excel
from trustscope.datasets.read_parquet import read_parquet
from trustscope.datasets.read_text import read_text
from trustscope.datasets.sniff import find_format, mismatch, unpack
from trustscope.datasets.table import Table
from trustscope.datasets.texts import clean, spaced, unique_names

MISSING = ("drop", "fill")


@dataclass(frozen=True)
class ColumnReport:
    """What was understood of one column.

    `kind` is one of those listed in ``datasets.kinds``. `name`, `example` and `note` may quote the file:
    plain text, to be escaped by whoever shows them. `note` also says why a column is not `usable`.
    """

    name: str
    kind: str
    missing: int
    distinct: int
    example: str
    note: str
    usable: bool


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
    """

    filename: str
    format: str
    rows: int
    columns: tuple[ColumnReport, ...]
    notes: tuple[str, ...]
    _understood: Mapping[str, Column] = field(repr=False, default_factory=dict)

    @property
    def usable(self) -> tuple[str, ...]:
        """Names of the columns that a dataset can have."""
        return tuple(c.name for c in self.columns if c.usable)

    def preview(self, rows: int = 5) -> pd.DataFrame:
        """Return the first rows of the usable columns, missing values still missing."""
        return pd.DataFrame({name: self._understood[name].values[:rows] for name in self.usable})

    def dataset(
        self,
        columns: Iterable[str] | None = None,
        missing: str = "drop",
        title: str | None = None,
        label: str | None = None,
    ) -> Dataset:
        """Make a dataset of the chosen columns.

        Parameters
        ----------
        columns : iterable of str, optional
            Names of usable columns; all of them by default.
        missing : {"drop", "fill"}
            Leave out rows with a missing value in a chosen column, or fill in the column's mean (numbers,
            dates) or its most frequent label (categories).
        title : str, optional
            The file's name by default.
        label : str, optional
            A chosen categorical column that a classifier should predict.

        Raises
        ------
        DataProblem
            If a column is unknown or unusable, or fewer than two rows remain.
        """
        chosen = self._chosen(columns)
        if missing not in MISSING:
            raise DataProblem(f"Missing values can be treated by 'drop' or 'fill', not by {missing!r}.")
        gaps = {name: _gaps(self._understood[name].values) for name in chosen}
        if missing == "drop":
            values, notes = self._dropped(chosen, gaps)
        else:
            values, notes = self._filled(chosen, gaps)
        values, lost = _without_constants(values)
        if not values:
            raise DataProblem(
                f"In the rows of {self.filename} that are left, every chosen column has one value "
                "throughout: choose other columns, or fill in missing values."
            )
        numeric = tuple(n for n, v in values.items() if isinstance(v, np.ndarray))
        categorical = tuple(n for n in values if n not in numeric)
        if label is not None and label not in categorical:
            raise DataProblem(f"The label '{clean(label)}' is not among the chosen categories.")
        told = [f"'{n}': {self._understood[n].note}" for n in values if self._understood[n].note]
        return Dataset(
            name=self.filename,
            title=clean(title) if title else self.filename,
            frame=pd.DataFrame(values),
            numeric=numeric,
            categorical=categorical,
            label=label,
            source=f"Your file {self.filename}.",
            licence="Yours; the program does not know.",
            notes=(*notes, *lost, *told),
            units={n: self._understood[n].unit for n in numeric if self._understood[n].unit},
        )

    def _chosen(self, columns: Iterable[str] | None) -> list[str]:
        if isinstance(columns, str):
            columns = (columns,)
        chosen = list(dict.fromkeys(self.usable if columns is None else columns))
        if not chosen:
            raise DataProblem(f"No column of {self.filename} is chosen: choose at least one.")
        reports = {c.name: c for c in self.columns}
        for name in chosen:
            if name not in reports:
                raise DataProblem(f"{self.filename} has no column called '{clean(name)}'.")
            if not reports[name].usable:
                raise DataProblem(f"The column '{name}' cannot be used. {reports[name].note}")
        return chosen

    def _dropped(self, chosen: list[str], gaps: Mapping[str, np.ndarray]) -> tuple[dict, list[str]]:
        keep = ~np.logical_or.reduce(list(gaps.values()))
        kept, lost = int(keep.sum()), int((~keep).sum())
        if kept < 2:
            worst = max(chosen, key=lambda name: int(gaps[name].sum()))
            raise DataProblem(
                f"Only {kept} of {spaced(self.rows)} rows of {self.filename} have a value in every chosen column: "
                f"leave out '{worst}' ({gaps[worst].mean():.0%} missing), or fill in missing values."
            )
        values = {name: _tight(self._understood[name].values[keep]) for name in chosen}
        if not lost:
            return values, []
        return values, [
            f"{spaced(lost)} of {spaced(self.rows)} rows had a missing value in a chosen column and "
            f"{'was' if lost == 1 else 'were'} left out."
        ]

    def _filled(self, chosen: list[str], gaps: Mapping[str, np.ndarray]) -> tuple[dict, list[str]]:
        values, notes = {}, []
        for name in chosen:
            column = self._understood[name].values
            gap, count = gaps[name], int(gaps[name].sum())
            if not count:
                values[name] = column.copy()
            elif isinstance(column, np.ndarray):
                mean = float(column[~gap].mean())
                values[name] = np.where(gap, mean, column)
                notes.append(f"{spaced(count)} missing values of '{name}' were filled in with the mean, {mean:,.6g}.")
            else:
                label = column.categories[np.bincount(column.codes[~gap]).argmax()]
                values[name] = column.fillna(label)
                notes.append(
                    f"{spaced(count)} missing values of '{name}' were filled in with the most frequent one, "
                    f"'{clean(label)}'."
                )
        return values, notes


def inspect(
    source: bytes | str | Path,
    filename: str | None = None,
    *,
    header: bool | None = None,
    limits: Limits = LIMITS,
) -> Inspection:
    """Understand a CSV, Parquet or Excel file.

    The content decides what it is, not the name. Nothing in the file is ever run.

    Parameters
    ----------
    source : bytes or path
        The file's content, or where it is.
    filename : str, optional
        What the person calls it; taken from a path if left out.
    header : bool, optional
        Whether the first row names the columns; found out by default.
    limits : Limits, optional
        What to refuse.

    Raises
    ------
    DataProblem
        Whatever is wrong with the file, in one sentence. No other exception comes out, whatever the bytes.
    """
    shown = clean(str(filename if filename is not None else _name_of(source)).replace("\\", "/").rsplit("/", 1)[-1])
    shown = shown or "The file"
    try:
        data = _content(source, shown, limits)
        return _inspect(data, shown, header, limits)
    except DataProblem:
        raise
    except Exception as error:
        # Parsers fail in more ways than anyone can list; the person needs a sentence, the log has the cause.
        raise DataProblem(f"{shown} cannot be read as a table: it may be damaged, or in an unusual format.") from error


def _inspect(data: bytes, filename: str, header: bool | None, limits: Limits) -> Inspection:
    data, packed = unpack(data, filename, limits)
    kind = find_format(data, filename)
    if kind == "parquet":
        table = read_parquet(data, filename, limits)
    elif kind == "text":
        table = read_text(data, filename, limits, header)
    else:
        table = read_excel(data, filename, limits, kind, header)
    limits.check_shape(table.rows, len(table.columns), filename)
    if table.rows < 2:
        raise DataProblem(f"{filename} has one row only: a table needs at least two.")
    return _report(table, filename, packed, mismatch(kind, filename))


def _report(table: Table, filename: str, packed: bool, surprise: str | None) -> Inspection:
    names, notes = unique_names(table.names)
    rows, understood = table.rows, {}
    for position, name in enumerate(names):
        understood[name] = understand(table.columns[position], table.decimal_comma)
        # Let go of the raw column: of a large file there should never be two copies at once.
        table.columns[position] = None
    reports = tuple(
        ColumnReport(name, c.kind, c.missing, c.distinct, c.example, c.note, c.usable) for name, c in understood.items()
    )
    if not any(r.usable for r in reports):
        whole = "; ".join(f"'{r.name}' is {r.kind}" for r in reports[:3])
        more = f" and {len(reports) - 3} more" if len(reports) > 3 else ""
        raise DataProblem(
            f"{filename} has no column that can be used ({whole}{more}): it needs numbers, or categories that repeat."
        )
    if not any(isinstance(c.values, np.ndarray) for c in understood.values()):
        notes.append("There is no numeric column: only what works on categories can use this file.")
    gaps = sum(c.missing for c in understood.values())
    if gaps:
        count = "1 value is" if gaps == 1 else f"{spaced(gaps)} values are"
        notes.append(f"{count} missing; rows with a gap are left out unless you choose to fill it in.")
    return Inspection(
        filename=filename,
        format=f"{table.words}, gzip" if packed else table.words,
        rows=rows,
        columns=reports,
        notes=tuple(filter(None, (surprise, *table.notes, *notes))),
        _understood=understood,
    )


def _content(source: bytes | str | Path, filename: str, limits: Limits) -> bytes:
    if isinstance(source, (bytes, bytearray, memoryview)):
        limits.check_bytes(len(source), filename)
        return bytes(source)
    path = Path(source)
    if not path.is_file():
        raise DataProblem(f"There is no file {filename} to read.")
    limits.check_bytes(path.stat().st_size, filename)
    return path.read_bytes()


def _name_of(source: object) -> str:
    return "The file" if isinstance(source, (bytes, bytearray, memoryview)) else str(source)


def _gaps(values: np.ndarray | pd.Categorical) -> np.ndarray:
    if isinstance(values, pd.Categorical):
        return values.codes < 0
    return np.isnan(values) if values.dtype.kind == "f" else np.zeros(values.size, dtype=bool)


def _tight(values: np.ndarray | pd.Categorical) -> np.ndarray | pd.Categorical:
    # A label that nobody has left would still count as part of the domain.
    return values.remove_unused_categories() if isinstance(values, pd.Categorical) else values


def _without_constants(values: dict) -> tuple[dict, list[str]]:
    """Leaving out rows can leave a column with a single value, which no more than a constant can be used."""
    kept, notes = {}, []
    for name, column in values.items():
        single = len(column.categories) < 2 if isinstance(column, pd.Categorical) else np.ptp(column) == 0
        if single:
            notes.append(f"The column '{name}' has the same value in all rows that are left, and was left aside.")
        else:
            kept[name] = column
    return kept, notes
