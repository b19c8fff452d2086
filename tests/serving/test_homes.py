"""Tokens of sessions: which process they lead to, and that nothing is unpacked which this server did not make."""

import base64
import json
import zlib

import pytest
from bokeh.util import token as bokeh_token
from bokeh.util.token import generate_jwt_token

from trustscope.app.serving import homes

SECRET = b"of this start"


def body(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def packed(size):
    inner = zlib.compress(b'{"headers": "' + b"x" * size + b'"}')
    return body(json.dumps({"session_id": "x.y", "__bk__zlib_": body(inner)}).encode())


def test_a_token_of_ones_own_is_read():
    session = homes.new_session_id(SECRET, 1, 3)
    token = generate_jwt_token(session, secret_key=SECRET, signed=True, extra_payload={"headers": {"Host": "here"}})
    assert homes.read_token(token, SECRET)["headers"] == {"Host": "here"}
    assert homes.read_token(token, b"of another start") is None
    assert homes.home_of_request(head(token), 3) == 1


@pytest.mark.parametrize("signature", ["", ".", ".AAAA", ".\u00e9"])
def test_what_is_packed_in_anothers_token_is_not_unpacked(monkeypatch, signature):
    monkeypatch.setattr(bokeh_token.zlib, "decompress", lambda data: pytest.fail("it was unpacked"))
    assert homes.read_token(packed(1000) + signature, SECRET) is None


def head(token):
    return f"GET /ws HTTP/1.1\r\nSec-WebSocket-Protocol: bokeh, {token}\r\n\r\n".encode()


@pytest.mark.parametrize("content", [b"[" * 12_000, b"{}", b"3", b"\xff", b'{"session_id": 3}'])
def test_what_is_no_token_leads_nowhere(content):
    assert homes.read_token(body(content) + ".AAAA", SECRET) is None
    assert homes.home_of_request(head(body(content)), 3) is None
