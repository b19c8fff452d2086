"""Experiments in worker processes: they report, stop, fail with a sentence, and survive being killed."""

import multiprocessing
import os
import signal
import threading
import time
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from tests.scenarios.looking import look
from tests.scenarios.runs import ran
from trustscope.scenarios.papers import worker
from trustscope.scenarios.papers.registry import EXPERIMENTS
from trustscope.scenarios.papers.worker import ExperimentJob

PATIENCE = 300  # seconds: a limit for what never ends, not a time that anything is expected to take


def endless() -> ExperimentJob:
    """A job that takes an hour unless something ends it."""
    return ExperimentJob("xiao/fig5", EXPERIMENTS["xiao/fig5"].preset() | {"draws": 10**10}, 1)


@contextmanager
def running(job):
    """Run the job in a thread until it has reported; gives a list to which its table or its error is added."""
    found = []

    def work():
        try:
            found.append(job())
        except RuntimeError as error:
            found.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        deadline = time.monotonic() + PATIENCE
        while job.fraction == 0:
            assert thread.is_alive()
            assert time.monotonic() < deadline
            time.sleep(0.02)
        yield found
    finally:
        job.stop()
        thread.join(PATIENCE)
    assert not thread.is_alive()


def alive(pid) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_job_gives_the_table():
    job = ExperimentJob("li/table2", {"rows": 600}, 3)
    assert job().equals(ran("li/table2", rows=600, key=3).table)
    assert not alive(job.pid)


def test_a_job_reports_and_stops():
    job = endless()
    with running(job) as found:
        assert 0 < job.fraction < 0.1
        assert "draws" in job.text
        assert found == []
    assert found == [None]
    assert not alive(job.pid)


def test_a_job_that_fails_says_why():
    with pytest.raises(RuntimeError, match=r"between 1 and 50 numbers"):
        ExperimentJob("huang/exp4", EXPERIMENTS["huang/exp4"].preset() | {"rows": 50, "similarities": ()}, 1)()


def test_of_what_nobody_expected_only_kind_and_place_come_out(monkeypatch):
    """What an exception says may quote anything of the machine."""

    place = "/srv/secret"

    def broken(**options):
        raise OSError(place)

    monkeypatch.setitem(worker.EXPERIMENTS, "broken", SimpleNamespace(run=broken))
    monkeypatch.setattr(worker.os, "nice", lambda more: None)  # this is our own process
    sent, told = [], SimpleNamespace(poll=lambda: False)
    worker._work(SimpleNamespace(send=sent.append), told, "broken", {}, 1)
    ((kind, text),) = sent
    assert kind == "broken"
    assert text.endswith("OSError")
    assert "secret" not in text


def test_a_job_that_was_stopped_before_it_began_does_nothing():
    job = endless()
    job.stop()
    assert job() is None


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows has no such signal")
def test_a_job_can_be_stopped_when_its_worker_was_killed_while_it_looked_whether_to_stop():
    """A worker that does nothing but look is killed at many moments; stopping must not wait for what it held."""
    processes = multiprocessing.get_context("forkserver")
    for _ in range(20):
        job = ExperimentJob("li/table2", {"rows": 600}, 3)
        receiver, sender = processes.Pipe(duplex=False)
        worker = processes.Process(target=look, args=(job._told, sender))
        worker.start()
        receiver.recv()  # it looks now
        worker.kill()
        worker.join()
        stopping = threading.Thread(target=job.stop, daemon=True)
        stopping.start()
        stopping.join(PATIENCE)
        assert not stopping.is_alive()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows has no such signal")
def test_a_killed_worker_gives_a_sentence_and_the_next_job_a_new_worker():
    job = endless()
    with running(job) as found:
        os.kill(job.pid, signal.SIGKILL)
        deadline = time.monotonic() + PATIENCE
        while not found and time.monotonic() < deadline:
            time.sleep(0.02)
        assert not job.stopped
    (error,) = found
    assert str(error).startswith(
        "The computation was ended from outside, by the signal SIGKILL; perhaps memory ran out."
    )
    again = ExperimentJob("li/table2", {"rows": 600}, 3)
    assert again().equals(ran("li/table2", rows=600, key=3).table)
    assert again.pid != job.pid
