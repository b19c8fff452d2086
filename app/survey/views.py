"""The cards of a running survey: each draws its part of a frame."""

import numpy as np
import panel as pn

from trustscope import colours
from trustscope.app.survey import help as texts
from trustscope.scenarios.survey import words
from trustscope.scenarios.words import share
from trustscope.widgets.arrivals import Arrival, Arrivals
from trustscope.widgets.bars import Bars, Mark
from trustscope.widgets.card import Card
from trustscope.widgets.heat import Heat
from trustscope.widgets.tracks import Track, Tracks

CLEAR_KIND = ("in the clear", colours.CLEAR)
MOST_COLUMNS = 12  # directions that the heat map has room for
ACCURACY = colours.RECIPIENTS[0]
FROM = 4  # where the axes begin: they grow tenfold from tick to tick, and have no 0


class ArrivalsView(pn.viewable.Viewer):
    """The latest respondents: who, what is true, what was sent."""

    def __init__(self):
        super().__init__()
        self.list = Arrivals(label="The latest respondents: true answers, and what was sent of them")
        self.card = Card("Respondents arriving", self.list, help_text=texts.ARRIVALS, saved=self.list)

    def load(self, people, parts):
        """Other questions, or other kinds."""
        kinds = [(part.name, part.colour) for part in parts]
        self.list.ask(people.encoding.questions, people.encoding.answers, [*kinds, CLEAR_KIND])

    def show(self, frame, people):
        """Draw the latest."""
        parts = frame.settings.parts
        self.load(people, parts)
        self.list.show(
            [
                Arrival(
                    max(p.number, 0),
                    p.kind if p.kind >= 0 else len(parts),
                    _note(p),
                    p.truth,
                    () if p.sent is None else p.sent,
                )
                for p in frame.people
            ]
        )
        kinds = [(part.name, part.colour, "dot") for part in parts]
        self.card.say(words.arrivals(frame, people), [*kinds, *words.SENT])

    def __panel__(self):
        return self.card.__panel__()


class GuidanceView(pn.viewable.Viewer):
    """What the miner asks for, as shades over the questions."""

    def __init__(self):
        super().__init__()
        self.heat = Heat(label="How much every direction weighs every question")
        self.card = Card("What the miner asks for", self.heat, help_text=texts.GUIDANCE, saved=self.heat)

    def show(self, picture, people):
        """Draw the guidance in force."""
        frame = picture.frame
        encoding = people.encoding
        basis = frame.basis[:, :MOST_COLUMNS]
        shades = np.sqrt(np.add.reduceat(basis**2, encoding.starts, axis=0))
        columns = [
            (str(c + 1), [p.colour for p, f in zip(frame.settings.parts, frame.kinds, strict=True) if f.level > c])
            for c in range(basis.shape[1])
        ]
        self.heat.show(encoding.questions, columns, shades, frame.weight, limit=frame.bound, bar_name="heaviest answer")
        kinds = [(f"followed by {part.name}", part.colour, "dot") for part in frame.settings.parts]
        self.card.say(words.guidance(frame, people, MOST_COLUMNS), kinds)

    def __panel__(self):
        return self.card.__panel__()


class LevelView(pn.viewable.Viewer):
    """The level as answers come in."""

    def __init__(self):
        super().__init__()
        self.tracks = Tracks("Directions asked for, by answers received", x_label="answers received", growing=True)
        self.card = Card("How much is asked for", self.tracks, help_text=texts.LEVEL, saved=self.tracks)

    def show(self, picture, people):
        """Draw the stairs, and what each kind follows."""
        frame = picture.frame
        x, y = frame.levels
        top = max(max(y), *(part.level or 0 for part in frame.settings.parts)) + 1
        levels = [(part.level, part.colour, "dashed") for part in frame.settings.parts if part.level is not None]
        line = Track(colours.SCHEMES["nested"], np.maximum(x, FROM), y)
        self.tracks.show([line], x_range=(FROM, max(x[-1], 50)), y_range=(0, top), levels=levels)
        kinds = [(part.name, part.colour, "dashed") for part in frame.settings.parts
                 if part.level is not None]  # fmt: skip
        self.card.say(words.level(frame), [("asked for", colours.SCHEMES["nested"], "line"), *kinds])

    def __panel__(self):
        return self.card.__panel__()


