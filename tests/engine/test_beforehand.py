"""What is believed of a column of categories by who knows other columns, and what trees learn of it."""

from itertools import product

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.naive_bayes import CategoricalNB
from sklearn.neighbors import KNeighborsClassifier

from tests.engine.engine_rows import SIZES, rng, table
from trustscope import datasets
from trustscope.engine import keys
from trustscope.engine.attacks import agreement
from trustscope.engine.attacks.optimal import (
    Beforehand,
    Knowledge,
    Known,
    Limits,
    Mixed,
    at_trust,
    beforehand,
)
from trustscope.engine.attacks.optimal.learned import Learned
from trustscope.engine.attacks.optimal.mixed import MixedManner
from trustscope.engine.attacks.optimal.side import SideBelief
from trustscope.engine.uniform import replacement

# What is believed beforehand, and what copies add


def some_beliefs(people=40, size=4):
    draw = rng("beliefs", people)
    beliefs = draw.dirichlet(np.full(size, 0.7), size=people)
    beliefs[:5] = 1 / size  # nothing is known of these
    truth = np.array([draw.choice(size, p=one) for one in beliefs])
    return Beforehand(np.arange(people), truth, beliefs, key=1)


@pytest.mark.parametrize("p", [0.05, 0.3, 0.8])
def test_one_copy_adds_what_it_does_by_brute_force(p):
    before = some_beliefs()
    law = replacement(p, before.size)
    risks, trusted = np.zeros(40), np.zeros(40)
    for i, (pi, t) in enumerate(zip(before.beliefs, before.truth, strict=True)):
        for y in range(before.size):
            after = pi * law[:, y]
            best = np.flatnonzero(after >= after.max() * (1 - 1e-9))
            risks[i] += law[t, y] * (t in best) / len(best)
            trusted[i] += law[t, y] * after[t] / after.sum()
    np.testing.assert_allclose(before.risks(p), risks, atol=1e-9)
    np.testing.assert_allclose(before.trusted(p), trusted, atol=1e-9)
    gain = 1 + before.size * p / (1 - p)
    most = max((pi * law[:, y] / (pi @ law[:, y])).max() for pi in before.beliefs for y in range(before.size))
    assert before.worst(gain) == pytest.approx(most)
    pair = max((pi * law[:, y] / (pi @ law[:, y]))[[0, 2]].sum() for pi in before.beliefs for y in (0, 2))
    assert before.worst(gain, [0, 2]) == pytest.approx(pair)


def test_independent_copies_add_what_they_do_by_brute_force():
    before, ps = some_beliefs(), (0.4, 0.3)
    right, belief = 0.0, 0.0
    for pi, t in zip(before.beliefs, before.truth, strict=True):
        for seen in product(range(before.size), repeat=2):
            laws = [replacement(p, before.size)[:, y] for p, y in zip(ps, seen, strict=True)]
            after = pi * laws[0] * laws[1]
            best = np.flatnonzero(after >= after.max() * (1 - 1e-9))
            chance = laws[0][t] * laws[1][t] / 40
            right += chance * (t in best) / len(best)
            belief += chance * after[t] / after.sum()
    found = before.growing(ps, "independent")[-1]
    error = np.sqrt(0.25 / 8_192)  # of the draws; those of people are these people
    assert found.right == pytest.approx(right, abs=4 * error)
    assert found.belief == pytest.approx(belief, abs=4 * error)
    assert found.right > before.growing(ps, "nested")[-1].right
    every = before.coalitions(ps, "independent")
    assert every[3].right == pytest.approx(found.right, abs=4 * error)
    assert every[1].right == pytest.approx(before.alone(0.4).right)


def test_without_other_columns_the_figures_are_those_of_the_shares():
    _, codes = table(3_000)
    shares = np.bincount(codes[:, 2], minlength=4) / 3_000
    before = Beforehand(np.arange(3_000), codes[:, 2], np.tile(shares, (3_000, 1)), key=1)
    for p in (0.1, 0.5, 0.9):
        theory = agreement.alone(p, 4, shares)
        assert before.alone(p).right == pytest.approx(theory.right)
        assert before.alone(p).belief == pytest.approx(theory.belief)


