"""What the linked records give away: against drawn rotations, closed forms and the figures worked out beforehand."""

import numpy as np
import pytest
from engine_letters import letters
from scipy.integrate import quad
from scipy.special import gamma
from scipy.stats import binom

from trustscope.engine.attacks.known_input import (
    attack,
    breach_probability,
    link,
    printed_breach_probability,
    projection_breach,
    simulated_breach,
)
from trustscope.engine.experiments.giannella import hundred_normals
from trustscope.engine.measures import breached
from trustscope.engine.rotation import RotationRelease, haar


@pytest.mark.parametrize("freedom", range(21))
def test_breach_probability_against_haar_rotations(freedom):
    """By drawing whole orthogonal matrices, m = 0 to 20, within 4 standard errors: false alarms 1 in 500 in all."""
    rng = np.random.default_rng(100 + freedom)
    point = np.zeros(freedom)
    point[:1] = 2.0
    # The same rotations for all chords: the false alarms of several comparisons add up however they hang together.
    images = np.array([haar(freedom, rng) @ point for _ in range(400)])
    for chord in (0.6, 1.0, 1.3, 1.8):
        # ||x|| = 5 and r = 2, as for a record that is partly known.
        share = np.mean(np.linalg.norm(images - point, axis=1) <= chord * 2.0)
        expected = breach_probability(chord * 2.0 / 5.0, 5.0, 2.0, freedom)
        assert abs(share - expected) <= 4 * np.sqrt(expected * (1 - expected) / 400) + 1e-12
        drawn, error = simulated_breach(chord * 2.0 / 5.0, 5.0, 2.0, freedom, draws=20_000, rng=rng)
        spread = np.sqrt(expected * (1 - expected) / 20_000)
        assert abs(drawn - expected) <= 4 * spread + 1e-4
        assert error == pytest.approx(np.sqrt(drawn * (1 - drawn) / 20_000))


def test_the_printed_formula_fails_the_same_comparison():
    rng = np.random.default_rng(1)
    share, error = simulated_breach(1.0, 1.0, 1.0, 3, draws=50_000, rng=rng)
    assert abs(share - breach_probability(1.0, 1.0, 1.0, 3)) < 4 * error
    assert abs(share - printed_breach_probability(1.0, 1.0, 1.0, 3)) > 40 * error


def test_figures_worked_out_beforehand():
    assert breach_probability(1, 1, 1, 3) == pytest.approx(0.25)
    assert printed_breach_probability(1, 1, 1, 3) == pytest.approx(0.1536, abs=1e-4)
    half = np.sqrt(2)
    assert printed_breach_probability(half, 1, 1, 3) == pytest.approx(0.3927, abs=1e-4)
    assert printed_breach_probability(half + 1e-9, 1, 1, 3) == pytest.approx(0.6073, abs=1e-4)


def test_half_at_a_right_angle_in_every_dimension_and_stable_in_a_thousand():
    m = np.arange(1, 1001)
    np.testing.assert_allclose(breach_probability(np.sqrt(2), 1, 1, m), 0.5, atol=1e-12)
    chords = np.linspace(0, 2.2, 400)
    values = breach_probability(chords[:, None], 1.0, 1.0, np.array([2, 3, 10, 100, 1000]))
    assert np.all(np.isfinite(values))
    assert np.all(np.diff(values, axis=0) >= 0)
    assert values[0].max() == 0
    assert values[-1].min() == 1
    # Two caps cover the sphere: chords c and sqrt(4 - c^2).
    np.testing.assert_allclose(
        breach_probability(1.2, 1, 1, m[1:]) + breach_probability(1.6, 1, 1, m[1:]), 1.0, atol=1e-12
    )
    # In high dimensions the angle's cosine is normal with variance 1 / m.
    assert breach_probability(np.sqrt(2 * (1 + 1 / np.sqrt(1000))), 1, 1, 1000) == pytest.approx(0.8413, abs=1e-3)


def test_few_dimensions_and_records_of_the_span():
    assert breach_probability(0.1, 1, 1, 0) == 1
    assert breach_probability(0.1, 1, 1, 1) == 0.5
    assert breach_probability(2.0, 1, 1, 1) == 1
    assert breach_probability(0.1, 1, 0, 7) == 1
    assert breach_probability(0.0, 1, 0.5, 2) == 0
    # On a circle the share is the angle.
    assert breach_probability(1, 1, 1, 2) == pytest.approx(1 / 3)
    # On a sphere the share is the height.
    assert breach_probability(0.5, 1, 1, 3) == pytest.approx(0.25**1 / 4)


