"""Recipients, who of them pool, and what coalitions get: what studies of numbers and of categories share."""

from __future__ import annotations

import math
import operator
from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping
from decimal import Decimal
from difflib import get_close_matches
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd

from trustscope import datasets, schemes
from trustscope.datasets.patients import TITLES as EXAMPLES
from trustscope.datasets.texts import clean
from trustscope.scenarios.coalition import MOST, Recipient
from trustscope.scenarios.scenario import LARGEST_SEED
from trustscope.scenarios.words import listed
from trustscope.study.base import AnyScenario, BaseStudy
from trustscope.study.parts import ChoicePart, Trusts, ValuePart, WholePart
from trustscope.study.problem import StudyProblem
from trustscope.study.solved import Solved
from trustscope.study.source import Source, source_of

LARGEST = 1e15  # of what a requirement can limit

KINDS = {"numbers": "trust", "categories": "categories"}  # what is released, and the page that has it


def one_of(value: object, known: Iterable[str], what: str) -> str:
    """A name that is known; otherwise a sentence with those that are."""
    names = list(known)
    value = _as_shown(value, names)
    if not isinstance(value, str) or value not in names:
        close = get_close_matches(str(value).lower(), [name.lower() for name in names], n=1)
        meant = (
            f"Did you mean {next(name for name in names if name.lower() == close[0])!r}? There" if close else "There"
        )
        raise StudyProblem(f"There is no {what} called {value!r} here. {meant} are {listed(names)}.")
    return str(value)


def _as_shown(value: object, names: list[str]) -> object:
    """A name as it stands in the data becomes what it is called here: on one line, and not longer than is shown.

    Of two that become the same the second has a number: which of them is meant nobody can tell.
    """
    if not isinstance(value, str) or value in names:
        return value
    shown = clean(value)
    return shown if shown in names and f"{shown} (2)" not in names else value


