"""The parts that copies are made of: units of rows, digests, moments, roles; against slow versions."""

import hashlib

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from release_help import survey, write

from trustscope.release import digests, moments, plan
from trustscope.release.plan import Data, regroup
from trustscope.release.problems import Problem


@given(st.lists(st.integers(0, 50), max_size=30), st.integers(0, 5), st.one_of(st.none(), st.integers(0, 400)))
def test_regrouping_keeps_every_row_in_whole_units(sizes, start_unit, stop):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "UNIT", 32)
        total, start = sum(sizes), start_unit * 32
        stop = None if stop is None else start + stop
        rows = pa.table({"x": np.arange(start, start + total)})
        places = np.cumsum([0, *sizes])
        batches = (rows.slice(a, n) for a, n in zip(places, sizes, strict=False))
        units = list(regroup(batches, start, stop))
    wanted = np.arange(start, start + total if stop is None else min(start + total, max(stop, start)))
    found = [np.asarray(table.column("x")) for _, table in units]
    np.testing.assert_array_equal(np.concatenate([[], *found]), wanted)
    assert all(first == rows[0] and first % 32 == 0 for (first, _), rows in zip(units, found, strict=True))
    assert all(len(rows) == 32 for rows in found[:-1])


def test_any_range_of_units_is_part_of_the_whole(tmp_path):
    table = survey(3 * plan.UNIT + 777)
    data = Data(write(table, tmp_path / "s.parquet", row_group_size=100_001))
    whole = list(data.units(["age", "region"]))
    assert [first for first, _ in whole] == [n * plan.UNIT for n in range(4)]
    some = list(data.units(["age", "region"], plan.UNIT, 3 * plan.UNIT))
    assert [first for first, _ in some] == [plan.UNIT, 2 * plan.UNIT]
    for (_, a), (_, b) in zip(some, whole[1:3], strict=True):
        assert a.equals(b)
    assert [piece.first for piece in data.pieces] == [0, 100_001, 200_002, 300_003]


@pytest.mark.parametrize(
    "values",
    [
        pa.array([1, None, 3]),
        pa.array([1.5, None, float("nan"), 2.0]),
        pa.array(["a", None, "", "ü"]),
        pa.array([True, None, False]),
        pa.array([None, None]),
        pa.array([b"x", b"yy"]),
        pa.array([1, 2], pa.timestamp("us")),
        pa.array([], pa.string()),
    ],
)
def test_digests_do_not_depend_on_encoding(values):
    once = digests.column(values)
    padded = pa.concat_arrays([values, values, values]).slice(len(values), len(values))
    assert digests.column(padded) == once
    assert digests.column(pa.chunked_array([values.slice(0, 1), values.slice(1)])) == once
    if pa.types.is_string(values.type):
        assert digests.column(values.cast(pa.large_string())) == once
    if len(values):
        assert digests.column(values.slice(1)) != once


def test_digests_tell_values_apart():
    different = [["ab", "c"], ["a", "bc"], ["ab", None], [None, "ab"], ["ab", ""], ["", "ab"]]
    assert len({digests.column(pa.array(values)) for values in different}) == len(different)
    assert digests.column(pa.array([1, 2])) != digests.column(pa.array([1.0, 2.0]))
    content = hashlib.sha256(b"int64:2:" + np.array([1, 2]).tobytes()).digest()
    assert digests.column(pa.array([1, 2])) == content


def slow_covariance(values):
    """Over complete pairs, one pair at a time."""
    size = len(values)
    out = np.empty((size, size))
    for i in range(size):
        for j in range(size):
            both = ~np.isnan(values[i]) & ~np.isnan(values[j])
            out[i, j] = np.cov(values[i][both], values[j][both])[0, 1]
    return out


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_moments_equal_the_slow_version(missing):
    rng = np.random.default_rng(1)
    values = rng.normal(size=(3, 5_000)) + np.array([[1e6], [0], [-5]])
    values[1] += 0.5 * values[0]
    values[rng.random(values.shape) < missing] = np.nan
    found = moments.Moments("abc")
    for part in np.array_split(values, [10, 11, 2_000], axis=1):
        found.add(part)
    mean, covariance, notes = found.result()
    np.testing.assert_allclose(mean, np.nanmean(values, axis=1), rtol=1e-12)
    np.testing.assert_allclose(covariance, slow_covariance(values), rtol=1e-7, atol=1e-9)
    assert bool(notes) == bool(missing)


def test_an_indefinite_covariance_is_made_semidefinite_and_said():
    # Each pair is seen in other rows, with correlations that cannot hold together.
    x = np.full((3, 300), np.nan)
    t = np.random.default_rng(2).normal(size=100)
    x[0, :100], x[1, :100] = t, t
    x[1, 100:200], x[2, 100:200] = t, t
    x[0, 200:], x[2, 200:] = t, -t
    found = moments.Moments("abc")
    found.add(x)
    assert np.linalg.eigvalsh(slow_covariance(x)).min() < -0.1
    _, covariance, notes = found.result()
    assert np.linalg.eigvalsh(covariance).min() > -1e-12
    np.testing.assert_allclose(np.diag(covariance), np.diag(slow_covariance(x)))
    assert any("not positive semidefinite" in note for note in notes)


def test_roles_come_in_the_order_of_the_data(tmp_path):
    from trustscope.release.roles import Roles

    data = Data(write(survey(5), tmp_path / "s.parquet"))
    roles = Roles.of(data, numbers=["income", "age"], keep=["year"], drop=["name", "region", "diagnosis"])
    assert roles.numbers == ("age", "income")
    assert roles.read == ("age", "income", "year")
    with pytest.raises(Problem, match="no column"):
        Roles.of(data, numbers=["Age"])
