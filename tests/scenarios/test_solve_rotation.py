"""Targets of the Rotation page, against pictures that are made one by one."""

import numpy as np
import pytest

from trustscope import datasets
from trustscope.scenarios.rotation.model import Model
from trustscope.scenarios.rotation.result import Rate
from trustscope.scenarios.rotation.scenario import RotationScenario
from trustscope.scenarios.solve.requirement import RotationRequirement
from trustscope.scenarios.solve.rotation import MOST_NOISE, STEP, Noisy, known_rates, sample_sizes, solve

TARGETS = 75


@pytest.fixture(scope="module")
def model():
    data = datasets.load("breast")
    names = data.numeric[:5]
    return Model(data.frame[list(names)].to_numpy(float), names, 12)


@pytest.fixture(scope="module")
def tried(model):
    """The share of hits for every number of known records, sample size and amount of noise that matters."""
    scenario = model.fit_to_data(RotationScenario())
    without = model.without(scenario.settings).rate
    known = []
    order = model.order(scenario.settings)
    for number in range(len(order) + 1):
        moved = scenario.replace({"settings.known": order[:number], "view.story": "known"})
        picture = next(model.passes(moved))  # the first one has all guesses
        known.append(100 * max(without, *(np.nanmean(share) for share in picture.shares.values())))
    sample = {}
    for size in sample_sizes(model):
        rates = []
        for block in range(1, model.sample.samples(size) + 1):
            moved = scenario.replace({"settings.sample": size, "settings.block": block, "view.story": "sample"})
            rates.append(model.preview(moved).hits.rate)
        sample[size] = 100 * np.mean(rates)
    noisy = Noisy(model, scenario)
    return known, sample, [noisy.rate(STEP * step) for step in range(400)], 100 * without


@pytest.mark.sweep
@pytest.mark.parametrize("part", range(3))
def test_generated_targets(model, tried, part):
    known, sample, noise, without = tried
    rng = np.random.default_rng((17, part))
    scenario = model.fit_to_data(RotationScenario())
    outcomes = {what: [0, 0] for what in ("known", "sample", "noise")}
    for number in range(TARGETS):
        what = ("known", "sample", "noise")[number % 3]
        asked = RotationRequirement(what=what, limit=round(float(rng.uniform(0, 100)), 1))
        solution = solve(model, scenario.replace({"settings.requirements": (asked,)}))
        answer = solution.answers[0]
        if what == "noise":
            if asked.limit < without:
                assert "nearest that can be met" in answer.text
                outcomes[what][0] += 1
                continue
            steps = round(float(answer.text.split()[2]) / STEP) if answer.checks else MOST_NOISE
            assert steps < 400
            assert noise[steps] <= asked.limit + 1e-9
            assert steps == 0 or noise[steps - 1] > asked.limit
            outcomes[what][1] += 1
            continue
        fine = [k for k, rate in enumerate(known) if max(known[: k + 1]) <= asked.limit + 1e-9]
        if what == "sample":
            fine, worst = [], without
            for size, rate in sample.items():
                worst = max(worst, rate)
                if worst <= asked.limit + 1e-9:
                    fine.append(size)
        assert answer.found == bool(fine), answer.text
        outcomes[what][answer.found] += 1
        if fine:
            settings = solution.scenario(what).settings
            assert (len(settings.known) if what == "known" else settings.sample) == fine[-1]
    assert all(none > 2 and some > 2 for none, some in outcomes.values()), outcomes


def test_more_noise_protects_better(tried):
    """Bisection needs it; within what the draws of one noise may wobble."""
    noise = tried[2]
    assert np.all(np.diff(noise) <= 1.0)
    assert noise[0] == 100


def test_noise_is_confirmed_by_fresh_noise(model):
    scenario = model.fit_to_data(RotationScenario()).replace(
        {"settings.requirements": (RotationRequirement(what="noise", limit=60),)}
    )
    answer = solve(model, scenario).answers[0]
    assert answer.checks[0].kept
    assert abs(answer.checks[0].measured - 60) <= answer.checks[0].tolerance + 1
    assert "keep their nearest neighbours" in answer.text
    # It stands on the Trust page, with no less noise: the level is its variance, in terms of the data's.
    there = solve(model, scenario).scenario("noise")
    noise = float(answer.text.split()[2])
    assert there.page == "trust"
    assert there.settings.recipients[0].trust / 100 <= 1 / (1 + noise**2)


def test_the_strictest_of_a_kind_counts(model):
    asked = tuple(RotationRequirement(what="known", limit=limit) for limit in (90, 50))
    solution = solve(model, model.fit_to_data(RotationScenario()).replace({"settings.requirements": asked}))
    alone = solve(model, model.fit_to_data(RotationScenario()).replace({"settings.requirements": asked[1:]}))
    assert [one.text for one in solution.answers] == [one.text for one in alone.answers]


def answer_to(model, what, limit):
    scenario = model.fit_to_data(RotationScenario())
    asked = RotationRequirement(what=what, limit=limit)
    return solve(model, scenario.replace({"settings.requirements": (asked,)})).answers[0]


def test_a_sample_that_tells_less_than_guessing_is_not_said_to_protect(model, monkeypatch):
    monkeypatch.setattr(type(model.sample), "rate", lambda self, settings, size, method: Rate((0.1, 0.14)))
    without = 100 * model.without(model.fit_to_data(RotationScenario()).settings).rate
    answer = answer_to(model, "sample", 80)
    assert answer.checks[0].measured == pytest.approx(without)
    assert f"{without:.1f} %" in answer.text
    assert "on average over 2 samples" in answer.text  # the page shows one of them, which may hit more


def test_nobody_may_be_known(model):
    rates = known_rates(model, model.fit_to_data(RotationScenario()))
    assert answer_to(model, "known", float(rates[0])).text.startswith("No record may be known: ")
