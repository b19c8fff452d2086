"""One person: the true value, the path of redraws, what each recipient holds, what the coalition believes."""

from dataclasses import replace
from html import escape

import numpy as np
import panel as pn
import param

from trustscope import colours
from trustscope.app.categories import help as texts
from trustscope.engine.attacks import posterior
from trustscope.scenarios.categories import words
from trustscope.scenarios.categories.settings import retention, retentions
from trustscope.widgets.action import Action
from trustscope.widgets.bars import Bars, Mark
from trustscope.widgets.card import Card
from trustscope.widgets.number import WholeNumber
from trustscope.widgets.steps import Stand, Step, Steps

BELIEVED = 5  # values with a bar; the others are put together
ROWS = 5  # values that the picture of the path leaves room for


class PersonView(pn.viewable.Viewer):
    """The view people remember. `number` is the person, counted from 1 in the order of the data."""

    number = param.Integer(default=1, bounds=(1, None), doc="The person looked at.")

    def __init__(self, **params):
        super().__init__(**params)
        self.steps = Steps(label="One person's value on its path from full trust to little")
        self.bars = Bars(label="What the coalition believes of this person")
        self.box = WholeNumber(label="Person", start=1, end=1, value=1, label_shown=False, margin=(0, 8, 0, 0))
        self.surprise = Action(text="surprise me", tip="Another person, at random", margin=0)
        self.box.param.watch(lambda e: setattr(self, "number", e.new), "value")
        self.surprise.param.watch(self._surprise, "clicks")
        chooser = pn.Row(self.box, self.surprise, margin=0)
        self._card = Card("One person", self.steps, self.bars, control=chooser, help_text=texts.PERSON)
        self._rng = np.random.default_rng()
        self.model = None

    def load(self, model, first: int | None = None):
        """Other data; `first` is the person to begin with."""
        self.model = model
        self.box.end = model.rows
        self.box.value = max(1, model.rows // 2) if first is None else first

    def _surprise(self, event):
        self.box.value = int(self._rng.integers(1, self.model.rows + 1))

    def seen(self, settings) -> tuple[int, dict]:
        """The true code of this person, and what each recipient holds."""
        row = self.model.place(self.number - 1)
        held = {r: int(self.model.copy(r, settings.scheme, row, row + 1)[0]) for r in settings.recipients}
        return int(self.model.codes[row]), held

    def show(self, settings, shown=None, caption=None):
        """Draw this person; `shown` limits the recipients to those whose copy is made already."""
        truth, seen = self.seen(settings)
        belief = self._belief(settings, seen) if shown is None else None
        recipients = [r for r in settings.recipients if shown is None or r.number in shown]
        self._draw_path(settings, truth, seen, recipients)
        self._draw_belief(settings, truth, seen, belief)
        self._say(settings, truth, seen, belief, caption)

    def _belief(self, settings, seen):
        who = settings.coalition
        if not who:
            return None
        return posterior.belief(
            [seen[r] for r in who], retentions(who), self.model.size,
            scheme=settings.scheme, prior=self.model.prior(settings),
        )  # fmt: skip

    def _draw_path(self, settings, truth, seen, recipients):
        lowest = max(min(8, min(r.trust for r in settings.recipients) - 2), 0)
        steps, order = [], [truth]
        if settings.scheme == "nested":
            at, codes = self.model.releases["nested"].path(self.model.place(self.number - 1))
            keep = 100 * at > lowest
            at, codes = 100 * at[keep], codes[keep].tolist()
            order += codes
            ends = [*at[1:], lowest]
        order = list(dict.fromkeys([*order, *(seen[r] for r in recipients)]))
        rows = {code: row for row, code in enumerate(order)}
        if settings.scheme == "nested":
            steps = [Step(a, b, rows[code]) for a, b, code in zip(at, ends, codes, strict=True)]
        self.steps.show(
            [words.short(self.model.column.labels[code], 40) for code in order],
            steps,
            [Stand(r.name[0].upper(), r.colour, r.trust, rows[seen[r]], r.member) for r in recipients],
            lowest=float(lowest),
            rows=ROWS,
        )

    def _draw_belief(self, settings, truth, seen, belief):
        labels, model = self.model.column.labels, self.model
        prior = model.prior(settings)
        prior = np.full(model.size, 1 / model.size) if prior is None else prior
        self.bars.visible = belief is not None
        if belief is None:
            return
        alone = posterior.belief([seen[settings.best]], [retention(settings.best)], model.size, prior=prior)
        first = [truth, *(seen[r] for r in settings.coalition), *np.argsort(-belief, kind="stable").tolist()]
        chosen = sorted(list(dict.fromkeys(first))[:BELIEVED], key=lambda c: (-belief[c], c))
        rest = np.setdiff1d(np.arange(model.size), chosen)
        some = [belief[chosen], alone[chosen], prior[chosen]]
        names = [labels[c] for c in chosen]
        if len(rest):
            some = [np.append(a, whole[rest].sum()) for a, whole in zip(some, (belief, alone, prior), strict=True)]
            names.append(f"{len(rest)} others")
        self.bars.show(
            names,
            [
                Mark("believed together", "solid", colours.GUESS, some[0]),
                Mark(f"believed by {settings.best.name} alone", "tick", settings.best.colour, some[1]),
                Mark("beforehand", "tick", colours.NEUTRAL, some[2]),
            ],
            top=1.0,
            texts=[words.probability(v) for v in some[0]],
            flagged=[chosen.index(truth)] if truth in chosen else [],
        )

    def _say(self, settings, truth, seen, belief, caption):
        column = self.model.column
        otherwise = None
        if settings.scheme == "nested" and len(settings.coalition) > 1:
            otherwise = self._belief(replace(settings, scheme="independent"), seen)[truth]
        text = escape(caption) if caption else words.person(column, settings, truth, seen, belief, otherwise)
        legend = [("the path", colours.NEUTRAL, "solid")] if settings.scheme == "nested" else []
        if belief is not None:
            legend += [
                ("believed together", colours.GUESS, "block"),
                (f"by {settings.best.name} alone", settings.best.colour, "dot"),
                ("beforehand", colours.NEUTRAL, "dot"),
            ]
        self._card.say(f"{escape(column.name)}: {text} {words.kept(settings, column.size)}", legend)

    def __panel__(self):
        return self._card.__panel__()
