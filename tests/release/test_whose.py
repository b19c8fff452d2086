"""Whose copy a found file is: unaltered, a part, altered, mixed; and that nobody is named by chance.

What `whose` promises is one false alarm in a million files; `test_strangers_are_not_named_by_chance` holds the chances
that it goes by against strangers, for each of the three looks. All keys here are fixed.
"""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from release_help import TERMS, make_ledger, read, survey, write

from trustscope.engine.cipher import CipherSource
from trustscope.release import Problem, whose
from trustscope.release.cells import shared_cells
from trustscope.release.comparing import Comparison
from trustscope.release.making import Job
from trustscope.release.nearest import nearest
from trustscope.release.recipe import Maker
from trustscope.release.whose import _Case

ROWS = 2_000


@pytest.fixture(scope="module")
def tmp_path(tmp_path_factory):
    """One folder for all tests here: they only look."""
    return tmp_path_factory.mktemp("whose")


@pytest.fixture(scope="module")
def out(tmp_path):
    """Six copies for seven recipients: two close together, two equal, two told apart by fingerprints alone."""
    data = write(survey(ROWS, missing=0.02), tmp_path / "s.parquet")
    with make_ledger(tmp_path / "l", data, store="file") as ledger:
        for name, trust, retention in [("A", 80, 60), ("B", 60, 40), ("C", 59.9, 40), ("D", 20, 10), ("E", 20, 10)]:
            ledger.copy(name, trust, retention, out=tmp_path / f"{name}.parquet", **TERMS)
        for name in "GH":
            copy = ledger.copy(name, 40, 30, out=tmp_path / f"{name}.parquet", fingerprint=True, **TERMS)
            assert "adds 0.25 % to the variance" in copy.notes[-1]
        yield ledger


@pytest.fixture(scope="module")
def frames(out, tmp_path):
    """The copies and the data, as frames."""
    made = {name: read(tmp_path / f"{name}.parquet").to_pandas() for name in "ABCDGH"}
    return {**made, "data": read(tmp_path / "s.parquet").to_pandas()}


def shuffled(frame, rows=ROWS):
    return frame.sample(rows, random_state=1)


def scaled(frame):
    return frame.assign(age=1.05 * frame["age"], income=1.05 * frame["income"])


def blurred(frame):
    """Every number changed by up to 5 %, each by itself."""
    rng = np.random.default_rng(9)
    return frame.assign(**{n: frame[n] * (1 + rng.uniform(-0.05, 0.05, len(frame))) for n in ("age", "income")})


def averaged(one, other):
    return one.assign(age=(one["age"] + other["age"]) / 2, income=(one["income"] + other["income"]) / 2)


def asked(ledger, frame):
    return ledger.whose(pa.Table.from_pandas(frame, preserve_index=False))


# What was done to the copy of A, and whether it counts as altered.
PARTS = {
    "as it is": lambda f: f,
    "sorted otherwise": lambda f: f.sort_values("income"),
    "a sample": lambda f: f.sample(60, random_state=1),
    "a few rows": lambda f: f.sample(12, random_state=2),
    "one column": lambda f: f[["income"]],
    "one coarse column, shuffled": lambda f: shuffled(f[["age"]]),
    "categories and year only": lambda f: f[["region", "diagnosis", "year"]],
    "categories and year only, shuffled": lambda f: shuffled(f[["region", "diagnosis", "year"]]),
    "rounded": lambda f: f.assign(income=f["income"].round(-3)),
    "rounded twice and sampled": lambda f: f.round({"income": -2, "age": -1}).sample(700, random_state=3),
    "some rows altered": lambda f: f.assign(income=f["income"].where(np.arange(len(f)) % 50 > 0, 1.0)),
    "the kept column is wrong": lambda f: f.assign(year=1_900),
}  # fmt: skip


