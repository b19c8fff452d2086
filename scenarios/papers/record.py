"""What an experiment of a paper is: one function, and one record of it.

A record says what the paper claims, what can be set, how to run it, how to draw it, and the checks that decide whether
the claim holds. Everything else (the page, the command, the report) reads records.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

CONFIRMED, CORRECTED, DIFFERS = "confirmed", "corrected", "differs"
STAND_IN, UNTESTED = "stand-in", "not tested"
# What was found, in words, and whether that is as expected; None where a table cannot tell.
Finding = tuple[str, bool | np.bool_] | None
Finder = Callable[[pd.DataFrame], Finding]
VERDICTS = (CONFIRMED, CORRECTED, DIFFERS, STAND_IN, UNTESTED)


@dataclass(frozen=True)
class Paper:
    """One of the five: the name that ids begin with, who wrote it, what it is called, where it appeared."""

    name: str
    authors: str
    title: str
    venue: str

    @property
    def short(self) -> str:
        """The first author and the year."""
        return f"{self.authors.split(',')[0].split(' and ')[0]} {self.venue.split()[-1]}"


@dataclass(frozen=True)
class Parameter:
    """Something that can be set: a whole number, a number, several numbers, or one of some options.

    Parameters
    ----------
    name : keyword of the experiment's function
    label : what the control is called
    quick, paper : the two presets; their type says what kind of parameter it is
    low, high : bounds, of every number where there are several
    options : what can be chosen, where it is a choice
    help : one line of explanation
    """

    name: str
    label: str
    quick: object
    paper: object = None
    low: float = 1
    high: float = 10**6
    options: tuple[str, ...] = ()
    help: str = ""

    @property
    def kind(self) -> str:
        """Choice, series, whole or number."""
        if self.options:
            return "choice"
        if isinstance(self.quick, tuple):
            return "series"
        return "whole" if isinstance(self.quick, int) else "number"

    def preset(self, paper_size: bool) -> Any:
        """The value at one of the two sizes."""
        return self.paper if paper_size and self.paper is not None else self.quick

    def checked(self, value: Any) -> Any:
        """The value, with the right type and within bounds; a ValueError says what is wrong."""
        match self.kind:
            case "choice":
                if value not in self.options:
                    raise ValueError(f"{self.label} must be one of {', '.join(self.options)}, not {value!r}.")
                return value
            case "series":
                return self._several(value)
            case kind:
                return self._one(value, whole=kind == "whole")

    def _several(self, value: Any) -> tuple[float, ...]:
        items = value.replace(";", ",").split(",") if isinstance(value, str) else list(value)
        items = [item for item in items if not isinstance(item, str) or item.strip()]
        if not 1 <= len(items) <= 50:
            raise ValueError(f"{self.label} needs between 1 and 50 numbers, separated by commas.")
        whole = isinstance(self.quick, tuple) and all(isinstance(item, int) for item in self.quick)
        return tuple(self._one(item, whole=whole) for item in items)

    def _one(self, value: Any, *, whole: bool) -> float:
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise ValueError(f"{self.label} must be a number, not {value!r}.") from None
        if whole and not number.is_integer():
            raise ValueError(f"{self.label} must be a whole number, not {value}.")
        if not self.low <= number <= self.high:
            raise ValueError(f"{self.label} must lie between {self.low:g} and {self.high:g}, not at {number:g}.")
        return int(number) if whole else number


@dataclass(frozen=True)
class Check:
    """One claim that a table can decide.

    Parameters
    ----------
    claim : what the paper says, in our words; for a misprint, what is right instead
    printed : the paper's own number, or what it shows where it prints none
    measure : takes the table; gives (what was found, in words; whether that is as expected), or None where a table made
        with other settings cannot tell
    tolerance : what counts as agreement
    expected : the verdict if it is as expected: "confirmed"; "corrected" where the paper is wrong and this shows it;
        "differs" where the claim is known not to come out here; "stand-in" where data that are not available are
        replaced by others, which says nothing about the paper and is not counted
    """

    claim: str
    printed: str
    measure: Finder
    tolerance: str
    expected: str = CONFIRMED

    def judge(self, table: pd.DataFrame) -> "Outcome":
        """What the table says of the claim."""
        try:
            found = self.measure(table)
        except (KeyError, IndexError):  # what the claim is about is not in a table made with other settings
            found = None
        if found is None:
            return Outcome(self, "these settings do not show it", UNTESTED, False)
        text, holds = found
        other = CONFIRMED if self.expected == DIFFERS else DIFFERS
        return Outcome(self, text, self.expected if holds else other, bool(holds))


@dataclass(frozen=True)
class Outcome:
    """A check, what was found, the verdict, and whether that is the expected one."""

    check: Check
    found: str
    verdict: str
    held: bool


@dataclass(frozen=True)
class Misprint:
    """Where the paper is wrong: what is printed there, and what is right."""

    printed: str
    right: str


@dataclass(frozen=True)
class Experiment:
    """A figure or table of a paper, or the demonstration of a misprint.

    Parameters
    ----------
    id : the paper's name, a slash, and a name of its own: "li/fig2"
    title : what it shows
    where : where in the paper it stands
    claim : what the paper says, in our words
    function : called with the parameters, `key` and, where it takes them, `progress` and `cancelled`; gives a table
    checks : what decides whether the claim holds
    parameters : what can be set
    misprint : what is misprinted, if the experiment demonstrates a misprint
    timed : columns that hold measured times, which differ from run to run
    """

    id: str
    title: str
    where: str
    claim: str
    function: Callable[..., pd.DataFrame]
    checks: tuple[Check, ...]
    parameters: tuple[Parameter, ...] = ()
    misprint: Misprint | None = None
    timed: tuple[str, ...] = ()

    @property
    def paper(self) -> str:
        """The name of its paper."""
        return self.id.split("/")[0]

    @property
    def file(self) -> str:
        """The id as the stem of a file's name."""
        return self.id.replace("/", "-")

    @cached_property
    def takes(self) -> set[str]:
        """Which of key, progress and cancelled the function takes."""
        return {"key", "progress", "cancelled"} & set(inspect.signature(self.function).parameters)

    def preset(self, paper_size: bool = False) -> dict[str, Any]:
        """The parameters at one of the two sizes."""
        return {p.name: p.preset(paper_size) for p in self.parameters}

    def checked(self, values: dict[str, Any]) -> dict[str, Any]:
        """All parameters: those given, checked, and the quick preset for the rest."""
        if unknown := set(values) - {p.name for p in self.parameters}:
            known = ", ".join(p.name for p in self.parameters) or "nothing"
            raise ValueError(f"{self.id} has no parameter {', '.join(sorted(unknown))}; it takes {known}.")
        return {p.name: p.checked(values.get(p.name, p.quick)) for p in self.parameters}

    def run(
        self,
        *,
        key: int = 1,
        progress: Callable[..., object] | None = None,
        cancelled: Callable[..., object] | None = None,
        paper_size: bool = False,
        **values: Any,
    ) -> "Result":
        """Run it: at the quick size, or the paper's, but for the parameters that are given."""
        values = self.checked(self.preset(paper_size) | values)
        extra = {"key": key, "progress": progress, "cancelled": cancelled}
        table = self.function(**values, **{name: extra[name] for name in self.takes})
        return Result(self, values, table)


@dataclass(frozen=True)
class Result:
    """A table, the experiment that gave it, and the parameters it was run with."""

    experiment: Experiment
    values: dict[str, Any]
    table: pd.DataFrame

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """What the table says of every claim."""
        return tuple(check.judge(self.table) for check in self.experiment.checks)

    @property
    def held(self) -> bool:
        """Whether every check came out as expected."""
        return all(outcome.held for outcome in self.outcomes)

    @property
    def verdict(self) -> str:
        """One word for all checks: the worst verdict; nothing is confirmed while something was not tested."""
        found = {outcome.verdict for outcome in self.outcomes}
        return next(v for v in (DIFFERS, UNTESTED, CORRECTED, CONFIRMED, STAND_IN) if v in found)
