"""The commands that need no page: figures, tables and the sentences when something is wrong."""

import csv
import hashlib
import html
import json
import os
import subprocess
import sys

import pytest

from trustscope.app import cli
from trustscope.handouts.report.drawing import Drawn
from trustscope.scenarios.link import query_of
from trustscope.scenarios.papers.scenario import PapersScenario
from trustscope.scenarios.scenario import OwnFile
from trustscope.scenarios.trust.scenario import TrustData, TrustScenario

IRIS = TrustScenario().replace({"data.name": "iris"})
TABLE = "Height,Weight,City\n" + "".join(f"{150 + i % 40},{50 + i * 7 % 45},{'ABC'[i % 3]}\n" for i in range(90))


@pytest.fixture
def saved(tmp_path):
    return IRIS.save(tmp_path / "iris.json")


@pytest.fixture
def own(tmp_path):
    """A scenario of a person's own file, and the file."""
    path = tmp_path / "people.csv"
    path.write_text(TABLE)
    digest = hashlib.sha256(TABLE.encode()).hexdigest()
    file = OwnFile(name="people.csv", size=len(TABLE), digest=digest)
    scenario = TrustScenario(data=TrustData(name="own", file=file)).replace({"settings.attackers": ("perfect",)})
    return scenario.save(tmp_path / "own.json"), path


