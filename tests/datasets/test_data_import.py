"""An import that can be corrected: kinds, missing codes, identifiers, dates, units, and what it costs in rows."""

import hashlib

import numpy as np
import pytest
from data_files import ods, parquet_bytes, sheet_xml, xlsx

from trustscope import datasets
from trustscope.datasets import DataProblem
from trustscope.datasets.units import unit_in


def table(**columns):
    lines = zip(*columns.values(), strict=True)
    return ",".join(columns).encode() + b"\n" + "".join(",".join(map(str, line)) + "\n" for line in lines).encode()


def report(found, name):
    return next(c for c in found.columns if c.name == name)


POSTCODES = ["06983", "11000", "06983", "40210", "11000", "06984"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
def test_leading_zeros_make_codes_and_never_numbers(encoding):
    data = table(Postcode=POSTCODES, n=[5, 3, 5, 1, 2, 2]).decode().encode(encoding)
    found = datasets.inspect(data, "a.csv")
    postcode = report(found, "Postcode")
    assert postcode.kind == "category"
    assert "begin with zeros, such as 06983" in postcode.reason
    assert list(found.dataset().frame["Postcode"]) == POSTCODES
    assert report(found, "n").kind == "number"


def test_leading_zeros_far_down_and_in_quotes_are_seen():
    many = ["1"] * 300_000 + ["7", "007"]
    assert list(datasets.inspect(table(c=many), "a.csv").dataset().frame["c"].cat.categories) == ["007", "1", "7"]
    quoted = datasets.inspect(b'a,b\n"01",1\n"2",2\n"01",3\n', "a.csv")
    assert report(quoted, "a").kind == "category"
    # A time, a decimal and a date also have zeros in front, and are no codes.
    others = datasets.inspect(b"t,x,d,n\n05:30,0.5,01.02.2020,0\n06:00,0.7,13.02.2020,10\n", "a.csv")
    assert [c.kind for c in others.columns] == ["time", "number", "date", "number"]


def test_codes_that_are_all_different_or_too_many_are_identifiers():
    different = table(code=[f"{i:05}" for i in range(40)], n=[i % 7 for i in range(40)])
    found = datasets.inspect(different, "a.csv")
    assert (report(found, "code").kind, report(found, "code").usable) == ("identifier", False)
    assert found.dataset().numeric == ("n",)
    many = table(code=[f"{i % 1500:05}" for i in range(3000)], n=[i % 7 for i in range(3000)])
    assert report(datasets.inspect(many, "a.csv"), "code").kind == "identifier"
    # A person may say that they are numbers after all.
    assert found.dataset(kinds={"code": "number"}).frame["code"].tolist() == list(range(40))


def test_identifiers_are_recognised_and_not_chosen():
    data = table(Id=[3, 5, 9], Name=["Ann", "Bob", "Cy"], age=[41, 52, 41], userId=[1, 2, 3], no=[1, 2, 3])
    found = datasets.inspect(data, "a.csv")
    kinds = {c.name: c.kind for c in found.columns}
    assert kinds == {"Id": "identifier", "Name": "identifier", "age": "number", "userId": "identifier", "no": "number"}
    assert found.usable == ("age", "no")
    assert found.dataset(kinds={"Id": "number"}).numeric == ("Id", "age", "no")
    # Numbers that do not increase are not identifiers, whatever they are called.
    assert report(datasets.inspect(table(id=[3, 1, 2], x=[1, 2, 1]), "a.csv"), "id").kind == "number"


def test_a_file_of_numeric_identifiers_alone_can_be_corrected():
    found = datasets.inspect(table(id=[1, 2, 3]), "a.csv")
    assert found.usable == ()
    assert found.dataset(kinds={"id": "number"}).numeric == ("id",)


def test_kinds_are_changed():
    data = table(
        grade=[1, 2, 1, 3],
        price=["5", "x", "7", "5"],
        when=["01/02/2020", "03/04/2020", "01/02/2020", "05/06/2020"],
        day=["2020-01-01", "2020-01-03", "2020-01-02", "2020-01-02"],
        ok=["yes", "no", "yes", "yes"],
        half=[1.5, 2.5, 1.5, 10.25],
    )
    found = datasets.inspect(data, "a.csv")
    assert [c.kind for c in found.columns] == ["number", "category", "category", "date", "yes/no", "number"]
    asked = {
        "grade": "category",
        "price": "number",
        "when": "date",
        "day": "category",
        "ok": "number",
        "half": "category",
    }
    made = found.dataset(kinds=asked, missing="keep")
    assert list(made.frame["grade"]) == ["1", "2", "1", "3"]
    np.testing.assert_array_equal(made.frame["price"], [5, np.nan, 7, 5])
    assert made.dates == ("when",)
    assert made.frame["when"].dt.month.tolist() == [2, 4, 2, 6]
    assert list(made.frame["day"].cat.categories) == ["2020-01-01", "2020-01-02", "2020-01-03"]
    assert list(made.frame["half"].cat.categories) == ["1.5", "2.5", "10.25"]
    assert made.frame["ok"].tolist() == [1, 0, 1, 1]
    without = found.dataset(kinds={"grade": "leave out", "price": "identifier"})
    assert list(without.frame) == ["when", "day", "ok", "half"]
    # Naming the kind that was understood changes nothing.
    same = found.dataset(kinds={c.name: c.kind for c in found.columns})
    assert same.frame.equals(found.dataset().frame)


def test_every_choice_that_is_offered_gives_a_dataset_or_a_sentence():
    data = parquet_bytes(
        {
            "n": [1, 2, 3, 3],
            "t": ["a", "b", "c", "a"],
            "d": np.array(["2020-01-01", "2020-01-02", "2020-01-02", "NaT"], "datetime64[s]"),
            "b": [True, False, None, True],
            "l": [[1], [2], [3], [4]],
            "x": [0.5, None, 1e300, -1e300],
        }
    )
    found = datasets.inspect(data, "a.parquet")
    for column in found.columns:
        for kind in column.choices:
            try:
                made = found.dataset(["n", column.name], kinds={column.name: kind})
            except DataProblem as problem:
                sentence = str(problem)
            else:
                sentence = "It can be used."
                assert column.name in (*made.numeric, *made.categorical, *made.dates)
            assert sentence.endswith(".")
    assert report(found, "l").choices == ("leave out",)


def test_kinds_that_do_not_fit_get_a_sentence():
    found = datasets.inspect(table(c=["x", "y", "x"], n=[1, 2, 4]), "a.csv")
    for options, words in [
        ({"kinds": {"c": "number"}}, "'c' cannot be used. None of its values can be read as a number"),
        ({"kinds": {"c": "date"}}, "'c' cannot be used. None of its values can be read as a date"),
        ({"kinds": {"n": "date"}}, "'n' cannot be used. None of its values can be read as a date"),
        ({"kinds": {"z": "number"}}, "no column called 'z'"),
        ({"kinds": {"n": "tree"}}, "'n' cannot be a 'tree'"),
        ({"missing_codes": {"z": ["1"]}}, "no column called 'z'"),
        ({"columns": ["c", "n"], "kinds": {"n": "leave out"}}, "'n' cannot be used. You chose to leave it out"),
        ({"kinds": {"n": "leave out", "c": "leave out"}}, "choose at least one"),
    ]:
        with pytest.raises(DataProblem, match=words):
            found.dataset(**options)


def test_none_is_a_value_unless_said_otherwise():
    data = table(allergy=["none", "nuts", "none", "None", "NA"], n=[1, 2, 3, 4, 5])
    found = datasets.inspect(data, "a.csv")
    assert report(found, "allergy").missing == 1
    assert set(found.dataset().frame["allergy"]) == {"none", "nuts", "None"}
    named = found.dataset(missing_codes={"allergy": ["none"]})
    assert set(named.frame["allergy"]) == {"nuts", "None"}


@pytest.mark.parametrize("word", ["", "NA", "N/A", "?", "null", "NaN"])
def test_the_usual_codes_stand_for_missing_values(word):
    found = datasets.inspect(table(c=["x", word, "y", "x"], n=[1, 2, 3, word]), "a.csv")
    assert [c.missing for c in found.columns] == [1, 1]


INCOME = [100, -9, 250, -9, 300, 120]


@pytest.mark.parametrize(
    "data",
    [
        table(Income=INCOME, n=[1, 2, 3, 5, 4, 6]),
        parquet_bytes({"Income": [float(x) for x in INCOME], "n": [1, 2, 3, 5, 4, 6]}),
        xlsx({"S": sheet_xml([["Income", "n"], *zip(INCOME, [1, 2, 3, 5, 4, 6], strict=True)])}),
        ods([["Income", "n"], *zip(INCOME, [1, 2, 3, 5, 4, 6], strict=True)]),
        table(Income=[f"${x}" for x in INCOME], n=[1, 2, 3, 5, 4, 6]),
    ],
    ids=["csv", "parquet", "xlsx", "ods", "text"],
)
def test_missing_codes_are_named(data):
    found = datasets.inspect(data, "a")
    code = "$-9" if report(found, "Income").unit == "$" else "-9"
    assert found.left_out().rows == 0
    assert found.left_out(missing_codes={"Income": [code]}).columns == {"Income": 2}
    made = found.dataset(missing_codes={"Income": [code]})
    assert made.frame["Income"].tolist() == [100, 250, 300, 120]


def test_a_missing_code_among_dates_and_one_that_makes_numbers():
    data = table(d=["2020-01-01", "1900-01-01", "2020-01-03"], x=["5", "refused", "7"], n=[1, 2, 4])
    found = datasets.inspect(data, "a.csv")
    assert report(found, "x").kind == "identifier"
    made = found.dataset(["d", "x", "n"], missing="keep", missing_codes={"d": ["1900-01-01"], "x": ["refused"]})
    assert made.gaps == {"d": 1, "x": 1}
    assert made.numeric == ("x", "n")


def test_what_would_be_left_out_is_said_before_use():
    rows = 50_000
    income = [str(i % 977 + 1) for i in range(rows)]
    age = [str(i % 61 + 20) for i in range(rows)]
    for i in range(5_000):
        income[i] = ""
    for i in range(4_121, 5_879):
        age[i] = ""
    found = datasets.inspect(table(Income=income, Age=age, n=range(rows)), "a.csv")
    lost = found.left_out()
    assert (lost.rows, lost.of, lost.columns) == (5_879, rows, {"Income": 5_000, "Age": 1_758})
    assert lost.sentence == "5 879 of 50 000 rows will be left out because of: Income (5 000), Age (1 758)."
    assert found.dataset().rows == rows - lost.rows
    assert found.left_out(["n"]).sentence == "All 50 000 rows are complete, and none will be left out."
    assert found.left_out(["Age"]).rows == 1_758
    # A code of its own adds to what is empty.
    assert found.left_out(["Age"], missing_codes={"Age": ["20"]}).rows == 1_758 + age.count("20")


def test_many_columns_with_gaps_are_counted_in_the_sentence():
    data = table(**{f"c{i}": [1, 2, 3, ""] if i % 2 else ["", 4, 5, 6] for i in range(8)})
    sentence = datasets.inspect(data, "a.csv").left_out().sentence
    assert sentence.startswith("2 of 4 rows will be left out because of: c0 (1), c1 (1),")
    assert sentence.endswith("c5 (1), 2 more columns.")


GAPS = table(x=[1, "", 3, 5, 9, 4], y=[10, 20, "?", 40, 50, 60], c=["red", "red", "blue", "", "blue", "red"])


def test_gaps_are_kept_and_each_page_leaves_out_only_what_it_must():
    kept = datasets.inspect(GAPS, "a.csv").dataset(missing="keep")
    assert kept.rows == 6
    assert kept.gaps == {"x": 1, "y": 1, "c": 1}
    made, lost = kept.complete(["x"])
    assert (lost, made.rows, list(made.frame), made.numeric) == (1, 5, ["x"], ("x",))
    assert made.frame["x"].tolist() == [1, 3, 5, 9, 4]
    made, lost = kept.complete(["x", "c"])
    assert lost == 2
    assert list(made.frame["c"].cat.categories) == ["blue", "red"]
    assert made.gaps == {}
    assert "2 of 6 rows had a missing value in a chosen column and were left out." in made.notes
    whole, lost = kept.complete()
    assert lost == 3
    assert whole.frame.equals(datasets.inspect(GAPS, "a.csv").dataset().frame)
    # What is complete stays so, and the rows of the first are its own.
    assert whole.complete(["y"]).left_out == 0
    other = whole.complete(["y"]).dataset.frame
    other.loc[:, "y"] = 0
    assert whole.frame["y"].tolist() == [10, 50, 60]


def test_what_cannot_be_completed_gets_a_sentence():
    kept = datasets.inspect(table(x=[1, "", 3, ""], y=["", 2, "", 4], z=[1, 2, 3, 5]), "a.csv").dataset(missing="keep")
    with pytest.raises(DataProblem, match="Fewer than two of 4 rows"):
        kept.complete()
    with pytest.raises(DataProblem, match="no column called 'w'"):
        kept.complete(["w"])


def test_built_in_sets_are_complete_and_named():
    data = datasets.load("iris")
    made, lost = data.complete(data.numeric[:2])
    assert (lost, made.numeric, made.categorical, made.label) == (0, data.numeric[:2], (), None)
    assert data.origin == datasets.Origin("iris")
    assert not data.origin.own


def test_an_own_file_is_known_by_name_size_and_digest():
    found = datasets.inspect(GAPS, "folder/mine.csv")
    made = found.dataset()
    assert made.origin == datasets.Origin("mine.csv", len(GAPS), hashlib.sha256(GAPS).hexdigest())
    assert made.origin.own
    assert made.complete(["x"]).dataset.origin == made.origin


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("Income (USD)", "USD"),
        ("income (usd)", "USD"),
        ("height_cm", "cm"),
        ("weight [kg]", "kg"),
        ("Age (years)", "years"),
        ("speed [m/s]", "m/s"),
        ("length (m)", "m"),
        ("share (%)", "%"),
        ("temp_min", ""),
        ("item_m", ""),
        ("Team (red)", ""),
        ("Age", ""),
        ("_cm", ""),
        ("cm", ""),
        ("growth (cm) per year", ""),
    ],
)
def test_units_are_read_from_names(name, unit):
    assert unit_in(name) == unit


