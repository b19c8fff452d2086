"""Before the noise, among the controls of a page: steps to add and to change, and what is suggested for its columns."""

from collections.abc import Callable
from functools import partial
from typing import Any, get_args

import panel as pn

from trustscope.app.controls import Field
from trustscope.app.entries import choice_field, number, number_field, number_text, percentage
from trustscope.app.problem import explain_error
from trustscope.app.work import TaskSlot, compute
from trustscope.datasets import Dataset
from trustscope.scenarios.preparation import NumberPreparation, Preparation, offered, words
from trustscope.scenarios.preparation.effects import sentences
from trustscope.scenarios.preparation.steps import MOST_STEPS, SMALLEST, Offer
from trustscope.scenarios.scenario import Scenario
from trustscope.scenarios.source import noun_of
from trustscope.widgets.controls.targets import Targets
from trustscope.widgets.frame.card import heading

TEXTS = {
    "item": "step", "more": "and then …",
    "answers": "What these columns have", "apply": "Do it",
}  # fmt: skip
SHARES = (0.0001, 0.5)  # of people who can be coded
MOST_OFFERS = 4  # the most pressing; the others come when these are dealt with


class PreparationControl(pn.viewable.Viewer):
    """The list of steps, and under it what is suggested.

    Parameters
    ----------
    kind : the kind of step that the page's scenarios have
    change : called with the scenario that has another step
    title : above the list
    noisy : whether noise is added to the columns then
    """

    def __init__(
        self, change: Callable[[Scenario], None], kind: type[Preparation | NumberPreparation] = Preparation, *,
        title: str = "Before the noise", noisy: bool = True,
    ):  # fmt: skip
        super().__init__()
        self._change, self._kind, self._noisy = change, kind, noisy
        self._data: Dataset | None = None
        self._scenario: Any = None  # of a page whose data can be prepared
        self._columns: tuple[str, ...] = ()
        self._offers: tuple[Offer, ...] = ()
        self._seen = self._looked = False
        self._said: dict[Preparation, str] = {}
        self._said_of: tuple = ()
        self._slot, self._texts = TaskSlot(self._failed), TaskSlot(self._failed)
        known = get_args(kind.model_fields["action"].annotation)
        actions = [name for name in words.ACTIONS if name in known]
        self.steps = Targets(
            self._make, self._edit, self._describe, most=MOST_STEPS, note=words.AWAY if noisy else "",
            kinds=[[name, words.ACTIONS[name]] for name in actions],
            texts=TEXTS | {"first": f"do something {title[:1].lower()}{title[1:]} …"},
        )  # fmt: skip
        self.steps.param.watch(lambda event: self._take(), "applies")
        self._layout = pn.Column(heading(title), self.steps, sizing_mode="stretch_width", margin=(10, 0, 0, 0))

    @property
    def visible(self) -> bool:
        """Whether it is shown."""
        return self._layout.visible

    @visible.setter
    def visible(self, value: bool) -> None:
        self._layout.visible = value

    @property
    def field(self) -> Field:
        """The steps, as a control of the page."""
        return Field("data.preparation", self.steps)

    @property
    def unit(self) -> Callable[[str], str]:
        """Units of columns, as they are before any step."""
        return lambda name: "" if self._data is None else self._data.units.get(name, "")

    # What stands

    def load(self, data: Dataset, columns) -> None:
        """Other data, or other columns of them."""
        columns = tuple(columns)
        if data is self._data and columns == self._columns:
            return
        self._data, self._columns, self._offers, self._looked = data, columns, (), False
        if self._seen:
            self.look()

    def look(self) -> None:
        """Look in a thread what the columns have; nobody waits for it who has not opened these controls."""
        self._seen = True
        if self._looked or self._data is None:
            return
        self._looked, data, columns = True, self._data, self._columns

        async def work():
            found = await compute(offered, data, columns)
            await self._slot.show(partial(self._found, found))

        self._slot.start(work)

    def describe(self, scenario: Scenario) -> None:
        """Bring what is drawn up to a scenario; what its steps do to these data is found in a thread."""
        self._scenario = scenario
        data, steps = self._data, self._scenario.data.preparation
        if data is not None and steps and (data, steps) != self._said_of:
            self._said_of, self._said = (data, steps), {}
            self._texts.latest(
                lambda: dict(zip(steps, sentences(data, steps, noun_of(data), self._noisy), strict=True)), self._say
            )
        self._answer()

    def _say(self, said):
        self._said = said
        self.steps.draw()

    def _found(self, offers):
        self._offers = offers
        self._answer()

    def _answer(self):
        """What is suggested for columns to which nothing has been done yet."""
        if self._data is None or self._scenario is None:
            return
        done = {one.column for one in self._scenario.data.preparation}
        # One for each column, the most pressing: what else it has is said when that has been dealt with.
        first = {one.column: one for one in reversed(self._offers)}
        there = [one for one in self._offers if one.column not in done and first[one.column] is one]
        noun = noun_of(self._data)
        self.steps.answers = [
            {
                "key": str(self._offers.index(one)), "title": one.column,
                "text": self._told(one, noun),
                "can": self._possible(one), "stands": False, "hint": not self._possible(one),
                "working": False, "apply": self._button(one),
            }
            for one in there[:MOST_OFFERS]
        ]  # fmt: skip

    def _told(self, offer: Offer, noun: str) -> str:
        unit = self.unit(offer.column)
        would = words.would(offer, unit) if self._noisy else ""
        return f"{words.has(offer, noun, unit, self._noisy)} {would}".strip()

    def _button(self, offer: Offer) -> str:
        return words.button(offer.preparation) if offer.preparation and self._possible(offer) else ""

    def _possible(self, offer: Offer) -> bool:
        names = [name for name, _ in self.steps.kinds]
        return offer.preparation is not None and offer.preparation.action in names

    def _take(self):
        """Do what was suggested."""
        place = int(self.steps.applied)
        if self._scenario is None or place >= len(self._offers):
            return
        suggested: Any = self._offers[place].preparation  # only what is possible can be taken
        step = self._kind(**suggested.model_dump())
        steps = (*self._scenario.data.preparation, step)
        self._change(self._scenario.replace({"data.preparation": steps}))

    # Steps

    def _make(self, action):
        name = self._columns[0] if self._columns else ""
        attribute = getattr(self._scenario.settings, "attribute", "") if self._scenario is not None else ""
        return self._kind(column=attribute or name, action=action)

    def _edit(self, step, name, value):
        if name == "column":
            return step.replace({"column": value})
        if name == "share":
            return step.replace({"share": min(max(percentage(value), SHARES[0]), SHARES[1]), "limit": None})
        found = number(value)
        if found < SMALLEST:
            raise ValueError("Type a number above 0.")
        return step.replace({name: found})

    def _describe(self, step) -> dict:
        unit = self.unit(step.column)
        known = self._columns if step.column in self._columns else (step.column, *self._columns)
        fields = [choice_field("column", "column", step.column, [(name, name) for name in known])]
        if step.action in ("top", "bottom"):
            fields.insert(0, number_field("share", "share of people", number_text(100 * step.share), "%"))
        elif step.action == "round":
            fields.insert(0, number_field("grid", "multiples of", number_text(step.grid), unit))
        elif step.action == "logarithm":
            fields.insert(0, number_field("unit", "small is below", number_text(step.unit), unit))
        return {"line": self._said.get(step) or words.does(step, unit), "fields": fields}

    def _failed(self, error):
        title, text = explain_error(error, "preparation")
        self.steps.answers = [
            {"key": "", "title": title, "text": text, "can": False, "stands": False, "working": False}
        ]  # fmt: skip

    def __panel__(self):
        return self._layout
