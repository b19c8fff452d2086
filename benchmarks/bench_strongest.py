"""The strongest attacker: a point of its curve, the whole curve, a slider step that it judges, and learners beside it.

The floor of a point is one pass of the distances between its probes and references and their exponentials, in the same
precision and by the same library: nothing that weighs each reference can do without. Ages repeat, and are weighed once
each where all else is taken for linear; wages do not.
"""

from functools import cache, partial
from itertools import product

import numpy as np

from benchmarks.harness import Benchmark, speed_ratio
from trustscope.app.page import Frame
from trustscope.engine.attacks.optimal import Strongest, row_curve, single_curve
from trustscope.engine.attacks.optimal.curve import TRUSTS
from trustscope.scenarios.link import query_of
from trustscope.scenarios.trust.scenario import TrustScenario

ROWS, LEVEL, BLOCK = 100_000, 1.0, 2**21
AGE, WAGE = 0, 3
WITHIN = np.array([1.0, 2.0, 5.0, 10.0])


@cache
def _attacker() -> Strongest:
    """On a hundred thousand people with an age, weeks of work with a spike, gains that are mostly zero, and a wage."""
    rng = np.random.default_rng(28)
    age = np.round(np.clip(rng.normal(42, 18, ROWS), 0, 95))
    weeks = np.where(rng.random(ROWS) < 0.6, 52.0, np.round(rng.uniform(0, 52, ROWS)))
    gains = np.where(rng.random(ROWS) < 0.95, 0.0, rng.lognormal(7, 1, ROWS))
    wage = rng.lognormal(0.02 * age + 6, 0.6)
    return Strongest(np.column_stack([age, weeks, gains, wage]), key=1)


@cache
def _manners(column: int):
    attacker = _attacker()
    within = _within(column)
    return [[attacker.choose(side, LEVEL, column, within[:1])] * len(within) for side in attacker.sides]


def _within(column: int):
    return WITHIN if column == AGE else 50 * WITHIN


def _point(column: int = AGE) -> None:
    _attacker().point(LEVEL, column, _within(column), _manners(column))


def _pass() -> None:
    """Distances between all probes and references of a point, and their exponentials."""
    attacker = _attacker()
    (side,) = attacker.sides
    centres = side.references.astype(np.float32)
    centres = np.hstack([centres, -0.5 * (centres**2).sum(axis=1, keepdims=True), np.ones((len(centres), 1))])
    scale = float(np.sqrt((centres**2).sum(axis=1)).max())
    centres = (centres / scale).astype(np.float32)
    seen = attacker.values[side.people].astype(np.float32) / np.float32(scale)
    table = np.hstack([seen, np.ones((len(seen), 1)), -0.5 * (seen**2).sum(axis=1, keepdims=True)]).astype(np.float32)
    size = max(1, BLOCK // len(centres))
    for start in range(0, len(table), size):
        weights = centres @ np.ascontiguousarray(table[start : start + size].T)
        np.exp(weights, out=weights)


def point() -> float:
    """All figures of one point of the curve, over one pass of distances and exponentials."""
    return speed_ratio(_point, _pass, repetitions=5)


def point_of_values_that_do_not_repeat() -> float:
    """The same of wages."""
    return speed_ratio(partial(_point, WAGE), _pass, repetitions=5)


def whole_curve() -> float:
    """The curve of a column by whole rows, with the attacker's rehearsals, over a pass for each of its points."""

    def passes():
        for _ in TRUSTS:
            _pass()

    return speed_ratio(lambda: row_curve(_attacker(), AGE, WITHIN), passes, repetitions=1)


def column_curve() -> float:
    """The exact curve of a column by itself, over one pass of distances and exponentials."""
    return speed_ratio(lambda: single_curve(_attacker(), AGE, WITHIN), _pass, repetitions=3)


_trusts = product(range(20, 90), range(20, 90))  # never twice the same, which would be remembered


@cache
def _page(attacker: str) -> Frame:
    """A page that stands, with its pictures of one person and of pooling."""
    return Frame(query_of(TrustScenario().replace({"settings.attackers": (attacker,)})))


def _step(attacker: str) -> None:
    """A step of the first recipient's slider: the picture, and all that the page then shows."""
    dashboard = _page(attacker).dashboard
    first, second, *others = dashboard.scenario.settings.recipients
    one, other = next(_trusts)
    dashboard.controls.recipients.value = (first.replace({"trust": one}), second.replace({"trust": other}), *others)


def slider_step() -> float:
    """A slider step judged by the strongest attacker, over one judged by the linear one."""
    return speed_ratio(partial(_step, "strongest"), partial(_step, "perfect"), repetitions=60)


BENCHMARKS = [
    Benchmark("strongest attacker: a point of its curve / distances and exponentials of it", point, limit=1.5,
              tags=("optimal",)),
    Benchmark("strongest attacker: a point of wages, which do not repeat / distances and exponentials of it",
              point_of_values_that_do_not_repeat, limit=3.5, tags=("optimal",)),
    Benchmark("strongest attacker: a whole curve / a pass for each point", whole_curve, limit=2.5, tags=("optimal",)),
    Benchmark("strongest attacker: the exact curve of a column / one pass", column_curve, limit=4.0,
              tags=("optimal",)),
    Benchmark("slider step judged by the strongest attacker / by the linear one", slider_step, limit=1.1,
              tags=("optimal", "app")),
]  # fmt: skip
