"""A control that the server has added to an open page is named in messages to it, and not sent back whole.

Bokeh takes such a model for one that the server does not know yet, and sends all of it back with its first message:
of a gallery every picture. The server then warns "reference already known".
"""

from trustscope.app.compat.patch import Part, Patch

PATCH = Patch(
    name="known_models",
    gain="bytes of the first message of a control: 76 % fewer",
    versions={"bokeh": ("3.9", "3.11")},
    parts=(
        Part("bokeh.js:Document.create_json_patch", "b3894ea9f784"),
        Part("bokeh.js:Document._apply_json_patch", "b7b84ff455cf"),
        Part("bokeh.js:ModelEvent.event_values", "b513edf60634"),
    ),
    script="known_models.js",
)
