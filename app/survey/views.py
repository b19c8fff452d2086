"""The cards of a running survey: each draws its part of a frame."""

from typing import Any

import numpy as np

from trustscope import colours
from trustscope.app.cards import CardView
from trustscope.looks import looks_of
from trustscope.scenarios.survey import words
from trustscope.scenarios.survey.cards import DIRECTIONS
from trustscope.scenarios.words import share
from trustscope.widgets.scenes.arrivals import Arrival, Arrivals
from trustscope.widgets.scenes.bars import Bars, Mark
from trustscope.widgets.scenes.heat import Heat

CLEAR_KIND = ("in the clear", colours.CLEAR)


class ArrivalsView(CardView):
    """The latest respondents: who, what is true, what was sent."""

    def __init__(self):
        self._parts: tuple[Any, ...] = ()
        label = "The latest respondents: true answers, and what was sent of them"
        super().__init__("survey", "arrivals", Arrivals(label=label))

    def load(self, people, parts):
        """Other questions, or other kinds."""
        kinds = [(part.name, part.colour) for part in parts]
        self.plot.ask(people.encoding.questions, people.encoding.answers, [*kinds, CLEAR_KIND])

    def show_picture(self, picture, model):
        """Draw the latest; where nobody came yet, the questions stand alone."""
        frame = picture.frame
        self._parts = frame.settings.parts
        self.load(model.people, self._parts)
        self.plot.draw([
            Arrival(max(p.number, 0), p.kind if p.kind >= 0 else len(self._parts), _note(p), p.truth,
                    () if p.sent is None else p.sent)
            for p in frame.people
        ])  # fmt: skip
        super().show_picture(picture, model)
        self.plot.visible = True

    def draw(self, table, picture, model):
        """Nothing: what is drawn is more than the table."""

    def legend(self, table):
        """The kinds, and how answers were sent."""
        return [*((part.name, part.colour, "dot") for part in self._parts), *words.SENT]


class GuidanceView(CardView):
    """What the miner asks for, as shades over the questions."""

    def __init__(self):
        self._parts: tuple[Any, ...] = ()
        super().__init__("survey", "guidance", Heat(label="How much every direction weighs every question"))

    def draw(self, table, picture, model):
        """Draw the guidance in force."""
        frame = picture.frame
        self._parts = frame.settings.parts
        shades = looks_of(table).more["shades"][:, :DIRECTIONS]
        columns = [
            (str(c + 1), [p.colour for p, f in zip(self._parts, frame.kinds, strict=True) if f.level > c])
            for c in range(shades.shape[1])
        ]
        self.plot.draw(table["question"], columns, shades, table["heaviest answer"], limit=frame.bound,
                       bar_name="heaviest answer")  # fmt: skip

    def legend(self, table):
        """Who follows."""
        return [(f"followed by {part.name}", part.colour, "dot") for part in self._parts]


class DisclosureView(CardView):
    """What each kind gives away, beside the bound."""

    ticks = ("the paper's bound",)

    def __init__(self):
        label = "Share of what there is to know that each kind gives away"
        super().__init__("survey", "disclosure", Bars(label=label))

    def draw(self, table, picture, model):
        """Draw a bar for each kind, for all, and for the randomisation."""
        given, bound = looks_of(table).series.values()
        shares, halves = table["given away"].to_numpy(), 1.96 * table["standard error"].fillna(0).to_numpy()
        spans = np.stack([np.maximum(shares - halves, 0), shares, np.minimum(shares + halves, 1)], axis=1)
        kinds = picture.frame.kinds
        limits = table["the paper's bound"].astype(float).fillna(-1)
        self.plot.draw(
            table["kind"],
            [
                Mark("given away", "bar", given.colour, shares),
                Mark("measured, with its range", "range", given.colour, np.where(halves[:, None] > 0, spans, -1)),
                *([] if self.brief else [Mark("the paper's bound", "tick", bound.colour, limits)]),
            ],
            top=1.0, texts=[*(_given(kind, self.brief) for kind in kinds), *map(share, shares[len(kinds) :])],
            flagged=[i for i, figures in enumerate(kinds) if figures.broken], fill=150,
        )  # fmt: skip

    def legend(self, table):
        """In a lesson what is given away alone."""
        return super().legend(table)[: 1 if self.brief else None]


class TargetView(CardView):
    """One question, and what a malicious miner would gain."""

    KNOWS = ("", "", "honest", "outright", "hidden")  # whose guess each row is

    def __init__(self):
        super().__init__("survey", "target", Bars(label="How often one question's answer is guessed"), twenty=True)

    def draw(self, table, picture, model):
        """Draw the ways of guessing; in a lesson those of the miner that it speaks of."""
        miner = picture.frame.settings.miner
        whose = [one for one in self.KNOWS[: len(table)] if not self.brief or one in ("", miner)]
        table = table[[one in whose for one in self.KNOWS[: len(table)]]]
        guessed = table["guessed right"]
        self.plot.draw(
            table["the miner"], [Mark("guessed right", "solid", colours.GUESS, guessed)], top=1.0,
            texts=[f"{share(guess)} right" for guess in guessed],
            flagged=[i for i, one in enumerate(whose) if one == miner], fill=150,
        )  # fmt: skip


def _note(person) -> str:
    if person.kind < 0:
        return "in the clear"
    if person.sent is None:
        return "refused"
    return f"follows {person.level}"


def _given(figures, brief: bool) -> str:
    if figures.refuses:
        return "refuse"
    if figures.silent:
        return "nothing"
    if brief:
        return share(figures.share)
    return f"{share(figures.share)}, bound {share(figures.bound)}"
