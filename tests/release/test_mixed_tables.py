"""Real tables: dates, gaps, files without a header, folders with partitions, databases."""

import datetime
import sqlite3
import stat
import sys
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from release_help import make_ledger, read, survey, write

from trustscope.app.cli import main
from trustscope.release import Problem, words
from trustscope.release.plan import Data
from trustscope.release.sources import fetch
from trustscope.release.temporal import as_counts, as_type

NOTHING = {"numbers": [], "categories": [], "keep": [], "drop": []}


def visits(rows=2_000, key=1):
    """People with a birthday, a visit to the second, an income with gaps and a weight of the survey."""
    rng = np.random.default_rng(key)
    birth = rng.integers(-10_000, 12_000, rows).astype("datetime64[D]")
    visit = (1_700_000_000 + rng.integers(0, 10**7, rows)).astype("datetime64[s]")
    return pa.table(
        {
            "birth": pa.array(birth.tolist(), pa.date32()),
            "visit": pa.array(visit, pa.timestamp("us")),
            "income": pa.array(np.round(rng.normal(3_000, 800, rows), 2), mask=rng.random(rows) < 0.1),
            "weight": np.round(rng.uniform(0.5, 2.0, rows), 3),
        }
    )


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_dates_are_numbers_with_a_grid(tmp_path, ending):
    table = visits()
    data = write(table.drop_columns("visit") if ending == "csv" else table, tmp_path / f"d.{ending}")
    roles = {**NOTHING, "numbers": ["income"], "dates": ["birth"], "keep": ["weight"], "grids": {"birth": 7}}
    if ending == "parquet":
        roles |= {"numbers": ["income", "visit", "birth"], "dates": [], "grids": {"birth": 7, "visit": 60}}
    with make_ledger(tmp_path / "l", data, **roles) as ledger:
        ledger.copy("A", 60, out=tmp_path / "a.parquet")
        ledger.copy("A", 60, out=tmp_path / "a.csv")
        made = read(tmp_path / "a.parquet")
        assert made.schema.field("birth").type == pa.date32()
        days = np.asarray(as_counts(made.column("birth")), dtype=float)
        assert np.all(days % 7 == 0)
        noise = days - np.asarray(as_counts(table.column("birth")), dtype=float)
        # Five standard errors of a variance: one false alarm in a million keys.
        spread = np.var(np.asarray(as_counts(table.column("birth")), dtype=float))
        assert noise.var() == pytest.approx(0.4 / 0.6 * spread, rel=5 * np.sqrt(2 / len(days)))
        if ending == "parquet":
            assert made.schema.field("visit").type == pa.timestamp("us")
            assert np.all(np.asarray(as_counts(made.column("visit")), dtype=float) % 60 == 0)
        # Survey weights are carried along, row by row.
        weights = read(data).column("weight") if ending == "parquet" else table.column("weight")
        assert np.array_equal(np.asarray(made.column("weight"), dtype=float), np.asarray(weights, dtype=float))
        assert ledger.whose(tmp_path / "a.csv").holders[0].recipients == ("A",)
        assert all(one.holds for one in ledger.check())


def test_dates_that_are_none_and_grids_that_cut_days(tmp_path):
    data = write(visits(50), tmp_path / "d.parquet")
    with pytest.raises(Problem, match="“income” holds values of type double, not dates"):
        make_ledger(tmp_path / "l", data, **{**NOTHING, "dates": ["income"], "drop": ["birth", "visit", "weight"]})
    roles = {**NOTHING, "numbers": ["birth"], "drop": ["income", "visit", "weight"]}
    with pytest.raises(Problem, match="rounded to whole days"):
        make_ledger(tmp_path / "l", data, **roles, grids={"birth": "0.5"})


@pytest.mark.parametrize("type_", [pa.date32(), pa.date64(), *(pa.timestamp(unit) for unit in ("s", "ms", "us"))])
def test_counts_of_dates_and_times_go_both_ways(type_):
    days = [datetime.date(1900, 2, 28), datetime.date(1970, 1, 1), datetime.date(2400, 12, 31)]
    column = pa.array(days, pa.date32()).cast(type_)
    counts = np.asarray(pa.chunked_array([as_counts(column)]).cast(pa.float64()))
    assert as_type(counts, type_, None).equals(column)
    assert as_type(counts, type_, np.array([False, True, False])).null_count == 1
    if pa.types.is_timestamp(type_) and type_.unit == "us":
        odd = pa.array([-1, 1, 1_700_000_000_123_456], type_)
        assert as_type(np.asarray(as_counts(odd)), type_, None).equals(odd)


