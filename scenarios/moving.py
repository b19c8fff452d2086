"""Moving all recipients at once: to more or less trust, or to more or fewer of them."""

from collections.abc import Mapping, Sequence

import numpy as np

from trustscope.engine.arrays import ArrayLike, Floats
from trustscope.scenarios.coalition import MOST, NAMES, Recipient
from trustscope.scenarios.words import NUMBER_WORDS

FULL = 100  # the trust of the original, which no scaling of noise reaches


def pivot(who: tuple[Recipient, ...]) -> Recipient | None:
    """The recipient whose trust stands for all: the most trusted member of the coalition who does not hold the
    original, or else the most trusted of the others; None where everybody holds the original."""
    below = [r for r in who if r.trust < FULL]
    return max(below, key=lambda r: (r.member, r.trust), default=None)


def moved_trusts(who: tuple[Recipient, ...], trusts: ArrayLike) -> Floats:
    """The trust of each of them when the pivot stands at each of these trusts, (trusts, recipients).

    The odds trust / (100 - trust) of all are scaled alike: for numbers that is all noise, for categories all redrawing,
    scaled by one factor, to whole per cents. Whoever holds the original goes on holding it, unless everybody does. At
    the pivot's own trust nothing changes, not even a trust between two whole per cents, which a target may have found.
    """
    wanted, own = np.asarray(trusts, dtype=float)[:, None], np.array([r.trust for r in who], dtype=float)
    first = pivot(who)
    if first is None:
        return np.repeat(wanted, len(who), axis=1)
    factor = wanted * (FULL - first.trust) / ((FULL - wanted) * first.trust)
    odds = factor * own / np.where(own < FULL, FULL - own, 1.0)
    moved = np.clip(np.rint(FULL * odds / (1 + odds)), 1, FULL - 1)
    found: Floats = np.where((own == FULL) | (wanted == first.trust), own, moved)
    return found


def at_trusts(who: tuple[Recipient, ...], trusts: Sequence[float]) -> list[tuple[Recipient, ...]]:
    """All of them, moved as `moved_trusts` says, for each of these trusts of the pivot."""
    moved = moved_trusts(who, trusts)
    # Of one recipient at one trust there is one value, however often it is asked for.
    made = [{t: r.replace({"trust": t}) for t in set(column)} for r, column in zip(who, moved.T.tolist(), strict=True)]
    return [tuple(one[t] for one, t in zip(made, row, strict=True)) for row in moved.tolist()]


def at_trust(who: tuple[Recipient, ...], trust: float) -> tuple[Recipient, ...]:
    """The same for one trust."""
    return at_trusts(who, [trust])[0]


def at_size(who: tuple[Recipient, ...], size: int) -> tuple[Recipient, ...]:
    """A coalition of so many: the members, the most trusted first; beyond them others at the same trusts, in turn.

    Recipients outside of the coalition stay where there is room for them.
    """
    members = sorted((r for r in who if r.member), key=lambda r: -r.trust) or [
        r.replace({"member": True}) for r in sorted(who, key=lambda r: -r.trust)
    ]
    trusts = [r.trust for r in members]
    kept = members[:size]
    outside = [r for r in who if not r.member and r.number not in {k.number for k in kept}]
    numbers = [n for n in range(MOST) if n not in {r.number for r in (*kept, *outside)}]
    while len(kept) < size:
        if not numbers:  # somebody outside makes room
            numbers.append(outside.pop().number)
        number = numbers.pop(0)
        taken = {r.name for r in (*kept, *outside)}
        names = (NAMES[number], *(f"Recipient {word}" for word in NUMBER_WORDS[1:]), *(f"No. {n}" for n in range(MOST)))
        name = next(name for name in names if name not in taken)
        kept.append(Recipient(number=number, name=name, trust=trusts[len(kept) % len(trusts)]))
    chosen = {r.number: r for r in (*kept, *outside)}
    order = [r.number for r in who if r.number in chosen]
    return tuple(chosen[n] for n in (*order, *(n for n in chosen if n not in order)))


def moved_to(who: tuple[Recipient, ...], values: Mapping[str, float]) -> tuple[Recipient, ...]:
    """All of them at a place of a map: with this "trust" of the pivot, and so many "recipients" who pool."""
    if "trust" in values:
        who = at_trust(who, int(values["trust"]))
    return at_size(who, int(values["recipients"])) if "recipients" in values else who
