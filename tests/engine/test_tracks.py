"""All positions of all sliders at once, against every coalition listed one by one."""

from itertools import combinations

import numpy as np
import pytest

from trustscope.engine.attacks.tracks import track_errors
from trustscope.engine.noise import noise_covariance

LADDER = np.array([0.0, 0.05, 0.4, 1.0, 3.0, 99.0])


def slow(levels, scheme):
    """The joint linear attack from its definition (Eq. 6 of Li et al.)."""
    if min(levels) == 0:
        return 0.0
    sigma = noise_covariance(levels, scheme)
    ones = np.ones(len(levels))
    return 1 - (np.linalg.pinv(np.outer(ones, ones) + sigma, hermitian=True) @ ones).sum()


def listed(levels, scheme, most):
    return min(slow(some, scheme) for k in range(1, most + 1) for some in combinations(levels, k))


@pytest.mark.parametrize("scheme", ["nested", "independent", "proportional"])
@pytest.mark.parametrize("most", [1, 2, 4])
def test_every_position_is_the_worst_coalition(scheme, most):
    levels = [1.0, 0.4, 3.0, 1.0]
    found = track_errors(levels, LADDER, scheme, most)
    for i in range(len(levels)):
        for g, level in enumerate(LADDER):
            moved = [*levels[:i], level, *levels[i + 1 :]]
            assert found[i, g] == pytest.approx(listed(moved, scheme, most), abs=1e-7), (i, level)


@pytest.mark.parametrize("scheme", ["nested", "independent", "proportional"])
def test_one_recipient_and_equal_copies(scheme):
    np.testing.assert_allclose(track_errors([1.0], LADDER, scheme), [LADDER / (1 + LADDER)])
    # Two equal copies: the same copy twice, unless each has noise of its own.
    expected = 1 / 3 if scheme == "independent" else 1 / 2
    assert track_errors([1.0, 1.0], [1.0], scheme)[0, 0] == pytest.approx(expected)


def test_nobody_is_no_coalition():
    with pytest.raises(ValueError, match="at least one member"):
        track_errors([1.0, 2.0], LADDER, "nested", 0)
