"""Small pages to serve, in processes of their own: `python -m tests.serving.pages NAME PORT`."""

import asyncio
import sys

import panel as pn

from trustscope.app.serving import leaving, log


def busy():
    """Sends much, without end, and says when the visitor has left."""
    text = pn.pane.HTML("0")
    going = [True]

    async def send():
        number = 0
        while going[0]:
            number += 1
            text.object = f"{number} " + "x" * 300_000
            await asyncio.sleep(0.005)

    def left():
        going[0] = False
        print(f"left {log.session_name()}", flush=True)

    leaving.on_last_connection_lost(log.carry(left))
    pn.state.on_session_destroyed(lambda context: print("destroyed", flush=True))
    pn.state.onload(send)
    return pn.Column(text)


def serve(page, port):
    log.configure("info")
    soon = dict(check_unused_sessions_milliseconds=500, unused_session_lifetime_milliseconds=4000)
    server = pn.serve({"/": page}, port=port, address="127.0.0.1", show=False, verbose=False, start=False, **soon)
    leaving.ignore_closed_sockets(server.io_loop.asyncio_loop)
    server.start()
    print("ready", flush=True)
    server.io_loop.start()


if __name__ == "__main__":
    serve(globals()[sys.argv[1]], int(sys.argv[2]))
