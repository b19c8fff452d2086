"""Serves what the browser benchmarks measure: the app, an empty page in its frame, and one that echoes a number."""

import sys

import panel as pn

from trustscope.app.page import framed, make_page, places
from trustscope.app.pages import PAGES
from trustscope.app.process import prepare
from trustscope.app.serving.worker import ControlScripts
from trustscope.widgets import bundle
from trustscope.widgets.address import Address
from trustscope.widgets.bar import Bar
from trustscope.widgets.connection import Connection
from trustscope.widgets.headline import Headline
from trustscope.widgets.slider import Slider


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


if __name__ == "__main__":
    prepare()
    bundle.offered = True
    pn.serve(
        {"app": make_page, "echo": echo, "empty": empty},
        port=int(sys.argv[1]),
        extra_patterns=[(bundle.address()[1:], ControlScripts)],
        address="127.0.0.1",
        show=False,
        verbose=False,
    )
