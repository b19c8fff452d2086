"""What the strongest attacker gets from copies, measured on the data itself.

All copies lie on one path, so a coalition knows as much as its best copy of the numbers and its best copy of the
categories tell (`coalitions`): a figure belongs to a *setting*, (trust, retention) in thousandths. The attacker sees
whole rows, knows every kept column of everybody, all columns of half of the people (of the sample), how the copies were
made, and nothing else of those who are attacked (`engine.attacks.optimal.mixed`). Figures are measured on people drawn
from the data by its digest, and come with standard errors; what a column by itself gives away is exact.
"""

import contextlib
import hashlib
import hmac
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from trustscope.engine.arrays import Integers
from trustscope.engine.attacks.optimal import (
    Holding,
    Knowledge,
    Limits,
    Mixed,
    MixedFinder,
    Reidentified,
    holding_of,
    mixed_exposure,
)
from trustscope.engine.attacks.optimal.mixed import MixedPoint
from trustscope.engine.attacks.optimal.single import Single
from trustscope.engine.measures.closeness import usual_distance
from trustscope.release.plan import Data
from trustscope.release.problems import Problem, stop_if
from trustscope.release.recipe import Recipe, level
from trustscope.release.sample import Sample, sample, seed
from trustscope.release.store import write_durably
from trustscope.release.types import Cancel, DataRecord, Progress, Rules, Setting

FILE = "ledger.risk"  # figures that were worked out before; nothing of anybody's row is in them
SEALED = "ledger.risk.sealed"  # the same under a seal of the key: what a copy may be decided by
FORM = 6  # of that file and of how figures are worked out: others are worked out again
NOBODY: Setting = (None, None)  # the setting of somebody without a copy
LIMITS = Limits(references=2_048, probes=4_000)
LEAST_ROWS = 20  # fewer tell nothing about an attacker
MOST_VALUES = 1_000  # of a kept column by which others are guessed: the commonest, and all others as one


def _telling(codes: Integers) -> Integers:
    """A kept column as others are guessed by it: a value that one row alone has tells of nobody else, and of very many
    values the commonest stand for themselves, and the others for one."""
    counts = np.bincount(codes)
    told = np.argsort(-counts, kind="stable")[: np.count_nonzero(counts > 1)][: MOST_VALUES - 1]
    places = np.full(len(counts), len(told))
    places[told] = np.arange(len(told))
    return codes if len(counts) <= MOST_VALUES else places[codes]


@dataclass(frozen=True)
class ColumnRisk:
    """What the strongest attacker gets of one column.

    Attributes
    ----------
    name : str
    within : float or None
        The distance of a hit; None for categories, where a hit is the right one.
    hits, hits_error : float
        Share of the people whose value is guessed, and its standard error.
    without : float
        The same without any copy.
    error, error_error : float or None
        Of numbers, mean square error of the best guess over the variance, and its standard error.
    hundredth, worst : float or None
        The chance of a hit for the most exposed hundredth of all people, and for the most exposed one that was
        found, of those whose value is not common; None where everybody's is, or the setting is nobody's.
    shared, unaided : float or None
        The chance of a hit for those whose value is common, on average, and the same for who guesses one value for all
        of them; None where nobody's is, or the setting is nobody's.
    """

    name: str
    within: float | None
    hits: float
    hits_error: float
    without: float
    error: float | None = None
    error_error: float | None = None
    hundredth: float | None = None
    worst: float | None = None
    shared: float | None = None
    unaided: float | None = None


