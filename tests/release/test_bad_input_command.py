"""Every kind of bad input, by the command: one sentence, exit code 2, and nothing is half done."""

import contextlib
import datetime
import io
import os
import sqlite3
import sys

import pyarrow as pa
import pytest
from release_help import ROLES, survey, write

from trustscope.app.cli import main
from trustscope.release import Ledger, lock, store

ROWS = 300
COPY = ["copy", "ledger", "--to", "Press", "--trust", "45", "--retention", "25", "--out", "b.csv"]


@pytest.fixture
def place(tmp_path, monkeypatch, capsys):
    """A folder with a ledger and one copy, in which the command is called."""
    monkeypatch.chdir(tmp_path)
    write(survey(ROWS), tmp_path / "survey.parquet")
    assert main(["release", *init("survey.parquet", "ledger")]) == 0
    assert main(["release", *asked(to="Ministry", out="a.csv", trust="50", retention="30")]) == 0
    capsys.readouterr()
    return tmp_path


def init(data, ledger="new"):
    return ["init", ledger, "--data", data, *(f"--{role}={','.join(names)}" for role, names in ROLES.items())]


def asked(**changed):
    """The request for a copy with some of its options changed."""
    arguments = list(COPY)
    for name, value in changed.items():
        if f"--{name}" in arguments:
            arguments[arguments.index(f"--{name}") + 1] = value
        else:
            arguments += [f"--{name}", value]
    return arguments


def refused(place, capsys, arguments, sentence):
    before = everything(place)
    assert main(["release", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("trustscope: ")
    assert said.err.count("\n") == 1
    assert sentence in said.err
    assert everything(place) == before


def everything(place):
    """All files and what is in them, but for the lock, which is empty and comes with the first writing."""
    return {path: path.read_bytes() for path in place.rglob("*") if path.is_file() and path.name != lock.FILE}


def changed(place, name, values, file="other.csv"):
    """The data with other values in one column, in a file."""
    table = survey(ROWS)
    write(table.set_column(table.column_names.index(name), name, pa.array(values)), place / file)
    return file


def test_missing_values_stay_missing_and_that_is_said(place, capsys):
    write(survey(ROWS, missing=0.1), place / "gaps.csv")
    assert main(["release", *init("gaps.csv")]) == 0
    assert "covariances are over complete pairs" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("column", "values", "sentence"),
    [
        ("income", [float("inf"), *[1.0] * (ROWS - 1)], "“income” has an infinite value in row 1;"),
        ("age", [7] * ROWS, "“age” has the same value in every row"),
        ("age", [*map(str, range(ROWS - 1)), "old"], "“age” holds the text “old” among its numbers"),
    ],
)
def test_data_that_cannot_be_released(place, capsys, column, values, sentence):
    refused(place, capsys, init(changed(place, column, values)), sentence)


def test_a_category_that_appears_only_in_appended_rows(place, capsys):
    more = pa.concat_tables([survey(ROWS), survey(5, key=2)])
    regions = more.column("region").to_pylist()
    regions[-1] = "moon"
    write(more.set_column(more.column_names.index("region"), "region", pa.array(regions)), place / "survey.parquet")
    refused(place, capsys, ["append", "ledger"], "“moon”, which it did not have when the ledger was created")


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        ({"to": "MINISTRY"}, "“MINISTRY” looks like “Ministry”, who is already known"),
        ({"trust": "0"}, "At trust 0 a copy is noise alone"),
        ({"trust": "100"}, "At trust 100 a copy is the data itself"),
        ({"trust": "101"}, "must lie between 0.1 and 99.9"),
        ({"retention": "0"}, "At retention 0"),
        ({"out": "a.csv"}, "what is out is never overwritten"),
        ({"out": "nowhere/b.csv"}, "There is no folder"),
        ({"threads": "0"}, "At least one thread is needed"),
        ({"workers": "0"}, "At least one worker is needed"),
        ({"scheduler": "tcp://203.0.113.5:8786"}, "in the clear"),
        ({"data": "nowhere.csv"}, "There is no data at nowhere.csv"),
    ],
)
def test_requests_that_cannot_be_fulfilled(place, capsys, request_, sentence):
    refused(place, capsys, asked(**request_), sentence)


