"""Sessions stay with their process: the identifier of a session says which process it lives in.

A page and its websocket come over different connections. Each process gives its sessions identifiers that only it
gives, and whoever gets a websocket's connection can tell from the token which process it belongs to, without a table.
"""

import re
import zlib
from typing import Any

from bokeh.util.token import check_token_signature, generate_session_id, get_session_id, get_token_payload

_TOKEN = rb"\r\nsec-websocket-protocol:[ \t]*bokeh,[ \t]*([A-Za-z0-9_.-]{1,16384})[ \t]*\r\n"
_PROTOCOL = re.compile(_TOKEN, re.IGNORECASE)


def home(session_id: str, processes: int) -> int:
    """The number of the process in which a session lives."""
    return zlib.crc32(session_id.encode()) % processes


def new_session_id(secret: bytes, process: int, processes: int) -> str:
    """A signed identifier of a session of this process; it takes as many tries as there are processes, on average."""
    while True:
        found = generate_session_id(secret_key=secret, signed=True)
        if home(found, processes) == process:
            return found


def read_token(token: str, secret: bytes | None) -> dict[str, Any] | None:
    """What the token of a session holds; None where it was not made with this secret.

    The signature is looked at first: what stands in a token is packed, and anybody could send one that unfolds to a
    thousand times its size.
    """
    try:
        return get_token_payload(token) if check_token_signature(token, secret_key=secret, signed=True) else None
    except Exception:  # anything may be sent as a token
        return None


def home_of_request(head: bytes, processes: int) -> int | None:
    """The process that the head of an HTTP request is for; None if any will do."""
    found = _PROTOCOL.search(head)
    if found is None:
        return None
    try:
        return home(get_session_id(found.group(1).decode()), processes)
    except (ValueError, KeyError, TypeError, AttributeError, AssertionError, RecursionError):
        return None  # no token of ours: any process will refuse it