@pytest.mark.parametrize("m", [3, 4, 7, 20])
def test_the_printed_formula_is_the_papers(m):
    """Eq. 14 by quadrature and by the recursion of its appendix (Eq. 21 and 23)."""

    def slow(c):
        factor = (m - 1) * gamma((m + 2) / 2) / (m * np.sqrt(np.pi) * gamma((m + 1) / 2))
        top = np.arccos(c**2 / 2 - 1 if c > np.sqrt(2) else 1 - c**2 / 2)
        cap = factor * quad(lambda t: np.sin(t) ** (m - 1), 0, top)[0]
        return 1 - cap if c > np.sqrt(2) else cap

    def gr(k):
        return {1: np.sqrt(np.pi) / 2, 2: 2 / np.sqrt(np.pi)}.get(k) or k / (k - 1) * gr(k - 2)

    def si(z, k):
        if k < 3:
            return np.arccos(z) if k == 1 else 1 - z
        return (k - 2) / (k - 1) * si(z, k - 2) - z * (1 - z**2) ** ((k - 2) / 2) / (k - 1)

    for c in (0.2, 0.9, 1.3, 1.6, 1.95):
        assert printed_breach_probability(c, 1, 1, m) == pytest.approx(slow(c), rel=1e-9)
    recursive = (m - 1) * gr(m) / (m * np.sqrt(np.pi)) * si(1 - 0.9**2 / 2, m)
    assert printed_breach_probability(0.9, 1, 1, m) == pytest.approx(recursive, rel=1e-9)
    assert printed_breach_probability(2.0, 1, 1, m) == 1


def test_both_formulas_agree_below_three_dimensions():
    chords = np.linspace(0.01, 1.99, 50)
    for m in (0, 1, 2):
        np.testing.assert_allclose(
            printed_breach_probability(chords, 1, 1, m), breach_probability(chords, 1, 1, m), atol=1e-12
        )


def test_arguments_broadcast_and_bad_ones_get_a_sentence():
    assert breach_probability([[0.1], [0.2]], [1.0, 2.0, 3.0], 1.0, 4).shape == (2, 3)
    assert isinstance(breach_probability(0.1, 1, 1, 4), float)
    for arguments, words in [
        ((-0.1, 1, 1, 2), "threshold"),
        ((0.1, np.nan, 1, 2), "length"),
        ((0.1, 1, -1, 2), "residual"),
        ((0.1, 1, 1, -1), "freedom"),
        ((0.1, 1, 1, 1.5), "freedom"),
    ]:
        with pytest.raises(ValueError, match=words):
            breach_probability(*arguments)


@pytest.mark.parametrize("translation", [0.0, 30.0])
def test_attack_against_drawn_matrices(translation):
    """Closed form against 300 uniform choices for every record, sum over records within 4 standard errors."""
    x = np.random.default_rng(1).gamma(2.0, 1.0, (60, 5))
    release = RotationRelease(x, translation=translation, key=2)
    ordered = x[release.secret.origin]
    translated = translation > 0
    found = attack(x[:3], release.released, translated=translated, norms=np.linalg.norm(ordered, axis=1))
    assert found.freedom == (3 if translated else 2)
    rng = np.random.default_rng(3)
    expected = found.breach(0.5)
    measured = found.measured(ordered, 0.5, draws=300, rng=rng)
    free = ~found.linked_rows
    assert 0.05 < expected[free].mean() < 0.95
    # Within one draw the records share a matrix: each by itself, and no more than a few outside three sigma.
    outside = np.abs(measured - expected) > 3 * np.sqrt(expected * (1 - expected) / 300) + 1e-9
    assert outside.sum() <= binom.ppf(0.9999, len(x), 0.0027) + 3
    wrong = printed_breach_probability(0.5, found.norms, found.residuals, found.freedom)
    if found.freedom >= 3:
        assert (np.abs(measured - wrong) > 3 * np.sqrt(wrong * (1 - wrong) / 300) + 1e-9)[free].sum() > 5
    np.testing.assert_array_equal(
        found.measured(ordered, 0.5, attacker="projection"), found.breach(0.5, attacker="projection")
    )


