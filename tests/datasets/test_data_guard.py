"""The guarded process: whatever its reader does, the person gets a sentence and the server goes on."""

import io
import json
import os
import struct
import subprocess
import sys
import threading
from dataclasses import replace

import pyarrow as pa
import pytest
from data_files import ods, parquet_bytes, sheet_xml, xlsx
from pyarrow import parquet

from trustscope import datasets
from trustscope.datasets import DataProblem, guard
from trustscope.datasets.guarded import child
from trustscope.datasets.wanted import Wanted

SHEET = xlsx({"S": sheet_xml([["a"], [1], [2]])})
PARQUET = parquet_bytes({"a": [1, 2, 3], "b": ["x", "y", "x"]})


def refusal(data, filename):
    with pytest.raises(DataProblem) as problem:
        datasets.inspect(data, filename)
    assert str(problem.value).endswith(".")
    return str(problem.value)


def child_running(script, tmp_path, monkeypatch):
    """Let another program take the place of the guarded one."""
    path = tmp_path / "child.py"
    path.write_text(script)
    monkeypatch.setattr("trustscope.datasets.guarded.child.__file__", str(path))


@pytest.mark.parametrize(("data", "name"), [(SHEET, "a.xlsx"), (PARQUET, "a.parquet")])
def test_a_reader_that_does_not_end_is_ended(data, name, monkeypatch, tmp_path):
    child_running("import time\nwhile True: time.sleep(1)", tmp_path, monkeypatch)
    monkeypatch.setattr(guard, "PATIENCE", 0.2)
    assert "takes more than 20 seconds to read" in refusal(data, name)


def test_a_reader_for_which_nobody_waits_is_ended(monkeypatch, tmp_path):
    child_running("import time\nwhile True: time.sleep(1)", tmp_path, monkeypatch)
    file, started = Wanted(), subprocess.Popen

    def leaves(*arguments, **options):
        process = started(*arguments, **options)
        threading.Thread(target=file.stop).start()
        return process

    monkeypatch.setattr(subprocess, "Popen", leaves)
    with pytest.raises(DataProblem, match=r"^a\.parquet is not read any more"):
        file.call(datasets.inspect, PARQUET, "a.parquet")


def test_whoever_has_left_waits_for_no_turn(monkeypatch):
    monkeypatch.setattr(guard, "_TURN", threading.Semaphore(0))
    monkeypatch.setattr(subprocess, "Popen", None)
    file = Wanted()
    file.stop()
    with pytest.raises(DataProblem, match="called off"):
        file.call(datasets.inspect, PARQUET, "a.parquet")


@pytest.mark.parametrize(
    ("data", "name", "what"), [(SHEET, "a.xlsx", "workbook"), (PARQUET, "a.parquet", "Parquet file")]
)
def test_a_reader_that_dies_gives_a_sentence(data, name, what, monkeypatch, tmp_path, caplog):
    child_running("import os\nos.abort()", tmp_path, monkeypatch)
    with caplog.at_level("INFO", "trustscope.datasets"):
        assert f"stopped its reader, being a damaged {what}" in refusal(data, name)
    assert f"The reader of a {what} ended early" in caplog.text
    assert name not in caplog.text


@pytest.mark.parametrize(
    "script", ["", "print('no JSON')", "print('{}')", "print('{\"tables\": 1}')", "import sys; sys.exit(4)"]
)
def test_a_reader_that_answers_nonsense_gives_a_sentence(script, monkeypatch, tmp_path):
    child_running(script, tmp_path, monkeypatch)
    assert "damaged Parquet file" in refusal(PARQUET, "a.parquet")


