"""Steps before the noise as parts of a scenario, and data to which they have been applied."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import pandas as pd
from pydantic import Field

from trustscope.datasets import Dataset
from trustscope.engine.preparation import Effect, Step, Trait, effect, traits
from trustscope.scenarios.value import Value

MOST_STEPS = 40
SMALLEST = 1e-9  # of a unit or a grid
LOOKED_AT = 200_000  # rows from which traits are taken: more of them say the same


class Prepared(Value):
    """One step for one column.

    Attributes
    ----------
    column : str
        By name; a step for a column that is not there does nothing.
    limit, share : float or None, float
        Where an end is coded: at a value, or at the quantile beyond which this share of people lie.
    unit : float
        Of a logarithm: what is small.
    grid : float
        Of rounding.
    action : str
        What is done; each kind says which actions it has.
    """

    column: str = Field(max_length=500)
    limit: float | None = None
    share: float = Field(default=0.01, ge=0.0001, le=0.5)
    unit: float = Field(default=1.0, ge=SMALLEST)
    grid: float = Field(default=1.0, ge=SMALLEST)
    action: str

    @property
    def step(self) -> Step:
        """The step as the engine takes it."""
        return Step(self.action, self.limit, self.share, self.unit, self.grid)


class Preparation(Prepared):
    """A step for a column that would be released as numbers."""

    action: Literal["top", "bottom", "logarithm", "round", "categories", "drop"]


class NumberPreparation(Prepared):
    """A step for numbers that become categories anyway."""

    action: Literal["top", "bottom", "logarithm", "round"]


@dataclass(frozen=True)
class Offer:
    """What a column has, and the step that is suggested."""

    column: str
    trait: Trait
    preparation: Preparation | None
    effect: Effect | None = None  # of the step, where the column has numbers after it


def prepared(data: Dataset, steps: Iterable[Prepared]) -> Dataset:
    """The data after these steps, in their order; numbers that become categories or are dropped are not numeric."""
    steps = [one for one in steps if one.column in data.numeric]
    if not steps:
        return data
    columns = {str(name): data.frame[name] for name in data.frame.columns}
    units, numeric = dict(data.units), list(data.numeric)
    for one in steps:
        name, step = one.column, one.step
        if name not in numeric:  # an earlier step took it out
            continue
        if not step.keeps_numbers:
            numeric.remove(name)
            continue
        columns[name] = pd.Series(step.apply(columns[name].to_numpy(dtype=float)), index=data.frame.index)
        if step.action == "logarithm":
            units[name] = f"ln {units[name]}" if units.get(name) else "ln"
    left = {name: column for name, column in columns.items() if name in numeric or name not in data.numeric}
    return replace(
        data, frame=pd.DataFrame(left, index=data.frame.index), numeric=tuple(numeric),
        units={name: unit for name, unit in units.items() if name in left},
    )  # fmt: skip


def settled(data: Dataset, steps: Iterable[Prepared]) -> tuple[Prepared, ...]:
    """The same steps with the bounds themselves instead of shares; each is found after those before it."""
    found, before = [], list(steps)
    for place, one in enumerate(before):
        now = prepared(data, before[:place])
        if one.column in now.numeric:
            at = one.step.settled(now.frame[one.column].to_numpy(dtype=float)).limit
            one = one.replace({"limit": at})
        found.append(one)
    return tuple(found)


def offered(data: Dataset, columns: Iterable[str]) -> tuple[Offer, ...]:
    """What these columns have that noise does not hide, with what is suggested for each; the most pressing first."""
    found = []
    for name in columns:
        values = data.frame[name].to_numpy(dtype=float)
        if len(values) > LOOKED_AT:
            values = np.random.default_rng(20_120_901).choice(values, LOOKED_AT, replace=False)
        found += offered_for(name, values)
    return tuple(sorted(found, key=lambda offer: (offer.trait.kind != "far", -offer.trait.reach)))


def offered_for(name: str, values: np.ndarray) -> list[Offer]:
    """The same for one column, by its values."""
    return [_offer(name, trait, values) for trait in traits(values)]


def _offer(name: str, trait: Trait, values: np.ndarray) -> Offer:
    step = trait.suggestion
    if step is None:
        return Offer(name, trait, None)
    more = {} if step.share is None else {"share": step.share}
    wanted = Preparation(column=name, action=step.action, unit=step.unit, grid=step.grid, **more)  # type: ignore[arg-type]
    return Offer(name, trait, wanted, effect(values, step.apply(values)) if step.keeps_numbers else None)
