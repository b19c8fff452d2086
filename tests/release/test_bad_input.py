"""Whatever is wrong gets one sentence, exit code 2, and leaves everything as it was."""

import contextlib
import datetime
import errno
import gzip
import os
import resource
import sqlite3
import subprocess
import sys

import pyarrow as pa
import pytest
from release_help import PASSPHRASE, ROLES, TERMS, make_ledger, survey, write

from trustscope.app.cli import main
from trustscope.release import Ledger, Problem, lock, store


def replaced(table, name, values):
    return table.set_column(table.column_names.index(name), name, pa.array(values))


N = 200
BAD = {
    "infinite": (lambda t: replaced(t, "income", [float("inf")] * N), {}, "“income” has an infinite value in row 1"),
    "huge": (lambda t: replaced(t, "income", [1e300 * n for n in range(N)]), {}, "“income” are too large to compute"),
    "constant": (lambda t: replaced(t, "age", [7] * N), {}, "“age” has the same value in every row"),
    "all missing": (lambda t: replaced(t, "age", pa.nulls(N, pa.int64())), {}, "“age” has fewer than two values"),
    "text": (lambda t: replaced(t, "age", ["old"] * N), {}, "“age” holds text, not numbers"),
    "one category": (
        lambda t: replaced(replaced(t, "region", ["x"] * N), "diagnosis", ["y"] * N), {}, "1 combinations",
    ),
    "many categories": (
        lambda t: pa.concat_tables([t] * 60), {"categories": ["name"], "drop": ["region", "diagnosis"]}, None,
    ),
    "no such column": (lambda t: t, {"numbers": ["age", "weight"]}, "no column “weight”"),
    "column twice": (lambda t: t, {"keep": ["year", "age"]}, "“age” is listed under numbers and under keep"),
    "column forgotten": (lambda t: t, {"drop": []}, "Nothing is said about the column “name”"),
    "nothing to do": (
        lambda t: t.select(["year"]), {"numbers": [], "categories": [], "drop": []}, "No column would be perturbed",
    ),
    "no rows": (lambda t: t.slice(0, 0), {}, "has no rows"),
    "date as category": (
        lambda t: replaced(t, "region", [datetime.date(2020, 1, 1)] * N), {}, "turn it into text",
    ),
    "list kept": (lambda t: replaced(t, "year", [[1]] * N), {}, "cannot be released"),
    "grid 0": (lambda t: t, {"grids": {"age": 0}}, "A grid must be"),
    "grid 0.3": (lambda t: t, {"grids": {"age": 0.3}}, "whole number or one over a whole number"),
    "grid of text": (lambda t: t, {"grids": {"region": 1}}, "“region”, which is not a column that takes one"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
@pytest.mark.filterwarnings("error")
def test_data_that_cannot_be_released(case, tmp_path):
    change, options, match = BAD[case]
    path = write(change(survey(N)), tmp_path / "s.parquet")
    if match is None:
        with make_ledger(tmp_path / "l", path, **options) as made:
            assert made.recipe().size == N
        return
    with pytest.raises(Problem, match=match):
        make_ledger(tmp_path / "l", path, **options)
    assert {p.name for p in tmp_path.iterdir()} == {"s.parquet"}


def test_too_many_categories(tmp_path):
    path = write(survey(10_001), tmp_path / "s.parquet")
    with pytest.raises(Problem, match="more than 10,000 different values"):
        make_ledger(tmp_path / "l", path, categories=["name"], drop=["region", "diagnosis"])


def test_files_that_cannot_be_read(tmp_path):
    def refused(path, match):
        with pytest.raises(Problem, match=match):
            make_ledger(tmp_path / "l", path)

    (tmp_path / "x.parquet").write_bytes(b"PAR1 nonsense")
    (tmp_path / "x.csv").write_bytes(b"")
    (tmp_path / "y.csv").write_text("a,a\n1,2\n")
    (tmp_path / "empty").mkdir()
    refused(tmp_path / "nothing.parquet", "There is no data at")
    refused(tmp_path / "x.parquet", "cannot be read as parquet")
    refused(tmp_path / "x.csv", "is empty")
    refused(tmp_path / "y.csv", "“a” occurs twice")
    refused(tmp_path / "empty", "holds no file that ends in .parquet")
    (tmp_path / "x.csv.gz").write_bytes(gzip.compress(b"a,b\n1,2\n"))
    (tmp_path / "x.xlsx").write_bytes(b"PK" + bytes(100))
    for name in ("x.csv.gz", "x.xlsx"):
        refused(tmp_path / name, "neither a CSV file (.+) nor a Parquet file; unpack it, or save it as one of these.$")
    for place, text in (("header", "name,Größe\n"), ("cell", "name,age\nMüller,5\n")):
        (tmp_path / f"{place}.csv").write_text(text, encoding="latin-1")
    roles = {"numbers": ["age"], "categories": [], "keep": ["name"], "drop": []}
    for place in ("header", "cell"):
        with pytest.raises(Problem, match=r"letters that are not in UTF-8.* save it as CSV in UTF-8"):
            make_ledger(tmp_path / "l", tmp_path / f"{place}.csv", **roles)
    lines = survey(50).to_pandas().to_csv(index=False).splitlines()
    lines[30] = lines[30].replace(lines[30].split(",")[1], "old", 1)
    (tmp_path / "z.csv").write_text("\n".join(lines))
    refused(tmp_path / "z.csv", "“age” holds the text “old” among its numbers")
    folder = tmp_path / "folder"
    folder.mkdir()
    write(survey(10), folder / "a.parquet")
    write(survey(10).drop_columns("age"), folder / "b.parquet")
    refused(folder, "are not those of")


@pytest.mark.parametrize(
    ("request_", "match"),
    [
        ({"trust": 0}, "trust 0 a copy is noise alone"),
        ({"trust": 100}, "trust 100 a copy is the data itself"),
        ({"trust": 101}, "must lie between 0.1 and 99.9"),
        ({"trust": -1}, "must lie between"),
        ({"trust": float("nan")}, "must lie between"),
        ({"trust": 33.33}, "tenths of a per cent"),
        ({"trust": "much"}, "must be a number of per cent"),
        ({"trust": None}, "say at what trust"),
        ({"retention": 0}, "retention 0"),
        ({"retention": None}, "say at what retention"),
        ({"to": "  "}, "needs a recipient"),
        ({"to": "ministry"}, "looks like “Ministry”"),
        ({"to": "MINISTRY "}, "looks like “Ministry”"),
        ({"out": "a.xlsx"}, "not to “.xlsx”"),
        ({"out": "there.parquet"}, "already something"),
        ({"out": "nowhere/a.parquet"}, "There is no folder"),
        ({"scheduler": "tcp://203.0.113.5:8786"}, "in the clear"),
        ({"workers": 0}, "At least one worker"),
    ],
)
def test_requests_that_cannot_be_fulfilled(ledger, tmp_path, request_, match):
    ledger.copy("Ministry", 60, 40, out=tmp_path / "there.parquet")
    events, there = len(ledger.history), {path.name for path in tmp_path.iterdir()}
    asked = {"to": "Press", "trust": 50, "retention": 30, "out": "a.parquet", **request_}
    asked["out"] = tmp_path / asked["out"]
    with pytest.raises(Problem, match=match):
        ledger.copy(**asked)
    assert {path.name for path in tmp_path.iterdir()} == there
    assert len(ledger.copies) == 1
    assert len(ledger.history) == events


def test_a_copy_is_not_put_among_the_data(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    write(survey(100), folder / "a.parquet")
    with make_ledger(tmp_path / "l", folder) as ledger, pytest.raises(Problem, match="would become part of that"):
        ledger.copy("A", 60, 40, out=folder / "b.parquet")


def test_a_retention_without_categories_and_the_other_way_round(tmp_path):
    data = write(survey(100).select(["age"]), tmp_path / "s.parquet")
    with make_ledger(tmp_path / "l", data, numbers=["age"], categories=[], keep=[], drop=[]) as ledger:
        with pytest.raises(Problem, match="releases no categories"):
            ledger.copy("A", 60, 40, out=tmp_path / "a.csv")
        assert ledger.copy("A", 60, out=tmp_path / "a.csv").retention is None
        assert ledger.coalitions()[0].retention is None


def test_a_ledger_of_a_newer_version_or_of_something_else(ledger, tmp_path):
    base = sqlite3.connect(ledger.folder / "ledger.sqlite")
    base.execute("pragma user_version=99")
    base.commit()
    with pytest.raises(Problem, match="newer Trustscope"):
        Ledger.open(ledger.folder)
    base.execute("pragma user_version=1")
    base.execute("pragma application_id=5")
    base.commit()
    base.close()
    with pytest.raises(Problem, match="not a ledger"):
        Ledger.open(ledger.folder)
    with pytest.raises(Problem, match="There is no ledger"):
        Ledger.open(tmp_path / "nowhere")


def test_an_older_layout_is_brought_up_to_date(ledger, monkeypatch):
    more = ("create table extra (x integer) strict",)
    monkeypatch.setattr(store, "MIGRATIONS", (*store.MIGRATIONS, more))
    monkeypatch.setattr(store, "VERSION", len(store.MIGRATIONS))
    with Ledger.open(ledger.folder) as opened:
        assert all(one.holds for one in opened.check())
    base = sqlite3.connect(ledger.folder / "ledger.sqlite")
    assert base.execute("pragma user_version").fetchone() == (len(store.MIGRATIONS),)
    base.close()


def test_a_ledger_open_twice(ledger, tmp_path):
    with lock.hold(ledger.folder), Ledger.open(ledger.folder) as other:
        with pytest.raises(Problem, match="in use by another program"):
            other.copy("A", 60, 40, out=tmp_path / "a.parquet")
        assert len(other.history) == 1  # looking is allowed
    ledger.copy("A", 60, 40, out=tmp_path / "a.parquet")


def test_a_second_program_waits_as_long_as_it_is_told_to(ledger, monkeypatch):
    looks = []
    with lock.hold(ledger.folder) as first, Ledger.open(ledger.folder, wait=0.1) as other:
        monkeypatch.setattr(lock.time, "sleep", looks.append)
        with pytest.raises(Problem, match=r"in use by another program or page, also after 0\.1 seconds"):
            other.set_policy({"floor": 5})
        assert looks
        assert first is None
    # Whoever waits gets its turn: the holder lets go during the third look.
    holder = contextlib.ExitStack()
    holder.enter_context(lock.hold(ledger.folder))
    looks.clear()
    monkeypatch.setattr(lock.time, "sleep", lambda _: looks.append(1) or (len(looks) == 3 and holder.close()))
    with Ledger.open(ledger.folder, wait=1_000) as other:
        other.set_policy({"floor": 5})
    assert len(looks) == 3
    for wrong in (-1, float("nan"), "soon"):
        with pytest.raises(Problem, match="number of seconds from 0"):
            Ledger.open(ledger.folder, wait=wrong)


def test_a_file_that_another_program_writes_to(ledger, monkeypatch):
    base = sqlite3.connect(ledger.folder / "ledger.sqlite", isolation_level=None)
    base.execute("begin immediate")
    monkeypatch.setattr(store, "PATIENCE", 0.001)
    with (
        Ledger.open(ledger.folder) as other,
        pytest.raises(Problem, match="being written to by another program"),
    ):
        other.set_policy({"floor": 10})
    base.close()
    assert ledger.policy == {}


def test_a_clock_that_went_back(ledger, tmp_path, monkeypatch):
    ledger.copy("A", 60, 40, out=tmp_path / "a.parquet")
    monkeypatch.setattr(store, "clock", lambda: datetime.datetime(2001, 1, 1, tzinfo=datetime.UTC))
    with pytest.raises(Problem, match="The clock went back"):
        ledger.copy("B", 60, 40, out=tmp_path / "b.parquet")
    assert {path.name for path in tmp_path.iterdir()} == {"survey.parquet", "ledger", "a.parquet"}
    assert len(ledger.history) == 4


def test_a_ledger_only_grows(ledger, monkeypatch):
    connect, opened = sqlite3.connect, []
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: opened.append(connect(*a, **k)) or opened[-1])
    with Ledger.open(ledger.folder):
        (base,) = opened
        for pragma, value in (("journal_mode", "delete"), ("synchronous", 3)):
            assert base.execute(f"pragma {pragma}").fetchone() == (value,)
        for table, field in (("event", "kind"), ("unit", "number")):
            for statement in (f"update {table} set {field}=5", f"delete from {table}"):
                with pytest.raises(sqlite3.IntegrityError, match="only grows"):
                    base.execute(statement)


def test_a_full_disk(tmp_path, data):
    """A process that may write no file above 64 kB: the copy is refused, and nothing of it is left."""
    with make_ledger(tmp_path / "l", data) as ledger:
        before = {path.name for path in tmp_path.iterdir()}
    code = f"""
import resource, signal, sys
sys.dont_write_bytecode = True  # half a compiled module would stay
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))
from trustscope.app.cli import main
sys.exit(main(["release", "copy", {str(tmp_path / "l")!r}, "--to", "A", "--trust", "60", "--retention", "40",
               "--purpose", "p", "--contact", "c", "--until", "9999-12-31", "--out", {str(tmp_path / "a.csv")!r}]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("trustscope: There is no room left on the disk")
    assert done.stderr.count("\n") == 1
    assert {path.name for path in tmp_path.iterdir()} == before
    with Ledger.open(tmp_path / "l") as ledger:
        assert [event.kind for event in ledger.history] == ["created", "intended", "abandoned"]
        assert ledger.copy("A", 60, 40, out=tmp_path / "a.csv").to == "A"
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 40_000


def test_a_folder_that_cannot_be_written_to(ledger, tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied", "x")

    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(Problem, match="cannot be written to"):
        ledger.copy("A", 60, 40, out=tmp_path / "a.parquet")
    monkeypatch.undo()
    monkeypatch.setenv("TRUSTSCOPE_PASSPHRASE", PASSPHRASE)
    monkeypatch.setattr(os, "rename", refuse)
    with pytest.raises(Problem, match="cannot be written to"):
        ledger.copy("A", 60, 40, out=tmp_path / "a.parquet", **TERMS)
    with pytest.raises(Problem, match="cannot be written to"):
        make_ledger(tmp_path / "l", tmp_path / "survey.parquet")
    monkeypatch.undo()
    assert {path.name for path in tmp_path.iterdir()} == {"survey.parquet", "ledger"}
    assert ledger.history[-1].kind == "abandoned"


def test_a_read_only_ledger_can_be_read(ledger, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    with Ledger.open(ledger.folder) as other:
        assert len(other.history) == 1
        with pytest.raises(Problem, match="cannot be written to"):
            other.set_policy({"floor": 1})


def test_the_command_says_one_sentence_and_exits_with_2(tmp_path, data, capsys):
    ledger = str(tmp_path / "ledger")
    roles = [f"--{role}={','.join(names)}" for role, names in ROLES.items()]
    assert main(["release", "init", ledger, "--data", str(data), *roles]) == 0
    capsys.readouterr()
    copy = ["release", "copy", ledger, "--to", "A", "--retention", "40", "--out", str(tmp_path / "a.csv")]
    for arguments in (
        [*copy, "--trust", "101"],
        ["release", "list", str(tmp_path / "nowhere")],
        ["release", "init", ledger, "--data", str(data), *roles],
        ["release", "policy", ledger, "--floor", "200"],
        ["release", "policy", ledger, "--ceiling", "nonsense"],
        ["release", "whose", ledger, str(data)],
        ["release", "withdraw", ledger, "--confirm", "yes"],
    ):
        assert main(arguments) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.startswith("trustscope: ")
        assert said.err.endswith(".\n")
        assert said.err.count("\n") == 1
    with Ledger.open(ledger) as opened:
        assert len(opened.history) == 1
    assert not list(tmp_path.glob("*.csv"))
