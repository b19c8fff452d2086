"""One step of the Rotation page: two pictures and what can be looked at closer, each made when it is first needed."""

from collections.abc import Callable, Container
from dataclasses import dataclass

import panel as pn

from trustscope.app.rotation import common, kept, known, remedy, sample
from trustscope.app.rotation.mapped import MapView
from trustscope.widgets.card import pictures
from trustscope.widgets.closer import Closer
from trustscope.widgets.skeleton import Skeleton

ROOM = 400  # pixels that a card takes


@dataclass(frozen=True)
class Part:
    """A view: its key, its title, and what makes it."""

    key: str
    title: str
    kind: Callable[[], pn.viewable.Viewer]


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


RECORD = Part("record", "One record", common.RecordView)
MAP = Part("map", "Map", MapView)
PLANS = {
    "kept": Plan(
        (
            Part("clouds", "The same records, before and after", kept.CloudsView),
            Part("pairs", "Every distance is kept", kept.DistancesView),
        ),
        (
            Part("findings", "What an analyst finds", kept.FindingsView),
            Part("values", "What became of the values", kept.ValuesView),
        ),
    ),
    "known": Plan(
        (
            Part("links", "Known records, found in the release", known.LinksView),
            Part("growth", "As the insider knows more", known.GrowthView),
        ),
        (
            RECORD,
            Part("attributes", "Attribute by attribute", known.KnownAttributesView),
            Part("exposed", "Who is exposed", known.ExposedView),
            Part("closeness", "How close the guesses come", known.ClosenessView),
            MAP,
        ),
        (
            Part("sphere", "Chord and sphere", known.SphereView),
            Part("printed", "Printed and corrected", known.PrintedView),
        ),
    ),
    "sample": Plan(
        (
            Part("recovered", "What the competitor recovers", sample.RecoveredView),
            Part("by_attribute", "Attribute by attribute", sample.SampleAttributesView),
        ),
        (
            RECORD,
            Part("sizes", "By the size of the sample", sample.SizesView),
            Part("axes", "Two sets of axes", sample.AxesView),
            MAP,
        ),
        (Part("when", "Eigenvalue ratios, and when it fails", sample.WhenView),),
    ),
    "remedy": Plan(
        (
            Part("projected", "Recovered through the remedy", remedy.ProjectedView),
            Part("lengths", "As more columns are released", remedy.LengthsView),
        ),
        (
            RECORD,
            Part("attributes", "Attribute by attribute", remedy.RemedyAttributesView),
            Part("sides", "Privacy and use, side by side", remedy.SidesView),
            Part("distances", "What becomes of distances", remedy.SpreadView),
            MAP,
        ),
    ),
}


class Stage(pn.viewable.Viewer):
    """A step on the page.

    Parameters
    ----------
    plan : Plan
    made : called with the key and the view, when one has been made
    opened : called when one was opened and shown for the first time
    """

    def __init__(
        self, plan: Plan, made: Callable[[str, pn.viewable.Viewer], None], opened: Callable[[], None] = lambda: None
    ):
        super().__init__()
        self._plan, self._made, self._opened = plan, made, opened
        self.views: dict[str, pn.viewable.Viewer] = {}
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
            view.show(picture, model)
        self._opened()
        return view

    def show(self, picture, model) -> None:
        """Draw a picture of this step."""
        self._shown = picture, model
        for place, part in enumerate(self._plan.pictures):
            if part.key in self.views:
                self.views[part.key].show(picture, model)
                continue
            view = self.views[part.key] = part.kind()
            self._made(part.key, view)
            view.show(picture, model)
            self._pair.place(place, view)
        closer = picture.view.closer
        if closer in self.views and closer in self.keys:
            self.views[closer].show(picture, model)

    def __panel__(self):
        return self._layout
