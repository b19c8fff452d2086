"""The bar at the top: the dashboards, what is loaded, the theme, the help."""

import param

from trustscope.widgets.esm import Control, css, module


class Bar(Control):
    """Page header. `page` is the dashboard that is open."""

    brand = param.String(default="Trustscope", doc="The name at the left.")
    pages = param.List(default=[], item_type=str, doc="Names of the dashboards.")
    page = param.String(default="", doc="The one that is open.")
    info = param.String(default="", doc="What is loaded, in words.")
    help_html = param.String(default="", doc="The help, written by us: it is shown as HTML.")

    _esm = module("flow.js", "theme.js", "bar.js")
    _stylesheets = (css("bar.css"),)

    def _receive(self, data):
        if data["page"] in self.pages:
            self.page = data["page"]
