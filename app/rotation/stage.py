"""One step of the Rotation page: two pictures and what can be looked at closer, each made when it is first needed."""

from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import Any

import panel as pn

from trustscope.app.rotation import common, kept, known, remedy, sample
from trustscope.app.rotation.mapped import MapView
from trustscope.scenarios.cards import cards_of
from trustscope.widgets.frame.card import pictures
from trustscope.widgets.frame.closer import Closer
from trustscope.widgets.frame.skeleton import Skeleton

ROOM = 400  # pixels that a card takes


@dataclass(frozen=True)
class Part:
    """A view: its key, its title, and what makes it."""

    key: str
    title: str
    kind: Callable[[], Any]


@dataclass(frozen=True)
class Plan:
    """What a step is made of: two pictures, views to look closer at, and views for experts."""

    pictures: tuple[Part, ...]
    closer: tuple[Part, ...]
    experts: tuple[Part, ...] = ()

    @property
    def parts(self) -> tuple[Part, ...]:
        """All of them."""
        return (*self.pictures, *self.closer, *self.experts)

    def only(self, shown: Container[str]) -> "Plan":
        """The same step with nothing but what may be seen."""
        views = (self.pictures, self.closer, self.experts)
        return Plan(*(tuple(part for part in some if part.key in shown) for some in views))


VIEWS = {
    "clouds": kept.CloudsView, "pairs": kept.DistancesView, "findings": kept.FindingsView, "values": kept.ValuesView,
    "links": known.LinksView, "growth": known.GrowthView, "record": common.RecordView,
    "attributes": common.AttributesView, "exposed": known.ExposedView, "closeness": known.ClosenessView,
    "sphere": known.SphereView, "printed": known.PrintedView, "recovered": sample.RecoveredView,
    "by_attribute": sample.SampleAttributesView, "sizes": sample.SizesView, "axes": sample.AxesView,
    "when": sample.WhenView, "projected": remedy.ProjectedView, "lengths": remedy.LengthsView,
    "sides": remedy.SidesView, "distances": remedy.SpreadView, "map": MapView,
}  # fmt: skip


def _plan(pictures: str, closer: str) -> Plan:
    """A step by the keys of its cards; those for experts say so themselves."""
    cards = cards_of("rotation")

    def parts(keys, expert):
        return tuple(Part(key, cards[key].tab or cards[key].title, VIEWS[key])
                     for key in keys.split() if cards[key].expert == expert)  # fmt: skip

    return Plan(parts(pictures, False), parts(closer, False), parts(closer, True))


PLANS = {
    "kept": _plan("clouds pairs", "findings values"),
    "known": _plan("links growth", "record attributes exposed closeness map sphere printed"),
    "sample": _plan("recovered by_attribute", "record sizes axes map when"),
    "remedy": _plan("projected lengths", "record attributes sides distances map"),
}


class Stage(pn.viewable.Viewer):
    """A step on the page.

    Parameters
    ----------
    plan : Plan
    made : called with the key and the view, when one has been made
    opened : called when one was opened and shown for the first time
    """

    def __init__(self, plan: Plan, made: Callable[[str, Any], None], opened: Callable[[], None] = lambda: None):
        super().__init__()
        self._plan, self._made, self._opened = plan, made, opened
        self.views: dict[str, Any] = {}
        self._pair = pictures(*(Skeleton(ROOM, part.title) for part in plan.pictures))
        self._shown = None, None
        self.closer = Closer(
            [(part.key, part.title, lambda part=part: self._make(part)) for part in plan.closer],
            experts=[(part.key, part.title, lambda part=part: self._make(part)) for part in plan.experts],
            told=self._looked,
        )
        self.closer.visible = bool(self.closer.keys)
        self._layout = pn.Column(self._pair, self.closer, sizing_mode="stretch_width", margin=0)

    @property
    def visible(self) -> bool:
        """Whether the step is shown."""
        return self._layout.visible

    @visible.setter
    def visible(self, shown: bool) -> None:
        self._layout.visible = shown

    @property
    def keys(self) -> set[str]:
        """The views that can be looked at closer here."""
        return {part.key for part in (*self._plan.closer, *self._plan.experts)}

    def only(self, keys: Container[str]) -> None:
        """Show these views alone."""
        self._pair.only([part.key in keys for part in self._plan.pictures])
        self.closer.only(keys)

    def _looked(self, key: str, shown: bool) -> None:
        """Nothing is computed for a view that nobody looks at."""
        if key == "map" and not shown:
            self.views[key].hide()

    def _make(self, part: Part):
        view = self.views[part.key] = part.kind()
        self._made(part.key, view)
        picture, model = self._shown
        if picture is not None and picture.view.closer == part.key:
            view.show_picture(picture, model)
        self._opened()
        return view

    def show_picture(self, picture, model) -> None:
        """Draw a picture of this step."""
        self._shown = picture, model
        for place, part in enumerate(self._plan.pictures):
            if part.key in self.views:
                self.views[part.key].show_picture(picture, model)
                continue
            view = self.views[part.key] = part.kind()
            self._made(part.key, view)
            view.show_picture(picture, model)
            self._pair.place(place, view)
        closer = picture.view.closer
        if closer in self.views and closer in self.keys:
            self.views[closer].show_picture(picture, model)

    def __panel__(self):
        return self._layout
