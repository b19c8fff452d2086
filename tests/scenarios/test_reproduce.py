"""`trustscope reproduce` and `trustscope list`."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from trustscope.app import cli
from trustscope.handouts.papers import reproduce
from trustscope.scenarios import files
from trustscope.scenarios.papers import registry, stored
from trustscope.scenarios.papers.registry import EXPERIMENTS


def test_every_experiment_is_listed(capsys):
    assert cli.main(["list"]) == 0
    shown = capsys.readouterr().out
    assert all(f"  {id} " in shown for id in EXPERIMENTS)
    assert "(misprint)" in shown


def test_reproducing_writes_tables_pictures_and_a_report(tmp_path, capsys):
    assert cli.main(["reproduce", "li/example", "xiao/eq7", "--out", str(tmp_path)]) == 0
    names = {p.name for p in tmp_path.iterdir()}
    assert names == {"li-example.csv", "li-example.svg", "xiao-eq7.csv", "xiao-eq7.svg", "report.html", "papers.md"}
    assert (tmp_path / "li-example.svg").read_text().startswith("<svg")
    report = (tmp_path / "report.html").read_text()
    assert report.count("<section") == 2
    assert "0.4444" in report
    assert stored.read(tmp_path / "li-example.csv").equals(stored.result("li/example").table)
    out, err = capsys.readouterr()
    assert "5 claims: 4 confirmed, 1 corrected, 0 not reproducible" in out
    assert "li/example" in err


def test_a_check_that_fails_is_the_exit_code(tmp_path, capsys, monkeypatch):
    e = EXPERIMENTS["li/example"]
    wrong = replace(e, function=lambda: e.function().assign(nested=0.4))
    monkeypatch.setitem(registry.EXPERIMENTS, "li/example", wrong)
    assert cli.main(["reproduce", "li/example", "--out", str(tmp_path)]) == 1
    assert "did not hold: li/example: Alice alone" in capsys.readouterr().err


def _break(monkeypatch, id, error):
    def fails(*arguments, **options):
        raise error

    monkeypatch.setitem(registry.EXPERIMENTS, id, replace(EXPERIMENTS[id], function=fails))


def test_one_that_cannot_run_does_not_stop_the_others(tmp_path, capsys, monkeypatch):
    _break(monkeypatch, "li/example", ZeroDivisionError("by nought"))
    assert cli.main(["reproduce", "li/example", "xiao/eq7", "--out", str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    assert "could not run: li/example: ZeroDivisionError: by nought" in err
    assert "Traceback" not in err
    assert out.startswith("1 claim: 0 confirmed, 1 corrected")
    assert (tmp_path / "report.html").read_text().count("<section") == 1


def test_what_was_finished_before_ctrl_c_is_reported(tmp_path, capsys, monkeypatch):
    _break(monkeypatch, "xiao/eq7", KeyboardInterrupt())
    assert cli.main(["reproduce", "li/example", "xiao/eq7", "--out", str(tmp_path)]) == 130
    assert "kept in" in capsys.readouterr().err
    assert (tmp_path / "report.html").read_text().count("<section") == 1
    assert "li/example" in (tmp_path / "papers.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["reproduce", "li/fgi2"], "there is no experiment called 'li/fgi2'; did you mean"),
        (["reproduce", "qqqqqqqqq"], "`trustscope list` shows all"),
        (["reproduce", "li/example", "--out", "/dev/null/x"], "/dev/null/x: a file of that name is in the way"),
        (["reproduce", "li/example", "--store", "--paper-size"], "leave out --paper-size"),
        (["reproduce", "nope"], "there is no experiment called 'nope'; `trustscope list` shows all."),
    ],
)
def test_bad_arguments_get_one_sentence(capsys, arguments, sentence):
    assert cli.main(arguments) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1


def test_the_paper_size_is_asked_for(tmp_path, monkeypatch):
    sizes = []
    e = EXPERIMENTS["li/table3"]
    small = replace(e, function=lambda rows, key: sizes.append(rows) or e.function(1000, key))
    monkeypatch.setitem(registry.EXPERIMENTS, "li/table3", small)
    assert cli.main(["reproduce", "li/table3", "--paper-size", "--out", str(tmp_path)]) == 0
    assert sizes == [100_000]


def test_the_bar_draws_on_a_terminal_only(capsys, monkeypatch):
    bar = reproduce.Bar(2)
    with bar.running("li/fig2") as progress:
        progress(1, 2, "half")
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    bar = reproduce.Bar(2)
    with bar.running("li/fig2") as progress:
        progress(2, 2, "all")
    assert " 50 %  li/fig2  all" in capsys.readouterr().err


INTERFACE = {"panel", "holoviews", "bokeh"}


# One process answers all that needs a process of its own: what is imported after --help, after list and after
# reproduce, one after the other; and then, when it may write no file above 2 kB, what is said of a full disk.
FRESH = """
import contextlib, io, json, resource, sys
from trustscope.app import cli
imported = {}
for command in (["--help"], ["list"], ["reproduce", "li/example", "--out", "made"]):
    with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):  # --help exits
        assert cli.main(command) == 0
    imported[command[0]] = sorted(sys.modules)
