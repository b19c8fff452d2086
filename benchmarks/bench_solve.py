"""Targets: bands at slider rate, and solving within one step of a slider."""

from functools import cache

import numpy as np

from benchmarks.harness import Benchmark, speed_ratio
from trustscope import datasets
from trustscope.engine.attacks.tracks import track_errors
from trustscope.scenarios.coalition import recipients
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.solve.figures import AttackFigure
from trustscope.scenarios.solve.handles import LADDER
from trustscope.scenarios.solve.requirement import TrustRequirement
from trustscope.scenarios.solve.trust import solve
from trustscope.scenarios.trust.model import Model
from trustscope.scenarios.trust.scenario import LEVELS, TrustScenario

EIGHT = (50, 45, 40, 40, 35, 35, 30, 20)
TURNS = 20  # of what takes microseconds, so that the clock can tell


@cache
def prepared():
    data = datasets.load("census")
    names = data.numeric[:6]
    model = Model(data.frame[list(names)].to_numpy(float), names, 12, units=data.units)
    requirement = TrustRequirement(what="hits", limit=0.35, attribute="Age", distance=5.0)
    changes = {"settings.recipients": recipients(*EIGHT), "settings.requirements": (requirement,), "view.closer": ""}
    return model, model.fit_to_data(TrustScenario().replace(changes)), requirement


def tracks_against_one_figure():
    """All 99 positions of eight sliders, in terms of one share of hits at one position."""
    model, scenario, requirement = prepared()
    levels = np.array([LEVELS[trust] for trust in EIGHT])
    figure = AttackFigure(model, scenario.settings, requirement)
    figure.at(1.0)

    def tracks():
        for _ in range(TURNS):
            track_errors(levels, LADDER[:99], "independent")

    def one():
        for _ in range(TURNS):
            figure.at(1.0)

    return speed_ratio(tracks, one, repetitions=15)


def solve_against_a_slider_step(scheme):
    """A target with a closed form, solved from nothing, in terms of the picture that follows a slider."""
    model, scenario, _ = prepared()
    steps = iter(range(10_000))

    def solved():
        model.required = Memo(4)  # nothing is known of the requirement
        solve(model, scenario, check=False, schemes=(scheme,))

    def moved():
        # A position that was not drawn before, as while a slider is dragged.
        trust = 2 + next(steps) % 96
        who = (scenario.settings.recipients[0].replace({"trust": trust}), *scenario.settings.recipients[1:])
        model.preview(scenario.replace({"settings.recipients": who}))

    return speed_ratio(solved, moved, repetitions=15)


BENCHMARKS = [
    Benchmark(
        "All 99 positions of 8 trust sliders, against one closed-form figure", tracks_against_one_figure, limit=3.0,
        tags=("solve", "target"),
    ),
    Benchmark(
        "A target solved for independent noise, against one slider step",
        lambda: solve_against_a_slider_step("independent"), limit=1.0, tags=("solve", "target"),
    ),
    Benchmark(
        "A target solved for nested noise, against one slider step", lambda: solve_against_a_slider_step("nested"),
        limit=1.0, tags=("solve", "target"),
    ),
]  # fmt: skip
