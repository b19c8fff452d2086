"""Long work ends: when it is through, fails, is called off, takes too long, is overtaken, or nobody is left."""

import asyncio
import threading

import pytest

from trustscope.app import jobs
from trustscope.app.jobs import Job, TooLong


class Page:
    """Notes what a job tells it."""

    def __init__(self, **options):
        self.shown, self.ended, self.failures = [], [], []
        self.job = Job(self.failures.append, lambda run: self.shown.append((run.fraction, run.text)), **options)

    def start(self, call, **options):
        self.job.start(call, lambda run, result: self.ended.append((run.cancelled, result)), **options)


@pytest.fixture(autouse=True)
def _soon(monkeypatch):
    monkeypatch.setattr(jobs, "LOOK", 0.005)
    monkeypatch.setattr(jobs, "PATIENCE", 0.05)


async def until(condition):
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.001)


def walk(main):
    asyncio.run(main())


def endless(run):
    """As everything that takes long must: it looks whether it is wanted, and is through soon if not."""
    run.progress(0.5, "half of it")
    assert run.stopping.wait(60)
    return "what there was"


def test_it_says_how_far_it_is_and_what_came_out():
    page, gate = Page(), threading.Event()

    def work(run):
        run.progress(0.25, "a quarter")
        gate.wait(60)
        return "all"

    async def main():
        page.start(work)
        await until(lambda: (0.25, "a quarter") in page.shown)
        assert page.job.running
        gate.set()
        await until(lambda: page.ended)
        assert not page.job.running

    walk(main)
    assert page.ended == [(False, "all")]


def test_without_a_loop_it_is_done_at_once():
    page = Page()
    page.start(lambda run: "all")
    assert page.ended == [(False, "all")]


def test_what_is_called_off_gives_what_there_was(monkeypatch):
    monkeypatch.setattr(jobs, "PATIENCE", 60)  # on a busy machine its thread takes a moment to hear of it
    page, stopped = Page(), []

    async def main():
        page.start(endless, stop=lambda: stopped.append(1))
        await until(lambda: page.shown)
        page.job.cancel()
        page.job.cancel()
        await until(lambda: page.ended)

    walk(main)
    assert page.ended == [(True, "what there was")]
    assert stopped == [1]


def test_what_is_dropped_ends_and_is_told_to_nobody():
    page, over = Page(), threading.Event()

    def work(run):
        endless(run)
        over.set()

    async def main():
        page.start(work)
        await until(lambda: page.shown)
        page.job.drop()
        seen = len(page.shown)
        await until(over.is_set)
        await asyncio.sleep(0.02)
        assert (page.ended, page.failures, len(page.shown)) == ([], [], seen)
        assert not page.job.running

    walk(main)


def test_starting_another_ends_the_one_before():
    page, over = Page(), threading.Event()

    def first(run):
        endless(run)
        over.set()

    async def main():
        page.start(first)
        await until(lambda: page.shown)
        page.start(lambda run: "second")
        await until(lambda: page.ended)
        await until(over.is_set)

    walk(main)
    assert page.ended == [(False, "second")]


def test_it_is_called_off_after_its_time():
    page, over = Page(longest=0.02), threading.Event()

    def work(run):
        endless(run)
        over.set()

    async def main():
        page.start(work)
        await until(lambda: page.failures)
        await until(over.is_set)

    walk(main)
    assert [type(one) for one in page.failures] == [TooLong]
    assert page.ended == []


def test_what_does_not_notice_that_its_time_is_over_keeps_nobody_waiting():
    page, gate = Page(longest=0.02), threading.Event()

    async def main():
        page.start(lambda run: gate.wait(60))
        await until(lambda: page.failures)
        gate.set()

    walk(main)
    assert [type(one) for one in page.failures] == [TooLong]


def test_what_waits_for_a_thread_says_so_and_can_be_called_off(monkeypatch):
    gate, begun = threading.Event(), []
    others = [Page(kind="crowded") for _ in range(8)]
    page = Page(kind="crowded")

    async def main():
        for other in others:
            other.start(lambda run: gate.wait(60))
        page.start(lambda run: begun.append(1))
        await until(lambda: (0.0, jobs.WAITING) in page.shown)
        page.job.cancel()
        await until(lambda: page.ended)
        gate.set()
        await until(lambda: all(other.ended for other in others))

    monkeypatch.setattr("trustscope.app.work.CORES", 2)
    walk(main)
    assert page.ended == [(True, None)]
    assert begun == []


def test_a_failure_is_told_and_what_is_held_is_let_go():
    page, held = Page(), []

    class Place:
        def __enter__(self):
            held.append("held")

        def __exit__(self, *error):
            held.append("free")

    async def main():
        page.start(lambda run: 1 / 0, within=Place())
        await until(lambda: page.failures)

    walk(main)
    assert [type(one) for one in page.failures] == [ZeroDivisionError]
    assert held == ["held", "free"]


def test_steps_are_shown_one_by_one_and_end_when_they_are_called_off():
    page, drawn, computed = Page(), [], []

    def steps():
        for number in range(1, 10_000):
            computed.append(number)
            yield number

    async def main():
        page.job.each(steps(), drawn.append)
        await until(lambda: len(drawn) > 2)
        page.job.drop()
        many = len(computed)
        await asyncio.sleep(0.02)
        assert len(computed) <= many + 1

    walk(main)
    assert drawn[:3] == [1, 2, 3]
