"""Every coalition at a glance: its error under two schemes, side by side."""

import numpy as np
import pandas as pd
import panel as pn
import param
from bokeh.models import Range1d

from trustscope import colours
from trustscope.widgets.drawing import Drawing
from trustscope.widgets.esm import module
from trustscope.widgets.figure import said
from trustscope.widgets.plot import GHOST_ALPHA, Plot

LISTED = 4  # up to this many recipients every coalition has its row; beyond, its dot


class CoalitionList(Drawing):
    """A table of coalitions with a bar for each scheme."""

    frame = param.Dict(default={}, doc="What seldom changes: seats, masks, schemes.")
    errors = param.List(default=[], item_type=float, doc="The errors of all masks, scheme by scheme.")
    ghost = param.List(default=[], item_type=float, doc="The errors in a kept scenario, or nothing.")
    chosen = param.Integer(default=0, doc="The mask of the coalition at work.")
    label = param.String(default="", doc="The accessible name of the table.")

    _esm = module("flow.js", "coalitions.js")

    def summary(self) -> str:
        """The error of everybody together."""
        table = self.table()
        if table.empty:
            return ""
        told = [f"{name}: {said(table[name].iloc[-1])}" for name, _ in self.frame["schemes"]]
        return f"The error of {table['coalition'].iloc[-1]} together is {', '.join(told)}."

    def table(self) -> pd.DataFrame:
        """A row for each coalition."""
        masks, seats = self.frame.get("masks", []), self.frame.get("seats", [])
        names = [", ".join(s["name"] for i, s in enumerate(seats) if m >> i & 1) for m in masks]
        columns = {"coalition": names}
        for kept, errors in (("", self.errors), (" (kept)", self.ghost)):
            for s, (name, _) in enumerate(self.frame.get("schemes", []) if errors else []):
                columns[f"{name}{kept}"] = errors[s * len(masks) : (s + 1) * len(masks)]
        return pd.DataFrame(columns)


class CoalitionDots(Plot):
    """A dot for every coalition and scheme, by how many are in it; a ring around the one at work."""

    def __init__(self, label: str, *, height: int = 236, y_label: str = "error of the guess"):
        self.x_range = Range1d(0.4, 5.6)
        super().__init__(
            label, height=height, x_label="how many collude", y_label=y_label, x_range=self.x_range,
            y_range=Range1d(0, 1),
        )  # fmt: skip
        dots, ghost, ring = (self.source(name, "x", "y", "colour") for name in ("dots", "ghost", "ring"))
        for source, alpha in ((ghost, GHOST_ALPHA / 2), (dots, 0.55)):
            self.figure.scatter(
                "x", "y", source=source, size=5, line_color=None, fill_alpha=alpha, fill_color="colour"
            )  # fmt: skip
        self.figure.scatter("x", "y", source=ring, size=13, fill_color=None, line_color="colour", line_width=2.5)
        self._errors, self._chosen = {}, 0

    def show(self, count: int, errors, chosen: int, *, ghost=None):
        """Draw the errors of all subsets of `count` recipients; `ghost` has those of a kept scenario."""
        self._errors, self._chosen = errors, chosen
        self.send("dots", _dots(errors))
        self.send("ghost", _dots(ghost or {}))
        here = chosen > 0
        self.send("ring", {
            "x": (chosen.bit_count() + _offsets(len(errors))).tolist() if here else [],
            "y": [float(of_all[chosen]) for of_all in errors.values()] if here else [],
            "colour": [colours.SCHEMES[name] for name in errors] if here else [],
        })  # fmt: skip
        self.x_range.end = count + 0.6
        self.tell()

    def summary(self) -> str:
        """The error of everybody together, and of the coalition at work."""
        told = []
        for name, of_all in self._errors.items():
            chosen = f", of the chosen ones {said(of_all[self._chosen])}" if self._chosen else ""
            told.append(f"{name}: the error of all together is {said(of_all[-1])}{chosen}")
        return f"{'; '.join(told)}." if told else ""

    def table(self) -> pd.DataFrame:
        """A row for each coalition; its members are the bits of its number."""
        masks = np.arange(1, len(next(iter(self._errors.values()), [0])))
        columns = {"coalition": masks, "members": np.bitwise_count(masks.astype(np.uint32))}
        return pd.DataFrame(columns | {name: np.asarray(of_all)[masks] for name, of_all in self._errors.items()})


