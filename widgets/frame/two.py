"""The two pictures that a page opens with, side by side where there is room."""

from collections.abc import Sequence

import panel as pn
import param

from trustscope.widgets.esm import Control, css, module

# Panel puts a button for scrolling among the children once these change: it would take a row of its own.
PLACE_CSS = """
:host { display: grid !important; height: 100% !important; }
:host > * { align-self: stretch !important; height: auto !important; }
.scroll-button { display: none !important; }
"""


class Two(Control):
    """Two places for cards, equally tall.

    Bokeh computes the layout of figures from the top of a page down, and does not find those that lie below a place
    without figures among places with some (the views of a `Closer` below pictures that are figures). This control
    stands between, so that figures inside it and beside it are laid out each by themselves.

    Parameters
    ----------
    cards : the two cards; `place` puts another one in their stead
    """

    first = pn.custom.Child(doc="The place of the first card.")
    second = pn.custom.Child(doc="The place of the second card.")
    shown = param.List(default=[True, True], doc="Whether each of them is seen; one alone takes all the room.")

    _esm = module("flow.js", "two.js")
    _stylesheets = (css("controls.css"), css("two.css"))

    def __init__(self, *cards, **params):
        self._places = [
            pn.Column(card, stylesheets=[PLACE_CSS], sizing_mode="stretch_width", margin=0) for card in cards
        ]
        super().__init__(first=self._places[0], second=self._places[1], **{"margin": (12, 0), **params})

    def only(self, shown: Sequence[bool]) -> None:
        """Show the first card, the second, both or none; what is hidden stays as it is."""
        self.param.update(shown=[bool(one) for one in shown], visible=any(shown))

    def place(self, number: int, card) -> None:
        """Put a card into the first place (0) or the second (1)."""
        self._places[number][:] = [card]
