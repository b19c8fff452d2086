"""One process that serves pages: alone with its own port, or one of several that a supervisor hands connections to."""

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
import threading
import warnings
import weakref
from collections.abc import Callable

import panel as pn
from bokeh.core.validation import silence
from bokeh.core.validation.warnings import EMPTY_LAYOUT
from bokeh.server.server import BaseServer
from bokeh.util.warnings import BokehUserWarning
from panel.io.application import build_applications
from panel.io.resources import DIST_DIR
from panel.io.server import get_static_routes
from tornado.ioloop import IOLoop
from tornado.iostream import IOStream

from trustscope.app import process
from trustscope.app.classroom import pages as classroom
from trustscope.app.classroom.store import remove, shared
from trustscope.app.compat import inside, pages_built_after
from trustscope.app.page import make_page
from trustscope.app.serving import budget, gate, homes, log, memory, metrics, preview, scratch, stopping
from trustscope.app.serving.access import Access
from trustscope.app.serving.arrivals import LARGEST_HEAD, Arrivals
from trustscope.app.serving.board import Board
from trustscope.app.serving.children import end_children
from trustscope.app.serving.connections import CarefulServer
from trustscope.app.serving.doors import PLACE, STUDENTS, TEACHER, Doors
from trustscope.app.serving.headers import securing
from trustscope.app.serving.inbox import LARGEST_PART
from trustscope.app.serving.leaving import ignore_closed_sockets
from trustscope.app.serving.plan import Plan, use
from trustscope.app.serving.pulse import BEAT
from trustscope.app.serving.share import Share
from trustscope.app.serving.sockets import Socket
from trustscope.widgets import bundle

# A visitor who closes the tab is forgotten after at most LINGER + CHECK seconds; one whose machine falls silent, after
# 2 * PING + 2 * CHECK more. Together this is a minute. Within LINGER a page that lost its connection finds its session
# again.
LINGER, CHECK, PING = 15, 5, 15
LATE = 0.5  # seconds by which the loop may come too late and still be taken to listen
TOKEN_LIFETIME = 24 * 3600  # seconds for which an open page may come back with its token
LARGEST_BODY = 100_000  # bytes: a password is all that is ever sent to the server outside of a websocket
BODY_TIME = 10  # seconds for it to come
IDLE = 20  # seconds for which a connection is kept for a next request


class Health(gate.OpenHandler):
    """`/health`: that the loop turns and takes requests."""

    def get(self) -> None:
        """Two letters."""
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        self.finish("ok")

    head = get


class ControlScripts(gate.SharedFile):
    """The scripts of all controls, as one module; another version has another address."""

    def get(self) -> None:
        """The module."""
        self.set_header("Content-Type", "text/javascript; charset=utf-8")
        self.set_header("Cache-Control", "public, max-age=31536000, immutable")
        self.finish(bundle.text())


class Metrics(gate.RequestHandler):
    """`/metrics`, for Prometheus; behind the same gate as the pages."""

    def get(self) -> None:
        """All figures."""
        self.set_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
        self.finish(metrics.text())


