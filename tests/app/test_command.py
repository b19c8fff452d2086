"""The ways to start the app, and the sentences when it cannot start."""

import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.app.conftest import free_port, running
from trustscope.app import cli

BIN = Path(sys.executable).parent


@pytest.mark.parametrize(
    ("command", "path"),
    [
        ([str(BIN / "trustscope"), "--no-open", "--port"], "/"),
        ([sys.executable, "-m", "trustscope", "--no-open", "--dataset", "iris", "--port"], "/"),
        ([str(BIN / "panel"), "serve", "app", "--port"], "/app"),
    ],
    ids=["trustscope", "python -m trustscope", "panel serve app"],
)
def test_every_way_starts_the_same_app(command, path):
    port = free_port()
    with running([*command, str(port)], port, path) as address, urllib.request.urlopen(address) as answer:
        page = answer.read().decode()
    assert "<title>Trustscope</title>" in page
    assert 'aria-label="Controls"' in page


def test_a_taken_port_is_said(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert cli.main(["--port", str(port), "--no-open"]) == 2
    assert f"port {port} is taken" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--dataset", "nonsense"], "there is no dataset called 'nonsense'"),
        (["--port", "70000"], "port 70000 does not exist"),
        (["--address", "no.such.host.invalid"], "is not an address of this machine"),
    ],
)
def test_bad_arguments_get_one_sentence(capsys, arguments, sentence):
    assert cli.main([*arguments, "--no-open"]) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1


def test_the_command_line_is_fast_to_refuse():
    """A wrong argument does not wait for the interface to be imported."""
    code = "import sys; from trustscope.app import cli; cli.main(['--dataset', 'x']); sys.exit('panel' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], stderr=subprocess.DEVNULL, check=False).returncode == 0
