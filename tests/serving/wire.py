"""A wire between a browser and a server, which can be cut and mended."""

import contextlib
import socket
import threading


class Wire:
    """Passes bytes on between its own port and another one of this machine.

    Parameters
    ----------
    target : the port of the server
    port : its own port; it stays the same when the wire is mended
    """

    def __init__(self, target: int, port: int):
        self._target, self.port = target, port
        self._ends: set[socket.socket] = set()
        self._lock = threading.Lock()
        self.mend()

    def mend(self) -> None:
        """Take connections, from now on."""
        self._listening = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._accept, args=[self._listening], daemon=True).start()

    def cut(self) -> None:
        """End all connections without a word, and take no others."""
        with self._lock:
            _end(self._listening)
            for end in self._ends:
                _end(end)
            self._ends.clear()

    def _accept(self, listening):
        while True:
            try:
                here, _ = listening.accept()
            except OSError:
                return
            try:
                there = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                here.close()
                continue
            with self._lock:
                self._ends |= {here, there}
            for one, other in ((here, there), (there, here)):
                threading.Thread(target=_pump, args=[one, other], daemon=True).start()


def _pump(one, other):
    with contextlib.suppress(OSError):
        while piece := one.recv(65536):
            other.sendall(piece)
    _end(other)


def _end(end):
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
