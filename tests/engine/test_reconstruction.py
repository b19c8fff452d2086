"""The five attackers against closed forms, slow versions, and each other."""

import numpy as np
import pytest
from engine_references import binary_bayes_error
from scipy import stats

from trustscope.engine import shapes
from trustscope.engine.attacks import reconstruction as attacks
from trustscope.engine.attacks.reconstruction import ATTACKERS
from trustscope.engine.attacks.reconstruction.univariate import univariate

RATE = 1e-6
SPECTRA = {
    "one": [3.0],
    "two": [9.0, 0.5],
    "strong": [60.0, 40.0, 1.0, 0.5, 0.5],
    "flat": [5.0] * 6,
    "singular": [20.0, 10.0, 0.0, 0.0],
}
CLOSED = [name for name, one in ATTACKERS.items() if one.expected_error is not None]


def basis(rng, size):
    return np.linalg.qr(rng.standard_normal((size, size)))[0]


def drawn(eigenvalues, rows, key, noise=None):
    """Data with a mean, their covariance, and noise: white of a variance, or of random shape."""
    rng = np.random.default_rng(key)
    size = len(eigenvalues)
    turn = basis(rng, size)
    covariance = (turn * eigenvalues) @ turn.T
    mean = rng.uniform(-20, 20, size)
    x = rng.standard_normal((rows, size)) * np.sqrt(eigenvalues) @ turn.T + mean
    if noise is None:
        other = basis(rng, size)
        sigma = (other * rng.uniform(0.2, 8, size)) @ other.T
    else:
        sigma = noise * np.eye(size)
    y = x + rng.standard_normal((rows, size)) @ np.linalg.cholesky(sigma).T
    return x, y, covariance, mean, sigma


def score(x, estimate, expected):
    """How many standard errors the mean square error is off; rows are independent."""
    square = ((x - estimate) ** 2).mean(axis=1)
    return (square.mean() - expected) / (square.std() / np.sqrt(len(x)))


def mse(x, estimate):
    return float(np.mean((x - estimate) ** 2))


# Closed forms

GRID = [(name, noise) for name in SPECTRA for noise in (0.25, 4.0, 50.0, None)]
LIMIT = stats.norm.isf(RATE / 2 / len(GRID) / len(CLOSED))


@pytest.mark.parametrize(("spectrum", "noise"), GRID)
def test_errors_with_perfect_knowledge_are_those_of_theory(spectrum, noise):
    x, y, covariance, mean, sigma = drawn(SPECTRA[spectrum], 20_000, key=len(spectrum), noise=noise)
    for name in CLOSED:
        one = ATTACKERS[name]
        estimate = one.function(y, sigma, covariance=covariance, mean=mean)
        assert abs(score(x, estimate, one.expected_error(covariance, sigma))) < LIMIT, name
        each = one.expected_error(covariance, sigma, per_attribute=True)
        assert each.mean() == pytest.approx(one.expected_error(covariance, sigma))


@pytest.mark.parametrize("name", CLOSED[1:])
def test_the_comparison_notices_a_wrong_noise_covariance(name):
    x, y, covariance, mean, sigma = drawn(SPECTRA["strong"], 20_000, key=6, noise=4.0)
    keep = {"keep": 4} if name == "principal_components" else {}
    estimate = ATTACKERS[name].function(y, 4 * sigma, covariance=covariance, mean=mean, **keep)
    assert abs(score(x, estimate, ATTACKERS[name].expected_error(covariance, sigma))) > 2 * LIMIT