def test_an_encrypted_scheduler_without_certificates(place, capsys):
    pytest.importorskip("distributed")
    assert main(["release", *asked(scheduler="tls://127.0.0.1:8786")]) == 2
    assert "set distributed.comm.tls in Dask's configuration" in capsys.readouterr().err
    assert not (place / "b.csv").exists()
    with Ledger.open(place / "ledger") as ledger:
        assert [event.kind for event in ledger.history][-2:] == ["intended", "abandoned"]


@pytest.mark.parametrize("nobody", [io.StringIO(""), None])
def test_withdrawing_where_nobody_can_be_asked(place, capsys, monkeypatch, nobody):
    monkeypatch.setattr(sys, "stdin", nobody)
    before = everything(place)
    assert main(["release", "withdraw", "ledger"]) == 2
    assert "say --confirm “no more copies” if it is. Nothing was done.\n" in capsys.readouterr().err
    assert everything(place) == before


def test_a_wrong_passphrase(place, capsys, monkeypatch):
    monkeypatch.setenv("TRUSTSCOPE_PASSPHRASE", "not these words")
    refused(place, capsys, COPY, "The passphrase does not open")


def test_a_ledger_of_a_newer_version(place, capsys):
    with contextlib.closing(sqlite3.connect(place / "ledger" / "ledger.sqlite")) as base:
        base.execute("pragma user_version=99")
        base.commit()
    for arguments in (COPY, ["list", "ledger"], ["append", "ledger"]):
        refused(place, capsys, arguments, "written by a newer Trustscope (layout 99")


def test_a_ledger_open_twice(place, capsys):
    with lock.hold(place / "ledger"):
        for arguments in (COPY, ["append", "ledger"], ["policy", "ledger", "--floor", "5"]):
            refused(place, capsys, arguments, "when that has ended. To wait for it, say --wait SECONDS.")


def test_a_clock_that_went_back(place, capsys, monkeypatch):
    monkeypatch.setattr(store, "clock", lambda: datetime.datetime(2001, 1, 1, tzinfo=datetime.UTC))
    for arguments in (COPY, ["policy", "ledger", "--floor", "5"]):
        refused(place, capsys, arguments, "The clock went back")


def test_a_read_only_folder(place, capsys, monkeypatch):
    (place / "fixed").mkdir()
    monkeypatch.setattr(os, "access", lambda path, mode: "fixed" not in str(path))
    refused(place, capsys, asked(out="fixed/b.csv"), "cannot be written to; choose another")
    refused(place, capsys, ["report", "ledger", "-o", "fixed/r.html"], "cannot be written to; choose another")
    monkeypatch.setenv("TRUSTSCOPE_BACKUP_PASSPHRASE", "another passphrase")
    refused(place, capsys, ["export-key", "ledger", "fixed/k.json"], "cannot be written to; choose another")


def test_places_that_are_not_there(place, capsys, monkeypatch):
    monkeypatch.setenv("TRUSTSCOPE_BACKUP_PASSPHRASE", "another passphrase")
    refused(place, capsys, ["report", "ledger", "-o", "nowhere/r.html"], "There is no folder")
    refused(place, capsys, ["export-key", "ledger", "nowhere/k.json"], "There is no folder")
    refused(place, capsys, ["drill", "ledger", "nowhere.json"], "There is no backup at nowhere.json")
    refused(place, capsys, ["drill", "ledger", "a.csv"], "is damaged")
    refused(place, capsys, ["whose", "ledger", "nowhere.csv"], "There is no data at nowhere.csv")
