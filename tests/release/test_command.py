"""The command `trustscope release`: thin over the API, with the same bytes."""

import sys
from pathlib import Path

import pytest
from release_help import PASSPHRASE, ROLES

from trustscope.app.cli import main
from trustscope.app.commands import release as command
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
    assert listed.count("the best copy of a coalition decides") == 1
    assert listed.count("Best copies ") == 2  # of each holder; all together have the first one's
    assert "Best copies trust 60 %, retention 40 % (Ministry):\n  age: guessed to within 5: " in listed
    assert "found again among 3,000 rows: " in listed
    assert "told apart, region, diagnosis: any two of 8 combinations of values: epsilon" in listed
    assert " error " in listed
    checked = run("check")
    assert checked.count("ok ") == len(checked.splitlines()) == 7
    said = run("whose", "p.csv")
    assert "The file is the copy of “Press”" in said
    assert "“Press”: over 10^12 times more likely than from no copy" in said
    assert (
        "“Ministry”: over 10^12 times more likely than from no copy, over 10^12 times less likely than from the" in said
    )
    run("report", "-o", "r.html")
    assert "Ministry" in (tmp_path / "r.html").read_text()
    (tmp_path / "p.csv").write_text("x")
    assert "BROKEN issued files" in run("check", expect=1)


