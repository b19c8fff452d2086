"""Several processes behind one port: connections are handed out, processes that die are replaced, all end together.

The supervisor looks at the head of a request without taking it (`arrivals`). A websocket goes to the process in which
its session lives, everything else to the process with the fewest sessions. Then the connection itself is handed over
and the supervisor is out of the way: it moves no data. Tornado's own forking, which Panel offers, does not do: there
the kernel chooses the process, so that a page's websocket lands anywhere and the page is built twice, and ending the
first process leaves the others behind.
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
from trustscope.app.serving.arrivals import Arrivals
from trustscope.app.serving.board import Board
from trustscope.app.serving.children import end_children
from trustscope.app.serving.connections import allow_files
from trustscope.app.serving.plan import Plan
from trustscope.app.serving.pulse import HUNG, SILENT, Pulse

LOOK = 0.2  # seconds from one look after the processes to the next
START_TIME = 60.0  # seconds that a connection waits for a process to be ready
STOP_TIME = 12.0  # seconds for a process to end by itself
RESTARTS, RESTART_WINDOW = 5, 60.0  # processes that may die within so many seconds
AGAIN = 1.0  # seconds after which a process that could not be started is tried again


class Process:
    """One worker process, and the channel on which it takes connections and acknowledges each."""

    def __init__(self, plan: Plan, number: int, board: Board, environment: dict[str, str]):
        self.number, self._board = number, board
        self.hung = False  # ended by us, because it did not turn any more
        self.cleared = False  # its end was noticed, and what it had was given to others
        self.due = 0.0  # when another may be started in its place
        self._handed = self._acknowledged = 0
        self._underway: collections.deque[tuple[int, socket.socket, bytes]] = collections.deque()
        self.channel, theirs = socket.socketpair()
        command = [sys.executable, "-m", "trustscope.app.serving"]
        try:
            self.process = subprocess.Popen(
                [*command, str(theirs.fileno()), str(board.descriptor), str(number)],
                pass_fds=[theirs.fileno(), board.descriptor],
                stdin=subprocess.DEVNULL,
                env=environment,
            )
        except BaseException:
            self.channel.close()
            raise
        finally:
            theirs.close()
        # The plan holds the secrets: it goes through the channel, where no other user can read it.
        with contextlib.suppress(BrokenPipeError):  # it has ended already; the supervisor will see that
            self.channel.sendall(plan.to_json().encode() + b"\n")
        self.channel.setblocking(False)

    def hand_over(self, connection: socket.socket, head: bytes) -> bool:
        """Give it a connection, which is its own from then on; False if it cannot take one."""
        try:
            socket.send_fds(self.channel, [b"c"], [connection.fileno()])
        except OSError:
            return False
        self._handed += 1
        self._underway.append((self._handed, connection, head))
        return True

    @property
    def sessions(self) -> int:
        """How many it has, with those who are on their way: a busy process takes and counts them late."""
        return self._board.read(self.number, "sessions") + len(self._underway)

    def acknowledge(self, loop: asyncio.AbstractEventLoop) -> None:
        """It has taken some: they are closed here, so that they end when it closes them."""
        try:
            came = len(self.channel.recv(4096))
        except BlockingIOError:
            return
        except OSError:
            came = 0
        if not came:  # it has ended
            loop.remove_reader(self.channel)
        self._acknowledged += came
        while self._underway and self._underway[0][0] <= self._acknowledged:
            self._underway.popleft()[1].close()

    def recall(self) -> list[tuple[socket.socket, bytes]]:
        """Take back what it has not taken; should it wake up, it knows from the board not to serve these."""
        self._board.write(self.number, "recalled", self._handed)
        found = [(connection, head) for _, connection, head in self._underway]
        self._underway.clear()
        return found


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
        self._arrivals = Arrivals(self._route, plan.behind_proxy)
        self._deaths: collections.deque[float] = collections.deque(maxlen=RESTARTS)
        self._pulse = Pulse(plan.processes)
        self._silent: set[int] = set()
        self._tasks: set[asyncio.Task] = set()

    async def run(self, ready=lambda: None) -> int:
        """Serve until a signal comes; the exit code."""
        loop = asyncio.get_running_loop()
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        self._processes = [self._start(number) for number in range(self.plan.processes)]
        allow_files()
        self._arrivals.listen(self._sockets)
        watch = asyncio.ensure_future(self._watch(ready))
        ended = asyncio.ensure_future(stop.wait())
        await asyncio.wait([watch, ended], return_when=asyncio.FIRST_COMPLETED)
        self._arrivals.stop()
        failed = watch.done() and not stop.is_set()
        for task in (watch, ended, *self._tasks):
            task.cancel()
        await self._end()
        return 1 if failed else 0

    def _start(self, number):
        self._board.clear(number)
        self._pulse.forget(number)
        process = Process(self.plan, number, self._board, self._environment)
        loop = asyncio.get_running_loop()
        loop.add_reader(process.channel, process.acknowledge, loop)
        return process

    async def _watch(self, ready):
        """Replace processes that die or hang; return when they die too often.

        Whatever fails once, the server goes on: memory that is short kills a process, and keeps another from being
        started, and passes.
        """
        told, said = False, ""
        while True:
            try:
                if not self._look():
                    return
            except Exception as error:
                if said != (said := repr(error)):  # five times a second the same sentence would fill the log
                    log.report_error(error, "looking after the processes")
            if not told and self._board.total("ready"):
                told = True
                ready()
            await asyncio.sleep(LOOK)

    def _look(self) -> bool:
        """Notice which processes have fallen silent or ended, and start others; False when too many have ended."""
        self._listen()
        for number, process in enumerate(self._processes):
            if process.process.poll() is None:
                continue
            if not process.cleared and not self._clear_up(number, process):
                return False
            self._replace(number, process)
        return True

    def _listen(self):
        """Notice who has fallen silent, and end who has been so for too long.

        Only a process that was ready beats. What it was given and has not looked at goes to others.
        """
        self._pulse.look([self._board.read(number, "beat") for number in range(self.plan.processes)])
        for number, process in enumerate(self._processes):
            silence = self._pulse.silence(number) if self._board.read(number, "ready") else 0.0
            if silence < SILENT:
                self._silent.discard(number)
                continue
            if number not in self._silent:
                self._silent.add(number)
                log.get(__name__).warning("process %d of %d does not answer", number + 1, self.plan.processes)
            self._give_back(process)
            if silence > HUNG and not process.hung and process.process.poll() is None:
                log.get(__name__).error("process %d of %d hung for %d s", number + 1, self.plan.processes, silence)
                process.hung = True
                process.process.kill()  # that it has ended is noticed later: much memory takes a while to be taken down

    def _give_back(self, process):
        """What a process has not taken is handed to another."""
        for connection, head in process.recall():
            task = asyncio.ensure_future(self._route(connection, head))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _clear_up(self, number, process) -> bool:
        """A process has ended: give what it had to others; False if too many have ended."""
        code = process.process.returncode
        log.get(__name__).error("process %d of %d ended (%d); starting another", number + 1, self.plan.processes, code)
        process.cleared = True
        self._board.write(number, "ready", 0)
        self._give_back(process)
        self._forget(process)
        now = time.monotonic()
        if not process.hung and len(self._deaths) == RESTARTS and now - self._deaths[0] < RESTART_WINDOW:
            log.get(__name__).error("%d processes ended within a minute; giving up", RESTARTS + 1)
            return False
        if not process.hung:
            self._deaths.append(now)
        return True

    def _replace(self, number, process):
        """Start another in the place of one that has ended; if that cannot be done now, its place stays empty."""
        if time.monotonic() < process.due:
            return
        try:
            self._processes[number] = self._start(number)
        except (OSError, MemoryError) as error:  # memory, processes or files are short
            process.due = time.monotonic() + AGAIN
            log.get(__name__).error(
                "process %d of %d cannot be started now (%s); it is tried again", number + 1, self.plan.processes, error
            )

    def _forget(self, process):
        if process.channel.fileno() >= 0:
            asyncio.get_running_loop().remove_reader(process.channel)
            process.channel.close()
        if self._figures:
            from prometheus_client import multiprocess

            multiprocess.mark_process_dead(process.process.pid, self._figures)

    async def _route(self, connection, head):
        handed = False
        try:
            handed = await asyncio.wait_for(self._hand_over(connection, head), START_TIME)
        except (TimeoutError, OSError):
            pass  # no process became ready, or it is gone
        finally:
            if not handed:
                connection.close()

    async def _hand_over(self, connection, head):
        home = homes.home_of_request(head, self.plan.processes)
        while True:
            for number in [home] if home is not None else self._order():
                if self._well(number) and self._processes[number].hand_over(connection, head):
                    return True
            await asyncio.sleep(0.05)

    def _well(self, number):
        return self._board.read(number, "ready") and number not in self._silent

    def _order(self):
        """The processes, the one with the fewest sessions first, taking turns among equals."""
        turn = next(self._turn)
        count = self.plan.processes
        return sorted(range(count), key=lambda n: (self._processes[n].sessions, (n - turn) % count))

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
            self._forget(process)
        self._board.close()
        if self._figures:
            shutil.rmtree(self._figures, ignore_errors=True)


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
