"""Classifiers on perturbed tuples."""

import numpy as np
import pytest
from survey_data import ANSWERS, CLASSES, ENCODING, TUPLES

from trustscope.engine.utility import NaiveBayes, tuple_tree


def bayes(tuples=TUPLES, classes=CLASSES, **options):
    counts = np.array([tuples[classes == c].sum(axis=0) for c in (0, 1)])
    return NaiveBayes.from_counts(counts, np.bincount(classes, minlength=2), ENCODING.starts, **options)


def test_naive_bayes_on_the_original_votes():
    """The paper has .9034 for one drawing of the missing answers; they vary by .004."""
    found = [bayes(t).accuracy(t, CLASSES) for t in (ENCODING.encode(ANSWERS, fill=key) for key in range(20))]
    assert np.mean(found) == pytest.approx(0.903, abs=0.01)
    assert np.std(found) == pytest.approx(0.004, abs=0.002)


def test_naive_bayes_is_the_slow_one():
    model = bayes(smoothing=0.5)
    for t in TUPLES[:4]:
        scores = []
        for c in (0, 1):
            score = np.log(np.mean(c == CLASSES))
            for j in range(16):
                own = TUPLES[c == CLASSES][:, 2 * j : 2 * j + 2].sum(axis=0) + 0.5
                score += np.log(own[t[2 * j : 2 * j + 2].argmax()] / own.sum())
            scores.append(score)
        np.testing.assert_allclose(model.scores(t), scores)


def test_chances_are_normalised_for_each_question():
    # Bits that come through twice as rarely say the same of the answers: the doubled counts of a question cancel.
    counts = np.array([[30, 10, 5, 5], [10, 30, 5, 5]])
    doubled = counts * [2, 2, 1, 1]
    one, two = (NaiveBayes.from_counts(c, [40, 40], [0, 2], smoothing=1e-9) for c in (counts, doubled))
    np.testing.assert_allclose(one.log_chances, two.log_chances, atol=1e-9)
    np.testing.assert_allclose(np.exp(one.log_chances[:, :2]).sum(axis=1), 1)


def test_one_class_or_no_smoothing_gets_a_sentence():
    with pytest.raises(ValueError, match="Only one class"):
        NaiveBayes.from_counts(np.ones((2, 4)), [5, 0], [0, 2])
    with pytest.raises(ValueError, match="above 0"):
        bayes(smoothing=0)
    with pytest.raises(ValueError, match="one class"):
        tuple_tree(TUPLES, np.zeros(435))
    for counts in (np.full((2, 4), np.nan), [[-5, 1, 1, 1], [1, 1, 1, 1]]):
        with pytest.raises(ValueError, match="not negative"):
            NaiveBayes.from_counts(counts, [5, 5], [0, 2])
    with pytest.raises(ValueError, match="two classes"):
        NaiveBayes.from_counts(np.ones((3, 4)), [1, 1, 1], [0, 2])
    with pytest.raises(ValueError, match="32 bits"):
        bayes().predict(TUPLES[:, :5])
    for tuples, classes in ((TUPLES * np.nan, CLASSES), (TUPLES, CLASSES[:9])):
        with pytest.raises(ValueError, match="a class for each"):
            tuple_tree(tuples, classes)


def test_the_tree_splits_on_information_and_prunes_noise():
    tree = tuple_tree(TUPLES, CLASSES, leaf=0.02)
    assert tree.criterion == "entropy"
    assert tree.score(TUPLES, CLASSES) > 0.93
    assert ENCODING.questions[ENCODING.question_of[tree.tree_.feature[0]]] == "Physician fee freeze"
    noise = np.random.default_rng(0).integers(2, size=(5000, 10))
    tree = tuple_tree(noise, np.arange(5000) % 2)
    assert tree.tree_.n_leaves <= 500
    assert np.min(tree.tree_.n_node_samples) >= 10
