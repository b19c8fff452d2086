"""What steps did to a table: a sentence or two for each of them, with figures of these data."""

from collections.abc import Sequence

import numpy as np

from trustscope.datasets import Dataset
from trustscope.engine.preparation import Effect, effect
from trustscope.scenarios.preparation import words
from trustscope.scenarios.preparation.steps import Prepared, prepared, settled


def effect_on(data: Dataset, steps: Sequence[Prepared], column: str) -> Effect | None:
    """What all steps of a column did to it; None where it has no numbers before or after them."""
    own = [one for one in steps if one.column == column]
    if column not in data.numeric or not all(one.step.keeps_numbers for one in own):
        return None
    after = prepared(data, own)
    return effect(_numbers(data, column), _numbers(after, column))


def sentences(data: Dataset, steps: Sequence[Prepared], noun: str = "people", noisy: bool = True) -> tuple[str, ...]:
    """One for each step: what it does, with the bound itself, and at the last step of a column what they changed."""
    found = []
    for place, (step, exact) in enumerate(zip(steps, settled(data, steps), strict=True)):
        unit = data.units.get(step.column, "")
        if step.column not in data.numeric:
            found.append(f"{words.does(step)} There is no column of numbers called {step.column} here.")
            continue
        later = any(one.column == step.column for one in steps[place + 1 :])
        done = None if later else effect_on(data, steps, step.column)
        same = all(one.action != "logarithm" for one in steps if one.column == step.column)
        more = "" if done is None else f" {words.changed(done, noun, unit, same, noisy)}"
        found.append(f"{words.does(exact, unit)}{more}")
    return tuple(found)


def _numbers(data: Dataset, column: str) -> np.ndarray:
    return data.frame[column].to_numpy(dtype=float)
