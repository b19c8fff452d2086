"""A card in the middle of an empty page: what is going on, in a few words."""

import param

from trustscope.widgets.esm import Control, css, module


class Greeting(Control):
    """Texts only; `home` is the name of a way to the start page, where there is one."""

    title = param.String(default="", doc="The first heading of the page.")
    text = param.String(default="", doc="One or two sentences.")
    about = param.String(default="", doc="What it is about, above the heading.")
    home = param.String(default="", doc="What the link to the start page says; empty: there is none.")

    _esm = module("flow.js", "greeting.js")
    _stylesheets = (css("controls.css"), css("greeting.css"))
