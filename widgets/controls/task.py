"""Work that takes a while: a progress bar, a line of text, and a button that starts or stops it.

Of Panel's parts (1.9) it would be three in a column: 1.4 kB of messages and 45 elements, instead of 0.5 kB and 14.
"""

import param

from trustscope.widgets.esm import Control, module


class Task(Control):
    """`starts` and `stops` count the presses; the app sets `running`, `fraction` and `text`."""

    label = param.String(default="", doc="The accessible name of the progress bar.")
    text = param.String(default="", doc="Where things stand.")
    fraction = param.Number(default=0.0, bounds=(0, 1), doc="How much is done.")
    running = param.Boolean(default=False, doc="Whether it is under way.")
    disabled = param.Boolean(default=False, doc="Whether it can be started.")
    start_text = param.String(default="Start", doc="The button while nothing runs.")
    stop_text = param.String(default="Stop", doc="The button while it runs.")
    primary = param.Boolean(default=False, doc="Whether starting it is what most people want next.")
    bare = param.Boolean(default=False, doc="Whether nothing but the button is shown before it is first started.")
    away = param.Boolean(default=False, doc="Whether it is out of sight, as soon as the focus is elsewhere.")
    starts = param.Integer(default=0, doc="How often it was started.")
    stops = param.Integer(default=0, doc="How often it was stopped.")

    _esm = module("flow.js", "task.js")

    def _receive(self, data):
        if data["what"] == "start" and not self.disabled:
            self.starts += 1
        elif data["what"] == "stop":
            self.stops += 1
