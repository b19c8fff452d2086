"""What coalitions find out on average, against sums over the enumerated joint law."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from trustscope.engine.attacks import agreement, posterior
from trustscope.engine.attacks.agreement import Insight, alone, best_values, coalitions, growing, nobody, together
from trustscope.engine.uniform import SCHEMES, joint_law

PRIORS = {2: [0.9, 0.1], 3: [0.5, 0.3, 0.2], 4: [0.0, 0.1, 0.2, 0.7]}
TEN = np.array([0.03, 0.22, 0.15, 0.09, 0.13, 0.12, 0.10, 0.04, 0.08, 0.04])


def by_enumeration(ps, size, scheme, prior):
    """The slow version: every true value with every combination of copies."""
    law = joint_law(ps, size, scheme=scheme, prior=prior).reshape(size, -1)
    total = law.sum(axis=0)
    return (law**2).sum(axis=0)[total > 0] @ (1 / total[total > 0]), law.max(axis=0).sum()


def close(found, expected):
    np.testing.assert_allclose([found.belief, found.right], expected, rtol=0, atol=1e-12)


@hypothesis_settings(max_examples=60)
@given(
    st.lists(st.sampled_from([0.05, 0.2, 0.2, 0.45, 0.7, 0.99]), min_size=1, max_size=5),
    st.integers(2, 5),
    st.sampled_from(SCHEMES),
    st.integers(0, 99),
)
def test_the_figures_are_sums_over_the_joint_law(ps, size, scheme, seed):
    # A third of the priors is uniform, a third has equal shares in it, a third is anything.
    rng = np.random.default_rng(seed)
    weights = [np.ones(size), rng.integers(0, 3, size) + (np.arange(size) == 0), rng.random(size)][seed % 3]
    prior = weights / weights.sum()
    found = growing(ps, size, scheme=scheme, prior=prior)
    assert len(found) == len(ps)
    for m, figures in enumerate(found, 1):
        assert figures.exact
        close(figures, by_enumeration(ps[:m], size, scheme, prior))


@pytest.mark.parametrize("many", [6, 7, 8])
def test_more_copies_than_can_be_enumerated_cell_by_cell(many):
    """Three values and up to 3^9 cells: the ways to part the copies give the same."""
    ps = np.linspace(0.1, 0.6, many)
    close(together(ps, 3, scheme="independent"), by_enumeration(ps, 3, "independent", None))
    equal = [0.3] * many
    close(together(equal, 3, scheme="independent", prior=PRIORS[3]), by_enumeration(equal, 3, "independent", PRIORS[3]))


def test_the_papers_two_recipients():
    """Ten illnesses, 40 % and 20 %: the best guess is right for 46 % in both schemes, but the belief rises."""
    first, both = growing([0.4, 0.2], 10, scheme="independent")
    assert first.right == pytest.approx(0.46)
    assert both.right == pytest.approx(0.46)
    assert first.belief == pytest.approx(posterior.expected_reconstruction([0.4], 10)[0])
    assert both.belief == pytest.approx(posterior.expected_reconstruction([0.4, 0.2], 10, scheme="independent")[0])
    assert growing([0.4, 0.2], 10) == [first, first]


@pytest.mark.parametrize("prior", [None, TEN])
def test_draws_agree_with_what_is_exact(prior, monkeypatch):
    """Within four standard errors, a false alarm in 16 000 for each; and not with the other scheme."""
    ps = [0.3, 0.28, 0.25, 0.22, 0.2]
    exact = growing(ps, 10, scheme="independent", prior=prior)
    monkeypatch.setattr(agreement, "LISTED_BLOCKS", 0)
    monkeypatch.setattr(agreement, "LISTED_CELLS", 0)
    drawn = growing(ps, 10, scheme="independent", prior=prior)
    for one, other in zip(exact[1:], drawn[1:], strict=True):
        assert one.exact
        assert 0 < other.right_error < 0.003
        assert abs(one.right - other.right) < 4 * other.right_error
        assert abs(one.belief - other.belief) < 4 * other.belief_error
    nested = together(ps, 10, prior=prior)
    assert abs(nested.belief - drawn[-1].belief) > 20 * drawn[-1].belief_error


def test_more_recipients_than_can_be_listed_carry_an_error():
    ps = np.linspace(0.1, 0.3, 12)
    last = together(ps, 10, scheme="independent", prior=TEN)
    assert 0 < last.right_error < 0.003
    assert together(ps[:10], 10, scheme="independent").exact


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("prior", [None, PRIORS[4]])
def test_every_coalition_is_the_one_that_grows_into_it(scheme, prior):
    ps = [0.2, 0.6, 0.2, 1.0, 0.4]
    found = coalitions(ps, 4, scheme=scheme, prior=prior)
    assert found[0] == nobody(4, prior)
    for mask in range(1, 32):
        members = [ps[i] for i in range(5) if mask >> i & 1]
        expected = together(members, 4, scheme=scheme, prior=prior)
        close(found[mask], (expected.belief, expected.right))


def test_all_coalitions_of_many_are_drawn_together():
    found = coalitions(np.linspace(0.1, 0.3, 11), 10, scheme="independent", prior=TEN, draws=400)
    assert len(found) == 2048
    assert 0 < found[-1].right_error < 0.02
    for i in range(11):
        assert found[1 << i].exact
    with pytest.raises(ValueError, match="at most 12"):
        coalitions([0.1] * 13, 4)


@pytest.mark.parametrize("size", PRIORS)
@pytest.mark.parametrize("p", [0.01, 0.3, 0.99, 1.0])
def test_one_copy_in_closed_form(size, p):
    for prior in (None, PRIORS[size]):
        close(alone(p, size, prior), by_enumeration([p], size, "nested", prior))
    assert nobody(size, PRIORS[size]) == Insight(pytest.approx(np.square(PRIORS[size]).sum()), max(PRIORS[size]))


def test_the_original_settles_it():
    found = growing([0.3, 1.0, 0.2], 5, scheme="independent")
    assert found[0].right < 1
    assert found[1:] == [Insight(1.0, 1.0)] * 2
    assert coalitions([1.0, 1.0], 5, scheme="independent")[1:] == [Insight(1.0, 1.0)] * 3


@pytest.mark.parametrize("ps", [[0.3, 0.3], [0.5, 0.3, 0.3], [0.2, 0.2, 0.2, 0.2]])
def test_no_value_is_favoured_among_equals(ps):
    """With a uniform prior each true value is named as often as the figure says, to the last digit."""
    size = 3
    seen = np.array(list(itertools.product(range(size), repeat=len(ps)))).T
    guess = best_values(seen, ps, size, scheme="independent")
    law = joint_law(ps, size, scheme="independent").reshape(size, -1) * size  # P(copies | x)
    for x in range(size):
        assert law[x][guess == x].sum() == pytest.approx(together(ps, size, scheme="independent").right)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_best_values_are_the_likeliest(scheme):
    ps, prior = [0.4, 0.7, 0.25], np.array(PRIORS[4])
    seen = np.array(list(itertools.product(range(4), repeat=3))).T
    guess = best_values(seen, ps, 4, scheme=scheme, prior=prior)
    beliefs = posterior.posterior(seen, ps, 4, scheme=scheme, prior=prior)
    np.testing.assert_allclose(beliefs[np.arange(64), guess], beliefs.max(axis=1))
    np.testing.assert_array_equal(best_values(seen, [0.4, 1.0, 0.2], 4, scheme=scheme), seen[1])


def test_large_domains_and_certain_copies_neither_overflow_nor_need_memory():
    for ps in ([0.99] * 10, [0.01] * 10, [0.99, 0.01, 0.5]):
        figures = together(ps, 50_000, scheme="independent")
        assert 0 < figures.belief <= figures.right <= 1 + 1e-9
