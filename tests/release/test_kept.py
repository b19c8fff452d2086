"""What is looked at before the first copy: crowds by brute force, and what kept columns single out."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from release_help import PASSPHRASE, write

from trustscope.release import Ledger, Problem, kept
from trustscope.release.kept import Crowds, sentences


def people(rows=3_000):
    rng = np.random.default_rng(8)
    return pa.table({
        "age": rng.integers(18, 90, rows), "wage": rng.normal(900, 300, rows).round(),
        "sex": rng.choice(["f", "m"], rows).tolist(),
        "town": pa.array([f"t{n}" if n else None for n in np.minimum(rng.geometric(0.02, rows) - 1, 400)]),
    })  # fmt: skip


def in_crowds_below(frame, columns, size):
    """By the definition."""
    crowd = frame.groupby(columns, dropna=False)[columns[0]].transform("size")
    return int((crowd < size).sum())


ROLES = {"numbers": ["age", "wage"], "keep": ["sex", "town"], "store": "memory", "passphrase": PASSPHRASE}


def test_crowds_are_those_of_brute_force(tmp_path, monkeypatch):
    table = people()
    data, frame = write(table, tmp_path / "data.parquet"), table.to_pandas()
    with pytest.raises(Problem, match=r"rows? (is|are) alone with .* kept columns sex, town: .*--accept-unique"):
        Ledger.create(tmp_path / "ledger", data, **ROLES)
    assert not (tmp_path / "ledger").exists()
    with Ledger.create(tmp_path / "ledger", data, **ROLES, accept_unique=True) as ledger:
        found = ledger.kept
        assert ledger.record.created["accepted_unique"] is True
        assert "was accepted by" in ledger.report()
    assert [one.column for one in found.singled] == ["", "age", "wage"]
    for one in found.singled:
        columns = ["sex", "town", *([one.column] if one.column else [])]
        # A missing town is a town of its own: what is missing is known.
        counted = frame.assign(town=frame["town"].fillna("none"))
        assert one.unique == in_crowds_below(counted, columns, 2)
        assert one.small == in_crowds_below(counted, columns, 5)
    first, *_ = sentences(found)
    assert f"{found.by_kept_alone.small:,} of 3,000 are in crowds of fewer than 5" in first


def test_nothing_is_refused_where_nobody_stands_alone(tmp_path):
    table = people()
    data = write(table.select(["age", "wage", "sex"]), tmp_path / "data.parquet")
    with Ledger.create(tmp_path / "ledger", data, **{**ROLES, "keep": ["sex"]}) as ledger:
        assert ledger.kept.by_kept_alone.unique == 0
        assert "was accepted by" not in ledger.report()
    bare = write(table.select(["age", "wage"]), tmp_path / "bare.parquet")
    with Ledger.create(tmp_path / "other", bare, **{**ROLES, "keep": []}) as ledger:
        assert ledger.kept.by_kept_alone is None
        assert [one.column for one in ledger.kept.singled] == ["age", "wage"]


def test_too_many_crowds_are_estimated_from_whole_ones(monkeypatch):
    """Of 40 000 crowds about 1 250 are counted: within 5 standard errors of the truth, a false alarm in 10^6."""
    monkeypatch.setattr(kept, "MOST", 2_000)
    rng = np.random.default_rng(5)
    sizes = rng.integers(1, 4, 40_000)
    names = np.repeat(rng.integers(0, 2**63, 40_000).astype(np.uint64) * np.uint64(2), sizes)
    crowds = Crowds()
    for part in np.array_split(rng.permutation(names), 7):
        crowds.add(part)
    assert not crowds.exact
    truth = int((sizes == 1).sum())
    chosen = truth * 1_250 / 40_000
    assert crowds.below(2) == pytest.approx(truth, abs=5 * truth / np.sqrt(chosen))
    assert crowds.below(4) <= crowds.rows == len(names)


def test_older_ledgers_were_not_looked_at():
    assert kept.Kept.from_record(None) is None
    looked = kept.Kept(("sex",), 3, (kept.Singled("", 1, 3),), True)
    assert kept.Kept.from_record(looked.record()) == looked
    assert next(sentences(looked)).startswith("1 row is alone with")


@pytest.mark.parametrize("type_", [pd.Timestamp, str, float])
def test_hashes_tell_values_apart_whatever_their_type(type_):
    values = {pd.Timestamp: pd.date_range("2020-01-01", periods=50), str: [f"v{i}" for i in range(50)],
              float: np.arange(50) / 4}[type_]  # fmt: skip
    table = pa.table({"x": pa.array(list(values) * 2)})
    crowds = Crowds()
    crowds.add(kept._join(np.zeros(100, dtype=np.uint64), table.column("x")))
    assert crowds.below(2) == 0
    assert crowds.below(3) == 100


def test_columns_with_which_nobody_is_in_a_small_crowd_are_named_together():
    found = (kept.Singled("age", 0, 0), kept.Singled("wage", 3, 7), kept.Singled("sex", 0, 0))
    assert list(sentences(kept.Kept((), 100, found, True))) == [
        "3 rows are alone for somebody who knows wage exactly, and 7 are in crowds of fewer than 5.",
        "For somebody who knows one of age, sex exactly, everybody is in a crowd of at least 5.",
    ]
