"""A process that works for a visitor is killed: the page says so in a sentence, and the next run has a new process."""

import asyncio

import psutil
import pytest

from benchmarks.visitors import Visitor
from tests.soak.__main__ import Server
from tests.soak.people import all_of, until


@pytest.fixture
def server(tmp_path):
    started = Server(tmp_path / "log", processes=1)
    yield started
    assert started.end() == 0


def workers(server):
    """The processes of experiments: children of the one that hands them out, which is the server's child."""
    return [worker for child in psutil.Process(server.process.pid).children() for worker in child.children()]


def test_a_killed_worker_is_said_on_the_page_and_replaced(server):
    async def story():
        visitor = Visitor(server.address, "?page=papers")
        await visitor.open()
        try:
            await until(visitor, lambda: visitor.find("Gallery")["data"].get("shown"), "experiments")
            await visitor.send_control(visitor.find("Gallery"), id="li/fig1")
            await visitor.send_control(visitor.find("Task"), what="start")
            await until(visitor, lambda: workers(server), "worker")
            for worker in workers(server):
                worker.kill()
            await until(visitor, lambda: "by the signal SIGKILL" in told(visitor), "sentence")
            assert "Run it again" in told(visitor)
            await visitor.send_control(visitor.find("Gallery"), id="li/eq16")
            await visitor.send_control(visitor.find("Task"), what="start")
            await until(visitor, lambda: told(visitor).startswith("Done"), "result of a new worker")
        finally:
            await visitor.close()
        assert visitor.errors == []

    asyncio.run(story())


def told(visitor):
    return next((task["data"].get("text", "") for task in all_of(visitor, "Task")), "")
