"""What each position of a trust slider would mean for the target: kept or broken, all positions at once."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from trustscope import schemes
from trustscope.engine.arrays import Bools
from trustscope.engine.attacks.tracks import track_errors
from trustscope.scenarios.solve import words
from trustscope.scenarios.solve.floors import Labels
from trustscope.scenarios.solve.measured import pooled_apart
from trustscope.scenarios.solve.requirement import TrustRequirement
from trustscope.scenarios.solve.standing import Standing
from trustscope.scenarios.solve.trust import Scheme, figure, largest, members, no_labels, usefulness
from trustscope.scenarios.trust.scenario import LEVELS, Settings, levels

if TYPE_CHECKING:
    from trustscope.scenarios.trust.model import Model

POSITIONS = np.arange(1, 101)  # per cent
LADDER = np.array([LEVELS[trust] for trust in range(1, 101)])
ROUNDING = 1e-9
TRIED = 20_000  # coalitions whose level is worked out at slider rate, in 30 ms


@dataclass(frozen=True)
class Handle:
    """One slider.

    Attributes
    ----------
    runs : tuple of (first, last, kept)
        Positions in per cent, from the left: whether everything is kept there.
    said : str
        Whether the target is kept, and what is reached now, of the requirement that is broken, or of the first one.
    told : str
        The same in words, and where the slider would keep it.
    """

    runs: tuple[tuple[float, float, bool], ...]
    said: str
    told: str


def handles(model: Model, settings: Settings, labels: Labels = no_labels) -> dict[int, Handle]:
    """By the recipients' numbers; empty where there is no requirement that can be judged at once.

    Left out is what must be measured on the copies themselves, or trained: an attacker who learns everything, what
    single people risk, and classifiers. The target's answer has them.
    """
    judged = [r for r in settings.requirements if at_once(model, settings, r, labels)]
    if not judged:
        return {}
    kept = np.ones((len(settings.recipients), len(LADDER)), dtype=bool)
    for requirement in judged:
        kept &= _kept(model, settings, requirement, labels)
    now = min((standing_of(model, settings, r, labels) for r in judged), key=lambda one: one.kept)
    return {
        r.number: handle_of(POSITIONS, kept[place], int(r.trust) - 1, now)
        for place, r in enumerate(settings.recipients)
    }


def at_once(model: Model, settings: Settings, requirement: TrustRequirement, labels: Labels = no_labels) -> bool:
    """Whether a requirement can be judged without measuring or training."""
    if requirement.protects:
        measured = pooled_apart(requirement.attacker) or requirement.of_people
        return not measured and bool(members(requirement, settings)) and _quick(settings, requirement)
    return requirement.what != "accuracy" and not usefulness(model, settings, requirement, labels).problem


def _quick(settings: Settings, requirement: TrustRequirement) -> bool:
    """Whether all coalitions at all positions can be gone through: only schemes that were registered need that."""
    if schemes.of(settings.scheme).house:
        return True
    places = members(requirement, settings)
    each = comb(len(places) - 1, largest(requirement, places) - 1)
    return each * len(places) * len(LADDER) <= TRIED


def _kept(model: Model, settings: Settings, requirement: TrustRequirement, labels: Labels) -> Bools:
    """Whether a requirement is kept with each recipient at each position, shape (M, 100)."""
    many = len(settings.recipients)
    if not requirement.protects:
        least = usefulness(model, settings, requirement, labels).least
        now = np.array([int(r.trust) for r in settings.recipients])
        named = np.array([r.number in requirement.members or not requirement.members for r in settings.recipients])
        fine = (101 if least is None else least) <= POSITIONS
        others = ~named | fine[now - 1]
        # One slider moves, the others stay: all of them must be fine.
        rest = np.array([np.delete(others, i).all() for i in range(many)])
        every: Bools = rest[:, None] & (fine[None, :] | ~named[:, None])
        return every
    error = 1 - figure(model, settings, requirement).highest
    places = list(members(requirement, settings))
    most = largest(requirement, tuple(places))
    here = levels([settings.recipients[i] for i in places])
    tracks = track_errors(here, LADDER, settings.scheme, most)
    kept = np.empty((many, len(LADDER)), dtype=bool)
    own = tracks[0, int(settings.recipients[places[0]].trust) - 1]  # as everybody stands now
    kept[:] = own >= error - ROUNDING
    kept[places] = tracks >= error - ROUNDING
    return kept


def handle_of(positions: np.ndarray, kept: np.ndarray, place: int, now: Standing) -> Handle:
    """A slider that stands at this place among its positions, each of which keeps the target or breaks it."""
    edges = np.flatnonzero(np.diff(kept)) + 1
    starts, stops = [0, *edges], [*edges, len(kept)]
    runs = tuple(
        (float(positions[a]), float(positions[b - 1]), bool(kept[a])) for a, b in zip(starts, stops, strict=True)
    )
    allowed = [f"{a:g} to {b:g} %" if b > a else f"{a:g} %" for a, b, fine in runs if fine]
    state = f"target kept with {now.figure}" if now.kept else f"target broken with {now.figure}: not {now.asked}"
    where = f"it is kept at {' and '.join(allowed)}" if allowed else "no position of this slider keeps it"
    return Handle(runs, f"target {'kept' if now.kept else 'broken'}: {now.figure}", f"{state}; {where}")


def standing_of(
    model: Model, settings: Settings, requirement: TrustRequirement, labels: Labels = no_labels
) -> Standing:
    """How a requirement stands that can be judged at once."""
    if requirement.protects:
        value = present(model, settings, requirement)
        kept = figure(model, settings, requirement).keeps(value)
    else:
        useful = usefulness(model, settings, requirement, labels)
        named = [r.trust for r in settings.recipients if r.number in requirement.members]
        value = useful.at(min(named or [r.trust for r in settings.recipients]))
        kept = useful.keeps(value)
    return described(model, settings, requirement, value, kept)


def standing_over_all(
    model: Model, settings: Settings, requirement: TrustRequirement, labels: Labels = no_labels
) -> Standing | None:
    """How any requirement stands, measured on all rows where it cannot be judged at once; None: nothing to judge."""
    if at_once(model, settings, requirement, labels):
        return standing_of(model, settings, requirement, labels) if model.population.weights.any() else None
    solver = Scheme(model, settings, settings.scheme, labels)
    if requirement.protects:
        if not members(requirement, settings) or not model.population.weights.any():
            return None
        check = solver.check(requirement, solver.places)
        # It was looked for on the rows of a preview, where fewer copies may tell more than all.
        kept = check.kept and solver.test(requirement)(solver.places)
        return described(model, settings, requirement, check.measured, kept)
    if usefulness(model, settings, requirement, labels).problem:
        return None
    return standing_of(model, settings, requirement, labels)


def described(model: Model, settings: Settings, requirement: TrustRequirement, value: float, kept: bool) -> Standing:
    """What was found of a requirement, in words."""
    about = words.subject(requirement, settings, model.population)
    asked = words.short(requirement, settings, model.population)
    return Standing(asked, float(value), requirement.limit, bool(kept), words.amount(requirement, value, about))


def standings(model: Model, settings: Settings, labels: Labels = no_labels) -> list[Standing]:
    """How those requirements stand that can be judged at once."""
    judged = [r for r in settings.requirements if at_once(model, settings, r, labels)]
    return [standing_of(model, settings, r, labels) for r in judged]


def present(model: Model, settings: Settings, requirement: TrustRequirement) -> float:
    """What the worst coalition of a requirement gets where everybody stands now."""
    places = members(requirement, settings)
    here = [LEVELS[settings.recipients[i].trust] for i in places]
    error = float(track_errors(here, here[:1], settings.scheme, largest(requirement, places))[0, 0])
    level = error / (1 - error) if error < 1 else np.inf
    return figure(model, settings, requirement).worst(level)
