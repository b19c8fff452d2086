"""Promises: what no copy, no coalition may make of a belief; whether they are kept, and how to keep them.

Everything follows from gamma, how many times the odds of any belief can grow. Copies on one path: the gamma of the
best of them. Independent copies: their gammas multiply, so that the worst coalition is everybody.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from trustscope.engine import measures
from trustscope.engine.arrays import Numbers
from trustscope.scenarios.categories.scenario import Promise, Settings, retentions
from trustscope.scenarios.coalition import Recipient

ROUNDING = 1e-9


@dataclass(frozen=True)
class Judgement:
    """What some recipients can make of a belief at worst.

    Attributes
    ----------
    who : tuple of Recipient
    gamma : float
        How many times the odds of a belief can grow; infinite for whoever holds the original.
    raised : float
        What a belief of rho1 can become.
    grown : float
        By how much a belief can grow, at the worst prior.
    keeps_rho, keeps_delta : bool
    """

    who: tuple[Recipient, ...]
    gamma: float
    raised: float
    grown: float
    keeps_rho: bool
    keeps_delta: bool


@dataclass(frozen=True)
class Judgements:
    """A promise is kept for one recipient, by the coalition at work, and by the worst coalition there can be."""

    one: Judgement
    coalition: Judgement | None
    worst: Judgement

    @property
    def all(self) -> tuple[Judgement | None, ...]:
        """The three of them."""
        return self.one, self.coalition, self.worst


def gamma(who: Sequence[Recipient], scheme: str, size: int) -> float:
    """How many times the odds of a belief can grow for whoever holds these copies."""
    if not who:
        return 1.0
    each = np.asarray(measures.amplification(np.array(retentions(who)), size))
    return float(each.max() if scheme == "nested" else each.prod())


def raised(belief: Numbers, gamma: float) -> Numbers:
    """What beliefs can become where odds grow so many times."""
    belief = np.asarray(belief, dtype=float)
    if np.isinf(gamma):
        return (belief > 0).astype(float)
    return gamma * belief / (1 + (gamma - 1) * belief)


def judge(settings: Settings, size: int, recipient: Recipient) -> Judgements:
    """The three judgements of a promise."""
    who = settings.coalition

    def judged(some: Sequence[Recipient]) -> Judgement:
        return _judged(some, gamma(some, settings.scheme, size), settings.promise)

    return Judgements(judged((recipient,)), judged(who) if who else None, judged(settings.recipients))


def _judged(who: Sequence[Recipient], gamma: float, promise: Promise) -> Judgement:
    rho1, rho2, delta = (value / 100 for value in (promise.rho1, promise.rho2, promise.delta))
    grown = 1.0 if np.isinf(gamma) else (np.sqrt(gamma) - 1) / (np.sqrt(gamma) + 1)
    limit = float(measures.rho_amplification(rho1, rho2))
    return Judgement(
        tuple(who), gamma, float(raised(rho1, gamma)), float(grown),
        keeps_rho=bool(gamma <= limit * (1 + ROUNDING)), keeps_delta=bool(grown <= delta + ROUNDING),
    )  # fmt: skip


def limits(promise: Promise) -> tuple[float, float]:
    """The largest gamma that keeps the promise of rho, and that of delta."""
    delta = promise.delta / 100
    rho = float(measures.rho_amplification(promise.rho1 / 100, promise.rho2 / 100))
    return rho, ((1 + delta) / (1 - delta)) ** 2


def largest(limit: float, size: int, copies: int = 1) -> float:
    """The largest retention probability of each of so many independent copies that together stay within a gamma."""
    return float(measures.retention_for_amplification(limit ** (1 / copies), size))


def whole_per_cent(p: float) -> int:
    """The largest whole percentage that is not above p, from 1 to 99; 0 where there is none."""
    return min(int(np.floor(100 * p + ROUNDING)), 99)


def given_to_one(settings: Settings, limit: float, size: int, recipient: Recipient) -> Settings | None:
    """The settings with one recipient at the largest p at which they keep a promise alone; None where 1 % breaks it."""
    trust = whole_per_cent(largest(limit, size))
    return _given(settings, trust, [recipient.number]) if trust else None


def given_to_all(settings: Settings, limit: float, size: int) -> Settings | None:
    """The settings with everybody at the largest p at which every coalition keeps a promise; None where 1 % breaks it.

    Independent copies must share the gamma between them, since everybody may pool; nested ones need not.
    """
    copies = 1 if settings.scheme == "nested" else len(settings.recipients)
    trust = whole_per_cent(largest(limit, size, copies))
    return _given(settings, trust, [r.number for r in settings.recipients]) if trust else None


def _given(settings: Settings, trust: int, numbers: Sequence[int]) -> Settings:
    who = tuple(r.replace({"trust": trust}) if r.number in numbers else r for r in settings.recipients)
    return settings.replace({"recipients": who})
