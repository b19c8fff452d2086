"""The card of a map: a figure over two parameters of the page, each place a click away."""

from collections.abc import Callable
from functools import partial
from typing import Any

import panel as pn

from trustscope.app.cards import Taken
from trustscope.app.controls import Field, slider
from trustscope.app.measuring import Measuring
from trustscope.scenarios.frontier import Limit
from trustscope.scenarios.grid import Grid, MapFigure, map_card
from trustscope.scenarios.scenario import Scenario
from trustscope.scenarios.words import sentence
from trustscope.widgets.controls.inputs import dropdown
from trustscope.widgets.controls.slider import Slider
from trustscope.widgets.frame.card import Card
from trustscope.widgets.scenes.heatmap import HeatMap

# Widths as styles: Panel would keep room for all of them side by side.
CHOICE = {"sizing_mode": None, "styles": {"width": "200px", "max-width": "100%"}, "margin": (0, 14, 6, 0)}


class MapView(Measuring):
    """Choices of a figure and of two parameters, the map, and what is under way.

    Parameters
    ----------
    help_text : behind the card's question mark
    placed : the scenario with other values of parameters, by key
    """

    def __init__(self, help_text: str, placed: Callable[[Any, dict], Scenario]):
        super().__init__("Map")
        self._placed = placed
        self.taken, self._declared = Taken(), map_card(help_text)
        self.figure = dropdown("Figure", {"": ""}, **CHOICE)
        self.across = dropdown("Across", {"": ""}, **CHOICE)
        self.upwards = dropdown("Upwards", {"": ""}, **CHOICE)
        self.limit = Slider(label="Line at", start=0, end=100, step=1, readout="%", **CHOICE)
        self._asked = ""  # the requirement that the line belongs to
        self.map = HeatMap("Map: places to go to")
        self.map.param.watch(lambda event: self._picked(), "picks")
        choices = pn.Row(
            self.figure, self.across, self.upwards, self.limit, styles={"flex-wrap": "wrap"},
            sizing_mode="stretch_width",
        )  # fmt: skip
        self.card = Card("Map", choices, self.map, self.task, help_text=help_text, saved=self.taken)

    def fields(self):
        """The choices, and the parts of the scenario that they stand for."""
        yield Field("view.map.figure", self.figure)
        yield Field("view.map.across", self.across)
        yield Field("view.map.upwards", self.upwards)
        yield slider("view.map.limit", self.limit, read=int)

    def offer(self, figures: dict[str, MapFigure], chosen: str, names: dict[str, str], axes: tuple[str, str]) -> None:
        """What can be chosen now: figures, and parameters by name; the two that are drawn are never the same."""
        across, upwards = axes
        with self._page.controls.silent():
            _set(self.figure, {one.text: key for key, one in figures.items()}, chosen)
            _set(self.across, {text: key for key, text in names.items()}, across)
            _set(self.upwards, {text: key for key, text in names.items() if key != across}, upwards)

    def line(self, required: Limit | None, own: int) -> float:
        """Where the line is drawn: at the limit of a requirement, or else where the slider stands, in per cent."""
        self._asked, self.limit.visible = "" if required is None else required.asked, required is None
        return own / 100 if required is None else required.value

    def _show(self, step: Grid) -> None:
        self.map.draw(
            step.values, x=step.across.texts, y=step.upwards.texts, x_label=step.across.name,
            y_label=step.upwards.name, figure=step.figure.told, here=step.here, limit=step.limit,
        )  # fmt: skip
        self.taken.put(self._declared, partial(self._declared.table, step, None))
        whose = f"the target's limit: {self._asked}" if self._asked else "the limit that you set"
        if self.map.lines:
            line = f", the line is at {whose}"
        else:  # while places are measured it may still come
            line = f"; the whole map lies on one side of {whose}" if step.complete and step.limit is not None else ""
        # Whoever holds the original, or a coalition of nobody, stands beyond what is mapped.
        here = "Where you are is not on this map" if step.here is None else "The ring is where you are"
        self.card.say(
            f"{sentence(step.figure.told)}: the lighter, the more. {here}{line}. Click a place to go there. "
            f"{step.note}".strip()
        )

    def _picked(self) -> None:
        column, row = self.map.picked
        if self._shown is not None:
            across, upwards = self._shown.across, self._shown.upwards
            values = {across.key: across.values[column], upwards.key: upwards.values[row]}
            self._page.controls.change(self._placed(self._page.scenario, values))

    def __panel__(self):
        return self.card.__panel__()


def _set(choice, options: dict[str, str], value: str) -> None:
    if choice.options != options or choice.value != value:
        choice.param.update(options=options, value=value)