def test_uniform_choices_are_orthogonal_and_agree_with_the_links():
    x = np.random.default_rng(1).normal(size=(40, 6))
    release = RotationRelease(x, key=1)
    found = attack(x[:4], release.released)
    guess = found.estimate(rng=np.random.default_rng(2))
    ordered = x[release.secret.origin]
    np.testing.assert_allclose(guess[found.linked_rows], ordered[found.linked_rows], atol=1e-9)
    np.testing.assert_allclose(guess @ guess.T, ordered @ ordered.T, atol=1e-9)
    projected = found.estimate(attacker="projection")
    np.testing.assert_allclose(np.linalg.norm(projected - ordered, axis=1), found.residuals, atol=1e-9)
    np.testing.assert_allclose(found.norms, np.linalg.norm(ordered, axis=1))
    slow = [np.linalg.lstsq(x[:4].T, one)[1] for one in ordered]
    np.testing.assert_allclose(found.residuals**2, np.ravel(slow), atol=1e-9)


def breached_slowly(truth, guess, eps, kind):
    """Definition 3.1 for one record, entry by entry."""
    if kind == "euclidean":
        return np.linalg.norm(guess - truth) <= eps * np.linalg.norm(truth)
    if kind == "cosine":
        return 1 - guess @ truth / np.linalg.norm(guess) / np.linalg.norm(truth) <= eps
    return min(abs(g - t) / abs(t) for g, t in zip(guess, truth, strict=True)) <= eps


@pytest.mark.parametrize(("kind", "eps"), [("euclidean", 0.3), ("cosine", 0.05), ("entry", 0.05)])
def test_three_breach_definitions(kind, eps):
    """Measured against drawing matrices by hand, and the closed forms where there are any.

    Each record within 4.5 standard errors, 80 records and three definitions: false alarms 1 in 600. The closed
    form of another threshold is outside for most.
    """
    x = np.random.default_rng(1).gamma(2.0, 1.0, (80, 4)) + 1
    release = RotationRelease(x, key=1)
    ordered = x[release.secret.origin]
    found = attack(x[:2], release.released)
    draws = 300
    measured = found.measured(ordered, eps, kind=kind, draws=draws, rng=np.random.default_rng(4))
    rng = np.random.default_rng(9)
    guesses = [found.estimate(rng=rng) for _ in range(draws)]
    slow = np.mean(
        [[breached_slowly(t, g, eps, kind) for t, g in zip(ordered, one, strict=True)] for one in guesses], 0
    )
    both = (slow + measured) / 2
    spread = np.sqrt(2 * both * (1 - both) / draws) + 1e-9
    assert 0.05 < both[~found.linked_rows].mean() < 0.95
    assert np.all(np.abs(slow - measured) <= 4.5 * spread)
    if kind == "entry":
        with pytest.raises(ValueError, match="measured"):
            found.breach(eps, kind=kind)
        return
    expected = found.breach(eps, kind=kind)
    spread = np.sqrt(expected * (1 - expected) / draws) + 1e-9
    assert np.all(np.abs(measured - expected) <= 4.5 * spread)
    other = found.breach(eps / 2, kind=kind)
    assert np.mean(np.abs(measured - other)[~found.linked_rows] > 4.5 * spread[~found.linked_rows]) > 0.3
    np.testing.assert_array_equal(
        found.measured(ordered, eps, kind=kind, attacker="projection"),
        found.breach(eps, kind=kind, attacker="projection"),
    )


def test_gaussian_figures():
    """100 dimensions, 100 000 rows, eps .15, a = 55 to 75: rho = .00, .06, .36, .99 and 1.

    Means over two draws of the known records, within 3.5 standard errors of the spread that belongs to each
    (.08 and .23 in the middle): false alarms 1 in 400. The projection is certain from 60 on.
    """
    x = hundred_normals(100_000, key=1)
    released = RotationRelease(x, key=1).released
    rng = np.random.default_rng(1)
    for a, figure, spread in ((55, 0.0, 0.02), (60, 0.06, 0.08), (65, 0.36, 0.23), (70, 0.99, 0.02), (75, 1.0, 0.005)):
        found = []
        for _ in range(2 if a in (60, 65) else 1):
            one = attack(x[rng.choice(len(x), a, replace=False)], released)
            assert len(one.links.linked) == a
            found.append(one.most_exposed(0.15)[1])
            assert a < 60 or one.most_exposed(0.15, attacker="projection")[1] == 1
        assert abs(np.mean(found) - figure) <= 3.5 * spread / np.sqrt(len(found)) + 0.005


def test_letter_figures():
    x = letters(distinct=True)
    assert x.shape == (18_668, 16)
    released = RotationRelease(x, key=1).released
    rng = np.random.default_rng(1)
    for _ in range(5):
        found = attack(x[rng.choice(len(x), 4, replace=False)], released)
        assert len(found.links.linked) == 4
        row, chance = found.most_exposed(0.15)
        assert chance == pytest.approx(1.0)
        assert not found.linked_rows[row]


