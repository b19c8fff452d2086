"""Tables of databases, read once through Arrow and written to a Parquet file, which is then the data of a ledger.

Once, because a ledger's noise belongs to rows in their order: a database that is asked again may give others.
"""

import contextlib
import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from trustscope.release.plan import UNIT
from trustscope.release.problems import Problem, from_os_error
from trustscope.release.store import PRIVATE, sync_folder
from trustscope.release.types import PathLike
from trustscope.release.writing import check_folder, replace_by

# Answers a query.
Ask: TypeAlias = Callable[[str], pa.RecordBatchReader]


def fetch(
    out: PathLike,
    *,
    sqlite: PathLike | None = None,
    duckdb: PathLike | None = None,
    adbc: str | None = None,
    uri: str | None = None,
    table: str | None = None,
    query: str | None = None,
) -> int:
    """Read a table or a query, and write it to a Parquet file that only its owner can read; returns the rows.

    Parameters
    ----------
    out : path-like
    sqlite, duckdb : path-like, optional
        A database in a file.
    adbc : str, optional
        A module of ADBC with a `dbapi`, such as "adbc_driver_postgresql"; needs `uri`.
    table, query : str, optional
        One of the two.
    """
    if sum(one is not None for one in (sqlite, duckdb, adbc)) != 1 or (table is None) == (query is None):
        raise Problem("Say which one database to read (sqlite, duckdb or adbc), and one table or query of it.")
    if adbc is not None and not uri:
        raise Problem("A driver of ADBC needs to know where the database is: give uri, or set TRUSTSCOPE_DATABASE.")
    out = check_folder(out)
    if out.exists():
        raise Problem(f"There is already something at {out}; choose another place.")
    sql = str(query) if table is None else f'select * from "{table.replace(chr(34), 2 * chr(34))}"'
    opened = _sqlite(sqlite) if sqlite else _duckdb(duckdb) if duckdb else _adbc(str(adbc), str(uri))
    with opened as ask:
        try:
            return _write(ask(sql), out)
        except OSError as error:
            raise from_os_error(error, "the data") from None
        except Problem:
            raise
        except Exception as error:  # every driver has errors of its own
            raise Problem(f"The database refused to be read: {_first_line(error)}.") from None


def _write(reader: pa.RecordBatchReader, out: Path) -> int:
    rows = 0
    with replace_by(out, PRIVATE) as file, pq.ParquetWriter(file, reader.schema) as writer:
        for batch in reader:
            writer.write_table(pa.Table.from_batches([batch]), row_group_size=UNIT)
            rows += len(batch)
        if not rows:
            raise Problem("The table or query has no rows.")
    sync_folder(out.parent)
    return rows


def _module(name: str, install: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise Problem(f"Reading this database needs {install}: pip install {install}.") from None


def _there(path: PathLike) -> Path:
    if not Path(path).is_file():
        raise Problem(f"There is no database at {path}.")
    return Path(path).resolve()


@contextlib.contextmanager
def _sqlite(path: PathLike) -> Iterator[Ask]:
    dbapi = _module("adbc_driver_sqlite.dbapi", "adbc-driver-sqlite")
    with _asking(dbapi, f"{_there(path).as_uri()}?mode=ro") as ask:
        yield ask


@contextlib.contextmanager
def _adbc(driver: str, uri: str) -> Iterator[Ask]:
    with _asking(_module(f"{driver}.dbapi", driver.replace("_", "-")), uri) as ask:
        yield ask


@contextlib.contextmanager
def _asking(dbapi: ModuleType, uri: str) -> Iterator[Ask]:
    try:
        connection = dbapi.connect(uri)
    except Exception as error:  # every driver has errors of its own
        raise Problem(f"The database cannot be opened: {_first_line(error)}.") from None
    with contextlib.closing(connection), contextlib.closing(connection.cursor()) as cursor:

        def ask(sql: str) -> pa.RecordBatchReader:
            cursor.execute(sql)
            return cursor.fetch_record_batch()

        yield ask


@contextlib.contextmanager
def _duckdb(path: PathLike) -> Iterator[Ask]:
    module = _module("duckdb", "duckdb")
    try:
        connection = module.connect(str(_there(path)), read_only=True)
    except module.Error as error:
        raise Problem(f"The database cannot be opened: {_first_line(error)}.") from None
    with contextlib.closing(connection):
        yield lambda sql: pa.RecordBatchReader.from_stream(connection.sql(sql))


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
