"""The address of the page: it follows the state, and Back and Forward are heard."""

from typing import ClassVar

import param

from trustscope.widgets.esm import Control, module


class Address(Control):
    """`query` is what stands behind the question mark. Setting it replaces the entry in the browser's history;
    `push` makes a new one. `visited` is the query that the person went back or forward to."""

    query = param.String(default="", doc="What the address should say.")
    pushes = param.Integer(default=0, doc="Counts new entries in the browser's history.")
    entry = param.List(default=["", 0], doc="Both together, for the script: apart they would come one after the other.")
    visited = param.String(default="", doc="The query that the browser went to.")
    visits = param.Integer(default=0, doc="Counts steps back and forward.")

    _esm = module("flow.js", "address.js")
    _rename: ClassVar = {"query": None, "pushes": None}  # Python's own; the script sees `entry`
    MOST = 20_000

    def __init__(self, **params):
        super().__init__(**{"sizing_mode": None, "width": 0, "height": 0, **params})
        self._enter()

    @param.depends("query", "pushes", watch=True)
    def _enter(self):
        self.entry = [self.query, self.pushes]

    def push(self, query: str) -> None:
        """A new entry in the browser's history."""
        self.pushes += 1  # first: the script looks at it when the query arrives
        self.query = query

    def _receive(self, data):
        self.param.update(visited=str(data["query"])[: self.MOST], visits=self.visits + 1)