@pytest.mark.sweep
@pytest.mark.parametrize("case", PARTS)
def test_a_copy_or_a_part_of_it_is_named(out, frames, case):
    verdict = asked(out, PARTS[case](frames["A"]))
    assert verdict.kind == "copy"
    assert [out.record.copies[0].variant] == list(verdict.named)
    assert verdict.holders[0].recipients == ("A",)
    assert verdict.holders[0].ratio > 3
    assert verdict.chance < whose.FALSE_ALARM
    assert "The file is the copy of “A” (trust 80 %, retention 60 %), or a part of it." in verdict.sentence
    assert "It is not an unaltered copy of “B”, “C”, “D”, “E”, “G” or “H”." in verdict.sentence
    assert "cannot be" not in verdict.sentence


ALTERED = {
    "scaled by 5 %": scaled,
    "changed by up to 5 %": blurred,
    "scaled by 5 %, shuffled": lambda f: shuffled(scaled(f)),
    "scaled by 5 %, a sample": lambda f: shuffled(scaled(f), 500),
    "changed by up to 5 %, a sample": lambda f: shuffled(blurred(f), 1_000),
}  # fmt: skip


@pytest.mark.parametrize("case", ALTERED)
def test_altered_numbers_do_not_clear_the_holder(out, frames, case):
    verdict = asked(out, ALTERED[case](frames["A"]))
    assert verdict.kind == "altered"
    assert verdict.holders[0].recipients == ("A",)
    assert verdict.equal == ("region", "diagnosis")
    assert verdict.altered == ("age", "income")
    assert (
        "matches the copy of “A” (trust 80 %, retention 60 %) in region and diagnosis; age and income were altered"
        in (verdict.sentence)
    )


def test_columns_are_judged_by_themselves(out, frames):
    verdict = asked(out, frames["B"].assign(age=1, income=frames["B"]["income"] + 0.00314159))
    assert verdict.holders[0].recipients == ("B",)
    assert (verdict.equal, verdict.altered) == (("region", "diagnosis"), ("age", "income"))
    verdict = asked(out, shuffled(frames["B"].assign(region="north")))
    assert verdict.holders[0].recipients == ("B",)
    assert "region was altered" in verdict.sentence
    # All columns altered, rows in order: the noise is still there.
    verdict = asked(out, blurred(frames["D"])[["age", "income"]])
    assert "follows the noise of the copy of “D” or “E”" in verdict.sentence
    assert "who hold the same copy" in verdict.sentence


def test_levels_close_together_and_equal_copies(out, frames):
    for name in "BC":
        assert asked(out, shuffled(frames[name], 500)).holders[0].recipients == (name,)
    assert "“D” or “E” (trust 20 %, retention 10 %), who hold the same copy" in asked(out, frames["D"]).sentence
    # Altered enough, close levels are named together.
    verdict = asked(out, shuffled(blurred(frames["C"])[["age", "income", "year"]], 600))
    assert verdict.kind == "unexplained" or {v.trust for v in verdict.named} >= {599, 600}


