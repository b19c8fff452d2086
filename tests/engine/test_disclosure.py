"""Degrees of error and disclosure: against enumeration, closed forms and figures worked out beforehand."""

import numpy as np
import pytest
from survey_data import CLASSES, ENCODING, TUPLES, enumerated_information

from trustscope.engine.measures import (
    degree_of_disclosure,
    degree_of_error,
    disclosure_bound,
    distinct_tuples,
    error_bound,
    expected_difference,
    question_disclosure,
)
from trustscope.engine.survey import guidance_of, hand_picked, probabilities, respond, weight_bound
from trustscope.engine.survey.moderate import contrasts
from trustscope.engine.utility import corrected, noise_for_disclosure, randomisation_disclosure, randomise

SIGNS = np.where(CLASSES == 0, 1.0, -1.0)[:, None]
DIFFERENCE = (SIGNS * TUPLES).T @ TUPLES.astype(float)


def test_disclosure_is_what_enumeration_gives():
    """Within 4 standard errors, of three random guidances: a false alarm in 2e-4."""
    rng = np.random.default_rng(2)
    tuples = np.repeat(
        [[1, 0, 1, 0, 1, 0], [0, 1, 1, 0, 0, 1], [0, 1, 0, 1, 1, 0], [1, 0, 0, 1, 0, 1]], [1, 4, 2, 3], 0
    )
    law, told = np.array([0.1, 0.4, 0.2, 0.3]), []
    for level in (1, 2, 4):
        basis = np.linalg.qr(rng.standard_normal((6, level)))[0]
        information, entropy = enumerated_information(law, probabilities(tuples[[0, 1, 5, 7]], basis))
        found = degree_of_disclosure(tuples, probabilities(tuples, basis), draws=4_000)
        assert found.entropy == pytest.approx(entropy)
        assert abs(found.information - information) < 4 * found.standard_error * entropy
        # A chance without the square is another scheme, and is told apart.
        wrong = enumerated_information(law, np.sqrt(probabilities(tuples[[0, 1, 5, 7]], basis)))[0]
        told.append(abs(found.information - wrong) > 4 * found.standard_error * entropy)
    assert any(told)


@pytest.mark.parametrize(("level", "expected"), [(1, 0.194), (2, 0.266), (3, 0.387), (5, 0.600), (9, 0.848)])
def test_disclosure_of_the_votes(level, expected):
    """Within 3 standard errors of the figure worked out beforehand, both having about 0.0055 at most: 1 in 400."""
    basis = guidance_of(DIFFERENCE, 0.0).basis[:, :level]
    found = degree_of_disclosure(TUPLES, lambda tuples: probabilities(tuples, basis), draws=4_000)
    # Drawing the missing answers moves the figure by about 0.004.
    assert abs(found.share - expected) < 3 * np.sqrt(2 * found.standard_error**2 + 0.004**2)


def test_all_or_nothing():
    everything = degree_of_disclosure(TUPLES, TUPLES)
    assert everything.share == pytest.approx(1, abs=5 * everything.standard_error)
    assert everything.guess == 1
    nothing = degree_of_disclosure(TUPLES, np.full(TUPLES.shape, 0.3))
    assert nothing.information == pytest.approx(0, abs=1e-9)
    alone = degree_of_disclosure(TUPLES[:1], TUPLES[:1])
    assert (alone.share, alone.entropy) == (0, 0)
    with pytest.raises(ValueError, match="two draws"):
        degree_of_disclosure(TUPLES, TUPLES, draws=1)


def test_one_question_read_outright_and_hidden():
    answers = ENCODING.to_codes(TUPLES)[:, 3]
    shares = {}
    for checked in (False, True):
        basis = hand_picked(ENCODING, 3, level=3, checked=checked)
        shares[checked] = question_disclosure(TUPLES, probabilities(TUPLES, basis), answers)
    assert shares[False].share == pytest.approx(1, abs=5 * shares[False].standard_error)
    assert shares[False].guess == 1
    assert shares[True].share < 0.8


def _one_sided(level, share):
    """A plainer attack: one bit weighs as much as may be, a share of the rest adds a constant to every tuple."""
    weight = weight_bound(level, 16) * (1 - 1e-6)
    others = ENCODING.question_of != 3
    column = np.zeros(32)
    column[6] = weight
    column[others] = np.sqrt((1 - weight**2) * share / others.sum())
    empty = contrasts(ENCODING, 3)
    column += np.sqrt((1 - weight**2) * (1 - share)) * empty[:, 0]
    return np.column_stack([column, empty[:, 1:level]])


