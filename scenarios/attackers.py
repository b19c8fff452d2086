"""All attackers on numbers, each as one record: what it does, what it is called, what it assumes, how it is drawn.

Those of the house are declared here. Others are registered by a decorator, or come with packages that name them under
the entry point `trustscope.attackers`; they are then on the page, in tables, targets, reports and scenarios.

>>> from trustscope.scenarios.attackers import registered
>>> list(registered())[:2]
['strongest', 'perfect']
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from trustscope import colours
from trustscope.engine.attacks import reconstruction
from trustscope.errors import TrustscopeError
from trustscope.registry import LAST, NAME, Registry, check_line

BEST, LINEAR, RECONSTRUCTION, LEARNED, OWN = "best", "linear", "reconstruction", "learned", "own"


@dataclass(frozen=True)
class Attacker:
    """One attacker.

    Attributes
    ----------
    name : str
        In scenarios, links and code: it never changes.
    family : str
        How it is run: `BEST` (the strongest), `LINEAR` (all copies at once), `RECONSTRUCTION` (the combined copy as a
        whole), `LEARNED` (trained on people who are known), or `OWN` (a function that was registered).
    who : str
        What it does, to follow "an attacker who".
    title : str
        What its tick says.
    tip, note : str
        What the tick tells, and what the table of attackers says of it.
    needs : tuple of str
        What it must know.
    why : str
        Why it wins where it does, to follow a colon.
    assumes : str
        What it takes for granted, to follow "who"; {known} and {rows} stand for what is known, and learned from.
    colour : str
        Of its lines; empty: that of the scheme.
    dash : str
        Of its lines.
    rank : int
        Of those ticked the one of the lowest rank is drawn.
    slow : bool
        Whether it is left out while a slider moves, where others are ticked too.
    function : callable or None
        ``function(copies, noise, *, known, rng)`` of one that was registered.
    """

    name: str
    family: str
    who: str
    title: str
    tip: str
    note: str
    needs: tuple[str, ...]
    why: str
    assumes: str
    dash: str
    rank: int
    colour: str = ""
    slow: bool = False
    function: Callable[..., Any] | None = None


def _of_paper(name: str, who: str, title: str, why: str, assumes: str, dash: str, rank: int) -> Attacker:
    """One of the reconstructing attackers, whose words and needs the engine has."""
    known = reconstruction.ATTACKERS[name]
    return Attacker(
        name, RECONSTRUCTION, who, title, f"{known.title} ({known.name}). {known.assumes}",
        f"{known.name}. Assumes: {known.assumes[0].lower()}{known.assumes[1:]}", known.needs, why, assumes, dash, rank,
        colours.ATTACKERS[name],
    )  # fmt: skip


_HOUSE = (
    Attacker(
        "strongest", BEST, "makes the best guess", "best guess",
        "Knows other people's records, and guesses by the posterior over whole rows: nobody with that knowledge does "
        "better",
        "The window with most of the posterior over whole records, and the conditional mean. Assumes nothing "
        "about the distributions: it has other people's records.",
        ("the covariance of the noise", "other people's records"),
        "it knows how values are distributed: where they heap up, where nobody is, and who stands far out",
        "knows {known}, and the level of every copy", "solid", 0,
    ),
    Attacker(
        "perfect", LINEAR, "knows the statistics", "knows the statistics",
        "Knows the data's mean and covariance and every level",
        "Linear, on all copies at once (LLSE). Assumes nothing about the distributions.",
        ("the covariance of the noise", "the mean and covariance of the data"),
        "it knows how the data vary, and trusts every direction as far as the noise there allows",
        "is told the mean and covariance of the data and the level of every copy", "dashed", 1,
    ),
    Attacker(
        "structured", LINEAR, "learns the mean", "learns the mean",
        "Knows the levels and the covariance; estimates the mean from a sample",
        "The same, with a mean learned from a sample.", ("the covariance of the noise", "the covariance of the data"),
        "it knows how the data vary, and a mean is quickly learned",
        "is told the covariance of the data and the levels, and learns the mean from {rows} rows", "dotdash", 2,
    ),
    Attacker(
        "raw", LINEAR, "learns everything", "learns everything",
        "Knows the levels; estimates the covariance of all copies from a sample",
        "The same, with all moments of all copies learned from a sample.", ("the levels and the shape of the noise",),
        "its sample is large enough to learn everything from",
        "is told the levels, and learns everything else from {rows} rows", "dotted", 3,
    ),
    _of_paper(
        "noise_distribution", "takes the copy as it is", "as it is",
        "there is so little noise that every correction costs more than it mends",
        "takes the combined copy for the data themselves", "dotted", 10,
    ),
    _of_paper(
        "univariate", "takes each attribute alone", "each attribute alone",
        "the attributes say little about each other that would help, and it makes the most of each one",
        "takes attributes to tell nothing of each other", "dotdash", 8,
    ),
    _of_paper(
        "principal_components", "keeps the strong components", "components",
        "the data lie along few directions, and what it throws away is mostly noise",
        "takes the data to vary along a few directions only", "dashed", 7,
    ),
    _of_paper(
        "spectral_filter", "filters the spectrum", "filter",
        "the data stand out of the noise along few directions, and it keeps just those",
        "takes the noise to be equally strong in every direction", "dotted", 9,
    ),
    _of_paper(
        "bayes", "weighs by Bayes' rule", "Bayes",
        "it trusts every direction as far as the noise there allows, and neither keeps nor drops it whole",
        "takes data and noise to be normal", "solid", 6,
    ),
    Attacker(
        "neighbours", LEARNED, "asks who looks alike", "nearest neighbours",
        "Takes the known people whose copies look most alike, and guesses what most of them have",
        "The average, or the fullest window, of the known people whose copies look most alike.",
        ("the covariance of the noise", "other people's records"),
        "people whose copies look alike have values that are alike",
        "knows {known}, and asks those whose copies look most alike", "dashed", 4, colours.ATTACKERS["neighbours"],
    ),
    Attacker(
        "boosting", LEARNED, "trains trees", "boosted trees",
        "Trains trees on copies of known people, each mending what those before it left",
        "Trees, each mending what those before it left, trained on known people.",
        ("the covariance of the noise", "other people's records"),
        "its trees find what the copies of people who are known have in common with their values",
        "knows {known}, and trains trees on them", "dotdash", 5, colours.ATTACKERS["boosting"], slow=True,
    ),
)  # fmt: skip

_registry = Registry("trustscope.attackers", "an attacker", _HOUSE)


def registered() -> Mapping[str, Attacker]:
    """All attackers by name: those of the house in their order, then those that were registered."""
    return _registry.every()


def of(name: str) -> Attacker:
    """The attacker of this name."""
    every = registered()
    if name not in every:
        raise TrustscopeError(unknown(name))
    return every[name]


def unknown(name: object) -> str:
    """What is said of a name that nobody has registered."""
    return (
        f"There is no attacker called {str(name)[:48]!r} here: install the package that brings it, or choose one of "
        f"{', '.join(registered())}."
    )


# Registering


def attacker(
    *, title: str, assumes: str, name: str | None = None, who: str | None = None, needs: tuple[str, ...] = (),
    note: str = "", colour: str = colours.NEUTRAL, dash: str = "dotted", rank: int = LAST,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:  # fmt: skip
    """Register an attacker of one's own: a function that guesses records from all copies of a coalition.

    Parameters
    ----------
    title : str
        What its tick says: "Nearest neighbours".
    assumes : str
        What it takes for granted: "people who look alike are alike".
    name : str, optional
        In scenarios and links; that of the function by default.
    who : str, optional
        What it does, to follow "an attacker who"; by default "uses" and the title.
    needs : tuple of str
        What it must know beside the copies, the noise and other people's records.
    note : str
        More about it, for the table of attackers.
    colour, dash, rank : str, str, int
        How its lines are drawn: a colour as #rrggbb, one of solid, dashed, dotted and dotdash; of those ticked the one
        of the lowest rank is drawn.

    Returns
    -------
    callable
        A decorator for ``function(copies, noise, *, known, rng)``, which it gives back unchanged. `copies` is an array
        of shape (M, rows, N), `noise` a `KnownNoise`, `known` the records of other people, of shape (people, N), and
        `rng` a numpy.random.Generator; it gives estimates of shape (rows, N). `trustscope.testing.check_attacker` tells
        whether it keeps to that.

    Examples
    --------
    >>> @attacker(title="Best copy", assumes="the best copy tells everything", who="believes the best copy")
    ... def best_copy(copies, noise, *, known, rng):
    ...     return copies[noise.levels.argmin()]
    >>> unregister("best_copy")
    """

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        called = _registry.check(function, name, title=title, assumes=assumes)
        check_line(colour, dash)
        granted = assumes.replace("{", "{{").replace("}", "}}")  # `assumes` of a record is filled in
        found = Attacker(
            called, OWN, who or f"uses {title[0].lower()}{title[1:]}", title, f"{title}. Assumes that {assumes}.",
            f"{note or title}. Assumes that {assumes}.".replace("..", "."),
            ("the covariance of the noise", "other people's records", *needs), f"it is right that {assumes}",
            "knows {known}, and assumes that " + granted, dash, rank, colour, True, function,
        )  # fmt: skip
        _registry.put(found)
        return function

    return register


def unregister(name: str) -> None:
    """Forget an attacker that was registered."""
    _registry.drop(name)


# As mappings of names to words, and as parts of a scenario


class Words(Mapping[str, str]):
    """Attackers of some families, by name: what they do, to follow "an attacker who". It grows with the registry."""

    def __init__(self, *families: str):
        self._families = families

    def __getitem__(self, name: str) -> str:
        found = registered()[name]
        if found.family not in self._families:
            raise KeyError(name)
        return found.who

    def __iter__(self) -> Iterator[str]:
        return (name for name, one in list(registered().items()) if one.family in self._families)

    def __len__(self) -> int:
        return sum(1 for _ in self)


ATTACKERS = Words(BEST, LINEAR, RECONSTRUCTION, LEARNED, OWN)
MEASURES = Words(BEST, LINEAR, RECONSTRUCTION, OWN)  # a target is about one of them


def _one_of(names: Mapping[str, str]) -> AfterValidator:
    def check(name: str) -> str:
        if name not in names:
            raise PydanticCustomError("attacker", "{sentence}", {"sentence": unknown(name)})
        return name

    return AfterValidator(check)


_SPELLED = {"pattern": f"^{NAME}$", "examples": [one.name for one in _HOUSE]}
AttackerName = Annotated[str, Field(max_length=48, json_schema_extra=_SPELLED), _one_of(ATTACKERS)]
MeasureName = Annotated[str, Field(max_length=48, json_schema_extra=_SPELLED), _one_of(MEASURES)]
