"""The rows of a release: in which files they lie, and in which pieces they are worked on.

Three sizes, all counted from the first row of the data, whatever its files and row groups are:

======  ==========  ==========================================================================================
BLOCK   16 384      drawn together: its normals stay in the processor's cache
UNIT    131 072     read, checked, perturbed and written together: what memory holds, a few at a time
PART    1 048 576   under one derived key, and one file of a folder: what one task of a cluster makes
======  ==========  ==========================================================================================

So the noise never depends on how the data is cut into files or row groups, nor on who makes which piece.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.dataset
import pyarrow.parquet as pq

from trustscope.engine.preparation import Step
from trustscope.release import steps as before
from trustscope.release.problems import Problem
from trustscope.release.record import Record
from trustscope.release.types import PathLike

BLOCK = 16_384
UNIT = 8 * BLOCK
PART = 8 * UNIT
# How a CSV file says that a value is missing, recorded in every ledger, whose data must be read the same for ever.
# 1: by an empty cell, or by one of `NO_VALUE` in any column; blank lines are none.
# 2: in texts by an empty cell alone ("NA" may be Namibia); in a file of one column by a blank line, too.
READING = 2
NO_VALUE: tuple[str, ...] = tuple(text for text in pa.csv.ConvertOptions().null_values if text)


@dataclass(frozen=True)
class Piece:
    """One row group of one Parquet file, and the number of its first row in the data.

    `keys` are the columns that a partitioned dataset has in the names of its folders, (name, value) each.
    """

    file: str
    group: int
    first: int
    rows: int
    keys: tuple[tuple[str, Any], ...] = ()


class Data:
    """A CSV file, a Parquet file, a folder of Parquet files or a partitioned dataset, read in units.

    Files of a folder come in the order of their paths. In a partitioned dataset folders are called after a column and
    its value (`year=2024`), which is then a column of all rows below.

    Parameters
    ----------
    path : path-like
    rows : int, optional
        How many rows a CSV file has, if that is known; Parquet files say it themselves.
    threads : bool
        Whether columns are decoded on several threads.
    steps : sequence of (str, Step)
        What is done to numbers as they are read (`release.steps`).
    header : bool
        Whether the first line of a CSV file names its columns; otherwise they are c1, c2, ...
    reading : int
        How a CSV file says that a value is missing: `READING`, or what an older ledger was made with.

    Attributes
    ----------
    path : str
        Absolute.
    kind : {"csv", "parquet"}
    types : dict of str to pyarrow.DataType or None
        By column, in the file's order; a CSV file has no types.
    rows : int or None
    pieces : tuple of Piece
        Empty for CSV.
    """

    def __init__(
        self,
        path: PathLike,
        rows: int | None = None,
        *,
        threads: bool = True,
        header: bool = True,
        steps: Iterable[tuple[str, Step]] = (),
        reading: int = READING,
    ) -> None:
        if reading not in (1, READING):
            raise Problem("This ledger was made by a newer Trustscope, which reads its data otherwise; use that one.")
        self._threads, self.header, self.steps, self.reading = threads, header, tuple(steps), reading
        found = Path(path)
        if re.match(r"[a-z]+:", str(path)):
            raise Problem(
                f"The data of a ledger is a file or a folder: get {path} first, with “trustscope release fetch”."
            )
        if not found.exists():
            raise Problem(f"There is no data at {path}; give a CSV file, a Parquet file or a folder of Parquet files.")
        self.path = str(found.resolve())
        files = _files(found)
        if not files:
            raise Problem(f"The folder {path} holds no file that ends in .parquet.")
        self.kind = "csv" if files[0].suffix.lower() in (".csv", ".txt", ".tsv") else "parquet"
        self.types: dict[str, pa.DataType | None] = {}
        self.pieces: tuple[Piece, ...] = ()
        self.rows = rows
        try:
            if self.kind == "csv":
                self._header()
            else:
                self._footers(files)
        except UnicodeDecodeError:
            raise _not_utf8(self.path) from None
        except (pa.ArrowInvalid, csv.Error) as error:
            if self.kind == "parquet" and files[0].suffix.lower() != ".parquet":
                raise Problem(
                    f"The file {path} is neither a CSV file (.csv, .txt or .tsv) nor a Parquet file; unpack it, or "
                    "save it as one of these."
                ) from None
            raise Problem(f"The data at {path} cannot be read as {self.kind}: {error}.") from None
        self.types = before.types_after(self.types, self.steps)

    def _header(self) -> None:
        with open(self.path, encoding="utf-8-sig", newline="") as file:
            line = file.readline()
        if not line.strip():
            raise Problem(f"The file {self.path} is empty; its first line must name the columns.")
        self.delimiter = max(",;\t", key=line.count)
        names = next(csv.reader([line], delimiter=self.delimiter))
        if not self.header:
            names = [f"c{number}" for number in range(1, len(names) + 1)]
        _all_different(names, self.path)
        self.types = dict.fromkeys(names)

    def _footers(self, files: Sequence[Path]) -> None:
        pieces, first = [], 0
        types: dict[str, pa.DataType | None] | None = None
        keys = self._partitions([Path(file).resolve() for file in files])
        for file in (str(file.resolve()) for file in files):
            with pq.ParquetFile(file) as opened:
                schema, footer = opened.schema_arrow, opened.metadata
                here = {field.name: _plain(field.type) for field in schema}
                _all_different([*schema.names, *keys[file]], file)
                here |= {name: pa.scalar(value).type for name, value in keys[file].items()}
                if types is not None and list(here.items()) != list(types.items()):
                    raise Problem(f"The columns of {file} are not those of {files[0]}; all files must be alike.")
                types = here
                for group in range(footer.num_row_groups):
                    rows = footer.row_group(group).num_rows
                    pieces.append(Piece(file, group, first, rows, tuple(keys[file].items())))
                    first += rows
        self.types, self.rows, self.pieces = types or {}, first, tuple(pieces)

    def _partitions(self, files: Sequence[Path]) -> dict[str, dict[str, Any]]:
        """The columns that each file has in the names of its folders, by file."""
        if len(files) == 1 and str(files[0]) == self.path:
            return {self.path: {}}
        found = pyarrow.dataset.dataset([str(file) for file in files], format="parquet", partitioning="hive")
        here = {fragment.path: fragment.partition_expression for fragment in found.get_fragments()}
        return {str(file): dict(pyarrow.dataset.get_partition_keys(here[str(file)])) for file in files}

    def units(
        self,
        columns: Iterable[str],
        start: int = 0,
        stop: int | None = None,
        types: Mapping[str, pa.DataType] | None = None,
    ) -> Iterator[tuple[int, pa.Table]]:
        """The rows from start to stop in units, as (first row, pyarrow.Table).

        Parameters
        ----------
        columns : sequence of str
        start, stop : int
            `start` at the beginning of a unit.
        types : dict of str to pyarrow.DataType, optional
            For CSV: what its columns are to be read as.
        """
        if self.kind == "csv":
            batches = self._lines(list(columns), types or {}, start)
        else:
            batches = self._groups(list(columns), start, stop)
        whole = regroup(batches, start, stop)
        return ((first, before.apply(table, self.steps)) for first, table in whole) if self.steps else whole

    def _groups(self, columns: Sequence[str], start: int, stop: int | None) -> Iterator[pa.Table]:
        stop = self.rows if stop is None else stop
        wanted = [
            piece for piece in self.pieces if (stop is None or piece.first < stop) and piece.first + piece.rows > start
        ]
        for file, pieces in _runs(wanted):
            # A buffered stream: a row group of any size is read page by page.
            with pq.ParquetFile(file, buffer_size=2**20) as opened:
                skip = max(start - pieces[0].first, 0)
                groups, keys = [piece.group for piece in pieces], dict(pieces[0].keys)
                inside = [name for name in columns if name not in keys]
                for batch in opened.iter_batches(UNIT, row_groups=groups, columns=inside, use_threads=self._threads):
                    if skip >= len(batch):
                        skip -= len(batch)
                        continue
                    table = pa.Table.from_batches([batch.slice(skip)])
                    skip = 0
                    for name in columns:
                        if name in keys:
                            table = table.append_column(name, pa.repeat(pa.scalar(keys[name]), len(table)))
                    yield _without_dictionaries(table.select(columns))

    def _lines(self, columns: Sequence[str], types: Mapping[str, pa.DataType], start: int) -> Iterator[pa.Table]:
        names = None if self.header else list(self.types)
        reading = pa.csv.ReadOptions(block_size=2**22, column_names=names)
        old = self.reading == 1
        blank = old or len(self.types) > 1
        parsing = pa.csv.ParseOptions(delimiter=self.delimiter, newlines_in_values=True, ignore_empty_lines=blank)
        converting = pa.csv.ConvertOptions(include_columns=columns, column_types=types, strings_can_be_null=old)
        try:
            with pa.csv.open_csv(self.path, reading, parsing, converting) as reader:
                for batch in reader:
                    if start < len(batch):
                        table = pa.Table.from_batches([batch.slice(start)])
                        yield table if old else _with_gaps(table)
                    start = max(start - len(batch), 0)
        except pa.ArrowInvalid as error:
            if "invalid UTF8" in str(error):
                raise _not_utf8(self.path) from None
            raise Problem(_explain(str(error), list(self.types))) from None


def data_of(record: Record, moved: PathLike | None = None) -> Data:
    """The data that a ledger's record speaks of, or where it was moved to."""
    return Data(
        moved or record.data["path"], record.data["rows"], header=record.data.get("header", True),
        steps=before.from_record(record.created["recipe"]), reading=record.data.get("reading", 1),
    )  # fmt: skip