@pytest.mark.parametrize(("level", "known"), [(1, 0.19), (2, 0.46), (3, 0.73), (5, 0.93)])
def test_hidden_guidance_learns_what_is_known_to_be_possible(level, known):
    """At least what is said of the bound, and what plainer attacks find that pass as well."""
    answers = ENCODING.to_codes(TUPLES)[:, 3]

    def learnt(basis):
        respond(TUPLES[:1], basis, level, 1)
        return question_disclosure(TUPLES, probabilities(TUPLES, basis), answers, draws=1_500)

    found = learnt(hand_picked(ENCODING, 3, level=level, checked=True))
    assert found.share > known - 3 * found.standard_error
    for share in (0.25, 0.5, 0.75, 0.95):
        plain = _one_sided(level, share)
        if np.linalg.norm(plain, axis=1).max() > weight_bound(level, 16):
            continue
        plain = learnt(plain)
        assert found.share > plain.share - 3 * np.hypot(found.standard_error, plain.standard_error)
    # One column asked for outright reads it whole: so much is kept by the check where few columns are followed.
    if level == 1:
        assert found.share < 0.25


def test_the_bound_on_disclosure_and_the_case_where_it_fails():
    # Two questions that are always answered alike, and guidance that asks for one.
    tuples = np.array([[1, 0, 1, 0], [0, 1, 0, 1]] * 10)
    basis = np.eye(4)[:, :1]
    assert degree_of_disclosure(tuples, probabilities(tuples, basis)).share == pytest.approx(1)
    assert disclosure_bound(tuples, 1) == pytest.approx(0.5)
    singular = np.linalg.svd(TUPLES.astype(float), compute_uv=False)
    assert disclosure_bound(TUPLES, 3) == pytest.approx((singular[:3] ** 2).sum() / (435 * 16))
    assert disclosure_bound(TUPLES, 32) == pytest.approx(1)


def test_expected_difference_is_the_mean_of_many():
    """Every entry within 6 standard errors over 200 surveys: a false alarm in 2e-6."""
    basis = guidance_of(DIFFERENCE, 0.05).basis
    expected = expected_difference(probabilities(TUPLES, basis), CLASSES)
    drawn = []
    for key in range(200):
        sent = respond(TUPLES, basis, 9, key, extra_check=False).astype(float)
        drawn.append((SIGNS * sent).T @ sent)
    error = np.std(drawn, axis=0) / np.sqrt(200)
    assert np.all(np.abs(np.mean(drawn, axis=0) - expected) < 6 * np.maximum(error, 0.05))


def test_the_degree_of_error_and_where_its_bound_fails():
    """Figures worked out beforehand: 0.381 against a bound of 0.269 in signed order at mu = 2.5 %."""
    found = {}
    for order in ("magnitude", "signed"):
        for mu in (0.005, 0.025, 0.15):
            basis = guidance_of(DIFFERENCE, mu, order=order).basis
            sent = expected_difference(probabilities(TUPLES, basis), CLASSES)
            found[order, mu] = degree_of_error(DIFFERENCE, sent, 435), error_bound(DIFFERENCE, 435, mu)
    assert found["signed", 0.025][0] == pytest.approx(0.381, abs=0.01)
    assert found["signed", 0.025][1] == pytest.approx(0.269, abs=0.005)
    assert found["magnitude", 0.025][0] < found["magnitude", 0.025][1]
    assert found["magnitude", 0.005][0] > found["magnitude", 0.005][1]
    assert found["magnitude", 0.15][1] > 1
    with pytest.raises(ValueError, match="one shape"):
        degree_of_error(DIFFERENCE, DIFFERENCE[:3], 435)


# --- randomisation


def test_randomisation_discloses_what_a_binary_channel_does():
    """One yes-or-no question: closed form by quadrature. Within 4 standard errors: a false alarm in 1e-4 for each."""
    codes = np.tile([[0], [1]], (500, 1))
    for law, scale in (("gaussian", 1.0), ("gaussian", 3.0), ("uniform", 0.7)):
        found = randomisation_disclosure(codes, codes, scale, law=law, draws=3_000)
        assert abs(found.share - _channel(law, scale * 0.5)) < 4 * found.standard_error


def _channel(law, deviation):
    y = np.linspace(-40, 41, 400_001) * max(deviation, 0.3)
    if law == "gaussian":
        one = np.exp(-0.5 * (y / deviation) ** 2) / deviation / np.sqrt(2 * np.pi)
        two = np.exp(-0.5 * ((y - 1) / deviation) ** 2) / deviation / np.sqrt(2 * np.pi)
    else:
        half = np.sqrt(3) * deviation
        one, two = (np.abs(y) <= half) / (2 * half), (np.abs(y - 1) <= half) / (2 * half)
    mixed = (one + two) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = [np.where(p > 1e-300, 0.5 * p * np.log2(p / mixed), 0) for p in (one, two)]
    return sum(terms).sum() * (y[1] - y[0])


@pytest.mark.parametrize("law", ["gaussian", "uniform"])
def test_noise_is_found_for_a_share(law):
    codes = ENCODING.to_codes(TUPLES)
    scale, found = noise_for_disclosure(codes, codes, 0.4, law=law, draws=400, tolerance=0.01)
    assert found.share == pytest.approx(0.4, abs=0.01)
    assert randomisation_disclosure(codes, codes, scale, law=law, draws=400).share == found.share
    assert randomisation_disclosure(codes, codes, 2 * scale, law=law, draws=400).share < 0.38


