"""From the data that a Rotation scenario names to a model of them."""

from collections.abc import Sequence

import numpy as np

from trustscope.datasets import Dataset
from trustscope.scenarios.problem import Unusable
from trustscope.scenarios.rotation.model import LEAST_ROWS, Model
from trustscope.scenarios.rotation.scenario import RotationScenario
from trustscope.scenarios.source import dataset_of, noun_of

FIRST = 16  # attributes released at first: as many as the letters have, which are the paper's example
LARGEST, SMALLEST = 1e100, 1e-100  # sizes of values whose squares can be added up


def fetch(scenario: RotationScenario, own: Dataset | None = None) -> Dataset:
    """The data."""
    return dataset_of(scenario, own)


def load(data: Dataset, scenario: RotationScenario) -> Model:
    """A model of the columns that the scenario names, or of the first ones; Unusable where they cannot be turned."""
    asked = [name for name in scenario.data.columns if name in data.numeric]
    columns = tuple(asked) or data.numeric[:FIRST]
    if not columns or data.rows < LEAST_ROWS:
        raise Unusable(
            "There is nothing here to turn.",
            f"Rotation needs numeric columns and {LEAST_ROWS} rows or more. Choose other data, or drop a file.",
        )
    complete = data.complete(columns)  # of a person's own file only the rows without gaps in these columns
    kept, rows = complete.dataset, data.rows - complete.left_out
    if rows < LEAST_ROWS:
        raise Unusable(
            "Too many rows have a gap.",
            f"Rotation needs {LEAST_ROWS} rows or more that have a value in each chosen column, and there are "
            f"{rows}: choose fewer columns, or fill in missing values.",
        )
    columns = tuple(kept.frame.columns)
    values = kept.frame.to_numpy(dtype=float)
    _refuse(values, columns)
    settings = scenario.settings
    return Model(
        values, columns, scenario.seed, shifted=settings.shifted, standardised=settings.standardised,
        units=data.units, noun=noun_of(data),
    )  # fmt: skip


def _refuse(values: np.ndarray, columns: Sequence[str]) -> None:
    """Data that cannot be turned get a sentence."""
    if not np.ptp(values, axis=0).any():
        raise Unusable("All records are the same.", "There are no distances to keep: choose other columns.")
    sizes = np.abs(values).max(axis=0)
    if sizes.max() > LARGEST:
        which = columns[int(np.argmax(sizes))]
        raise Unusable(
            "These values are too large.",
            f"Column {which} has values around {sizes.max():.0e}: express it in a larger unit, or leave it out.",
        )
    if sizes.max() < SMALLEST:
        raise Unusable(
            "These values are too small.",
            f"None is larger than {sizes.max():.0e}: express them in a smaller unit, or choose other columns.",
        )
