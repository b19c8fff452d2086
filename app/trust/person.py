"""One person: the true value, the path that the noise takes, what each recipient sees, what is believed."""

from html import escape

import numpy as np
import panel as pn
import param

from trustscope import colours
from trustscope.app.trust import help as texts
from trustscope.scenarios.trust.words import Subject
from trustscope.scenarios.words import plain
from trustscope.widgets.action import Action
from trustscope.widgets.card import Card
from trustscope.widgets.journey import Journey, Path, Stop
from trustscope.widgets.number import WholeNumber

TRUSTS = np.array([100, *range(99, 0, -1)], dtype=float)
NINE_IN_TEN = 1.6448536269514722


class PersonView(pn.viewable.Viewer):
    """The view people remember. `number` is the person, counted from 1 in the order of the data."""

    number = param.Integer(default=1, bounds=(1, None), doc="The person looked at.")

    def __init__(self, **params):
        super().__init__(**params)
        self.journey = Journey("One person's value on its path from full trust to little", height=216)
        self.box = WholeNumber(
            label="Person", label_shown=False, start=1, end=1, value=1, sizing_mode=None, margin=(0, 8, 0, 0)
        )
        self.surprise = Action(text="surprise me", tip="Another person, at random", margin=0)
        self.box.param.watch(self._asked, "value")
        self.surprise.param.watch(self._surprise, "clicks")
        chooser = pn.Row(self.box, self.surprise, margin=0)
        self._card = Card("One person", self.journey, control=chooser, help_text=texts.PERSON)
        self._rng = np.random.default_rng()
        self._kept = (None, None)
        self.model = None

    def load(self, model, columns, units):
        """Other data."""
        self.model, self._columns, self._units = model, tuple(columns), units
        self.forget()
        self.box.end = model.rows
        first = min(48_201, max(1, model.rows // 2))
        if self.number > model.rows or self.number == 1:
            self.box.value = first

    def forget(self):
        """The noise is another: the path must be drawn anew."""
        self._kept = (None, None)

    def _asked(self, event):
        self.number = event.new

    def _surprise(self, event):
        if self.model is None:
            return
        self.box.value = int(self._rng.integers(1, self.model.rows + 1))

    def _paths(self, settings):
        """The noise of this person on the way down, for every recipient: (levels, columns) arrays."""
        numbers = tuple(r.number for r in settings.recipients) if settings.scheme == "independent" else (0,)
        key = (self.number, settings.scheme, settings.similarity, numbers)
        if self._kept[0] != key:
            people = self.model.population
            row = people.place(self.number - 1)
            release = self.model.noise(settings.similarity).releases[settings.scheme]
            start = np.zeros((1, people.columns))
            noise = {n: np.vstack([start, release.path(row, recipient=n)]) for n in numbers}
            self._kept = (key, (people.values[row], noise))
        return self._kept[1]

    def show(self, settings, shown=None, caption=None):
        """Draw this person; `shown` limits the recipients to those whose copy is made already."""
        truth, noise = self._paths(settings)
        a = settings.attribute
        subject = Subject(self._columns[a], self._units.get(self._columns[a], ""))
        seen = {r: truth + noise[r.number if r.number in noise else 0][100 - r.trust] for r in settings.recipients}
        recipients = [r for r in settings.recipients if shown is None or r.number in shown]
        belief, half = self._belief(settings, seen) if shown is None else (None, None)
        lowest = min(10, min(r.trust for r in settings.recipients)) - 2
        paths = self._curves(settings, truth[a], noise, a)
        visible = np.concatenate([p.y[p.x >= max(lowest, 1)] for p in paths])
        edges = [visible.min(), visible.max(), truth[a]]
        if belief is not None:
            edges += [belief[a] - half[a], belief[a] + half[a]]
        low, high = min(edges), max(edges)
        air = 0.08 * (high - low) or 1.0
        self.journey.show(
            paths,
            [Stop(r.initial, r.colour, r.trust, seen[r][a], r.member) for r in recipients],
            truth=truth[a],
            belief=None if belief is None else belief[a],
            interval=None if belief is None else (belief[a] - half[a], belief[a] + half[a]),
            y_label=subject.axis,
            lowest=lowest,
            y_range=(low - air, high + air),
        )
        self._say(settings, subject, truth[a], seen, belief, half, a, caption)

    @staticmethod
    def _curves(settings, truth, noise, a):
        if settings.scheme == "independent":
            return [Path(r.colour, TRUSTS, truth + noise[r.number][:, a]) for r in settings.recipients]
        return [Path(colours.NEUTRAL, TRUSTS, truth + noise[0][:, a])]

    def _belief(self, settings, seen):
        """The coalition's best linear guess of every attribute, and half the range that holds 9 in 10."""
        who = settings.coalition
        if not who:
            return None, None
        noise = self.model.noise(settings.similarity)
        belief = noise.perfect(who, settings.scheme).estimate([seen[r][None, :] for r in who])[0]
        return belief, NINE_IN_TEN * noise.deviations(who, settings.scheme)

    def _say(self, settings, subject, truth, seen, belief, half, a, caption):
        parts = [f"true value <b>{plain(truth)}</b>"]
        parts += [f"{escape(r.name)} sees <b>{plain(seen[r][a])}</b>" for r in settings.recipients[:5]]
        if len(settings.recipients) > 5:
            parts.append(f"{len(settings.recipients) - 5} more")
        if belief is not None:
            parts.append(f"the coalition believes <b>{plain(belief[a])} ± {plain(half[a])}</b>")
        text = escape(caption) if caption else "; ".join(parts) + "."
        path = "each recipient's own noise" if settings.scheme == "independent" else "the path"
        self._card.say(
            f"{escape(subject.attribute)}: {text}",
            [
                ("true value", colours.NEUTRAL, "dashed"),
                (path, colours.NEUTRAL, "solid"),
                ("belief", colours.GUESS, "dot"),
            ],
        )

    def __panel__(self):
        return self._card.__panel__()
