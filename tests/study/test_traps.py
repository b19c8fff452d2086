"""What a person in a notebook tries first works, or says what to write: nothing is taken for something else."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import trustscope as ts
from trustscope.engine import tables
from trustscope.engine.attacks import llse
from trustscope.errors import TrustscopeError, WrongType
from trustscope.scenarios.trust.scenario import TrustScenario


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(3)
    values = rng.normal([40, 2000], [10, 500], (60, 2))
    return pd.DataFrame(values, columns=["age", "wage"], index=[f"p{i}" for i in range(60)])


# Data


def test_data_that_a_scenario_does_not_name_are_not_ignored(frame, tmp_path):
    with pytest.raises(TrustscopeError, match=r"names the built-in data census.*ts\.Study"):
        TrustScenario().figures(frame)
    own = ts.Study(frame, attackers="perfect")
    path = own.save_data(tmp_path / "people.parquet")
    told = own.figures().to_dict()
    for data in (frame, path, ts.load(frame)):
        assert own.scenario.figures(data).to_dict() == told


def test_tables_and_paths_get_in_everywhere(frame, tmp_path):
    frame.to_csv(tmp_path / "w.csv", index=False)
    for data in (frame, tmp_path / "w.csv", str(tmp_path / "w.csv")):
        assert ts.load(data).numeric == ("age", "wage")
        assert ts.inspect(data).usable == ("age", "wage")
    assert ts.load(frame, columns=["wage"]).numeric == ("wage",)
    with pytest.raises(TrustscopeError, match="no option 'rows'"):
        ts.load(frame, rows=3)
    with pytest.raises(TrustscopeError, match="a dataset already"):
        ts.load(ts.load("iris"))


def test_dashboards_open_with_data(frame):
    for data, name in ((frame, "own"), (ts.load("iris"), "iris")):
        shown = ts.TrustDashboard(data)
        assert shown.scenario.data.name == name
        shown.stop()
    with pytest.raises(TrustscopeError, match="not a list"):
        ts.TrustDashboard([1, 2])


# Trust in per cent


def test_a_trust_of_categories_is_in_per_cent():
    release = ts.UniformRelease([0, 1, 2, 1] * 50, 3, key=5)
    np.testing.assert_array_equal(release.copy(trust=40), release.copy(0.4))
    with pytest.raises(TrustscopeError, match="write 40 where"):
        release.copy(trust=0.4)
    with pytest.raises(WrongType, match="Write either"):
        release.copy()


def test_attackers_take_trusts_by_name(frame):
    release = ts.GaussianRelease(frame, scheme="independent", key=9)
    copies = [release.copy(trust=trust) for trust in (50, 20)]
    by_trust = llse.reconstruct(copies, trust=[50, 20], scheme="independent", mean=frame.mean())
    np.testing.assert_array_equal(
        by_trust, llse.reconstruct(copies, levels=[1, 4], scheme="independent", mean=frame.mean())
    )
    for wrong in (
        lambda: llse.reconstruct(copies, [50, 20], scheme="nested", mean=0.0),
        lambda: llse.reconstruct_structured(copies, [50, 20], scheme="nested", sample=10),
        lambda: llse.reconstruct_raw(copies, [50, 20], sample=10),
    ):
        with pytest.raises(WrongType, match=r"Say what \[50, 20\] is"):
            wrong()
    assert llse.expected_error(trust=[50, 20], scheme="independent") == pytest.approx(4 / 9)
    np.testing.assert_allclose(llse.coalitions(trust=[50, 20]), llse.coalitions([1, 4]))


# Copies in another order


def test_copies_are_pooled_by_their_index(frame):
    """Pooled by position they are worse than guessing the average."""
    release = ts.GaussianRelease(frame, scheme="independent", key=9)
    first, second = (release.copy(trust=trust) for trust in (60, 55))
    shuffled = second.sample(frac=1, random_state=1)[["wage", "age"]]
    given = {"trust": [60, 55], "scheme": "independent", "mean": frame.mean()}
    expected = llse.reconstruct([first, second], **given)
    np.testing.assert_allclose(llse.reconstruct([first, shuffled], **given), expected)
    np.testing.assert_allclose(
        llse.reconstruct_raw([first, shuffled], trust=[60, 55], sample=30),
        llse.reconstruct_raw([first, second], trust=[60, 55], sample=30),
    )
    by_position = llse.reconstruct([first.to_numpy(), shuffled.to_numpy()], **given)
    assert ts.measures.normalised_error(frame, by_position) > 0.9 > ts.measures.normalised_error(frame, expected)


def test_copies_that_do_not_belong_together_are_refused(frame):
    renamed = frame.rename(columns={"age": "years"})
    elsewhere = frame.set_axis([f"q{i}" for i in range(60)])
    twice = frame.set_axis(["p0"] * 60)
    for other, sentence in (
        (frame.head(50), "60 and 50 rows"), (renamed, "same columns"), (elsewhere, "60 of 60 are not in each"),
        (twice, "without duplicates"), (frame["age"], "single columns"), (frame.to_numpy(), "others are not"),
    ):  # fmt: skip
        with pytest.raises(TrustscopeError, match=sentence):
            tables.aligned([frame, other])
    with pytest.raises(TrustscopeError, match="3 and 4 rows"):
        tables.aligned([np.ones((3, 2)), None, np.ones((4, 2))])


# One kind of error, and what is printed


def test_all_errors_on_purpose_have_one_base():
    for wrong in (
        lambda: ts.load("nowhere"), lambda: ts.GaussianRelease(["a"], key=1), lambda: ts.level_from_trust(0),
        lambda: ts.Scenario.load("nowhere.json"), lambda: ts.Study("iris", secret="x"),
        lambda: ts.GaussianRelease([1.0, 2.0], key=-1), lambda: ts.RotationRelease([1.0], key=2),
    ):  # fmt: skip
        with pytest.raises(ts.TrustscopeError) as caught:
            wrong()
        assert isinstance(caught.value, ValueError)


def test_what_is_printed_is_short(frame):
    assert repr(ts.load("iris")).startswith("<Dataset iris: 150 rows; numbers Sepal length")
    assert "<table" in ts.load("iris")._repr_html_()
    found = ts.Study(frame, attackers="perfect").figures()
    assert found.verdict in repr(found)
    assert len(repr(found)) < 300
    assert found.frame().loc["rows", "value"] == 60
    assert "coalition.error" in found._repr_html_()


def test_the_command_says_its_version():
    done = subprocess.run([sys.executable, "-m", "trustscope", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"trustscope {ts.__version__}\n"
