"""Rotation releases keep distances and hide all else; random projections keep them roughly."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest, ks_2samp, kstest

from trustscope.engine.rotation import RotationRelease, haar, random_projection


def table(rows=200, columns=5, key=1):
    return np.random.default_rng(key).gamma(2.0, 3.0, (rows, columns))


@pytest.mark.parametrize("translation", [0.0, 25.0, [1.0, 2.0, 3.0, 4.0, 5.0]])
def test_distances_are_kept_and_the_secret_undoes_it(translation):
    x = table()
    release = RotationRelease(x, translation=translation, key=3)
    y, secret = release.released, release.secret
    np.testing.assert_allclose(secret.matrix @ secret.matrix.T, np.eye(5), atol=1e-12)
    turned = y[secret.permutation]
    before = np.linalg.norm(x[:, None] - x, axis=2)
    np.testing.assert_allclose(np.linalg.norm(turned[:, None] - turned, axis=2), before, atol=1e-10)
    np.testing.assert_allclose(secret.undo(y), x, atol=1e-10)
    np.testing.assert_array_equal(secret.permutation[secret.origin], np.arange(len(x)))
    lengths = np.linalg.norm(turned, axis=1) - np.linalg.norm(x, axis=1)
    assert (np.abs(lengths).max() < 1e-10) == (np.ndim(translation) == 0 and translation == 0)


def test_length_of_the_shift():
    assert np.linalg.norm(RotationRelease(table(), translation=7.0, key=1).secret.shift) == pytest.approx(7.0)


def test_keys_and_permutation():
    x = table()
    one, again, other = (RotationRelease(x, key=key) for key in (1, 1, 2))
    np.testing.assert_array_equal(one.released, again.released)
    assert not np.allclose(one.secret.matrix, other.secret.matrix)
    assert sorted(one.secret.permutation) == list(range(len(x)))
    unshuffled = RotationRelease(x, permute=False, key=1)
    np.testing.assert_allclose(unshuffled.released, x @ one.secret.matrix.T)
    assert "array" not in repr(one.secret)


def test_haar_is_uniform():
    """All sixteen entries, the trace and the determinant. False alarms 1 in 1000 at this key, shared out between tests.

    QR as it comes, without fixing signs, fails.
    """
    rng = np.random.default_rng(5)
    normal = rng.standard_normal((3000, 4, 4))
    entries, plain = np.array([haar(4, rng) for _ in range(3000)]), np.linalg.qr(normal)[0]

    def worst(matrices):
        # In four dimensions (1 + t) / 2 is Beta(3/2, 3/2) for each entry.
        p = [kstest((matrices[:, i, j] + 1) / 2, "beta", args=(1.5, 1.5)).pvalue for i in range(4) for j in range(4)]
        # A fixed turn changes nothing: the trace has the law of that of any product.
        fixed = np.linalg.qr(np.arange(16.0).reshape(4, 4) % 7 + np.eye(4))[0]
        traces = np.trace(matrices[::2], axis1=1, axis2=2), np.trace(fixed @ matrices[1::2], axis1=1, axis2=2)
        half = binomtest(int(np.sum(np.linalg.det(matrices) > 0)), len(matrices)).pvalue
        return min(*p, ks_2samp(*traces).pvalue, half)

    assert worst(entries) > 1e-3 / 18
    assert worst(plain) < 1e-6
    assert haar(0, rng).shape == (0, 0)


def test_one_projection_keeps_distances_roughly_and_the_covariance_it_should():
    x = table(columns=3)
    made = random_projection(x, 2000, key=1)
    assert made.released.shape == (200, 2000)
    before, after = (np.linalg.norm(t[:50, None] - t[:50], axis=2) for t in (x, made.released))
    np.testing.assert_allclose(after, before, rtol=0.15)
    np.testing.assert_allclose(np.cov(made.released.T), made.matrix @ np.cov(x.T) @ made.matrix.T, atol=1e-10)


def test_fresh_projections_leave_only_lengths():
    """Sigma is a multiple of the identity; distances are those of independent vectors. Six standard errors."""
    x = np.tile([[3.0, 4.0]], (4000, 1))
    made = random_projection(x, 5, fresh=True, key=1)
    assert made.matrix is None
    covariance = np.cov(made.released.T)
    np.testing.assert_allclose(covariance, np.eye(5) * 25 / 5, atol=6 * 5 * np.sqrt(2 / 4000))
    # With one R these identical records would be identical.
    assert np.linalg.norm(made.released[0] - made.released[1]) > 0.1
    slow = np.array([np.random.default_rng(i).normal(size=(5, 2)) @ x[0] / np.sqrt(5) for i in range(4000)])
    np.testing.assert_allclose(np.cov(slow.T), covariance, atol=12 * 5 * np.sqrt(2 / 4000))


def test_zero_and_identical_records_and_more_columns_than_rows():
    x = np.zeros((3, 6))
    x[1:] = 2.0
    y = RotationRelease(x, permute=False, key=1).released
    np.testing.assert_array_equal(y[0], 0)
    np.testing.assert_allclose(y[1], y[2])
    assert RotationRelease([[5.0]], key=1).released.shape == (1, 1)


@pytest.mark.parametrize(
    ("data", "options", "words"),
    [
        ([[1.0, np.nan]], {}, "missing or infinite"),
        ([1.0, 2.0], {}, "rows and columns"),
        ([[1.0, 2.0]], {"translation": [1.0]}, "2 of them"),
        ([[1.0, 2.0]], {"translation": np.inf}, "finite"),
        ([[1.0, 2.0]], {"translation": "a"}, "one finite number"),
    ],
)
def test_bad_input_gets_a_sentence(data, options, words):
    with pytest.raises(ValueError, match=words):
        RotationRelease(data, **options, key=1)


def test_other_bad_input():
    with pytest.raises(TypeError, match="numbers"):
        RotationRelease([["a"]], key=1)
    for dimensions in (0, 2.5, "3"):
        with pytest.raises(ValueError, match="at least one dimension"):
            random_projection([[1.0]], dimensions, key=1)
    mixed = pd.DataFrame({"a": pd.array([1, 2], dtype="Int64"), "b": [True, False], "c": [0.5, 1.5]})
    assert RotationRelease(mixed, key=1).released.shape == (2, 3)
