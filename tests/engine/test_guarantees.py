"""What p guarantees, against the worst case found by search over all values and priors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustscope.engine import measures
from trustscope.engine.attacks.posterior import belief
from trustscope.engine.uniform import replacement

p_values = st.floats(0.001, 0.95)
sizes = st.integers(2, 200)
shares = st.floats(0.01, 0.99)


def test_figures_that_are_known():
    assert measures.rho_amplification(0.1, 0.5) == pytest.approx(9)
    assert measures.retention_for_rho(0.1, 0.5, 50) == pytest.approx(8 / 58)
    assert measures.retention_for_rho(0.1, 0.5, 50) == pytest.approx(0.138, abs=5e-4)
    assert measures.amplification(0.5, 50) == 51


@given(p_values, sizes)
def test_gamma_is_the_largest_ratio_of_the_law(p, size):
    law = replacement(p, size)
    assert measures.amplification(p, size) == pytest.approx((law.max(axis=0) / law.min(axis=0)).max())
    assert measures.retention_for_amplification(measures.amplification(p, size), size) == pytest.approx(p)


@given(p_values, st.integers(2, 8), shares)
def test_worst_posterior_is_reached_and_never_passed(p, size, prior):
    spread = np.append(prior, np.full(size - 1, (1 - prior) / (size - 1)))
    after = np.array([belief([y], [p], size, prior=spread)[0] for y in range(size)])
    assert after.max() == pytest.approx(measures.worst_posterior(prior, p, size))
    assert after.min() >= measures.lowest_posterior(prior, p, size) - 1e-12
    one_other = np.array([prior, 1 - prior] + [0] * (size - 2))
    assert belief([1], [p], size, prior=one_other)[0] == pytest.approx(measures.lowest_posterior(prior, p, size))


@given(sizes, shares, shares)
def test_rho_both_ways(size, a, b):
    if abs(a - b) < 1e-3:
        return
    rho1, rho2 = sorted((a, b))
    p = measures.retention_for_rho(rho1, rho2, size)
    assert measures.rho_holds(p, size, rho1, rho2)
    assert not measures.rho_holds(min(1, p * 1.001), size, rho1, rho2)
    assert measures.rho2_of_retention(rho1, p, size) == pytest.approx(rho2)
    assert measures.rho1_of_retention(rho2, p, size) == pytest.approx(rho1)
    # Downwards: what was believed more than rho2 never falls to less than rho1.
    assert measures.lowest_posterior(rho2, p, size) == pytest.approx(rho1)


@given(p_values, sizes)
def test_delta_is_the_largest_growth_over_all_priors(p, size):
    delta, at = measures.delta_of_retention(p, size), measures.worst_prior(p, size)
    grid = np.linspace(0, 1, 2001)
    assert measures.growth(grid, p, size).max() <= delta + 1e-12
    assert measures.growth(at, p, size) == pytest.approx(delta)
    assert measures.retention_for_delta(delta, size) == pytest.approx(p)


@given(p_values, sizes, shares)
def test_delta_for_one_prior_both_ways(p, size, prior):
    grown = measures.growth(prior, p, size)
    if 1e-3 < grown < 1 - prior - 1e-3:
        assert measures.retention_for_delta(grown, size, prior=prior) == pytest.approx(p, rel=1e-6)
    assert measures.retention_for_delta(0.99, size, prior=0.5) == 1.0


def test_arrays_and_the_limits_of_full_trust():
    assert measures.amplification([0.5, 1.0], 10).tolist() == [11, np.inf]
    assert measures.worst_posterior([0.0, 0.1, 1.0], 1.0, 5).tolist() == [0, 1, 1]
    assert measures.lowest_posterior(0.9, 1.0, 5) == 0
    assert measures.delta_of_retention([1.0], 5).tolist() == [1]
    assert measures.worst_prior(1.0, 5) == 0
    assert measures.retention_for_rho(0.2, 1.0, 5) == 1
    assert measures.worst_posterior(np.full((3, 1), 0.1), [0.2, 0.4], 5).shape == (3, 2)


def test_unusable_input_gets_its_sentence():
    for call, sentence in [
        (lambda: measures.amplification(0, 5), "above 0 and at most 1"),
        (lambda: measures.amplification(0.5, 1), "at least two values"),
        (lambda: measures.retention_for_amplification(1, 5), "gamma must be above 1"),
        (lambda: measures.worst_posterior(1.2, 0.5, 5), "between 0 and 1"),
        (lambda: measures.rho_amplification(0.5, 0.5), "below rho2"),
        (lambda: measures.retention_for_delta(1, 5), "without being either"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            call()
