"""The card of a trade-off: privacy against usefulness, drawn while it is measured, each point a click away."""

from functools import partial

import panel as pn

from trustscope import colours
from trustscope.app.cards import Taken
from trustscope.app.controls import Field
from trustscope.app.measuring import Measuring
from trustscope.scenarios.frontier import Frontier, Measure, frontier_card
from trustscope.widgets.controls.inputs import dropdown
from trustscope.widgets.frame.card import Card
from trustscope.widgets.scenes.scale import Scale
from trustscope.widgets.scenes.tradeoff import Spot, Tradeoff, Way

# Widths as styles: Panel would keep room for all of them side by side.
CHOICE = {"sizing_mode": None, "styles": {"width": "250px", "max-width": "100%"}, "margin": (0, 16, 4, 0)}


class TradeoffView(Measuring):
    """Two choices of measures, the plot, and what is under way.

    Parameters
    ----------
    private, useful : the measures that are offered, by key
    help_text : behind the card's question mark
    """

    def __init__(self, private: dict[str, Measure], useful: dict[str, Measure], help_text: str):
        super().__init__("Trade-off")
        self.taken, self._declared = Taken(), frontier_card(help_text)
        self.private = dropdown("Privacy", _options(private), **CHOICE)
        self.useful = dropdown("Usefulness", _options(useful), **CHOICE)
        self.plot = Tradeoff("Trade-off: points to go to")
        self.plot.param.watch(lambda event: self._picked(), "picks")
        choices = pn.Row(self.private, self.useful, styles={"flex-wrap": "wrap"}, sizing_mode="stretch_width")
        self.card = Card("Trade-off", choices, self.plot, self.task, help_text=help_text, saved=self.taken)

    def fields(self):
        """The two choices, and the parts of the scenario that they stand for."""
        yield Field("view.tradeoff.private", self.private)
        yield Field("view.tradeoff.useful", self.useful)

    def offer(self, private: dict[str, Measure], useful: dict[str, Measure]) -> None:
        """Other measures can be chosen now."""
        with self._page.controls.silent():
            for choice, measures in ((self.private, private), (self.useful, useful)):
                if choice.options != _options(measures):
                    choice.options = _options(measures)

    def _show(self, step: Frontier) -> None:
        ways = [
            Way(
                line.name, line.colour, [p.useful for p in line.points], [p.private for p in line.points],
                [p.text for p in line.points],
            )
            for line in step.lines
        ]  # fmt: skip
        spots = [Spot(name, p.useful, p.private, p.text, kept=True) for name, p in step.kept]
        if step.present is not None:
            spots.append(Spot("you are here", step.present.useful, step.present.private, step.present.text))
        x, y = (Scale(m.axis, share=m.share, log=m.log, less=m.less) for m in (step.useful, step.private))
        self.plot.draw(ways, spots, x, y, step.limit)
        self.taken.put(self._declared, partial(self._declared.table, step, None))
        backwards = " (it runs backwards: less is better)" if step.useful.less else ""
        line = f" The line across is the target's: {step.asked}." if step.asked else ""
        text = (
            f"To the right more useful: {step.useful.axis}{backwards}. Upwards more private: {step.private.axis}. "
            f"Click a point to go there.{line} {step.note}"
        )
        legend = [(line.name, line.colour, "line") for line in step.lines]
        legend += [("kept", colours.NEUTRAL, "hollow")] * bool(step.kept)
        self.card.say(text.strip(), legend)

    def _picked(self) -> None:
        line, point = self.plot.picked
        if self._shown is not None and line < len(self._shown.lines):
            self._page.controls.change(self._shown.lines[line].points[point].scenario)

    def __panel__(self):
        return self.card.__panel__()


def _options(measures: dict[str, Measure]) -> dict[str, str]:
    return {measure.text: key for key, measure in measures.items()}