class Study(BaseStudy):
    """What copies of one dataset give away when their holders pool them.

    Made of data, a study is for numbers or for categories, as the secret is; both have the same shape.

    Parameters
    ----------
    data : table, path, str or Dataset
        A pandas, polars or Arrow table, the path of a file, the name of a built-in dataset, or a dataset.
    secret : str, optional
        The column that attackers are after; the first by default.
    kind : {"numbers", "categories"}, optional
        What the secret is released as; found from the data by default.
    **parts
        Any other part, to begin with: `recipients`, `pooled`, `scheme`, `random_state`, and for numbers `within`,
        `columns`, `attackers`, `knowledge`, `known`, `similarity`, `hit`; for categories `known`, `knowledge`, `prior`,
        `bins`.

    Examples
    --------
    >>> import trustscope as ts
    >>> study = ts.Study("iris", secret="Petal length", recipients={"Ministry": 60, "Press": 20})
    >>> study.scheme
    'independent'
    >>> study.coalitions()["members"].tolist()
    [('Ministry',), ('Press',), ('Ministry', 'Press')]
    """

    recipients = ValuePart(doc="Who holds a copy: names, and trust in per cent. {'Ministry': 60, 'Press': 20}")
    pooled = ValuePart(doc="The names of those who put their copies together.")
    scheme = ChoicePart(objects=[], check_on_set=False, doc="How the copies hang together.")
    secret = ChoicePart(objects=[], check_on_set=False, doc="The column that attackers are after.")
    knowledge = ChoicePart(objects=["sample", "everybody"], doc="Whose records the strongest attacker knows.")
    known = ValuePart(doc="Columns that the strongest attacker knows exactly of everybody.")
    random_state = WholePart(
        default=12, bounds=(0, LARGEST_SEED), doc="The key of the noise. It protects nothing: everybody can try it."
    )

    kinds: ClassVar[dict[str, type[Study]]] = {}  # by page
    empty: ClassVar[Any]  # the scenario that a page opens with
    schemes: ClassVar[Collection[str]] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if cls.page:
            Study.kinds[cls.page] = cls

    def __new__(cls, data: Any = None, secret: str | None = None, *, kind: str | None = None, **parts: Any) -> Self:
        """The study of the kind that the data have."""
        if cls is not Study or data is None:
            return super().__new__(cls)
        source = source_of(data, tuple(EXAMPLES))
        page = KINDS[one_of(kind, KINDS, "kind of study")] if kind is not None else page_of(source, secret)
        made = super().__new__(cls.kinds[page])
        made.__dict__["_source"] = source  # data are read once
        return made  # type: ignore[return-value]

    def __init__(self, data: Any, secret: str | None = None, *, kind: str | None = None, **parts: Any):
        source = self.__dict__.get("_source") or source_of(data, tuple(EXAMPLES))
        given = {name: value for name, value in {"secret": secret, **parts}.items() if value is not None}
        super().__init__(
            source, self.empty().replace({f"data.{key}": one for key, one in source.part.items()}), **given
        )

    @classmethod
    def _for_page(cls, page: str) -> type[Self]:
        if cls is Study:
            return cls.kinds[one_of(page, cls.kinds, "page with recipients")]  # type: ignore[return-value]
        return super()._for_page(page)

    # Parts

    def part(self, name: str) -> Any:
        """A part of the scenario by its name here."""
        settings = self.scenario.settings
        if name == "recipients":
            return Trusts(self, {r.name: r.trust for r in settings.recipients})
        if name == "pooled":
            return tuple(r.name for r in settings.coalition)
        return super().part(name)

    def plain(self, name: str) -> Any:
        """A part as a value that can be compared with another one."""
        return dict(self.part(name)) if name == "recipients" else self.part(name)

    def put(self, scenario: AnyScenario, name: str, value: Any) -> AnyScenario:
        """The scenario with another part; a sentence where it cannot have that value."""
        if name == "recipients":
            return self._with_recipients(scenario, value)
        if name == "pooled":
            return self._with_pooled(scenario, value)
        if name == "scheme":
            one_of(value, self.schemes, "scheme")
        if name == "random_state":
            value = seed(value)
        if name == "knowledge":
            one_of(value, ("sample", "everybody"), "knowledge")
        if name == "known":
            value = self._known(scenario, value)
        return super().put(scenario, name, value)

    def _known(self, scenario: AnyScenario, value: Any) -> tuple[str, ...]:
        secret = self._loaded(scenario).model.fit_to_data(scenario).at(self.paths["secret"])
        if secret in [one for one in several(value, "column") if isinstance(one, str)]:
            raise StudyProblem(f"The secret {secret!r} is what attackers are after: it cannot be in `known`.")
        return names_of(value, self.columns_of(scenario), "column")

    @abstractmethod
    def columns_of(self, scenario: AnyScenario) -> tuple[str, ...]:
        """The columns that can be known or looked at."""

    @abstractmethod
    def trust_of(self, name: str, trust: Any) -> float:
        """A trust in per cent; a sentence where it is none."""

    def _with_recipients(self, scenario: AnyScenario, value: Any) -> AnyScenario:
        if not isinstance(value, Mapping):
            raise StudyProblem('Recipients are names and trusts in per cent: write {"Ministry": 60, "Press": 20}.')
        if not 1 <= len(value) <= MOST:
            raise StudyProblem(f"There can be 1 to {MOST} recipients, and {len(value)} were given.")
        settings = scenario.settings
        # Those whom a page opens with were chosen by nobody: whoever is named now is numbered from the beginning.
        chosen = () if settings.recipients == self.empty().settings.recipients else settings.recipients
        before = {r.name: r for r in chosen if r.name in value}
        # A number carries the colour, and where each has noise of their own that noise: who stays keeps theirs.
        free = iter(sorted(set(range(MOST)) - {r.number for r in before.values()}))
        who = []
        for name, trust in value.items():
            if not isinstance(name, str) or not 1 <= len(name) <= 24:
                raise StudyProblem(f"The name of a recipient is a text of 1 to 24 characters, not {name!r}.")
            old = before.get(name)
            number = next(free) if old is None else old.number
            member = True if old is None else old.member
            who.append(Recipient(number=number, name=name, trust=self.trust_of(name, trust), member=member))
        held = tuple(number for number in settings.locked if number in {r.number for r in who})
        return scenario.replace({"settings.recipients": tuple(who), "settings.locked": held})

    def _with_pooled(self, scenario: AnyScenario, value: Any) -> AnyScenario:
        every = scenario.settings.recipients
        chosen = names_of(value, [r.name for r in every], "recipient")
        who = tuple(r.replace({"member": r.name in chosen}) for r in every)
        return scenario.replace({"settings.recipients": who})

    # What the page says, as tables

    @abstractmethod
    def copies(self) -> dict[str, Any]:
        """What each recipient holds: a table of the kind that came in, by name."""

    @abstractmethod
    def coalitions(self) -> pd.DataFrame:
        """What every coalition gets: who they are, and the figures of what they learn."""

    @abstractmethod
    def solve(self, **target: Any) -> Solved:
        """The highest trusts that keep a target, scheme by scheme."""

    def _subsets(self) -> list[tuple[Recipient, ...]]:
        """Every coalition, the small ones first."""
        who = self.scenario.settings.recipients
        masks = sorted(range(1, 2 ** len(who)), key=lambda mask: (mask.bit_count(), mask))
        return [tuple(r for place, r in enumerate(who) if mask >> place & 1) for mask in masks]

    def __repr__(self) -> str:
        settings, data = self.scenario.settings, self._loaded(self.scenario).data
        who = ", ".join(f"{r.name} {r.trust:g} %{'' if r.member else ' (apart)'}" for r in settings.recipients)
        return f"Study of {data.title}: {self._about()}; {schemes.adjective(settings.scheme)} copies for {who}."

    @abstractmethod
    def _about(self) -> str:
        """What the secret is, in words."""


