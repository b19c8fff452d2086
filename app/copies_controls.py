"""The controls that pages of copies at many levels of trust have in common: Trust and Categories."""

from typing import Any

from trustscope.app.controls import DeskControls, Field, slider
from trustscope.app.preparation import PreparationControl
from trustscope.app.target import TargetFold, lock_field, locks
from trustscope.widgets.controls.action import Action
from trustscope.widgets.controls.choice import Choice, Choices
from trustscope.widgets.controls.number import WholeNumber
from trustscope.widgets.controls.recipients import Recipients
from trustscope.widgets.controls.slider import Slider
from trustscope.widgets.controls.task import Task
from trustscope.widgets.frame.card import sidebar_text
from trustscope.widgets.frame.fold import Fold

# The last stop stands for half of the table, however large that is.
OTHERS = (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000)


class CopiesControls(DeskControls):
    """Who gets a copy, how the copies hang together, what the attacker knows beside them, and the copies themselves."""

    recipients: Recipients
    scheme: Choice
    preparation: PreparationControl
    target: TargetFold
    data_fold: Fold

    def _make_shared(self, knowledge: list[tuple[str, str, str]], whose: str, exactly: str, seed: str) -> None:
        """The options of `knowledge`, and the labels of what is known, of what is known exactly, and of the seed."""
        below = (8, 0, 0, 0)
        self.knowledge = Choice(label=whose, label_shown=True, margin=below, options=knowledge)
        self.others = Slider(label="How many other people they know", stops=list(OTHERS), margin=below)
        self.known = Choices(label=exactly, label_shown=True, margin=below)
        self.seed = WholeNumber(label=seed, margin=(0, 0, 8, 0))
        self.generate = Task(label="Copies generated", start_text="Watch them being made", stop_text="Skip")
        self.make_copies = Action(
            text="Make these copies", tip="Make them for real, on the page Release", margin=(10, 0, 0, 0)
        )
        self.locked = locks()
        self._scheme_words = sidebar_text()

    def _fields(self):
        yield Field("settings.recipients", self.recipients, settled="settled")
        yield Field("settings.scheme", self.scheme)
        yield self.preparation.field
        yield Field("settings.knowledge", self.knowledge)
        yield slider("settings.others", self.others, read=_others, write=lambda number: number or OTHERS[-1])
        yield Field("settings.known", self.known, read=tuple, write=list)
        yield Field("seed", self.seed)
        yield self.target.field
        yield lock_field(self.locked)

    def _describe_knowledge(self, settings: Any, weighs: bool) -> None:
        """Show what can be known where it `weighs`."""
        self.knowledge.visible = weighs
        self.others.visible = weighs and settings.knowledge == "sample"
        self.others.readout = "half of the table" if settings.others is None else "other people"

    def _fold_data(self, *widgets: Any) -> None:
        self.data_fold = Fold("Data", self.desk, *widgets)
        self.data_fold.param.watch(lambda event: self.preparation.look(), "opened")


def _others(value: float) -> int | None:
    return None if int(value) == OTHERS[-1] else int(value)