@pytest.mark.skipif(os.name != "posix", reason="memory is bounded on POSIX only")
def test_memory_is_bounded():
    program = "import mmap, runpy; runpy.run_path({!r})['bound']({}, 60); print(len(mmap.mmap(-1, 1 << 32)))"
    for memory, enough in ((1 << 40, True), (1 << 32, False)):
        command = [sys.executable, "-c", program.format(child.__file__, memory)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert ("Cannot allocate memory" in done.stderr) != enough
        assert done.stdout == (f"{1 << 32}\n" if enough else "")


@pytest.mark.skipif(os.name != "posix", reason="processor time is bounded on POSIX only")
def test_processor_time_is_bounded(monkeypatch, tmp_path):
    busy = (
        f"import runpy, sys; runpy.run_path({child.__file__!r})['bound'](1 << 40, int(sys.argv[3]))\nwhile True: pass"
    )
    child_running(busy, tmp_path, monkeypatch)
    monkeypatch.setattr(guard, "SECONDS", 1)
    assert "takes more than 1 seconds to read" in refusal(PARQUET, "a.parquet")


def test_a_reader_that_runs_out_of_memory_gives_a_sentence(monkeypatch, tmp_path):
    child_running(f"import sys; sys.exit({child.TOO_LARGE})", tmp_path, monkeypatch)
    assert "needs more than 2 GB of memory to read" in refusal(PARQUET, "a.parquet")


@pytest.mark.skipif(sys.platform != "linux", reason="addresses are bounded there, and given back by its C library")
def test_many_columns_of_texts_take_memory_for_what_they_hold(monkeypatch):
    """Arrow asks for as much for each column as for all of them together; 5 MB of texts asked for a gigabyte."""
    monkeypatch.setattr(guard, "MEMORY_BYTES", 600 << 20)
    line = ",".join(f"category {i % 20:02}" for i in range(200))
    names = ",".join(f"c{i}" for i in range(200))
    found = datasets.inspect("\n".join([names, *[line, line[::-1]] * 1000]).encode(), "a.csv")
    assert (found.rows, len(found.columns)) == (2000, 200)


def test_few_bytes_that_stand_for_very_many_cells_are_answered():
    cell = '<table:table-cell table:number-columns-repeated="16384" office:value-type="float" office:value="1"/>'
    vast = f'<table:table-row table:number-rows-repeated="1048576">{cell}</table:table-row>'
    assert "workbook" in refusal(ods([["a"], [1]], more=vast), "a.ods")


def test_a_file_that_unpacks_to_more_than_it_says_is_stopped(monkeypatch):
    monkeypatch.setattr("trustscope.datasets.read_parquet.UNPACKED_BYTES", 100_000)
    texts = pa.array([f"{i:050}" for i in range(20_000)])
    data = parquet_bytes({"t": texts}, compression="zstd")
    said = sum(parquet.read_metadata(io.BytesIO(data)).row_group(i).total_byte_size for i in range(1))
    assert said > 100_000
    assert "unpacks to more than" in refusal(data, "a.parquet")


def test_what_would_take_too_much_is_refused_before_it_is_read(monkeypatch):
    """A column of few values takes next to nothing in a file, and eight bytes a row in memory."""
    data = parquet_bytes({"n": pa.array([0.5, 1.5] * 100_000), "t": pa.array(["a", "b"] * 100_000)}, compression="zstd")
    assert len(data) < 5_000
    limits = replace(datasets.LIMITS, kept=200_000 * 12)
    assert datasets.inspect(data, "a.parquet", limits=limits).rows == 200_000
    monkeypatch.setattr(pa.ipc, "open_stream", None)
    with pytest.raises(DataProblem, match=r"^a\.parquet would take 3 MB of memory or more, and the limit is 3 MB: "):
        datasets.inspect(data, "a.parquet", limits=replace(limits, kept=limits.kept - 1))


@pytest.mark.parametrize("columns", [{"l": [[1], [2]], "n": [1, 2]}, {"l": [{"a": 1}, {"a": 2}], "l.a": [1, 2]}])
def test_nested_columns_are_named_and_not_read(columns):
    found = datasets.inspect(parquet_bytes(columns), "a.parquet")
    assert [(c.kind, c.usable) for c in found.columns] == [("other", False), ("number", True)]
    assert "cannot be perturbed" in found.columns[0].note
    assert found.dataset().frame.iloc[:, 0].tolist() == [1, 2]


def test_groups_of_rows_become_one_table():
    data = parquet_bytes({"n": range(100), "t": [f"t{i % 7}" for i in range(100)]}, row_group_size=9)
    frame = datasets.inspect(data, "a.parquet").dataset().frame
    assert frame["n"].tolist() == list(range(100))
    assert list(frame["t"]) == [f"t{i % 7}" for i in range(100)]


def test_an_archive_with_very_many_members_is_answered():
    # The list of an archive's members is read in the guarded process as well.
    entry = b"PK\x01\x02" + struct.pack("<HHHHHHIIIHHHHHII", 20, 20, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"a"
    count = 20_000
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, count, count, count * len(entry), 4, 0)
    assert "zip archive" in refusal(b"PK\x03\x04" + entry * count + end, "a.xlsx")


def test_the_reader_gets_no_secrets_of_the_server(monkeypatch, tmp_path):
    monkeypatch.setenv("TRUSTSCOPE_PASSPHRASE", "four words that matter")
    monkeypatch.setenv("SOMEBODYS_TOKEN", "12345")
    child_running(
        f"import json, os\nopen({str(tmp_path / 'seen')!r}, 'w').write(json.dumps(dict(os.environ)))",
        tmp_path, monkeypatch,
    )  # fmt: skip
    refusal(PARQUET, "a.parquet")
    seen = json.loads((tmp_path / "seen").read_text())
    assert {"TRUSTSCOPE_PASSPHRASE", "SOMEBODYS_TOKEN", "HOME"}.isdisjoint(seen)
    assert seen["MALLOC_ARENA_MAX"] == "1"
    assert seen["PATH"] == os.environ["PATH"]
