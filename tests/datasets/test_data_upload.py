"""A person's own file: every sentence they may get to read, and the dataset they end up with."""

import gzip
import io
import pickle
import zipfile

import numpy as np
import pyarrow as pa
import pytest
from data_files import XLS, Days, ods, parquet_bytes, sheet_xml, xlsb, xlsx

from trustscope import datasets
from trustscope.datasets import DataProblem, Limits
from trustscope.datasets.guard import read_apart

SHEET = [["Age", "Kind"], [30, "x"], [40, "y"], [50, "x"]]
CSV = b"Age,Kind\n30,x\n40,y\n50,x\n"
PARQUET = parquet_bytes({"Age": [30, 40, 50], "Kind": ["x", "y", "x"]})
XLSX = xlsx({"Data": sheet_xml(SHEET)})
FILES = {"a.csv": CSV, "a.parquet": PARQUET, "a.xlsx": XLSX, "a.xls": XLS, "a.xlsb": xlsb(SHEET), "a.ods": ods(SHEET)}


def refusal(data, filename="mine.csv", **options):
    with pytest.raises(DataProblem) as problem:
        datasets.inspect(data, filename, **options)
    sentence = str(problem.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


@pytest.mark.parametrize("name", FILES)
def test_every_format_gives_the_same_table(name):
    found = datasets.inspect(FILES[name], name)
    assert found.rows == 3
    assert found.notes == ()
    assert [(c.name, c.kind, c.distinct, c.example) for c in found.columns] == [
        ("Age", "number", 3, "30"),
        ("Kind", "category", 2, "x"),
    ]
    data = found.dataset()
    assert (data.numeric, data.categorical) == (("Age",), ("Kind",))
    assert data.frame["Age"].tolist() == [30, 40, 50]
    assert data.frame["Age"].dtype == np.int64
    assert list(data.frame["Kind"]) == ["x", "y", "x"]
    assert name in data.source


ANSWERS = {}


@pytest.fixture
def read_once(monkeypatch):
    """The process that reads a file is started once for each content, unless a name changes what it is asked."""

    def remembered(reader, data, options, *names):
        asked = (reader, data, tuple(options.items()))
        if asked not in ANSWERS:
            ANSWERS[asked] = read_apart(reader, data, options, *names)
        return ANSWERS[asked]

    monkeypatch.setattr("trustscope.datasets.read_parquet.read_apart", remembered)
    monkeypatch.setattr("trustscope.datasets.read_workbook.read_apart", remembered)


@pytest.mark.parametrize("content", FILES)
@pytest.mark.parametrize("name", ["x.csv", "x.parquet", "x.xls", "x.ods", "x.weird"])
def test_the_content_decides_and_a_wrong_name_is_told(content, name, read_once):
    found = datasets.inspect(FILES[content], name)
    assert found.rows == 3
    kinds = {
        "csv": "text",
        "tsv": "text",
        "parquet": "parquet",
        "xlsx": "excel",
        "xls": "excel",
        "xlsb": "excel",
        "ods": "ods",
    }
    promised, inside = kinds.get(name.partition(".")[2]), kinds[content.partition(".")[2]]
    assert any("The name ends in" in note for note in found.notes) == (promised not in (None, inside))


def test_a_path_will_do(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_bytes(CSV)
    assert datasets.inspect(path).filename == "mine.csv"
    assert "no file" in refusal(tmp_path / "other.csv", None)
    assert "no file" in refusal(tmp_path, None)


def test_folders_and_markup_in_the_name_of_a_file():
    assert datasets.inspect(CSV, "C:\\me\\a.csv").filename == "a.csv"
    assert datasets.inspect(CSV, "../../etc/a.csv").filename == "a.csv"
    assert datasets.inspect(CSV, "<b>\x00\u202ea.csv").filename == "<b>a.csv"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty"),
        (b" \n\r\n\t ", "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        (b"a,b\n", "header and no rows"),
        (b"a,b", "header and no rows"),
        (b'"a","b"\n', "header and no rows"),
        (b"a,b\n1,2\n", "one row only"),
        (b"1,2\n", "one row only"),
        (b"a,b\n1,2\n1,2,3\n4,5\n", "Line 3 of mine.csv has 3 values where 2 are expected"),
        (b"a,b\n" + b"1,2\n" * 500 + b"7\n" + b"1,2\n" * 500, "Line 502 of mine.csv has 1 value where 2"),
        (b'a,b\n"x\ny",2\n3,4\n5\n', "Line 5 of mine.csv has 1 value"),
        (b'a,b\n1,2\n3,"4\n' + b"1,2\n" * 50, "opens on line 3 of mine.csv is never closed"),
        (b"id,name\nx1,foo\nx2,bar\n", "no column that can be used"),
        (b"a,b\n1,\n1,\n", "'a' is constant; 'b' is empty"),
        ("a,b\n1,2\n3,4\n".encode("utf-16")[:-1], "UTF-16 text with damaged characters"),
        (b"a,b\n1,Caf\xe9\n2,x\n" + b"3,x\n" * 40_000 + b"4,\x81\n5\n", "Line 40005 of mine.csv has 1 value"),
        (b"<!DOCTYPE html><html><p>a,b</p></html>", "web page"),
        (b'<?xml version="1.0"?><a/>', "XML"),
        (b'{"a": [1, 2]}', "JSON"),
        (b"%PDF-1.7 ...", "PDF"),
        (b"\x89PNG\r\n\x1a\n...", "picture"),
        (pickle.dumps({"a": [1, 2]}), "neither text nor a known table format"),
        (bytes(range(256)) * 20, "neither text nor a known table format"),
        (b"PAR1" + b"x" * 50, "damaged Parquet"),
        (b"PK\x03\x04" + b"x" * 50, "damaged workbook or zip"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"x" * 600, "without a workbook"),
        (gzip.compress(CSV, mtime=0)[:-12], "gzip"),
        (b"\x1f\x8bgarbage", "gzip"),
        (gzip.compress(b"", mtime=0), "is empty"),
    ],
)
def test_what_cannot_be_used_gets_its_sentence(data, words):
    assert words in refusal(data)


def archive(**members):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as out:
        for name, content in members.items():
            out.writestr(name.replace("__", "/").replace("_dot_", "."), content)
    return made.getvalue()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (archive(a_dot_csv=CSV), "zip archive"),
        (archive(xl__workbook_dot_bin=b""), "damaged workbook"),
        (archive(content_dot_xml=b""), "workbook"),
        (archive(word__document_dot_xml=b""), "Word"),
        (archive(xl__workbook_dot_xml=b"<nonsense"), "damaged workbook"),
        (xlsx({"Empty": sheet_xml([])}), "without any values"),
        (xlsx({"S": sheet_xml([["a", "b"]])}), "header and no rows"),
        (xlsx({"S": sheet_xml([["a"], [1]])}), "one row only"),
        (XLSX[: len(XLSX) // 2], "damaged"),
        (XLS[:1500], "workbook"),
        (XLS[:512] + "EncryptedPackage".encode("utf-16-le"), "password"),
    ],
)
def test_workbooks_that_cannot_be_used(data, words):
    assert words in refusal(data, "mine.xlsx")


def test_encrypted_members_of_a_workbook():
    data = bytearray(XLSX)
    with zipfile.ZipFile(io.BytesIO(XLSX)) as archive:
        start = archive.start_dir
    data[start + 8] |= 1  # the flag of the first member in the central directory
    assert "password" in refusal(bytes(data), "mine.xlsx")


def test_the_first_sheet_with_values_is_used_and_named():
    found = datasets.inspect(
        xlsx({"Cover": sheet_xml([]), "Data": sheet_xml(SHEET), "More": sheet_xml(SHEET)}), "a.xlsx"
    )
    assert found.rows == 3
    assert "The workbook has 3 sheets; 'Data' is the one used." in found.notes
    assert "sheet 'Data'" in found.format


def test_a_sheet_that_does_not_start_in_the_corner():
    found = datasets.inspect(xlsx({"S": sheet_xml(SHEET, at=(5, 3))}), "a.xlsx")
    assert [c.name for c in found.columns] == ["Age", "Kind"]
    assert found.rows == 3


def test_kinds_of_cells():
    rows = [
        ["real", "date", "bool", "gap", "mixed", "big"],
        [1.5, Days(25569), True, 1, 1, "1,234"],
        [2.5, Days(25570.5), False, None, "x", "5,678"],
        [3.5, Days(25571), True, 3, 1, "9"],
    ]
    found = datasets.inspect(xlsx({"S": sheet_xml(rows)}), "a.xlsx")
    kinds = {c.name: (c.kind, c.missing) for c in found.columns}
    assert kinds == {
        "real": ("number", 0),
        "date": ("date", 0),
        "bool": ("yes/no", 0),
        "gap": ("number", 1),
        "mixed": ("category", 0),
        "big": ("number", 0),
    }
    data = found.dataset(["date", "big", "bool"], kinds={"date": "number"})
    assert data.frame["date"].tolist() == [0, 1.5, 2]
    assert data.frame["big"].tolist() == [1234, 5678, 9]


def test_column_names_are_made_unique_and_told():
    data = b"a,a,,<script>alert(1)</script>,a (2),column 3\n" + b"1,2,3,4,5,6\n2,3,4,5,6,7\n"
    found = datasets.inspect(data, "a.csv")
    names = [c.name for c in found.columns]
    assert names == ["a", "a (3)", "column 3 (2)", "<script>alert(1)</script>", "a (2)", "column 3"]
    assert "Column 2 had the same name as an earlier one and is called 'a (3)'." in found.notes
    assert "Column 3 had no name and is called 'column 3 (2)'." in found.notes
    assert found.dataset().numeric == tuple(names)


def test_column_names_are_short_and_visible():
    data = "{}\tb\x1b[31m\u202e\u200b,c\n1,2\n3,4\n".format("x" * 5000).replace("\t", ",", 1).encode()
    data = data.replace(b",c\n", b"\n")
    names = [c.name for c in datasets.inspect(data, "a.csv").columns]
    assert names == ["x" * 59 + "…", "b[31m"]


@pytest.mark.parametrize("names", [["a", "a"], ["", ""], ["<b>", "a\nb"]])
def test_column_names_of_parquet(names):
    table = pa.table([[1, 2, 3], [1.5, 2.5, 3.5]], names=names)
    made = io.BytesIO()
    pa.parquet.write_table(table, made)
    found = datasets.inspect(made.getvalue(), "a.parquet")
    assert len({c.name for c in found.columns}) == 2
    assert found.dataset().frame.shape == (3, 2)


def test_no_numeric_column_is_told_but_usable():
    found = datasets.inspect(b"p,q\nx,yes\ny,no\nx,no\n", "a.csv")
    assert any("no numeric column" in note for note in found.notes)
    data = found.dataset()
    assert data.numeric == ()
    assert data.categorical == ("p", "q")


GAPS = b"x,y,c\n1,10,red\n,20,red\n3,?,blue\n5,40,\n9,50,blue\n4,60,red\n"


def test_rows_with_gaps_are_dropped_and_told():
    found = datasets.inspect(GAPS, "a.csv")
    assert [c.missing for c in found.columns] == [1, 1, 1]
    assert any("3 values are missing" in note for note in found.notes)
    data = found.dataset()
    assert data.frame["x"].tolist() == [1, 9, 4]
    assert "3 of 6 rows had a missing value in a chosen column and were left out." in data.notes
    # Only the chosen columns count.
    assert found.dataset(["x"]).rows == 5


def test_gaps_are_filled_on_request_and_told():
    data = datasets.inspect(GAPS, "a.csv").dataset(missing="fill")
    assert data.rows == 6
    assert data.frame["x"].tolist() == [1, 4.4, 3, 5, 9, 4]
    assert data.frame["y"].tolist() == [10, 20, 36, 40, 50, 60]
    assert data.frame["c"].tolist() == ["red", "red", "blue", "red", "blue", "red"]
    assert "1 missing value was filled in for 'x', with the mean, 4.4." in data.notes
    assert "1 missing value was filled in for 'c', with the most frequent one, 'red'." in data.notes


def test_nothing_left_names_the_worst_column():
    found = datasets.inspect(b"x,y,z\n1,,1\n2,,3\n3,7,4\n,8,5\n5,,6\n", "a.csv")
    with pytest.raises(DataProblem, match=r"leave out 'y' \(60% missing\)"):
        found.dataset()
    assert found.dataset(missing="fill").rows == 5


def test_a_column_that_dropping_leaves_constant_is_left_aside():
    found = datasets.inspect(b"x,y\n1,5\n2,5\n,6\n,7\n4,5\n", "a.csv")
    data = found.dataset()
    assert data.numeric == ("x",)
    assert any("'y' has the same value in all rows that are left" in note for note in data.notes)
    # Labels that nobody has left are no part of the domain.
    labels = datasets.inspect(b"x,c\n1,p\n2,q\n,r\n4,p\n,r\n", "a.csv").dataset().frame["c"]
    assert list(labels.cat.categories) == ["p", "q"]


def test_columns_are_chosen():
    found = datasets.inspect(b"k,x,y,c\n7,1,2,u\n7,2,3,v\n7,3,5,u\n", "a.csv")
    assert found.usable == ("x", "y", "c")
    assert list(found.dataset().frame) == ["x", "y", "c"]
    assert list(found.dataset(["y", "c"], title="Mine", label="c").frame) == ["y", "c"]
    for columns, options, words in [
        (["z"], {}, "no column called 'z'"),
        (["k"], {}, "'k' cannot be used. It has the same value"),
        ([], {}, "choose at least one"),
        (None, {"label": "x"}, "not among the chosen categories"),
        (None, {"missing": "guess"}, "'drop', 'fill' or 'keep'"),
    ]:
        with pytest.raises(DataProblem, match=words):
            found.dataset(columns, **options)


def test_datasets_of_one_inspection_do_not_share_memory():
    found = datasets.inspect(CSV, "a.csv")
    for missing in ("drop", "fill"):
        frame = found.dataset(missing=missing).frame
        frame.loc[:, "Age"] = 0
    assert found.dataset().frame["Age"].tolist() == [30, 40, 50]


def test_what_is_told_of_a_column_is_told_of_the_dataset():
    found = datasets.inspect(b"d,m\n2020-01-01,$5\n2020-01-02,$6\n", "a.csv")
    data = found.dataset(kinds={"d": "number"})
    assert any(note.startswith("'d': Dates are used") for note in data.notes)
    assert data.units == {"d": "days since 1970-01-01", "m": "$"}


def test_a_preview_shows_the_first_rows():
    assert datasets.inspect(GAPS, "a.csv").preview(2).shape == (2, 3)


def test_limits_are_said_as_they_are_enforced():
    assert (datasets.LIMITS.bytes, datasets.LIMITS.rows, datasets.LIMITS.columns) == (
        200_000_000,
        2_000_000,
        200,
    )
    sentence = datasets.limits_sentence()
    assert all(part in sentence for part in ("200 MB", "2 000 000 rows", "200 columns", "1 200 MB of memory"))


@pytest.mark.parametrize("name", FILES)
def test_each_limit_is_enforced_in_each_format(name):
    data = FILES[name]
    assert "limit is" in refusal(data, name, limits=Limits(bytes=len(data) - 1))
    assert "2 columns and the limit is 1" in refusal(data, name, limits=Limits(columns=1))
    assert "3 rows and the limit is 2" in refusal(data, name, limits=Limits(rows=2))
    assert "6 cells" in refusal(data, name, limits=Limits(cells=5))
    exact = Limits(bytes=len(data), rows=3, columns=2, cells=6)
    assert datasets.inspect(data, name, limits=exact).rows == 3


def test_the_real_limits(tmp_path):
    assert "201 columns" in refusal(b",".join(b"c%d" % i for i in range(201)) + b"\n" + b"1," * 200 + b"1\n")
    assert "2 000 001 rows" in refusal(b"a\n" + b"1\n" * 2_000_001)
    path = tmp_path / "huge.csv"
    with path.open("wb") as out:
        out.truncate(200_000_001)  # a hole: takes no room on the disk
    assert "200.1 MB and the limit is 200 MB" in refusal(path, None)


def test_too_many_rows_with_quotes_are_counted_after_parsing():
    data = b'a,b\n"1\n",2\n"2\n",3\n"1\n",4\n'
    assert datasets.inspect(data, "a.csv", limits=Limits(rows=3)).rows == 3
    assert "3 rows" in refusal(data, limits=Limits(rows=2))


def test_bombs_are_not_unpacked(monkeypatch):
    packed = gzip.compress(b"1\n" * 1_100_000, 1)
    assert "unpacks to more than 2 MB" in refusal(packed, "a.csv.gz", limits=Limits(bytes=2_000_000))
    corner = sheet_xml([["a"], [1], [2]]).replace(
        "</sheetData>", '<row r="9"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    )
    assert "16 384 columns" in refusal(xlsx({"S": corner}), "a.xlsx")
    below = sheet_xml([["a", "b"], [1, 2]]).replace(
        "</sheetData>", '<row r="99999999"><c><v>1</v></c></row></sheetData>'
    )
    assert "rows" in refusal(xlsx({"S": below}), "a.xlsx")
    monkeypatch.setattr("trustscope.datasets.read_workbook.UNPACKED_BYTES", 10_000)
    assert "unpacks to more than" in refusal(xlsx({"S": "<worksheet>" + " " * 10_000}), "a.xlsx")
    monkeypatch.setattr("trustscope.datasets.read_parquet.UNPACKED_BYTES", 100)
    assert "unpacks to" in refusal(PARQUET, "a.parquet")


def test_long_texts_in_parquet_are_not_unfolded():
    # 200 000 references to one text of a megabyte: 200 GB if each row had its own.
    texts = pa.DictionaryArray.from_arrays(pa.array(np.arange(200_000) % 2, pa.int32()), ["x" * 10**6, "y"])
    data = parquet_bytes({"t": texts, "n": np.arange(200_000)})
    found = datasets.inspect(data, "a.parquet")
    assert found.columns[0].kind == "text"
    assert found.dataset().numeric == ("n",)


def test_texts_of_several_row_groups_count_once():
    texts = [f"person {n:06d}" for n in range(6_000)]
    table = pa.table({"id": texts, "n": np.arange(6_000)})
    sizes = [datasets.inspect(parquet_bytes(table, row_group_size=rows), "a.parquet").size for rows in (6_000, 500)]
    assert sizes[0] == sizes[1] < 6_000 * 30


def test_parquet_without_rows():
    assert "without rows" in refusal(parquet_bytes({"a": pa.array([], pa.int64())}), "a.parquet")


def test_nested_parquet_columns_are_left_aside():
    found = datasets.inspect(parquet_bytes({"l": [[1], [2]], "n": [1, 2]}), "a.parquet")
    assert [(c.kind, c.usable) for c in found.columns] == [("other", False), ("number", True)]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_columns_as_they_stand(ending):
    content = b"a,b\n1.5,x\n,x\n" if ending == "csv" else parquet_bytes(pa.table({"a": [1.5, None], "b": ["x", "x"]}))
    table = datasets.columns(content, f"t.{ending}")
    assert table.column_names == ["a", "b"]
    assert table.column("a").to_pylist() == [1.5, None]
    # One row and nothing that could be perturbed are no obstacle: nobody asks what the columns mean.
    assert datasets.columns(b"a,b\n1,\n", "t.csv").num_rows == 1
    with pytest.raises(datasets.DataProblem, match="is a damaged Parquet file"):
        datasets.columns(b"PAR1 nonsense PAR1", "t.parquet")