class Worker:
    """Serves the pages of a plan in this process.

    Parameters
    ----------
    plan : what is served, and to whom
    process, board : which of the plan's processes this is, and what it knows of the others
    more : other pages by their paths, for those who measure
    """

    def __init__(
        self, plan: Plan, process: int = 0, board: Board | None = None, more: dict[str, Callable] | None = None
    ):
        self.plan, self.process = plan, process
        use(plan)
        self.board = board or Board(1)
        self.budget = budget.Server(plan.max_sessions, plan.max_memory, self.board, process)
        budget.start(self.budget)
        if plan.metrics:
            metrics.start()
        self._secret = plan.session_secret.encode()
        self.tornado = self._application(more or {})
        self.http = CarefulServer(
            self.tornado, one_address=plan.behind_proxy, xheaders=plan.behind_proxy, max_header_size=LARGEST_HEAD,
            idle_connection_timeout=IDLE, max_body_size=LARGEST_BODY, body_timeout=BODY_TIME,
        )  # fmt: skip
        self._server = BaseServer(IOLoop.current(), self.tornado, self.http)
        self._share = Share(plan.max_memory // plan.processes, self.budget.memory, self._all_sessions, self._tidy)
        self._handed = 0  # connections, by the supervisor
        self._memory = memory.Memory()
        self._ending: set[asyncio.Task] = set()
        self._documents: weakref.WeakSet = weakref.WeakSet()
        pn.state.on_session_created(lambda context: self._documents.add(inside.document_of(context)))

    def _application(self, more):
        plan = self.plan
        silence(EMPTY_LAYOUT, True)
        # A browser that makes a model sends its whole definition with each change that mentions it; Bokeh takes the
        # model that it knows by then, which is the same, and warns.
        warnings.filterwarnings("ignore", "reference already known", BokehUserWarning)
        bundle.offered = True
        patterns = [
            ("/health", Health), ("/login", gate.LoginHandler),
            (preview.ADDRESS, preview.Preview, {"pictures": preview.Pictures(preview.make)}),
            (bundle.address()[1:], ControlScripts), *get_static_routes({}),
        ]  # fmt: skip
        if plan.metrics:
            patterns.append(("/metrics", Metrics))
        access = Access(plan)

        def page():
            # Asked with each page: patches are put on after the application was made.
            later = pages_built_after.PATCH.on
            return make_page(plan.dataset, later=later, framed_by=plan.embed, origins=plan.origins)

        pages = {"/": page, **more}
        if plan.rooms:
            pages |= {STUDENTS: classroom.make_student_page, TEACHER: classroom.make_teacher_page}
        return gate.GatedTornado(
            build_applications(pages, title="Trustscope"),
            plan=plan,
            access=access,
            doors=Doors(plan, shared(plan.rooms), access.room_tries) if plan.rooms else None,
            refusal=lambda address: self.budget.refusal(self.sessions, address, self._end_unconnected),
            new_session_id=self._new_session_id,
            socket_class=Socket,
            look_at_memory=self.look_at_memory,
            websocket_max_message_size_bytes=LARGEST_PART,
            extra_patterns=patterns,
            extra_websocket_origins=list(plan.hosts),
            use_index=False,
            ico_path=DIST_DIR / "images" / "favicon.ico",
            secret_key=self._secret,
            sign_sessions=True,
            generate_session_ids=False,
            session_token_expiration=TOKEN_LIFETIME,
            # The token stands in the page: of what came with the request it holds nothing but the address's query, and
            # what tells the browser from others.
            include_headers=["Host", "Accept-Language", gate.BROWSER, PLACE],
            include_cookies=[],
            keep_alive_milliseconds=0,
            check_unused_sessions_milliseconds=CHECK * 1000,
            unused_session_lifetime_milliseconds=LINGER * 1000,
            transforms=[securing(plan)],
        )

    def look_at_memory(self) -> None:
        """See to it that this process keeps to its share."""
        self._share.check()

    def sessions(self) -> int:
        """How many sessions this process has, without those that are just being ended to make room."""
        return sum(len(context.sessions) for context in self.tornado.applications.values()) - len(self._ending)

    def _new_session_id(self, address):
        made = homes.new_session_id(self._secret, self.process, self.plan.processes)
        self.budget.unconnected.add(made, address)
        return made

    def _end_unconnected(self, name):
        """End a session that no browser has connected to; False if there is none."""
        for context in self.tornado.applications.values():
            for session in context.sessions:
                if session.id == name and not session.connection_count:
                    task = asyncio.ensure_future(inside.end(context, session))
                    self._ending.add(task)
                    task.add_done_callback(self._ended)
                    return True
        return False

    def _ended(self, task):
        self._ending.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.report_error(error, "ending a page that nobody came for")

    def _all_sessions(self):
        return [session for context in self.tornado.applications.values() for session in context.sessions]

    def _tidy(self):
        """Somebody was closed: their session goes now, and not when it would have been looked for."""

        async def clean():
            for context in self.tornado.applications.values():
                await context._cleanup_sessions(LINGER * 1000)
            memory.return_memory()

        self._tidying = asyncio.ensure_future(clean())

    async def run(
        self, sockets=(), channel: socket.socket | None = None, ready=lambda: None, stop: asyncio.Event | None = None
    ) -> None:
        """Serve until a signal comes, `stop` is set, or the supervisor at the other end of the channel has gone."""
        loop = asyncio.get_running_loop()
        ignore_closed_sockets(loop)
        stop = stop or asyncio.Event()
        # A terminal's Ctrl-C reaches every process; with a supervisor, that one decides.
        for number in (signal.SIGTERM, *([] if channel else [signal.SIGINT])):
            with contextlib.suppress(NotImplementedError):  # Windows
                loop.add_signal_handler(number, stop.set)
        self._server.start()
        arrivals = Arrivals(self._arrived, self.plan.behind_proxy)
        if sys.platform == "win32":  # whose loops look at sockets in a way of their own; nobody else is served there
            self.http.add_sockets(sockets)
        else:
            arrivals.listen(list(sockets))
        if channel is not None:
            channel.setblocking(False)
            loop.add_reader(channel, self._connection, channel, stop)
        watch = asyncio.ensure_future(self._watch())
        self._beat(loop)
        ready()
        await stop.wait()
        watch.cancel()
        arrivals.stop()
        await self._stop(loop, channel)

    async def _arrived(self, connection, head):
        self._take(connection)

    def _take(self, connection):
        """Serve a connection whose first request is there."""
        try:
            self.http.handle_stream(IOStream(connection), connection.getpeername())
        except OSError:  # whoever it was has hung up meanwhile
            connection.close()

    def _beat(self, loop):
        """Show that the loop turns."""
        self.board.write(self.process, "beat", self.board.read(self.process, "beat") + 1)
        loop.call_later(BEAT, self._beat, loop)

    def _connection(self, channel, stop):
        """Take a connection that the supervisor has handed over."""
        try:
            message, descriptors, _, _ = socket.recv_fds(channel, 1, 1)
        except BlockingIOError:
            return
        except OSError:
            message, descriptors = b"", []
        if not message:
            stop.set()
            return
        # Counted and acknowledged by messages: where this process can open no more files, none comes with one. The
        # supervisor counts what it sends, and closes what was acknowledged.
        self._handed += 1
        recalled = self._handed <= self.board.read(self.process, "recalled")
        try:
            for descriptor in descriptors:
                connection = socket.socket(fileno=descriptor)
                connection.setblocking(False)
                if recalled:
                    connection.close()  # another serves it: this process was silent for a while
                else:
                    self._take(connection)
        finally:
            with contextlib.suppress(OSError):
                channel.send(b"t")

    async def _watch(self):
        """Keep the numbers that others see, look after connections, and give memory back when visitors have gone.

        Tornado's own pings would not do: after the loop was held up for longer than their time they close connections
        whose answers have come but were not read yet.
        """
        loop = asyncio.get_running_loop()
        listening, due = loop.time(), loop.time()
        while True:
            if loop.time() - due > LATE:
                listening = loop.time()
            due = loop.time() + CHECK
            try:
                self._ask_the_silent(may_close=loop.time() - listening > PING)
                self._note(loop.time())
            except Exception as error:  # whatever fails once: silent visitors and memory are looked after all the same
                log.report_error(error, "looking after visitors")
            await asyncio.sleep(CHECK)

    def _note(self, now):
        sessions = self.sessions()
        metrics.state(sessions, self.budget.note(sessions), len(self._documents))
        names = {session.id for session in self._all_sessions()}
        self.budget.unconnected.keep(names)
        self._memory.check(names, len(self._documents), now)
        self.look_at_memory()

    def _ask_the_silent(self, may_close):
        """In a function of its own, which forgets the last connection: held until the next visitor comes, a connection
        that ended in the middle of a message would hold its whole page."""
        for socket_of_page in inside.sockets(self.tornado):
            socket_of_page.check(PING, may_close)

    async def _stop(self, loop, channel):
        self.budget.stopping = True
        if channel is not None:
            loop.remove_reader(channel)
        self.http.stop()
        await stopping.say_goodbye(self.tornado)
        self._server.stop()
        await self.http.close_all_connections()


def serve_alone(plan: Plan, sockets: list[socket.socket], show: bool = False, window: bool = False) -> int:
    """Serve in this process until a signal comes, or until the window of its own is closed; the exit code."""
    if show:
        from bokeh.util.browser import view

        threading.Timer(0.1, view, [plan.link]).start()
    with contextlib.suppress(KeyboardInterrupt):  # where signals cannot be handled by the loop: Windows
        asyncio.run(_alone(plan, sockets, window))
    remove(plan.rooms)  # here, because leaving may not return
    end_children()
    scratch.end()
    return _leave()


async def _alone(plan, sockets, window):
    worker = Worker(plan)
    prepare()
    stop = asyncio.Event()
    shown = asyncio.ensure_future(_window(plan.link, stop, worker.sessions)) if window else None
    await worker.run(sockets, stop=stop)
    if shown is not None:
        shown.cancel()
        await asyncio.gather(shown, return_exceptions=True)


async def _window(link, stop, visitors):
    from trustscope.app.desktop import choice, folder, show

    await show.show(choice.windows(link, folder.settings_folder()), link, stop, visitors)


def prepare():
    """What holds for the whole process."""
    process.prepare()
    memory.return_memory()


def _leave() -> int:
    """End; a thread that still computes must not keep the process."""
    print("Trustscope has stopped.", flush=True)
    logging.shutdown()
    if any(not t.daemon and t is not threading.main_thread() for t in threading.enumerate()):
        sys.stdout.flush()
        os._exit(0)
    return 0


def main() -> int:
    """A process of several; the supervisor starts `python -m trustscope.app.serving CHANNEL BOARD NUMBER`."""
    pn.config.autoreload = False
    channel = socket.socket(fileno=int(sys.argv[1]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with channel.makefile("r", encoding="utf-8", buffering=1) as lines:
        plan = Plan.from_json(lines.readline())
    board = Board(plan.processes, int(sys.argv[2]))
    process = int(sys.argv[3])
    log.configure(plan.log_level, plan.log_file)
    asyncio.run(_one_of_several(plan, process, board, channel))
    end_children()
    logging.shutdown()
    os._exit(0)


async def _one_of_several(plan, process, board, channel):
    worker = Worker(plan, process, board)
    prepare()
    await worker.run(channel=channel, ready=lambda: board.write(process, "ready", 1))
