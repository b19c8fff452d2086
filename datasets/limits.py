"""How much of their own data a person may bring."""

from dataclasses import dataclass

from trustscope.datasets.problem import DataProblem
from trustscope.datasets.texts import spaced


@dataclass(frozen=True)
class Limits:
    """Upper bounds for a file; `bytes` also bounds what a compressed file unpacks to."""

    bytes: int = 200 * 10**6
    rows: int = 2_000_000
    columns: int = 200
    # Rows times columns. It is what 200 MB of text can hold at most (a digit and a separator for each cell),
    # so it never bites a CSV; it keeps a few compressed kilobytes from unfolding into gigabytes of memory.
    cells: int = 100_000_000
    # Bytes of memory that its columns may keep, where whole numbers are stored in as few as they need.
    kept: int = 1_200_000_000

    def check_bytes(self, size: int, filename: str) -> None:
        """Refuse a file of more than the allowed number of bytes."""
        if size > self.bytes:
            raise DataProblem(
                f"{filename} has {_megabytes(size)} and the limit is {_megabytes(self.bytes)}: "
                "leave out rows or columns and try again."
            )

    def check_shape(self, rows: int, columns: int, filename: str) -> None:
        """Refuse a table with too many rows, columns or cells."""
        if columns > self.columns:
            raise DataProblem(
                f"{filename} has {spaced(columns)} columns and the limit is {spaced(self.columns)}: "
                "keep only the ones you need."
            )
        if rows > self.rows:
            raise DataProblem(
                f"{filename} has {spaced(rows)} rows and the limit is {spaced(self.rows)}: take a sample of them."
            )
        if rows * columns > self.cells:
            raise DataProblem(
                f"{filename} has {spaced(rows * columns)} cells ({spaced(rows)} rows by {spaced(columns)} columns) "
                f"and the limit is {spaced(self.cells)}: leave out rows or columns."
            )


LIMITS = Limits()


def limits_sentence(limits: Limits = LIMITS) -> str:
    """Say the limits in words, for the interface to show before a file is chosen."""
    return (
        f"CSV, Parquet, Excel or OpenDocument, up to {_megabytes(limits.bytes)}, {spaced(limits.rows)} rows, "
        f"{spaced(limits.columns)} columns and {spaced(limits.cells)} cells in all, which may take "
        f"{_megabytes(limits.kept)} of memory."
    )


def _megabytes(size: int) -> str:
    # Rounded up: a file one byte over must not be said to have exactly the limit.
    tenths = -(-size // 10**5)
    whole, tenth = divmod(tenths, 10)
    return f"{spaced(whole)}.{tenth} MB" if tenth else f"{spaced(whole)} MB"
