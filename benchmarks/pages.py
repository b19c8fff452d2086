"""Serves what the browser benchmark measures: the app, and a page that only echoes a slider's number."""

import sys

import panel as pn

from trustscope.app.page import make_page
from trustscope.app.process import prepare
from trustscope.widgets.slider import Slider


def echo():
    """A slider and the number it stands at, by way of the server."""
    slider = Slider(label="Number", start=0, end=100, step=1, value=50)
    text = pn.pane.HTML("<p>50</p>")
    slider.param.watch(lambda event: text.param.update(object=f"<p>{event.new:.0f}</p>"), "value")
    return pn.Column(slider, text)


if __name__ == "__main__":
    prepare()
    pn.serve(
        {"app": make_page, "echo": echo},
        port=int(sys.argv[1]),
        address="127.0.0.1",
        show=False,
        verbose=False,
    )
