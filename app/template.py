"""The HTML around every page: its head, which is the same for all, and where its parts stand."""

from functools import cache
from pathlib import Path
from typing import ClassVar

import panel as pn
from panel.io.resources import parse_template

from trustscope.app.compat import controls_in_one_module, documents, registry
from trustscope.widgets import bundle

HERE = Path(__file__).parent


class OwnDesign(pn.theme.Native):
    """Panel's design for Panel's own widgets, of which we have text boxes; all other parts bring what they need.

    A browser would have to look at two links in each of some hundred parts, and lay out the page anew for each that it
    has read.
    """

    # What Panel sets when a part is put into a page.
    modifiers: ClassVar[dict] = {
        pn.viewable.Viewable: {"stylesheets": []},
        pn.widgets.Widget: pn.theme.Native.modifiers[pn.viewable.Viewable],
    }

    def params(self, viewable, doc=None):
        """What the design sets on a part that is made."""
        return super().params(viewable, doc) if isinstance(viewable, pn.widgets.Widget) else ({}, {})


def begin_page() -> None:
    """From now on the present document is one of ours, and what is made for it has our design."""
    document = pn.state.curdoc
    documents.adopt(document)
    if document is not None:  # without one it would be the design of whatever else a notebook shows
        pn.config.design = OwnDesign


class Template(pn.Template):
    """Panel's template, without three things that take long.

    Panel describes the template in words at each of its parts, for notebooks: here that is not needed. Bokeh looks
    through all that belongs to a document for each part that is put into it, and Panel sets the design for each: here
    both are done once for all of them.

    Parameters
    ----------
    body : the file of this folder that says what stands where
    styles : the files with its style
    """

    def __init__(self, body: str, *styles: str):
        super().__init__(_parsed("head.html", body))
        self.add_variable("css", _text(*styles))
        self.add_variable("patches", registry.scripts())
        self.add_variable("controls", bundle.address() if controls_in_one_module.offered() else "")

    def __repr__(self):
        return "Trustscope"

    def server_doc(self, doc=None, title=None, location=True):
        """Put all parts into a document, the present one where none is given."""
        document = doc or pn.state.curdoc
        if document is None:
            return super().server_doc(doc, title, location)
        documents.adopt(document)
        with document.models.freeze(), pn.config.set(design=self.design):
            return super().server_doc(document, title, location)


@cache
def _text(*files: str) -> str:
    """Files of this folder, read once for all visitors."""
    return "".join((HERE / file).read_text() for file in files)


@cache
def _parsed(*files: str):
    """The same as a template: reading it is a part of what an answer takes."""
    return parse_template(_text(*files))
