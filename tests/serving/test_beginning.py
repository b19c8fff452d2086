"""Pages that are built beside the loop: others are served meanwhile, and whoever fetches a page gets what stands."""

import asyncio
import json

import pytest

from tests.serving.visitors import connect, fetch, hang_up, receive, serving_pages, token_in


@pytest.fixture(scope="module")
def server():
    with serving_pages("begun") as one:
        yield one


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


def test_others_are_served_while_a_page_is_built(server):
    fetch(f"{server.address}/hold")
    page = fetch(f"{server.address}/begun")[2]
    assert "trustscope-page" in server.wait_for("building in")
    assert fetch(f"{server.address}/health")[2] == b"ok"
    assert not said(server, "built")
    fetch(f"{server.address}/go")
    assert "This was built." in fetched(server, "begun", token_in(page))


def test_a_page_is_written_once_before_it_is_fetched(server):
    fetch(f"{server.address}/go")
    before, built = said(server, "written"), said(server, "built")
    page = fetch(f"{server.address}/begun")[2]
    server.wait_for("built", built + 1)
    server.wait_for("written", before + 1)
    assert "This was built." in fetched(server, "begun", token_in(page))
    assert said(server, "written") == before + 1


def test_what_changed_since_it_was_written_is_not_lost(server):
    fetch(f"{server.address}/go")
    before = said(server, "written")
    page = fetch(f"{server.address}/changed")[2]
    server.wait_for("written", before + 1)
    fetch(f"{server.address}/change")
    server.wait_for("changed")
    told = fetched(server, "changed", token_in(page))
    assert "This was built." in told
    assert "This came later." in told
    assert said(server, "written") == before + 2


@pytest.mark.parametrize("path", ["failing", "sooner"])
def test_a_page_that_cannot_be_built_says_so(server, path):
    page = fetch(f"{server.address}/{path}")[2]
    assert "It failed: division by zero." in fetched(server, path, token_in(page))