def test_everything_known_and_nothing_known():
    x = np.random.default_rng(1).normal(size=(9, 3))
    release = RotationRelease(x, key=1)
    every = attack(x, release.released)
    assert every.freedom == 0
    assert every.most_exposed(0.1)[0] is None
    np.testing.assert_allclose(every.estimate(rng=np.random.default_rng(1)), x[release.secret.origin], atol=1e-9)
    nothing = attack(x[:0], release.released)
    assert nothing.freedom == 3
    np.testing.assert_allclose(nothing.breach(0.5), breach_probability(0.5, 1, 1, 3))
    alone = attack(x[:1], RotationRelease(x, translation=5.0, key=1).released, translated=True)
    assert not alone.informed
    assert alone.breach(0.5).max() == 0
    assert alone.measured(x, 0.5, draws=2, rng=np.random.default_rng(1)).max() == 0
    with pytest.raises(ValueError, match="no estimate"):
        alone.estimate(attacker="projection")


def test_the_projection_attacker_is_certain_where_the_residual_is_small():
    assert projection_breach(0.1, 10.0, 1.0) == 1
    assert projection_breach(0.1, 10.0, 1.01) == 0
    assert breach_probability(0.1, 10.0, 1.0, 10) < 0.1


def test_dependent_known_records_count_once():
    x = np.random.default_rng(1).normal(size=(30, 4))
    x[1], x[2] = 2 * x[0], 0
    release = RotationRelease(x, key=1)
    found = attack(x[:3], release.released)
    assert found.freedom == 3
    assert len(found.links.linked) == 3
    np.testing.assert_allclose(found.estimate(attacker="projection")[release.secret.permutation[:3]], x[:3], atol=1e-9)
    assert breached(x[:3], x[:3], 0.0).all()


def test_twins_of_a_linked_record_are_known_too():
    x = np.random.default_rng(1).normal(size=(30, 4))
    x[[10, 20]] = x[0]
    for translation in (0.0, 7.0):
        release = RotationRelease(x, translation=translation, key=1)
        found = attack(x[:4], release.released, translated=translation > 0)
        rows = release.secret.permutation[[0, 1, 2, 3, 10, 20]]
        np.testing.assert_array_equal(np.flatnonzero(found.linked_rows), np.sort(rows))
        assert found.most_exposed(0.1)[0] not in rows


def test_rounded_releases_need_a_tolerance():
    x = np.random.default_rng(1).normal(size=(200, 4))
    released = RotationRelease(x, key=1).released.round(5)
    with pytest.raises(ValueError, match="raise the tolerance"):
        attack(x[:3], released)
    found = attack(x[:3], released, tolerance=1e-4)
    assert len(found.links.linked) == 3
    # What was linked with a tolerance is taken with it.
    assert attack(x[:3], released, links=found.links).freedom == found.freedom


def test_lengths_that_overflow_when_multiplied():
    assert breach_probability(0.1, 1e308, 1e308, 3) == pytest.approx(0.0025)
    assert breach_probability(0.1, 1e-300, 1e-300, 3) == pytest.approx(0.0025)


def test_bad_input_gets_a_sentence():
    x = np.random.default_rng(1).normal(size=(10, 3))
    released = RotationRelease(x, key=1).released
    for arguments, options, words in [
        ((x[:2, :2], released), {}, "2 columns, the released data 3"),
        ((x[:2] * 1.1, released), {}, "cannot be in the released data"),
        ((x[:2], released), {"norms": [1.0]}, "one length for each"),
        (([[np.inf, 0, 0]], released), {}, "missing or infinite"),
        ((x[2:4], released), {"links": link(x[:2], released)}, "not those of these known records"),
        ((x[:5], released), {"links": link(x[:2], released)}, "not those of these known records"),
        ((x[:2], released), {"tolerance": "a"}, "tolerance"),
    ]:
        with pytest.raises(ValueError, match=words):
            attack(*arguments, **options)
    found = attack(x[:2], released)
    with pytest.raises(ValueError, match="uniform, projection"):
        found.breach(0.1, attacker="other")
    with pytest.raises(ValueError, match="give a generator"):
        found.estimate()
    with pytest.raises(ValueError, match="threshold"):
        found.breach(-1, kind="cosine", attacker="projection")
    with pytest.raises(ValueError, match="at least one draw"):
        found.measured(x, 0.1, draws=0)
    with pytest.raises(ValueError, match="a record for each released row"):
        found.measured(x[:5], 0.1, rng=np.random.default_rng(1))
    with pytest.raises(ValueError, match="at least one draw"):
        simulated_breach(0.1, 1, 1, 3, draws=0, rng=None)
