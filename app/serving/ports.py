"""Opening the port, and saying in one sentence why it cannot be opened."""

import errno
import socket

from trustscope.app.serving.plan import PlanProblem

BACKLOG = 512  # connections that may wait while a page is being built


def bind(address: str, port: int) -> list[socket.socket]:
    """Listening sockets on the address, one for each of its kinds (IPv4, IPv6).

    They are opened before anything slow is imported: whoever comes meanwhile waits instead of being refused.
    """
    if not 0 < port < 65536:
        raise PlanProblem(f"port {port} does not exist; choose one from 1 to 65535.")
    try:
        found = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise PlanProblem(_not_here(address)) from None
    sockets = []
    try:
        for family, kind, protocol, _, where in dict.fromkeys(found):
            sockets.append(_listening(family, kind, protocol, where))
    except OSError as error:
        for one in sockets:
            one.close()
        raise PlanProblem(_sentence(error, address, port)) from None
    return sockets


def _listening(family, kind, protocol, where):
    opened = socket.socket(family, kind, protocol)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        opened.setblocking(False)
        opened.bind(where)
        opened.listen(BACKLOG)
    except OSError:
        opened.close()
        raise
    return opened


def _sentence(error: OSError, address: str, port: int) -> str:
    if isinstance(error, PermissionError):
        return f"port {port} is reserved for the system; choose one above 1023."
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is taken by {owner(port)}; stop it, or try --port {port + 1}."
    return _not_here(address)


def _not_here(address):
    return f"{address!r} is not an address of this machine; 127.0.0.1 always is."


def owner(port: int) -> str:
    """The program that listens on a port, as far as this user may know it."""
    import psutil

    try:
        for connection in psutil.net_connections(kind="tcp"):
            if connection.status == psutil.CONN_LISTEN and connection.laddr.port == port and connection.pid:
                process = psutil.Process(connection.pid)
                name = "another Trustscope" if _is_trustscope(process) else process.name()
                return f"{name} (process {connection.pid})"
    except (psutil.Error, OSError):  # other users' processes are not shown on every system
        pass
    return "another program"


def _is_trustscope(process) -> bool:
    return any("trustscope" in part.rsplit("/", 1)[-1] for part in process.cmdline()[:4])