@dataclass(frozen=True)
class Risk:
    """What the strongest attacker gets at one setting.

    Attributes
    ----------
    trust, retention : int or None
        In thousandths, of the best copies.
    columns : tuple of ColumnRisk
        Numbers first.
    found, found_error, found_without : float
        Share of the people whose row is found again among those of the sample, its standard error, and what kept
        columns do without any copy. Among more rows fewer are found.
    crowd, lonely : float
        Half of the people hide among at least so many rows, and nine in ten among so many.
    rows, population, known, attacked : int
        Of the sample and of the data, rows that stand for what is known of others, and people who were attacked.
    note : str
        What was done about gaps.
    """

    trust: int | None
    retention: int | None
    columns: tuple[ColumnRisk, ...]
    found: float
    found_error: float
    found_without: float
    crowd: float
    lonely: float
    rows: int
    population: int
    known: int
    attacked: int
    note: str = ""

    def column(self, name: str) -> ColumnRisk:
        """The figures of one column."""
        return next(one for one in self.columns if one.name == name)

    @property
    def worst(self) -> ColumnRisk | None:
        """The column and the chance of the most exposed person of all, or None."""
        exposed = [one for one in self.columns if one.worst is not None]
        return max(exposed, key=lambda one: one.worst or 0.0) if exposed else None


class _Prepared(NamedTuple):
    """The sample, and who attacks it."""

    sample: Sample
    attacker: Mixed
    finder: MixedFinder


