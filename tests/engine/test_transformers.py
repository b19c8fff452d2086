"""Noise in a scikit-learn pipeline: the contract of estimators, and that the noise is what trust says."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import trustscope as ts
from trustscope.engine.transformers import GaussianNoise, RotationNoise, UniformNoise
from trustscope.errors import TrustscopeError

ROWS = 20_000


@parametrize_with_checks([
    GaussianNoise(trust=50, random_state=0), UniformNoise(trust=50, random_state=0), RotationNoise(random_state=0)
])  # fmt: skip
def test_the_contract_of_estimators(estimator, check):
    check(estimator)


def test_gaussian_noise_has_the_shape_of_the_data_and_the_level_of_the_trust():
    """Within 5 standard errors of each entry; one false alarm in about 10^6."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(ROWS, 2)) @ np.array([[2.0, 0.5], [0.0, 1.0]])
    for trust, level in ((50, 1.0), (20, 4.0)):
        noise = GaussianNoise(trust=trust, random_state=3).fit_transform(x) - x
        expected = level * np.cov(x, rowvar=False)
        tolerance = 5 * np.sqrt((np.outer(*[np.diag(expected)] * 2) + expected**2) / ROWS)
        assert (np.abs(np.cov(noise, rowvar=False) - expected) < tolerance).all()
    np.testing.assert_array_equal(GaussianNoise(trust=100).fit_transform(x), x)


def test_uniform_noise_keeps_values_with_the_probability_of_the_trust():
    """Kept or drawn again by chance: 0.4 + 0.6 / 3. Five standard errors."""
    frame = pd.DataFrame({"kind": np.random.default_rng(2).choice(["a", "b", "c"], ROWS)})
    made = UniformNoise(trust=40, random_state=3).set_output(transform="pandas").fit_transform(frame)
    assert made.columns.tolist() == ["kind"]
    kept = (made["kind"] == frame["kind"]).mean()
    assert kept == pytest.approx(0.6, abs=5 * np.sqrt(0.24 / ROWS))
    # Equal values do not become equal ones: that would be a mere renaming.
    assert made.loc[frame["kind"] == "a", "kind"].nunique() == 3


def test_a_rotation_keeps_distances_and_hides_values():
    x = load_iris().data
    made = RotationNoise(random_state=1).fit_transform(x)
    np.testing.assert_allclose(np.linalg.norm(made[1:] - made[0], axis=1), np.linalg.norm(x[1:] - x[0], axis=1))
    assert np.abs(made - (x - x.mean(axis=0))).max() > 1
    named = RotationNoise(random_state=1).set_output(transform="pandas").fit_transform(pd.DataFrame(x).add_prefix("c"))
    assert named.columns.tolist() == [f"rotationnoise{place}" for place in range(4)]


@pytest.mark.parametrize("kind", [GaussianNoise, UniformNoise])
def test_the_same_table_gets_the_same_noise_and_no_other_does(kind):
    x = np.random.default_rng(4).integers(0, 5, (200, 2)).astype(float)
    fitted = kind(trust=50, random_state=7).fit(x)
    first = fitted.transform(x)
    np.testing.assert_array_equal(first, fitted.transform(x))
    other = x.copy()
    other[0, 0] += 1
    assert not np.array_equal(first[1:], fitted.transform(other)[1:])
    assert not np.array_equal(first, kind(trust=50, random_state=8).fit(x).transform(x))
    secret = [kind(trust=50).fit(x).transform(x) for _ in range(2)]
    assert not np.array_equal(*secret)


def test_in_a_pipeline():
    x, y = load_iris(return_X_y=True)
    scores = {}
    for trust in (99, 5):
        pipeline = make_pipeline(ts.GaussianNoise(trust=trust, random_state=0), LogisticRegression(max_iter=1000))
        scores[trust] = clone(pipeline).fit(x, y).score(x, y)
    assert scores[99] > 0.9 > scores[5]


@pytest.mark.parametrize("kind", [GaussianNoise, UniformNoise])
def test_trust_is_in_per_cent(kind):
    with pytest.raises(TrustscopeError, match="write 50 where"):
        kind(trust=0.5).fit([[1.0], [2.0]])
