"""Plain, immutable values: what a scenario is made of."""

from collections.abc import Mapping
from typing import Any, Self

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """A frozen record with checked fields. Two values with equal fields are equal, and hash alike."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    def at(self, path: str) -> Any:
        """The part at a dotted path: ``scenario.at("settings.scheme")``."""
        found: Any = self
        for name in path.split("."):
            found = getattr(found, name)
        return found

    def having(self, changes: Mapping[str, Any]) -> Self:
        """The same value with other parts: ``scenario.having({"settings.scheme": "nested"})``.

        What is put in is taken as it is: it comes from a control that offers nothing else, or has been checked.
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
            own[first] = own.get(first, getattr(self, first)).having(inner)
        unknown = own.keys() - type(self).model_fields.keys()
        if unknown:
            raise AttributeError(f"{type(self).__name__} has no part called {', '.join(sorted(unknown))}.")
        return self.model_copy(update=own)
