"""Schemes that are registered: computed from their covariance alone, they agree with the closed forms of the house."""

from itertools import combinations

import numpy as np
import pytest

import trustscope as ts
from trustscope import schemes
from trustscope.engine.attacks import combining, llse, tracks
from trustscope.engine.noise import noise_covariance
from trustscope.engine.path import PathRelease
from trustscope.scenarios.trust.scenario import TrustScenario
from trustscope.testing import check_scheme

LEVELS = np.array([2.0, 0.5, 1.0, 4.0])


@pytest.fixture
def twins():
    """Each scheme of the house once more, as somebody else would register it."""
    for name in schemes.HOUSE:
        ts.scheme(title="Twin", words="The same again.", name=f"twin_{name}")(schemes.of(name).covariance)
    yield {name: f"twin_{name}" for name in schemes.HOUSE}
    for name in schemes.HOUSE:
        schemes.unregister(f"twin_{name}")


@pytest.mark.parametrize("house", schemes.HOUSE)
def test_the_general_way_gives_the_closed_forms(twins, house):
    twin = twins[house]
    check_scheme(twin)
    assert combining.expected_error(LEVELS, twin) == pytest.approx(combining.expected_error(LEVELS, house), abs=1e-9)
    assert combining.weights(LEVELS, twin) == pytest.approx(combining.weights(LEVELS, house), abs=1e-9)
    assert combining.growing_levels(LEVELS, twin) == pytest.approx(combining.growing_levels(LEVELS, house), abs=1e-9)
    several = np.array([[0.5, 2.0, 2.0], [1.0, np.inf, np.inf], [np.inf] * 3, [0.0, 1.0, np.inf]])
    many = combining.effective_levels(several, twin)
    assert many == pytest.approx(combining.effective_levels(several, house), abs=1e-9)
    assert llse.coalitions(LEVELS, twin) == pytest.approx(llse.coalitions(LEVELS, house), abs=1e-9)
    ladder = [0.3, 1.0, 3.0]
    for most in (None, 1, 2):
        found = tracks.track_errors(LEVELS, ladder, twin, most)
        assert found == pytest.approx(tracks.track_errors(LEVELS, ladder, house, most), abs=1e-9)


def test_copies_on_demand_have_the_covariance_of_the_scheme(half_nested):
    """40 000 rows; five standard errors for each of ten covariances: six false alarms in a million at the most."""
    rows = 40_000
    data = np.random.default_rng(3).standard_normal(rows)
    release = ts.GaussianRelease(data, scheme=half_nested, covariance=1.0, key=12)
    noise = [release.noise(level=level) for level in LEVELS]  # neither rising nor falling
    found, right = np.cov(noise), noise_covariance(LEVELS, half_nested)
    bound = 5 * np.sqrt((np.outer(LEVELS, LEVELS) + right**2) / rows)
    assert (np.abs(found - right) < bound).all()
    for wrong in ("nested", "independent"):
        assert (np.abs(found - noise_covariance(LEVELS, wrong)) > bound).any()
    assert np.array_equal(release.noise(level=2.0), noise[0])  # a level that is out already is not drawn again
    together = llse.reconstruct([data + one for one in noise], levels=LEVELS, scheme=half_nested, mean=0.0)
    expected = combining.expected_error(LEVELS, half_nested)
    assert np.mean((together - data) ** 2) == pytest.approx(expected, rel=5 * np.sqrt(2 / rows))
    assert combining.expected_error(LEVELS, "independent") < expected < combining.expected_error(LEVELS, "nested")


