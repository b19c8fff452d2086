"""What an attacker really gets on the Trust page, measured on the copies themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from trustscope.engine import measures
from trustscope.engine.arrays import Floats
from trustscope.engine.attacks import llse
from trustscope.engine.attacks.combining import combined, combining_weights
from trustscope.engine.attacks.shaped import ShapedAttack
from trustscope.scenarios import attackers
from trustscope.scenarios.coalition import Recipient
from trustscope.scenarios.solve.requirement import TrustRequirement
from trustscope.scenarios.trust.judge import STRONGEST, Judged
from trustscope.scenarios.trust.noise import Noise, origin, reconstructs
from trustscope.scenarios.trust.own_attackers import guesses, is_own
from trustscope.scenarios.trust.result import Attack, AttackResult
from trustscope.scenarios.trust.scenario import Settings, levels
from trustscope.scenarios.value import not_none

if TYPE_CHECKING:
    from trustscope.scenarios.trust.model import Model

CHUNK = 32_768
ATTACKED = 20_000  # rows on which the strongest attacker is measured: half of them are no acquaintances of the attacker
BINS = 60


def tallied(
    model: Model, settings: Settings, requirement: TrustRequirement, who: tuple[Recipient, ...], scheme: str,
    rows: int | None = None, *, among: tuple[Recipient, ...],
) -> tuple[float, float, int]:  # fmt: skip
    """The figure of a requirement on the copies of a coalition, what sampling may add to it, and the rows attacked.

    Parameters
    ----------
    model : Model
    settings : Settings
        For the noise, the sample and the attribute that is looked at.
    requirement : TrustRequirement
        One that protects.
    who, scheme : tuple of Recipient, str
    rows : int, optional
        The first so many; all by default.
    among : tuple of Recipient
        All who hold a copy.
    """
    people = model.population
    attribute = people.index(requirement.attribute or settings.attribute)
    eps = not_none(settings.eps) if requirement.distance is None else requirement.distance
    attack = Attack(who, scheme, requirement.attacker)
    tally = measures.AttackTally(
        weights=people.weights, attribute=attribute, top=people.error_range(attribute), bins=BINS, eps=eps,
        kind="absolute",
    )  # fmt: skip
    rows = people.rows if rows is None else min(rows, people.rows)
    doubt = 0.0
    copies = _Copies(model, model.noise(settings.similarity), scheme, among)
    if is_own(attack):
        mine, estimates = guesses(model, settings, attack, min(rows, ATTACKED), ATTACKED, among=among)
        tally.add(people.values[: len(mine)][mine], estimates[mine])
    elif attack.attacker == STRONGEST:
        doubt = _strongest(model, settings, attack, tally, copies, min(rows, ATTACKED), people.names[attribute], eps)
    else:
        step = _reconstruction if reconstructs(attack) else _linear
        step(model, settings, attack, tally, copies, rows)
    result = AttackResult(attack, None, None, tally, doubt=doubt)
    if requirement.what == "hits":
        return result.hits, result.hits_tolerance, tally.rows
    return result.error, result.tolerance, tally.rows


def pooled_apart(attacker: str) -> bool:
    """Whether the copies that this attacker holds do not amount to one, so that it must be measured on them."""
    return attacker == "raw" or attackers.of(attacker).family == attackers.OWN


def _linear(
    model: Model, settings: Settings, attack: Attack, tally: measures.AttackTally, copies: _Copies, rows: int
) -> None:
    people, noise = model.population, model.noise(settings.similarity)
    sample = min(settings.sample, people.rows)
    learnt = max(sample, min(model.preview_rows, people.rows))
    linear = noise.fit(attack, lambda: [not_none(copies(r, 0, learnt))[:sample] for r in attack.who])
    every = np.ones(len(attack.who))
    uses = linear.weights if isinstance(linear, llse.LinearAttack | ShapedAttack) else every
    for start in range(0, rows, CHUNK):
        stop = min(start + CHUNK, rows)
        held = [copies(r, start, stop, use) for r, use in zip(attack.who, uses, strict=True)]
        x = people.values[start:stop]
        tally.add(x, np.broadcast_to(linear.estimate(held), x.shape))


def _strongest(
    model: Model,
    settings: Settings,
    attack: Attack,
    tally: measures.AttackTally,
    copies: _Copies,
    rows: int,
    attribute: str,
    eps: float,
) -> float:
    """The strongest attacker on the copies of the page, whose noise none of its curves has seen; gives the standard
    error of the curve that promised the figure."""
    judge, noise = model.judge, model.noise(settings.similarity)
    question = judge.question(settings, attribute, eps)
    seen = Judged(question, judge.hits(question), judge.errors(question), np.ones(0), False)
    weights = combining_weights(levels(attack.who), attack.scheme)
    held = [copies(r, 0, rows, use) for r, use in zip(attack.who, weights, strict=True)]
    level = noise.level(attack.who, attack.scheme)
    mine, estimates, windows = judge.guesses(seen, level, np.arange(rows), combined(held, weights), eps)
    tally.add(model.population.values[:rows][mine], estimates[mine], windows[mine])
    return float(not_none(seen.hits).doubt_at(level, eps))


class _Copies:
    """What recipients hold. Those of a preview are kept."""

    def __init__(self, model: Model, noise: Noise, scheme: str, among: tuple[Recipient, ...]) -> None:
        self.model, self.noise, self.scheme, self.among = model, noise, scheme, among

    def __call__(self, recipient: Recipient, start: int, stop: int, use: float = True) -> Floats | None:
        """The rows of one copy. Copies of no weight need not exist: nested coalitions rest on their best copy."""
        if not use:
            return None

        def made() -> Floats:
            return self.noise.copy(recipient, self.scheme, start, stop, among=self.among)

        if start or stop != self.model.preview_rows:
            return made()
        key = (self.noise.similarity, recipient.trust, origin(recipient, self.scheme, self.among), stop)
        return self.model.recall(key, made)


def _reconstruction(
    model: Model, settings: Settings, attack: Attack, tally: measures.AttackTally, copies: _Copies, rows: int
) -> None:
    people, noise = model.population, model.noise(settings.similarity)
    rows = min(rows, model.whole_rows)
    weights = combining_weights(levels(attack.who), attack.scheme)
    held = [copies(r, 0, rows, use) for r, use in zip(attack.who, weights, strict=True)]
    tally.add(people.values[:rows], noise.reconstruct(attack, combined(held, weights), settings.informed))