def test_white_noise_gives_the_formulas_of_the_records():
    values, s2, size = np.array([60.0, 40.0, 1.0, 0.5, 0.5]), 4.0, 5
    _, _, covariance, _, _ = drawn(values, 2, key=1, noise=s2)
    a = np.diag(covariance)
    assert attacks.noise_distribution_error(covariance, s2) == pytest.approx(s2)
    assert attacks.univariate_error(covariance, s2) == pytest.approx(np.mean(a * s2 / (a + s2)))
    assert attacks.principal_components_error(covariance, s2, keep=2) == pytest.approx((2 * s2 + 2) / size)
    assert attacks.principal_components_error(covariance, s2, keep=5) == pytest.approx(s2)
    assert attacks.bayes_error(covariance, s2) == pytest.approx(np.mean(values * s2 / (values + s2)))
    assert attacks.guess_error(covariance) == pytest.approx(values.mean())


def test_noise_of_the_datas_shape_leaves_the_linear_attack_of_the_other_paper():
    _, _, covariance, _, _ = drawn(SPECTRA["strong"], 2, key=2, noise=1.0)
    assert attacks.bayes_error(covariance, 0.5 * covariance) == pytest.approx(np.trace(covariance) / 5 / 3)


@pytest.mark.parametrize("clip", [True, False])
def test_bayes_equals_the_printed_equation(clip):
    x, y, covariance, mean, sigma = drawn(SPECTRA["strong"], 300, key=3)
    inverse_x, inverse_r, offset = np.linalg.inv(covariance), np.linalg.inv(sigma), np.arange(5.0)
    printed = np.linalg.solve(
        inverse_x + inverse_r, (inverse_x @ mean - inverse_r @ offset)[:, None] + inverse_r @ (y + offset).T
    ).T
    estimate = attacks.bayes(y + offset, sigma, offset, covariance=covariance, mean=mean, clip=clip)
    np.testing.assert_allclose(estimate, printed, rtol=1e-9, atol=1e-9)
    assert mse(x, estimate) < mse(x, y)


def test_bayes_is_indifferent_to_units():
    _, y, _, _, sigma = drawn(SPECTRA["strong"], 500, key=4)
    units = np.array([1e-6, 1.0, 1e3, 1e6, 1.0])
    scaled = attacks.bayes(y * units, sigma * np.outer(units, units))
    np.testing.assert_allclose(scaled / units, attacks.bayes(y, sigma), rtol=1e-6)


@pytest.mark.parametrize("rows", [40, 400])
def test_what_estimating_the_covariance_adds_to_the_bayes_estimate(rows):
    # Many small data sets: their errors are independent. The excess is 4 times the error itself at 40 rows.
    eigenvalues, s2, trials = np.repeat([50.0, 1.0], [2, 18]), 5.0, 200
    errors, expected, perfect = [], None, None
    for trial in range(trials):
        x, y, covariance, _, _ = drawn(eigenvalues, rows, key=[rows, trial], noise=s2)
        errors.append(mse(x, attacks.bayes(y, s2, clip=False)))
        expected = attacks.bayes_error(covariance, s2, rows=rows)
        perfect = attacks.bayes_error(covariance, s2)
        assert expected - perfect == pytest.approx(attacks.bayes_excess(covariance, s2, rows))
    spread = np.std(errors) / np.sqrt(trials)
    # Two comparisons at a false-alarm rate of 1e-6 in all: 5 standard errors.
    assert abs(np.mean(errors) - expected) < 5 * spread
    assert abs(np.mean(errors) - perfect) > 20 * spread


def test_the_excess_is_about_noise_times_attributes_over_rows():
    covariance = np.diag(np.repeat([2000.0, 1.0], [5, 95]))
    assert attacks.bayes_excess(covariance, 25.0, 2000) == pytest.approx(25 * 100 / 2000, rel=0.05)
    assert attacks.bayes_excess(covariance, 25.0, 102) == np.inf
    errors = [attacks.bayes_error(covariance, 25.0, rows=n) for n in (2000, 200_000)]
    pca = attacks.principal_components_error(covariance, 25.0)
    assert errors[0] > pca > errors[1]


# Univariate


