"""Classification accuracy on copies: the figures of Iris, the folds, and what is refused."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.preprocessing import StandardScaler

from trustscope.engine.utility import Cancelled, classification_accuracy, compare

IRIS, SPECIES = load_iris(return_X_y=True)


def test_the_original_iris_is_classified_well():
    for model, least in (("tree", 0.92), ("svm", 0.93)):
        result = classification_accuracy(IRIS, SPECIES, model=model, key=1)
        assert result.mean > least
        assert result.folds == len(result.per_fold) == 10
        assert result.mean == pytest.approx(result.per_fold.mean())
        assert result.spread == pytest.approx(result.per_fold.std(ddof=1))
        assert (result.rows, result.rows_total, result.note) == (150, 150, "")


def test_the_same_key_gives_the_same_figures_and_another_key_other_folds():
    results = [classification_accuracy(IRIS, SPECIES, key=key).per_fold for key in (5, 5, 6)]
    assert (results[0] == results[1]).all()
    assert (results[0] != results[2]).any()


def test_labels_without_relation_to_the_data_give_chance():
    # Standard error of an accuracy near 1/2 on 1 000 rows: 0.016; false alarms below 1e-4 at 4 of them.
    rng = np.random.default_rng(3)
    x, y = rng.standard_normal((1000, 3)), rng.integers(2, size=1000)
    for model in ("tree", "svm"):
        assert abs(classification_accuracy(x, y, model=model, key=1).mean - 0.5) < 0.064


@pytest.fixture
def folds(monkeypatch):
    """What a decision tree is trained on and tested on, fold by fold, as lists of the values of the first column."""
    seen = []

    class Spy:
        def __init__(self, random_state):
            self.known = []

        def fit(self, x, y, check_input):
            self.known = x[:, 0].tolist()
            return self

        def predict(self, x, check_input):
            seen.append((self.known, x[:, 0].tolist()))
            return np.zeros(len(x))

    monkeypatch.setattr("sklearn.tree.DecisionTreeClassifier", Spy)
    return seen


def test_test_folds_are_not_seen_in_training(folds):
    """Identity features: only a model that saw a row could name its class."""
    classification_accuracy(np.arange(60.0), np.arange(60) % 3, key=1)
    assert [bool(set(train) & set(test)) for train, test in folds] == [False] * 10


def test_scaling_of_the_svm_knows_the_training_rows_alone(monkeypatch):
    """An SVM with a radial basis kernel is blind without it when one column is a million times larger."""
    scaled, fit = [], StandardScaler.fit

    def watched(self, x, *arguments, **options):
        scaled.append(len(x))
        return fit(self, x, *arguments, **options)

    monkeypatch.setattr(StandardScaler, "fit", watched)
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    x = np.column_stack([y + 0.2 * rng.standard_normal(200), 1e6 * rng.standard_normal(200)])
    assert classification_accuracy(x, y, model="svm", key=1).mean > 0.95
    assert scaled == [180] * 10


def test_compare_is_tidy_and_uses_one_set_of_folds():
    copies = {"Alice": IRIS, "Bob": IRIS + np.random.default_rng(0).standard_normal(IRIS.shape)}
    steps = []
    table = compare(IRIS, copies, SPECIES, key=4, progress=lambda *step: steps.append(step))
    assert list(table.columns) == ["copy", "model", "accuracy", "spread", "folds", "rows", "note"]
    assert list(table["copy"]) == ["original", "original", "Alice", "Alice", "Bob", "Bob"]
    wide = table.pivot_table(index="copy", columns="model", values="accuracy")
    assert (wide.loc["Alice"] == wide.loc["original"]).all()
    assert (wide.loc["Bob"] < wide.loc["original"]).all()
    assert [step[0] for step in steps] == list(range(1, 61))
    assert {step[1] for step in steps} == {60}
    assert steps[-1][2] == "Bob, SVM, radial basis"
    single = classification_accuracy(IRIS, SPECIES, model="svm", key=4)
    assert wide.loc["original", "svm"] == single.mean


def test_a_comparison_can_be_stopped_between_fits():
    steps = []
    with pytest.raises(Cancelled, match="after 25 of 40") as stop:
        compare(
            IRIS,
            {"Alice": IRIS},
            SPECIES,
            key=4,
            progress=lambda *step: steps.append(step),
            cancelled=lambda: len(steps) >= 25,
        )
    assert len(steps) == 25
    assert list(stop.value.result["model"]) == ["tree", "svm"]
    assert set(stop.value.result["copy"]) == {"original"}


def test_large_data_are_cut_to_a_keyed_sample_that_keeps_rare_classes(folds):
    y = np.r_[np.zeros(2000), np.ones(400), np.full(12, 2)].astype(int)

    def used(key):
        """The result, and the numbers of the rows that were used: each is tested once."""
        folds.clear()
        result = classification_accuracy(np.arange(len(y)), y, key=key, max_rows=300)
        return result, sorted(int(row) for _, test in folds for row in test)

    result, rows = used(1)
    assert 297 <= result.rows <= 300
    assert result.rows_total == 2412
    assert "of 2,412 rows" in result.note
    assert result.folds == 10
    counts = np.bincount(y[rows])
    assert counts[2] >= 10
    assert abs(counts[1] / 300 - 400 / 2412) < 0.03
    assert rows == used(1)[1]
    assert rows != used(2)[1]
    assert len(set(rows)) == len(rows) == result.rows


def test_a_small_class_gives_fewer_folds_and_says_so():
    y = np.array(["yes"] * 30 + ["no"] * 4, dtype=object)
    result = classification_accuracy(np.arange(34.0), y, key=1)
    assert result.folds == 4
    assert result.note == "4 folds instead of 10: class “no” has 4 rows only"


@pytest.mark.parametrize(
    ("x", "y", "sentence"),
    [
        (np.ones((20, 2)), np.zeros(20), "at least two classes"),
        (np.ones((20, 2)), np.r_[np.zeros(19), 1], "a single row"),
        (np.ones((20, 2)), np.r_[np.zeros(18), np.nan, 1], "1 of 20 labels are missing"),
        (np.ones((20, 2)), np.array([None, *("ab" * 9), "a"], dtype=object), "1 of 20 labels are missing"),
        (np.ones((20, 2)), np.arange(19) % 2, "20 rows, but there are 19 labels"),
        (np.full((20, 2), np.nan), np.arange(20) % 2, "missing or infinite"),
        (np.full((20, 2), np.inf), np.arange(20) % 2, "missing or infinite"),
        (np.ones((2, 2, 2)), np.arange(2), "a single row"),
        (np.ones((4, 2, 2)), np.arange(4) % 2, "one or two dimensions"),
        (np.ones((0, 2)), np.ones(0), "no rows"),
    ],
)
def test_bad_data_get_a_sentence(x, y, sentence):
    with pytest.raises(ValueError, match=sentence):
        classification_accuracy(x, y, key=1)


def test_other_bad_arguments_get_a_sentence():
    y = np.arange(20) % 2
    with pytest.raises(TypeError, match="must be numbers"):
        classification_accuracy(np.full((20, 1), "a"), y, key=1)
    with pytest.raises(ValueError, match="tree"):
        classification_accuracy(np.ones((20, 1)), y, model="forest", key=1)
    with pytest.raises(ValueError, match="two folds"):
        classification_accuracy(np.ones((20, 1)), y, folds=1, key=1)
    with pytest.raises(ValueError, match="original"):
        compare(np.ones((20, 1)), {"original": np.ones((20, 1))}, y, key=1)
    with pytest.raises(ValueError, match="too many"):
        classification_accuracy(np.ones((200, 1)), np.arange(200) // 2, key=1, max_rows=100)


def test_frames_and_categorical_labels_work():
    frame = pd.DataFrame(IRIS, columns=list("abcd"))
    labels = pd.Series(SPECIES).map({0: "setosa", 1: "versicolor", 2: "virginica"}).astype("category")
    plain = classification_accuracy(IRIS, SPECIES, key=1)
    assert classification_accuracy(frame, labels, key=1).mean == plain.mean
