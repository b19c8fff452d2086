"""A process that works for a visitor is killed: the page says so in a sentence, and the next run has a new process."""

import asyncio

import psutil
import pytest

from benchmarks.visitors import Visitor
from tests.soak.__main__ import Server
from tests.soak.people import all_of, until
from trustscope.scenarios.link import query_of
from trustscope.scenarios.papers.registry import EXPERIMENTS
from trustscope.scenarios.papers.scenario import PapersScenario, preset


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
        experiment = EXPERIMENTS["huang/exp1"]
        large = PapersScenario().opening(experiment.id, preset(experiment, paper_size=True))  # takes minutes
        visitor = Visitor(server.address, f"?{query_of(large)}")
        await visitor.open()
        try:
            await until(visitor, lambda: visitor.find("Headline")["data"].get("said"), "experiment")
            await visitor.send_control(visitor.find("Task"), what="start")
            await until(visitor, lambda: workers(server), "worker")
            for worker in workers(server):
                worker.kill()
            await until(visitor, lambda: "was ended from outside" in told(visitor), "sentence")
            assert "Run it again" in told(visitor)
            await visitor.send_control(visitor.find("Choice", "Size"), value=["quick"])
            await visitor.send_control(visitor.find("Task"), what="start")
            await until(visitor, lambda: told(visitor).startswith("Done"), "result of a new worker")
        finally:
            await visitor.close()
        assert visitor.errors == []

    asyncio.run(story())


def told(visitor):
    return next((task["data"].get("text", "") for task in all_of(visitor, "Task")), "")
