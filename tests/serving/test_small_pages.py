"""Small pages on one server: built beside the loop, left by visitors, and what is set for a process that serves.

Whoever fetches a page gets what stands. Of a visitor who leaves the work ends at once and the session later, and the
log stays free of tracebacks. Matrices stay on one core each, and Panel does nothing in vain.
"""

import asyncio
import json
import os

import pytest

from tests.app.patches import needs
from tests.serving.visitors import connect, fetch, hang_up, receive, serving_pages, token_in
from trustscope.app.compat import pages_built_after

BUILT_AFTER = needs(pages_built_after.PATCH)


@pytest.fixture(scope="module")
def server():
    """The pages; without what is set for a process that serves, matrices would be on two cores."""
    with serving_pages(env={**os.environ, "OPENBLAS_NUM_THREADS": "2"}) as one:
        yield one


def test_matrices_stay_on_one_core(server):
    fetch(f"{server.address}/prepared")
    assert server.wait_for("threads of matrices").endswith("threads of matrices: [1]")


# --- visitors who leave -----------------------------------------------------------------------------------------------


def visit(server, leave):
    """Open the page, receive some of what it sends, and leave in the given way."""

    async def visitor():
        connection = await connect(
            f"{server.address}/busy", token_in(fetch(f"{server.address}/busy")[2]), {"Origin": server.address}
        )
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


def test_work_ends_when_the_last_connection_goes_by_closing_the_tab_or_by_vanishing(server):
    for number, leave in enumerate((close_tab, vanish), start=1):
        visit(server, leave)
        _, name, *when = server.wait_for("left", count=number).split()
        assert len(name) == 4
        assert " ".join(when) == "with its session there"  # not only when that is cleared away
        server.wait_for("a job was told that nobody waits", count=number)
    server.wait_for("destroyed", count=2)
    # Bokeh clears the session away later, and reporting it then as well would end work that nobody started.
    assert len([line for line in server.lines if line.startswith("left")]) == 2
    assert "shown to nobody" not in server.said
    assert "Traceback" not in server.said
    assert "Error" not in server.said


# --- pages that are built beside the loop -----------------------------------------------------------------------------


def said(server, text):
    return sum(line is not None and text in line for line in server.lines)


def fetched(server, path, token):
    """The document as a browser gets it, as text."""

    async def visitor():
        connection = await connect(f"{server.address}/{path}", token, {"Origin": server.address})
        assert (await receive(connection))[0] == "ACK"
        for part in ('{"msgid": "1", "msgtype": "PULL-DOC-REQ"}', "{}", "{}"):
            await connection.write_message(part)
        kind, content = await receive(connection)
        assert kind == "PULL-DOC-REPLY"
        await hang_up(connection)
        return json.dumps(content)

    return asyncio.run(visitor())


@BUILT_AFTER
def test_others_are_served_while_a_page_is_built(server):
    fetch(f"{server.address}/hold")
    page = fetch(f"{server.address}/begun")[2]
    assert "trustscope-page" in server.wait_for("building in")
    assert fetch(f"{server.address}/health")[2] == b"ok"
    assert not said(server, "built")
    fetch(f"{server.address}/go")
    assert "This was built." in fetched(server, "begun", token_in(page))


@BUILT_AFTER
def test_the_apps_own_pages_are_built_beside_the_loop(server):
    """On the loop, everybody would wait for everybody who opens a page."""
    fetch(f"{server.address}/?page=learn")
    assert "in trustscope-page" in server.wait_for("a page of the app is built")


@BUILT_AFTER
def test_a_page_is_written_once_before_it_is_fetched(server):
    fetch(f"{server.address}/go")
    before, built = said(server, "written /begun"), said(server, "built")
    page = fetch(f"{server.address}/begun")[2]
    server.wait_for("built", built + 1)
    server.wait_for("written /begun", before + 1)
    assert "This was built." in fetched(server, "begun", token_in(page))
    assert said(server, "written /begun") == before + 1


@BUILT_AFTER
def test_what_changed_since_it_was_written_is_not_lost(server):
    fetch(f"{server.address}/go")
    before = said(server, "written /changed")
    page = fetch(f"{server.address}/changed")[2]
    server.wait_for("written /changed", before + 1)
    fetch(f"{server.address}/change")
    server.wait_for("changed")
    told = fetched(server, "changed", token_in(page))
    assert "This was built." in told
    assert "This came later." in told
    assert said(server, "written /changed") == before + 2


@BUILT_AFTER
@pytest.mark.parametrize("path", ["failing", "sooner"])
def test_a_page_that_cannot_be_built_says_so(server, path):
    page = fetch(f"{server.address}/{path}")[2]
    assert "It failed: division by zero." in fetched(server, path, token_in(page))
