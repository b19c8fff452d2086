"""What a page shows: the parts of it that may be seen, its views, and what a kept scenario shows behind them."""

from abc import abstractmethod
from collections.abc import Callable, Container
from functools import partial
from typing import Any, ClassVar

import panel as pn
import param

from trustscope.app.abstract import Abstract
from trustscope.app.cards import CardView, taken_of
from trustscope.app.controls import Controls, Field
from trustscope.app.parts import CARD, COMPARE, CONTROLS, Part, Shown
from trustscope.scenarios.parts import HEADLINE
from trustscope.scenarios.scenario import Scenario
from trustscope.widgets.beside import plots_of
from trustscope.widgets.frame.card import One, pictures
from trustscope.widgets.frame.closer import Closer
from trustscope.widgets.frame.headline import Headline
from trustscope.widgets.frame.two import Two


def closer_field(closer: Closer) -> Field:
    """The view that is open, as a part of the scenario; one that is not here is not open."""
    return Field("view.closer", closer, live="opened", write=lambda key: key if key in closer.keys else "")


class Showing(pn.viewable.Viewer, metaclass=Abstract):
    """The headline, the two pictures and what can be looked at closer; a `Dashboard` says what stands in them.

    Parameters
    ----------
    shown : which parts of the page may be seen
    """

    # The parts of the page by name: titles of the two pictures, titles and makers of what can be looked at closer, and
    # titles of the groups of controls.
    pictures: ClassVar[dict[str, str]] = {}
    closers: ClassVar[dict[str, tuple[str, Any]]] = {}
    experts: ClassVar[dict[str, tuple[str, Any]]] = {}
    groups: ClassVar[dict[str, str]] = {}

    controls: Controls
    closer: Closer  # where there is something to look at closer

    scenario: Any = param.ClassSelector(class_=Scenario, doc="What stands on the page.")
    info = param.String(default="", doc="What is loaded, for the bar.")
    drawn = param.Integer(default=0, doc="Counts the pictures that were drawn.")

    def __init__(self, shown: Shown, **params: Any):
        super().__init__(**params)
        self.shown = shown
        self.seen: Container[str] = shown  # the parts that are seen just now
        self.model: Any = None
        self.picture: Any = None
        self.headline = Headline()
        self._pair: Two | One | None = None
        self._first: dict[str, Any] = {}  # the views of the two pictures
        self._views: dict[str, Any] = {}  # those that were opened under "Look closer"
        self._beside: Showing | None = None
        self._letter, self._compared = "", False  # whether plots know of another one
        self._named = ("", 0)  # the data that pictures of so many views name

    @abstractmethod
    def draw_picture(self, picture: Any) -> None:
        """Draw a picture."""

    @abstractmethod
    def came_into_view(self) -> None:
        """Somebody has scrolled to what is under "Look closer"."""

    # What may be seen

    @classmethod
    def parts(cls) -> list[Part]:
        """All that a teacher's link may name."""
        closer = {key: title for views in (cls.closers, cls.experts) for key, (title, _) in views.items()}
        cards = [Part(key, title, CARD) for key, title in (cls.pictures | closer).items()]
        return [*cards, *(Part(key, title, CONTROLS) for key, title in cls.groups.items()), COMPARE]

    def make_pictures(self, *views: Any) -> Two | One:
        """The two pictures, as far as they may be seen."""
        self._first = dict(zip(("first", "second"), views, strict=True))
        self._pair = pictures(*(view for key, view in zip(self.pictures, views, strict=True) if key in self.shown))
        return self._pair

    def make_closer(self) -> Closer:
        """What can be looked at closer, as far as it may be seen; what is open is a part of the scenario."""

        def offered(views):
            return [(k, title, partial(self._made, k, kind)) for k, (title, kind) in views.items() if k in self.shown]

        closer = Closer(offered(self.closers), experts=offered(self.experts), told=self._looked)
        closer.visible = bool(closer.keys)
        closer.param.watch(lambda event: self.came_into_view() if event.new else None, "in_view")
        self.controls.add(closer_field(closer))
        return closer

    def _made(self, key: str, kind: Callable[..., Any]) -> Any:
        """A view that is opened for the first time."""
        return self.opened(key, kind())

    def opened(self, key: str, view: Any) -> Any:
        """A view was made; it is bound to the page where it says so, and shown what stands."""
        self._views[key] = view
        if key in ("tradeoff", "map", "differential"):
            view.bind(self)
        if self.picture is not None:
            self.show_closer(self.picture)
        self.view_made()
        return view

    def show_closer(self, picture: Any) -> None:
        """Draw the view under "Look closer" that the picture was made for."""
        view = self._views.get(picture.scenario.view.closer)
        if view is not None:
            view.show_picture(picture, self.model)

    def only(self, keys: Container[str]) -> None:
        """Of what may be seen show these parts alone, and hide the others: the steps of a lesson share a dashboard.

        A teacher's link shows the headline always; here it is a part with the name `HEADLINE`, and says its sentence
        and its number alone: a lesson speaks of one measure.
        """
        self.seen = keys
        with self.controls.silent():
            self.headline.param.update(visible=HEADLINE in keys, brief=True)
            self._shorten()
            self.controls.limit([key for key in self.groups if key in self.shown and key in keys])
            if self._pair is not None:
                self._pair.only([key in keys for key in self.pictures if key in self.shown])
                self.closer.only(keys)

    def _shorten(self) -> None:
        for view in self.views().values():
            if isinstance(view, CardView):
                view.shorten()

    def _looked(self, key: str, shown: bool) -> None:
        """Nothing is measured for a view that nobody looks at."""
        view = self.views().get(key)
        if not shown and view is not None and hasattr(view, "hide"):
            view.hide()

    # Beside a kept scenario

    @property
    def kept(self) -> tuple[tuple[str, Scenario], ...]:
        """The kept scenario that is drawn beside, under its letter, where it is of the same data."""
        other = self._beside
        if other is None or other.scenario.data != self.scenario.data:
            return ()
        return ((self._letter, other.scenario),)

    def views(self) -> dict[str, Any]:
        """The views that are built, by names that are the same on every dashboard of this page."""
        return {**self._first, **self._views}

    def view(self, key: str) -> Any:
        """The view of a card, by its name in links; None where it is not built."""
        places = dict(zip(self.pictures, ("first", "second"), strict=False))
        return self.views().get(places.get(key, key))

    def compare(self, other: "Showing | None", letter: str = "") -> None:
        """From now on draw faintly what another dashboard of this page shows, under its letter; None: nothing."""
        self._beside, self._letter, self._compared = other, letter, True
        self.redraw()

    def redraw(self) -> None:
        """Draw the picture that stands once more."""
        stale = self.headline.stale
        self._shown(self.picture)
        self.headline.stale = stale  # what comes is as far away as before

    def view_made(self) -> None:
        """A view was made and shown for the first time."""
        if self.seen is not self.shown:
            self._shorten()
        if self._beside is not None:
            self.redraw()
        else:
            self._name_data()
            self.drawn += 1

    def _lay(self) -> None:
        """Tell every plot which one it is compared with."""
        others = {} if self._beside is None else self._beside.views()
        for key, view in self.views().items():
            theirs = dict(plots_of(others[key])) if key in others else {}
            for name, plot in plots_of(view):
                plot.beside, plot.beside_called = theirs.get(name), self._letter
            kept = taken_of(others[key]) if key in others else []
            for place, taken in enumerate(taken_of(view)):
                taken.beside = kept[place] if place < len(kept) else None

    # Drawing

    def _shown(self, picture: Any) -> None:
        if picture is None or self.model is None:
            return
        self.picture = picture
        self.headline.stale = False
        if self._compared:
            self._show_beside(picture)
        else:
            self.draw_picture(picture)
        self._name_data()
        self.drawn += 1

    def _name_data(self) -> None:
        """Tell what can be taken along which data it is of, where that has changed or a view is new."""
        views = self.views()
        if self._named == (self.info, len(views)):
            return
        self._named = self.info, len(views)
        for view in views.values():
            for taken in taken_of(view):
                taken.about = self.info

    def _show_beside(self, picture: Any) -> None:
        built = len(self.views())
        self._lay()
        self.draw_picture(picture)
        if len(self.views()) > built:  # views that were made just now
            self._lay()
            self.draw_picture(picture)
        self._compared = self._beside is not None
