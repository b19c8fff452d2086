"""Steps before the noise in words: what a column has, what can be done, what was done and what it changed."""

from collections.abc import Iterable, Mapping

import numpy as np

from trustscope.engine.preparation import Effect, Trait
from trustscope.engine.preparation.traits import FEW
from trustscope.scenarios.preparation.steps import Offer, Prepared, offered_for
from trustscope.scenarios.words import count, counted, plain, sentence, share

# What “given away” means where a step's effect is said.
AWAY = (
    "Given away: somebody who knows everybody's values, but not whose they are, guesses the value to within a quarter "
    "of a standard deviation."
)
ENDS = {"top": ("highest", "above", "at most"), "bottom": ("lowest", "below", "at least")}
ACTIONS = {
    "top": "code the highest values",
    "bottom": "code the lowest values",
    "logarithm": "take the logarithm",
    "round": "round",
    "categories": "treat as categories",
    "drop": "do not release",
}

BANDS = "Put it into a few bands, and release these as categories."


def has(offer: Offer, noun: str = "people", unit: str = "", noisy: bool = True) -> str:
    """What a column has, in a sentence; where noise is added (`noisy`) also whom it gives away."""
    trait = offer.trait
    said = _HAS[trait.kind](offer.column, trait, noun, unit)
    if not noisy or trait.kind not in ("far", "tail"):
        return said
    return f"{said} A copy with trust 50 % gives the most exposed of them away in {share(trait.risk)} of cases."


def noticed(columns: Mapping[str, np.ndarray], noun: str = "people") -> list[tuple[str, str, str]]:
    """Of numbers that are to be released: the column, what it has that noise does not hide, and what would help."""
    found = []
    for name, values in columns.items():
        for offer in offered_for(name, values):
            helps = would(offer)
            if offer.preparation is not None and offer.effect is None:
                helps = BANDS if len(np.unique(values)) > FEW else f"{button(offer.preparation)}."
            found.append((name, has(offer, noun), helps))
    return found


def would(offer: Offer, unit: str = "") -> str:
    """What the step that is suggested would change, as a sentence; nothing where no numbers are left."""
    done = offer.effect
    if offer.preparation is None:
        return "No coding helps much: give less trust, or do not release it."
    if done is None:
        return ""
    if offer.trait.kind == "heaped":
        return f"Rounding would change the value of {share(done.changed)}."
    mean = ""
    if offer.preparation.action != "logarithm":
        before, after = (_valued(value, unit) for value in done.mean)
        mean = f", and the mean {after} instead of {before}" if before != after else ", and the mean would stay"
    return f"With “{button(offer.preparation)}” it would be {share(done.risk[1])}{mean}."


def _far(name: str, trait: Trait, noun: str, unit: str) -> str:
    near = f"nobody else is within {_valued(trait.gap, unit)}"
    if trait.people == 1:
        said = f"One of the {noun} has {name} {_valued(trait.value, unit)}, and {near}."
    elif trait.different == 1:
        said = f"{count(trait.people)} {noun} share the value {_valued(trait.value, unit)} of {name}, and {near}."
    else:
        end = "high" if trait.side == "top" else "low"
        said = f"{count(trait.people)} {noun} have a {end} {name}, and {near} of them."
    return said


def _tail(name: str, trait: Trait, noun: str, unit: str) -> str:
    end = "high" if trait.side == "top" else "low"
    return (
        f"{count(trait.people)} {noun} have an unusually {end} {name}, up to {_valued(trait.value, unit)}, which is "
        f"{plain(trait.reach)} standard deviations from the mean."
    )


def _zeros(name: str, trait: Trait, noun: str, unit: str) -> str:
    return f"{share(trait.share)} of the {noun} have 0 of {name}: whoever has any stands out, and 0 is a good guess."


