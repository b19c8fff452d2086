"""What a reader hands on: columns as they stand in the file, before anyone asks what they mean."""

from dataclasses import dataclass, field

import pyarrow as pa


@dataclass(frozen=True)
class Table:
    """Raw columns of a file.

    Parameters
    ----------
    names : list
        One for each column, as found: text, or None where there is none.
    columns : list of pyarrow.Array or pyarrow.ChunkedArray
        All of the same length.
    format : {"text", "parquet", "xlsx", "xls", "xlsb", "ods"}
        What the file is.
    words : str
        The same for people, with what matters of the details.
    notes : list of str
        Sentences on what the reader had to decide.
    decimal_comma : bool
        Whether an ambiguous "1,234" is more likely to be a little over one.
    aside : dict of int to str
        The columns, by position, that were not read, each with a sentence that says why.
    """

    names: list[str | None]
    columns: list[pa.Array | pa.ChunkedArray]
    format: str
    words: str
    notes: list[str] = field(default_factory=list)
    decimal_comma: bool = False
    aside: dict[int, str] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.columns[0]) if self.columns else 0