class Risks:
    """The risks of one ledger's data, each worked out once.

    Parameters
    ----------
    recipe : Recipe
    data : callable
        Gives the `Data`; called when something has to be worked out.
    described : dict
        What the ledger records of the data: its rows and digest.
    folder : pathlib.Path, optional
        Where figures are kept; by default in memory alone.
    key : bytes, optional
        Of the ledger: then only figures that carry its seal are believed.
    """

    def __init__(
        self,
        recipe: Recipe,
        data: Callable[[], Data],
        described: DataRecord,
        folder: Path | None = None,
        key: bytes | None = None,
    ) -> None:
        self._recipe, self._get, self._described, self._key = recipe, data, described, key
        self._path = None if folder is None else folder / (SEALED if key else FILE)
        self._prepared: _Prepared | None = None
        self._figures: dict[str, Any] | None = None

    def known(self, setting: Setting) -> Risk | None:
        """The risk at a setting if it is worked out, or None."""
        found = self._known_figures().get(_name(setting))
        return None if found is None else _risk_of(found)

    def at(self, setting: Setting, *, progress: Progress | None = None, cancel: Cancel | None = None) -> Risk:
        """The risk at a setting.

        `progress` is told (columns done, columns in all); `cancel` calls it off between two columns.
        """
        total = 0
        for done, total in self.steps(setting):
            stop_if(cancel)
            if progress:
                progress(done, total)
        if progress and total:
            progress(total, total)
        found = self.known(setting)
        assert found is not None  # it has just been worked out
        return found

    def steps(self, setting: Setting) -> Iterator[tuple[int, int]]:
        """Work out the risk at a setting, column by column: yields (columns done, columns in all)."""
        if _name(setting) in self._known_figures():
            return
        names = (*self._recipe.roles.numbers, *self._recipe.roles.categories)
        columns, total = [], len(names) + 1
        yield 0, total  # to read the data takes a while, too
        mine, attacker, _ = self._prepare()
        for done, name in enumerate(names, 1):
            columns.append(self._column(name, setting))
            yield done, total
        found, without = self._reidentification(setting), self._reidentification(NOBODY)
        sides = attacker.numbers.sides
        risk = Risk(
            *setting, tuple(columns), found.share, found.share_error, without.share, found.crowd, found.lonely,
            mine.rows, mine.population, len(sides[0].known), sum(len(np.unique(side.people)) for side in sides),
            mine.note,
        )  # fmt: skip
        self._keep(_name(setting), asdict(risk))

    def hits(self, setting: Setting, name: str, within: float | None) -> tuple[float, float]:
        """Share of the people whose value of a column is guessed to within a distance, and its standard error."""
        if within is None or self._is_usual(name, within):
            one = self.at(setting).column(name)
            return one.hits, one.hits_error
        key = _hits_name(setting, name, within)
        if key not in self._known_figures():
            one = self._column(name, setting, within)
            self._keep(key, [one.hits, one.hits_error])
        hits, error = self._known_figures()[key]
        return hits, error

    def is_ready(self, policy: Rules, setting: Setting) -> bool:
        """Whether all that these rules ask for is worked out."""
        wanted = [
            _hits_name(setting, name, within)
            for name, (within, _) in policy.get("hits", {}).items()
            if within is not None and not self._is_usual(name, within)
        ]
        return all(name in self._known_figures() for name in (_name(setting), *wanted))

    # One column

    def _is_usual(self, name: str, within: float) -> bool:
        usual = self._usual(name)
        return usual is None or abs(within - usual) <= 1e-9 * usual

    def _usual(self, name: str) -> float | None:
        """The distance of a hit, or None for categories."""
        roles = self._recipe.roles
        if name not in roles.numbers:
            return None
        return float(usual_distance(self._recipe.deviations[roles.numbers.index(name)]))

    def _column(self, name: str, setting: Setting, within: float | None = None) -> ColumnRisk:
        number = name in self._recipe.roles.numbers
        distance = (self._usual(name) if within is None else float(within)) if number else None
        without = self._without(name, distance)
        if setting == NOBODY:
            return ColumnRisk(name, distance, **without, without=without["hits"])
        found = self._measure(name, setting, distance, exposed=True)
        # Who has a copy can do without it.
        hits = max((found, without), key=lambda one: one["hits"])
        kept = {key: hits[key] for key in ("hits", "hits_error")}
        return ColumnRisk(name, distance, **(found | kept), without=without["hits"])

    def _without(self, name: str, within: float | None) -> dict[str, float]:
        """Figures of a column without any copy: the same whatever is out."""
        key = f"{_name(NOBODY)} {name} {within!r}"
        if key not in self._known_figures():
            self._keep(key, self._measure(name, NOBODY, within))
        figures: dict[str, float] = self._known_figures()[key]
        return figures

    def _measure(self, name: str, setting: Setting, within: float | None, exposed: bool = False) -> dict[str, Any]:
        """Figures of a column at one setting, as a dictionary."""
        attacker, roles, holding = self._prepare().attacker, self._recipe.roles, _holding(setting)
        sides = attacker.numbers.sides
        if within is None:
            target = roles.categories.index(name)
            manners = [attacker.choose_category(side, holding, target) for side in sides]
            guessed = attacker.guessed(holding, target, manners)
            found: dict[str, Any] = {"hits": guessed.right, "hits_error": guessed.right_error}
        else:
            target = roles.numbers.index(name)
            manners = [attacker.choose_number(side, holding, target, np.array([within])) for side in sides]
            seen, alone = (
                attacker.point(holding, target, [within], manners),
                attacker.numbers.alone(holding.level, target, [within]),
            )
            linear = attacker.numbers.linear_hits(holding.level, target, np.array([within]))
            found = _better(seen, alone, float(linear[0]), attacker.numbers.variance(target), setting)
        if exposed:
            risks = mixed_exposure(attacker, holding, target, within, manners)
            figures = {name: getattr(risks, name) for name in ("hundredth", "worst", "shared", "unaided")}
            found |= {name: None if np.isnan(value) else value for name, value in figures.items()}
        return found

    def _reidentification(self, setting: Setting) -> Reidentified:
        return self._prepare().finder.at(_holding(setting))

    # The attacker

    def _prepare(self) -> _Prepared:
        """Draw the sample and make the attacker, when they are needed for the first time."""
        if self._prepared is not None:
            return self._prepared
        recipe, digest = self._recipe, self._described["digest"]
        mine = sample(self._get(), recipe, self._described["rows"], digest)
        if mine.rows < LEAST_ROWS:
            raise Problem(
                f"Risk is measured on people of whom the attacker knows others: at least {LEAST_ROWS} rows without "
                f"gaps are needed, and there are {mine.rows}."
            )
        kept = mine.known_codes
        telling = np.column_stack([_telling(column) for column in kept.T]) if kept.shape[1] else kept
        attacker = self._make_attacker(mine, telling)
        finder = MixedFinder(attacker if np.array_equal(telling, kept) else self._make_attacker(mine, kept))
        self._prepared = _Prepared(mine, attacker, finder)
        return self._prepared

    def _make_attacker(self, mine: Sample, kept_codes: Integers) -> Mixed:
        """The attacker who knows these of kept categories, and all kept numbers."""
        recipe = self._recipe
        many, kept = mine.numbers.shape[1], mine.known.shape[1]
        # Kept numbers have no noise that others' could be related to.
        shape = np.eye(many + kept)
        shape[:many, :many] = recipe.covariance
        names = list(recipe.roles.categories)
        codes = np.column_stack([mine.codes, kept_codes])
        return Mixed(
            np.column_stack([mine.numbers, mine.known]) if many + kept else None, codes if codes.shape[1] else None,
            [*(len(recipe.domains[name]) for name in names), *(max(int(one.max()) + 1, 2) for one in kept_codes.T)],
            cells=[[names.index(name) for name in block] for block in recipe.blocks],
            known=[len(names) + place for place in range(kept_codes.shape[1])],
            shape=shape if many + kept else None,
            knowledge=Knowledge(columns=tuple(range(many, many + kept))),
            key=seed(self._described["digest"]), limits=LIMITS,
        )  # fmt: skip

    # What was worked out before

    def _known_figures(self) -> dict[str, Any]:
        if self._figures is None:
            self._figures = self._read()
        return self._figures

    def _read(self) -> dict[str, Any]:
        if self._path is None:
            return {}
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            kept = json.loads(self._path.read_text(encoding="utf-8"))
            sealed = self._key is None or hmac.compare_digest(kept["seal"], self._seal(self._key, kept["figures"]))
            if sealed and (kept["form"], kept["digest"]) == (FORM, self._described["digest"]):
                return dict(kept["figures"])
        return {}

    def _keep(self, name: str, figures: Any) -> None:
        self._known_figures()[name] = figures
        if self._path is None:
            return
        # Another program may have worked out others meanwhile.
        self._figures = self._read() | self._known_figures()
        kept = {"form": FORM, "digest": self._described["digest"], "figures": self._figures}
        if self._key is not None:
            kept["seal"] = self._seal(self._key, self._figures)
        with contextlib.suppress(Problem):  # a ledger that cannot be written to can still be looked at
            write_durably(self._path, json.dumps(kept).encode(), "the figures")

    def _seal(self, key: bytes, figures: Mapping[str, Any]) -> str:
        text = json.dumps([FORM, self._described["digest"], figures], sort_keys=True)
        return hmac.new(key, f"risk {text}".encode(), hashlib.sha256).hexdigest()


