"""Clusters and neighbours of a rotated release are those of the data."""

import numpy as np
import pytest
from engine_letters import letters
from scipy.spatial.distance import cdist
from sklearn.datasets import load_iris

from trustscope.engine.rotation import RotationRelease, random_projection
from trustscope.engine.utility.clusters import compare_clusters, distance_error, k_means, same_neighbours, single_link


def sets():
    rng = np.random.default_rng(1)
    grid = np.array([[i, j] for i in range(12) for j in range(9)], dtype=float)
    return {
        "iris": load_iris().data,
        # Integers: hundreds of equal distances.
        "letters": letters()[:600],
        "grid": grid,
        "blobs": np.vstack([rng.normal(size=(80, 3)) + 9 * one for one in np.eye(3)]),
    }


@pytest.mark.parametrize("name", list(sets()))
@pytest.mark.parametrize("translation", [0.0, 1000.0])
def test_identical_for_a_rotation(name, translation):
    x = sets()[name]
    release = RotationRelease(x, translation=translation, key=2)
    y = release.released[release.secret.permutation]
    for method in ("k-means", "single link"):
        found = compare_clusters(x, y, 3, method=method, rng=np.random.default_rng(1))
        assert found.moved == 0
        assert found.agreement == 1
    np.testing.assert_allclose(single_link(x, 3)[1], single_link(y, 3)[1], atol=1e-9)
    assert same_neighbours(x, y) == 1
    assert distance_error(x, y, rng=np.random.default_rng(1)) < 1e-9


def tied():
    """Sets full of equal distances."""
    rng = np.random.default_rng(0)
    return {
        "binary": rng.integers(0, 2, (400, 6)).astype(float),
        "grid": np.array([[i, j] for i in range(12) for j in range(12)], dtype=float),
        "letters": letters()[:1500],
        "twins": np.repeat(rng.normal(size=(20, 3)), 3, axis=0),
    }


@pytest.mark.parametrize("name", list(tied()))
@pytest.mark.parametrize("clusters", [3, 5])
def test_ties_are_broken_alike_under_every_rotation(name, clusters):
    """Rounding must not decide: rotations by twelve keys, from as many starts."""
    x = tied()[name]
    for key in range(12):
        release = RotationRelease(x, translation=50.0 * (key % 2), key=key)
        y = release.released[release.secret.permutation]
        found = compare_clusters(x, y, clusters, rng=np.random.default_rng(key))
        assert found.moved == 0
        assert len(np.unique(found.original)) == clusters
        assert compare_clusters(y, x, clusters, rng=np.random.default_rng(key)).moved == 0
        if len(x) < 1000:
            assert compare_clusters(x, y, clusters, method="single link").moved == 0


def test_a_rotation_of_ties_would_move_records_if_rounding_decided():
    """The same steps with the nearest centre by plain comparison: the test above can fail."""
    x, moved = tied()["binary"], 0
    for key in range(6):
        release = RotationRelease(x, key=key)
        start = np.random.default_rng(key).choice(len(x), 3, replace=False)
        sides = []
        for side in (x, release.released[release.secret.permutation]):
            centres = side[start]
            for _ in range(100):
                labels = np.argmin(cdist(side, centres), axis=1)
                centres = np.array([side[labels == one].mean(axis=0) for one in range(3)])
            sides.append(labels)
        moved += np.count_nonzero(sides[0] != sides[1])
    assert moved > 0


