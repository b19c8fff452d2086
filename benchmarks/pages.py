"""Serves what the browser benchmarks measure: the app, an empty page in its frame, and one that echoes a number."""

import asyncio
import sys

import panel as pn

from trustscope.app.compat import pages_built_after
from trustscope.app.page import framed, make_page, places
from trustscope.app.pages import PAGES
from trustscope.app.serving import ports
from trustscope.app.serving.plan import Plan
from trustscope.app.serving.worker import Worker, prepare
from trustscope.widgets.controls.slider import Slider
from trustscope.widgets.frame.address import Address
from trustscope.widgets.frame.bar import Bar
from trustscope.widgets.frame.connection import Connection
from trustscope.widgets.frame.headline import Headline


def echo():
    """A slider and the number it stands at, by way of the server."""
    slider = Slider(label="Number", start=0, end=100, step=1, value=50)
    text = pn.pane.HTML("<p>50</p>")
    slider.param.watch(lambda event: text.param.update(object=f"<p>{event.new:.0f}</p>"), "value")
    return pn.Column(slider, text)


def empty():
    """The frame of the app, and a headline in it."""
    pn.extension()
    headline = Headline()
    headline.say("Nothing is here.")
    mains = places()
    mains["learn"].append(headline)
    bar = Bar(pages=[one.title for one in PAGES.values()], page=PAGES["learn"].title)
    return framed(bar, Address(), Connection(), places(), mains)


async def serve(port: int) -> None:
    """Serve all three as the app is served."""
    plan = Plan.from_options(port=port)
    worker = Worker(
        plan, more={"/app": lambda: make_page(later=pages_built_after.PATCH.on), "/echo": echo, "/empty": empty}
    )
    prepare()
    await worker.run(ports.bind(plan.address, plan.port))


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