def test_everybody_known_but_not_who_is_who_is_the_share_among_equals():
    x, codes = table(800)
    what = Known(np.zeros((800, 0)), codes[:, :2], SIZES[:2])
    before = beforehand(codes[:, 2], 4, what, knowledge=Knowledge(everybody=True), key=1)
    for person, belief in zip(before.people[:30], before.beliefs[:30], strict=True):
        same = (codes[:, :2] == codes[person, :2]).all(axis=1)
        np.testing.assert_allclose(belief, np.bincount(codes[same, 2], minlength=4) / same.sum(), atol=1e-5)
    unique = Known(x + rng("unique").random(x.shape), codes[:, :2], SIZES[:2])
    found = beforehand(codes[:, 2], 4, unique, knowledge=Knowledge(everybody=True), key=1)
    assert found.alone(0.0).right == 1  # everybody is told apart by their numbers, and so the value is known


# Witnesses


def adult(rows):
    data = datasets.load("adult")
    frame = data.frame.iloc[rng("adult").permutation(len(data.frame))[:rows]]
    names = ["Age", "Hours per week", "Years of education", "Capital gain"]
    categories = ["Marital status", "Occupation", "Sex", "Income class"]
    return frame[names].to_numpy(float), *_coded(frame, categories)


def votes():
    data = datasets.load("votes")
    return np.zeros((len(data.frame), 0)), *_coded(data.frame, ["Party", *data.categorical[:8]])


def _coded(frame, names):
    sizes = tuple(len(frame[name].cat.categories) for name in names)
    return np.column_stack([frame[name].cat.codes for name in names]).astype(int), sizes


def witnesses(attacker, holding, target):
    """Shares of right guesses of learned attackers, trained on copies of the sample."""
    right = {}
    for place, side in enumerate(attacker.numbers.sides):
        draw = rng("witness", place)
        parts = []
        for rows in (np.tile(side.sample_rows, 3), side.people):
            x = attacker.numbers.values[rows]
            y = attacker.numbers.seen(x, draw.standard_normal(x.shape), holding.level)
            seen = attacker.observed(rows, holding, draw)
            columns = [np.eye(attacker.layout.sizes[c])[seen.truth[:, c]] for c in attacker.layout.known]
            free = [c for c in range(attacker.codes.shape[1]) if c not in attacker.layout.known]
            columns += [np.eye(attacker.layout.sizes[c])[copy[:, c]] for copy in seen.copies for c in free]
            parts.append((np.hstack([y, *columns]), attacker.codes[rows, target]))
        (features, values), (asked, truth) = parts
        scale = features.std(axis=0) + 1e-9
        binned = [np.digitize(some, np.quantile(features, [0.2, 0.4, 0.6, 0.8])) for some in (features, asked)]
        guesses = {
            "boosting": HistGradientBoostingClassifier(max_iter=60, l2_regularization=1.0)
            .fit(features, values)
            .predict(asked),
            "neighbours": KNeighborsClassifier(15).fit(features / scale, values).predict(asked / scale),
            "naive Bayes": CategoricalNB(min_categories=5).fit(binned[0], values).predict(binned[1]),
        }
        for name, guess in guesses.items():
            right.setdefault(name, []).append(guess == truth)
    return {name: np.concatenate(some).mean() for name, some in right.items()}


CASES = {
    "rows": {"trust": 0.5, "known": (), "target": 3},
    "one cell": {"trust": 0.5, "known": (), "target": 0, "cells": [(0, 1, 2, 3)]},
    "part known": {"trust": 0.4, "known": (0, 1), "target": 3, "columns": (2, 3)},
}


@pytest.mark.sweep
@pytest.mark.parametrize("case", CASES)
def test_no_learned_guess_is_better_on_adult(case):
    how = CASES[case]
    numbers, codes, sizes = adult(2_800)
    attacker = Mixed(
        numbers, codes, sizes, known=how["known"], cells=how.get("cells"), key=1, limits=Limits(1_400, 1_400),
        knowledge=Knowledge(columns=how.get("columns", ())),
    )  # fmt: skip
    found = attacker.guessed(at_trust(how["trust"]), how["target"])
    for name, right in witnesses(attacker, at_trust(how["trust"]), how["target"]).items():
        assert right < found.right + 4 * found.right_error, name


