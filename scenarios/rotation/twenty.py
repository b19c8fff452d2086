"""Twenty values of the Rotation page, one of each of twenty people, and whether they are recovered (see
`scenarios.twenty`); where whole records are judged, twenty records.

A group is held against everybody by guessing, by a competitor with a usual sample, and by insiders who know more and
more people and guess the rest by a linear rule: what those guess who look for similar people takes seconds, and comes
near to it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from trustscope.engine.arrays import Floats, Integers
from trustscope.engine.attacks.known_input import KnownInputAttack
from trustscope.engine.keys import rng
from trustscope.engine.rotation import RotationRelease
from trustscope.scenarios.rotation.judge import Hits, Judge
from trustscope.scenarios.rotation.records import Records
from trustscope.scenarios.rotation.scenario import USUAL, RotationScenario, Settings
from trustscope.scenarios.twenty import CANDIDATES, FEWEST, MANY, Twenty, nearest_group
from trustscope.scenarios.value import not_none

INSIDERS = (1, 2, 6, 8, 12)  # how many people they know, with whom a group is held against everybody
TINY = 1e-9


@dataclass(frozen=True)
class Cells:
    """The twenty: places of their records, columns of their values, and the luck of each with guesses at random."""

    places: np.ndarray
    columns: np.ndarray
    luck: np.ndarray

    def of(self, kind: str, record: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Their part of something that is there for each record, and for each value."""
        found: np.ndarray = values[self.places, self.columns] if kind == "value" else record[self.places]
        return found


class Insider(Protocol):
    """The story of an insider, as far as it is asked here; it asks for the twenty itself."""

    judged: int

    def attack(self, places: tuple[int, ...]) -> KnownInputAttack:
        """What follows from knowing these records."""

    def guess_by_others(self, places: tuple[int, ...], judge: Judge) -> Floats:
        """What who knows these and other people guesses."""


class Remedy(Protocol):
    """The story of the remedy, likewise."""

    def hits(self, settings: Settings) -> Hits:
        """What is hit through one matrix for all."""


class Competitor(Protocol):
    """The story of a competitor, likewise."""

    def guess(self, settings: Settings, size: int, block: int) -> Floats:
        """What is guessed with one sample."""


class StoryModel(Protocol):
    """A model, as far as its stories ask it."""

    records: Records
    seed: int
    shifted: bool
    norms: Floats
    shift_length: float
    release: RotationRelease
    row_of: Integers
    turned: Floats
    usual_order: tuple[int, ...]
    most_known: int

    @property
    def known(self) -> Insider:
        """The second step."""

    @property
    def sample(self) -> Competitor:
        """The third step."""

    @property
    def remedy(self) -> Remedy:
        """The fourth step."""

    def without(self, settings: Settings) -> Hits:
        """What can be hit without any release."""

    def cells(self, kind: str, quick: bool = False) -> Cells | None:
        """The twenty; with `quick` only if they have been chosen before."""

    def order(self, settings: Settings) -> tuple[int, ...]:
        """Row numbers of the known records, then of those that would be told next."""

    def fit_to_data(self, scenario: RotationScenario) -> RotationScenario:
        """The scenario as far as it fits the data."""


def chosen(model: StoryModel, kind: str) -> Cells | None:
    """The twenty, by the rule; None where there are too few records, or nothing in which they differ."""
    records = model.records
    varying = np.flatnonzero(records.varying)
    if records.rows < FEWEST or not len(varying):
        return None
    told = {records.place(number) for number in model.usual_order[: model.most_known]}  # who is known is no guess
    places = np.array([place for place in range(CANDIDATES) if place not in told])
    places = places[: len(places) // MANY * MANY]
    draw = rng(model.seed, "values of the twenty")
    columns, luck = varying[draw.integers(len(varying), size=len(places))], draw.random(len(places))
    every = Cells(places, columns, luck)
    tried = list(_tried(model, kind))
    hits = np.array([every.of(kind, one.record, one.values) for one in tried], dtype=float)
    group = nearest_group(hits, model.seed, np.array([one.rate for one in tried]))
    return Cells(places[group], columns[group], luck[group])


def _tried(model: StoryModel, kind: str) -> Iterator[Hits]:
    """What is hit of everybody, in several settings."""
    judge, true = Judge(model.records, kind, USUAL[kind]), model.records.private[: model.known.judged]
    settings = model.fit_to_data(RotationScenario()).settings
    settings = settings.replace({"kind": kind, "eps": USUAL[kind]})
    yield model.without(settings)
    yield judge.hits(true, model.sample.guess(settings, not_none(settings.sample), 1))
    yield model.remedy.hits(settings)
    # The insider of the page as it opens, in the way that hits most; others in a way that is soon worked out.
    places = tuple(not_none(model.records.place(number)) for number in not_none(settings.known))
    yield judge.hits(true, model.known.guess_by_others(places, judge))
    for number in INSIDERS:
        if number < model.records.columns:
            yield judge.hits(true, _linear(model, true, number))


def _linear(model: StoryModel, true: Floats, number: int) -> Floats:
    """What follows from the places of records relative to so many known ones, for who knows how attributes vary."""
    records = model.records
    known = records.private[[not_none(records.place(one)) for one in model.usual_order[:number]]]
    if model.shifted:  # then only differences are known
        known = known - known[0]
    _, size, directions = np.linalg.svd(known, full_matrices=True)
    rank = int(np.count_nonzero(size > TINY * max(float(size[0]), TINY)))
    seen, free = directions[:rank].T, directions[rank:].T
    varies = records.pool.T @ records.pool / len(records.pool)
    rule = np.linalg.lstsq(seen.T @ varies @ seen, seen.T @ varies @ free, rcond=None)[0]
    found: Floats = true @ seen @ (seen.T + rule @ free.T)
    return found


def twenty(
    model: StoryModel,
    settings: Settings,
    without: Hits,
    rate: float,
    record: np.ndarray,
    values: np.ndarray,
    *,
    quick: bool = False,
) -> Twenty | None:
    """What is recovered of the twenty by guessing, and by an attack.

    Parameters
    ----------
    model : Model
    settings : Settings
    without : Hits
        Without any release.
    rate : float
        The attack's share of hits: who would do better by guessing guesses.
    record, values : numpy.ndarray
        Chances of the attack for each record judged, and for each of its values.
    quick : bool
        Whether nobody may wait until the twenty are chosen, which takes as long as the insider's guess.
    """
    cells, kind = model.cells(settings.kind, quick), settings.kind
    if cells is None:
        return None
    before = cells.of(kind, without.record, without.values).astype(bool)
    after = cells.of(kind, record, values) > cells.luck if rate > without.rate else before
    true = model.records.private[cells.places]
    truth = model.records.own_units(true)[np.arange(len(true)), cells.columns]
    return Twenty(np.array([model.records.number(place) for place in cells.places]), truth, before, after)
