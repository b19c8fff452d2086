"""How a CSV file says that a value is missing, and that ledgers read their data for ever as they did at first."""

import pyarrow as pa
import pytest
from release_help import make_ledger, read, survey, write

from trustscope.release import creating, plan
from trustscope.release.comparing import Comparison
from trustscope.release.plan import Data

ROLES = {"numbers": ["a"], "categories": ["country"], "keep": ["code"], "drop": []}
ROWS = 400


def texts(path):
    """The steward's file: Namibia, a code that is the word null, and a number that is not known."""
    lines = [
        f"{['NA', 'DE', 'FR', ''][i % 4]},{['007', 'null', '', '#N/A'][i % 4]},{['', 'NA', 'nan'][i] if i < 3 else i}"
        for i in range(ROWS)
    ]
    path.write_text("\n".join(["country,code,a", *lines]) + "\n")
    return path


def one_column(path):
    path.write_text("a\n" + "".join("\n" if i % 10 == 3 else f"{i * 7 % 101}\n" for i in range(ROWS)))
    return path


def old_ledger(monkeypatch, folder, data, **options):
    """A ledger as it was made before: read by the first rules, without a word on that in its record."""
    with monkeypatch.context() as patch:
        patch.setattr(creating, "Data", lambda *a, **k: Data(*a, **k, reading=1))
        made = creating.data_record

        def without(*arguments):
            body = made(*arguments)
            del body["reading"]
            return body

        patch.setattr(creating, "data_record", without)
        return make_ledger(folder, data, **options)


def test_texts_are_values_and_only_an_empty_cell_is_missing(tmp_path):
    data = texts(tmp_path / "data.csv")
    with make_ledger(tmp_path / "l", data, **ROLES) as ledger:
        created = ledger.record.created
        assert created["data"]["reading"] == plan.READING
        assert created["recipe"]["domains"]["country"] == ["DE", "FR", "NA"]
        missing, read_as, value = created["recipe"]["notes"][-3:]
        assert "“a” (3), “country” (100), “code” (100)" in missing
        assert read_as == "In the numbers of “a” these texts were read as missing: “NA” (1), “nan” (1)."
        assert value.startswith("The column “country” has “NA” among its categories")
        ledger.copy("A", 50, 99.9, out=tmp_path / "c.parquet")
        copy = read(tmp_path / "c.parquet")
        assert copy.column("code").to_pylist() == ["007", "null", None, "#N/A"] * (ROWS // 4)
        assert [row for row, text in enumerate(copy.column("country").to_pylist()) if text is None] == [
            *range(3, ROWS, 4)
        ]
        # Namibia is perturbed: at this retention nearly everybody keeps it.
        assert sum(text == "NA" for text in copy.column("country").to_pylist()) > 90
        ledger.copy("B", 50, 20, out=tmp_path / "b.csv")
        assert ledger.whose(tmp_path / "b.csv").named
        assert all(one.holds for one in ledger.check())


def test_blank_lines_of_one_column_are_rows(tmp_path):
    data = one_column(tmp_path / "data.csv")
    with make_ledger(tmp_path / "l", data, numbers=["a"], categories=[], keep=[], drop=[]) as ledger:
        assert ledger.record.data["rows"] == ROWS
        assert any("“a” (40)" in note for note in ledger.record.created["recipe"]["notes"])
        ledger.copy("A", 50, out=tmp_path / "c.parquet")
        values = read(tmp_path / "c.parquet").column("a").to_pylist()
        assert [row for row, value in enumerate(values) if value is None] == [*range(3, ROWS, 10)]
    assert Data(data, header=False).types.keys() == {"c1"}
    headless = pa.concat_tables(table for _, table in Data(data, header=False).units(["c1"], types={"c1": pa.string()}))
    assert len(headless) == ROWS + 1


@pytest.mark.parametrize("kind", ["texts", "one column"])
def test_older_ledgers_read_as_they_did(tmp_path, monkeypatch, kind):
    data = texts(tmp_path / "data.csv") if kind == "texts" else one_column(tmp_path / "data.csv")
    roles = ROLES if kind == "texts" else {"numbers": ["a"], "categories": [], "keep": [], "drop": []}
    setting = (50, 40) if kind == "texts" else (50,)
    with old_ledger(monkeypatch, tmp_path / "l", data, **roles) as ledger:
        rows = ROWS if kind == "texts" else ROWS - 40
        assert "reading" not in ledger.record.data
        assert ledger.record.data["rows"] == rows
        first = ledger.copy("A", *setting, out=tmp_path / "1.parquet")
        copy = read(tmp_path / "1.parquet")
        if kind == "texts":
            assert copy.column("code").to_pylist() == ["007", None, None, None] * (ROWS // 4)
            assert "NA" not in ledger.recorded_recipe.domains["country"]
        data.write_text(data.read_text() + ("NA,null,5\n" if kind == "texts" else "\n5\n"))
        assert ledger.append() == 1
        assert ledger.record.data["reading"] == 1
        ledger.copy("A", *setting, out=tmp_path / "2.parquet")
        assert read(tmp_path / "2.parquet").slice(0, rows).equals(copy)
        assert ledger.whose(tmp_path / "1.parquet").named == (first.variant,)
        assert all(one.holds for one in ledger.check())


def test_a_ledger_that_reads_in_an_unknown_way_is_refused(tmp_path):
    with pytest.raises(plan.Problem, match="newer Trustscope"):
        Data(texts(tmp_path / "data.csv"), reading=3)


def test_a_found_file_may_spell_missing_values_its_own_way(tmp_path):
    """R writes NA where the copy has nothing: such cells are missing, not strange."""
    table = survey(300, missing=0.2)
    gaps = pa.array([None if year % 3 else str(year) for year in table.column("year").to_pylist()])
    table = table.set_column(table.column_names.index("year"), "year", gaps)
    with make_ledger(tmp_path / "l", write(table, tmp_path / "data.parquet")) as ledger:
        recipe = ledger.recipe()
        table.to_pandas().to_csv(tmp_path / "r.csv", index=False, na_rep="NA")
        found, expected = (Comparison(one, recipe).rows for one in (tmp_path / "r.csv", table))
        assert (found.categories["diagnosis"] == expected.categories["diagnosis"]).all()
        assert (found.kept["year"] == expected.kept["year"]).all()
