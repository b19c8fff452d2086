"""The strongest attacker on rows with numbers and categories: against brute force, exact laws, and learned guesses."""

from itertools import pairwise, product

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.naive_bayes import CategoricalNB
from sklearn.neighbors import KNeighborsClassifier

from trustscope import datasets
from trustscope.engine import keys
from trustscope.engine.attacks import agreement, posterior
from trustscope.engine.attacks.optimal import (
    Beforehand,
    Holding,
    Knowledge,
    Known,
    Limits,
    Mixed,
    MixedFinder,
    at_trust,
    beforehand,
    holding_of,
    mixed_exposure,
)
from trustscope.engine.attacks.optimal.learned import Learned
from trustscope.engine.attacks.optimal.mixed import MixedManner
from trustscope.engine.attacks.optimal.mixture import moments_of
from trustscope.engine.attacks.optimal.retention import Layout, Likelihood, Observed, copies_of
from trustscope.engine.attacks.optimal.side import SideBelief
from trustscope.engine.uniform import UniformRelease, replacement

# A third of the references is rehearsed on, once: more people there choose the manner a little better, and take most of
# the time. Standard errors are of the probes.
SMALL = Limits(references=1_024, probes=2_048, rehearsed=340)
SIZES = (3, 2, 4)


def rng(*purpose):
    return keys.rng(28, "tests", "mixed", *purpose)


def table(rows):
    """Two numbers and three categories that all depend on each other."""
    draw = rng("table", rows)
    kind = draw.integers(3, size=rows)
    sex = (draw.random(rows) < 0.3 + 0.2 * kind).astype(int)
    place = np.where(draw.random(rows) < 0.7, kind + sex, draw.integers(4, size=rows)) % 4
    age = np.round(draw.normal(30 + 12 * kind, 6))
    pay = np.where(draw.random(rows) < 0.4, 0.0, np.exp(draw.normal(0.03 * age + 0.5 * sex, 0.4)))
    return np.column_stack([age, pay]), np.column_stack([kind, sex, place])


# The law of categories


def slow_overall(codes, c):
    """Shares of the values of one column, half a person added to each."""
    return (np.bincount(codes[:, c], minlength=SIZES[c]) + 0.5) / (len(codes) + 0.5 * SIZES[c])


def slow_given(codes, classes):
    """Shares of the values of each column among people of each class: given[c][class][value]."""
    given = []
    for c in range(len(SIZES)):
        overall, of = slow_overall(codes, c), {}
        for k in set(classes.tolist()):
            mine = codes[classes == k, c]
            of[k] = ((np.bincount(mine, minlength=SIZES[c]) + 4 * overall) / (len(mine) + 4)).tolist()
        given.append(of)
    return given


def slow_kernel(mine, given, of, v, columns, share):
    """k_j(v) of some columns, from the definition, for a reference with the codes `mine` and of the class `of`."""
    found = 1.0
    for c in columns:
        found *= (1 - share) * (v[c] == mine[c]) + share * given[c][of][v[c]]
    return found


def slow_cell(mine, given, of, cell, layout, share, observed, row):
    """Likelihood of all copies of a cell for somebody like a reference: the sum over all that they may have."""
    total, size = 0.0, layout.size(cell)
    copies, truth = [copy[row].tolist() for copy in observed.copies], observed.truth[row].tolist()
    free = [c for c in cell if c not in layout.known]
    for values in product(*[range(layout.sizes[c]) for c in cell]):
        v = dict(zip(cell, values, strict=True))
        if any(v[c] != truth[c] for c in cell if c in layout.known):
            continue
        like = slow_kernel(mine, given, of, v, free, share)
        for copy, p in zip(copies, observed.retentions, strict=True):
            like *= p * all(copy[c] == v[c] for c in cell) + (1 - p) / size
        total += like
    return total


LAYOUTS = [
    Layout(SIZES, ((0,), (1,), (2,))),
    Layout(SIZES, ((0, 1, 2),)),
    Layout(SIZES, ((0, 2), (1,)), known=(2,)),
    Layout(SIZES, ((0, 1, 2),), known=(1,)),
    Layout(SIZES, ((2,),), known=(0, 1)),
]


