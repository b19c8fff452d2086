"""Work beside the page: what is overtaken is dropped, what is left ends, what fails is said."""

import asyncio
import gc
import threading
from types import SimpleNamespace

import pytest
from bokeh.document import Document
from panel.io.state import set_curdoc

from trustscope.app import work as beside
from trustscope.app.work import TaskSlot


def run(work):
    """A slot inside a running loop, as on a page; the failures that it told."""
    failures = []

    async def main():
        slot = TaskSlot(failures.append)
        await work(slot)

    asyncio.run(main())
    return failures


async def until(condition):
    while not condition():
        await asyncio.sleep(0.001)


def test_only_the_last_one_asked_for_waits():
    shown, gate = [], threading.Event()

    def make(value):
        def compute():
            gate.wait(30)
            return value

        return compute

    async def work(slot):
        for value in range(100):
            slot.latest(make(value), shown.append)
        gate.set()
        await until(lambda: not slot.busy)

    assert not run(work)
    assert shown[-1] == 99
    assert len(shown) <= 2  # the first was under way, everything between was overtaken


def test_what_comes_then_is_done_after_each_picture_that_is_shown():
    done = []

    async def work(slot):
        slot.latest(lambda: "first", done.append, lambda: done.append("then"))
        await until(lambda: not slot.busy)
        slot.latest(lambda: 1 / 0, done.append, lambda: done.append("never"))
        await until(lambda: not slot.busy)

    assert run(work)  # the error was told
    assert done == ["first", "then"]


def test_what_comes_then_does_not_wait_long_for_a_slow_picture():
    done, gate = [], threading.Event()

    async def work(slot):
        slot.latest(lambda: gate.wait(30), lambda made: done.append("picture"), lambda: done.append("then"))
        await until(lambda: done)
        gate.set()
        await until(lambda: not slot.busy)

    assert not run(work)
    assert done == ["then", "picture", "then"]


def test_a_preview_begins_before_anything_else_is_done():
    began, shown = threading.Event(), []

    async def work(slot):
        slot.latest(began.set, shown.append)
        assert began.wait(30)  # nothing was awaited: the loop is busy with what follows
        await until(lambda: shown)

    assert not run(work)


class Page(Document):
    """A page that is served."""

    session_context = SimpleNamespace(id="x", session=SimpleNamespace(connection_count=1, destroyed=False))

    def add_next_tick_callback(self, callback):
        asyncio.get_running_loop().call_soon(callback)


@pytest.mark.parametrize("gone", [False, True])
def test_nobody_is_told_what_failed_after_they_had_left(gone):
    async def work(slot):
        slot._doc = Page()
        slot._doc.session_context = SimpleNamespace(session=SimpleNamespace(connection_count=0, destroyed=gone))

        async def fails():
            raise AttributeError("the document is not there any more")

        slot.start(fails)
        await until(lambda: not slot.busy)

    assert len(run(work)) == (0 if gone else 1)


def test_a_short_preview_is_shown_at_once_where_no_other_is_under_way(monkeypatch):
    done, gate = [], threading.Event()
    monkeypatch.setattr(beside, "_previews", set())  # a test before this one may have left some under way
    monkeypatch.setattr(beside, "AT_ONCE", 30)

    async def work(slot):
        other, slot._doc = TaskSlot(print), Page()
        other._doc = slot._doc
        with set_curdoc(slot._doc):
            slot.latest(lambda: "short", done.append, lambda: done.append("then"), soon=True)
            assert done == ["short"]  # nothing was awaited
            slot.latest(lambda: "the next", done.append)
            await until(lambda: not slot.busy)
            assert done == ["short", "then", "the next"]
            other.latest(gate.wait, print)
            slot.latest(lambda: "beside another", done.append, soon=True)
            assert done[-1] == "the next"
            await until(lambda: done[-1] == "beside another")
            monkeypatch.setattr(beside, "AT_ONCE", 0.005)
            gate.set()
            await until(lambda: not other.busy)
            gate.clear()
            slot.latest(lambda: gate.wait(30), lambda made: done.append("long"), soon=True)
            assert done[-1] == "beside another"
            gate.set()
            await until(lambda: done[-1] == "long")

    assert not run(work)


