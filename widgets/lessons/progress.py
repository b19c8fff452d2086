"""What the browser remembers of lessons: how far each one was gone, what was predicted, and the visitor's own ones."""

import param

from trustscope.widgets.esm import Control, module


class Progress(Control):
    """`found` is what the browser had when the page was opened; `kept` is what it is to remember from now on."""

    found = param.Dict(default=None, allow_None=True, doc="What was remembered; None before the browser has said so.")
    lessons = param.Dict(default={}, doc="The texts of own lessons that the browser had, by their names.")
    draft = param.String(default="", doc="The lesson that was being written, as a text; empty: none.")
    before = param.String(default="", doc="The lesson that another one took the place of, as a text; empty: none.")
    kept = param.Dict(default=None, allow_None=True, doc="What is to be remembered; None: what is there stays.")
    kept_lessons = param.Dict(default=None, allow_None=True, doc="Own lessons to be remembered; None: as it is.")
    kept_draft = param.String(default=None, allow_None=True, doc="The lesson that is being written; None: as it is.")

    kept_before = param.String(default=None, allow_None=True, doc="The one before that; None: as it is.")

    _esm = module("flow.js", "progress.js")
    _rename = {"found": None, "lessons": None, "draft": None, "before": None}  # noqa: RUF012

    def __init__(self, **params):
        super().__init__(**{"sizing_mode": None, "width": 0, "height": 0, **params})

    def _receive(self, data):
        found, lessons, draft = data["found"], data.get("lessons"), data.get("draft")
        texts = lessons.items() if isinstance(lessons, dict) else ()
        self.lessons = {name: text for name, text in texts if isinstance(text, str)}
        self.draft = draft if isinstance(draft, str) else ""
        before = data.get("before")
        self.before = before if isinstance(before, str) else ""
        self.found = found if isinstance(found, dict) else {}

    def go(self, path: str) -> None:
        """Send the browser to another page of this server."""
        self._send_msg({"go": path})