def _files(path: Path) -> list[Path]:
    """The files of data at a path: itself, or all Parquet files in the folder and in its partitions, by their paths."""
    if not path.is_dir():
        return [path]
    inside = [file for file in path.rglob("*.parquet") if not _is_hidden(file.relative_to(path))]
    return sorted(file for file in inside if all("=" in part for part in file.relative_to(path).parts[:-1]))


def _is_hidden(path: Path) -> bool:
    return any(part.startswith((".", "_")) for part in path.parts)


def _not_utf8(path: str) -> Problem:
    return Problem(
        f"The file {path} has letters that are not in UTF-8, as those of older programs are; save it as CSV in UTF-8, "
        "and try again."
    )


def _explain(message: str, names: Sequence[str]) -> str:
    """One sentence out of Arrow's message on a CSV file."""
    column = re.search(r"In CSV column #(\d+)", message)
    value = re.search(r"invalid value '(.*)'", message)
    if column and value:
        return (
            f"The column “{names[int(column[1])]}” holds the text “{value[1]}” among its numbers; "
            "correct it, leave the cell empty, or list the column under categories, keep or drop."
        )
    return f"The CSV file cannot be read: {message}."


def regroup(batches: Iterable[pa.Table], first: int, stop: int | None) -> Iterator[tuple[int, pa.Table]]:
    """Batches of any length as whole units; the last may be shorter."""
    waiting, held = [], 0
    for table in batches:
        while stop is None or first + held < stop:
            room = UNIT - held if stop is None else min(UNIT, stop - first) - held
            waiting.append(table.slice(0, room))
            held += len(waiting[-1])
            table = table.slice(len(waiting[-1]))
            if held < UNIT and (stop is None or first + held < stop):
                break
            yield first, pa.concat_tables(waiting)
            first, waiting, held = first + held, [], 0
    if held:
        yield first, pa.concat_tables(waiting)