def test_what_is_asked_for_while_one_is_shown_at_once_is_shown_too(monkeypatch):
    done = []
    monkeypatch.setattr(beside, "_previews", set())  # a test before this one may have left some under way
    monkeypatch.setattr(beside, "AT_ONCE", 30)

    async def work(slot):
        slot._doc = Page()

        def show(made):
            done.append(made)
            slot.latest(lambda: "another", done.append)

        with set_curdoc(slot._doc):
            slot.latest(lambda: "short", show, soon=True)
            await until(lambda: not slot.busy)

    assert not run(work)
    assert done == ["short", "another"]


def test_what_fails_is_told_also_where_it_would_be_shown_at_once(monkeypatch):
    monkeypatch.setattr(beside, "_previews", set())  # a test before this one may have left some under way
    monkeypatch.setattr(beside, "AT_ONCE", 30)

    async def work(slot):
        slot._doc = Page()
        with set_curdoc(slot._doc):
            slot.latest(lambda: 1 / 0, print, soon=True)
            await until(lambda: not slot.busy)
            slot.latest(lambda: "picture", lambda picture: [][0], soon=True)
            await until(lambda: not slot.busy)

    assert [type(error) for error in run(work)] == [ZeroDivisionError, IndexError]


def test_what_failed_after_it_was_stopped_is_told_to_nobody(caplog):
    gate, ended = threading.Event(), threading.Event()

    def fail():
        gate.wait(30)
        ended.set()
        raise ValueError("too late")

    async def work(slot):
        slot.latest(fail, print)
        slot.stop()
        gate.set()
        await until(ended.is_set)
        await asyncio.sleep(0.01)
        gc.collect()

    assert not run(work)
    assert not caplog.records


def test_what_was_built_for_nobody_is_dropped():
    gate, shown, dropped = threading.Event(), [], []

    async def locked(work):
        await work()

    async def work(slot):
        slot._doc = Page()
        slot._doc.session_context.session.with_document_locked = locked
        slot.build(lambda: gate.wait(30) and "unwanted", shown.append, dropped.append)
        await until(lambda: slot._task is not None)
        await asyncio.sleep(0.05)
        slot.stop()
        gate.set()
        await until(lambda: dropped)

    assert not run(work)
    assert (shown, dropped) == ([], ["unwanted"])


def test_starting_another_ends_the_one_before():
    seen = []

    async def work(slot):
        async def first():
            try:
                await asyncio.sleep(60)
            finally:
                seen.append("first ended")

        async def second():
            seen.append("second")

        slot.start(first)
        await asyncio.sleep(0)
        slot.start(second)
        await until(lambda: len(seen) == 2)

    assert not run(work)
    assert sorted(seen) == ["first ended", "second"]


def test_stopping_shows_nothing_more():
    shown, gate = [], threading.Event()

    async def work(slot):
        slot.latest(lambda: gate.wait(30), shown.append)
        await asyncio.sleep(0)
        slot.stop()
        gate.set()
        assert not slot.busy
        await asyncio.sleep(0.01)

    assert not run(work)
    assert not shown


def test_a_failure_is_told_and_the_lane_goes_on():
    shown = []

    async def work(slot):
        slot.latest(lambda: 1 / 0, shown.append)
        await until(lambda: not slot.busy)
        slot.latest(lambda: "fine", shown.append)
        await until(lambda: not slot.busy)

    failures = run(work)
    assert [type(failure) for failure in failures] == [ZeroDivisionError]
    assert shown == ["fine"]


def test_a_failure_while_showing_is_told_too():
    async def work(slot):
        slot.latest(lambda: "picture", lambda picture: 1 / 0)
        await until(lambda: not slot.busy)

    assert [type(failure) for failure in run(work)] == [ZeroDivisionError]


def test_without_a_loop_everything_is_done_at_once():
    shown = []
    outer, inner = TaskSlot(shown.append), TaskSlot(shown.append)

    async def work():
        inner.latest(lambda: "inner", shown.append)
        shown.append("outer")

    outer.start(work)
    assert sorted(shown) == ["inner", "outer"]
    outer.start(lambda: outer.each(iter([1, 2, 3]), shown.append))
    assert shown[2:] == [1, 2, 3]
