"""Promises: judged for one copy, for the coalition and for the worst one; and solved for, against every coalition."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from trustscope.engine import measures
from trustscope.engine.uniform import SCHEMES, joint_law
from trustscope.scenarios.categories import promise as promises
from trustscope.scenarios.categories.scenario import Promise, Settings
from trustscope.scenarios.coalition import recipients


def settings_of(trusts, scheme, **promised):
    return Settings(recipients=recipients(*trusts), scheme=scheme, promise=Promise(**promised))


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("trusts", [(30,), (40, 20), (30, 25, 20), (60, 5, 5)])
def test_gamma_is_the_largest_ratio_of_likelihoods(scheme, trusts):
    """Against the enumerated law: how much likelier what was seen can be under one true value than under another."""
    who = recipients(*trusts)
    law = joint_law([t / 100 for t in trusts], 3, scheme=scheme).reshape(3, -1)
    law = law[:, law.min(axis=0) > 0]  # equal nested copies never differ
    worst = (law.max(axis=0) / law.min(axis=0)).max()
    assert promises.gamma(who, scheme, 3) == pytest.approx(worst)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_what_beliefs_become_at_worst(scheme):
    who = recipients(30, 20)
    gamma = promises.gamma(who, scheme, 3)
    law = joint_law([0.3, 0.2], 3, scheme=scheme, prior=[0.1, 0.6, 0.3]).reshape(3, -1)
    believed = (law / law.sum(axis=0))[0].max()
    assert believed <= promises.raised(0.1, gamma) + 1e-12
    assert promises.raised(0.1, np.inf) == 1
    assert promises.raised(0.0, np.inf) == 0


def test_kept_by_one_and_broken_by_the_coalition():
    """Six independent recipients: each keeps the promise, all of them together break it."""
    settings = settings_of([40] * 6, "independent", rho1=10, rho2=50)
    judged = promises.judge(settings, 10, settings.recipients[0])
    assert judged.one.keeps_rho
    assert not judged.coalition.keeps_rho
    assert not judged.worst.keeps_rho
    assert judged.worst.gamma == pytest.approx(float(measures.amplification(0.4, 10)) ** 6)
    # Who does not pool now may pool later: the worst coalition is everybody.
    few = settings.replace({"recipients": tuple(r.replace({"member": r.number == 0}) for r in settings.recipients)})
    judged = promises.judge(few, 10, few.recipients[0])
    assert judged.coalition.keeps_rho
    assert not judged.worst.keeps_rho
    nobody = settings.replace({"recipients": tuple(r.replace({"member": False}) for r in settings.recipients)})
    assert promises.judge(nobody, 10, nobody.recipients[0]).coalition is None
    nested = settings.replace({"scheme": "nested"})
    assert all(one.keeps_rho for one in promises.judge(nested, 10, nested.recipients[0]).all)


def test_the_original_keeps_no_promise():
    settings = settings_of((100, 20), "nested", rho1=98, rho2=99, delta=99)
    judged = promises.judge(settings, 10, settings.recipients[0])
    assert not any(one.keeps_rho or one.keeps_delta for one in judged.all)


@given(
    some.integers(1, 90), some.integers(1, 9), some.integers(1, 99), some.integers(2, 60), some.integers(1, 8),
    some.sampled_from(SCHEMES),
)  # fmt: skip
def test_what_is_given_to_all_keeps_the_promise_against_every_coalition(rho1, more, delta, size, many, scheme):
    settings = settings_of([50] * many, scheme, rho1=rho1, rho2=rho1 + more, delta=delta)
    for limit, kept in zip(promises.limits(settings.promise), ("keeps_rho", "keeps_delta"), strict=True):
        given = promises.given_to_all(settings, limit, size)
        if given is None:
            copies = 1 if scheme == "nested" else many
            assert promises.largest(limit, size, copies) < 0.01
            continue
        judged = promises.judge(given, size, given.recipients[0])
        assert all(getattr(one, kept) for one in judged.all)
        # One per cent more would break it, or be the original.
        above = given.replace({"recipients": tuple(r.replace({"trust": r.trust + 1}) for r in given.recipients)})
        assert above.recipients[0].trust == 100 or not getattr(
            promises.judge(above, size, above.recipients[0]).worst, kept
        )


def test_every_single_coalition_of_a_solved_promise():
    settings = settings_of((40, 30, 30, 10), "independent", rho1=10, rho2=50)
    given = promises.given_to_all(settings, promises.limits(settings.promise)[0], 10)
    for size in range(1, 5):
        for who in itertools.combinations(given.recipients, size):
            assert promises.raised(0.1, promises.gamma(who, "independent", 10)) <= 0.5 + 1e-9


def test_one_recipient_is_given_what_they_may_have():
    settings = settings_of((40, 20), "nested", rho1=10, rho2=50, delta=20)
    rho, delta = promises.limits(settings.promise)
    assert promises.largest(rho, 10) == pytest.approx(8 / 18)
    given = promises.given_to_one(settings, rho, 10, settings.recipients[0])
    assert [r.trust for r in given.recipients] == [44, 20]
    given = promises.given_to_one(settings, delta, 10, settings.recipients[1])
    assert [r.trust for r in given.recipients] == [40, 11]
    assert promises.given_to_one(settings, 1.001, 50_000, settings.recipients[0]) is None


@pytest.mark.parametrize(("p", "whole"), [(0.138, 13), (0.009, 0), (0.44, 44), (1.0, 99), (0.29, 29)])
def test_whole_per_cents_are_rounded_down(p, whole):
    assert promises.whole_per_cent(p) == whole
