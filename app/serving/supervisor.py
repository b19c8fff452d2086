"""Several processes behind one port: connections are handed out, processes that die are replaced, all end together.

The supervisor looks at the head of a request without taking it (MSG_PEEK). A websocket goes to the process in which its
session lives, everything else to the process with the fewest sessions. Then the connection itself is handed over and
the supervisor is out of the way: it moves no data. Tornado's own forking, which Panel offers, does not do: there the
kernel chooses the process, so that a page's websocket lands anywhere and the page is built twice, and ending the first
process leaves the others behind.
"""

import asyncio
import collections
import contextlib
import itertools
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from trustscope.app.serving import homes, log
from trustscope.app.serving.board import Board
from trustscope.app.serving.children import end_children
from trustscope.app.serving.plan import Plan

HEAD = 65536  # bytes of a request's head
HEAD_TIME = 10.0  # seconds for it to come
WAITING = 1000  # connections whose head is awaited
START_TIME = 60.0  # seconds that a connection waits for a process to be ready
STOP_TIME = 12.0  # seconds for a process to end by itself
RESTARTS, RESTART_WINDOW = 5, 60.0  # processes that may die within so many seconds


class Process:
    """One worker process, and the channel on which it takes connections."""

    def __init__(self, plan: Plan, number: int, board: Board, environment: dict[str, str]):
        self.number = number
        self.channel, theirs = socket.socketpair()
        command = [sys.executable, "-m", "trustscope.app.serving.worker"]
        self.process = subprocess.Popen(
            [*command, str(theirs.fileno()), str(board.descriptor), str(number)],
            pass_fds=[theirs.fileno(), board.descriptor],
            stdin=subprocess.DEVNULL,
            env=environment,
        )
        theirs.close()
        # The plan holds the secrets: it goes through the channel, where no other user can read it.
        with contextlib.suppress(BrokenPipeError):  # it has ended already; the supervisor will see that
            self.channel.sendall(plan.to_json().encode() + b"\n")
        self.channel.setblocking(False)

    def hand_over(self, connection: socket.socket) -> bool:
        """Give it a connection; False if it cannot take one."""
        try:
            socket.send_fds(self.channel, [b"c"], [connection.fileno()])
        except OSError:
            return False
        return True