@pytest.mark.sweep
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("retentions", [(0.6,), (0.5, 0.3, 0.3)])
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_what_categories_say_is_the_sum_over_all_that_people_may_have(layout, retentions, share):
    _, codes = table(30)
    classes = np.arange(30) % 2
    people = codes[:6]
    observed = Observed(copies_of(people, layout, retentions, rng("copies")), retentions, people)
    fast = np.exp(Likelihood(codes, layout, share, classes).factors(observed).astype(float))
    given = slow_given(codes, classes)
    references = list(zip(codes.tolist(), classes.tolist(), strict=True))
    for row in range(6):
        slow = np.array([
            np.prod([slow_cell(mine, given, of, cell, layout, share, observed, row) for cell in layout.cells])
            * slow_kernel(mine, given, of, people[row], layout.known, share)
            for mine, of in references
        ])  # fmt: skip
        np.testing.assert_allclose(fast[:, row] / fast[:, row].sum(), slow / slow.sum(), atol=2e-5)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("own", [0.0, 0.3])
def test_what_is_believed_of_a_category_is_the_sum_over_all_that_people_may_have(layout, own):
    """Numbers and categories together, with weights of the numbers from the normal law itself."""
    x, codes = table(30)
    target, share, retentions, level = 0, 0.25, (0.5, 0.4), 0.7
    if target in layout.known:
        target = 2
    attacker = Mixed(
        x, codes, SIZES, cells=layout.cells, known=layout.known, key=3, knowledge=Knowledge(everybody=True)
    )
    side, people, holding = attacker.numbers.sides[0], np.arange(5), Holding(level, retentions)
    seen = attacker.observed(people, holding, rng("believed"))
    y = x[people] + 1.0
    manner = MixedManner((0.0, 0.0), share, own)
    ((_, fast),) = attacker.beliefs(side, side.known, holding, target, manner, y, seen)
    noise, classes = level * moments_of(x).covariance, codes[:, target]
    free = Layout(SIZES, layout.cells, (*layout.known, target))
    given, overall = slow_given(codes, classes), slow_overall(codes, target)
    references = list(zip(codes.tolist(), classes.tolist(), strict=True))
    for row in range(5):
        slow = np.zeros(SIZES[target])
        weights = multivariate_normal.pdf(x - y[row], cov=noise)
        for v in range(SIZES[target]):
            # Somebody with the value v: the target is then as good as known.
            had = Observed(seen.copies, retentions, seen.truth.copy())
            had.truth[row, target] = v
            for (mine, of), weight in zip(references, weights, strict=True):
                like = weight * ((1 - own) * (of == v) + own * overall[v])
                like *= slow_kernel(mine, given, of, codes[row], layout.known, share)
                for cell in layout.cells:
                    like *= slow_cell(mine, given, of, cell, free, share, had, row)
                slow[v] += like
        np.testing.assert_allclose(fast[:, row], slow / slow.sum(), atol=1e-4)


def test_smoothed_all_the_way_categories_are_naive_bayes():
    _, codes = table(400)
    layout = Layout(SIZES, ((2,),), known=(0, 1))
    like = Likelihood(codes, layout, 1.0, codes[:, 2], 2)
    observed = Observed((), (), codes[:50])
    weights = np.exp(like.factors(observed))
    belief = like.posterior(weights, observed)
    model = CategoricalNB(alpha=1e-9, min_categories=list(SIZES[:2])).fit(codes[:, :2], codes[:, 2])
    np.testing.assert_allclose((belief / belief.sum(axis=0)).T, model.predict_proba(codes[:50, :2]), atol=0.03)


def test_who_knows_all_records_has_the_exact_posterior():
    """A table of one column: the belief is that of the retention law with the shares as the prior."""
    _, codes = table(500)
    attacker = Mixed(None, codes[:, 2], SIZES[2:], key=1, knowledge=Knowledge(everybody=True))
    holding = Holding(1.0, (0.5, 0.3))
    side = attacker.numbers.sides[0]
    people = side.people[:100]
    seen = attacker.observed(people, holding, rng("exact"))
    ((_, fast),) = attacker.beliefs(side, side.known, holding, 0, MixedManner(), np.zeros((100, 1)), seen)
    shares = np.bincount(codes[:, 2], minlength=4) / 500
    slow = posterior.posterior(
        [copy[:, 0] for copy in seen.copies], holding.retentions, 4, scheme="independent", prior=shares
    )
    np.testing.assert_allclose(fast.T, slow, atol=1e-5)