sys.dont_write_bytecode = True  # half of a compiled module would stay, and break whatever imports it later
resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
    code = cli.main(["reproduce", "li/example", "xiao/eq7", "--out", "full"])
print(json.dumps([imported, code, said.getvalue()]))
"""


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    """The folder in which a new process worked, and what it found."""
    folder = tmp_path_factory.mktemp("fresh")
    done = subprocess.run([sys.executable, "-c", FRESH], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (folder / "made" / "li-example.svg").exists()
    return folder, *json.loads(done.stdout)


@pytest.fixture(scope="module")
def imported(fresh):
    """The modules that are imported after each command."""
    return {command.removeprefix("--"): set(names) for command, names in fresh[1].items()}


def test_help_imports_neither_the_interface_nor_scikit_learn(imported):
    assert "argparse" in imported["help"]
    assert imported["help"].isdisjoint(INTERFACE | {"sklearn", "matplotlib"})


def test_listing_imports_nothing_of_the_interface_nor_what_only_a_run_needs(imported):
    """The first page imports the experiments as well, and would take a third longer."""
    assert "trustscope.scenarios.papers.registry" in imported["list"]  # the experiments are known
    assert imported["list"].isdisjoint(INTERFACE | {"matplotlib", "sklearn", "scipy.stats"})


def test_plots_are_drawn_by_holoviews(imported):
    assert {"matplotlib", "holoviews"} <= imported["reproduce"]


# Where files cannot be written


def test_a_full_disk_gets_a_sentence_and_leaves_no_half_file(fresh):
    """A process that may write no file above 2 kB: the table of li/example fits, its picture does not."""
    folder, _, code, said = fresh
    assert code == 2
    *_, sentence = said.splitlines()
    assert sentence.startswith("trustscope: full/li-example.svg could not be written (File too large).")
    assert "Traceback" not in said
    assert "xiao/eq7" not in said  # nothing more is run
    assert [p.name for p in (folder / "full").iterdir()] == ["li-example.csv"]
    assert stored.read(folder / "full" / "li-example.csv").equals(stored.result("li/example").table)


def test_what_was_finished_before_the_disk_was_full_is_reported(tmp_path, capsys, monkeypatch):
    write = files.write

    def full(path, text):
        if path.name == "xiao-eq7.csv":
            raise files.WriteProblem(f"{path} could not be written (No space left on device).")
        write(path, text)

    monkeypatch.setattr(files, "write", full)
    assert cli.main(["reproduce", "li/example", "xiao/eq7", "--out", str(tmp_path)]) == 2
    assert "xiao-eq7.csv could not be written" in capsys.readouterr().err
    assert (tmp_path / "report.html").read_text().count("<section") == 1