def test_missing_stays_missing_and_says_that_this_tells_something(tmp_path):
    table = survey(1_000, missing=0.1)
    with make_ledger(tmp_path / "l", write(table, tmp_path / "d.parquet")) as ledger:
        count = table.column("income").null_count
        (note,) = [note for note in ledger.record.created["recipe"]["notes"] if "stay missing" in note]
        assert f"“income” ({count})" in note
        assert f"“diagnosis” ({table.column('diagnosis').null_count})" in note
        assert "may tell something by itself" in note
        ledger.copy("A", 60, 40, out=tmp_path / "a.parquet")
        made = read(tmp_path / "a.parquet")
        for name in ("income", "diagnosis"):
            assert made.column(name).is_null().equals(table.column(name).is_null())


def test_a_file_without_a_header(tmp_path):
    path = tmp_path / "d.csv"
    pa.csv.write_csv(survey(400), path, pa.csv.WriteOptions(include_header=False))
    roles = {"numbers": ["c2", "c3"], "categories": ["c4", "c5"], "keep": ["c6"], "drop": ["c1"]}
    with make_ledger(tmp_path / "l", path, header=False, **roles) as ledger:
        assert ledger.record.data["rows"] == 400
        ledger.copy("A", 60, 40, out=tmp_path / "a.parquet")
        assert read(tmp_path / "a.parquet").column_names == ["c2", "c3", "c4", "c5", "c6"]
        more = pa.concat_tables([survey(400), survey(10, key=2)])
        pa.csv.write_csv(more, path, pa.csv.WriteOptions(include_header=False))
        assert ledger.append() == 10
        assert all(one.holds for one in ledger.check())


def test_a_partitioned_dataset_is_the_same_data(tmp_path):
    table = survey(900).sort_by("year")
    table = table.filter(pa.compute.less(table.column("year"), 2_004))
    pq.write_to_dataset(table, tmp_path / "parts", partition_cols=["year"])
    (tmp_path / "parts" / "_metadata.parquet").write_bytes(b"no data")
    (tmp_path / "parts" / "notes").mkdir()
    write(table, tmp_path / "parts" / "notes" / "else.parquet")
    data = Data(tmp_path / "parts")
    assert data.rows == len(table)
    assert [dict(piece.keys)["year"] for piece in data.pieces] == sorted({2000, 2001, 2002, 2003})
    whole = write(pa.concat_tables([t for _, t in data.units(list(data.types))]), tmp_path / "whole.parquet")
    with make_ledger(tmp_path / "one", tmp_path / "parts") as one, make_ledger(tmp_path / "one.two", whole) as other:
        one.copy("A", 60, 40, out=tmp_path / "a.parquet")
        assert other.recipe().record()["covariance"] == one.recipe().record()["covariance"]
        made = read(tmp_path / "a.parquet")
        assert made.column("year").to_pylist() == read(whole).column("year").cast(pa.int32()).to_pylist()
        assert all(finding.holds for finding in one.check())


def _sqlite(path, table):
    with sqlite3.connect(path) as base:
        base.execute('create table "the people" (age integer, income real, region text)')
        columns = [table.column(name).to_pylist() for name in ("age", "income", "region")]
        base.executemany('insert into "the people" values (?, ?, ?)', zip(*columns, strict=True))
    base.close()


def test_a_table_of_sqlite_is_written_once(tmp_path, capsys, monkeypatch):
    pytest.importorskip("adbc_driver_sqlite")
    monkeypatch.chdir(tmp_path)
    table = survey(300, missing=0.1).select(["age", "income", "region"])
    _sqlite(tmp_path / "people.db", table)
    ask = ["release", "fetch", "--sqlite", "people.db", "--out", "d.parquet"]
    assert main([*ask, "--table", "the people"]) == 0
    assert "300 rows are at d.parquet" in capsys.readouterr().out
    assert pq.read_table("d.parquet").equals(table)
    assert stat.S_IMODE((tmp_path / "d.parquet").stat().st_mode) == 0o600
    roles = {**NOTHING, "numbers": ["age", "income"], "categories": ["region"]}
    with make_ledger(tmp_path / "l", tmp_path / "d.parquet", **roles) as ledger:
        assert ledger.copy("A", 60, 40, out=tmp_path / "a.parquet").rows == 300
    assert fetch("q.parquet", sqlite="people.db", query='select age from "the people" where age > 60 order by age') > 0
    uri = (tmp_path / "people.db").as_uri()
    assert fetch("u.parquet", adbc="adbc_driver_sqlite", uri=uri, table="the people") == 300
    for options, match in [
        ({"table": "nobody"}, "The database refused to be read"),
        ({"query": 'select * from "the people" where age < 0'}, "no rows"),
        ({"table": "a", "query": "b"}, "one table or query"),
    ]:
        with pytest.raises(Problem, match=match):
            fetch(tmp_path / "n.parquet", sqlite="people.db", **options)
    with pytest.raises(Problem, match="There is already something"):
        fetch("d.parquet", sqlite="people.db", table="the people")
    with pytest.raises(Problem, match="There is no database at nowhere"):
        fetch("n.parquet", sqlite="nowhere.db", table="t")
    assert sorted(path.name for path in tmp_path.glob("*n.parquet*")) == []
    assert main(["release", "init", "x", "--data", "sqlite:people.db", "--numbers", "age"]) == 2
    assert "trustscope release fetch" in capsys.readouterr().err


