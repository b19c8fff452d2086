"""Files are written whole or not at all."""

import errno
import os
import threading

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


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_written_into_and_stays_a_pipe(tmp_path):
    path, read = tmp_path / "pipe", []
    os.mkfifo(path)
    assert files.ending_of(path, files.REPORT, "a report") == ".html"  # its own name says nothing
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()), daemon=True)
    reader.start()
    files.write(path, "whole")
    reader.join(10)
    assert read == [b"whole"]
    assert path.is_fifo()


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(files.WriteProblem, match="there is no folder"):
        files.write(tmp_path / "none" / "a.csv", "text")