def _spike(name: str, trait: Trait, noun: str, unit: str) -> str:
    value = _valued(trait.value, unit)
    return f"{share(trait.share)} of the {noun} have {name} {value}: it is a good guess without any copy."


def _few(name: str, trait: Trait, noun: str, unit: str) -> str:
    return (
        f"{name} has only {trait.different} different values, so that a guess can be rounded to one of them; "
        f"{share(trait.share)} have {_valued(trait.value, unit)}."
    )


def _heaped(name: str, trait: Trait, noun: str, unit: str) -> str:
    return (
        f"Most values of {name} are multiples of {plain(trait.value)}: the other {count(trait.people)} {noun} stand "
        "out by their last digits in copies with little noise."
    )


_HAS = {"far": _far, "tail": _tail, "zeros": _zeros, "spike": _spike, "few": _few, "heaped": _heaped}


def does(step: Prepared, unit: str = "") -> str:
    """What a step does, as a sentence."""
    name = step.column
    match step.action:
        case "top" | "bottom":
            which, beyond, _ = ENDS[step.action]
            if step.limit is not None:
                value = _valued(step.limit, unit)
                return f"Whoever is {beyond} {value} in {name} is written as {value}."
            return f"The {which} {share(step.share)} of {name} are written as the value where they begin."
        case "logarithm":
            small = "" if step.unit == 1 else f" / {plain(step.unit)}"
            return f"{name} is released as its logarithm, ln(1 + {name}{small})."
        case "round":
            return f"{name} is rounded to multiples of {plain(step.grid)}."
        case "categories":
            return f"{name} is not released as a number: it can be released on the page Categories."
    return f"{name} is not released."


def button(step: Prepared) -> str:
    """What a step would do, in a few words."""
    match step.action:
        case "top" | "bottom":
            end = ENDS[step.action][0]
            return f"Code the {end} {share(step.share)}"
        case "logarithm":
            return "Take the logarithm"
        case "round":
            return f"Round to {plain(step.grid)}"
        case "categories":
            return "Treat as categories"
    return "Do not release"


def line(steps: Iterable[Prepared]) -> str:
    """All steps in a few words: "Income: top 1 %; Age: rounded"."""
    return "; ".join(f"{one.column}: {_short(one)}" for one in steps)


def _short(step: Prepared) -> str:
    match step.action:
        case "top" | "bottom":
            end = ENDS[step.action][2]
            return (
                f"{end} {plain(step.limit)}"
                if step.limit is not None
                else f"{ENDS[step.action][0]} {share(step.share)} coded"
            )
        case "logarithm":
            return "logarithm"
        case "round":
            return f"rounded to {plain(step.grid)}"
        case "categories":
            return "as categories"
    return "not released"


def changed(effect: Effect, noun: str = "people", unit: str = "", same_unit: bool = True, noisy: bool = True) -> str:
    """What steps changed; `same_unit` says whether means can be compared, `noisy` whether noise is added."""
    told = []
    if same_unit:
        told.append(f"{sentence(share(effect.changed))} of the {noun} get another value.")
        mean = [_valued(value, unit) for value in effect.mean]
        told.append(f"The mean was {mean[0]} and is {mean[1]}." if mean[0] != mean[1] else f"The mean stays {mean[0]}.")
    told.append(
        f"Whoever is farthest from the mean was {plain(effect.reach[0])} standard deviations away and is "
        f"{plain(effect.reach[1])} away."
    )
    if noisy:
        told.append(
            f"A copy with trust 50 % gives the most exposed away in {share(effect.risk[1])} of cases instead of "
            f"{share(effect.risk[0])}."
        )
    if effect.far[0]:
        left = "nobody is" if not effect.far[1] else f"{counted(effect.far[1], 'one is', 'are')}"
        told.append(f"{count(effect.far[0])} {noun} were far from everybody else; now {left}.")
    return " ".join(told)


def _valued(value: float, unit: str) -> str:
    return f"{plain(value)} {unit}".strip()
