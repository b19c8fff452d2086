"""What is sent over a websocket: messages without end, more than memory holds, and errors that tell too much."""

import asyncio
import contextlib
import json

from tornado.websocket import WebSocketClosedError

from benchmarks.visitors import Gone, Visitor
from tests.harden.ground import Asking, Report, attacked, memory
from tests.serving.visitors import TIMEOUT, connect, fetch, hung_up, receive, token_in
from tests.soak.people import Person

PIECE = 4_000_000
PIECES = 200
LARGE = 1_000_000


async def page(server):
    """An open page, as a visitor without a browser has it."""
    connection = await connect(server.address, token_in((await asyncio.to_thread(fetch, server.address))[2]))
    await receive(connection)
    return connection


async def drip(connection, pieces=PIECES, size=PIECE):
    """Begin a message of a million pieces, and send some; how many were taken before the connection was closed."""
    header = {"msgid": "1", "msgtype": "PATCH-DOC", "num_buffers": 1_000_000}
    for part in (json.dumps(header), "{}", '{"events": []}'):
        await connection.write_message(part)
    piece = b"x" * size
    for number in range(pieces):
        try:
            await connection.write_message(json.dumps({"id": f"b{number}"}))
            await asyncio.wait_for(connection.write_message(piece, binary=True), TIMEOUT)
        except Exception:  # closed by the server, in whichever way the client notices
            return number
    return pieces


async def ending(end, patience=20):
    """The code and the sentence with which a connection was closed; nothing where it was not."""
    try:
        return await asyncio.wait_for(end, patience)
    except TimeoutError:
        return None, ""


def unfinished_messages(report: Report) -> None:
    """A message of a million pieces, each of 4 MB."""
    with attacked("serve") as server:

        async def story():
            one, another = await page(server), await page(server)
            before = memory(server)
            with Asking(server.port) as asking:
                taken = await drip(one)
                code, reason = await ending(hung_up(one))
            grown = memory(server) - before
            report.say(f"closed after {taken} pieces with {code} “{reason}”; memory grew by {grown} MB; {asking}")
            report.hold(taken < 100 and code == 1009, "an unfinished message is limited")
            report.hold(grown < 150, "memory does not grow with what is sent")
            report.hold(await is_served(another), "another visitor is served as before")
            another.close()

        asyncio.run(story())


def largest_visitor(report: Report) -> None:
    """A file that comes without its end, in a process that has little memory beyond what it needs itself."""
    with attacked("serve", "--max-memory", "450") as server:

        async def story():
            another = await page(server)
            one = Visitor(f"{server.address}/", "?page=trust")
            await one.open()
            await Person(one.address, 0).unfold(one)
            dropper = one.find("Dropper")
            before, highest, sent = memory(server), 0, 0
            with contextlib.suppress(Gone, WebSocketClosedError):
                while sent < PIECES:
                    await one.send_piece(dropper, "a.csv", b"x" * LARGE, first=sent == 0, last=False)
                    await one.barrier()
                    sent += 1
                    highest = max(highest, memory(server))
            await asyncio.sleep(1)
            code, reason = one.socket.close_code, one.socket.close_reason or ""
            after = await fallen(server, highest - 100)
            report.say(
                f"{sent} pieces of {LARGE} bytes; memory {before} MB before, {highest} MB at most, {after} MB after"
            )
            report.say(f"closed with {code} “{reason}”")
            report.hold(code == 1013 and "used the most" in reason, "the largest visitor is closed with a sentence")
            report.hold(highest < 550, "memory stays near what it may be")
            report.hold(after < highest - 100, "what the visitor used is given back")
            report.hold(await is_served(another), "another visitor is served as before")
            another.close()

        asyncio.run(story())


async def fallen(server, least, patience=20):
    """The memory of a server, when it has fallen below this or patience is over."""
    for _ in range(patience):
        if memory(server) < least:
            break
        await asyncio.sleep(1)
    return memory(server)


async def ask(connection, kind):
    """Ask for something that needs nothing else."""
    for part in (json.dumps({"msgid": "2", "msgtype": kind}), "{}", "{}"):
        await connection.write_message(part)


async def is_served(connection) -> bool:
    """Whether a visitor gets an answer."""
    await ask(connection, "SERVER-INFO-REQ")
    try:
        while (message := await receive(connection))[0] != "SERVER-INFO-REPLY":
            pass
    except (TimeoutError, TypeError):  # nothing came, or it is closed
        return False
    return message[0] == "SERVER-INFO-REPLY"


def errors(report: Report) -> None:
    """Messages that fail, of which the answer must not tell what is inside."""
    with attacked("serve") as server:

        async def story():
            said = []
            for kind, content in (
                (
                    "PATCH-DOC",
                    '{"events": [{"kind": "ModelChanged", "model": {"id": "none"}, "attr": "inner_width", "new": 1}]}',
                ),
                ("PATCH-DOC", '{"events": [{"kind": "nothing"}]}'),
                ("PATCH-DOC", "[" * 5000),
                ("PUSH-DOC", '{"doc": {"version": "3.9.2", "title": "", "roots": []}}'),
                ("NOTHING", "{}"),
            ):
                connection = await page(server)
                for part in (json.dumps({"msgid": "1", "msgtype": kind}), "{}", content):
                    await connection.write_message(part)
                await ask(connection, "SERVER-INFO-REQ")
                heard = []
                while (text := await asyncio.wait_for(connection.read_message(), TIMEOUT)) is not None:
                    heard.append(str(text))
                    if "SERVER-INFO-REPLY" in str(text):
                        break
                said.append(" ".join([*heard, str(connection.close_code), str(connection.close_reason)]))
                connection.close()
            for what in said:
                report.say(what[:200])
            for word in ("Traceback", "site-packages", "/usr", ".py", "Error(", "bokeh."):
                report.hold(not any(word in what for what in said), f"no answer holds “{word}”")

        asyncio.run(story())
