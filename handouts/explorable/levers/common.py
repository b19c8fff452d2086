"""Levers of all pages on which copies are given to recipients."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from trustscope import schemes as records
from trustscope.handouts.explorable.lever import TICKS, Lever, Position, pills, slider
from trustscope.scenarios.scenario import Scenario
from trustscope.scenarios.words import count, listed

MOST_TICKED = 6  # recipients of whom any may be ticked: of more, only how many of them pool is moved
STEPS = (1, 2, 5, 10, 20)  # of a trust in per cent, fine and ever coarser
OTHERS = (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000)
RECIPIENTS = ("settings", "recipients")


def trusts(scenario: Scenario) -> Iterator[Lever]:
    """How much each recipient is trusted."""
    for place, who in enumerate(scenario.settings.recipients):

        def position(trust, place=place):
            return Position(trust, "% (original)" if trust == 100 else "%",
                            (((*RECIPIENTS, place, "trust"), trust),))  # fmt: skip

        ladders = [[position(t) for t in sorted({*range(step, 101, step), who.trust})] for step in STEPS]
        yield slider(f"trust:{who.name}", f"Trust in {who.name}", ladders, who.trust, "%")


def together(scenario: Scenario) -> Lever:
    """Who pools: any of them; of many recipients how many, the most trusted first."""
    who = scenario.settings.recipients
    if len(who) <= MOST_TICKED:
        things = tuple((str(i), r.name, f"{r.name} puts their copy into the pool") for i, r in enumerate(who))
        positions = tuple(_pooled(who, [i for i in range(len(who)) if mask >> i & 1], mask)
                          for mask in range(2 ** len(who)))  # fmt: skip
        return Lever("pool", "Who pools their copies", TICKS, positions, scenario.settings.mask, things)
    return _how_many("pool", who)


def one_after_the_other(scenario: Scenario) -> Iterator[Lever]:
    """How many of a few recipients pool, where the most trusted ones do: few positions leave room for finer trusts."""
    who = scenario.settings.recipients
    order = _most_trusted_first(who)
    pooling = sum(r.member for r in who)
    if pooling > 0 and len(who) <= MOST_TICKED and all(who[i].member for i in order[:pooling]):
        yield _how_many("many", who)


def usual(scenario: Scenario, every: dict[str, Lever]) -> tuple[str, ...]:
    """Who pools, how the copies hang together, and how much the most trusted one is trusted, as finely as can be."""
    return ("many" if "many" in every else "pool", "scheme", f"trust:{scenario.settings.first.name}")


def _how_many(key: str, who: Sequence) -> Lever:
    order = _most_trusted_first(who)
    # Who they are stands in the pictures: beside a slider there is no room for six names.
    positions = [
        replace(_pooled(who, order[:many], many), text=f"{many} of {len(who)}") for many in range(1, len(who) + 1)
    ]
    now = max(sum(r.member for r in who), 1)
    return slider(key, "How many pool their copies, the most trusted first", [positions], now)


def _most_trusted_first(who: Sequence) -> list[int]:
    return sorted(range(len(who)), key=lambda i: -who[i].trust)


def _pooled(who: Sequence, members: Sequence[int], value: int) -> Position:
    text = listed([who[i].name for i in members]) if members else "nobody"
    return Position(value, text, tuple(((*RECIPIENTS, i, "member"), i in members) for i in range(len(who))))


def noise_schemes(scenario: Scenario) -> Lever:
    """How the noise of copies hangs together: the schemes of the house, and the one at work."""
    names = dict.fromkeys((*records.HOUSE, scenario.settings.scheme))
    return schemes(scenario, {name: records.of(name).words for name in names})


def schemes(scenario: Scenario, words: dict[str, str]) -> Lever:
    """How the copies hang together."""
    positions = [
        Position(name, records.adjective(name), ((("settings", "scheme"), name),), tip) for name, tip in words.items()
    ]
    return pills("scheme", "Noise of the copies", positions, scenario.settings.scheme)


def people_known(scenario: Scenario, rows: int) -> Lever:
    """How many other people the attacker knows; half of the table is the most."""
    half, now = rows // 2, scenario.settings.others
    here = half if now is None else now

    def position(many):
        text = "half of the table" if many == half else f"{count(many)} people"
        return Position(many, text, ((("settings", "others"), None if many == half else many),))

    every = [many for many in OTHERS if many < half]
    ladders = [[position(many) for many in sorted({*some, here, half})] for some in (every, every[::2])]
    return slider("others", "How many other people the attacker knows", ladders, here)


def one_of(key: str, label: str, path: tuple[str, ...], options: dict[Any, str], here: Any) -> Lever:
    """One of several values of one part of the scenario."""
    return pills(key, label, [Position(value, text, ((path, value),)) for value, text in options.items()], here)
