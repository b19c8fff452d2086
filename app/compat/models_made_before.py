"""The models of a page that is turned to are made in the thread that builds it, and not on the server's loop.

Panel makes the models of a part when the part is put into its place, under the document's lock, while nobody else is
served. Made before, it finds them there.
"""

import panel as pn

from trustscope.app.compat.patch import Part, Patch


def make(place: pn.Column, part: pn.viewable.Viewable | pn.viewable.Viewer) -> None:
    """Make the models of a part of the page that will be put into a place: Panel then finds them there."""
    if not PATCH.on or not isinstance(part, pn.viewable.Viewable):  # Panel makes one of it when it is put there
        return
    for ref, (model, _) in place._models.items():
        if ref in pn.state._views and ref not in pn.state._fake_roots:
            _, root, document, comm = pn.state._views[ref]
            part._get_model(document, root, model, comm)


PATCH = Patch(
    name="models_made_before",
    gain="putting a page into its place, on the server's loop: 76 % less",
    versions={"panel": ("1.9", "1.10")},
    parts=(
        Part("panel.layout.base:Panel._get_objects", "f37f43644fde"),
        Part("panel.layout.base:Panel._get_model", "312260f21101"),
        Part("panel.template.base:BaseTemplate._init_doc", "6ca82346d95d"),
    ),
)
