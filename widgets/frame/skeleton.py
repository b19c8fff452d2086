"""A grey place of a card's size, while its first picture is computed."""

from html import escape

import panel as pn

from trustscope.widgets.esm import css

CSS = css("skeleton.css")


class Skeleton(pn.viewable.Viewer):
    """What will stand here is on its way.

    Parameters
    ----------
    height : pixels, as many as the card will take, so that nothing jumps when it comes
    title : its title, where it is known already
    bare : without the surface of a card, to stand within one
    """

    def __init__(self, height: int = 300, title: str = "", *, bare: bool = False):
        super().__init__()
        head = f"<h2>{escape(title)}</h2>" if title else '<i style="width: 34%"></i>'
        name = f"{title} is on its way" if title else "On its way"
        html = (
            f'<div class="skeleton{" bare" if bare else ""}" role="group" aria-busy="true" aria-label="{escape(name)}" '
            f'style="--tall: {height}px">{head}<i style="width: 72%"></i><i class="picture"></i></div>'
        )
        self._pane = pn.pane.HTML(html, stylesheets=[CSS], sizing_mode="stretch_width", margin=0)

    def __panel__(self):
        return self._pane
