"""Parameters of a study that are parts of its scenario: they are read there and written there, and held nowhere else.

param itself keeps the value that it told watchers last, to tell whether there is something new; nobody reads it.
"""

from collections.abc import Iterator, MutableMapping
from typing import Any

import param


class Part:
    """A parameter that stands for a part of the scenario; mixed into one of param's own kinds."""

    def __get__(self, study: Any, kind: type | None = None) -> Any:
        if study is None or not study.begun:
            return super().__get__(study, kind)  # type: ignore[misc]
        return study.part(self.name)  # type: ignore[attr-defined]

    def __set__(self, study: Any, value: Any) -> None:
        if study is None or not study.begun or study.telling:
            super().__set__(study, value)  # type: ignore[misc]
        else:
            study.change(**{self.name: value})  # type: ignore[attr-defined]


class ValuePart(Part, param.Parameter):
    """Any value; the scenario checks it."""


class ChoicePart(Part, param.Selector):
    """One of several."""


class NumberPart(Part, param.Number):
    """A number."""


class WholePart(Part, param.Integer):
    """A whole number."""


class ScenarioPart(param.ClassSelector):
    """The scenario itself: whatever is put in is first made to fit the data."""

    def __set__(self, study: Any, value: Any) -> None:
        super().__set__(study, value if study is None or value is None else study.fit_to_data(value))


class Trusts(MutableMapping[str, Any]):
    """Who holds a copy, and at which trust in per cent; what is put in here stands in the study at once."""

    def __init__(self, study: Any, trusts: dict[str, Any]):
        self._study, self._trusts = study, trusts

    def __getitem__(self, name: str) -> Any:
        return self._trusts[name]

    def __setitem__(self, name: str, trust: Any) -> None:
        self._put(self._trusts | {name: trust})

    def __delitem__(self, name: str) -> None:
        if name not in self._trusts:
            raise KeyError(name)
        self._put({one: trust for one, trust in self._trusts.items() if one != name})

    def __iter__(self) -> Iterator[str]:
        return iter(self._trusts)

    def __len__(self) -> int:
        return len(self._trusts)

    def __eq__(self, other: object) -> bool:
        return dict(self) == (dict(other) if isinstance(other, MutableMapping) else other)

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __repr__(self) -> str:
        return repr(self._trusts)

    def _put(self, trusts: dict[str, Any]) -> None:
        self._study.recipients = trusts
        self._trusts = dict(self._study.recipients)
