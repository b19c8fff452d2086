"""Read Parquet."""

import pyarrow as pa

from trustscope.datasets.guard import damaged, read_apart
from trustscope.datasets.limits import Limits
from trustscope.datasets.problem import DataProblem
from trustscope.datasets.table import Table
from trustscope.datasets.texts import clean, spaced

# What the pages may unpack to: as many cells as are allowed, each a double, and half as much again.
UNPACKED_BYTES = 1_200_000_000


def read_parquet(data: bytes, filename: str, limits: Limits) -> Table:
    """Read the columns that are not nested, and name the others."""
    options = {
        "rows": limits.rows,
        "columns": limits.columns,
        "cells": limits.cells,
        "unpacked": UNPACKED_BYTES,
        "kept": limits.kept,
    }
    answer = read_apart("parquet", data, options, filename, "Parquet file")
    about = answer.about
    if about.get("problem") == "unpacked":
        raise DataProblem(
            f"{filename} unpacks to more than {spaced(UNPACKED_BYTES // 10**6)} MB: leave out rows or columns."
        )
    if "problem" in about:
        raise damaged(filename, "Parquet file")
    limits.check_shape(about["rows"], about["columns"], filename)
    if not about["rows"] or not about["columns"]:
        raise DataProblem(f"{filename} is a Parquet file without rows: it needs at least two.")
    aside = {int(i): f"It holds {_words(kind)}, which cannot be perturbed." for i, kind in about["nested"].items()}
    flat = iter(answer.tables[0].unify_dictionaries().columns) if answer.tables else iter(())
    rows = answer.tables[0].num_rows if answer.tables else about["rows"]
    columns = [pa.nulls(rows) if i in aside else next(flat) for i in range(about["columns"])]
    limits.check_shape(rows, len(columns), filename)
    return Table(list(about["names"]), columns, "parquet", "Parquet", aside=aside)


def _words(kind: str) -> str:
    return "lists" if "list" in kind.partition("<")[0] else f"records ({clean(kind, 40)})"