def test_an_emptied_cluster_takes_the_farthest_record():
    """From these starts plain steps leave one cluster without records."""
    x = np.array([[7, 2], [1, 5], [0, 1], [4, 2], [0, 0], [3, 2], [5, 3], [1, 8], [1, 6]], dtype=float)
    start, centres, emptied = [4, 0, 3, 2], x[[4, 0, 3, 2]], False
    for _ in range(9):
        plain = np.argmin(cdist(x, centres), axis=1)
        if emptied := len(np.unique(plain)) < 4:
            break
        centres = np.array([x[plain == one].mean(axis=0) for one in range(4)])
    assert emptied
    labels = k_means(x, 4, start=start)
    centres = np.array([x[labels == one].mean(axis=0) for one in range(4)])
    # The steps have come to rest, with four clusters.
    np.testing.assert_array_equal(np.argmin(cdist(x, centres), axis=1), labels)
    for key in range(20):
        turned = RotationRelease(x, permute=False, key=key).released
        np.testing.assert_array_equal(k_means(turned, 4, start=start), labels)


def test_not_for_other_releases():
    x = sets()["iris"]
    noisy = x + np.random.default_rng(1).normal(size=x.shape)
    assert compare_clusters(x, noisy, 3, rng=np.random.default_rng(1)).moved > 5
    assert same_neighbours(x, noisy) < 0.5
    assert distance_error(x, noisy, rng=np.random.default_rng(1)) > 0.1
    fresh = random_projection(x, 50, fresh=True, key=1).released
    assert same_neighbours(x, fresh) < 0.2


def test_k_means_against_a_slow_one():
    x = sets()["blobs"][:, :2]
    start = np.array([3, 100, 200])
    centres = x[start]
    for _ in range(100):
        labels = np.argmin(cdist(x, centres), axis=1)
        centres = np.array([x[labels == one].mean(axis=0) for one in range(3)])
    np.testing.assert_array_equal(k_means(x, 3, start=start), labels)


def test_single_link_against_a_slow_one():
    """Clusters are what chains of short enough steps connect."""
    x = sets()["blobs"]
    labels, heights = single_link(x, 3)
    assert len(np.unique(labels)) == 3
    near = cdist(x, x) <= heights[len(x) - 4] * (1 + 1e-9)
    reach = near
    for _ in range(9):
        reach = (reach.astype(int) @ reach) > 0
    np.testing.assert_array_equal(reach, labels[:, None] == labels)
    assert labels[0] == 0
    # On a grid all steps are equal: there is no cut between them.
    assert len(np.unique(single_link(sets()["grid"], 5)[0])) == 1
    assert len(np.unique(single_link(x, len(x))[0])) == len(x)


def test_bad_input_gets_a_sentence():
    x = np.zeros((10, 2))
    rng = np.random.default_rng(1)
    with pytest.raises(ValueError, match="fewer than 3 different"):
        compare_clusters(x, x, 3, rng=rng)
    with pytest.raises(ValueError, match="3 different records"):
        k_means(x, 3, start=[0, 1, 2])
    with pytest.raises(ValueError, match="same records"):
        compare_clusters(x, x[:5], 2, rng=rng)
    with pytest.raises(ValueError, match="at least one cluster"):
        single_link(x, 0)
    with pytest.raises(ValueError, match="at least 11 rows"):
        single_link(x, 11)
    with pytest.raises(ValueError, match="at most 5,000 rows"):
        single_link(np.zeros((5001, 1)), 2)
    with pytest.raises(ValueError, match="k-means or single link"):
        compare_clusters(x, x, 2, method="other", rng=rng)
    with pytest.raises(ValueError, match="give a generator"):
        compare_clusters(x, x, 2)
    with pytest.raises(ValueError, match="whole number"):
        compare_clusters(x, x, 2.5, rng=rng)
    with pytest.raises(ValueError, match="at least one neighbour"):
        same_neighbours(x, x, 0)
    with pytest.raises(ValueError, match="from 0 to 9"):
        k_means(x, 1, start=[10])
    with pytest.raises(ValueError, match="at least one pair"):
        distance_error(x, x, pairs=0, rng=rng)
    assert single_link(x, 3)[0].max() == 0
    assert same_neighbours(x, x) == 1
    labels, heights = single_link(x[:1], 1)
    assert list(labels) == [0]
    assert len(heights) == 0
