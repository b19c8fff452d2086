"""Connections that are lost outside of a session, and which errors of them are passed over.

`test_small_pages.py` has visitors who leave.
"""

import pytest

from trustscope.app.serving import leaving


def test_outside_of_a_session_nothing_is_lost():
    leaving.on_last_connection_lost(lambda: pytest.fail("called"))


def test_only_closed_sockets_are_passed_over():
    heard = []

    class Loop:
        def set_exception_handler(self, handler):
            self.handler = handler

        def default_exception_handler(self, context):
            heard.append(context)

    loop = Loop()
    leaving.ignore_closed_sockets(loop)
    loop.handler(loop, {"message": "left", "exception": leaving.WebSocketClosedError()})
    assert heard == []
    loop.handler(loop, {"message": "broken", "exception": ValueError("x")})
    loop.handler(loop, {"message": "slow"})
    assert [context["message"] for context in heard] == ["broken", "slow"]
