"""A visitor who leaves: their work ends at once, their session later, and the log stays free of tracebacks."""

import asyncio
import json

import pytest

from tests.serving.visitors import connect, fetch, receive, serving_pages, token_in
from trustscope.app.serving import leaving


@pytest.fixture(scope="module")
def busy():
    with serving_pages("busy") as server:
        yield server


def visit(server, leave):
    """Open the page, receive some of what it sends, and leave in the given way."""

    async def visitor():
        connection = await connect(server.address, token_in(fetch(server.address)[2]))
        assert (await receive(connection))[0] == "ACK"
        await connection.write_message('{"msgid": "1", "msgtype": "PULL-DOC-REQ"}')
        await connection.write_message("{}")
        await connection.write_message("{}")
        while (await receive(connection))[0] != "PULL-DOC-REPLY":
            pass
        event = {
            "events": [{"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": {
                "type": "event", "name": "document_ready", "values": {"type": "map"}}}]
        }  # fmt: skip
        await connection.write_message('{"msgid": "2", "msgtype": "PATCH-DOC"}')
        await connection.write_message("{}")
        await connection.write_message(json.dumps(event))
        for _ in range(5):
            await receive(connection)
        await leave(connection)

    asyncio.run(visitor())


async def close_tab(connection):
    connection.close(1001)
    while await connection.read_message() is not None:
        pass


async def vanish(connection):
    connection.protocol.stream.close()
    connection.close()  # for the client's own book-keeping: nothing is sent any more


@pytest.mark.parametrize("leave", [close_tab, vanish], ids=["closes the tab", "vanishes"])
def test_work_ends_when_the_last_connection_goes(busy, leave):
    before = len([line for line in busy.lines if line.startswith("left")])
    visit(busy, leave)
    said = busy.wait_for("left", count=before + 1)
    assert len(said.split()[1]) == 4
    busy.wait_for("destroyed", count=before + 1)
    # Bokeh clears the session away later, and reporting it then as well would end work that nobody started.
    assert len([line for line in busy.lines if line.startswith("left")]) == before + 1
    assert "Traceback" not in busy.said
    assert "Error" not in busy.said


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