# Figures. Standard errors: 4, a false alarm in 16 000 for each comparison.


@pytest.mark.parametrize("scheme", ["nested", "independent"])
def test_one_column_alone_gives_the_figures_of_the_law(scheme):
    _, codes = table(6_000)
    shares = np.bincount(codes[:, 2], minlength=4) / len(codes)
    ps = [0.5, 0.4, 0.3]
    limits = Limits(references=1_024, rehearsed=340)
    found = Mixed(None, codes[:, 2], SIZES[2:], key=2, limits=limits).guessed(holding_of(1.0, ps, scheme), 0)
    theory = agreement.together(ps, 4, scheme=scheme, prior=shares)
    other = agreement.together(ps, 4, scheme="independent" if scheme == "nested" else "nested", prior=shares)
    assert found.right == pytest.approx(theory.right, abs=4 * found.right_error)
    assert found.belief == pytest.approx(theory.belief, abs=4 * found.belief_error)
    assert abs(found.right - other.right) > 4 * found.right_error  # it can tell the schemes apart


def test_of_copies_on_one_path_the_best_says_all():
    """The posterior from three nested copies is that from the best one: whoever weighs them as independent is worse."""
    _, codes = table(4_000)
    ps = [0.5, 0.4, 0.3]
    release = UniformRelease(codes[:, 2], 4, key=5)
    copies = tuple(release.copy(p)[:, None] for p in ps)
    attacker = Mixed(None, codes[:, 2], SIZES[2:], key=2, knowledge=Knowledge(everybody=True))
    side = attacker.numbers.sides[0]

    def right(some, retentions):
        seen = Observed(some, retentions, codes[:, 2:])
        manner, y = MixedManner(), np.zeros((4_000, 1))
        every = attacker.beliefs(side, side.known, Holding(1.0, retentions), 0, manner, y, seen)
        truth = codes[:, 2]
        return np.mean(np.log(np.concatenate([b[truth[r], np.arange(b.shape[1])] for r, b in every])))

    assert right(copies[:1], (0.5,)) > right(copies, tuple(ps)) + 0.02


def test_more_that_is_seen_or_known_helps():
    x, codes = table(4_000)
    at = at_trust(0.4)
    blind = Mixed(None, codes[:, 2], SIZES[2:], key=1, limits=SMALL).guessed(at, 0)
    rows = Mixed(x, codes, SIZES, key=1, limits=SMALL).guessed(at, 2)
    knowing = Mixed(x, codes, SIZES, known=(0, 1), key=1, limits=SMALL).guessed(at, 2)
    assert rows.belief > blind.belief + 4 * np.hypot(rows.belief_error, blind.belief_error)
    assert knowing.belief > rows.belief + 4 * np.hypot(rows.belief_error, knowing.belief_error)
    assert blind.right - 4 * blind.right_error < rows.right < knowing.right + 4 * knowing.right_error
    numbers = Mixed(x, codes, SIZES, key=1, limits=SMALL).point(at, 0, [3.0])
    alone = Mixed(x, key=1, limits=SMALL).point(at, 0, [3.0])
    assert numbers.hits[0] > alone.hits[0] + 2 * alone.hits_error[0]
    assert numbers.error < alone.error - 2 * alone.error_error


def test_a_cell_of_several_columns_says_whether_it_was_kept():
    """Who knows one column of a cell sees in the copy whether the others were kept too."""
    draw = rng("cell")
    codes = np.column_stack([draw.integers(8, size=4_000), draw.integers(4, size=4_000)])
    together = Mixed(None, codes, (8, 4), cells=[(0, 1)], known=(0,), key=1, limits=SMALL).guessed(
        Holding(1.0, (0.5,)), 1
    )
    apart = Mixed(None, codes, (8, 4), known=(0,), key=1, limits=SMALL).guessed(Holding(1.0, (0.5,)), 1)
    # Together: right where kept, and a guess among four where drawn anew. The two columns say nothing of each other.
    assert together.right == pytest.approx(0.5 + 0.5 / 4, abs=4 * together.right_error)
    assert apart.right == pytest.approx(0.5 + 0.5 / 4, abs=4 * apart.right_error)
    assert together.belief == pytest.approx(_cell_belief(), abs=4 * together.belief_error)
    assert together.belief > apart.belief + 4 * apart.belief_error  # but it is known better which guesses to trust


