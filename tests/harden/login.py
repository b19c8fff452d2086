"""A proxy in front that asks for a login, as nginx with oauth2-proxy does: what the app has to do behind one."""

import asyncio
import contextlib

from tests.harden.ground import Report, attacked
from tests.serving.visitors import connect, fetch, free_port, receive, token_in

NAME = "trust.example.org"
LOGGED_IN = b"session=alice"


async def _pump(reader, writer):
    with contextlib.suppress(OSError):
        while piece := await reader.read(65536):
            writer.write(piece)
            await writer.drain()
    writer.close()


def proxy(target: int):
    """What stands in front: asks for the login of each request, and passes it on as docs/deployment.md says."""

    async def serve(reader, writer):
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            lines = head.split(b"\r\n")[:-2]
            if not any(line.lower().startswith(b"cookie:") and LOGGED_IN in line for line in lines):
                writer.write(
                    b"HTTP/1.1 302 Found\r\nLocation: /oauth2/start\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                )
                writer.close()
                return
            upgrade = any(line.lower().startswith(b"upgrade:") for line in lines)
            left_out = (b"host:", b"x-real-ip:", b"x-forwarded-proto:", *(() if upgrade else (b"connection:",)))
            kept = [lines[0], *(line for line in lines[1:] if not line.lower().startswith(left_out))]
            kept += [f"Host: {NAME}".encode(), b"X-Real-IP: 10.1.2.3", b"X-Forwarded-Proto: https"]
            kept += [] if upgrade else [b"Connection: close"]
            there, here = await asyncio.open_connection("127.0.0.1", target)
            here.write(b"\r\n".join(kept) + b"\r\n\r\n")
            await asyncio.gather(_pump(reader, here), _pump(there, writer))

    return serve


def behind_a_login(report: Report) -> None:
    """The app behind a proxy that lets in whoever has logged in."""
    with attacked("serve", "--origin", NAME, "--behind-proxy", "--processes", "2") as server:

        async def story():
            port = free_port()
            front = await asyncio.start_server(proxy(server.port), "127.0.0.1", port)
            address, cookie = f"http://127.0.0.1:{port}", {"Cookie": LOGGED_IN.decode() + "; other=" + "x" * 4000}
            async with front:
                for path in ("/", "/static/js/bokeh.min.js", "/ws"):
                    status = (await asyncio.to_thread(fetch, address + path))[0]
                    report.hold(status == 302, f"{path} without a login leads to it ({status})")
                status, _, page = await asyncio.to_thread(fetch, address, cookie)
                report.hold(status == 200, f"with a login the page opens ({status})")
                connection = await connect(address, token_in(page), {**cookie, "Origin": f"https://{NAME}"})
                kind, _ = await receive(connection)
                report.hold(kind == "ACK", f"and its websocket finds its session ({kind})")
                connection.close()
                status = (await asyncio.to_thread(fetch, server.address, {"Host": "evil.example"}))[0]
                report.hold(status == 421, f"under another name nobody is answered ({status})")

        asyncio.run(story())
