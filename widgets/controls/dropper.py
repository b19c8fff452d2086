"""A place to drop one file.

Why not Panel's `FileDropper` (1.9): it brings FilePond, eight files of 274 kB to every page that may show it, and 42
elements instead of 13.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import ClassVar

import panel as pn
import param

from trustscope.widgets.esm import Control, module

QUIET = 60.0  # seconds without another piece, after which those that are here are let go
SILENT = "The file stopped arriving for a minute, and what was here of it is gone; drop it again."


class Dropper(Control):
    """Takes a file in pieces, one on its way at a time, as large as go within some seconds.

    `file` becomes (name, content) when all of it is here; `refused` becomes (name, bytes) when it is larger than
    `most`, which the browser checks before it sends anything and the server while it receives. `declined` becomes a
    sentence when the file may not be kept for another reason.

    Parameters
    ----------
    may_keep : callable, optional
        Asked before so many bytes of the file that is arriving are kept; gives a sentence where they may not be. It
        is told 0 when they are let go. Whoever takes the whole file over says itself how long it is kept.
    """

    file = param.ClassSelector(class_=tuple, default=(), doc="Name and content of the file dropped last.")
    refused = param.ClassSelector(class_=tuple, default=(), doc="Name and size of a file that is too large.")
    declined = param.String(default="", doc="Why a file was not taken that is not too large.")
    started = param.Integer(default=0, doc="Counts the files that have begun to arrive.")
    label = param.String(default="Drop a file, or browse", doc="What is written in the place.")
    accept = param.String(default="", doc="Endings that the file chooser offers.")
    most = param.Integer(default=200 * 10**6, bounds=(1, None), doc="The most bytes that are taken.")
    piece = param.Integer(default=4 * 10**6, bounds=(1, None), doc="Bytes sent at a time; fewer on slow lines.")

    _esm = module("flow.js", "dropper.js")
    _rename: ClassVar = {"file": None, "refused": None, "declined": None, "started": None}

    def __init__(self, may_keep: Callable[[int], str] = lambda size: "", **params):
        super().__init__(**params)
        self._may_keep = may_keep
        self._pieces: list[bytes] = []
        self._size = 0
        self._open = self._silent = False  # whether a file is arriving; whether one was let go that may still go on
        self._arrived = 0.0  # when the last piece came
        self._waiting = False

    def _receive(self, data):
        name = str(data["name"])
        if data["kind"] == "refused":
            self._refuse(name, int(data["size"]))
            return
        if data["first"]:
            self._let_go()
            self._open, self._silent = True, False
            self.started += 1
        if self._silent:
            self._decline(SILENT)
        # A script that is not ours may send a number, of which `bytes` would make as many zeros.
        if not self._open or not isinstance(data["content"], bytes | memoryview):
            return
        content = bytes(data["content"])
        self._size += len(content)
        if self._size > self.most:
            self._refuse(name, self._size)
        elif sentence := self._may_keep(self._size):
            self._decline(sentence)
        else:
            self._pieces.append(content)
            self._wait()
            if data["last"]:
                self._hand_over(name)

    def _hand_over(self, name):
        whole = b"".join(self._pieces)
        self._close()
        self.file = (name, whole)
        self.file = ()  # handed over: nobody needs it twice

    def _refuse(self, name, size):
        self._let_go()
        self.refused = (name, size)
        self.refused = ()

    def _decline(self, sentence):
        self._let_go()
        self.declined = sentence
        self.declined = ""

    def _wait(self):
        """Let go of the file if nothing more of it comes."""
        self._arrived = time.monotonic()
        page = pn.state.curdoc
        if not self._waiting and page is not None and page.session_context is not None:  # else nobody is served
            page.on_session_destroyed(self._left)
            self._look_after(page, QUIET)

    def _look_after(self, page, seconds):
        self._waiting = True
        page.add_timeout_callback(partial(self._look, page), round(1_000 * seconds) + 1)

    def _look(self, page):
        """Let go of a file of which nothing came for a minute; of others, look again."""
        self._waiting = False
        left = self._arrived + QUIET - time.monotonic()
        if self._open and left > 0:
            self._look_after(page, left)
        elif self._open:
            self._let_go()
            self._silent = True  # the page is told with the next piece: nothing has asked for it just now

    def _left(self, context):
        """Whoever sent it has gone: the timer would keep the pieces for a minute."""
        self._let_go()

    def _let_go(self):
        """Keep nothing of what is arriving."""
        if self._open:
            self._may_keep(0)
        self._close()

    def _close(self):
        self._pieces, self._size, self._open, self._silent = [], 0, False, False