@pytest.mark.parametrize("terminal", [True, False])
def test_how_far_it_is_is_said_on_a_terminal_and_now_and_then_elsewhere(run, capsys, monkeypatch, terminal):
    """A ledger with many settings takes minutes: a log of it says so, and a short command leaves no line in it."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    run("copy", "--to", "A", "--trust", "20", "--retention", "10", "--out", "a.csv")
    said = []
    for seldom in (0.0, 1_000.0):
        monkeypatch.setattr(command, "SELDOM", seldom)
        for figures in Path("ledger").glob("*.risk"):
            figures.unlink()
        capsys.readouterr()
        assert main(["release", "list", "ledger"]) == 0
        said.append(capsys.readouterr().err)
        assert main(["release", "list", "ledger", "--quiet"]) == 0
        assert capsys.readouterr().err == ""
    if terminal:
        assert all(one.startswith("\rMeasuring:   0 %\r") and one.endswith("\rMeasuring: 100 %\n") for one in said)
    else:
        assert said[0].startswith("Measuring: 0 %\n")
        assert said[0].endswith("Measuring: 100 %\n")
        assert said[1] == ""


def test_the_same_bytes_need_a_word(run, capsys):
    wanted = ["--trust", "20", "--retention", "10"]
    run("copy", "--to", "A", *wanted, "--out", "a.csv")
    run("copy", "--to", "B", *wanted, "--out", "b.csv", expect=2)
    run("copy", "--to", "B", *wanted, "--out", "b.csv", "--again")
    assert "The order of trust is kept: “A”, then “C”" in run("policy", "--order", "A,C")
    run("copy", "--to", "C", *wanted, "--out", "c.csv", "--again", expect=2)


def test_rules_and_approval(run):
    said = run("policy", "--floor", "5", "--approval", "50", "--ceiling", "Press=20", "--hits", "diagnosis=99")
    assert said.splitlines() == [
        "The strongest attacker's error of no column may fall below 5 %: of its variance for numbers, of the people "
        "for categories.",
        "At most 99 % of the people may be guessed right in diagnosis.",
        "Above 50 % trust or retention a second person must approve.",
        "“Press” may have at most 20 % trust and retention.",
    ]
    wanted = ["--to", "A", "--trust", "60", "--retention", "40"]
    assert "needs the approval" in run("what-if", *wanted, "--by", "Ada", expect=1)
    run("approve", *wanted, "--by", "Bob")
    assert "Best copies trust 60 %, retention 40 % (with this copy):" in run("what-if", *wanted, "--by", "Ada")
    run("copy", *wanted, "--by", "Ada", "--out", "a.csv")
    # A limit that is not named again stays, and 0 is a limit too.
    said = run("policy", "--floor", "0", "--approval", "0", "--ceiling", "Bank=60")
    assert "may fall below 0 %" in said
    assert "Above 0 % trust" in said
    assert "“Press” may have at most 20 %" in said
    assert "“Bank” may have at most 60 %" in said
    assert "“diagnosis”" not in said
    assert "guessed right in diagnosis" in said
    assert "needs the approval" in run("what-if", "--to", "C", "--trust", "1", "--retention", "1", expect=1)
    assert run("policy", "--clear") == run("policy") == "No rules are set.\n"


def test_the_key(run, tmp_path, monkeypatch):
    run("copy", "--to", "A", "--trust", "60", "--retention", "40", "--out", "a.csv")
    run("export-key", "backup.key")
    assert "all 1 copies" in run("drill", "backup.key")
    (tmp_path / "ledger" / "key.json").unlink()
    run("copy", "--to", "B", "--trust", "60", "--retention", "40", "--out", "b.csv", expect=2)
    run("import-key", "backup.key")
    monkeypatch.setenv("TRUSTSCOPE_PASSPHRASE", "another passphrase")
    run("copy", "--to", "B", "--trust", "60", "--retention", "40", "--out", "b.csv", "--again")
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


def test_a_second_ledger_for_the_same_data_is_told_of(run, tmp_path, data, capsys):
    roles = [f"--{role}={','.join(names)}" for role, names in ROLES.items()]
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "ledger.sqlite").write_bytes(b"nonsense")
    there = tmp_path / "ledger"
    for name in ("second", "third"):
        assert main(["release", "init", name, "--data", data.name, *roles]) == 0
        assert f"There is a ledger for the same data at {there}. The noise of two" in capsys.readouterr().out
        there = f"{there}, {tmp_path / name}"
    (tmp_path / "other.csv").write_text("a,b\n" + "".join(f"{row},{row % 7}\n" for row in range(50)))
    assert main(["release", "init", "other", "--data", "other.csv", "--numbers", "a,b"]) == 0
    assert "same data" not in capsys.readouterr().out


def test_names_that_hold_a_comma(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f'{row * 7 % 90},{row % 9},"{["north, west", "south"][row % 2]}",2020\n' for row in range(200)]
    (tmp_path / "d.csv").write_text('"income, net",a=b,"where, ""exactly""",year\n' + "".join(rows))
    roles = ["--numbers", '"income, net", a=b', "--categories", '"where, ""exactly"""', "--keep", "year"]
    more = ["--grid", '"income, net"=5', "--grid", '"a=b"=2', "--domain", '"where, ""exactly"""="east, far", west']
    assert main(["release", "init", "l", "--data", "d.csv", *roles, *more]) == 0
    assert "income, net is rounded to multiples of 5." in capsys.readouterr().out
    with Ledger.open(tmp_path / "l") as ledger:
        recipe = ledger.recorded_recipe
        assert recipe.roles.numbers == ("income, net", "a=b")
        assert [grid.text for grid in recipe.grids] == ["5", "2"]
        assert recipe.domains == {'where, "exactly"': ["east, far", "north, west", "south", "west"]}
    for wrong in ('"income, net', '"income", "a" b'):
        assert main(["release", "init", "m", "--data", "d.csv", "--numbers", wrong]) == 2
        assert "a name that holds a comma stands between double quotes" in capsys.readouterr().err
    assert main(["release", "init", "m", "--data", "d.csv", "--grid", "income"]) == 2
    assert "--grid takes NAME=VALUE, not “income”" in capsys.readouterr().err


def test_names_that_begin_or_end_with_a_space(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d.csv").write_text(
        " age ,region,gain \n" + "".join(f"{row % 60},{row % 2},{row}\n" for row in range(200))
    )
    roles = ["--numbers", '" age ", "gain "', "--categories", " region "]
    assert main(["release", "init", "l", "--data", "d.csv", *roles, "--grid", '" age "=5']) == 0
    with Ledger.open(tmp_path / "l") as ledger:
        assert ledger.recorded_recipe.roles.numbers == (" age ", "gain ")
        assert ledger.recorded_recipe.roles.categories == ("region",)
        assert ledger.recorded_recipe.grids[0].text == "5"
    capsys.readouterr()
    assert main(["release", "init", "m", "--data", "d.csv", "--numbers", " age , gain "]) == 2
    assert "age" in capsys.readouterr().err


def test_help_names_every_action(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["release", "--help"])
    assert stop.value.code == 0
    said = capsys.readouterr().out
    for action in ("init", "copy", "append", "list", "check", "whose", "report", "policy", "approve", "export-key",
                   "import-key", "drill", "withdraw", "what-if"):  # fmt: skip
        assert action in said
    assert "passphrase" in said
