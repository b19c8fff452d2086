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
from trustscope.scenarios.papers.worker import ExperimentJob, Turns

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


class Worker:
    """In place of a process: it reports as long as it is not told to stop, and then has no table."""

    def __init__(self, job, reports=10_000):
        self._job, self._reports = job, reports

    def poll(self, seconds):
        return True

    def recv(self):
        self._reports -= 1
        if self._reports == 0:
            return "done", "a table"
        return ("done", None) if self._job.stopped else ("progress", (0.5, "on its way"))


@contextmanager
def waiting(turns):
    """Somebody waits for a place, until this is left."""
    through = threading.Event()
    thread = threading.Thread(target=turns.take, args=[through.is_set])
    thread.start()
    try:
        while not turns._waiting:
            time.sleep(0.001)
        yield
    finally:
        through.set()
        thread.join(PATIENCE)


def test_a_run_that_has_had_its_time_ends_when_somebody_waits_and_not_before(monkeypatch):
    """One open tab would keep everybody else of its process waiting all day."""
    turns = Turns(1)
    monkeypatch.setattr(worker, "_TURNS", turns)
    assert turns.take(lambda: False)
    job = ExperimentJob("li/table2", {"rows": 600}, 3, turn=0.0)
    assert job._listen(Worker(job, 5)) == "a table"  # nobody waits
    with waiting(turns):
        for turn in (None, 3600.0):  # on one's own machine, and within its time
            job = ExperimentJob("li/table2", {"rows": 600}, 3, turn=turn)
            assert job._listen(Worker(job, 5)) == "a table"
        job = ExperimentJob("li/table2", {"rows": 600}, 3, turn=0.0)
        with pytest.raises(RuntimeError, match=r"ended after more than 0 minutes, because somebody else was waiting"):
            job._listen(Worker(job))
        assert not turns.cede()  # one goes for one who waits
    job = ExperimentJob("li/table2", {"rows": 600}, 3, turn=0.0, wanted=lambda: True)  # by somebody who was refused
    with pytest.raises(RuntimeError, match="because somebody else was waiting"):
        job._listen(Worker(job))
    assert (turns._waiting, turns._leaving) == (0, 0)


def test_whoever_finds_a_place_tells_nobody_to_leave(monkeypatch):
    turns, told = Turns(2), []
    acquire = turns._free.acquire
    monkeypatch.setattr(turns._free, "acquire", lambda **how: told.append(turns.cede()) or acquire(**how))
    assert turns.take(lambda: False)
    assert turns.take(lambda: False)
    assert told == [False, False]
    assert not turns.take(lambda: True)  # who has to wait does
    assert (told, turns._waiting, turns._leaving) == ([False, False, False, True], 0, 0)


def test_whoever_waits_gets_the_place_that_is_given_back():
    turns = Turns(1)
    assert turns.take(lambda: False)
    assert not turns.take(lambda: True)  # stopped while it waited
    turns.give_back()
    assert turns.take(lambda: True)


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