def test_a_table_of_duckdb_is_written_once(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    table = survey(300).select(["age", "income", "region"])
    with duckdb.connect(str(tmp_path / "p.duckdb")) as base:
        base.register("found", table)
        base.execute("create table people as select * from found")
    assert fetch(tmp_path / "d.parquet", duckdb=tmp_path / "p.duckdb", table="people") == 300
    assert pq.read_table(tmp_path / "d.parquet").to_pydict() == table.to_pydict()


def test_what_is_not_installed_is_named(tmp_path, monkeypatch):
    (tmp_path / "p.db").write_bytes(b"")
    for module, option, install in [
        ("adbc_driver_sqlite", {"sqlite": tmp_path / "p.db"}, "adbc-driver-sqlite"),
        ("duckdb", {"duckdb": tmp_path / "p.db"}, "duckdb"),
        ("adbc_driver_nobody", {"adbc": "adbc_driver_nobody", "uri": "x"}, "adbc-driver-nobody"),
    ]:
        monkeypatch.setitem(sys.modules, module, None)
        monkeypatch.setitem(sys.modules, f"{module}.dbapi", None)
        with pytest.raises(Problem, match=f"needs {install}: pip install {install}"):
            fetch(tmp_path / "d.parquet", table="t", **option)


def households(rows=3_000, key=4):
    """Persons with an age and a job, in households with an income and a region."""
    rng = np.random.default_rng(key)
    home = np.sort(rng.integers(0, rows // 3, rows))
    income, region = np.round(rng.normal(3_000, 900, rows // 3), 2), rng.choice(["n", "s", "w"], rows // 3)
    age = rng.integers(0, 90, rows)
    order = rng.permutation(rows)
    return pa.table(
        {
            "home": pa.array([f"h{number}" for number in home[order]]),
            "age": age,
            "income": income[home[order]],
            "job": rng.choice(["yes", "no"], rows).tolist(),
            "region": region[home[order]].tolist(),
        }
    )


HOME = {
    "numbers": ["age", "income"], "categories": ["job", "region"], "keep": ["home"], "drop": [],
    "group": "home", "shared": ["income", "region"],
}  # fmt: skip


def test_a_household_has_one_noise_in_what_its_members_share(tmp_path):
    table = households()
    path = write(table.slice(0, 2_500), tmp_path / "d.parquet")
    with make_ledger(tmp_path / "l", path, **HOME) as ledger:
        ledger.copy("A", 50, 40, out=tmp_path / "a.parquet")
        ledger.copy("B", 20, 10, out=tmp_path / "b.parquet")
        assert any("2 blocks" in note and "job; region" in note for note in ledger.recipe().notes)
        # Members who come later have the noise of their household.
        write(table, path)
        assert ledger.append() == 500
        ledger.copy("A", 50, 40, out=tmp_path / "c.parquet")
        made, whole = read(tmp_path / "a.parquet"), read(tmp_path / "c.parquet")
        assert whole.slice(0, 2_500).equals(made)
        frame = whole.to_pandas()
        assert (frame.groupby("home")[["income", "region"]].nunique() == 1).all(axis=None)
        assert (frame.groupby("home")["job"].nunique() > 1).any()
        # The noise of households has the law of copies: five standard errors, one false alarm in a million keys.
        first = table.to_pandas().groupby("home")["income"].first()
        noise = frame.groupby("home")["income"].first() - first
        spread = np.var(table.column("income").to_numpy()[:2_500], ddof=1)
        assert noise.var() == pytest.approx(spread, rel=5 * np.sqrt(2 / len(noise)))
        joint = np.corrcoef(
            (frame["age"] - table.to_pandas()["age"])[:2_500],
            frame["income"][:2_500] - table.column("income").to_numpy()[:2_500],
        )
        assert joint[0, 1] == pytest.approx(
            np.corrcoef(*[table.column(n).to_numpy()[:2_500] for n in ("age", "income")])[0, 1], abs=0.15
        )
        assert ledger.whose(tmp_path / "b.parquet").holders[0].recipients == ("B",)
        assert all(one.holds for one in ledger.check())


def test_several_members_tell_a_stranger_no_more_of_what_they_share_than_one(tmp_path):
    frame = households(600).to_pandas()
    frame["age"] = np.round(frame["age"] + frame["income"] / 40)  # what is shared and what is not are correlated
    data = write(pa.Table.from_pandas(frame), tmp_path / "d.parquet")
    with make_ledger(tmp_path / "l", data, **HOME) as ledger:
        recipe = ledger.recipe()
        own, shared = 0, 1
        slope = recipe.covariance[own, shared] / recipe.covariance[shared, shared]
        # What a member's own noise has beyond its regression on the shared one rests on nothing that is shared.
        assert recipe.lower[own, shared] == pytest.approx(slope * recipe.lower[shared, shared])
        assert abs(recipe.lower[own, shared]) > 0.2 * np.sqrt(recipe.covariance[own, own])
        assert recipe.lower[shared, own] == 0
        said = words.attacker(SimpleNamespace(rows=600, population=600, known=300, attacked=300, note=""), recipe)
        assert "A member knows income, region, and with it the noise that all members share" in said


def test_what_members_do_not_share_is_refused(tmp_path):
    path = write(households(300), tmp_path / "d.parquet")
    for options, match in [
        ({"shared": ["age"]}, "“age” is to be shared within a “home”, but differs between rows"),
        ({"shared": []}, "Say which columns the members of one “home” share"),
        ({"shared": ["home"]}, "“home” is not perturbed"),
        ({"group": None}, "say which column names the group"),
        ({"group": "age"}, "“age” has to be listed under keep"),
    ]:
        with pytest.raises(Problem, match=match):
            make_ledger(tmp_path / "l", path, **{**HOME, **options})
    gaps = households(300).to_pandas()
    gaps.loc[7, "home"] = None
    with pytest.raises(Problem, match="The group in row 8 is missing"):
        make_ledger(tmp_path / "l", write(pa.Table.from_pandas(gaps), tmp_path / "g.parquet"), **HOME)


def test_a_wide_table_of_mixed_types(tmp_path):
    rng, rows = np.random.default_rng(6), 2_000
    columns = {f"n{n}": np.round(rng.normal(10 * n, 1 + n, rows), n % 4) for n in range(14)}
    columns |= {f"i{n}": rng.integers(0, 5 + 40 * n, rows) for n in range(6)}
    columns |= {f"d{n}": pa.array(rng.integers(0, 20_000, rows).astype(np.int32)).cast(pa.date32()) for n in range(2)}
    columns |= {f"c{n}": rng.choice([f"v{k}" for k in range(3 + n)], rows).tolist() for n in range(14)}
    columns |= {f"b{n}": rng.random(rows) < 0.3 for n in range(3)}
    columns |= {f"k{n}": rng.integers(0, 9, rows) for n in range(3)}
    assert len(columns) == 42
    data = write(pa.table(columns), tmp_path / "wide.parquet")
    roles = {
        "numbers": [name for name in columns if name[0] in "nid"], "categories": [n for n in columns if n[0] in "cb"],
        "keep": [name for name in columns if name[0] == "k"], "drop": [],
    }  # fmt: skip
    with make_ledger(tmp_path / "l", data, **roles) as ledger:
        recipe = ledger.recipe()
        assert len(recipe.blocks) > 1  # 3 x 4 x ... x 16 x 2^3 combinations are far beyond 2^31
        assert [name for block in recipe.blocks for name in block] == roles["categories"]
        ledger.copy("A", 60, 70, out=tmp_path / "a.parquet")
        made = read(tmp_path / "a.parquet")
        assert made.column_names == list(columns)
        # Blocks are redrawn independently: the first and the last both stay in 0.7^2 of the rows, and a little more.
        same = [
            np.all(
                [np.array(made.column(n).to_pylist()) == np.array(read(data).column(n).to_pylist()) for n in block],
                axis=0,
            )
            for block in recipe.blocks
        ]
        assert np.mean(same[0] & same[-1]) == pytest.approx(0.49, abs=5 * np.sqrt(0.25 / rows))
        assert np.mean(same[0]) == pytest.approx(0.7, abs=5 * np.sqrt(0.21 / rows))
        assert ledger.whose(tmp_path / "a.parquet").kind == "copy"
        assert all(one.holds for one in ledger.check())
