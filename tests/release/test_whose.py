"""Whose copy a found file is."""

import numpy as np
import pyarrow as pa
import pytest
from release_help import make_ledger, read, survey, write

from trustscope.release import Problem, keystore


@pytest.fixture(scope="module")
def tmp_path(tmp_path_factory):
    """One folder for all tests here: they only look."""
    return tmp_path_factory.mktemp("whose")


@pytest.fixture(scope="module")
def out(tmp_path):
    """Five copies for six recipients, with files."""
    data = write(survey(4_000, missing=0.02), tmp_path / "s.parquet")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keystore, "COST", 2**4)
        made = make_ledger(tmp_path / "l", data, store="file")
    with made as ledger:
        for name, trust, retention in [
            ("A", 80, 60), ("B", 60, 40), ("C", 59.9, 40), ("D", 20, 10), ("E", 60, 39), ("F", 20, 10),
        ]:  # fmt: skip
            ledger.copy(name, trust, retention, out=tmp_path / f"{name}.parquet")
        yield ledger


def found(tmp_path, name, change, ending="csv"):
    path = tmp_path / f"found.{ending}"
    frame = read(tmp_path / f"{name}.parquet").to_pandas()
    write(pa.Table.from_pandas(change(frame), preserve_index=False), path)
    return path


CHANGES = {
    "as it is": lambda f: f,
    "sorted otherwise": lambda f: f.sort_values("income"),
    "sampled": lambda f: f.sample(60, random_state=1),
    "a few rows": lambda f: f.sample(12, random_state=2),
    "one column": lambda f: f[["income"]],
    "categories and year only": lambda f: f[["region", "diagnosis", "year"]],
    "rounded": lambda f: f.assign(income=f["income"].round(-3)),
    "rounded twice and sampled": lambda f: f.round({"income": -2, "age": -1}).sample(800, random_state=3),
    "some rows altered": lambda f: f.assign(income=f["income"].where(np.arange(len(f)) % 50 > 0, 1.0)),
    "the kept column is wrong": lambda f: f.assign(year=1_900),
}  # fmt: skip


@pytest.mark.parametrize("case", CHANGES)
def test_the_right_copy_is_named(out, tmp_path, case):
    verdict = out.whose(found(tmp_path, "A", CHANGES[case]))
    assert verdict.suspects[0].recipients == ("A",)
    assert verdict.error < 1e-3
    assert "“A”" in verdict.sentence
    assert "cannot be the copy of “B”, “C”, “D”" in verdict.sentence


def test_levels_close_together_and_equal_copies(out, tmp_path):
    for name in "BCE":
        verdict = out.whose(found(tmp_path, name, lambda f: f.sample(500, random_state=1), "parquet"))
        assert verdict.suspects[0].recipients == (name,)
        assert verdict.error < 1e-3
    verdict = out.whose(tmp_path / "F.parquet")
    assert verdict.suspects[0].recipients == ("D", "F")
    assert "who hold the same copy" in verdict.sentence


def test_the_data_itself_and_strangers_are_nobodys(out, tmp_path):
    # A copy at the same settings under another key is a stranger too, however much it looks alike.
    with make_ledger(tmp_path / "other", tmp_path / "s.parquet") as other:
        other.copy("A", 80, 60, out=tmp_path / "Z.parquet")
    for path in (tmp_path / "Z.parquet", write(survey(900, key=7), tmp_path / "stranger.csv")):
        verdict = out.whose(path)
        assert verdict.nobody > 0.999
        assert "none of the copies" in verdict.sentence


def test_too_little_to_tell_is_said_so(out, tmp_path):
    verdict = out.whose(found(tmp_path, "D", lambda f: f[["region"]].head(3)))
    assert verdict.error > 0.1


def test_files_that_cannot_be_compared(out, tmp_path):
    for change, match in [
        (lambda f: f[["year"]], "none of the perturbed columns"),
        (lambda f: f.head(0), "no rows"),
        (lambda f: f[["income"]] + 0.00314159, "not on the ledger's grid"),
    ]:
        with pytest.raises(Problem, match=match):
            out.whose(found(tmp_path, "A", change))
