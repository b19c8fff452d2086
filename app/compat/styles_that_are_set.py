"""Plots look up only the styles that our style sheets name.

Bokeh asks the browser for the style of every line and text that it draws, each time, in case a style sheet says
something of it.
"""

from trustscope.app.compat.patch import Part, Patch

PATCH = Patch(
    name="styles_that_are_set",
    gain="steps of a slider, with a plot of Bokeh in sight: 10 % less of the browser's main thread",
    versions={"bokeh": ("3.9", "3.10")},
    parts=(Part("bokeh.js:VisualProperties._get_css_value", "a9ecd4a7f7cf"),),
    script="styles_that_are_set.js",
)
