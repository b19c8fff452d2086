"""Taking in a file, without a browser: clicks may arrive when what they were about is gone."""

import asyncio
import threading
from dataclasses import replace

import pytest
from bokeh.document import Document
from bokeh.events import ClientReconnected
from panel.io.state import set_curdoc

from tests.messages import tell
from trustscope import datasets
from trustscope.app import work
from trustscope.app.categories import CategoriesDashboard
from trustscope.app.desk.wizard import Wizard
from trustscope.app.own import OwnData
from trustscope.app.serving import budget
from trustscope.app.serving.budget import Visitor
from trustscope.app.trust import TrustDashboard
from trustscope.datasets import DataProblem, wanted
from trustscope.datasets.inspection import Inspection
from trustscope.widgets.controls.columns import Columns

FILE = ("people.csv", b"age,income\n" + b"".join(b"%d,%d\n" % (20 + i % 50, 900 + 7 * i) for i in range(60)))


@pytest.fixture
def visitor(monkeypatch):
    """Whose page the wizards are on."""
    one = Visitor(budget.server())
    monkeypatch.setattr("trustscope.app.desk.wizard.visitor", lambda: one)
    return one


def piece(found, content, *, first=False, last=False):
    tell(found.dropper, {"kind": "piece", "name": "people.csv", "first": first, "last": last, "content": content})


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


def test_a_file_weighs_from_its_first_piece_until_it_is_gone(visitor):
    found = Wizard(OwnData(), lambda data: None)
    piece(found, FILE[1][:100], first=True)
    assert visitor.own_bytes == 100  # before anybody knows how much there is to come
    piece(found, FILE[1][100:], last=True)
    assert visitor.own_bytes > 0
    found.close()
    assert visitor.own_bytes == 0
    piece(found, b"\x00" * 50, first=True, last=True)
    assert visitor.own_bytes == 0  # it could not be read


def test_a_file_for_which_there_is_no_room_gets_a_sentence(visitor):
    waiting, found = (Wizard(OwnData(), lambda data: None) for _ in range(2))
    visitor.claim()  # that of a page that is gone holds nothing
    assert waiting.dropper is not found.dropper
    piece(waiting, FILE[1][:100], first=True)
    other = visitor.claim()
    other.take(budget.LIMITS.coming_bytes - 100)
    piece(found, FILE[1], first=True, last=True)
    assert "not in use yet would take 400 MB" in found.problem.object
    other.free()
    piece(found, FILE[1], first=True, last=True)
    found.use.clicks += 1
    assert found.accepted == 1


def test_the_memory_that_a_visitor_may_use_is_said_before_a_file_is_chosen(visitor, monkeypatch):
    assert "may take 400 MB of memory." in Wizard(OwnData(), lambda data: None).limits.object
    monkeypatch.setattr(visitor, "limits", replace(budget.LIMITS, coming_bytes=10**8))
    assert "may take 100 MB of memory." in Wizard(OwnData(), lambda data: None).limits.object


def test_what_a_file_unfolds_into_weighs_and_is_limited(visitor, monkeypatch):
    """A megabyte of Parquet can stand for hundreds of them."""
    found = wizard()
    assert 0 < visitor.own_bytes < len(FILE[1])  # whole numbers in as few bytes as they need
    before = visitor.own_bytes
    found.use.clicks += 1
    assert visitor.own_bytes == found.own.dataset.frame.memory_usage(deep=True).sum() > before
    monkeypatch.setattr(visitor, "limits", replace(budget.LIMITS, coming_bytes=before - 1))
    found.dropper.file = ("again.csv", FILE[1])
    assert "not in use yet would take" in found.problem.object
    found.use.clicks += 1
    assert found.accepted == 1


def test_what_would_be_too_much_to_use_is_not_made(visitor, monkeypatch):
    found = wizard()
    monkeypatch.setattr(visitor, "limits", replace(budget.LIMITS, own_data_bytes=100))
    monkeypatch.setattr(Inspection, "dataset", None)
    found.use.clicks += 1
    assert found.accepted == 0
    assert "Your own data would take" in found.problem.object


