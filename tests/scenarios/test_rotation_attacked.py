"""Attackers written here from nothing, against what the Rotation page says of insiders and competitors.

All is drawn by fixed keys: an attacker of the test's own may come off better by a hundredth, which is less than one
standard error of the share of hits.
"""

import itertools

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from trustscope import datasets
from trustscope.scenarios.rotation.judge import Judge
from trustscope.scenarios.rotation.model import Model
from trustscope.scenarios.rotation.scenario import RotationScenario


def made(name, **options):
    data = datasets.load(name)
    return Model(data.frame[list(data.numeric)].to_numpy(float), data.numeric, 12, **options)


def settings_of(model, **changes):
    return model.fit_to_data(RotationScenario().replace(changes)).settings


def hits(model, guess):
    """The share of values within a quarter of a standard deviation."""
    return Judge(model.records, "value", 0.25).hits(model.records.private[: len(guess)], guess).rate


def laid_over(sample, released):
    """Turn and shift the release until its rows lie near records of the sample: principal axes in all mirror images,
    then records weighted by how near they are, and the turn that fits these, ever closer."""
    y, found = released - released.mean(axis=0), []
    z, w = (np.linalg.svd(one - one.mean(axis=0), full_matrices=False)[2].T for one in (sample, y))
    for signs in itertools.product([1.0, -1.0], repeat=sample.shape[1]):
        turn, middle, width = (w * signs) @ z.T, sample.mean(axis=0), 0.5
        for _ in range(25):
            squares = cdist(y @ turn + middle, sample, "sqeuclidean")
            weights = np.exp(-squares / (2 * width**2))
            near = weights @ sample / weights.sum(axis=1, keepdims=True)
            middle = near.mean(axis=0)
            left, _, right = np.linalg.svd(y.T @ (near - middle))
            turn, width = left @ right, max(0.9 * width, 0.2)
        found.append((np.log(weights.sum(axis=1)).sum(), y @ turn + middle))
    return max(found, key=lambda one: one[0])[1]


def by_lengths(sample, measured, released, reach):
    """The window with most of the records of the sample that are about as long, column by column."""
    lengths = np.linalg.norm(measured, axis=1)
    away = np.linalg.norm(released, axis=1)[:, None] - lengths
    weights = np.exp(-((away / lengths.std() / 0.3) ** 2) / 2)
    windows = sample + reach
    near = [np.abs(sample[:, [c]] - windows[:, c]) <= reach[c] * (1 + 1e-9) for c in range(sample.shape[1])]
    return np.column_stack([windows[(weights @ one).argmax(axis=1), c] for c, one in enumerate(near)])


@pytest.mark.parametrize("shifted", [False, True])
def test_a_competitor_lays_all_points_over_those_of_the_sample(shifted):
    """Matched axes of iris point the wrong way; the points themselves tell the rotation, with a shift and without."""
    model = made("iris", shifted=shifted)
    settings = settings_of(model, **{"settings.sample": 75})
    own = hits(model, laid_over(model.sample.sample(75, 1), model.turned))
    assert own > 0.8  # no more than 0.43 by axes and lengths
    assert model.sample.rate(settings, 75, "improved").mean > own - 0.01
    assert model.sample.rate(settings, 75, "paper").mean < 0.5
    knows_nobody = model.known.recovered((), settings)[0]
    assert knows_nobody > own - 0.01


def test_a_shift_does_not_hide_how_far_records_are_from_the_mean():
    """Nobody is linked: the mean of the release lies where that of others lies, so lengths from there are known."""
    model = made("breast-original", shifted=True)
    settings, pool, reach = settings_of(model), model.records.pool, Judge(model.records, "value", 0.25).reach
    guess = by_lengths(pool, pool - pool.mean(axis=0), model.turned - model.release.released.mean(axis=0), reach)
    own, without = hits(model, guess), model.without(settings).rate
    assert own > without + 0.05
    for known in (0, 1):
        places = tuple(model.records.place(number) for number in model.usual_order[:known])
        assert not model.known.attack(places).informed
        assert model.known.recovered(places, settings)[0] > own - 0.01
    assert model.sample.rate(settings, len(pool), "improved").mean > own - 0.01


@pytest.mark.parametrize("which", ["one", "fresh"])
def test_a_projection_keeps_lengths(which):
    """A random matrix changes lengths by little, also a fresh one for each record."""
    model = made("breast-original")
    settings, sample, reach = settings_of(model), model.remedy.sample, Judge(model.records, "value", 0.25).reach
    columns = 36
    _, released = model.remedy._released(which, columns, 0)
    guess = by_lengths(sample, sample, released[:1_000], reach)
    own, without = hits(model, guess), model.without(settings).rate
    assert own > without + 0.05
    picture = model.remedy._judged(settings, which, columns)
    assert picture.hits.rate > own - 0.01


def test_a_projection_is_laid_over_the_sample():
    """With many columns it is nearly a rotation: all points of iris lie where those of the sample lie."""
    model = made("iris")
    settings = settings_of(model, **{"settings.dimensions": 1_000})
    _, released = model.remedy._released("one", 1_000, 0)
    own = hits(model, laid_over(model.remedy.sample, released))
    assert own > 0.8
    assert model.remedy.recovered(settings, 1_000) > own - 0.01
    assert model.remedy._judged(settings, "rotation", 0).hits.rate > own - 0.01