class Supervisor:
    """Keeps the processes of a plan and hands connections to them."""

    def __init__(self, plan: Plan, sockets: list[socket.socket]):
        self.plan, self._sockets = plan, sockets
        self._board = Board(plan.processes)
        self._figures = tempfile.mkdtemp(prefix="trustscope-metrics-") if plan.metrics else None
        self._environment = dict(os.environ)
        # One thread of linear algebra for each process: together they would wait for one another.
        self._environment.setdefault("OPENBLAS_NUM_THREADS", "1")
        if self._figures:
            self._environment["PROMETHEUS_MULTIPROC_DIR"] = self._figures
        self._processes: list[Process] = []
        self._turn = itertools.count()
        self._waiting = 0
        self._deaths: collections.deque[float] = collections.deque(maxlen=RESTARTS)
        self._tasks: set[asyncio.Task] = set()

    async def run(self, ready=lambda: None) -> int:
        """Serve until a signal comes; the exit code."""
        loop = asyncio.get_running_loop()
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        self._processes = [self._start(number) for number in range(self.plan.processes)]
        for listening in self._sockets:
            loop.add_reader(listening, self._accept, listening)
        watch = asyncio.ensure_future(self._watch(ready))
        ended = asyncio.ensure_future(stop.wait())
        await asyncio.wait([watch, ended], return_when=asyncio.FIRST_COMPLETED)
        for listening in self._sockets:
            loop.remove_reader(listening)
            listening.close()
        failed = watch.done() and not stop.is_set()
        for task in (watch, ended, *self._tasks):
            task.cancel()
        await self._end()
        return 1 if failed else 0

    def _start(self, number):
        self._board.clear(number)
        return Process(self.plan, number, self._board, self._environment)

    async def _watch(self, ready):
        """Replace processes that die; return when they die too often."""
        told = False
        while True:
            for number, process in enumerate(self._processes):
                if process.process.poll() is not None and not self._replace(number, process):
                    return
            if not told and self._board.total("ready"):
                told = True
                ready()
            await asyncio.sleep(0.2)

    def _replace(self, number, process) -> bool:
        code = process.process.returncode
        log.get(__name__).error("process %d of %d ended (%d); starting another", number + 1, self.plan.processes, code)
        self._forget(process)
        now = time.monotonic()
        if len(self._deaths) == RESTARTS and now - self._deaths[0] < RESTART_WINDOW:
            log.get(__name__).error("%d processes ended within a minute; giving up", RESTARTS + 1)
            return False
        self._deaths.append(now)
        self._processes[number] = self._start(number)
        return True

    def _forget(self, process):
        process.channel.close()
        if self._figures:
            from prometheus_client import multiprocess

            multiprocess.mark_process_dead(process.process.pid, self._figures)

    def _accept(self, listening):
        try:
            connection, _ = listening.accept()
        except OSError:  # gone again, or too many files are open
            return
        if self._waiting >= WAITING:
            connection.close()
            return
        connection.setblocking(False)
        task = asyncio.ensure_future(self._route(connection))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _route(self, connection):
        self._waiting += 1
        try:
            head = await asyncio.wait_for(_head(connection), HEAD_TIME)
            if head:
                await asyncio.wait_for(self._hand_over(connection, head), START_TIME)
        except (TimeoutError, OSError):
            pass  # too slow, or gone
        finally:
            self._waiting -= 1
            connection.close()

    async def _hand_over(self, connection, head):
        home = homes.home_of_request(head, self.plan.processes)
        while True:
            for number in [home] if home is not None else self._order():
                if self._board.read(number, "ready") and self._processes[number].hand_over(connection):
                    return
            await asyncio.sleep(0.05)

    def _order(self):
        """The processes, the one with the fewest sessions first, taking turns among equals."""
        turn = next(self._turn)
        count = self.plan.processes
        return sorted(range(count), key=lambda n: (self._board.read(n, "sessions"), (n - turn) % count))

    async def _end(self):
        for process in self._processes:
            with contextlib.suppress(ProcessLookupError):
                process.process.terminate()
        deadline = time.monotonic() + STOP_TIME
        while any(p.process.poll() is None for p in self._processes) and time.monotonic() < deadline:
            await asyncio.sleep(0.05)
        for process in self._processes:
            if process.process.poll() is None:
                process.process.kill()
                process.process.wait()
            process.channel.close()
        self._board.close()
        if self._figures:
            shutil.rmtree(self._figures, ignore_errors=True)


async def _head(connection: socket.socket) -> bytes:
    """The head of the request on a connection, which is left for whoever gets the connection."""
    loop = asyncio.get_running_loop()
    seen = -1
    while True:
        try:
            data = connection.recv(HEAD, socket.MSG_PEEK)
        except BlockingIOError:
            await _readable(loop, connection)
            continue
        if not data or b"\r\n\r\n" in data or len(data) == HEAD:
            return data
        # A part of it: the connection counts as readable all the time, so there is nothing to wait on but the clock.
        await asyncio.sleep(0.01 if len(data) > seen else 0.1)
        seen = len(data)


async def _readable(loop, connection):
    news = loop.create_future()
    loop.add_reader(connection, lambda: news.done() or news.set_result(None))
    try:
        await news
    finally:
        loop.remove_reader(connection)


def supervise(plan: Plan, sockets: list[socket.socket], show: bool = False) -> int:
    """Serve with several processes until a signal comes; the exit code."""

    def ready():
        print(f"Ready: {plan.processes} processes.", flush=True)
        if show:
            import webbrowser

            webbrowser.open(plan.link)

    code = asyncio.run(Supervisor(plan, sockets).run(ready))
    end_children()
    print("Trustscope has stopped.", flush=True)
    return code