def _offsets(schemes: int) -> np.ndarray:
    return np.linspace(-0.2, 0.2, schemes) if schemes > 1 else np.zeros(schemes)


def _dots(errors) -> dict:
    """Places of the dots of every coalition, scheme by scheme."""
    if not errors:
        return {"x": [], "y": [], "colour": []}
    masks = np.arange(1, len(next(iter(errors.values()))))
    size = np.bitwise_count(masks.astype(np.uint32)).astype(float)
    spread = ((masks * 0.6180339887) % 1 - 0.5) * 0.34  # low discrepancy: dots lie apart without chance
    return {
        "x": (size + spread + _offsets(len(errors))[:, None]).ravel(),
        "y": np.concatenate([of_all[masks] for of_all in errors.values()]),
        "colour": [colours.SCHEMES[name] for name in errors for _ in masks],
    }


class Coalitions(pn.viewable.Viewer):
    """Bars for each of up to 15 coalitions; for more recipients a cloud of dots by coalition size."""

    def __init__(self, label: str, *, height: int = 236, y_label: str = "error of the guess"):
        super().__init__()
        self.list = CoalitionList(label=label)
        self.dots = CoalitionDots(label, height=height, y_label=y_label)
        self._cloud = self.dots.__panel__()
        self._cloud.visible = False
        self._layout = pn.Column(self.list, self._cloud, sizing_mode="stretch_width", margin=0)

    def show(self, recipients, errors, chosen: int, *, ghost=None):
        """Draw the errors of all subsets.

        Parameters
        ----------
        recipients : sequence of objects with `name`, `initial` and `colour`
        errors : dict of scheme to an array of 2^M errors, indexed by bit mask
        chosen : the mask of the coalition at work (0: none)
        ghost : the errors of a kept scenario
        """
        few = len(recipients) <= LISTED
        if self._cloud.visible == few:
            self.list.visible, self._cloud.visible = few, not few
        if few:
            self._show_list(recipients, errors, chosen, ghost)
        else:
            self.dots.show(len(recipients), errors, chosen, ghost=ghost)

    @property
    def seen(self):
        """The one in view: what is downloaded."""
        return self.list if self.list.visible else self.dots

    def summary(self) -> str:
        """Of the one in view."""
        return self.seen.summary()

    def table(self) -> pd.DataFrame:
        """Of the one in view."""
        return self.seen.table()

    def _show_list(self, recipients, errors, chosen, ghost):
        count = len(recipients)
        masks = sorted(range(1, 2**count), key=lambda m: (m.bit_count(), _reversed_bits(m, count)))
        self.list.param.update(
            frame={
                "seats": [{"initial": r.initial, "colour": r.colour, "name": r.name} for r in recipients],
                "masks": masks,
                "schemes": [[name, colours.SCHEMES[name]] for name in errors],
            },
            errors=_in_order(errors, masks),
            ghost=_in_order(ghost, masks) if ghost else [],
            chosen=chosen,
        )

    def __panel__(self):
        return self._layout


def _in_order(errors, masks) -> list[float]:
    return np.round(np.concatenate([np.asarray(of_all)[masks] for of_all in errors.values()]), 5).tolist()


def _reversed_bits(mask: int, count: int) -> int:
    """Sorts coalitions of one size as words are sorted: AB, AC, BC."""
    return -int(f"{mask:0{count}b}"[::-1], 2)
