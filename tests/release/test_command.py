"""The command `trustscope release`: thin over the API, with the same bytes."""

import json

import pytest
from release_help import PASSPHRASE, ROLES

from trustscope.app.cli import main
from trustscope.release import Ledger


@pytest.fixture
def run(tmp_path, data, monkeypatch, capsys):
    """Run a command on the ledger in tmp_path; returns what it prints."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRUSTSCOPE_BACKUP_PASSPHRASE", "another passphrase")

    def call(action, *arguments, expect=0):
        assert main(["release", action, "ledger", *arguments]) == expect
        return capsys.readouterr().out

    call(
        "init",
        "--data",
        str(data),
        *(f"--{role}={','.join(names)}" for role, names in ROLES.items()),
        "--grid",
        "age=5",
    )
    return call


def test_the_whole_way(run, tmp_path):
    said = run(
        "copy", "--to", "Ministry", "--trust", "60", "--retention", "40", "--out", "m.parquet", "--purpose", "plan"
    )
    with Ledger.open(tmp_path / "ledger") as ledger:
        copy = ledger.copy("Ministry", 60, 40, out=tmp_path / "api.parquet")
    assert copy.sha256 in said
    assert (tmp_path / "api.parquet").read_bytes() == (tmp_path / "m.parquet").read_bytes()
    run("copy", "--to", "Press", "--trust", "20", "--retention", "10", "--out", "p.csv")
    listed = run("list")
    assert "Ministry: trust 60 %, retention 40 %" in listed
    assert "Ministry + Press: error 40.0 % of the variance" in listed
    checked = run("check")
    assert checked.count("ok ") == len(checked.splitlines()) == 7
    assert "“Press”" in run("whose", "p.csv")
    run("report", "-o", "r.html")
    assert "Ministry" in (tmp_path / "r.html").read_text()
    (tmp_path / "p.csv").write_text("x")
    assert "BROKEN issued files" in run("check", expect=1)


def test_rules_and_approval(run):
    assert json.loads(run("policy", "--floor", "30", "--approval", "50", "--ceiling", "Press=20")) == {
        "floor": 30,
        "approval": 50,
        "ceilings": {"Press": 20},
    }
    wanted = ["--to", "A", "--trust", "60", "--retention", "40"]
    assert "needs the approval" in run("what-if", *wanted, "--by", "Ada", expect=1)
    run("approve", *wanted, "--by", "Bob")
    assert "error 40.0 %" in run("what-if", *wanted, "--by", "Ada")
    run("copy", *wanted, "--by", "Ada", "--out", "a.csv")
    # A limit that is not named again stays, and 0 is a limit too.
    assert json.loads(run("policy", "--floor", "0", "--approval", "0", "--ceiling", "Bank=60")) == {
        "floor": 0,
        "approval": 0,
        "ceilings": {"Press": 20, "Bank": 60},
    }
    assert "needs the approval" in run("what-if", "--to", "C", "--trust", "1", "--retention", "1", expect=1)
    assert json.loads(run("policy", "--clear")) == {}
    assert json.loads(run("policy")) == {}


def test_the_key(run, tmp_path, monkeypatch):
    run("copy", "--to", "A", "--trust", "60", "--retention", "40", "--out", "a.csv")
    run("export-key", "backup.key")
    assert "all 1 copies" in run("drill", "backup.key")
    (tmp_path / "ledger" / "key.json").unlink()
    run("copy", "--to", "B", "--trust", "60", "--retention", "40", "--out", "b.csv", expect=2)
    run("import-key", "backup.key")
    monkeypatch.setenv("TRUSTSCOPE_PASSPHRASE", "another passphrase")
    run("copy", "--to", "B", "--trust", "60", "--retention", "40", "--out", "b.csv")
    run("withdraw", "--confirm", "no more copies")
    run("copy", "--to", "C", "--trust", "60", "--retention", "40", "--out", "c.csv", expect=2)
    assert "Withdrawn" in run("check")
    assert PASSPHRASE not in (tmp_path / "backup.key").read_text()


def test_appending(run, tmp_path, data):
    import pyarrow as pa
    import pyarrow.parquet as pq
    from release_help import survey

    pq.write_table(pa.concat_tables([pq.read_table(data), survey(77, key=3)]), data)
    assert run("append") == "77 rows were added.\n"


def test_help_names_every_action(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["release", "--help"])
    assert stop.value.code == 0
    said = capsys.readouterr().out
    for action in ("init", "copy", "append", "list", "check", "whose", "report", "policy", "approve", "export-key",
                   "import-key", "drill", "withdraw", "what-if"):  # fmt: skip
        assert action in said
    assert "passphrase" in said
