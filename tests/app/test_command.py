"""The ways to start the app, and the sentences when it cannot start."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.app.conftest import free_port
from trustscope.app import cli, commands
from trustscope.app.commands import serve

BIN = Path(sys.executable).parent


def test_the_command_that_is_installed_is_the_module():
    """`python -m trustscope` is how the tests start the app."""
    ways = ([str(BIN / "trustscope")], [sys.executable, "-m", "trustscope"])
    told = [subprocess.run([*way, "--help"], capture_output=True, text=True, check=True).stdout for way in ways]
    assert told[0] == told[1]
    assert "--port" in told[0]


def test_a_reader_that_has_read_enough_ends_the_command_quietly():
    asked, pipes = [sys.executable, "-m", "trustscope", "list"], {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(asked, text=True, **pipes) as command:
        command.stdout.close()
        assert command.stderr.read() == ""
    assert command.returncode == 1


def test_a_taken_port_is_said(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert cli.main(["--port", str(port), "--no-open"]) == 2
        assert cli.main(["--port", str(port), "--no-open"]) == 2
    error = capsys.readouterr().err
    assert f"port {port} is taken by" in error
    assert f"(process {os.getpid()})" in error or "another program" in error  # not every system tells
    assert error.count("\n") == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--dataset", "nonsense"], "there is no dataset called 'nonsense'"),
        (["--port", "70000"], "port 70000 does not exist"),
        (["--address", "no.such.host.invalid"], "is not an address of this machine"),
        (["serve", "--token", "short"], "the token needs 16"),
        (["serve", "--origin", "*"], "is not a name"),
        (["--log-file", "/no/such/folder/log"], "the log cannot be written to /no/such/folder/log"),
    ],
)
def test_bad_arguments_get_one_sentence(capsys, arguments, sentence):
    assert cli.main([*arguments, "--no-open", *([] if "--port" in arguments else ["--port", str(free_port())])]) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1


def test_help_imports_neither_the_interface_nor_the_mathematics_and_a_refusal_not_the_interface():
    """A wrong argument does not wait for the interface to be imported."""
    code = (
        "import sys\nfrom trustscope.app import cli\n"
        "try:\n    cli.main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print(sorted({'panel', 'bokeh', 'sklearn', 'pandas', 'tornado'} & set(sys.modules)))\n"
        "print(cli.main(['--dataset', 'x']), 'panel' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    *said, imported, refused = done.stdout.splitlines()
    assert imported == "[]"
    assert refused == "2 False"
    assert "serve" in "\n".join(said)
    assert "reproduce" in "\n".join(said)


def test_every_subcommand_has_a_parser_and_a_run():
    found = commands.find_commands()
    assert {"serve", "list", "reproduce"} <= set(found)
    for command in found.values():
        assert callable(command.add_parser)
        assert callable(command.run)


@pytest.mark.parametrize("arguments", [["--port", "6007"], ["serve", "--port", "6007"], ["--port", "6007", "serve"]])
def test_options_may_stand_before_and_after_the_command(monkeypatch, arguments):
    seen = []
    monkeypatch.setattr(serve, "run", lambda args: seen.append(args) or 0)
    assert cli.main(arguments) == 0
    assert seen[0].port == 6007
    assert seen[0].address == "127.0.0.1"
    assert seen[0].max_sessions == 200
