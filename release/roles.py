"""What happens to each column: numbers and categories are perturbed, keep is carried along, drop is left out."""

import re
from dataclasses import dataclass
from typing import Literal, Self

import pyarrow as pa

from trustscope.release.problems import Problem
from trustscope.release.temporal import is_temporal
from trustscope.release.types import Names, Readable, RolesRecord

Role = Literal["numbers", "categories", "keep", "drop"]
ROLES: tuple[Role, ...] = ("numbers", "categories", "keep", "drop")


@dataclass(frozen=True)
class Roles:
    """The columns by role, each in the order of the data.

    Attributes
    ----------
    numbers, categories, keep, drop : tuple of str
    types : dict of str to pyarrow.DataType
        Of all columns that are read.
    recorded : dict of str to str
        The same as the ledger has them.
    """

    numbers: tuple[str, ...]
    categories: tuple[str, ...]
    keep: tuple[str, ...]
    drop: tuple[str, ...]
    types: dict[str, pa.DataType]
    recorded: dict[str, str]

    @classmethod
    def of(
        cls,
        data: Readable,
        *,
        numbers: Names = (),
        categories: Names = (),
        keep: Names = (),
        drop: Names = (),
        dates: Names = (),
    ) -> Self:
        """Roles of the columns of `data`, after checking that every column has one.

        `dates` are numbers too; only a CSV file has to be told, as its columns have no types.
        """
        dates = _listed(dates)
        given = {"numbers": _listed(numbers), "categories": _listed(categories), "keep": _listed(keep)}
        given["numbers"] += [name for name in dates if name not in given["numbers"]]
        given["drop"] = _listed(drop)
        taken: dict[str, str] = {}
        for role, names in given.items():
            for name in names:
                if name not in data.types:
                    there = ", ".join(data.types)
                    raise Problem(f"The data has no column “{name}” (asked for under {role}); it has {there}.")
                if name in taken:
                    raise Problem(f"The column “{name}” is listed under {taken[name]} and under {role}; choose one.")
                taken[name] = role
        if forgotten := [name for name in data.types if name not in taken]:
            raise Problem(
                f"Nothing is said about the column “{forgotten[0]}”; list it under numbers, categories, keep or drop."
            )
        if not given["numbers"] and not given["categories"]:
            raise Problem("No column would be perturbed; list at least one under numbers or categories.")
        by_role = {role: tuple(name for name in data.types if taken[name] == role) for role in ROLES}
        known = {name: pa.date32() if type_ is None and name in dates else type_ for name, type_ in data.types.items()}
        types = {name: _type(name, taken[name], type_) for name, type_ in known.items() if taken[name] != "drop"}
        if wrong := next((name for name in dates if not is_temporal(types[name])), None):
            raise Problem(f"The column “{wrong}” holds {_word(types[wrong])}, not dates; list it under another role.")
        return cls(**by_role, types=types, recorded={name: str(type_) for name, type_ in types.items()})

    @classmethod
    def from_record(cls, record: RolesRecord, data: Readable | None) -> Self:
        """The roles that a ledger holds, with the types that the data has (None: that are recorded)."""
        known = {} if data is None else data.types
        types = {name: known.get(name) or _named(text) for name, text in record["types"]}
        names = {role: tuple(record[role]) for role in ROLES}
        return cls(**names, types=types, recorded=dict(record["types"]))

    @property
    def read(self) -> tuple[str, ...]:
        """The columns of a copy, in the order of the data."""
        return tuple(self.types)

    def record(self) -> RolesRecord:
        """As plain values, for the ledger."""
        return {
            "numbers": list(self.numbers),
            "categories": list(self.categories),
            "keep": list(self.keep),
            "drop": list(self.drop),
            # A list: the order of the columns counts, and plain dictionaries are kept sorted.
            "types": [[name, text] for name, text in self.recorded.items()],
        }

    def differences(self, data: Readable) -> list[str]:
        """What has changed in the columns of `data`, as sentences; empty if nothing."""
        said = [f"the column “{name}” is missing" for name in self.types if name not in data.types]
        known = {*self.types, *self.drop}
        said += [f"the column “{name}” is new" for name in data.types if name not in known]
        for name, was in self.recorded.items():
            now = data.types.get(name)
            # A CSV file has no types, and how long offsets are is a matter of encoding.
            if now is not None and str(now).removeprefix("large_") != was.removeprefix("large_"):
                said.append(f"the column “{name}” is of type {now} instead of {was}")
        return said


def _listed(names: Names) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _type(name: str, role: str, type_: pa.DataType | None) -> pa.DataType:
    """The type that a column is read as; text and doubles for a CSV file."""
    if type_ is None:
        return pa.float64() if role == "numbers" else pa.string()
    if role == "numbers" and not (
        pa.types.is_integer(type_) or pa.types.is_floating(type_) or pa.types.is_decimal(type_) or is_temporal(type_)
    ):
        raise Problem(f"The column “{name}” holds {_word(type_)}, not numbers; list it under categories, keep or drop.")
    if role == "categories" and not (
        _is_text(type_) or pa.types.is_integer(type_) or pa.types.is_boolean(type_) or pa.types.is_floating(type_)
    ):
        raise Problem(f"The column “{name}” holds {_word(type_)}; turn it into text to release it as categories.")
    return type_


def _is_text(type_: pa.DataType) -> bool:
    return bool(pa.types.is_string(type_) or pa.types.is_large_string(type_))


def _word(type_: pa.DataType) -> str:
    return "text" if _is_text(type_) else f"values of type {type_}"


def _named(text: str) -> pa.DataType:
    """A type by name, for columns whose data is not at hand or does not say: a CSV file's are double and string."""
    if zoned := re.fullmatch(r"timestamp\[(\w+), tz=(.+)\]", text):
        return pa.timestamp(*zoned.groups())
    try:
        return pa.type_for_alias(text)
    except ValueError:
        return pa.null()
