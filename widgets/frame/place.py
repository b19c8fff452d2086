"""Places of a layout that change: for one of several views that take turns, and for what is not shown at first."""

import panel as pn


class Place(pn.Column):
    """A column whose children are put there, and stay while the same ones are asked for.

    Panel rebuilds a layout at every assignment, equal or not, which costs more than drawing all pictures of a page.
    """

    def __init__(self, *children, **params):
        super().__init__(*children, **{"sizing_mode": "stretch_width", "margin": 0, **params})
        self._standing = children

    def put(self, *children) -> None:
        """Let these stand here."""
        if len(children) != len(self._standing) or any(
            new is not old for new, old in zip(children, self._standing, strict=True)
        ):
            self[:] = list(children)
            self._standing = children


class Later(pn.Column):
    """A column that can be hidden; the browser gets what stands in it when it is first shown.

    Parameters
    ----------
    children : what stands in it
    """

    def __init__(self, *children, **params):
        super().__init__(visible=False, sizing_mode="stretch_width", margin=0, **params)
        self._waiting = children
        self.param.watch(lambda event: self._fill(), "visible")

    def _fill(self):
        if self.visible and self._waiting:
            self[:], self._waiting = list(self._waiting), ()
