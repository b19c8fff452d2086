"""What is done to numbers before noise is added, settled when the ledger is created and part of its recipe.

A quantile is found once and kept as a value: with new rows, or on another machine, it would be another one, and copies
would contradict those that are out. The data is read through these steps, so that everything else, digests included,
is about the numbers as they are released.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from trustscope.engine.arrays import Floats
from trustscope.engine.preparation import Step
from trustscope.release.problems import Problem
from trustscope.release.roles import Roles
from trustscope.release.types import Readable, RecipeRecord

# What is done to which column, one after the other.
Steps = tuple[tuple[str, Step], ...]

ACTIONS = ("top", "bottom", "logarithm", "round")
MOST_ROWS = 50_000_000  # of a column that is held at once to find a quantile
FORMS = "top:VALUE, top:SHARE%, bottom:VALUE, bottom:SHARE%, logarithm, logarithm:UNIT or round:GRID"


def from_text(text: str) -> Step:
    """A step as it is typed: “top:1%”, “bottom:0”, “logarithm:100”, “round:5”."""
    action, _, value = text.strip().partition(":")
    value = value.strip()
    try:
        if action in ("top", "bottom") and value.endswith("%"):
            return Step(action, share=float(value[:-1]) / 100)
        if action in ("top", "bottom"):
            return Step(action, limit=float(value))
        if action == "round":
            return Step(action, grid=float(value))
        if action == "logarithm":
            return Step(action, unit=float(value)) if value else Step(action)
    except ValueError as error:
        raise Problem(f"“{text}” is no step before the noise: {error}") from None
    raise Problem(f"“{text}” is no step before the noise; give {FORMS}.")


def settle(data: Readable, roles: Roles, steps: Sequence[tuple[str, Step]]) -> Steps:
    """The same steps with values instead of quantiles, which are found in one pass over each column.

    Parameters
    ----------
    data : Data
        Without steps.
    roles : Roles
    steps : sequence of (str, Step)

    Returns
    -------
    tuple of (str, Step)
    """
    found: list[tuple[str, Step]] = []
    for name, step in steps:
        if name not in roles.numbers:
            raise Problem(f"A step before the noise is given for “{name}”, which is not listed under numbers.")
        if step.action not in ACTIONS:
            raise Problem(f"“{step.action}” is no step for a number here; give {FORMS}.")
        if step.action in ("top", "bottom") and step.limit is None:
            step = step.settled(_whole(data, roles, name, found))
        found.append((name, step))
    return tuple(found)


def _whole(data: Readable, roles: Roles, name: str, before: Sequence[tuple[str, Step]]) -> Floats:
    if (data.rows or 0) > MOST_ROWS:
        raise Problem(
            f"The data has more than {MOST_ROWS:,} rows, too many to find a quantile of “{name}”; give its value."
        )
    parts = [
        apply(table, before).column(name).cast(pa.float64()).to_numpy(zero_copy_only=False)
        for _, table in data.units([name], types=roles.types)
    ]
    column = np.concatenate(parts) if parts else np.empty(0)
    if not np.isfinite(column).any():
        raise Problem(f"The column “{name}” has no values to find a quantile of.")
    return column


def apply(table: pa.Table, steps: Sequence[tuple[str, Step]]) -> pa.Table:
    """The table with these steps taken."""
    for name, step in steps:
        place = table.column_names.index(name) if name in table.column_names else -1
        if place < 0:
            continue
        column = table.column(place)
        values = step.apply(column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False))
        kept = pa.array(values, mask=np.isnan(values)).cast(type_after(column.type, step))
        table = table.set_column(place, name, kept)
    return table


def type_after(type_: pa.DataType | None, step: Step) -> pa.DataType | None:
    """The type of a column after a step: whole numbers stay whole where the step leaves them so."""
    if type_ is None:
        return None
    whole = {"top": step.limit, "bottom": step.limit, "round": step.grid}.get(step.action)
    return type_ if pa.types.is_integer(type_) and whole is not None and float(whole).is_integer() else pa.float64()


def types_after(
    types: Mapping[str, pa.DataType | None], steps: Sequence[tuple[str, Step]]
) -> dict[str, pa.DataType | None]:
    """The types of all columns after these steps."""
    types = dict(types)
    for name, step in steps:
        if name in types:
            types[name] = type_after(types[name], step)
    return types


def record(steps: Steps) -> list[tuple[str, dict[str, Any]]]:
    """As plain values, for the ledger; numbers exactly."""
    return [(name, {key: value.hex() if isinstance(value, float) else value for key, value in step.record().items()})
            for name, step in steps]  # fmt: skip


def from_record(recorded: RecipeRecord) -> Steps:
    """The steps that a ledger's recipe holds."""
    return tuple((name, Step(plain["action"], **_numbers(plain))) for name, plain in recorded.get("steps", ()))


def _numbers(plain: Mapping[str, Any]) -> dict[str, Any]:
    numbers = {key: value for key, value in plain.items() if key != "action"}
    return {key: None if value is None else float.fromhex(value) for key, value in numbers.items()}


def describe(name: str, step: Step) -> str:
    """What a step does, as a sentence."""
    match step.action:
        case "top":
            return f"{name}: whatever is above {step.limit:g} is released as {step.limit:g}."
        case "bottom":
            return f"{name}: whatever is below {step.limit:g} is released as {step.limit:g}."
        case "round":
            return f"{name}: rounded to multiples of {step.grid:g} before noise is added."
    return f"{name}: released as its logarithm, the sign of x times ln(1 + |x| / {step.unit:g})."
