"""A found file is read in pieces and forgives the spelling of whatever program wrote it."""

import numpy as np
import pyarrow as pa
import pytest
from release_help import survey, write

from trustscope.release import Problem, found_file
from trustscope.release.plan import UNIT, Data
from trustscope.release.roles import Roles


@pytest.fixture
def roles(tmp_path):
    data = Data(write(survey(10), tmp_path / "s.parquet"))
    return Roles.of(
        data, numbers=["age", "income"], categories=["region", "diagnosis"], keep=["year"], drop=["name"]
    )  # fmt: skip


@pytest.mark.parametrize("ending", ["csv", "parquet", None])
def test_columns_that_a_copy_could_have(roles, tmp_path, ending):
    table = survey(200, missing=0.1).append_column("more", pa.array(range(200)))
    got = found_file.read_sample(table if ending is None else write(table, tmp_path / f"f.{ending}"), roles).table
    assert got.column_names == ["age", "income", "region", "diagnosis", "year"]
    assert got.schema.types == [pa.float64(), pa.float64(), pa.string(), pa.string(), pa.string()]
    assert got.column("income").to_pylist() == table.column("income").to_pylist()
    assert got.column("diagnosis").null_count == table.column("diagnosis").null_count


def test_a_sample_is_drawn_evenly_from_all_rows_while_few_are_held(roles, monkeypatch):
    rows, most = 3 * UNIT + 500, 2_000
    monkeypatch.setattr(found_file, "MOST_ROWS", most)
    sample = found_file.read_sample(pa.table({"age": np.arange(rows)}), roles)
    got = sample.table.column("age").to_numpy()
    assert np.array_equal(got, sample.places)
    assert sample.rows == rows
    assert len(np.unique(got)) == len(got) == most
    assert np.all(np.diff(got) > 0)
    # Thirds of the rows: each count is within 5 standard deviations, one false alarm in a million keys.
    counts = np.histogram(got, bins=3, range=(0, rows))[0]
    assert np.abs(counts - most / 3).max() < 5 * np.sqrt(most * 2 / 9)


def test_what_is_no_number_counts_as_missing(roles):
    table = pa.table({"age": ["30", "old", None, "inf", "4.50"], "income": pa.nulls(5), "region": [1, 2, None, 1, 1]})
    got = found_file.read_sample(table, roles).table
    assert got.column("age").to_pylist() == [30, None, None, None, 4.5]
    assert got.column_names == ["age", "region"]  # a column without a value tells nothing
    dates = pa.table({"age": pa.array([1, 2], pa.timestamp("us")), "region": pa.array(["a", "b"]).dictionary_encode()})
    assert found_file.read_sample(dates, roles).table.column("region").to_pylist() == ["a", "b"]


def test_one_spelling_for_the_same_category():
    assert found_file.plain_texts(pa.array([True, False, None])).to_pylist() == ["true", "false", None]
    assert found_file.plain_texts(pa.array(["True", " false", None])).to_pylist() == ["true", "false", None]
    for column in (pa.array([1, 2]), pa.array([1.0, 2.0]), pa.array(["1", "2.0"])):
        assert found_file.plain_texts(pa.chunked_array([column])).to_pylist() == ["1", "2"]


def test_files_with_nothing_to_compare(roles):
    with pytest.raises(Problem, match="none of the ledger's columns"):
        found_file.read_sample(pa.table({"more": [1]}), roles)
    with pytest.raises(Problem, match="no rows"):
        found_file.read_sample(pa.table({"age": pa.array([], pa.int64())}), roles)
