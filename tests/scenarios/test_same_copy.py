"""The most trusted recipient holds the same copy under every scheme, so that only what the scheme changes changes."""

import numpy as np
import pytest
from scipy import stats

from trustscope.datasets.patients import patients
from trustscope.engine.attacks import posterior
from trustscope.engine.noise import noise_covariance
from trustscope.engine.uniform import joint_law
from trustscope.scenarios.categories.column import Column, column_of
from trustscope.scenarios.categories.model import Model as CategoriesModel
from trustscope.scenarios.categories.scenario import SCHEMES as DRAWN
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.coalition import recipients
from trustscope.scenarios.trust.model import Model
from trustscope.scenarios.trust.scenario import SCHEMES, TrustScenario, levels

pytestmark = pytest.mark.usefixtures("half_nested")
RATE = 1e-6  # of false alarms, for each test of a law; the keys are fixed


@pytest.fixture(scope="module")
def numbers():
    rng = np.random.default_rng(5)
    age = rng.integers(18, 90, 20_000).astype(float)
    return Model(np.column_stack([age, rng.gamma(2, 8, 20_000) + 0.1 * age]), ["age", "income"], 12)


@pytest.fixture(scope="module")
def diseases():
    data = patients()
    return CategoriesModel(data, column_of(data, "Disease", 10), 12, "people")


def trust(model, scheme, trusts, similarity=1.0):
    changes = {"settings.recipients": recipients(*trusts), "settings.scheme": scheme, "settings.similarity": similarity}
    return model.fit_to_data(TrustScenario().replace({"settings.attackers": ("perfect",), "view.person": 77} | changes))


@pytest.mark.parametrize("similarity", [1.0, 0.2])
@pytest.mark.parametrize("trusts", [(50, 45, 40), (20, 63, 63), (30, 100, 80)])
def test_the_best_copy_of_numbers_is_the_same_under_every_scheme(numbers, trusts, similarity):
    """In all rows, in the preview, and for the one person, whose best recipient then believes the same alone."""
    seen, alone, held = [], [], []
    for scheme in SCHEMES:
        scenario = trust(numbers, scheme, trusts, similarity)
        first = scenario.settings.first
        assert first.trust == max(trusts)
        held.append(numbers.noise(similarity).copy(first, scheme, 0, 3_000, among=(first,)))
        person = numbers.person(scenario)
        seen.append(person.seen[first.number])
        alone.append((person.alone.guess, person.alone.sd))
        row = numbers.population.place(76)
        copy = numbers.noise(similarity).copy(first, scheme, row, row + 1, among=(first,))
        assert person.seen[first.number] == pytest.approx(copy[0, 0], rel=1e-12)
    np.testing.assert_array_equal(held, [held[0]] * len(SCHEMES))
    assert seen == pytest.approx([seen[0]] * len(SCHEMES), rel=1e-12)
    np.testing.assert_allclose(alone, [alone[0]] * len(SCHEMES), rtol=1e-9)


def test_dragging_the_best_recipient_leaves_the_others_where_they_are(numbers):
    """Under independent noise exactly; under proportional noise, which is one noise, they move with it."""
    paths = {}
    for scheme in SCHEMES:
        seen = [numbers.person(trust(numbers, scheme, (at, 45, 40))).seen for at in (50, 55, 60, 70)]
        paths[scheme] = np.array([[one[1], one[2]] for one in seen])
    assert np.all(paths["independent"] == paths["independent"][0])
    assert np.all(paths["nested"] == paths["nested"][0])
    assert np.all(np.diff(paths["proportional"][:, 0]) != 0)


def test_the_copies_of_a_page_have_the_law_of_their_scheme(numbers):
    """Whitened by the law that is claimed, every second moment is a standard normal score: RATE over all of them."""
    who = recipients(60, 40, 30)
    k = numbers.population.covariance

    def fits(scheme, claimed):
        noise = numbers.noise()
        z = np.stack([noise.copy(r, scheme, 0, 20_000, among=who) - numbers.population.values for r in who])
        lower = np.linalg.cholesky(np.kron(noise_covariance(levels(who), claimed), k))
        white = np.linalg.solve(lower, np.concatenate(list(z.transpose(0, 2, 1)))).T
        rows, wide = white.shape
        upper = np.triu_indices(wide)
        scores = (np.sqrt(rows) * (white.T @ white / rows - np.eye(wide)) / np.sqrt(1 + np.eye(wide)))[upper]
        return bool(np.abs(scores).max() < stats.norm.isf(RATE / 2 / len(scores)))

    assert fits("independent", "independent")
    assert fits("nested", "nested")
    assert fits("half_nested", "half_nested")
    assert not fits("half_nested", "nested")
    assert not fits("independent", "nested")
    assert not fits("nested", "independent")
    assert not fits("proportional", "independent")


def test_the_best_copy_of_categories_is_the_same_under_both_schemes(diseases):
    for trusts in ((40, 20, 20), (10, 35, 35)):
        settings = CategoriesScenario().replace({"settings.recipients": recipients(*trusts)}).settings
        first = settings.first
        held = [diseases.copy(first, scheme, 0, 5_000, first=first) for scheme in DRAWN]
        np.testing.assert_array_equal(*held)
        other = next(r for r in settings.recipients if r != first)
        apart = [diseases.copy(other, scheme, 0, 5_000, first=first) for scheme in DRAWN]
        assert np.mean(apart[0] == apart[1]) < 0.9
        moved = first.replace({"trust": 55})
        np.testing.assert_array_equal(diseases.copy(other, "independent", 0, 5_000, first=moved), apart[1])


def test_copies_of_categories_around_the_best_one_stay_independent():
    """Chi-square of (X, Y1, Y2, Y3) against the joint law at RATE; the law of nested copies is refused."""
    size, codes = 3, np.random.default_rng(3).integers(3, size=200_000)
    model = CategoriesModel(patients(), Column("answer", ("a", "b", "c"), codes), 5)
    who = recipients(30, 50, 20)
    first = who[1]

    def p_value(scheme, claimed):
        copies = [model.copy(r, scheme, first=first).astype(int) for r in who]
        law = joint_law(
            [r.trust / 100 for r in who], size, scheme=claimed, prior=posterior.empirical_prior(codes, size)
        )
        cells = np.ravel_multi_index((model.codes, *copies), (size,) * 4)
        expected = law.ravel() * len(codes)
        observed = np.bincount(cells, minlength=len(expected))
        return stats.chi2.sf(((observed - expected) ** 2 / expected).sum(), len(expected) - size)

    assert p_value("independent", "independent") > RATE
    assert p_value("nested", "nested") > RATE
    assert p_value("independent", "nested") < RATE
    assert p_value("nested", "independent") < RATE
