"""Delimiter, encoding, header and decimal sign are found."""

import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trustscope import datasets
from trustscope.datasets.layout import find_encoding

ROWS = [["Größe", "Straße", "Preis"], ["1.5", "Hof", "7"], ["2.5", "Weg", "8"], ["3.25", "Hof", "9"]]


def text(rows, delimiter=",", end="\n"):
    return end.join(delimiter.join(row) for row in rows) + end


@pytest.mark.parametrize(("delimiter", "word"), [(",", "comma"), (";", "semicolon"), ("\t", "tab"), ("|", "pipe")])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        ("utf-8", "UTF-8"),
        ("utf-8-sig", "UTF-8"),
        ("utf-16", "UTF-16"),
        ("utf-16-le", "utf-16-le"),
        ("utf-16-be", "utf-16-be"),
        ("utf-32", "UTF-32"),
        ("cp1252", "cp1252"),
    ],
)
def test_delimiter_line_end_and_encoding(delimiter, word, end, encoding, shown):
    found = datasets.inspect(text(ROWS, delimiter, end).encode(encoding), "a.csv")
    assert found.format == f"CSV, {word}-separated, {shown}"
    assert [c.name for c in found.columns] == ROWS[0]
    assert [c.kind for c in found.columns] == ["number", "category", "number"]
    assert found.dataset().frame["Größe"].tolist() == [1.5, 2.5, 3.25]
    assert found.notes == ()


@pytest.mark.parametrize(
    ("words", "encoding"),
    [
        ("city,n\nEspaña,1\nMéxico,2\n", "cp1252"),
        ("price\n5 €\n7 €\n", "cp1252"),
        ("t,u\n5,°C\n7,“quoted” text\n", "cp1252"),
        ("Łódź,1\nKraków,2\nGdańsk,3\nWrocław,4\n", "cp1250"),
        ("город,n\nМосква,1\nКазань,2\n", "cp1251"),
        ("Αθήνα,1\nΠάτρα,2\n", "cp1253"),
        ("都市,n\n東京,1\n大阪,2\n", "shift_jis"),
        ("城市,n\n北京,1\n上海,2\n广州,3\n", "gb18030"),
    ],
)
def test_code_pages(words, encoding):
    assert find_encoding(words.encode(encoding), "a.csv") == encoding


def test_a_foreign_byte_far_down_is_still_found():
    data = b"a,b\n" + b"1,plain\n" * 400_000 + "2,Café\n".encode("cp1252") * 2
    found = datasets.inspect(data, "a.csv")
    assert "cp1252" in found.format
    assert "Café" in found.dataset().frame["b"].cat.categories


def test_bytes_that_the_guess_cannot_read_do_not_stop_it():
    # 0x81 means nothing in cp1252.
    data = "a,b\n1,Café\n2,Café\n".encode("cp1252") + b"3,x\n" * 40_000 + b"4,\x81\n"
    found = datasets.inspect(data, "a.csv")
    assert found.rows == 40_003


def test_decimal_commas():
    data = b"x;y;n\n1,5;1.234,5;1.234\n2,25;10.000,75;5.678\n0,125;2,5;9.000\n"
    found = datasets.inspect(data, "a.csv")
    assert "decimal comma" in found.format
    frame = found.dataset().frame
    assert frame["x"].tolist() == [1.5, 2.25, 0.125]
    assert frame["y"].tolist() == [1234.5, 10000.75, 2.5]
    assert frame["n"].tolist() == [1234, 5678, 9000]


def test_one_column_with_decimal_commas_is_one_column():
    found = datasets.inspect(b"value\n1,5\n2,7\n10,25\n", "a.csv")
    assert found.dataset().frame["value"].tolist() == [1.5, 2.7, 10.25]


def test_two_columns_of_whole_numbers_are_two_columns():
    assert datasets.inspect(b"a,b\n1,2\n3,4\n", "a.csv").dataset().numeric == ("a", "b")
    assert datasets.inspect(b"1,2\n3,4\n5,6\n", "a.csv").dataset().numeric == ("column 1", "column 2")