@pytest.mark.parametrize("s", [0.1, 1.0, 4.0])
@pytest.mark.parametrize(("route", "slack"), [("density", 0.01), ("tweedie", 0.05)])
def test_univariate_from_the_copy_alone_is_nearly_as_good_as_with_the_density(route, slack, s):
    rng = np.random.default_rng(5)
    x = rng.normal(size=(10_000, 10)) * np.linspace(1, 30, 10) + 7
    s2 = s * np.linspace(1, 30, 10) ** 2
    y = x + rng.normal(size=x.shape) * np.sqrt(s2) + 3
    known = univariate(y, s2, 3.0, covariance=np.linspace(1, 30, 10) ** 2, mean=7.0)
    error = ((x - univariate(y, s2, 3.0, route=route)) ** 2 / s2).mean()
    assert error < ((x - known) ** 2 / s2).mean() * (1 + slack)


@pytest.mark.parametrize("route", ["density", "tweedie"])
def test_univariate_finds_what_no_linear_attacker_can(route):
    rng = np.random.default_rng(6)
    x = rng.choice([-1.0, 1.0], size=100_000)
    estimate = univariate(x + rng.normal(size=x.size), 1.0, route=route)
    square = (x - estimate) ** 2
    # The best possible error; 5 standard errors of sampling and 1 % for estimating the density.
    best, spread = binary_bayes_error([[1.0]]), square.std() / np.sqrt(x.size)
    assert -5 * spread < square.mean() - best < 5 * spread + 0.01 * best
    assert square.mean() < 0.5 - 5 * spread
    assert estimate.shape == x.shape


def test_univariate_against_uniform_noise():
    rng = np.random.default_rng(7)
    x = rng.choice([-3.0, 3.0], size=5000)
    y = x + rng.uniform(-2, 2, size=x.size)
    assert mse(x, univariate(y, 4 / 3, law="uniform")) < 0.05
    with pytest.raises(ValueError, match="Gaussian noise only"):
        univariate(y, 4 / 3, law="uniform", route="tweedie")


def test_a_columns_estimate_does_not_depend_on_the_others():
    _, y, _, _, _ = drawn(SPECTRA["strong"], 700, key=8, noise=4.0)
    together = univariate(y, 4.0)
    for j in range(5):
        np.testing.assert_allclose(univariate(y[:, j], 4.0), together[:, j], rtol=1e-6, atol=1e-6)


# Components


def test_how_many_components_are_kept():
    kept = attacks.components_kept
    assert kept(np.array([50.0, 40.0, 2.0, 1.0])) == 2
    assert kept(np.array([50.0, 45.0, 41.0, 38.0])) == 4  # no gap to speak of: all
    assert kept(np.array([50.0, 45.0, 41.0, -1.0])) == 3
    assert kept(np.array([-1.0, -2.0])) == 0
    assert kept(np.array([7.0])) == 1
    values = np.array([6.0, 3.0, 1.0, 0.0])
    assert [kept(values, share) for share in (0.5, 0.6, 0.61, 0.9, 1.0)] == [1, 1, 2, 2, 3]
    assert kept(values, 0) == 0
    assert kept(values, np.int64(3)) == 3
    for wrong in ("band", 5, -1, 1.5, 0.0, True, None):
        with pytest.raises(ValueError, match="Components to keep"):
            kept(values, wrong)


def test_without_small_eigenvalues_all_components_are_kept():
    x, y, _, _, _ = drawn([100.0] * 20, 2000, key=9, noise=25.0)
    np.testing.assert_allclose(attacks.principal_components(y, 25.0), y, rtol=1e-9)
    assert mse(x, attacks.principal_components(y, 25.0, keep=10)) > 45