@pytest.mark.parametrize("law", ["gaussian", "uniform"])
def test_correction_by_class_restores_the_shares(law):
    rng = np.random.default_rng(0)
    classes = rng.integers(2, size=20_000)
    values = np.where(classes == 0, rng.normal(0, 1, 20_000), rng.normal(3, 0.5, 20_000))[:, None]
    released, variances = randomise(values, 1.0, law=law, key=2)
    assert variances[0] == pytest.approx(values.var())
    assert (released - values).var() == pytest.approx(variances[0], rel=0.05)
    edges = [np.array([-1.0, 0.0, 1.0, 2.0, 3.0])]
    codes = corrected(released, classes, variances, edges, law=law)[:, 0]
    true, naive = np.searchsorted(edges[0], values[:, 0]), np.searchsorted(edges[0], released[:, 0])
    for c in (0, 1):
        shares = [np.bincount(one[classes == c], minlength=6) / (classes == c).sum() for one in (true, codes, naive)]
        assert np.abs(shares[1] - shares[0]).max() < 0.04 < 0.1 < np.abs(shares[2] - shares[0]).max()
    # In every class the order is kept.
    order = np.argsort(released[classes == 0, 0])
    assert (np.diff(codes[classes == 0][order]) >= 0).all()
    assert (corrected(values, classes, [0.0], edges)[:, 0] == true).all()


def test_bad_randomisation_gets_a_sentence():
    codes = ENCODING.to_codes(TUPLES)
    with pytest.raises(ValueError, match="gaussian, uniform"):
        randomise(codes, 1.0, law="cauchy")
    with pytest.raises(ValueError, match="not negative"):
        randomise(codes, -1.0)
    with pytest.raises(ValueError, match="between 0 and 1"):
        noise_for_disclosure(codes, codes, 1.0)
    with pytest.raises(ValueError, match="answers of shape"):
        randomisation_disclosure(codes, codes[:5], 1.0)
    with pytest.raises(ValueError, match="No scale of noise"):
        noise_for_disclosure(codes * 0, codes * 0, 0.5, draws=50)
    with pytest.raises(ValueError, match="not negative"):
        randomisation_disclosure(codes, codes, -1.0)
    for wrong in (codes - 1, codes.astype(float)):
        with pytest.raises(ValueError, match="whole numbers from 0"):
            randomisation_disclosure(codes, wrong, 1.0)
    with pytest.raises(ValueError, match="finite"):
        randomise(codes * np.nan, 1.0)
    with pytest.raises(ValueError, match="a class for each row"):
        corrected(codes, CLASSES[:4], [1.0] * 16, [[0.5]] * 16)
    with pytest.raises(ValueError, match="16 attributes"):
        corrected(codes, CLASSES, [1.0] * 16, [[0.5]] * 3)


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda: degree_of_disclosure(TUPLES[:0], TUPLES[:0]), "table of tuples"),
        (lambda: degree_of_disclosure(TUPLES, TUPLES + 1.0), "between 0 and 1"),
        (lambda: degree_of_disclosure(TUPLES, TUPLES * np.nan), "between 0 and 1"),
        (lambda: degree_of_disclosure(TUPLES, TUPLES[:5]), "435 tuples but chances of shape"),
        (lambda: degree_of_disclosure(TUPLES, TUPLES[:, :5]), "32 bits"),
        (lambda: question_disclosure(TUPLES, TUPLES, CLASSES[:5]), "435 tuples but answers"),
        (lambda: disclosure_bound(TUPLES, -1), "not negative"),
        (lambda: expected_difference(TUPLES, CLASSES + 1), "0 or 1"),
        (lambda: expected_difference(TUPLES, CLASSES[:3]), "435 tuples but classes"),
        (lambda: degree_of_error(DIFFERENCE, DIFFERENCE, 0), "at least one tuple"),
    ],
)
def test_bad_measurements_get_a_sentence(act, sentence):
    with pytest.raises(ValueError, match=sentence):
        act()


@pytest.mark.parametrize("kind", [np.uint8, np.int64, float])
def test_distinct_tuples_are_those_of_numpy(kind):
    """Many rows of few bits, so that they repeat; rows of zeros; every second row; no rows of their own memory."""
    rng = np.random.default_rng(1)
    for shape in ((500, 5), (300, 70), (1, 3), (40, 1)):
        tuples = (rng.random(shape) < 0.4).astype(kind)
        for table in (tuples, tuples[::2], np.asfortranarray(tuples), np.zeros_like(tuples)):
            expected = np.unique(table, axis=0, return_index=True, return_counts=True)
            for found, right in zip(distinct_tuples(table), expected, strict=True):
                np.testing.assert_array_equal(found, right)