def test_run_prints_verdict_and_figures(saved, capsys):
    assert cli.main(["run", str(saved)]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == IRIS.figures().to_dict()
    error = next(one for one in printed["figures"] if one["name"] == "coalition.error.strongest")
    assert error["agrees"] is True
    assert abs(error["theory"] - error["measured"]) <= error["tolerance"]


def test_run_writes_the_table_of_each_card(saved, tmp_path, capsys):
    folder = tmp_path / "tables"
    assert cli.main(["run", str(saved), "--csv", str(folder)]) == 0
    found = {title: table for title, table in IRIS.figures().tables.items() if len(table.columns)}
    assert len(list(folder.iterdir())) == len(found) == 9
    with open(folder / "every-coalition.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["explained, nested"]) for row in rows] == list(found["Every coalition"]["explained, nested"])
    capsys.readouterr()


def test_an_own_file_is_recognised_by_its_digest(own, tmp_path, capsys):
    scenario, data = own
    assert cli.main(["run", str(scenario), "--data", str(data)]) == 0
    assert json.loads(capsys.readouterr().out)["figures"][0]["value"] == 90
    assert cli.main(["run", str(scenario)]) == 2
    assert "people.csv" in capsys.readouterr().err
    data.write_text(TABLE + "151,60,A\n")
    assert cli.main(["run", str(scenario), "--data", str(data)]) == 2
    assert "is another file" in capsys.readouterr().err


def _content(**changes):
    return json.dumps(IRIS.to_dict() | changes)


BAD = {
    "not JSON": ("hello", "is not JSON"),
    "a list": ("[1, 2]", "names no page"),
    "no page": ('{"trustscope": 1}', "names no page"),
    "deep": ("[" * 100_000, "is not JSON"),
    "another page": (_content(page="moon"), "no page called 'moon'"),
    "a page that is a list": (_content(page=["trust"]), "no page called 'list'"),
    "from the future": (_content(trustscope=99), "version 99"),
    "no version": (_content(trustscope="<b>1</b>"), "whole number"),
    "unknown dataset": (_content(data={"name": "moon"}), "no dataset called 'moon'"),
    "unknown attacker": (
        _content(settings=IRIS.to_dict()["settings"] | {"attackers": ["wizard"]}), "settings → attackers → 1",
    ),
    "proto": (_content(__proto__={"admin": True}), "__proto__"),
    "markup": (_content(data={"name": "<script>alert(1)</script>"}), "no dataset called"),
    "large": (" " * 1_000_001, "no scenario is larger"),
    "bytes": ("\udcff", "not text"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_files_get_one_sentence(tmp_path, capsys, name):
    text, sentence = BAD[name]
    path = tmp_path / "scenario.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert cli.main(["run", str(path)]) == 2
    out, error = capsys.readouterr()
    assert not out
    assert sentence in error
    assert error.count("\n") == 1


def test_a_huge_file_is_not_even_read(tmp_path, capsys):
    path = tmp_path / "huge.json"
    with open(path, "wb") as file:
        os.truncate(file.fileno(), 100_000_000)
    assert cli.main(["run", str(path)]) == 2
    assert "100.0 MB" in capsys.readouterr().err
    for missing in (tmp_path / "nothing.json", tmp_path):
        assert cli.main(["run", str(missing)]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_running_needs_no_interface(saved):
    code = (
        "import sys\nfrom trustscope.app import cli\n"
        f"cli.main(['run', {str(saved)!r}])\nsys.exit(' '.join({{'panel', 'bokeh', 'param'}} & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_open_announces_the_address_with_the_scenario(tmp_path, monkeypatch, capsys):
    from trustscope.app.commands import serve
    from trustscope.app.serving import worker

    monkeypatch.setattr(serve.log, "configure", lambda *_: None)
    monkeypatch.setattr(serve.ports, "bind", lambda *_: [])
    monkeypatch.setattr(worker, "serve_alone", lambda *_, **__: 0)
    path = tmp_path / "scenario.json"
    path.write_text(json.dumps(IRIS.to_dict() | {"nonsense": 1}))
    assert cli.main(["open", str(tmp_path / "none.json")]) == 2
    assert "cannot be read" in capsys.readouterr().err
    assert cli.main(["open", str(path)]) == 0
    out, error = capsys.readouterr()
    assert f"/?{query_of(IRIS)} (stop it" in out
    assert "nonsense was left out" in error


def test_report_writes_one_file(saved, own, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(Drawn, "inline", lambda *arguments: "")  # drawings take long, and test_report.py looks at them
    out = tmp_path / "report.html"
    scenario, data = own
    assert cli.main(["report", str(saved), str(scenario), "--data", str(data), "-o", str(out)]) == 0
    text = out.read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert IRIS.figures().verdict in text
    assert "Side by side" in text
    capsys.readouterr()
    gallery = PapersScenario().save(tmp_path / "gallery.json")
    assert cli.main(["report", str(gallery), "-o", str(tmp_path / "none" / "report.html")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_code_writes_a_script_or_a_notebook(saved, tmp_path, capsys):
    out = tmp_path / "scenario.ipynb"
    assert cli.main(["code", str(saved), "--notebook", "-o", str(out)]) == 0
    assert json.loads(out.read_text(encoding="utf-8"))["nbformat"] == 4
    capsys.readouterr()
    assert cli.main(["code", str(saved)]) == 0
    compile(capsys.readouterr().out, "script.py", "exec")


def test_slides_are_written_for_powerpoint_where_the_file_is_named_so(tmp_path):
    from pptx import Presentation

    gallery, out = PapersScenario().save(tmp_path / "papers.json"), tmp_path / "deck.pptx"
    assert cli.main(["slides", str(gallery), "-o", str(out), "--quiet"]) == 0
    assert len(Presentation(out).slides) == 5
    assert cli.main(["slides", str(gallery), "-o", str(tmp_path / "deck.html"), "--quiet"]) == 0
    assert (tmp_path / "deck.html").read_text().startswith("<!DOCTYPE html>")


def test_a_missing_folder_is_told_before_the_work(tmp_path, monkeypatch, capsys):
    from trustscope.handouts import report

    monkeypatch.setattr(report, "slides", None)  # calling it would fail otherwise
    gallery = PapersScenario().save(tmp_path / "papers.json")
    assert cli.main(["slides", str(gallery), "-o", str(tmp_path / "no" / "deck.html")]) == 2
    assert f"there is no folder {tmp_path / 'no'}." in capsys.readouterr().err


def test_a_report_is_printed_where_there_is_a_browser_and_else_a_sentence_says_so(tmp_path, monkeypatch, capsys):
    from trustscope.app.desktop import printing

    gallery = PapersScenario().save(tmp_path / "papers.json")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(printing, "pdf", lambda text, paper: f"%PDF-{paper}".encode())
    monkeypatch.setattr(printing, "find_browser", lambda first: "/usr/bin/browser")
    assert cli.main(["report", str(gallery), "--pdf", "--paper", "letter", "--quiet"]) == 0
    assert (tmp_path / "report.pdf").read_bytes() == b"%PDF-letter"
    assert cli.main(["report", str(gallery), "-o", "named.pdf", "--quiet"]) == 0
    assert (tmp_path / "named.pdf").read_bytes() == b"%PDF-a4"
    monkeypatch.undo()
    monkeypatch.setenv("TRUSTSCOPE_BROWSER", "no-such-browser")
    assert cli.main(["report", str(gallery), "--pdf", "-o", str(tmp_path / "none.pdf"), "--quiet"]) == 2
    assert "none of the Chromium family is installed" in capsys.readouterr().err
    assert not (tmp_path / "none.pdf").exists()


WRONG = {
    "report": ("x.pptx", "The name of a report ends with .html, .htm or .pdf, not with .pptx."),
    "slides": ("x.pdf", "The name of a deck ends with .html, .htm or .pptx, not with .pdf."),
    "explorable": ("x.pdf", "The name of an explorable ends with .html or .htm, not with .pdf."),
    "film": ("x.html", "The name of a film ends with .apng, .gif or .webm, not with .html."),
}


@pytest.mark.parametrize("command", WRONG)
def test_what_a_file_holds_is_what_its_name_says(saved, tmp_path, capsys, command):
    name, sentence = WRONG[command]
    assert cli.main([command, str(saved), "-o", str(tmp_path / name)]) == 2
    assert capsys.readouterr().err == f"trustscope: {sentence}\n"
    assert not (tmp_path / name).exists()


def _never(*arguments, **options):
    raise AssertionError("The work was begun.")


@pytest.mark.parametrize("command", ["explorable", "film", "lesson explorable"])
def test_no_work_is_done_for_a_folder_that_is_not_there(saved, tmp_path, monkeypatch, capsys, command):
    from trustscope.app import explorable
    from trustscope.app.explorable import lessons
    from trustscope.handouts import film

    monkeypatch.setattr(explorable, "explorable", _never)
    monkeypatch.setattr(film, "film", _never)
    monkeypatch.setattr(lessons, "lesson_page", _never)
    what = "two-copies" if command.startswith("lesson") else str(saved)
    out = tmp_path / "no" / ("x.gif" if command == "film" else "x.html")
    assert cli.main([*command.split(), what, "-o", str(out)]) == 2
    assert f"there is no folder {out.parent}." in capsys.readouterr().err


def test_a_command_whose_reader_has_read_enough_ends_quietly(saved):
    code = (
        "import os, sys\nread, write = os.pipe()\nos.close(read)\nos.dup2(write, 1)\n"
        "from trustscope.app import cli\nsys.stdout.reconfigure(line_buffering=True)\n"
        f"sys.exit(cli.main(['run', {str(saved)!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")


def test_a_lesson_that_is_stopped_ends_with_a_word(monkeypatch, capsys):
    from trustscope.app.explorable import lessons

    def stopped(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(lessons, "lesson_page", stopped)
    assert cli.main(["lesson", "explorable", "two-copies"]) == 130
    assert capsys.readouterr().err == "\ntrustscope: stopped.\n"


def test_a_report_names_a_file_as_a_shell_reads_it(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(Drawn, "inline", lambda *arguments: "")
    data, out = tmp_path / "our people.csv", tmp_path / "report.html"
    data.write_text(TABLE)
    file = OwnFile(name=data.name, size=len(TABLE), digest=hashlib.sha256(TABLE.encode()).hexdigest())
    scenario = TrustScenario(data=TrustData(name="own", file=file)).replace({"settings.attackers": ("perfect",)})
    saved = scenario.save(tmp_path / "own.json")
    assert cli.main(["report", str(saved), "--data", str(data), "-o", str(out)]) == 0
    assert "trustscope run trust.json --data 'our people.csv'\n" in html.unescape(out.read_text(encoding="utf-8"))
