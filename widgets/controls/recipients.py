"""The recipients: who holds a copy, how far each is trusted, and who colludes."""

from collections.abc import Callable
from itertools import pairwise
from typing import ClassVar

import param

from trustscope.widgets.esm import Control, module


class Recipients(Control):
    """A list with a tick (in the coalition), a name and a slider for each recipient.

    `value` follows every movement; `settled` is the same tuple when the person has let go. Each recipient has
    `number`, `name`, `trust` (per cent), `member` and `colour`, and is never changed.

    Parameters
    ----------
    make : makes a recipient from number, name, trust and member
    describe : turns a trust percentage into the small text beside it
    """

    value = param.ClassSelector(class_=tuple, default=(), doc="The recipients as dragged.")
    settled = param.ClassSelector(class_=tuple, default=(), doc="The recipients when let go.")
    rows = param.List(default=[], doc="What the script draws; follows `value`.")
    least = param.Integer(default=2, bounds=(1, None), doc="Fewer recipients than this cannot be.")
    most = param.Integer(default=12, bounds=(1, None), doc="More recipients than this cannot be.")
    start = param.Integer(default=1, doc="The least trust, in per cent.")
    end = param.Integer(default=100, doc="The greatest trust, in per cent.")
    step = param.Number(
        default=1, bounds=(0, None), inclusive_bounds=(False, True), doc="To what trust is rounded, in per cent."
    )
    risks = param.Dict(
        default={},
        doc="By number, what positions would mean: `runs` of [first, last, kept], `figure`, and `told` in words.",
    )
    names = param.List(default=[], item_type=str, doc="What new recipients are called, in this order.")
    noun = param.String(default="Trust", doc="What the slider sets.")
    quiet = param.Boolean(default=False, doc="Whether what a trust means is said only to who points at its slider.")

    _esm = module("flow.js", "recipients.js")
    _rename: ClassVar = {
        "value": None,
        "settled": None,
        "names": None,
        "risks": None,
    }  # Python's own; the script sees `rows`

    def __init__(self, make: Callable, describe: Callable[[int], str] = lambda trust: "", **params):
        self._make, self._describe, self._receiving = make, describe, False
        super().__init__(**params)
        self.settled = self.value
        self._draw()

    @param.depends("value", "risks", watch=True)
    def _follow(self):
        if not self._receiving:  # otherwise it goes with the answer
            self._draw()

    def _draw(self):
        self.rows = [
            {
                "id": r.number,
                "name": r.name,
                "trust": r.trust,
                "member": r.member,
                "colour": r.colour,
                "detail": self._describe(r.trust),
                "risk": self.risks.get(r.number),
            }
            for r in self.value
        ]

    def _answered(self, number):
        self._draw()
        super()._answered(number)

    def _receive(self, data):
        self._receiving = True
        try:
            self._take_in(data)
        finally:
            self._receiving = False

    def _take_in(self, data):
        changes = {
            "trust": self._trust,
            "member": self._member,
            "name": self._name,
            "add": self._add,
            "remove": self._remove,
        }
        value = changes[data["kind"]](data)
        done = data.get("done", True)
        self.value = value
        if done and self.settled == value:
            self.param.trigger("settled")  # let go where it began counts too
        elif done:
            self.settled = value

    def _edit(self, data, **changes):
        return tuple(self._changed(r, **changes) if r.number == data["id"] else r for r in self.value)

    def _changed(self, recipient, **changes):
        parts = {name: getattr(recipient, name) for name in ("number", "name", "trust", "member")}
        return self._make(**(parts | changes))

    def _member(self, data):
        return self._edit(data, member=bool(data["value"]))

    def _trust(self, data):
        places = round(data["value"] / self.step)
        trust = round(places * self.step, 6)
        return self._edit(data, trust=min(max(int(trust) if trust == int(trust) else trust, self.start), self.end))

    def _name(self, data):
        name = " ".join(str(data["value"]).split())[:24]
        taken = {r.name for r in self.value if r.number != data["id"]}
        if not name or name in taken:
            return self.value  # the script shows the old name again
        return self._edit(data, name=name)

    def _remove(self, data):
        rest = tuple(r for r in self.value if r.number != data["id"])
        return rest if len(rest) >= self.least else self.value

    def _add(self, data):
        if len(self.value) >= self.most:
            return self.value
        used = {r.number for r in self.value}
        number = next(n for n in range(self.most) if n not in used)
        taken = {r.name for r in self.value}
        offered = (*self.names[number:], *self.names, *(f"Recipient {n}" for n in range(1, self.most + 1)))
        name = next(n for n in offered if n not in taken)
        return (*self.value, self._make(number=number, name=name, trust=_gap({r.trust for r in self.value})))


def _gap(taken: set[int]) -> int:
    """A trust in the middle of the widest gap between those that are taken (from 10 to 90 %)."""
    ends = sorted({10, 90} | taken)
    low, high = max(pairwise(ends), key=lambda pair: pair[1] - pair[0])
    return (low + high) // 2