@pytest.mark.parametrize("shuffle", [False, True])
def test_a_mixture_names_all_whose_copies_it_holds(out, frames, shuffle):
    change = shuffled if shuffle else lambda f: f
    for one, other, says in [
        ("A", "B", "“A” (about 50 %) and “B” (about 50 %)"),
        ("A", "D", "“A” (about 50 %) and “D” or “E” (about 50 %)"),
    ]:
        verdict = asked(out, change(averaged(frames[one], frames[other])))
        assert verdict.kind == "mixture"
        assert says in verdict.sentence
    verdict = asked(out, change(pd.concat([frames["A"][: ROWS // 2], frames["B"][ROWS // 2 :]])))
    assert verdict.kind == "mixture"
    assert {one.recipients for one in verdict.holders if one.weight > 0.4} == {("A",), ("B",)}


def test_fingerprints_tell_holders_of_the_same_copy_apart(out, frames):
    for name in "GH":
        for change in (shuffled, blurred, lambda f: f.sample(40, random_state=3)):
            verdict = asked(out, change(frames[name]))
            assert [one.recipients for one in verdict.holders[:1]] == [(name,)]
            assert len(verdict.named) == 1
    # Pooling weakens fingerprints and does not remove them.
    assert "“G” (about 50 %) and “H” (about 50 %)" in asked(out, averaged(frames["G"], frames["H"])).sentence


def test_the_data_itself_is_recognised(out, frames):
    for frame in (frames["data"], shuffled(frames["data"], 300)):
        assert "looks like the original data" in asked(out, frame).sentence
    assert "looks like the original data, altered" in asked(out, blurred(frames["data"])).sentence


def test_nothing_clears_anybody(out, frames, tmp_path):
    with make_ledger(tmp_path / "other", tmp_path / "s.parquet") as other:
        other.copy("A", 80, 60, out=tmp_path / "Z.parquet", **TERMS)
    stranger = read(tmp_path / "Z.parquet").to_pandas()
    for frame in (shuffled(blurred(stranger)), survey(900, key=7).to_pandas()):
        verdict = asked(out, frame)
        assert verdict.kind == "unexplained"
        assert verdict.named == ()
        assert verdict.sentence.startswith("The file is not an unaltered copy of anything that is out")
        assert "This clears nobody" in verdict.sentence
    assert "too little in it to tell" in asked(out, frames["D"][["region"]].head(3)).sentence


def test_files_that_cannot_be_compared(out, frames):
    for change, match in [
        (lambda f: f[["year"]], "none of the perturbed columns"),
        (lambda f: f.head(0), "no rows"),
        (lambda f: f[["year"]].rename(columns={"year": "other"}), "none of the ledger's columns"),
    ]:
        with pytest.raises(Problem, match=match):
            asked(out, change(frames["A"]))


def looks(ledger, table):
    """The chance of a false alarm by which each of the three looks goes, and the highest likelihood ratio of cells."""
    record, key = ledger._reading()
    job = Job(ledger.recipe(), ledger._data(record), record.data["rows"], ledger._store.units(record.versions))
    copies = {copy.variant: [copy] for copy in record.copies}
    comparison = Comparison(table, job.recipe)
    case = _Case(comparison, job, copies, key, {}, None)
    case.in_order()
    evidence = case._evidence(comparison.rows, case.in_place)
    sets = shared_cells(comparison, job, case.variants, key)
    near = nearest(comparison, job, case.variants, key, case.in_place, dict)
    chances = [
        min(one.log_chance for one in evidence) + np.log(len(evidence)),
        min(min(one.log_chance.values()) for one in sets) + np.log(len(sets) * len(copies)),
        min(one.log_chance for one in near) + np.log(len(near)),
    ]
    return [*np.exp(np.minimum(chances, 0)), max(max(one.ratios.values()) for one in sets)]


def test_strangers_are_not_named_by_chance(tmp_path):
    # A copy at the same setting under another key looks as much alike as anything can. Each look's chance is a bound:
    # of 12 strangers more than 6 are below 0.1 in one of three looks with a probability of at most 3 x 5e-5.
    data = write(survey(300, missing=0.02), tmp_path / "few.parquet")
    with make_ledger(tmp_path / "few", data) as ledger:
        for name, trust, retention in [("A", 70, 60), ("B", 30, 40)]:
            ledger.copy(name, trust, retention, out=tmp_path / f"few-{name}.parquet", **TERMS)
        recipe, table = ledger.recipe(), survey(300, missing=0.02).drop_columns("name")
        found = []
        for number in range(12):
            key = CipherSource(bytes([number]) * 32).part_key(0)
            found.append(looks(ledger, Maker(recipe, 700, 600, 0, key).copy(0, table)))
        found = np.array(found)
        assert (found[:, :3] < 0.1).sum(axis=0).max() <= 6
        assert found[:, :3].min() > whose.FALSE_ALARM / whose.LOOKS
        # Likelihood ratios alone would accuse: the bounds are needed.
        assert (found[:, 3] > np.log(1e3)).mean() > 0.2
        # And the looks do see: the copy that is out, under the real key, in and out of order.
        real = read(tmp_path / "few-A.parquet")
        assert looks(ledger, real)[0] < 1e-12
        assert looks(ledger, real.take(np.random.default_rng(1).permutation(300)))[1] < 1e-12
