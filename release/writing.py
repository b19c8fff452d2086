"""Files of copies: written beside their place, and put there whole.

A copy goes to a CSV file, a Parquet file, or a folder of Parquet files with one part of the rows each. What is
written depends on the units of rows alone, so the bytes are the same whoever made the units and in whatever order.
"""

import contextlib
import os
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from trustscope.release.plan import PART, UNIT
from trustscope.release.problems import Problem, of_system
from trustscope.release.store import sync_folder

FORMS = ("parquet", "csv", "folder")
WRITER = f"pyarrow {pa.__version__}"


def form_of(out):
    """The form of a copy by the name of its place; a name without an ending is a folder."""
    match Path(out).suffix.lower():
        case ".parquet" | ".pq":
            return "parquet"
        case ".csv":
            return "csv"
        case "":
            return "folder"
        case ending:
            raise Problem(f"A copy is written to .csv, to .parquet, or to a folder (no ending), not to “{ending}”.")


def temporary_of(out, number):
    """Where the copy with this number is written until it is whole."""
    out = Path(out)
    return out.with_name(f".{out.name}.trustscope-{number}")


def part_name(number):
    """File name of a part of the rows in a folder."""
    return f"part-{number:06d}.parquet"


@contextlib.contextmanager
def sink(path, form, schema):
    """A function that takes the units of a copy in order; afterwards all is written and synced."""
    try:
        if form == "folder":
            path.mkdir()
            yield from _folder(path, schema)
            sync_folder(path)
        else:
            with contextlib.closing(_Opened(path, form, schema)) as opened:
                yield lambda first, table: opened.write(table)
            _sync(path)
        sync_folder(path.parent)
    except OSError as error:
        raise of_system(error, "the copy") from None


def _folder(path, schema):
    opened = {}

    def write(first, table):
        part = first // PART
        if part not in opened:
            for one in opened.values():
                one.close()
            opened.clear()
            opened[part] = _Opened(path / part_name(part), "parquet", schema)
        opened[part].write(table)

    try:
        yield write
    finally:
        for one in opened.values():
            one.close()
    for file in sorted(path.iterdir()):
        _sync(file)


class _Opened:
    """An open file of one form."""

    def __init__(self, path, form, schema):
        # Opened here, so that an error of the disk comes as one of the system, with its number.
        self._file = open(path, "wb")  # noqa: SIM115
        try:
            if form == "csv":
                self._writer = pa.csv.CSVWriter(self._file, schema)
            else:
                self._writer = pq.ParquetWriter(self._file, schema, compression="snappy")
        except BaseException:
            self._file.close()
            raise

    def write(self, table):
        if isinstance(self._writer, pq.ParquetWriter):
            self._writer.write_table(table, row_group_size=UNIT)
        else:
            self._writer.write_table(table)

    def close(self):
        try:
            self._writer.close()
        finally:
            self._file.close()


def write_part(path, units, schema):
    """Write one part of the rows of a folder, whole or not at all; several may try at once."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with sink(temporary, "parquet", schema) as write:
            for first, table in units:
                write(first, table)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _sync(path):
    with open(path, "rb+") as file:
        os.fsync(file.fileno())


def put(temporary, out):
    """Move a whole copy to its place."""
    try:
        os.rename(temporary, out)
        sync_folder(Path(out).parent)
    except OSError as error:
        raise of_system(error, "the copy") from None


def remove(path):
    """Remove a file or folder, if there is one."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def check_place(out, data):
    """The absolute path of a place for a copy of the data at `data`, or what is wrong with it."""
    out = Path(out).absolute()
    form_of(out)
    if Path(data) == out.parent.resolve():
        raise Problem(f"The folder {out.parent} is the data: a copy in it would become part of that; choose another.")
    if out.exists():
        raise Problem(f"There is already something at {out}; choose another place, what is out is never overwritten.")
    return check_folder(out)


def check_folder(out):
    """The absolute path of a file to be written, whose folder is there and can be written to."""
    out = Path(out).absolute()
    if not out.parent.is_dir():
        raise Problem(f"There is no folder {out.parent}; create it first.")
    if not os.access(out.parent, os.W_OK):
        raise Problem(f"The folder {out.parent} cannot be written to; choose another or change its rights.")
    return out