def test_correlated_noise_does_not_draw_the_components_to_itself():
    # The noise is strongest where the data have nothing: the released data's first component is noise.
    x, y, _, _, _ = drawn([50.0, 1e-4, 1e-4], 5000, key=10, noise=1e-4)
    values, vectors = np.linalg.eigh(np.cov(x.T))
    noise = 100 * np.outer(vectors[:, 0], vectors[:, 0]) + 1e-4 * np.eye(3)
    y = y + 10 * np.random.default_rng(1).normal(size=(5000, 1)) * vectors[:, 0]
    assert values[-1] > 40
    assert mse(x, attacks.principal_components(y, noise, keep=1)) < 0.2
    assert mse(x, attacks.spectral_filter(y, noise, keep=1)) > 10


def test_pure_noise_stays_within_the_band():
    rng = np.random.default_rng(11)
    y = rng.normal(size=(2000, 50)) * 3
    found = attacks.spectrum(y, 9.0)
    low, high = found.band
    # The extreme eigenvalues scatter about the edges by m^(-2/3) or so.
    assert low * 0.95 < found.released[-1]
    assert found.released[0] < high * 1.05
    assert found.kept_by_filter <= 2
    assert attacks.noise_band(np.eye(50), 20)[0] == 0


def test_the_spectrum_says_what_the_attackers_keep():
    _, y, covariance, _, _ = drawn([400.0] * 3 + [1.0] * 7, 3000, key=12, noise=25.0)
    found = attacks.spectrum(y, 25.0)
    assert found.kept_by_components == 3
    assert np.linalg.matrix_rank(attacks.spectral_filter(y, 25.0) - y.mean(axis=0)) == found.kept_by_filter
    np.testing.assert_allclose(found.noise, 25.0)
    known = attacks.spectrum(y, 25.0, covariance=covariance)
    np.testing.assert_allclose(known.data, [400.0] * 3 + [1.0] * 7, rtol=1e-9)
    np.testing.assert_allclose(known.released, known.data + 25)


def test_the_spectral_filter_gets_worse_with_more_rows():
    errors = []
    for rows in (1000, 30_000):
        x, y, _, _, _ = drawn([300.0] * 3 + [4.0] * 27, rows, key=13, noise=25.0)
        errors.append(mse(x, attacks.spectral_filter(y, 25.0)))
    assert errors[1] > 1.5 * errors[0]


# Records


def test_every_attacker_is_described():
    assert list(ATTACKERS) == ["noise_distribution", "univariate", "principal_components", "spectral_filter", "bayes"]
    for name, one in ATTACKERS.items():
        assert one.function is getattr(attacks, name)
        assert one.assumes.endswith(".")
        assert one.needs
        assert r"\hat x" in one.formula
        assert (one.expected_error is None) == (one.expected_formula is None)
    assert ATTACKERS["spectral_filter"].expected_error is None


@pytest.mark.parametrize("similarity", [1.0, 0.0, -1.0])
def test_what_is_within_every_component(similarity):
    """Data and noise make up every eigenvalue of the copy, and the components kept have their place among them."""
    rng = np.random.default_rng(4)
    values = np.array([40.0, 30.0, 2.0, 1.0, 0.5])
    basis = np.linalg.qr(rng.standard_normal((5, 5)))[0]
    covariance = (basis * values) @ basis.T
    noise = shapes.noise_shape(covariance, similarity, total=150.0)
    released = rng.multivariate_normal(np.zeros(5), covariance + noise, 4_000)
    for known in (covariance, None):
        seen = attacks.spectrum(released, noise, covariance=known)
        np.testing.assert_allclose(seen.data_within + seen.noise_within, seen.released)
        assert seen.gap
        assert seen.kept_by_components == 2
        assert seen.components_within.sum() == pytest.approx(2)
    places = np.argsort(-seen.components_within)[:2]
    # The opposite shape puts most of the noise where the data are not: the strong components come after it.
    assert set(places) == ({0, 1} if similarity >= 0 else {2, 3})
    flat = attacks.spectrum(rng.standard_normal((500, 3)), 0.1)
    assert not flat.gap
    assert flat.kept_by_components == 3
