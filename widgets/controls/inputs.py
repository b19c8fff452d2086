"""A drop-down, and Panel's own line of text, dressed for this page."""

import panel as pn

from trustscope.widgets.controls.dropdown import Dropdown
from trustscope.widgets.esm import css

CSS = css("inputs.css")


def dropdown(label: str, options, **params) -> Dropdown:
    """A drop-down with its label."""
    return Dropdown(label=label, options=options, **{"margin": (0, 0, 4, 0), **params})


def textbox(label: str, value: str, **params) -> pn.widgets.TextInput:
    """A line of text with its label."""
    return pn.widgets.TextInput(
        label=label,
        value=value,
        stylesheets=[CSS],
        sizing_mode="stretch_width",
        margin=(0, 0, 4, 0),
        **params,
    )
