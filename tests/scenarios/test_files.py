"""Files are written whole or not at all."""

import errno
import os

import pytest

from trustscope.scenarios import files


def test_a_file_is_written_and_replaced(tmp_path):
    path = tmp_path / "a.csv"
    files.write(path, "σ,1\n")
    assert path.read_bytes() == "σ,1\n".encode()
    files.write(path, "2\n")
    assert path.read_text() == "2\n"
    assert [p.name for p in tmp_path.iterdir()] == ["a.csv"]


@pytest.mark.parametrize("problem", [OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), KeyboardInterrupt()])
def test_what_was_there_stays_when_writing_fails(tmp_path, monkeypatch, problem):
    path = tmp_path / "a.csv"
    files.write(path, "before")

    def full(number):
        assert (tmp_path / f".a.csv.{os.getpid()}.part").stat().st_size == 5  # it fails when part of it is on the disk
        raise problem

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(KeyboardInterrupt if isinstance(problem, KeyboardInterrupt) else files.WriteProblem) as caught:
        files.write(path, "after")
    if isinstance(problem, OSError):
        assert str(caught.value).startswith(f"{path} could not be written (No space left on device).")
    assert path.read_text() == "before"
    assert [p.name for p in tmp_path.iterdir()] == ["a.csv"]
