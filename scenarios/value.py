"""Plain, immutable values: what a scenario is made of."""

import re
import warnings
from collections.abc import Callable, Mapping
from typing import Any, Self, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import PydanticCustomError

from trustscope.scenarios.problem import ScenarioProblem

T = TypeVar("T")


class Value(BaseModel):
    """A frozen record with checked fields. Two values with equal fields are equal, and hash alike."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    def at(self, path: str) -> Any:
        """The part at a dotted path: ``scenario.at("settings.scheme")``.

        Paths come from lessons too, which anybody may write, and from a method all of Python can be reached: so a part
        is a field, or a property that a value of ours declares, and nothing else is.
        """
        found: Any = self
        for name in path.split("."):
            if not isinstance(found, Value) or not found._has(name):
                raise AttributeError(f"{type(found).__name__} has no part called {name}.")
            found = getattr(found, name)
        return found

    @classmethod
    def _has(cls, name: str) -> bool:
        ours = (vars(kind) for kind in cls.__mro__ if issubclass(kind, Value))
        declared = any(isinstance(one.get(name), property) for one in ours)
        return name in cls.model_fields or (declared and not name.startswith("_"))

    def replace(self, changes: Mapping[str, Any], *, checked: bool = True) -> Self:
        """The same value with other parts: ``scenario.replace({"settings.scheme": "nested"})``.

        Without `checked` what is put in is taken as it is: for controls, which mend what follows from a change before
        anybody sees it.

        Raises
        ------
        ScenarioProblem
            Where a part cannot have that value: what is wrong, and where.
        """
        nested: dict[str, dict[str, Any]] = {}
        own: dict[str, Any] = {}
        for path, value in changes.items():
            first, _, rest = path.partition(".")
            if rest:
                nested.setdefault(first, {})[rest] = value
            else:
                own[first] = value
        for first, inner in nested.items():
            own[first] = own.get(first, getattr(self, first)).replace(inner, checked=checked)
        unknown = own.keys() - type(self).model_fields.keys()
        if unknown:
            raise AttributeError(f"{type(self).__name__} has no part called {', '.join(sorted(unknown))}.")
        if not checked:
            return self.model_copy(update=own)
        fields = {name: self.__dict__[name] for name in type(self).model_fields}
        try:
            return type(self).model_validate(fields | own)
        except ValidationError as error:
            where, what = wrong(error.errors(include_url=False, include_context=False)[0])
            raise ScenarioProblem(f"{type(self).__name__} cannot be changed: {where}: {what}.") from None

    def can_stand(self) -> bool:
        """Whether each part of it is allowed, also those that were put in without a check."""
        try:
            type(self).model_validate(self.model_dump(warnings=False))
        except ValidationError:
            return False
        return True

    def having(self, changes: Mapping[str, Any]) -> Self:
        """The former name of `replace`."""
        warnings.warn("`having` is called `replace` now.", DeprecationWarning, stacklevel=2)
        return self.replace(changes)


def not_none(value: T | None) -> T:
    """What must be there by now: a setting of a scenario that is fitted to its data, a part of a finished picture."""
    assert value is not None
    return value


def spelled(pattern: str, sentence: str) -> Callable[[str], str]:
    """A check of how a text is written; `sentence` tells a person, who is told no pattern."""

    def check(text: str) -> str:
        if re.fullmatch(pattern, text) is None:
            raise PydanticCustomError("spelling", "{sentence}", {"sentence": sentence})
        return text

    return check


def wrong(error: Any) -> tuple[str, str]:
    """Where in a scenario something is wrong, and what."""
    where = " → ".join(str(part + 1) if isinstance(part, int) else str(part)[:40] for part in error["loc"])
    return where or "The scenario", error["msg"][0].lower() + error["msg"][1:]
