"""Files of copies: written beside their place, and put there whole.

A copy goes to a CSV file, a Parquet file, or a folder of Parquet files with one part of the rows each. What is
written depends on the units of rows alone, so the bytes are the same whoever made the units and in whatever order.
"""

import contextlib
import hashlib
import io
import os
import shutil
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from trustscope.release.digests import folder_digest
from trustscope.release.plan import PART, UNIT
from trustscope.release.problems import Problem, from_os_error
from trustscope.release.store import sync_folder
from trustscope.release.types import PathLike

WRITER = f"pyarrow {pa.__version__}"
FLUSH = 2**24  # bytes after which the disk is told to begin


def form_of(out: PathLike) -> str:
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


def temporary_of(out: PathLike, number: int) -> Path:
    """Where the copy with this number is written until it is whole."""
    out = Path(out)
    return out.with_name(f".{out.name}.trustscope-{number}")


def part_name(number: int) -> str:
    """File name of a part of the rows in a folder."""
    return f"part-{number:06d}.parquet"


class Sink:
    """Takes the units of a copy in order; use it as a context, after which all is written and synced.

    Parameters
    ----------
    path : pathlib.Path
    form : {"parquet", "csv", "folder"}
    schema : pyarrow.Schema

    Attributes
    ----------
    sha256 : str
        Afterwards: the digest of the file, or of the folder, as `digests.whole_file` has it; computed on the way, so
        that nothing is read again.
    """

    def __init__(self, path: Path, form: str, schema: pa.Schema) -> None:
        self._path, self._form, self._schema = path, form, schema
        self._opened: _Opened | None = None
        self._part: int | None = None
        self._digests: dict[str, str] = {}
        self.sha256 = ""

    def __enter__(self) -> Self:
        with _words():
            if self._form == "folder":
                self._path.mkdir()
            else:
                self._opened = _Opened(self._path, self._form, self._schema)
        return self

    def write(self, first: int, table: pa.Table) -> None:
        """Write the unit that starts at row `first`."""
        with _words():
            if self._form == "folder" and first // PART != self._part:
                self._close(whole=True)
                self._part = first // PART
                self._opened = _Opened(self._path / part_name(self._part), "parquet", self._schema)
            assert self._opened is not None  # since the context was entered
            self._opened.write(table)

    def _close(self, whole: bool) -> None:
        if self._opened is not None:
            opened, self._opened = self._opened, None
            self._digests[opened.path.name] = opened.close(whole)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with _words():
            self._close(whole=kind is None)
            if kind is None:
                if self._form == "folder":
                    sync_folder(self._path)
                sync_folder(self._path.parent)
                self.sha256 = self._digest()

    def _digest(self) -> str:
        if self._form == "folder":
            return folder_digest(self._digests)
        return self._digests[self._path.name]


@contextlib.contextmanager
def _words() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise from_os_error(error, "the copy") from None


class _Opened:
    """An open file of one form, digested and sent to the disk while it is written."""

    def __init__(self, path: Path, form: str, schema: pa.Schema) -> None:
        self.path = path
        # Opened here, so that an error of the disk comes as one of the system, with its number.
        self._file = _Digested(path)
        self._flushed = 0
        self._flushing: Future[None] | None = None
        self._flusher = ThreadPoolExecutor(1, thread_name_prefix="release-flush")
        try:
            if form == "csv":
                self._writer = pa.csv.CSVWriter(self._file, schema)
            else:
                self._writer = pq.ParquetWriter(self._file, schema, compression="snappy")
        except BaseException:
            self._flusher.shutdown()
            self._file.close()
            raise

    def write(self, table: pa.Table) -> None:
        if isinstance(self._writer, pq.ParquetWriter):
            self._writer.write_table(table, row_group_size=UNIT)
        else:
            self._writer.write_table(table)
        # The disk works while the next units are made, instead of all at once at the end.
        if self._file.size - self._flushed > FLUSH and (self._flushing is None or self._flushing.done()):
            self._wait()
            self._flushed = self._file.size
            self._flushing = self._flusher.submit(self._file.sync)

    def _wait(self) -> None:
        if self._flushing is not None:
            flushing, self._flushing = self._flushing, None
            flushing.result()

    def close(self, whole: bool = True) -> str:
        """Finish the file, synced if it is whole; returns its digest."""
        try:
            self._writer.close()
            self._wait()
            if whole:
                self._file.sync()
        finally:
            self._flusher.shutdown()
            self._file.close()
        return self._file.digest()


class _Digested(io.RawIOBase):
    """A file that is written once from front to back, with the digest of what was written."""

    def __init__(self, path: Path) -> None:
        self._raw = open(path, "wb", buffering=0)  # noqa: SIM115
        self._state, self.size = hashlib.sha256(), 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.size

    def write(self, content: Any) -> int:  # a buffer, for which Python has a name from 3.12 on
        left = memoryview(content).cast("B")
        self._state.update(left)
        self.size += len(left)
        written = len(left)
        while len(left):
            left = left[self._raw.write(left) :]
        return written

    def sync(self) -> None:
        """Make what was written last through a crash."""
        os.fsync(self._raw.fileno())

    def digest(self) -> str:
        return self._state.hexdigest()

    def close(self) -> None:
        self._raw.close()
        super().close()


def write_part(path: Path, units: Iterable[tuple[int, pa.Table]], schema: pa.Schema) -> str:
    """Write one part of the rows of a folder, whole or not at all; several may try at once. Returns its digest."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with Sink(temporary, "parquet", schema) as sink:
            for first, table in units:
                sink.write(first, table)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    return sink.sha256


@contextlib.contextmanager
def replace_by(path: Path, mode: int) -> Iterator[IO[bytes]]:
    """A new file beside its place, open for writing; afterwards it is synced and put there, or removed."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with open(temporary, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def put(temporary: PathLike, out: PathLike) -> None:
    """Move a whole copy to its place."""
    try:
        os.rename(temporary, out)
        sync_folder(Path(out).parent)
    except OSError as error:
        raise from_os_error(error, "the copy") from None


def remove(path: Path) -> None:
    """Remove a file or folder, if there is one."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def check_place(out: PathLike, data: PathLike) -> Path:
    """The absolute path of a place for a copy of the data at `data`, or what is wrong with it."""
    out = Path(out).absolute()
    form_of(out)
    if Path(data) == out.parent.resolve():
        raise Problem(f"The folder {out.parent} is the data: a copy in it would become part of that; choose another.")
    if out.exists():
        raise Problem(f"There is already something at {out}; choose another place, what is out is never overwritten.")
    return check_folder(out)


def check_folder(out: PathLike) -> Path:
    """The absolute path of a file to be written, whose folder is there and can be written to."""
    out = Path(out).absolute()
    if not out.parent.is_dir():
        raise Problem(f"There is no folder {out.parent}; create it first.")
    if not os.access(out.parent, os.W_OK):
        raise Problem(f"The folder {out.parent} cannot be written to; choose another or change its rights.")
    return out
