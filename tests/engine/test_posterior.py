"""What coalitions infer, against Bayes' rule on the enumerated joint law."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trustscope.engine.attacks.posterior import (
    belief,
    best_guess,
    coalitions,
    empirical_prior,
    expected_reconstruction,
    posterior,
    reconstruction_curve,
    reconstruction_probability,
    uniform_prior,
)
from trustscope.engine.uniform import SCHEMES, UniformRelease, joint_law

PRIORS = {2: [0.9, 0.1], 3: [0.5, 0.3, 0.2], 4: [0.0, 0.1, 0.2, 0.7]}
PS = [0.4, 0.7, 0.25]


def every_observation(size, count):
    return np.array(list(itertools.product(range(size), repeat=count))).T


def by_bayes(ps, size, scheme, prior):
    """P(X = x | all copies) for every combination of copies, shape (size^M, size)."""
    law = joint_law(ps, size, scheme=scheme, prior=prior).reshape(size, -1)
    return (law / law.sum(axis=0)).T


@pytest.mark.parametrize("size", PRIORS)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_everything_follows_from_the_enumerated_law(size, scheme):
    prior, copies = np.array(PRIORS[size]), every_observation(size, 3)
    truth = by_bayes(PS, size, scheme, prior)
    options = {"scheme": scheme, "prior": prior}
    np.testing.assert_allclose(posterior(copies, PS, size, **options), truth, rtol=0, atol=1e-12)
    for x in range(size):
        found = reconstruction_probability(np.full(len(truth), x), copies, PS, size, **options)
        np.testing.assert_allclose(found, truth[:, x], rtol=0, atol=1e-12)
    guess, chance = best_guess(copies, PS, size, **options)
    np.testing.assert_allclose(chance, truth.max(axis=1), rtol=0, atol=1e-12)
    np.testing.assert_allclose(truth[np.arange(len(truth)), guess], chance, rtol=0, atol=1e-12)
    np.testing.assert_allclose(belief(copies[:, 5], PS, size, **options), truth[5], rtol=0, atol=1e-12)


@pytest.mark.parametrize("size", PRIORS)
def test_any_nested_coalition_is_worth_its_best_copy_and_an_independent_one_more(size):
    prior = np.array(PRIORS[size])
    for count in (1, 2, 3):
        for members in itertools.combinations(range(3), count):
            ps = [PS[i] for i in members]
            copies, best = every_observation(size, count), int(np.argmax(ps))
            law = joint_law(ps, size, prior=prior).reshape(size, -1)
            alone = posterior([copies[best]], [ps[best]], size, prior=prior)
            np.testing.assert_allclose((law / law.sum(axis=0)).T, alone, rtol=0, atol=1e-12)
            apart = by_bayes(ps, size, "independent", prior)
            assert (np.abs(apart - alone).max() > 0.05) == (count > 1)


@settings(deadline=None, max_examples=30)
@given(
    st.lists(st.floats(0.01, 0.99), min_size=1, max_size=3),
    st.integers(2, 4),
    st.integers(0, 10**6),
)
def test_independent_posterior_for_any_levels_and_prior(ps, size, seed):
    prior = np.random.default_rng(seed).dirichlet(np.ones(size))
    found = posterior(every_observation(size, len(ps)), ps, size, scheme="independent", prior=prior)
    np.testing.assert_allclose(found, by_bayes(ps, size, "independent", prior), rtol=0, atol=1e-12)


def test_the_example_of_the_two_recipients():
    """HIV for Alice at 0.4 and Bob at 0.2 out of 1 000 illnesses: alone 0.4006, together nearly certain."""
    alone = belief([5], [0.4], 1000)[5]
    assert alone == pytest.approx(0.4 + 0.6 / 1000)
    assert belief([5, 5], [0.4, 0.2], 1000)[5] == alone
    assert belief([5, 5], [0.4, 0.2], 1000, scheme="independent")[5] > 0.99


@pytest.mark.parametrize("scheme", SCHEMES)
def test_expected_reconstruction_is_the_mean_over_the_joint_law(scheme):
    prior = np.array(PRIORS[3])
    law = joint_law(PS, 3, scheme=scheme, prior=prior)
    exact = (law**2 / law.sum(axis=0)).sum()
    assert expected_reconstruction(PS, 3, scheme=scheme, prior=prior) == (pytest.approx(exact, abs=1e-12), 0.0)
    every = coalitions(PS, 3, scheme=scheme, prior=prior, draws=40_000)
    assert every[0] == pytest.approx(prior @ prior)
    assert every[-1] == pytest.approx(exact, abs=0.01)
    assert every[2] == expected_reconstruction([0.7], 3, prior=prior)[0]
    if scheme == "nested":
        np.testing.assert_allclose(every[[2, 3, 6, 7]], exact, atol=1e-12)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_measured_reconstruction_agrees_with_theory_and_not_with_the_other_scheme(scheme):
    """Five standard errors of both: false alarms below 1e-6."""
    prior = np.arange(1, 21) / 210
    codes = np.random.default_rng(1).choice(20, size=60_000, p=prior)
    release = UniformRelease(codes, 20, scheme=scheme, key=3)
    ps = np.array([0.3, 0.1, 0.45, 0.2, 0.4])
    copies = [release.copy(p) for p in ps]
    curve, error = reconstruction_curve(codes, copies, ps, 20, scheme=scheme, prior=prior)
    theory = [expected_reconstruction(ps[:m], 20, scheme=scheme, prior=prior) for m in range(1, 6)]
    for measured, own, (mean, its) in zip(curve, error, theory, strict=True):
        assert abs(measured - mean) < 5 * np.hypot(own, its)
    other = SCHEMES[1 - SCHEMES.index(scheme)]
    wrong, its = expected_reconstruction(ps, 20, scheme=other, prior=prior)
    assert abs(curve[-1] - wrong) > 20 * np.hypot(error[-1], its)
    # An attacker who is right about its chances: guesses come true as often as they are likely.
    guess, chance = best_guess(copies, ps, 20, scheme=scheme, prior=prior)
    assert abs(np.mean(guess == codes) - chance.mean()) < 5 * 0.5 / np.sqrt(len(codes))


def test_a_copy_at_full_trust_settles_it():
    copies, truth = [[0, 1], [2, 2], [1, 0]], [2, 2]
    ps = [0.3, 1.0, 0.9]
    for scheme in SCHEMES:
        np.testing.assert_array_equal(posterior(copies, ps, 3, scheme=scheme), [[0, 0, 1], [0, 0, 1]])
        np.testing.assert_array_equal(best_guess(copies, ps, 3, scheme=scheme)[0], truth)
        np.testing.assert_array_equal(
            reconstruction_probability(truth, copies, ps, 3, scheme=scheme, prior=[0.5, 0.5, 0.0]), [1, 1]
        )
    means, _ = reconstruction_curve(truth, copies, ps, 3, scheme="independent")
    assert means[0] < 0.4
    assert means.tolist()[1:] == [1, 1]
    assert expected_reconstruction([1.0, 0.5], 3, prior=[0.5, 0.5, 0.0])[0] == 1


def test_many_copies_and_large_domains_neither_overflow_nor_need_memory():
    rng = np.random.default_rng(1)
    truth = rng.integers(10**6, size=50)
    copies = [np.where(rng.random(50) < 0.9, truth, 3) for _ in range(200)]
    found = reconstruction_probability(truth, copies, [0.999] * 200, 10**6, scheme="independent")
    np.testing.assert_allclose(found, 1)
    assert np.array_equal(best_guess(copies, [0.999] * 200, 10**6, scheme="independent")[0], truth)
    with pytest.raises(ValueError, match="too many to list"):
        posterior(copies, [0.999] * 200, 10**6)


def test_priors():
    np.testing.assert_allclose(empirical_prior([0, 0, 2], 4), [2 / 3, 0, 1 / 3, 0])
    np.testing.assert_allclose(uniform_prior(4), 0.25)
    with pytest.raises(ValueError, match="Without rows"):
        empirical_prior([], 3)


def test_unusable_input_gets_its_sentence():
    for prior, sentence in [([0.5, 0.5], "one share for each"), ([0.5, 0.6, 0.2], "sum to 1"), ([1.5, -0.5, 0], "sum")]:
        with pytest.raises(ValueError, match=sentence):
            belief([0], [0.5], 3, prior=prior)
    with pytest.raises(ValueError, match="2 retention probabilities but 1 copies"):
        posterior([[0]], [0.5, 0.4], 3)
    with pytest.raises(ValueError, match="different numbers of rows"):
        posterior([[0], [0, 1]], [0.5, 0.4], 3, scheme="independent")
    with pytest.raises(ValueError, match="1 true values but"):
        reconstruction_probability([0], [[0, 1]], [0.5], 3)
    with pytest.raises(ValueError, match="at least one retention"):
        posterior([], [], 3)
    with pytest.raises(ValueError, match="are too many"):
        coalitions([0.5] * 13, 3)
