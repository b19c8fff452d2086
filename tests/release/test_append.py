"""New rows: old ones keep their noise, and what was changed or removed is refused with the reason."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from release_help import make_ledger, read, survey, write

from trustscope.release import Problem, locating
from trustscope.release.plan import UNIT

PLAIN = {"compression": "NONE", "use_dictionary": False}  # a third of the time; how a file is packed is not looked at


def altered(table, name, row, value):
    column = table.column(name).to_pylist()
    column[row] = value
    place = table.column_names.index(name)
    return table.set_column(place, name, pa.array(column, type=table.schema.field(name).type))


@pytest.mark.parametrize("rows", [100, UNIT, UNIT + 100])
def test_old_rows_keep_their_noise(tmp_path, rows):
    table = survey(rows + 500, missing=0.01)
    path = write(table.slice(0, rows), tmp_path / "s.parquet", **PLAIN)
    with make_ledger(tmp_path / "l", path) as ledger:
        ledger.copy("A", 60, 40, out=tmp_path / "old.parquet")
        frozen = ledger.record.created["recipe"]
        write(table, path, **PLAIN)
        with pytest.raises(Problem, match="append them first"):
            ledger.copy("A", 30, 40, out=tmp_path / "never.parquet")
        assert ledger.append() == 500
        new = ledger.copy("A", 60, 40, out=tmp_path / "new.parquet")
        assert new.reissue is None
        assert new.rows == rows + 500
        assert ledger.recipe().record() == frozen
        assert all(one.holds for one in ledger.check())
        # And again, on top.
        write(pa.concat_tables([table, survey(50, key=9)]), tmp_path / "more.parquet")
        assert ledger.append(tmp_path / "more.parquet") == 50
        ledger.copy("A", 60, 40, out=tmp_path / "newer.parquet")
    old, new, newer = (read(tmp_path / f"{name}.parquet") for name in ("old", "new", "newer"))
    assert new.slice(0, rows).equals(old)
    assert newer.slice(0, rows + 500).equals(new)
    assert not new.slice(rows).equals(table.slice(rows).select(new.column_names))


def test_rows_that_changed_are_refused_with_the_reason(tmp_path):
    table = survey(UNIT + 2_000)
    path = write(table.slice(0, UNIT + 1_000), tmp_path / "s.parquet", **PLAIN)
    with make_ledger(tmp_path / "l", path) as ledger:
        before = ledger.head

        def refused(changed, match):
            write(changed, path, **PLAIN)
            with pytest.raises(Problem, match=match):
                ledger.append()

        refused(altered(table, "income", 5, 1.0), "changed in row 6 of “income”:")
        refused(altered(table, "region", UNIT + 10, "moon"), r"changed in row 131,083 of “region”:")
        refused(altered(altered(table, "year", 7, 1), "age", 7, None), "changed in row 8 of “age”, “year”:")
        refused(altered(altered(table, "year", 7, 1), "age", 0, 1), "in row 1 of “age”; row 8 of “year”:")
        refused(altered(altered(table, "age", 7, 1), "age", 8, 1), "in rows 1 to 131,072 of “age”:")
        refused(table.slice(1), "changed in rows 1 to 131,072 of “age”, “income”")
        refused(table.slice(0, UNIT), "Rows were removed: there were 132,072, and now 131,072")
        refused(table.slice(0, UNIT + 1_000), "no new rows")
        refused(altered(table, "region", UNIT + 1_500, "moon"), "“moon”, which it did not have")
        refused(altered(table, "income", UNIT + 1_500, np.inf), "infinite value in row 132,573")
        refused(table.drop_columns("year"), "“year” is missing")
        refused(table.append_column("more", table.column("age")), "“more” is new")
        assert ledger.head == before
        write(table, path)
        assert ledger.append() == 1_000


def test_declared_categories_may_come_later(tmp_path):
    table = survey(500)
    path = write(table.slice(0, 400), tmp_path / "s.parquet")
    with make_ledger(tmp_path / "l", path, domains={"region": ["moon"]}) as ledger:
        write(altered(table, "region", 450, "moon"), path)
        assert ledger.append() == 100
        ledger.copy("A", 60, 40, out=tmp_path / "c.parquet")
        assert "moon" in ledger.recipe().domains["region"]


def test_what_changed_in_the_data_is_said(tmp_path):
    table = survey(UNIT + 1_000)
    path = write(table, tmp_path / "s.parquet")
    with make_ledger(tmp_path / "l", path) as ledger:

        def refused(changed, match):
            pq.write_table(changed, path, **PLAIN)
            with pytest.raises(Problem, match=match):
                ledger.copy("A", 60, 40, out=tmp_path / "c.parquet")
            assert not (tmp_path / "c.parquet").exists()
            (finding,) = [one for one in ledger.check() if not one.holds]
            assert finding.name == "data"
            return finding.sentence

        said = refused(altered(table, "age", UNIT + 3, 1), "row 131,076 of “age” no longer hold")
        assert "changed: row 131,076 of “age”." in said
        refused(table.slice(0, UNIT), "it has 131,072 rows, and had 132,072; bring them back")
        refused(table.drop_columns("region"), "the column “region” is missing")
        wrong = table.set_column(5, "year", table.column("year").cast(pa.string()))
        refused(wrong, "“year” is of type string instead of int64")
        pq.write_table(table, path)
        assert ledger.copy("A", 60, 40, out=tmp_path / "c.parquet").rows == len(table)


def test_every_cell_is_found_and_a_ledger_without_the_words_names_the_rows(tmp_path):
    rng, key = np.random.default_rng(3), bytes(range(32))
    table = survey(3_000, missing=0.1).append_column("bit", pa.array(rng.random(3_000) < 0.5))
    for name, value in [("age", None), ("age", 7), ("income", 1.25), ("region", "moon"), ("bit", None), ("name", "x")]:
        column = table.column(name)
        stored = bytes(locating.DIGEST) + locating.words(column, key).tobytes()
        assert locating.changed_row(stored, column, key) is None
        for row in (0, 2_999, *rng.integers(0, 3_000, 5)):
            changed = altered(table, name, int(row), value).column(name)
            expected = None if column[int(row)].as_py() == value else row
            assert locating.changed_row(stored, changed, key) == expected
            assert locating.changed_row(stored[: locating.DIGEST], changed, key) is None
            assert locating.changed_row(stored, changed, bytes(32)) is None


def test_words_of_another_key_are_others():
    column = pa.chunked_array([[1, 2, 3]])
    one, other = (locating.words(column, bytes([number]) * 32) for number in (0, 1))
    assert one[0] != other[0]