def _cell_belief(p=0.5, known=8, size=4):
    """Mean belief in the truth by brute force: the copy of the known column is right or not."""
    q = (1 - p) / (known * size)
    mean = 0.0
    for agrees in (True, False):
        for value in range(size):  # the truth is 0
            chance = (p * (agrees and value == 0) + q) if agrees else q * (known - 1)
            weights = np.array([(p * (v == value) + q) if agrees else q for v in range(size)])
            mean += chance * weights[0] / weights.sum()
    return mean


def test_better_copies_tell_more():
    x, codes = table(3_000)
    attacker = Mixed(x, codes, SIZES, key=4, limits=Limits(512, 1_024, rehearsed=170))
    points = [attacker.guessed(at_trust(t), 2) for t in (0.2, 0.5, 0.8)]
    for worse, better in pairwise(points):
        assert better.right > worse.right - 4 * np.hypot(worse.right_error, better.right_error)


# People


def test_who_has_a_rare_value_in_a_known_crowd_is_exposed():
    """One in a hundred has the third value, and whoever knows the other column sees it."""
    draw = rng("rare")
    rare = draw.random(6_000) < 0.02
    codes = np.column_stack([np.where(rare, 2, draw.integers(2, size=6_000)), np.where(rare, 1, 0)])
    found = mixed_exposure(Mixed(None, codes, (3, 2), known=(1,), key=1, limits=SMALL), Holding(1.0, (0.2,)), 0)
    mine = codes[found.people, 0] == 2
    assert found.risks[mine].min() > 0.99
    assert found.hundredth > 0.99
    assert found.weights.sum() == pytest.approx(1)
    hidden = mixed_exposure(Mixed(None, codes[:, :1], (3,), key=1, limits=SMALL), Holding(1.0, (0.2,)), 0)
    assert hidden.hundredth < 0.6


def test_the_average_of_risks_is_the_share_that_is_guessed():
    x, codes = table(4_000)
    attacker = Mixed(x, codes, SIZES, key=1, limits=Limits(500, 1_000, rehearsed=166))
    assert mixed_exposure(attacker, at_trust(0.5), 2).average == pytest.approx(
        attacker.guessed(at_trust(0.5), 2).right, abs=0.04
    )
    assert mixed_exposure(attacker, at_trust(0.5), 0, 3.0).average == pytest.approx(
        attacker.point(at_trust(0.5), 0, [3.0]).hits[0], abs=0.04
    )


@pytest.mark.parametrize("known", [(), (1,)])
def test_people_are_found_again_as_by_counting(known):
    x, codes = table(200)
    attacker = Mixed(x, codes, SIZES, cells=[(0, 1), (2,)], known=known, key=1)
    holding = Holding(0.3, (0.6, 0.4))
    finder = MixedFinder(attacker)
    found = finder.at(holding)
    draw = keys.rng(1, "mixed", "found again")
    people = draw.permutation(200)
    y = attacker.numbers.seen(x[people], draw.standard_normal((200, 2)), holding.level)
    seen = attacker.observed(people, holding, keys.rng(1, "mixed", "found again", "copies"))
    layout, noise = attacker.layout, holding.level * moments_of(x).covariance
    share, crowd = [], []
    for row, person in enumerate(people):
        log = multivariate_normal.logpdf(x, y[row], noise)
        for cell in layout.cells:
            for copy, p in zip(seen.copies, holding.retentions, strict=True):
                same = (codes[:, list(cell)] == copy[row, list(cell)]).all(axis=1)
                log += np.log(p * same + (1 - p) / layout.size(cell))
        log[(codes[:, list(known)] != codes[person, list(known)]).any(axis=1)] = -np.inf
        best = np.flatnonzero(log >= log.max() - 1e-9)
        share.append((person in best) / len(best))
        crowd.append((log >= log[person] - 1e-9).sum())
    assert found.share == pytest.approx(np.mean(share))
    assert found.crowd == pytest.approx(np.median(crowd))
    assert MixedFinder(attacker).at(Holding(0.3, (0.01,))).share < found.share


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


# What cannot be attacked