def test_units_of_a_dataset():
    data = table(**{"Income (USD)": [1, 2, 4], "height_cm": [170, 180, 175], "n": [1, 5, 3], "c_kg": ["x", "y", "x"]})
    found = datasets.inspect(data, "a.csv")
    assert [c.unit for c in found.columns] == ["USD", "cm", "", ""]
    assert found.dataset().units == {"Income (USD)": "USD", "height_cm": "cm"}
    given = found.dataset(units={"n": "cows\u202e", "height_cm": "", "Income (USD)": "dollars"})
    assert given.units == {"Income (USD)": "dollars", "n": "cows"}


def test_dates_are_kept_as_dates_and_not_released():
    found = datasets.inspect(table(d=["2020-01-01", "2020-01-03", ""], n=[1, 2, 3]), "a.csv")
    made = found.dataset(missing="fill")
    assert (made.numeric, made.categorical, made.dates) == (("n",), (), ("d",))
    assert made.frame["d"].dt.day.tolist() == [1, 3, 2]
    with pytest.raises(DataProblem, match="Only dates are chosen"):
        found.dataset(["d"])
    assert found.dataset(["d"], kinds={"d": "number"}).units == {"d": "days since 1970-01-01"}


def test_invisible_characters_are_taken_out_and_told():
    data = "na\u202eme,n\nr\u202eed,1\nblue,2\nr\u202eed,3\n".encode()
    found = datasets.inspect(data, "a.csv")
    assert [c.name for c in found.columns] == ["name", "n"]
    assert "Invisible characters were taken out of the name of column 1, now 'name'." in found.notes
    assert "Invisible characters were taken out of its labels." in report(found, "name").note
    assert list(found.dataset().frame["name"]) == ["red", "blue", "red"]
