"""Solving a target on the Rotation page: what an attacker may have until too many guesses are hits.

A rotation has no level, so that the answer is about the attacker: how many records the insider may know, how large a
sample the competitor may have. Noise on top of the rotation is judged for whoever has undone the rotation already
(`noisy.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from trustscope.engine.arrays import Floats
from trustscope.engine.utility import same_neighbours
from trustscope.scenarios.coalition import recipients
from trustscope.scenarios.rotation.judge import JUDGED
from trustscope.scenarios.rotation.kept import NEAREST
from trustscope.scenarios.rotation.result import Known, Rate, RotationResult, Sampled
from trustscope.scenarios.rotation.scenario import RotationScenario
from trustscope.scenarios.solve.noisy import MOST_NOISE, STEP, Noisy, least_noise
from trustscope.scenarios.solve.requirement import RotationRequirement
from trustscope.scenarios.solve.solution import Check, Solution, SolutionOption
from trustscope.scenarios.solve.standing import Standing
from trustscope.scenarios.trust.scenario import MADE, Settings, TrustData, TrustScenario
from trustscope.scenarios.value import not_none
from trustscope.scenarios.words import count, counted

if TYPE_CHECKING:
    from trustscope.scenarios.rotation.model import Model

TITLES = {"known": "The insider", "sample": "The competitor", "noise": "Noise on top of the rotation"}
RULE = "Every number of known records and every size of sample is tried; noise is found to a hundredth."
SIZES = 12  # sample sizes that are tried, growing by factors
STANDARD_ERRORS = 4


def solve(model: Model, scenario: RotationScenario) -> Solution:
    """An answer for each of the scenario's requirements.

    Parameters
    ----------
    model : Model
        Of the Rotation page, with the scenario fitted to it.
    scenario : RotationScenario
    """
    solvers = {"known": _known, "sample": _sample, "noise": _noise}
    strictest: dict[str, RotationRequirement] = {}
    for one in scenario.settings.requirements:
        if one.what not in strictest or one.limit < strictest[one.what].limit:
            strictest[one.what] = one
    return Solution(scenario, tuple(_answer(model, scenario, one, solvers[one.what]) for one in strictest.values()))


def _answer(
    model: Model,
    scenario: RotationScenario,
    requirement: RotationRequirement,
    solver: Callable[[Model, RotationScenario, RotationRequirement, float], SolutionOption],
) -> SolutionOption:
    without = 100 * model.without(scenario.settings).rate
    if without > requirement.limit + 1e-9:
        text = (
            f"The best constant guess hits {_share(without)} without any release, so that "
            f"{_share(requirement.limit)} cannot be had: {_share(without)} is the nearest that can be met."
        )
        return SolutionOption(requirement.what, TITLES[requirement.what], text)
    return solver(model, scenario, requirement, without)


def short(requirement: RotationRequirement) -> str:
    """A requirement as a noun."""
    by = {
        "known": "the insider with known records",
        "sample": "the competitor with a sample",
        "noise": "whoever undoes the rotation, against added noise",
    }
    return f"at most {_share(requirement.limit)} hits by {by[requirement.what]}"


def _share(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0") + " %"


def standing_of(model: Model, scenario: RotationScenario, requirement: RotationRequirement) -> Standing:
    """How a requirement stands with what the attackers have now; a release without noise gives everything to whoever
    undoes the rotation."""
    settings = scenario.settings
    match requirement.what:
        case "known":
            places = model.known.order(scenario)[: len(not_none(settings.known))]
            rate = float(np.nan_to_num(model.known.recovered(places, settings)[0], nan=1.0))
        case "sample":
            rate = model.sample.rate(settings, not_none(settings.sample), settings.method).mean
        case _:
            rate = 1.0
    return standing(requirement, max(rate, model.without(settings).rate))


def standings(picture: RotationResult, requirements: tuple[RotationRequirement, ...]) -> list[Standing]:
    """How those requirements stand that a picture's story is about, as far as it has been worked out."""
    match picture:
        case Known() if picture.exposed is not None:
            what, rate = "known", picture.found
        case Sampled(others=Rate() as others):
            what, rate = "sample", max(others.mean, picture.without.rate)
        case _:
            return []
    return [standing(one, rate) for one in requirements if one.what == what]


def standing(requirement: RotationRequirement, rate: float) -> Standing:
    """How a requirement stands where so large a share is hit."""
    value = 100 * rate
    return Standing(short(requirement), value, requirement.limit, value <= requirement.limit + 1e-9, _share(value))


# Known records


def known_rates(model: Model, scenario: RotationScenario) -> Floats:
    """The share of hits in per cent for every number of known records, 0 first; by the best of all guesses, or without
    any release."""
    growth = model.known.rates(scenario)
    without = model.without(scenario.settings).rate
    rates: Floats = 100 * np.maximum(np.nan_to_num(growth.best, nan=1.0), without)
    return rates


def _known(
    model: Model, scenario: RotationScenario, requirement: RotationRequirement, without: float
) -> SolutionOption:
    rates = known_rates(model, scenario)
    kept = rates <= requirement.limit + 1e-9
    most = len(kept) - 1 if kept.all() else int(np.argmin(kept)) - 1
    one, noun = model.records.one, model.records.noun
    if most < 0:
        return SolutionOption(
            "known", TITLES["known"], f"Nothing keeps {short(requirement)}: {_share(rates[0])} is the nearest."
        )
    whom = f"Up to {counted(most, one, noun)}" if most else f"No {one}"
    text = f"{whom} may be known: {_share(rates[most])} hits"
    if most < len(rates) - 1:
        text += f". With {counted(most + 1, one, noun)} it would be {_share(rates[most + 1])}"
    check = Check(_share(rates[most]), float(rates[most]), 0.0, True)
    changes = {"settings.known": model.order(scenario.settings)[:most], "view.story": "known", "view.closer": ""}
    return SolutionOption("known", TITLES["known"], f"{text}.", changes, (check,))


