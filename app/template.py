"""The HTML around every page: its head, which is the same for all, and where its parts stand."""

from pathlib import Path

import panel as pn

from trustscope.widgets import bundle

HERE = Path(__file__).parent


class Page(pn.Template):
    """Panel's template, without three things that take long.

    Panel describes the template in words at each of its parts, for notebooks: here that is not needed. Bokeh looks
    through all that belongs to a document for each part that is put into it, and Panel sets the design for each: here
    both are done once for all of them (see also app/process.py).

    Parameters
    ----------
    body : the file of this folder that says what stands where
    styles : the files with its style
    """

    def __init__(self, body: str, *styles: str):
        super().__init__((HERE / "head.html").read_text() + (HERE / body).read_text())
        self.add_variable("css", "".join((HERE / style).read_text() for style in styles))
        self.add_variable("start", (HERE / "start.js").read_text())
        self.add_variable("controls", bundle.address() if bundle.offered else "")

    def __repr__(self):
        return "Trustscope"

    def _init_doc(self, doc=None, *arguments, **options):
        document = doc or pn.state.curdoc
        if document is None:
            return super()._init_doc(doc, *arguments, **options)
        with document.models.freeze(), pn.config.set(design=self.design):
            return super()._init_doc(document, *arguments, **options)