class AccuracyView(pn.viewable.Viewer):
    """The classifier as answers come in."""

    def __init__(self):
        super().__init__()
        self.tracks = Tracks("Share of people whose class is found, by answers received",
                             x_label="respondents who arrived", shares=True, growing=True)  # fmt: skip
        self.card = Card("How good the classifier gets", self.tracks, help_text=texts.ACCURACY, saved=self.tracks)

    def show(self, picture, people):
        """Draw the line with its band."""
        frame, rival = picture.frame, picture.rival
        x, y = (np.array(part, dtype=float) for part in frame.accuracies)
        x = np.maximum(x, FROM)
        half = 1.96 * np.sqrt(np.maximum(y * (1 - y), 0) / len(people.test[1]))
        lines = [Track(ACCURACY, x, y)]
        legend = [("guided", ACCURACY, "line"), ("answers in the clear", colours.SCHEMES["nested"], "dashed"),
                  ("larger class", colours.ORIGINAL, "dotted")]  # fmt: skip
        if rival is not None:
            legend.insert(1, ("randomised", colours.GUESS, "line"))
            if not isinstance(rival, str):
                lines.insert(0, Track(colours.GUESS, rival.x, rival.y))
        low = min(people.majority, y.min(), *(rival.y if hasattr(rival, "y") else ())) - 0.05
        self.tracks.show(
            lines,
            x_range=(FROM, max(x[-1], 50)),
            y_range=(max(np.floor(low * 10) / 10, 0), 1.0),
            band=(x, np.maximum(y - half, 0), np.minimum(y + half, 1)),
            levels=[
                (people.clear_accuracy, colours.SCHEMES["nested"], "dashed"),
                (people.majority, colours.ORIGINAL, "dotted"),
            ],
        )
        self.card.say(words.accuracy(frame, people, rival), legend)

    def __panel__(self):
        return self.card.__panel__()


class DisclosureView(pn.viewable.Viewer):
    """What each kind gives away, beside the bound."""

    def __init__(self):
        super().__init__()
        self.bars = Bars(label="Share of what there is to know that each kind gives away")
        self.card = Card("What each kind gives away", self.bars, help_text=texts.DISCLOSURE, saved=self.bars)

    def show(self, picture, people):
        """Draw a bar for each kind, for all, and for the randomisation."""
        frame, rival = picture.frame, picture.rival
        rows = [
            (part.name, figures.share, 1.96 * figures.error, figures.bound if figures.level else -1.0, _given(figures))
            for part, figures in zip(frame.settings.parts, frame.kinds, strict=True)
        ]
        rows.append(("all, on average", frame.disclosed, 0.0, -1.0, share(frame.disclosed)))
        if rival is not None and not isinstance(rival, str):
            rows.append(("randomised", rival.disclosed, 0.0, -1.0, share(rival.disclosed)))
        names, shares, halves, bounds, notes = (list(part) for part in zip(*rows, strict=True))
        shares, halves = np.array(shares), np.array(halves)
        spans = np.stack([np.maximum(shares - halves, 0), shares, np.minimum(shares + halves, 1)], axis=1)
        self.bars.show(
            names,
            [
                Mark("given away", "bar", colours.GUESS, shares),
                Mark("measured, with its range", "range", colours.GUESS, np.where(halves[:, None] > 0, spans, -1)),
                Mark("the paper's bound", "tick", colours.NEUTRAL, np.array(bounds)),
            ],
            top=1.0,
            texts=notes,
            flagged=[i for i, figures in enumerate(frame.kinds) if figures.broken],
            fill=150,
        )
        self.card.say(words.disclosure(frame, people), [("measured", colours.GUESS, "dot"),
                                                ("the paper's bound", colours.NEUTRAL, "line")])  # fmt: skip

    def __panel__(self):
        return self.card.__panel__()


class TargetView(pn.viewable.Viewer):
    """One question, and what a malicious miner would gain."""

    def __init__(self):
        super().__init__()
        self.bars = Bars(label="How often one question's answer is guessed")
        self.card = Card("How often one answer is guessed", self.bars, help_text=texts.TARGET, saved=self.bars)

    def show(self, frame, people):
        """Draw the ways of guessing."""
        found, miner = frame.target, frame.settings.miner
        rows = [
            ("knowing nothing", found.nothing, None),
            ("knowing the class", found.by_class, None),
            ("honest guidance", found.honest.guess, "honest"),
            ("asked outright", found.outright.guess, "outright"),
        ]
        if found.hidden is not None:
            rows.append(("within the check", found.hidden.guess, "hidden"))
        self.bars.show(
            [name for name, *_ in rows],
            [Mark("guessed right", "solid", colours.GUESS, np.array([guess for _, guess, *_ in rows]))],
            top=1.0,
            texts=[f"{share(guess)} right" for _, guess, *_ in rows],
            flagged=[i for i, (*_, whose) in enumerate(rows) if whose == miner],
            fill=150,
        )
        self.card.say(words.target(frame, people), [("guessed right", colours.GUESS, "block")])

    def __panel__(self):
        return self.card.__panel__()


def _note(person) -> str:
    if person.kind < 0:
        return "in the clear"
    if person.sent is None:
        return "refused"
    return f"follows {person.level}"


def _given(figures) -> str:
    if figures.refuses:
        return "refuse"
    if figures.silent:
        return "nothing"
    return f"{share(figures.share)}, bound {share(figures.bound)}"
