"""Temporary files go with their run, and those of a run that was killed with the next one."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from trustscope.app.serving import scratch

HOLD = """
import tempfile, time
from trustscope.app.serving import scratch
scratch.begin()
print(tempfile.mkdtemp(), flush=True)
time.sleep(600)
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    """In place of the system's folder."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    yield tmp_path
    scratch.end()


def test_everything_of_a_run_lies_in_its_folder_and_goes_with_it(place):
    folder = scratch.begin()
    inside = Path(tempfile.mkdtemp())
    assert inside.parent == folder == Path(os.environ["TMPDIR"])
    assert folder.parent == place
    assert scratch.begin() == folder  # begun once, by whoever comes first
    scratch.end()
    assert list(place.iterdir()) == []
    assert tempfile.gettempdir() == os.environ["TMPDIR"] == str(place)


@pytest.mark.skipif(sys.platform == "win32", reason="files are locked in another way there")
def test_what_a_killed_run_left_goes_at_the_next_start_and_what_a_living_one_has_stays(place):
    runs = [subprocess.Popen([sys.executable, "-c", HOLD], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    try:
        killed, living = (Path(run.stdout.readline().strip()) for run in runs)
        runs[0].send_signal(signal.SIGKILL)
        runs[0].wait()
        (killed / "somebody's data").write_text("secret")
        stranger = place / f"{scratch.PREFIX}just-made"
        stranger.mkdir()
        assert scratch.remove_left() == [killed.parent]
        assert not killed.exists()
        assert living.exists()
        assert stranger.exists()
    finally:
        for run in runs:
            run.kill()
            run.wait()
            run.stdout.close()


def test_a_link_in_the_folder_leads_nowhere(place, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (outside / scratch.LOCK).write_text("")
    (place / f"{scratch.PREFIX}x").symlink_to(outside)
    assert scratch.remove_left() == []
    assert (outside / scratch.LOCK).exists()
