"""The strongest attacker on rows with numbers and categories: against brute force and exact laws."""

from itertools import pairwise, product

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.naive_bayes import CategoricalNB

from tests.engine.engine_rows import SIZES, SMALL, rng, table
from trustscope.engine import keys
from trustscope.engine.attacks import agreement, posterior
from trustscope.engine.attacks.optimal import (
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
from trustscope.engine.attacks.optimal.mixed import MixedManner
from trustscope.engine.attacks.optimal.mixture import moments_of
from trustscope.engine.attacks.optimal.retention import Layout, Likelihood, Observed, copies_of
from trustscope.engine.uniform import UniformRelease

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
