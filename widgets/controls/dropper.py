"""A place to drop one file.

Why not Panel's `FileDropper` (1.9): it brings FilePond, eight files of 274 kB to every page that may show it, and 42
elements instead of 13.
"""

from typing import ClassVar

import param

from trustscope.widgets.esm import Control, module


class Dropper(Control):
    """Takes a file in pieces, one on its way at a time.

    `file` becomes (name, content) when all of it is here; `refused` becomes (name, bytes) when it is larger than
    `most`, which the browser checks before it sends anything and the server while it receives.
    """

    file = param.ClassSelector(class_=tuple, default=(), doc="Name and content of the file dropped last.")
    refused = param.ClassSelector(class_=tuple, default=(), doc="Name and size of a file that is too large.")
    started = param.Integer(default=0, doc="Counts the files that have begun to arrive.")
    label = param.String(default="Drop a file, or browse", doc="What is written in the place.")
    accept = param.String(default="", doc="Endings that the file chooser offers.")
    most = param.Integer(default=200 * 10**6, bounds=(1, None), doc="The most bytes that are taken.")
    piece = param.Integer(default=4 * 10**6, bounds=(1, None), doc="Bytes sent at a time.")

    _esm = module("flow.js", "dropper.js")
    _rename: ClassVar = {"file": None, "refused": None, "started": None}

    def __init__(self, **params):
        super().__init__(**params)
        self._pieces, self._size = [], 0

    def _receive(self, data):
        name = str(data["name"])
        if data["kind"] == "refused":
            self._refuse(name, int(data["size"]))
            return
        if data["first"]:
            self._pieces, self._size = [], 0
            self.started += 1
        content = data["content"]
        if not isinstance(content, bytes | memoryview):  # of a number, `bytes` would make so many
            raise TypeError("a piece of a file is bytes")
        content = bytes(content)
        self._size += len(content)
        if self._size > self.most:
            self._refuse(name, self._size)
            return
        self._pieces.append(content)
        if data["last"]:
            whole, self._pieces = b"".join(self._pieces), []
            self.file = (name, whole)
            self.file = ()  # handed over: nobody needs it twice

    def _refuse(self, name, size):
        self._pieces = []
        self.refused = (name, size)
        self.refused = ()
