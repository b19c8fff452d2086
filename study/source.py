"""From what a person gives as data to a dataset, and back from arrays to what came in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from trustscope import datasets
from trustscope.datasets import Dataset
from trustscope.scenarios.scenario import OWN, OwnFile, Scenario
from trustscope.study.problem import StudyProblem


@dataclass(frozen=True, eq=False)
class Source:
    """Where the data of a study come from.

    Attributes
    ----------
    name : str
        Of a built-in set, or "own".
    own : Dataset or None
        The data, where they are a person's own.
    table : table in memory or None
        What came in, where that was one: copies are of its kind.
    """

    name: str
    own: Dataset | None = None
    table: Any = None

    @property
    def part(self) -> dict[str, Any]:
        """The part of a scenario that names these data."""
        if self.own is None:
            return {"name": self.name, "file": None}
        origin = self.own.origin
        return {"name": OWN, "file": OwnFile(name=origin.name, size=origin.size or 0, digest=origin.digest or "")}

    def like(self, columns: dict[str, np.ndarray], rows: np.ndarray | None) -> Any:
        """A table like the one that came in, with these columns; `rows` says which of its rows they are, if any."""
        if self.table is not None:
            from trustscope.datasets import frames  # it needs Arrow, which was there when the table was taken in

            return frames.like(self.table, columns, rows)
        if rows is None:
            return pd.DataFrame(columns)
        index = np.flatnonzero(rows) if rows.dtype == bool else rows
        return pd.DataFrame(columns, index=pd.Index(index) if len(index) else None)

    def values_of(
        self, column: str, rows: np.ndarray, codes: np.ndarray, size: int
    ) -> Callable[[np.ndarray], Any] | None:
        """From codes back to values as the table that came in has them, in its own type.

        Parameters
        ----------
        column : str
        rows : numpy.ndarray of int
            The rows of the table that have codes.
        codes : numpy.ndarray of int
            Their codes.
        size : int
            How many codes there are.

        Returns
        -------
        callable or None
            None where there is no such table, or a code stands for several values or for none of them: bins, or texts
            that are one but for how they are written.
        """
        if self.table is None:
            return None
        from trustscope.datasets import frames  # as in `like`

        found = frames.column(self.table, column)
        if found is None:
            return None
        values = found.iloc[rows].tolist() if isinstance(found, pd.Series) else found[rows].to_list()
        first: dict[int, int] = {}  # of every code: the first place that has it
        for place, code in enumerate(codes.tolist()):
            if values[first.setdefault(code, place)] != values[place]:
                return None
        if len(first) < size:
            return None
        row = np.empty(size, dtype=np.int64)
        row[list(first)] = rows[list(first.values())]

        def back(of: np.ndarray) -> Any:
            if isinstance(found, pd.Series):
                return found.iloc[row[of]].array
            taken = found[row[of]].to_native()
            return taken.combine_chunks() if hasattr(taken, "combine_chunks") else taken

        return back

    def why_not(self, column: str) -> str:
        """Why a column of the table that came in is not among the data; nothing where it is no column of it."""
        if self.table is None:
            return ""
        return next((one.note for one in datasets.inspect(self.table).columns if one.name == column), "")

    def save(self, path: str | Path) -> Path:
        """Write the table that came in as the file by which its scenarios know it."""
        if self.table is None:
            raise StudyProblem(
                "These data are a file or built in: there is no table in memory that would have to be written."
            )
        from trustscope.datasets import frames

        return frames.save(self.table, path)


def source_of(data: Any, built_in: tuple[str, ...] = ()) -> Source:
    """What was given as data: a table in memory, a dataset, a path, or the name of a built-in set.

    `built_in` are names that only one page has.
    """
    if isinstance(data, Source):
        return data
    if isinstance(data, Dataset):
        return Source(data.name) if data.file is None else Source(OWN, data)
    if isinstance(data, str) and (data in datasets.names() or data in built_in):
        return Source(data)
    if isinstance(data, str | Path):
        return Source(OWN, datasets.load(data, missing="keep"))
    return Source(OWN, datasets.load(data, missing="keep"), data)


def source_for(scenario: Scenario, data: Any) -> Source:
    """The data of a scenario that was made before: what it names, or the person's own, which must be given."""
    if scenario.data.name != OWN:
        if data is not None:
            raise StudyProblem(f"This scenario names the built-in data {scenario.data.name}: leave out `data`.")
        return Source(scenario.data.name)
    if data is None:
        named = "your own data" if scenario.data.file is None else f"your file {scenario.data.file.name}"
        raise StudyProblem(f"This scenario was made with {named}, which is not part of it: write data=...")
    return source_of(data)