def test_copies_without_noise_are_the_data(half_nested):
    data = np.arange(10.0)
    release = ts.GaussianRelease(data, scheme=half_nested, key=12)
    assert np.array_equal(release.copy(level=0), data)
    assert release.copy(level=1).shape == data.shape
    assert combining.expected_error([0.0, 1.0], half_nested) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("covariance", "said"),
    [
        (lambda s: np.ones(3), "6 x 6 finite numbers"),
        (lambda s: np.diag(s) * 2, "levels on its diagonal"),
        (lambda s: np.diag(s) + np.triu(np.ones((len(s), len(s))), 1) * 0.01, "symmetric"),
        (lambda s: np.diag(s) + 3 * (1 - np.eye(len(s))), "negative eigenvalue"),
        (lambda s: np.diag(s) + (1 - np.eye(len(s))) * s.min() / len(s), "whether or not there are others"),
        (lambda s: 1 / 0, "fails: ZeroDivisionError"),
    ],
)
def test_what_is_wrong_is_said_at_once(covariance, said):
    with pytest.raises(ts.TrustscopeError, match=said):
        ts.scheme(title="Wrong", words="Wrong.", name="wrong")(covariance)
    assert "wrong" not in schemes.registered()


def test_names_and_words_are_checked():
    good = {"title": "T", "words": "W."}
    for given, said in (({"name": "Ünfit"}, "small letters"), ({"name": "nested"}, "of the house"),
                        ({"words": " "}, "`words`"), ({"dash": "wavy"}, "Lines are"),
                        ({"colour": "red"}, "#rrggbb")):  # fmt: skip
        with pytest.raises(ts.TrustscopeError, match=said):
            ts.scheme(**{"name": "fine", **good, **given})(np.diag)
    with pytest.raises(ts.TrustscopeError, match="must be one of nested, independent, proportional, not 'nobodys'"):
        combining.expected_error([1.0], "nobodys")
    with pytest.raises(ts.TrustscopeError, match="no registered scheme"):
        check_scheme("nobodys")


def test_copies_on_the_path_have_the_covariance_of_the_scheme(half_nested):
    """60 000 rows; five standard errors for each of ten covariances: six false alarms in a million at the most."""
    rows, ladder = 60_000, np.sort(LEVELS)
    release = PathRelease(np.zeros(rows), scheme=half_nested, covariance=1.0, ladder=ladder, key=12)
    among = release.among({1: 0.5, 0: 2.0, 2: 1.0, 3: 4.0})
    noise = np.stack([among.noise(level, recipient=number) for number, level in enumerate(LEVELS)])
    right = noise_covariance(LEVELS, half_nested)
    bound = 5 * np.sqrt((np.outer(LEVELS, LEVELS) + right**2) / rows)
    assert (np.abs(np.cov(noise) - right) < bound).all()
    for wrong in ("nested", "independent"):
        assert (np.abs(np.cov(noise) - noise_covariance(LEVELS, wrong)) > bound).any()
    assert noise[1] == pytest.approx(release.under("nested").noise(0.5), abs=1e-12)  # the first has the nested copy
    moved = release.among({1: 0.5, 0: 2.0, 2: 2.0, 3: 4.0})
    assert np.array_equal(moved.noise(2.0, recipient=0), noise[0])  # who comes before does not move
    assert among.path(7, recipient=3)[-1] == pytest.approx(noise[3][7:8], abs=1e-12)
    with pytest.raises(ts.TrustscopeError, match="say among whom"):
        release.noise(1.0)


def test_the_worst_coalition_is_found_among_all(half_nested):
    for size in (1, 2, 3, 4):
        least = min(
            combinations(range(4), size), key=lambda who: combining.effective_level(LEVELS[[*who]], half_nested)
        )
        assert set(tracks.worst_coalition(LEVELS, half_nested, size)) == set(least)
    assert tracks.worst_coalition(LEVELS, "independent", 2) == (1, 2)


def test_a_scenario_says_that_a_scheme_is_missing(half_nested):
    stored = TrustScenario().to_dict()
    stored["settings"]["scheme"] = half_nested
    assert TrustScenario.read(stored).scenario.settings.scheme == half_nested
    stored["settings"]["scheme"] = "nobodys"
    reading = TrustScenario.read(stored)
    assert reading.scenario.settings.scheme == "independent"
    assert any("install the package that brings it" in problem for problem in reading.problems)
