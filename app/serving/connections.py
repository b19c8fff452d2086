"""The connections of a process that are no websockets: so many of one address, so many in all, the oldest go first.

Whoever asks for a file and never reads it keeps a connection open, and a server that has no files left to open answers
nobody. Requests of people who wait for an answer are done within seconds; what is oldest among hundreds is not theirs.
"""

import contextlib
from collections.abc import Callable

from tornado.http1connection import HTTP1ServerConnection
from tornado.httpserver import HTTPServer

from trustscope.app.serving.arrivals import neighbourhood

EACH, TOGETHER = 500, 1000  # open connections of one address, and of all; a hundred browsers behind one router have 600
ENOUGH = 2**16  # files


class CarefulServer(HTTPServer):
    """Tornado's, with a limit on its connections."""

    def initialize(  # type: ignore[override]  # Tornado's own options are passed on
        self, request_callback: Callable, *, one_address: bool = False, **options
    ) -> None:
        """Tornado makes its servers in this way; `one_address`: all connections are those of a proxy."""
        super().initialize(request_callback, **options)
        self._together = min(TOGETHER, allow_files() // 2)  # the other half is for websockets and everything else
        self._each = self._together if one_address else min(EACH, self._together)
        self._whose: dict[HTTP1ServerConnection, str] = {}
        self._of: dict[str, dict[HTTP1ServerConnection, None]] = {}  # of each address, the oldest first

    def start_request(self, server_conn, request_conn):
        """A connection waits for a request; if there are too many now, another one is closed."""
        if server_conn not in self._whose:
            who = self._whose[server_conn] = neighbourhood(server_conn.context.address[0])
            self._of.setdefault(who, {})[server_conn] = None
            if len(self._of[who]) > self._each:
                self._close_oldest(who)
            elif len(self._whose) > self._together:
                self._close_oldest(max(self._of, key=lambda one: len(self._of[one])))
        return super().start_request(server_conn, request_conn)

    def on_close(self, server_conn) -> None:
        """It is closed, or has become a websocket, which `sockets` looks after."""
        super().on_close(server_conn)
        self._forget(server_conn)

    def _close_oldest(self, who):
        connection = next(iter(self._of[who]))
        self._forget(connection)
        connection.stream.close()

    def _forget(self, connection):
        who = self._whose.pop(connection, None)
        if who is not None:
            del self._of[who][connection]
            if not self._of[who]:
                del self._of[who]


def allow_files() -> int:
    """Let this process open as many files as the system allows (what is usual is older than websockets); how many."""
    try:
        import resource
    except ImportError:  # Windows, which has no such limit
        return ENOUGH
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = ENOUGH if most == resource.RLIM_INFINITY else min(most, ENOUGH)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
