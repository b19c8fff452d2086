"""Small pages to serve, as the app's own are served, in a process of their own: `python -m tests.serving.pages PORT`.

Whoever has left is forgotten sooner than the app forgets.
"""

import asyncio
import sys
import threading

import numpy  # noqa: F401 - its matrices are counted, and so are scipy's
import panel as pn
import scipy.linalg  # noqa: F401
import threadpoolctl
from bokeh.document import Document

from trustscope.app.jobs import Job
from trustscope.app.page import Frame
from trustscope.app.serving import leaving, log, ports, prebuilt, worker
from trustscope.app.serving.plan import Plan
from trustscope.app.work import TaskSlot


def busy():
    """Sends much, without end, and says when the visitor has left, and whether the session is there then."""
    text, context = pn.pane.HTML("0"), pn.state.curdoc.session_context
    going = [True]

    async def send():
        number = 0
        while going[0]:
            number += 1
            text.object = f"{number} " + "x" * 300_000
            await asyncio.sleep(0.005)

    def left():
        going[0] = False
        there = context.session is not None and not context.session.destroyed
        print(f"left {log.session_name()} {'with its session there' if there else 'too late'}", flush=True)

    def work(run):
        run.stopping.wait()
        print("a job was told that nobody waits", flush=True)

    job = Job(print)
    pn.state.onload(lambda: job.start(work, lambda run, result: print("shown to nobody", flush=True)))
    leaving.on_last_connection_lost(log.carry(left))
    pn.state.on_session_destroyed(lambda context: print("destroyed", flush=True))
    pn.state.onload(send)
    return pn.Column(text)


GATE = threading.Event()  # opened by fetching /go, closed by /hold
LATER = []  # what /change does


def begun():
    """Built beside the loop, while the gate is closed."""
    place, slot = pn.Column(), TaskSlot(print, early=True)

    def make():
        print(f"building in {threading.current_thread().name}", flush=True)
        GATE.wait()
        print("built", flush=True)
        return pn.pane.HTML("This was built.")

    prebuilt.build_soon(lambda: slot.build(make, place.append), slot)
    return place


def changed():
    """The same, but something may change before anybody fetches it."""
    place, document = begun(), pn.state.curdoc

    def change():
        place.append(pn.pane.HTML("This came later."))
        print("changed", flush=True)

    LATER.append(lambda: document.add_next_tick_callback(change))
    return place


def does(*acts):
    """A page that does something when it is fetched."""

    def page():
        for act in acts:
            act()
        return pn.Column()

    return page


def failing(soon=False):
    """One that cannot be built; `soon`: not even begun."""
    place = pn.Column()
    slot = TaskSlot(lambda error: place.append(pn.pane.HTML(f"It failed: {error}.")), early=True)
    prebuilt.build_soon(lambda: 1 / 0 if soon else slot.build(lambda: 1 / 0, place.append), slot)
    return place


def prepared():
    """Says what is set for this process."""
    pools = [pool["num_threads"] for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"]
    print(f"threads of matrices: {sorted(set(pools))}", flush=True)
    return pn.Column()


def serve(port):
    """Serve these, and say when a document is written, and of which page."""
    write = Document.to_json

    def to_json(document, *arguments, **options):
        print(f"written {document.session_context.request.path}", flush=True)
        return write(document, *arguments, **options)

    Document.to_json = to_json
    make = Frame._made

    def made(*arguments):
        print(f"a page of the app is built in {threading.current_thread().name}", flush=True)
        return make(*arguments)

    Frame._made = made
    log.configure("info")
    worker.CHECK, worker.LINGER = 1, 10
    pages = {"/begun": begun, "/changed": changed, "/failing": failing, "/sooner": lambda: failing(True)}
    acts = {"/go": does(GATE.set), "/hold": does(GATE.clear), "/change": does(lambda: LATER.pop()())}

    async def run():
        plan = Plan.from_options(port=port)
        serving = worker.Worker(plan, more={"/busy": busy, "/prepared": prepared, **pages, **acts})
        worker.prepare()
        await serving.run(ports.bind(plan.address, plan.port), ready=lambda: print("ready", flush=True))

    asyncio.run(run())


if __name__ == "__main__":
    serve(int(sys.argv[1]))