def test_a_file_whose_reading_a_lost_connection_ended_weighs_nothing_and_is_said(visitor, monkeypatch):
    begun, read = [], datasets.inspect

    def slow(content, name, **options):
        over = threading.Event()
        with wanted.current().ended_by(over.set):
            begun.append(name)
            assert over.wait(60)
        raise DataProblem("It was ended.")

    monkeypatch.setattr(datasets, "inspect", slow)
    document = Document()

    async def main():
        with set_curdoc(document):
            found = Wizard(OwnData(), lambda data: None)
            piece(found, FILE[1], first=True, last=True)
        while not begun:
            await asyncio.sleep(0.001)
        assert visitor.own_bytes == len(FILE[1])
        found._reading._slot.stop()  # as when the connection is lost for more than a moment
        while visitor.own_bytes:
            await asyncio.sleep(0.001)
        document.callbacks.trigger_event(ClientReconnected())
        assert "The connection was lost while people.csv was read: drop it again." in found.problem.object
        monkeypatch.setattr(datasets, "inspect", read)
        with set_curdoc(document):
            piece(found, FILE[1], first=True, last=True)
        while not found.use.visible:
            await asyncio.sleep(0.001)
        weighs = visitor.own_bytes
        document.callbacks.trigger_event(ClientReconnected())
        assert found.use.visible
        assert visitor.own_bytes == weighs > 0

    asyncio.run(asyncio.wait_for(main(), 60))


def test_files_that_are_read_stand_before_nobodys_picture_and_end_when_nobody_waits(monkeypatch):
    begun, ended = [], []

    def slow(content, name, **options):
        over = threading.Event()
        with wanted.current().ended_by(over.set):
            begun.append(name)
            assert over.wait(10)
        ended.append(name)
        raise DataProblem("It was ended.")

    monkeypatch.setattr(datasets, "inspect", slow)

    async def until(condition):
        async with asyncio.timeout(60):
            while not condition():
                await asyncio.sleep(0.001)

    async def main():
        both = [Wizard(OwnData(), lambda data: None) for _ in range(2 * max(2, work.CORES))]
        for found in both:
            found.dropper.file = FILE
        await until(lambda: len(begun) == max(2, work.CORES))  # all threads that read files
        for kind in ("pass", "preview"):
            assert await work.compute(lambda: "a picture", kind=kind) == "a picture"
        for found in both:
            found.close()  # as when the visitor leaves
        await until(lambda: len(ended) == len(begun))

    asyncio.run(main())


SECRET = ("people.csv", b"age,income,town\n" + b"".join(b"%d,%d,%d town\n" % (i % 50, 7 * i, i % 3) for i in range(60)))


@pytest.mark.parametrize(
    ("page", "asked", "answer", "stands"),
    [
        (TrustDashboard, ["age", "income"], "income", lambda scenario: scenario.settings.attribute),
        (CategoriesDashboard, ["town", "age", "income"], "income", lambda scenario: scenario.data.column),
    ],
)
def test_whoever_brings_a_file_says_what_attackers_are_after(monkeypatch, page, asked, answer, stands):
    """Otherwise the page spoke of the first column, whatever it was."""
    monkeypatch.setattr(page, "_load", lambda self, scenario: None)  # what is asked for is enough
    found = page()
    wizard = found.desk.wizard
    wizard.dropper.file = SECRET
    assert wizard.secret.visible
    assert list(wizard.secret.options) == asked
    assert wizard.secret.value == asked[0]
    wizard.secret.value = answer
    wizard.use.clicks += 1
    assert found.scenario.data.file.name == "people.csv"
    assert stands(found.scenario) == answer
    wizard.dropper.file = ()
    wizard.dropper.file = SECRET  # the same file once more, and another answer
    assert wizard.secret.value == answer
    wizard.secret.value = "age"
    wizard.use.clicks += 1
    assert stands(found.scenario) == "age"


def test_nobody_is_asked_what_cannot_be_chosen():
    found = Wizard(OwnData(), lambda data: None, lambda data: data.numeric)
    found.dropper.file = ("ages.csv", b"age\n" + b"".join(b"%d\n" % (i % 50) for i in range(60)))
    assert not found.secret.visible
    found.use.clicks += 1
    assert found.own.secret == ""
