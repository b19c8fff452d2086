"""What is sent over a websocket: messages without end, more than memory holds, and errors that tell too much."""

import asyncio
import itertools
import json
import re

from tests.harden.ground import Asking, Report, attacked, memory
from tests.serving.visitors import TIMEOUT, connect, fetch, hung_up, receive, token_in

PIECE = 4_000_000
PIECES = 200
LARGE = 3_500_000


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
    """Texts of 3.5 MB put into every part of one's own page, in a process that may have 500 MB."""
    with attacked("serve", "--max-memory", "500") as server:

        async def story():
            one, another = await page(server), await page(server)
            parts = await parts_of(one)
            end = asyncio.ensure_future(hung_up(one))
            before, highest, sent = memory(server), 0, 0
            for part, attribute in itertools.product(parts, ("name", "tags")):
                text = "x" * LARGE
                new = [text] if attribute == "tags" else text
                event = {"kind": "ModelChanged", "model": {"id": part}, "attr": attribute, "new": new}
                try:
                    await _patch(one, [event], sent)
                except Exception:  # closed by the server, in whichever way the client notices
                    break
                sent += 1
                highest = max(highest, memory(server))
                if end.done():
                    break
            code, reason = await ending(end)
            after = await fallen(server, before + 100)
            report.say(
                f"{sent} texts of {LARGE} bytes; memory {before} MB before, {highest} MB at most, {after} MB after"
            )
            report.say(f"closed with {code} “{reason}”")
            report.hold(code == 1013 and "used the most" in reason, "the largest visitor is closed with a sentence")
            report.hold(highest < 700, "memory stays near what it may be")
            report.hold(after < before + 100, "what the visitor used is given back")
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


async def parts_of(connection):
    """The parts of a page, by which its browser would name them."""
    await ask(connection, "PULL-DOC-REQ")
    while (message := await receive(connection))[0] != "PULL-DOC-REPLY":
        pass
    return sorted(set(re.findall(r'"id": ?"(p\d+)"', json.dumps(message[1]))))


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
                ("PATCH-DOC", '{"events": [{"kind": "ModelChanged", "model": {"id": "none"}, "attr": "x", "new": 1}]}'),
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


async def _patch(connection, events, number):
    for part in (json.dumps({"msgid": str(number), "msgtype": "PATCH-DOC"}), "{}", json.dumps({"events": events})):
        await asyncio.wait_for(connection.write_message(part), TIMEOUT)
