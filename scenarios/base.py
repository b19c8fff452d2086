"""What stands on a page, as one plain value that can be kept, sent and opened again.

A scenario names its data and never holds them; it holds no key of a real release. Everything is kept by name or
value, nothing by position, and nothing that follows from something else is kept at all.
"""

from __future__ import annotations

from collections.abc import Hashable
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple, Self

from pydantic import AfterValidator, Field, ValidationError

from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.size import is_too_much
from trustscope.scenarios.value import Value, spelled, wrong
from trustscope.scenarios.versions import VERSION, carried_forward

OWN = "own"  # the name of data that came from a person's own file
MOST_PROBLEMS = 20  # sentences about one scenario; whoever sends more nonsense is told no more
MOST_WRONG = 200  # things in a scenario that cannot be used; where there are more, nothing of it is
TOO_MUCH = "This holds far more than any scenario does"
USUAL = "so the page opens as it usually does."
LARGEST_SEED = 2**31 - 1
DIGEST = r"^[0-9a-f]{64}$"
NO_DIGEST = "a digest has 64 digits, from 0 to 9 and from a to f"


class OwnFile(Value):
    """A person's own file: enough to recognise it, nothing of what is in it."""

    name: str = Field(max_length=255)
    size: int = Field(ge=0)
    digest: Annotated[str, Field(json_schema_extra={"pattern": DIGEST}), AfterValidator(spelled(DIGEST, NO_DIGEST))]


class Data(Value):
    """Which data, and which of their columns.

    Attributes
    ----------
    name : str
        Of a built-in set, or "own".
    file : OwnFile or None
        Which file it was, where the data are a person's own.
    columns : tuple of str
        The columns that are released, by name; none: those that the page begins with.
    """

    name: str = Field(max_length=64)
    file: OwnFile | None = None
    columns: tuple[str, ...] = Field(default=(), max_length=1000)


class BaseScenario(Value):
    """The state of one page; each page has a subclass with `settings` and `view` of its own.

    Attributes
    ----------
    data : Data
    seed : int
        The key of the noise that is shown. A real release never uses it.
    """

    page: ClassVar[str] = ""

    data: Data
    seed: int = Field(default=12, ge=0, le=LARGEST_SEED)

    if TYPE_CHECKING:  # only: as fields they would be asked of every page twice

        @property
        def settings(self) -> Any:
            """What is set on the page, of a kind of its own."""

        @property
        def view(self) -> Any:
            """What is looked at, of a kind of its own."""

    @property
    def model_key(self) -> tuple[Hashable, ...]:
        """What a model of the data depends on: where it stays the same, one model serves."""
        return self.data, self.seed

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON: all fields, by name."""
        return {"trustscope": VERSION, "page": self.page, **self.model_dump(mode="json")}

    @classmethod
    def from_dict(cls, content: Any) -> Self:
        """The scenario that `to_dict` wrote; a ValueError where it is anything else."""
        if not isinstance(content, dict):
            raise ScenarioProblem("A scenario is a JSON object.")
        if content.get("page", cls.page) != cls.page:
            raise ScenarioProblem(f"This scenario is of another page than {cls.page}.")
        if is_too_much(content):
            raise ScenarioProblem(f"{TOO_MUCH}: leave out what the page does not need.")
        return cls.model_validate(_body(carried_forward(content)))

    @classmethod
    def read(cls, content: Any) -> Reading:
        """As much of a scenario as can be used, and a sentence for each thing that cannot."""
        problems: list[str] = []
        body: dict[str, Any] = {}
        if not isinstance(content, dict):
            problems.append(f"This is not a scenario, {USUAL}")
        elif is_too_much(content):
            problems.append(f"{TOO_MUCH}, {USUAL}")
        else:
            try:
                body = _body(carried_forward(content))
            except ScenarioProblem as problem:
                problems.append(f"{problem} What is known here was used.")
                body = _body(content)
        while True:
            try:
                return Reading(cls.model_validate(body), tuple(problems))
            except ValidationError as error:
                if error.error_count() > MOST_WRONG:
                    problems, body = [f"More than {MOST_WRONG} things in this cannot be used, {USUAL}"], {}
                    continue
                found = error.errors(include_url=False, include_context=False)
                told = (f"{where} was left out: {what}." for where, what in map(wrong, found))
                problems += islice(told, MOST_PROBLEMS - len(problems))
                for one in reversed(found):  # from the end of a list, so that the places before it stay true
                    _drop(body, one["loc"])


class Reading(NamedTuple):
    """A scenario, and what had to be left out of it."""

    scenario: Any  # of the page's kind
    problems: tuple[str, ...]


def _body(content: dict[str, Any]) -> dict[str, Any]:
    """A copy without the two entries that say what it is."""
    return {key: _copied(value) for key, value in content.items() if key not in ("trustscope", "page")}


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copied(one) for key, one in value.items()}
    return [_copied(one) for one in value] if isinstance(value, list | tuple) else value


def _drop(body: Any, place: tuple[Any, ...]) -> None:
    """Remove what stands at a place, or the nearest thing around it that can be removed."""
    holders, holder = [], body
    for part in place:
        try:
            inner = holder[part]
        except (KeyError, IndexError, TypeError):
            break
        holders.append((holder, part))
        holder = inner
    if not holders:
        body.clear()
        return
    # A required field that is missing spoils the list entry or the field that should have held it.
    holder, part = holders[-1]
    del holder[part]
