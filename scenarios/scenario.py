"""What stands on a page, as one plain value that can be kept, sent and opened again: read, written and worked out."""

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any, Self, cast

from trustscope import datasets
from trustscope.datasets import Dataset
from trustscope.scenarios import stored
from trustscope.scenarios.base import LARGEST_SEED, MOST_PROBLEMS, OWN, BaseScenario, Data, OwnFile, Reading
from trustscope.scenarios.metrics import Metrics, compute_metrics
from trustscope.scenarios.pages import kind_of
from trustscope.scenarios.problem import ScenarioProblem

__all__ = ["LARGEST_SEED", "MOST_PROBLEMS", "OWN", "Data", "OwnFile", "Reading", "Scenario"]


class Scenario(BaseScenario):
    """The state of one page; each page has a subclass with `settings` and `view` of its own."""

    @classmethod
    def from_dict(cls, content: Any) -> Self:
        """The scenario that `to_dict` wrote; a ValueError where it is anything else.

        Of the class `Scenario` itself it gives the scenario of whichever page is named.
        """
        if isinstance(content, dict) and not cls.page:
            return cast(Self, kind_of(content.get("page")).from_dict(content))
        return super().from_dict(content)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """The scenario in a file, of whichever page; a ScenarioProblem, in a sentence, where it holds anything else."""
        found = stored.read(path)
        if not isinstance(found, cls):
            raise ScenarioProblem(f"{Path(path).name} is a scenario of the page {found.page}, not of {cls.page}.")
        return found

    def save(self, path: str | Path) -> Path:
        """Write it into a file that `load`, the app and the `trustscope` command open."""
        return stored.write(self, path)

    def figures(self, own: Dataset | Any = None) -> Metrics:
        """All figures of its page over all rows.

        Parameters
        ----------
        own : Dataset, table or path, optional
            The person's own data, where the scenario names them.

        Raises
        ------
        ScenarioProblem
            Where data are given that the scenario does not name: they would not be used.
        """
        if own is not None and self.data.name != OWN:
            raise ScenarioProblem(
                f"This scenario names the built-in data {self.data.name}, so that the data that are given would not be "
                'used: leave them out, or begin with them, ts.Study(data, secret="...").'
            )
        data = own if own is None or isinstance(own, Dataset) else datasets.load(own, missing="keep")
        return compute_metrics(self, data)

    def _changes(self) -> dict[str, Any]:
        """What differs from the scenario that its page opens with, by path."""
        return dict(_flat(self.model_dump(exclude_defaults=True)))

    def __str__(self) -> str:
        told = ", ".join(f"{path} = {value!r}" for path, value in self._changes().items())
        return f"{type(self).__name__}: {told or 'as the page opens'}"

    def _repr_html_(self) -> str:
        left = "style='text-align:left'"
        rows = "".join(
            f"<tr><th {left}>{escape(path)}</th><td {left}>{escape(str(value))}</td></tr>"
            for path, value in self._changes().items()
        )
        what = "What differs from how the page opens:" if rows else "As the page opens."
        return f"<p>A scenario of the page {escape(self.page)}. {what}</p><table>{rows}</table>"


def _flat(content: dict[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in content.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value