def test_bad_input_gets_a_sentence():
    _, codes = table(50)
    with pytest.raises(ValueError, match="numbers, categories or both"):
        Mixed(None)
    with pytest.raises(ValueError, match="one column of codes for each size"):
        Mixed(None, codes, SIZES[:2])
    with pytest.raises(ValueError, match="no column 3 of categories"):
        Mixed(None, codes, SIZES, known=(3,))
    with pytest.raises(ValueError, match="in two cells"):
        Mixed(None, codes, SIZES, cells=[(0, 1), (1,)])
    with pytest.raises(ValueError, match="A code is 2"):
        Mixed(None, codes, (2, 2, 4))


@pytest.mark.parametrize("sample", [1, 5, 30])
def test_few_people_are_enough_to_guess_something(sample):
    x, codes = table(300)
    attacker = Mixed(x, codes, SIZES, known=(0,), key=1, knowledge=Knowledge(sample=sample))
    assert 0.2 < attacker.guessed(at_trust(0.5), 2).right <= 1
    assert 0 < attacker.point(at_trust(0.5), 0, [3.0]).hits[0] <= 1
    what = Known(x, codes[:, :2], SIZES[:2])
    before = beforehand(codes[:, 2], 4, what, knowledge=Knowledge(sample=sample), key=1)
    assert np.allclose(before.beliefs.sum(axis=1), 1)


def test_in_a_release_too_who_looks_at_two_columns_guesses_no_better():
    """As in `test_optimal.py`, where a category that tells nothing is released beside the numbers.

    False alarms: 1 in 1 000 (3.1 standard errors).
    """
    draw = keys.rng(28, "tests", "two of eight, released")
    first = draw.normal(size=3_000)
    x = np.column_stack([first, first**2, draw.normal(size=(3_000, 6))])
    attacker = Mixed(x, draw.integers(2, size=3_000), (2,), key=1, limits=Limits(rehearsed=340))
    holding, side = at_trust(0.9), attacker.numbers.sides[0]
    truth, known = x[side.people], side.references[:, :2]
    y = attacker.numbers.seen(truth, side.normals, holding.level)[:, :2]
    turn = np.linalg.inv(np.linalg.cholesky(holding.level * np.cov(x[:, :2], rowvar=False))).T
    weights = np.exp(-0.5 * (((y @ turn)[:, None] - known @ turn) ** 2).sum(axis=2))
    pair = np.abs(weights @ known[:, 0] / weights.sum(axis=1) - truth[:, 0]) <= 0.2
    found = attacker.point(holding, 0, [0.2])
    assert found.hits[0] > pair.mean() - 3.1 * np.sqrt(0.25 / len(pair))


@pytest.mark.parametrize("known", [(), tuple(range(7))])
def test_a_category_is_guessed_by_the_one_number_that_tells_it(known):
    """The category changes along one of seven numbers in bands, which no linear guess and no look at all seven finds.

    False alarms: 1 in 1 000 (3.1 standard errors).
    """
    draw = keys.rng(28, "tests", "bands")
    x = draw.normal(size=(4_000, 7))
    codes = (np.floor(x[:, 2] / 0.8).astype(int) % 2)[:, None]
    attacker = Mixed(x, codes, (2,), cells=(), key=1, limits=Limits(references=1_000),
                     knowledge=Knowledge(columns=known))  # fmt: skip
    holding, side = Holding(0.05), attacker.numbers.sides[0]
    y = attacker.numbers.seen(attacker.numbers.values[side.people], side.normals, holding.level)[:, 2]
    sample = attacker.numbers.values[side.known, 2]
    weights = np.exp(-((y[:, None] - sample) ** 2) / 2 / (0.05 if not known else 0.001))
    guess = weights @ codes[side.known, 0] > weights.sum(axis=1) / 2
    right = guess == codes[side.people, 0]
    assert right.mean() > 0.75
    found = attacker.guessed(holding, 0)
    assert found.right > right.mean() - 3.1 * np.sqrt(0.25 / len(right))


def test_a_number_is_guessed_by_the_one_known_number_that_tells_it():
    """Which of ten far apart values a number has is known from one of eight known numbers, and from no line."""
    draw = keys.rng(28, "tests", "steps")
    known = draw.random((4_000, 8))
    x = 5.0 * (np.floor(10 * known[:, 4]) * 37 % 10)
    attacker = Mixed(np.column_stack([x, known]), knowledge=Knowledge(columns=tuple(range(1, 9))), key=1,
                     limits=Limits(references=1_000))  # fmt: skip
    assert attacker.point(Holding(4.0), 0, [2.5]).hits[0] > 0.9
