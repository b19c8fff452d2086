"""Taking in a file, without a browser: clicks may arrive when what they were about is gone."""

from trustscope.app.desk.wizard import Wizard
from trustscope.app.own import OwnData
from trustscope.widgets.controls.columns import Columns

FILE = ("people.csv", b"age,income\n" + b"".join(b"%d,%d\n" % (20 + i % 50, 900 + 7 * i) for i in range(60)))


def wizard():
    found = Wizard(OwnData(), lambda data: None)
    found.dropper.file = FILE
    return found


def test_what_was_understood_is_used():
    found = wizard()
    found.use.clicks += 1
    assert found.accepted == 1
    assert found.own.dataset.numeric == ("age", "income")


def test_a_click_that_comes_after_another_file_was_dropped_does_nothing():
    found = wizard()
    found.dropper.started += 1  # another file is on its way: the first one is not shown any more
    found.use.clicks += 1
    assert found.accepted == 0
    assert found.own.dataset is None
    found.dropper.file = ("other.csv", FILE[1])
    found.use.clicks += 1
    assert found.accepted == 1


def test_a_column_of_dates_is_said_to_be_of_no_use_here():
    found = Wizard(OwnData(), lambda data: None)
    found.dropper.file = ("a.csv", b"day,age\n" + b"".join(b"2024-1-%d,%d\n" % (1 + i % 28, i % 50) for i in range(60)))
    (columns,) = found.view.select(Columns)
    notes = {row["name"]: row["note"] for row in columns.rows}
    assert "No page makes copies of dates" in notes["day"]
    assert "dates" not in notes["age"]