def test_separators_inside_values_do_not_mislead():
    lists = b"id,tags,n\n" + b"".join(b"%d,a;b;%c,%d\n" % (i, 97 + i % 3, i * i) for i in range(60))
    assert [c.name for c in datasets.inspect(lists, "a.csv").columns] == ["id", "tags", "n"]
    names = b"name\tn\n" + b"Smith, John\t1\nDoe, Jane\t2\nSmith, John\t3\n"
    assert [c.name for c in datasets.inspect(names, "a.csv").columns] == ["name", "n"]


def test_quoted_values_keep_separators_and_line_breaks():
    data = b'"first\nname","n"\n"a, ""b""\nc",1\n"x",2\n"x",3\n'
    found = datasets.inspect(data, "a.csv")
    assert [c.name for c in found.columns] == ["first name", "n"]
    assert found.rows == 3
    assert 'a, "b" c' in found.dataset().frame["first name"].cat.categories


def test_spaces_between_numbers():
    assert datasets.inspect(b"a b\n1 2\n3 5\n", "a.dat").dataset().numeric == ("a", "b")


def test_the_hint_that_excel_leaves():
    found = datasets.inspect(b"sep=;\r\na;b\r\n1;x\r\n2;y\r\n3;x\r\n", "a.csv")
    assert [c.name for c in found.columns] == ["a", "b"]
    assert found.rows == 3


def test_blank_lines_are_no_rows():
    assert datasets.inspect(b"\n\na,b\n\n1,2\n\n3,4\n\n", "a.csv").rows == 2


def test_gzip_is_undone():
    found = datasets.inspect(gzip.compress(text(ROWS).encode()), "a.csv.gz")
    assert found.format.endswith("gzip")
    assert found.rows == 3


@pytest.mark.parametrize(
    ("data", "header"),
    [
        (b"a,b\n1,2\n3,4\n", True),
        (b"1,2\n3,4\n5,6\n", False),
        (b"party,vote\nrep,y\ndem,n\nrep,n\n", True),
        (b"rep,y\ndem,n\nrep,n\ndem,y\n", False),
        (b"Country,2019,2020\nA,1,2\nB,2,3\nA,3,4\n", False),
        (b"when,n\n2020-01-01,1\n2020-01-02,2\n", True),
    ],
)
def test_header_or_none(data, header):
    found = datasets.inspect(data, "a.csv")
    assert ("no header" not in found.format) == header
    assert any("numbered" in note for note in found.notes) == (not header)
    assert found.rows == data.count(b"\n") - header


def test_the_person_knows_better_about_the_header():
    data = b"Country,2019,2020\nA,1,2\nB,2,3\nA,3,4\n"
    found = datasets.inspect(data, "a.csv", header=True)
    assert [c.name for c in found.columns] == ["Country", "2019", "2020"]
    assert found.rows == 3


def test_a_header_that_leaves_out_the_row_names():
    found = datasets.inspect(b'"x","y"\n"r1",2,3\n"r2",4,5\n', "a.csv")
    assert [c.name for c in found.columns] == ["column 1", "x", "y"]
    assert any("one name fewer" in note for note in found.notes)
    trailing = datasets.inspect(b"x,y\n1,2,\n3,4,\n", "a.csv")
    assert [c.name for c in trailing.columns] == ["x", "y", "column 3"]
    assert trailing.columns[2].kind == "empty"


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.tuples(st.integers(-999, 999), st.sampled_from(["red", "blue", "green"])), min_size=4, max_size=20),
    st.sampled_from(";\t|,"),
    st.sampled_from(["utf-8", "utf-16", "utf-8-sig"]),
)
def test_what_is_written_is_read_back(rows, delimiter, encoding):
    rows = [*rows, (0, "red"), (1, "blue"), (2, "red"), (3, "blue")]
    data = text([["number", "colour"], *([str(n), c] for n, c in rows)], delimiter).encode(encoding)
    frame = datasets.inspect(data, "a.csv").dataset().frame
    assert list(frame.itertuples(index=False, name=None)) == rows
