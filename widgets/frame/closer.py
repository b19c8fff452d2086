"""Look closer: a row of tabs over one place; a view is built when it is first opened, and exists only while shown.

Why not Panel's `Tabs` (1.9): even dynamic ones want all views beforehand. The ten of Trust take 0.9 s of the server
and 620 models, the first alone 0.15 s and 100; and a screen reader finds no tabs.
"""

from collections.abc import Callable, Container
from typing import Any

import panel as pn
import param

from trustscope.widgets.esm import Control, css, module
from trustscope.widgets.frame.skeleton import Skeleton


class Closer(Control):
    """Views behind tabs.

    Parameters
    ----------
    options : (key, title, build) for each view; `build()` returns it, and is called once, when it is first opened
    experts : the same for views in a second row, which "For experts" unfolds
    told : called with (key, True) when a view is shown and (key, False) when it is hidden, so that nobody computes or
        sends what nobody sees
    height : pixels that the place of a view keeps while it is built for the first time
    """

    opened = param.String(default="", doc="The key of the view that is shown; empty: none.")
    label = param.String(default="Look closer", doc="What stands before the tabs.")
    titles = param.List(default=[], doc="Key and title of each view.")
    expert_titles = param.List(default=[], doc="Key and title of each view for experts.")
    tabs_shown = param.Boolean(default=True, doc="Whether the tabs are there; a single view needs none.")
    in_view = param.Boolean(default=True, doc="Whether what it shows stands on the screen.")
    area = pn.custom.Child(doc="Where the view stands.")

    _esm = module("flow.js", "closer.js")
    _stylesheets = (css("controls.css"), css("closer.css"))

    def __init__(
        self, options, *, experts=(), told: Callable[[str, bool], None] | None = None, height: int = 300, **params
    ):
        self._builders = {key: (title, build) for key, title, build in (*options, *experts)}
        if len(self._builders) != len(options) + len(experts):
            raise ValueError("Two views of a Closer have the same key.")
        self._built: dict[str, Any] = {}
        self._told, self._height, self._shown = told or (lambda key, shown: None), height, ""
        self._area = pn.Column(sizing_mode="stretch_width", margin=0)
        self._titles = [[key, title] for key, title, _ in options]
        self._expert_titles = [[key, title] for key, title, _ in experts]
        super().__init__(titles=self._titles, expert_titles=self._expert_titles, area=self._area, **params)
        self.param.watch(lambda event: self._open(), "opened")
        self._open()

    @property
    def keys(self) -> frozenset[str]:
        """The keys of the views that are offered."""
        return frozenset(key for key, _ in (*self.titles, *self.expert_titles))

    def only(self, keys: Container[str]) -> None:
        """Offer these views alone; another one that is open is closed. A single one has no tabs."""
        if self.opened not in keys:
            self.opened = ""
        titles, experts = ([[k, t] for k, t in some if k in keys] for some in (self._titles, self._expert_titles))
        several = len(titles) + len(experts) > 1
        self.param.update(titles=titles, expert_titles=experts, tabs_shown=several, visible=bool(titles or experts))

    def _receive(self, data):
        if "in_view" in data:
            self.in_view = bool(data["in_view"])
            return
        key = str(data["opened"])
        if key == "" or key in self.keys:
            self.opened = key

    def _open(self):
        key = self.opened
        if key == self._shown:
            return
        if key and key not in self._builders:
            raise ValueError(f"There is no view {key!r}; there are {', '.join(self._builders)}.")
        before, self._shown = self._shown, key
        if before:
            self._area.clear()
            if before in self._built:
                self._told(before, False)
        if not key:
            return
        if key in self._built:
            self._place(key)
            return
        self._area[:] = [Skeleton(self._height, self._builders[key][0])]
        # The grey place goes out first: building may take a while. And what stands above comes first: while a browser
        # fetches the page, this waits until it stands.
        document = pn.state.curdoc
        if document is not None and document.session_context is not None and not pn.state.loaded:
            pn.state.onload(lambda: self._build(key))
        else:
            pn.state.execute(lambda: self._build(key), schedule=document is not None)

    def _build(self, key):
        if key != self._shown:  # somebody looked elsewhere meanwhile
            return
        try:
            self._built[key] = self._builders[key][1]()
        except Exception:
            self._area.clear()
            self._shown = self.opened = ""  # so that it can be tried again
            raise
        self._place(key)

    def _place(self, key):
        self._told(key, True)  # first, so that it comes with its picture
        self._area[:] = [self._built[key]]
