"""Whatever the bytes, what comes out is an inspection or a DataProblem, and a dataset keeps its promises."""

import gzip

import numpy as np
import pytest
from data_files import XLS, Days, ods, parquet_bytes, sheet_xml, xlsb, xlsx
from hypothesis import given, settings
from hypothesis import strategies as st

from trustscope import datasets

ROWS = [["Age", "Kind", "When", "OK"], *([i, "xyz"[i % 3], Days(25569 + i), i % 2 == 0] for i in range(30))]
REAL = {
    "csv": b"a;b;c\n" + b"".join(b"%d,5;x%d;2020-01-%02d\n" % (i, i % 3, i + 1) for i in range(30)),
    "utf16": "é,b\n1,2\n3,4\n5,x\n".encode("utf-16"),
    "gz": gzip.compress(b"a,b\n" + b"1,2\n3,4\n" * 20),
    "parquet": parquet_bytes(
        {
            "n": np.arange(50.0),
            "t": ["a", "b"] * 25,
            "l": [[1]] * 50,
            "d": np.arange(50).astype("datetime64[s]"),
        }
    ),
    "xlsx": xlsx({"S": sheet_xml(ROWS)}),
    "xls": XLS,
    "xlsb": xlsb([["a", "b"], [1, "x"], [2, "y"], [3, "x"]]),
    "ods": ods([["a", "b"], [1, "x"], [2, "y"], [3, "x"]]),
}
EXTENSIONS = ["csv", "tsv", "txt", "parquet", "xlsx", "xls", "csv.gz", "exe", ""]


def survive(data, filename):
    try:
        found = datasets.inspect(data, filename)
        made = found.dataset()
    except datasets.DataProblem as problem:
        sentence = str(problem)
    else:
        sentence = "Fine."
        assert not made.frame.isna().to_numpy().any()
        assert all(np.isfinite(made.frame[c]).all() and made.frame[c].nunique() > 1 for c in made.numeric)
        assert len({c.name for c in found.columns}) == len(found.columns)
    assert sentence.endswith(".")
    assert len(sentence) < 500


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400), st.sampled_from(EXTENSIONS))
def test_random_bytes(data, extension):
    survive(data, f"a.{extension}")


@settings(max_examples=150, deadline=None)
@given(
    st.text(alphabet="ab01,;\t|\"'\r\n .-/%$é<>\u2028\x00", max_size=120),
    st.sampled_from(["utf-8", "utf-16", "cp1252"]),
)
def test_random_tables(text, encoding):
    survive(text.encode(encoding, "replace"), "a.csv")


@pytest.mark.parametrize(
    ("magic", "examples"),
    [
        (b"\x1f\x8b\x08", 40),
        (b"\xff\xfe", 40),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 40),
        (b"PAR1", 6),
        (b"PK\x03\x04", 6),
    ],
)
def test_random_bytes_after_a_true_beginning(magic, examples):
    # Fewer of those that start a process.
    @settings(max_examples=examples, deadline=None)
    @given(st.binary(max_size=200))
    def check(data):
        survive(magic + data, "a.csv")

    check()


DAMAGE = {
    "changes": st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), max_size=6),
    "cut": st.floats(0, 1) | st.none(),
    "extension": st.sampled_from(EXTENSIONS),
}


def damaged(data, changes, cut):
    data = bytearray(data)
    for place, byte in changes:
        data[int(place * len(data))] = byte
    return bytes(data[: int(cut * len(data))] if cut is not None else data)


@pytest.mark.parametrize("kind", ["csv", "utf16", "gz"])
@settings(max_examples=60, deadline=None)
@given(**DAMAGE)
def test_damaged_files(kind, changes, cut, extension):
    survive(damaged(REAL[kind], changes, cut), f"a.{extension}")


# Fewer, as each starts a process.
@pytest.mark.parametrize("kind", ["xlsx", "xls", "xlsb", "ods", "parquet"])
@settings(max_examples=8, deadline=None)
@given(**DAMAGE)
def test_damaged_files_that_are_read_apart(kind, changes, cut, extension):
    survive(damaged(REAL[kind], changes, cut), f"a.{extension}")


def test_a_workbook_that_makes_the_parser_abort():
    # This byte makes a record so long that the parser gives up on the whole process it runs in.
    data = bytearray(XLS)
    data[1567] = 127
    with pytest.raises(datasets.DataProblem, match="damaged workbook"):
        datasets.inspect(bytes(data), "a.xls")


@settings(max_examples=8, deadline=None)
@given(st.text(alphabet="<>&/ac0123456789XFDr=\"' ", max_size=80))
def test_damaged_sheets_in_a_sound_workbook(text):
    xml = sheet_xml(ROWS[:4]).replace("</sheetData>", text + "</sheetData>")
    survive(xlsx({"S": xml}), "a.xlsx")


def test_an_error_nobody_thought_of_becomes_a_sentence_and_its_place_is_logged(monkeypatch, caplog):
    def fail(*_):
        raise ZeroDivisionError("a private value")

    monkeypatch.setattr("trustscope.datasets.upload.find_format", fail)
    with caplog.at_level("INFO", "trustscope.datasets"), pytest.raises(datasets.DataProblem) as problem:
        datasets.inspect(b"a,b\n1,2\n", "secret.csv")
    assert "cannot be read as a table" in str(problem.value)
    assert "ZeroDivisionError in test_data_hostile.py" in caplog.text
    assert "private" not in caplog.text
    assert "secret" not in caplog.text
