"""The data desk of the Rotation dashboard: numbers, more columns at once than elsewhere."""

import numpy as np

from trustscope import datasets
from trustscope.app.data import TITLES, DataDesk
from trustscope.scenarios.words import count

FIRST = 16  # attributes released at first: as many as the letters have, which are the paper's example


class RotationDesk(DataDesk):
    """What is loaded; only sets with numbers are offered."""

    def _built_in(self):
        return {TITLES[name]: name for name in datasets.names() if name != "votes"}

    def _first(self, dataset):
        return dataset.numeric[:FIRST]

    _split = ""

    def _released(self):
        return f"{len(self.columns)} of {len(self.dataset.numeric)} numeric columns turned together.{self._split}"

    def split(self, released: int = 0, others: int = 0):
        """Say how many rows are released, and how many others there are for samples; without them, nothing."""
        self._split = f" {count(released)} rows are released; samples come from {count(others)} others."
        self._split = self._split if released else ""
        self._show_about()

    def _show_chooser(self):
        super()._show_chooser()
        self.attributes.options = [
            (value, name, f"Turn {name} together with the others") for value, name, _ in self.attributes.options
        ]

    def _refusal(self, dataset):
        if dataset.numeric:
            return None
        return (
            "None of the chosen columns holds numbers, and only numbers can be turned: choose a numeric column, or "
            "another file."
        )

    def values(self) -> np.ndarray:
        """The chosen columns of all rows."""
        return self.dataset.frame[list(self.columns)].to_numpy(dtype=float)
