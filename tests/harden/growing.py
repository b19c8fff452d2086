"""What is small when it is sent and large when it is read: messages, tokens, links; and tries that are hung up."""

import asyncio
import base64
import gzip
import json
import socket
import threading
import time
import zlib

from tests.harden.ground import Asking, Report, attacked, memory, send
from tests.harden.messages import ending, is_served, page
from tests.serving.visitors import fetch, hung_up, knock

UNFOLDED = 400_000_000  # bytes that a packed message or token asks for
TRIES = 2_000
SECRET = "correct-horse-battery"


def growing_messages(report: Report) -> None:
    """Messages of a few hundred kilobytes that would be gigabytes when they are read."""
    packed = base64.b64encode(gzip.compress(bytes(UNFOLDED))).decode()
    wide = {"type": "ndarray", "array": ["a"] * 1_000, "shape": [1_000], "dtype": "U1000000", "order": "little"}
    sent = {
        "packed bytes": json.dumps({"type": "bytes", "data": packed}),
        "a wide table": json.dumps(wide),
        "a set of equal digests": json.dumps({"type": "set", "entries": [n * (2**61 - 1) for n in range(1, 30_000)]}),
        "a million lists": "[" + "[]," * 1_000_000 + "[]]",
        "thousands of changes": '1}, {"kind": "ModelChanged", "model": {"id": "p1"}, "attr": "x", "new": ' * 3_000
        + "1",
    }
    with attacked("serve") as server:

        async def story():
            another = await page(server)
            before = memory(server)
            for what, value in sent.items():
                one = await page(server)
                change = '{"kind": "ModelChanged", "model": {"id": "p1"}, "attr": "x", "new": ' + value + "}"
                event = f'{{"events": [{change}]}}'
                with Asking(server.port) as asking:
                    for part in (json.dumps({"msgid": "1", "msgtype": "PATCH-DOC"}), "{}", event):
                        await one.write_message(part)
                    code, reason = await ending(hung_up(one))
                grown = memory(server) - before
                report.say(f"{what}, {len(event)} bytes: closed with {code} “{reason}”; {grown} MB more; {asking}")
                report.hold(code in (1008, 1009), f"{what}: not read")
                report.hold(asking.longest < 1 and not asking.failures, f"{what}: nobody waits for it")
                report.hold(grown < 200, f"{what}: memory does not grow with it")
            report.hold(await is_served(another), "another visitor is served as before")
            another.close()

        asyncio.run(story())


def growing_tokens(report: Report) -> None:
    """Tokens of pages that nobody made here, each of which would unfold to a thousand times its size."""
    inner = zlib.compress(b'{"headers": "' + bytes(9_000_000).replace(b"\0", b"x") + b'"}', 9)
    token = _body(json.dumps({"session_id": "x.y", "__bk__zlib_": _body(inner)}).encode()) + ".AAAA"
    for options in ({}, {"TRUSTSCOPE_TOKEN": SECRET}):
        with attacked("serve", "--processes", "1", **options) as server:
            headers = {}
            if options:
                _, answer, _ = fetch(f"{server.address}/?token={SECRET}")
                headers["Cookie"] = answer["Set-Cookie"].partition(";")[0]
            with Asking(server.port) as asking:
                found = {knock(server.address, token, headers) for _ in range(20)}
            secret = "with a secret" if options else "without one"
            report.say(f"20 tokens of {len(token)} bytes, {secret}: answered with {sorted(found)}; {asking}")
            report.hold(found == {403}, f"{secret}: refused")
            report.hold(asking.longest < 0.5 and not asking.failures, f"{secret}: nobody waits for them")


def growing_links(report: Report) -> None:
    """Links that unfold to a hundred thousand faults, asked for as pictures and as pages."""
    faults = {"settings": {"recipients": [{f"k{n}": 0 for n in range(2_500)}] * 18}}
    columns = {"data": {"columns": [1] * 200_000}}
    with attacked("serve", "--processes", "1") as server:
        for content in (faults, columns):
            folded = zlib.compress(json.dumps(content, separators=(",", ":")).encode(), 9, -15)
            query = f"page=trust&v=1&s={base64.urlsafe_b64encode(folded).decode().rstrip('=')}"
            for path in ("/preview.png", "/"):
                with Asking(server.port) as asking:
                    begin = time.monotonic()
                    statuses = {fetch(f"{server.address}{path}?{query}")[0] for _ in range(5)}
                    taken = (time.monotonic() - begin) / 5
                report.say(f"{path} with {len(query)} bytes: {sorted(statuses)}, {taken:.2f} s each; {asking}")
                report.hold(asking.longest < 1 and not asking.failures, f"{path}: nobody waits for it")


def hung_up_tries(report: Report) -> None:
    """Wrong tokens by the thousand, each hung up at once; then somebody comes with the right one."""
    with attacked("serve", "--processes", "1", TRUSTSCOPE_TOKEN=SECRET) as server:
        request = f"GET /?token=x HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()

        def attempt():
            for _ in range(TRIES // 4):
                with socket.create_connection(("127.0.0.1", server.port), timeout=10) as one:
                    one.sendall(request)

        with Asking(server.port) as asking:
            begin = time.monotonic()
            attackers = [threading.Thread(target=attempt) for _ in range(4)]
            for one in attackers:
                one.start()
            for one in attackers:
                one.join()
            report.say(f"{TRIES} tries in {time.monotonic() - begin:.1f} s; {asking}")
            begin = time.monotonic()
            answer = send(server.port, request.replace(b"token=x", f"token={SECRET}".encode()), 30)
            taken = time.monotonic() - begin
        report.say(f"the right token after them: {answer[9:12].decode()} after {taken:.1f} s")
        report.hold(asking.longest < 1 and not asking.failures, "nobody waits for them")
        report.hold(answer[9:12] == b"303" and taken < 10, "whoever knows the secret comes in")


def _body(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")