def page_of(source: Source, secret: str | None) -> str:
    """The page on which these data belong: that of the secret's kind."""
    if source.own is None and source.name in EXAMPLES:
        return "categories"
    data = source.own if source.own is not None else datasets.built_in(source.name)
    if secret is None:
        return "trust" if data.numeric else "categories"
    columns = (*data.numeric, *data.categorical)
    if isinstance(secret, str) and secret in data.dates:
        raise StudyProblem(f"The column {secret!r} cannot be the secret: its values are dates, which are not released.")
    if isinstance(secret, str) and secret not in columns and (reason := source.why_not(secret)):
        raise StudyProblem(f"The column {secret!r} cannot be the secret. {reason}")
    return "trust" if one_of(secret, columns, "column") in data.numeric else "categories"


def names_of(value: Any, known: Iterable[str], what: str) -> tuple[str, ...]:
    """Several names that are known, in the order in which they are known."""
    names, asked = list(known), several(value, what)
    meant = {one_of(one, names, what) for one in asked}
    return tuple(name for name in names if name in meant)


def several(value: Any, what: str) -> list[Any]:
    """One name or several as a list."""
    try:
        return [value] if isinstance(value, str) else list(value)
    except TypeError:
        raise StudyProblem(f"Give the name of a {what}, or a list of names ([]: none), not {value!r}.") from None


def seed(value: Any) -> int:
    """A whole number that can key the noise."""
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if not 0 <= number <= LARGEST_SEED:
        raise StudyProblem(f"random_state is a whole number from 0 to {LARGEST_SEED}, not {value!r}.")
    return number


def share(value: Any, what: str) -> float:
    """A share between 0 and 1; a sentence where it is given in per cent."""
    given = number(value)
    if given is None or not 0 <= given <= 1:
        hint = f": write {given / 100:g} for {given:g} %" if given is not None and 1 < given <= 100 else ""
        raise StudyProblem(f"{what} is a share between 0 and 1, not {shown(value)}{hint}.")
    return given


def amount(value: Any, what: str) -> float:
    """A number that is not negative."""
    given = number(value)
    if given is None or not 0 <= given <= LARGEST:
        raise StudyProblem(f"{what} is a number from 0 to {LARGEST:g}, not {shown(value)}.")
    return given


def number(value: Any) -> float | None:
    """A real number, also one of numpy; None where it is none."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real | Decimal):
        return None
    try:
        return float(value)
    except OverflowError:  # a whole number beyond all floats: more than is allowed anywhere
        return math.inf


def shown(value: Any) -> str:
    """What was given, as a sentence shows it."""
    text = (
        f"{number(value):g}"
        if isinstance(value, np.generic | np.ndarray) and number(value) is not None
        else repr(value)
    )
    return text if len(text) <= 60 else f"{text[:60]}…"


def recipients_named(settings: Any, names: Any) -> tuple[int, ...]:
    """The numbers of recipients by their names."""
    chosen = names_of(names, [r.name for r in settings.recipients], "recipient")
    return tuple(r.number for r in settings.recipients if r.name in chosen)


def members_of(subsets: Iterable[tuple[Recipient, ...]]) -> list[tuple[str, ...]]:
    """The names of coalitions."""
    return [tuple(r.name for r in who) for who in subsets]


def joined(names: Iterable[str]) -> str:
    """Names as a sentence has them."""
    return listed(list(names))


def one_trust(name: str, trust: Any, least: float, whole: bool) -> float:
    """A trust in per cent.

    Parameters
    ----------
    name : str
        Whose it is.
    trust : number
    least : float
        The least that there is.
    whole : bool
        Whether only whole per cents are there.
    """
    given = number(trust)
    if given is not None and 0 < given <= 1 and not _is_whole(trust):
        raise StudyProblem(f"Trust is in per cent: write {100 * given:g} for {name}, where {shown(trust)} was given.")
    if given is None or not least <= given <= 100:
        raise StudyProblem(f"Trust is a number of per cent from {least:g} to 100; for {name} it is {shown(trust)}.")
    if whole and given != int(given):
        raise StudyProblem(
            f"Trust is a whole number of per cent; for {name} it is {shown(trust)}: write {round(given)}."
        )
    return int(given) if given == int(given) else given


def _is_whole(value: Any) -> bool:
    try:
        operator.index(value)
    except TypeError:
        return False
    return True