# A sample


def sample_sizes(model: Model) -> tuple[int, ...]:
    """Sizes that are tried."""
    story = model.sample
    sizes = np.geomspace(story.least(), len(model.records.pool), SIZES)
    return tuple(sorted({round(float(size)) for size in sizes}))


def _sample(
    model: Model, scenario: RotationScenario, requirement: RotationRequirement, without: float
) -> SolutionOption:
    settings, story = scenario.settings, model.sample
    last = None
    for size in sample_sizes(model):
        rate = story.rate(settings, size, settings.method)
        if max(100 * rate.mean, without) > requirement.limit + 1e-9:
            break
        last = size, rate
    else:
        size, rate = None, None
    if last is None:
        text = (
            f"Nothing keeps {short(requirement)}: already {count(not_none(size))} records of a sample give "
            f"{_share(100 * not_none(rate).mean)}, the nearest that can be met with a sample."
        )
        return SolutionOption("sample", TITLES["sample"], text)
    best, found = last
    tolerance = 100 * STANDARD_ERRORS * found.error
    reached = max(100 * found.mean, without)  # a sample that tells less than nothing is not used
    text = f"A sample of up to {count(best)} records: {_share(reached)}"
    if len(found.tries) > 1:  # the one that is drawn on the page may hit more, or less
        text += f" ± {_share(tolerance)} hits, on average over {counted(len(found.tries), 'sample')} of that size"
    else:
        text += " hits"
    if size is not None and rate is not None:
        text += f". With {count(size)} records it would be {_share(100 * rate.mean)}"
    check = Check(_share(reached), reached, tolerance, True)
    changes = {"settings.sample": best, "settings.block": 1, "view.story": "sample", "view.closer": ""}
    return SolutionOption("sample", TITLES["sample"], f"{text}.", changes, (check,))


# Noise


def _noise(
    model: Model, scenario: RotationScenario, requirement: RotationRequirement, without: float
) -> SolutionOption:
    noisy = Noisy(model, scenario)
    steps = least_noise(noisy, requirement.limit)
    if steps is None:
        nearest = _share(noisy.rate(STEP * MOST_NOISE)[0])
        return SolutionOption(
            "noise", TITLES["noise"], f"No noise keeps {short(requirement)}: {nearest} is the nearest."
        )
    fresh = Noisy(model, scenario, model.records.rows, draw=1)
    fresh.manners = noisy.manners
    rate, error = fresh.rate(STEP * steps)
    # The noise was found on other draws, with an error of their own.
    tolerance = STANDARD_ERRORS * float(np.hypot(error, noisy.rate(STEP * steps)[1]))
    rows = fresh.true[:JUDGED]
    near = same_neighbours(rows, fresh.copy(STEP * steps)[:JUDGED], min(NEAREST, len(rows) - 1))
    check = Check(_share(rate), rate, tolerance, rate <= requirement.limit + tolerance)
    text = (
        f"Noise of {STEP * steps:.2f} typical standard deviations on every value, whatever the rotation: "
        f"{_share(rate)} ± {_share(tolerance)} hits on fresh noise by the best guess of somebody who knows other "
        f"records, and {_share(100 * near)} of the records keep their nearest neighbours. The rotation adds nothing to "
    )
    level = _level(noisy, STEP * steps, scenario.data.name == MADE)
    if level is None:
        text += (
            "that. The Trust page has no such noise: there each attribute has as much as it varies, and here, as the "
            "attributes are not standardised, all have the same."
        )
        return SolutionOption("noise", TITLES["noise"], text, {}, (check,))
    trust = max(1, int(100 / (1 + level)))  # rounded down: no less noise than was found
    text += f"that: on the Trust page it is white noise at {trust} % trust."
    return SolutionOption("noise", TITLES["noise"], text, {}, (check,), _on_the_trust_page(model, scenario, trust))


def _level(noisy: Noisy, sd: float, common_unit: bool) -> float | None:
    """The level at which the white noise of the Trust page is this noise; None where it has another shape there."""
    records = noisy.records
    there = records.varying
    mine = sd * noisy.typical * np.broadcast_to(records.scale, records.sd.shape)[there]
    theirs = np.full(there.sum(), np.sqrt(np.mean(records.sd**2))) if common_unit else records.sd[there]
    ratios = mine / theirs
    return float(ratios.max() ** 2) if np.allclose(ratios, ratios[0], rtol=1e-6) else None


def _on_the_trust_page(model: Model, scenario: RotationScenario, trust: int) -> TrustScenario:
    """One recipient of a copy with as much white noise; the attribute that is drawn, guessed as closely as here."""
    data, records, settings = scenario.data, model.records, scenario.settings
    place = records.index(scenario.view.across)
    within = not_none(settings.eps) * float(records.sd[place]) if settings.kind == "value" else None
    return TrustScenario(
        data=TrustData(name=data.name, file=data.file, columns=records.names),
        seed=scenario.seed,
        settings=Settings(
            recipients=recipients(trust), scheme="nested", similarity=0.0, attribute=records.names[place], eps=within
        ),
    )
