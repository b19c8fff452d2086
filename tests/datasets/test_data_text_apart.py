"""Text is read at once where it is small, and in the guarded process where it is not: the answer is the same."""

import subprocess

import pyarrow as pa
import pytest

from trustscope.datasets import DataProblem, guard, inspect, read_text

ROWS = "".join(f"{i},{i * 0.5},word {i % 7},{i % 1000:04},2024-01-{i % 28 + 1:02}\n" for i in range(3000))
TEXTS = {
    "plain": "a,b,c,d,e\n" + ROWS,
    "quoted": 'a,b\n"x, and\nmore",1\n"y",2\n"z",3\n',
    "decimal commas": "a;b\n1,5;x\n2,5;y\n2,75;x\n",
    "ragged": "a,b\n1,2\n3\n4,5\n",
    "open quote": "a,b\n" + "1,2\n" * 2000 + '"3,4\n' + "5,6\n" * 2000,
    "header only": "a,b\n",
    "zeros, late": "code,n\n" + "".join(f"{i},{i}\n" for i in range(10, 500)) + "007,1\n",
}
BYTES = {name: text.encode() for name, text in TEXTS.items()} | {
    "latin-1, late": b"name,n\n" + b"x,1\n" * 30_000 + "Zoë,2\n".encode("latin-1"),
    "utf-16": ("a,b\n" + "1,2\n3,4\n").encode("utf-16"),
    "damaged utf-16": ("a,b\n" + "1,2\n" * 50).encode("utf-16") + b"\xd8\xd8\xd8",
    "zeros": b"\x00" * 500,
}


def told(content):
    """What is understood of a file, or the sentence."""
    try:
        found = inspect(content, "own.csv")
    except DataProblem as problem:
        return str(problem)
    frame = found.dataset(missing="keep").frame if any(c.usable for c in found.columns) else None
    return found.format, found.rows, found.columns, found.notes, None if frame is None else frame.to_dict("list")


@pytest.mark.parametrize("name", BYTES)
def test_both_ways_understand_the_same(name, monkeypatch):
    monkeypatch.setattr(read_text, "read_apart", None)  # a small file starts no process
    at_once = told(BYTES[name])
    monkeypatch.undo()
    monkeypatch.setattr(read_text, "SMALL", 0)
    asked = []
    monkeypatch.setattr(read_text, "read_apart", lambda *a: asked.append(a[0]) or guard.read_apart(*a))
    assert repr(told(BYTES[name])) == repr(at_once)
    assert asked or isinstance(at_once, str)


def test_a_large_text_that_takes_too_much_gets_a_sentence(monkeypatch):
    content = b"a,b\n" + b"1.5,2.5\n2.5,3.75\n" * 100_000
    assert inspect(content, "own.csv").rows == 200_000
    monkeypatch.setattr(guard, "MEMORY_BYTES", 160 << 20)
    with pytest.raises(DataProblem, match=r"^own\.csv .*(leave out rows or columns|damaged text file).*\.$"):
        inspect(content + b"1.5,2.5\n2.5,3.75\n" * 850_000, "own.csv")


def test_a_parser_that_dies_ends_no_server(monkeypatch):
    """The process is killed, as by a fault in Arrow: the person gets a sentence."""
    started = subprocess.Popen

    def dies(*arguments, **options):
        process = started(*arguments, **options)
        process.kill()
        return process

    monkeypatch.setattr(subprocess, "Popen", dies)
    with pytest.raises(DataProblem, match=r"stopped its reader.*leave out rows or columns"):
        inspect(b"a,b\n" + b"1.5,2.5\n2.5,3.75\n" * 100_000, "own.csv")


def test_columns_come_back_whole():
    content = b"code,x\n" + b"".join(b"%05d,%d\n" % (i % 90_000, i) for i in range(120_000))
    inspection = inspect(content, "codes.csv")
    assert inspection.rows == 120_000
    assert pa.types.is_dictionary(inspection.raw["code"].type) or pa.types.is_string(inspection.raw["code"].type)
