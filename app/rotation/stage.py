"""One step of the Rotation page: two pictures and what can be looked at closer, each made when it is first needed."""

from collections.abc import Callable, Container
from dataclasses import dataclass
from functools import partial
from typing import Any

import panel as pn

from trustscope import colours
from trustscope.app.rotation import kept, known, sample
from trustscope.app.rotation.common import (
    HEIGHT,
    TALLER,
    AttributesView,
    MatchView,
    RecordView,
    TableView,
    curves,
)
from trustscope.app.rotation.mapped import MapView
from trustscope.scenarios.cards import cards_of
from trustscope.scenarios.rotation.cards import KEPT, REMEDIES
from trustscope.scenarios.rotation.words.remedy import side_rows
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


SIDES = ("release", "recovered", "distances change by", "keep their nearest neighbours")
NAMES = {key: (look.name, look.colour) for key, look in REMEDIES.items()} | {
    "rotation": ("plain rotation", colours.NEUTRAL)
}


def side_by_side(picture, model):
    """Privacy and use, remedy by remedy: headings and rows."""
    return SIDES, [[NAMES[which], *cells] for which, cells in side_rows(picture)]


RECOVERED: dict[str, Any] = {"counted": "recovered closely"}
DISTANCES: dict[str, Any] = {"after": "distance in the release", "colour": KEPT}
VIEWS = {
    "clouds": kept.CloudsView,
    "pairs": partial(
        MatchView, "pairs", "Distances of pairs of records before and after", counted="kept", legend=False, **DISTANCES
    ),
    "findings": partial(
        TableView, "findings", "What an analyst finds in the data and in the release", kept.findings
    ),
    "values": partial(TableView, "values", "Values of the first records before and after", kept.values),
    "links": known.LinksView,
    "growth": curves("growth", "Share recovered by the number of known records", twenty=True),
    "record": RecordView,
    "attributes": AttributesView,
    "exposed": curves("exposed", "How many records are exposed at least so much", share_places=True),
    "closeness": known.ClosenessView,
    "sphere": known.SphereView,
    "printed": known.PrintedView,
    # As tall as sixteen attributes with twenty people below them.
    "recovered": partial(
        MatchView, "recovered", "Recovered against original values", height=HEIGHT + 2 * TALLER, **RECOVERED
    ),
    "by_attribute": partial(AttributesView, "by_attribute", twenty=True),
    "sizes": curves("sizes", "Share recovered by the size of the sample", log=True),
    "axes": sample.AxesView,
    "when": partial(TableView, "when", "Principal axes: size, error, direction", sample.when, tall=420),
    "projected": partial(
        MatchView, "projected", "Recovered through one projection, against original values", height=HEIGHT + TALLER,
        **RECOVERED,
    ),
    "lengths": curves("lengths", "Share recovered by the number of released columns", twenty=True, log=True),
    "sides": partial(
        TableView, "sides", "One projection for all, a fresh one for each, and a rotation", side_by_side
    ),
    "distances": partial(
        MatchView, "distances", "Distances of pairs of records before and after the projection", counted="within 10 %",
        **DISTANCES,
    ),
    "map": MapView,
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