def _name(setting: Setting) -> str:
    return "/".join("-" if value is None else str(value) for value in setting)


def _hits_name(setting: Setting, name: str, within: float) -> str:
    return f"{_name(setting)} {name} {float(within)!r} hits"


def _risk_of(plain: Mapping[str, Any]) -> Risk:
    return Risk(**{**plain, "columns": tuple(ColumnRisk(**one) for one in plain["columns"])})


def _holding(setting: Setting) -> Holding:
    """What somebody holds whose best copies are at these thousandths."""
    trust, retention = setting
    from_numbers = 1e8 if trust is None else level(trust)
    return holding_of(from_numbers, () if retention is None else (retention / 1000,))


def _better(seen: MixedPoint, alone: Single, linear: float, variance: float, setting: Setting) -> dict[str, float]:
    """Figures of whole rows, or of the column alone or the best linear guess where these do better."""
    by_column = max(float(alone.hits[0]), linear)
    rows = float(seen.hits[0]) > by_column
    trust = setting[0]
    tried = [(seen.error, seen.error_error), (alone.error / variance, 0.0)]
    if trust is not None:
        tried.append((level(trust) / (1 + level(trust)), 0.0))
    error, spread = min(tried)
    return {
        "hits": float(seen.hits[0]) if rows else by_column,
        "hits_error": float(seen.hits_error[0]) if rows else 0.0,
        "error": float(error), "error_error": float(spread),
    }  # fmt: skip