def _runs(pieces: Iterable[Piece]) -> list[tuple[str, list[Piece]]]:
    """Pieces by file, in order."""
    runs: list[tuple[str, list[Piece]]] = []
    for piece in pieces:
        if runs and runs[-1][0] == piece.file:
            runs[-1][1].append(piece)
        else:
            runs.append((piece.file, [piece]))
    return runs


def _plain(type_: pa.DataType) -> pa.DataType:
    return type_.value_type if pa.types.is_dictionary(type_) else type_


def _without_dictionaries(table: pa.Table) -> pa.Table:
    """The table without dictionary columns: how a file compresses its values is not part of them."""
    for place, field in enumerate(table.schema):
        if pa.types.is_dictionary(field.type):
            table = table.set_column(place, field.name, table.column(place).cast(field.type.value_type))
    return table


def _with_gaps(table: pa.Table) -> pa.Table:
    """The table with empty texts missing."""
    for place, field in enumerate(table.schema):
        if pa.types.is_string(field.type):
            column = table.column(place)
            gaps = pc.if_else(pc.equal(column, ""), pa.scalar(None, field.type), column)
            table = table.set_column(place, field.name, gaps)
    return table


def _all_different(names: Sequence[str], file: PathLike) -> None:
    repeated = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if repeated is not None:
        raise Problem(f"The column “{repeated}” occurs twice in {file}; give every column its own name.")