@pytest.mark.parametrize("known", [(), tuple(range(1, 9))])
def test_no_learned_guess_is_better_on_votes(known):
    _, codes, sizes = votes()
    attacker = Mixed(None, codes, sizes, known=known, key=1)
    found = attacker.guessed(at_trust(0.4), 0)
    for name, right in witnesses(attacker, at_trust(0.4), 0).items():
        assert right < found.right + 4 * found.right_error, name


def test_beliefs_beforehand_are_as_good_as_what_is_learned_and_honest():
    """Known columns of Adult decide: without any copy boosting guesses no better, and beliefs are frequencies."""
    numbers, codes, sizes = adult(2_800)
    before = beforehand(codes[:, 3], 2, Known(numbers, codes[:, :3], sizes[:3]), key=1)
    sample = np.setdiff1d(np.arange(len(codes)), before.people)
    features = np.column_stack([numbers, codes[:, :3]])
    model = HistGradientBoostingClassifier(max_iter=60, l2_regularization=1.0).fit(features[sample], codes[sample, 3])
    boosting = (model.predict(features[before.people]) == before.truth).mean()
    found = before.alone(0.0)
    assert boosting < found.right + 4 * found.right_error
    sure = before.beliefs[:, 1] > 0.6
    assert before.truth[sure].mean() == pytest.approx(before.beliefs[sure, 1].mean(), abs=0.1)


def test_a_value_that_one_person_has_does_not_keep_the_attacker_from_learning():
    draw = keys.rng(8, "lonely")
    known, target = draw.integers(0, 3, 1_000), draw.integers(0, 3, 1_000)
    target[known == 2] = 2
    target[77] = 4  # nobody else has it, and 3 nobody at all
    learned = Learned(np.empty((1_000, 0)), known[:, None], target, 5)
    believed = learned.beliefs(np.empty((3, 0)), np.arange(3)[:, None])
    assert believed.shape == (3, 5)
    assert believed[2, 2] > 0.99
    assert 0 < believed[:, 3:].max() < 1e-3


def test_from_people_who_all_have_another_value_nothing_is_learned():
    nothing, every = np.empty((27, 0)), np.arange(27)
    believed = Learned(nothing, every[:, None] % 3, every, 30).beliefs(nothing, every[:, None] % 3)
    np.testing.assert_allclose(believed, 1 / 30)


def test_known_columns_tell_of_a_column_of_many_values():
    """One of seven known numbers says in seven of ten cases which of forty values it is."""
    draw = keys.rng(9, "many values")
    numbers = draw.random((4_000, 7))
    target = np.floor(40 * numbers[:, 3]).astype(int)
    target = np.where(draw.random(4_000) < 0.3, draw.integers(0, 40, 4_000), target)
    found = beforehand(target, 40, Known(numbers, np.empty((4_000, 0), dtype=int), ()), key=1).nobody
    assert 0.6 < found.right < 0.7 + 0.3 / 40 + 4 * found.right_error
    assert found.belief > 0.2


def test_a_forest_of_very_many_values_stays_small():
    draw = keys.rng(10, "very many values")
    known, nothing = draw.integers(0, 200, (6_000, 1)), np.empty((6_000, 0))
    learned = Learned(nothing, known, known[:, 0], 201)
    believed = learned.beliefs(nothing[:300], known[:300])
    assert (believed.argmax(axis=1) == known[:300, 0]).mean() > 0.9
    np.testing.assert_allclose(believed.sum(axis=1), 1)
    assert sum(tree.tree_.value.nbytes for tree in learned._model.estimators_) < 50e6


def test_trying_out_what_was_learned_takes_no_references_away():
    """Few references of a large sample: none of them is among the people on whom learning is tried."""
    x, codes = table(2_500)
    attacker = Mixed(x, codes, SIZES, known=(0, 1), key=1, limits=Limits(references=60, probes=200))
    side, used = attacker.numbers.sides[0], []
    believed = attacker.beliefs

    def noted(side, known, *rest):
        used.append(known)
        return believed(side, known, *rest)

    attacker.beliefs = noted
    SideBelief(attacker, side, 2, MixedManner((0.0, 0.5), 0.25))
    assert [len(known) for known in used] == [60]
    assert attacker.guessed(at_trust(0.5), 2).right > 0.4
