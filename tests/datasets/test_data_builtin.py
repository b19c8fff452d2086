"""The built-in sets: what every one of them promises, and where the shipped files come from."""

import gzip
import hashlib
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from trustscope import datasets

FILES = Path(datasets.__file__).parent / "files"
SHAPES = {
    "census": (100_000, 2, 3),
    "adult": (48_842, 6, 9),
    "iris": (150, 4, 1),
    "wine": (178, 13, 1),
    "breast": (569, 30, 1),
    "breast-original": (683, 9, 1),
    "letter": (20_000, 16, 1),
    "votes": (435, 0, 17),
    "diabetes": (442, 10, 1),
    "gaussian": (10_000, 4, 0),
}


def test_names_start_with_the_census():
    assert datasets.names()[0] == "census"
    assert set(datasets.names()) == set(SHAPES)


@pytest.mark.parametrize("name", SHAPES)
def test_every_set_keeps_the_promises_of_the_model(name):
    data = datasets.load(name)
    frame = data.frame
    assert data.name == name
    assert (data.rows, len(data.numeric), len(data.categorical)) == SHAPES[name]
    assert set(data.numeric) | set(data.categorical) == set(frame.columns)
    assert not set(data.numeric) & set(data.categorical)
    assert not frame.isna().to_numpy().any()
    for column in data.numeric:
        assert frame[column].dtype in (np.int64, np.float64)
        assert np.isfinite(frame[column]).all()
        assert frame[column].var() > 0
    for column in data.categorical:
        assert isinstance(frame[column].dtype, pd.CategoricalDtype)
        assert all(isinstance(label, str) for label in frame[column].cat.categories)
        assert frame[column].nunique() == len(frame[column].cat.categories) > 1
    assert data.label is None or data.label in data.categorical
    assert set(data.units) <= set(data.numeric)
    assert data.title
    assert data.source
    assert data.licence
    assert all(note.endswith(".") for note in data.notes)


def test_synthetic_sets_say_that_they_are():
    assert "synthetic" in datasets.load("census", rows=10).title
    assert "synthetic" in datasets.load("gaussian", rows=10).title


@pytest.mark.parametrize("name", ["adult", "iris", "census"])
def test_changing_a_frame_changes_nobody_elses(name):
    first = datasets.load(name).frame
    column = datasets.load(name).numeric[0]
    before = first[column].iloc[0]
    first.loc[:, column] = 0
    assert datasets.load(name).frame[column].iloc[0] == before


def test_known_values():
    adult = datasets.load("adult").frame
    assert adult["Age"].iloc[0] == 39
    assert adult["Age"].iloc[32_561] == 25  # the first row of the test part
    assert (adult["Occupation"] == "Unknown").sum() == 1843 + 966
    assert (adult["Work class"] == "Unknown").sum() == 1836 + 963
    assert (adult["Native country"] == "Unknown").sum() == 583 + 274
    assert set(adult["Income class"]) == {"<=50K", ">50K"}
    votes = datasets.load("votes").frame
    assert (votes == "Neither").to_numpy().sum() == 392
    assert votes["Party"].value_counts().to_dict() == {"Democrat": 267, "Republican": 168}
    letters = datasets.load("letter").frame
    assert len(letters.drop_duplicates()) == 18_668
    original = datasets.load("breast-original").frame
    assert original["Diagnosis"].value_counts().to_dict() == {"Benign": 444, "Malignant": 239}


def test_an_unknown_name_is_answered_with_the_names_and_a_guess():
    with pytest.raises(datasets.DataProblem, match="Did you mean 'adult'") as problem:
        datasets.load("adullt")
    assert all(name in str(problem.value) for name in datasets.names())
    with pytest.raises(datasets.DataProblem) as problem:
        datasets.load("zzzzzz")
    assert "Did you mean" not in str(problem.value)


def test_a_problem_is_a_value_error():
    assert issubclass(datasets.DataProblem, ValueError)


def test_options_are_checked():
    with pytest.raises(datasets.DataProblem, match="takes none"):
        datasets.load("iris", rows=5)
    with pytest.raises(datasets.DataProblem, match="rows and seed"):
        datasets.load("census", row=5)


def test_shipped_files_are_the_ones_of_the_provenance():
    text = (FILES / "PROVENANCE.md").read_text()
    listed = dict(re.findall(r"^([0-9a-f]{64})  (\S+)$", text, re.MULTILINE))
    listed = {file: digest for digest, file in listed.items()}
    shipped = {file.name for file in FILES.glob("*.gz")}
    assert set(listed) == shipped
    for file in shipped:
        assert hashlib.sha256((FILES / file).read_bytes()).hexdigest() == listed[file]
        assert f"`{file}`" in text


def test_shipped_files_are_compressed_without_a_time_stamp_and_have_the_rows_of_the_provenance():
    text = (FILES / "PROVENANCE.md").read_text()
    rows = {file: int(n.replace(" ", "")) for file, n in re.findall(r"^\| `(\S+)` \| ([\d ]+) x", text, re.MULTILINE)}
    for file in FILES.glob("*.gz"):
        data = file.read_bytes()
        assert data[4:8] == bytes(4)
        assert gzip.decompress(data).count(b"\n") == rows[file.name] + 1


def test_iris_is_the_one_of_scikit_learn():
    frame, theirs = datasets.load("iris").frame, load_iris()
    assert (frame.drop(columns="Species").to_numpy() == theirs.data).all()
    assert (frame["Species"].cat.codes == theirs.target).all()
    assert [*frame["Species"].cat.categories.str.lower()] == [*theirs.target_names]
