"""A picture made of HTML or SVG by a script of ours, as a `Plot` is one made by Bokeh."""

import json
from typing import Any, ClassVar
from uuid import uuid4

import param

from trustscope.widgets.beside import Beside
from trustscope.widgets.esm import Control, Script, css, module


class Drawing(Beside, Control):
    """`plot_id` names its element."""

    plot_id = param.String(default="", doc="By which parts of its element are told from those of others.")

    _stylesheets: ClassVar[tuple[str, ...]]  # as `Control` has them, and not as Panel does

    __abstract = True

    def __init__(self, **params):
        super().__init__(**{"plot_id": uuid4().hex, **params})


class Scene(Drawing):
    """A drawing that the browser makes as SVG: it knows how much room there is, and how wide its letters are."""

    drawn = param.String(default="{}", doc="What is drawn, as JSON: Bokeh walks through all that is not a text.")
    label = param.String(default="", doc="The accessible name.")
    summary_text = param.String(default="", doc="What a screen reader says of it.")
    tall = param.Integer(default=320, bounds=(160, None), doc="Pixels upwards.")

    _stylesheets: ClassVar[tuple[str, ...]]

    __abstract = True

    def __init__(self, label: str = "", **params):
        super().__init__(label=label, **params)
        self.scene: dict[str, Any] = {}

    def put_scene(self, scene: dict[str, Any], sentence: str) -> None:
        """Draw a scene, and say it in a sentence."""
        self.scene = scene
        self.put(drawn=json.dumps(scene), summary_text=sentence)


def scene_script(name: str) -> Script:
    """The script of a scene, with what all of them use."""
    return module("flow.js", "svg.js", "ticks.js", name)


def scene_styles(*names: str) -> tuple[str, ...]:
    """The style sheets of a scene, with those that all of them have."""
    return tuple(css(name) for name in ("controls.css", "scene.css", *names))
