"""The two pictures that the Trust page opens with: one person, and what pooling does."""

import numpy as np
import panel as pn

from trustscope import colours
from trustscope.app.trust import help as texts
from trustscope.scenarios.trust import words
from trustscope.scenarios.trust.person import TRUSTS
from trustscope.scenarios.trust.picture import Picture
from trustscope.scenarios.trust.verdict import leaks
from trustscope.scenarios.trust.words import Subject
from trustscope.scenarios.words import plain
from trustscope.widgets.action import Action
from trustscope.widgets.belief import Belief, Pin
from trustscope.widgets.card import Card
from trustscope.widgets.choice import Choice
from trustscope.widgets.journey import Path, Stop
from trustscope.widgets.number import WholeNumber
from trustscope.widgets.pooling import Pooling, as_they_join

HEIGHT = 300
PERSON = 348  # the card beside it has a longer caption and a legend: with this they end together
PLACES = 161  # values at which a density is drawn
AS = [
    ("belief", "belief", "What can be believed of the person's value"),
    ("path", "path", "The path that the value takes from full trust to little"),
]


class PersonView(pn.viewable.Viewer):
    """The view people remember."""

    def __init__(self):
        super().__init__()
        self.plot = Belief("One person: what is believed of them", height=PERSON)
        self.number = WholeNumber(label="Person", label_shown=False, start=1, sizing_mode=None, margin=(0, 8, 0, 0))
        self.other = Action(text="somebody else", tip="Another person, drawn at random", margin=(0, 8, 0, 0))
        self.shown_as = Choice(label="Show the person as", options=AS, sizing_mode=None)
        self._rng = np.random.default_rng()
        self.other.param.watch(lambda event: self._surprise(), "clicks")
        chooser = pn.Row(self.number, self.other, self.shown_as, styles={"flex-wrap": "wrap", "gap": "4px 0"}, margin=0)
        self.card = Card("One person", self.plot, control=chooser, help_text=texts.PERSON, saved=self.plot)

    def _surprise(self):
        self.number.value = int(self._rng.integers(self.number.start, self.number.end + 1))

    def load(self, rows: int):
        """Other data, with so many people."""
        self.number.end = rows

    def show(self, picture: Picture, subject: Subject, view_range, made: set[int] | None = None, where: str = ""):
        """Draw the person; `made` limits the recipients to those whose copy exists already."""
        person, settings = picture.person, picture.settings
        self.plot.mode = picture.scenario.view.person_as
        shown = [r for r in settings.recipients if made is None or r.number in made]
        if self.plot.mode == "belief":
            self._show_belief(picture, subject, view_range, shown if made is None else [*shown])
        else:
            self._show_path(picture, subject, shown, made is None)
        self.card.say(where or words.person(person, settings, subject))

    def _show_belief(self, picture, subject, view_range, shown):
        person, settings = picture.person, picture.settings
        several = len(settings.coalition) > 1
        low, high = view_range
        beliefs = [b for b in (person.alone, person.together) if b is not None and b.sd > 0]
        low = min([low, person.truth, *(b.guess - 2 * b.sd for b in beliefs)])
        high = max([high, person.truth, *(b.guess + 2 * b.sd for b in beliefs)])
        x = np.linspace(low, high, PLACES)

        def drawn(belief):
            return None if belief is None or not belief.sd > 0 else belief.density(x)

        def certain(belief):
            return belief.guess if belief is not None and belief.sd == 0 else None

        pooled = person.together if several else None
        told = (
            f"really {plain(person.truth)}",
            f"together: {words.believed(pooled, subject)}" if pooled else "",
            f"{settings.best.name} alone: {words.believed(person.alone, subject)}" if person.alone else "",
        )
        self.plot.picture.show(
            x, drawn(pooled), drawn(person.alone), truth=person.truth, x_range=(low, high), texts=told,
            certain=(certain(pooled), certain(person.alone)),
            pins=[Pin(r.initial, r.name, r.colour, person.seen[r.number], r.member) for r in shown],
            tone="leak" if leaks(picture) else "safe", x_label=subject.axis,
        )  # fmt: skip

    def _show_path(self, picture, subject, shown, believed):
        person, settings = picture.person, picture.settings
        lowest = min(10, min(r.trust for r in settings.recipients)) - 2
        owner = {r.number: r.colour for r in settings.recipients}
        paths = [Path(colours.NEUTRAL if person.shared_path else owner[n], TRUSTS, y) for n, y in person.paths.items()]
        belief = person.together if believed else None
        half = 0.0 if belief is None else words.NINE_IN_TEN * belief.sd
        ends = [] if belief is None else [belief.guess - half, belief.guess + half]
        seen = np.concatenate([p.y[p.x >= max(lowest, 1)] for p in paths])
        low, high = min([seen.min(), person.truth, *ends]), max([seen.max(), person.truth, *ends])
        air = 0.08 * (high - low) or 1.0
        self.plot.path().show(
            paths, [Stop(r.initial, r.colour, r.trust, person.seen[r.number], r.member) for r in shown],
            truth=person.truth, belief=None if belief is None else belief.guess, interval=tuple(ends) or None,
            y_label=subject.axis, lowest=lowest, y_range=(low - air, high + air),
        )  # fmt: skip

    def __panel__(self):
        return self.card.__panel__()


class JoiningView(pn.viewable.Viewer):
    """As more of them pool: the present scheme beside its rival."""

    def __init__(self):
        super().__init__()
        self.plot = Pooling("Share of hits as more recipients pool their copies", tall=HEIGHT)
        self.card = Card("As more of them pool", self.plot, help_text=texts.JOINING, saved=self.plot)

    def show(self, picture: Picture, subject: Subject):
        """Draw the coalitions."""
        found, settings = picture.joining, picture.settings
        if found is None:
            self.card.say("Tick recipients: they put their copies together.")
            self.plot.visible = False
            return
        self.plot.visible = True
        schemes = sorted(found.rates, key=lambda scheme: scheme == "nested")
        top = max(max(rates) for rates in found.rates.values())
        self.plot.show(
            found.order, as_they_join(len(found.order)),
            {scheme: (colours.SCHEMES[scheme], found.rates[scheme]) for scheme in schemes},
            top=min(1.0, np.ceil(max(top, found.without) * 10 + 1e-9) / 10), baseline=found.without,
            chosen=2 ** len(found.order) - 1,
        )  # fmt: skip
        self.card.say(words.joining(found, settings, subject))

    def __panel__(self):
        return self.card.__panel__()
