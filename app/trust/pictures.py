"""The two pictures that the Trust page opens with: one person, and what pooling does."""

import numpy as np
import panel as pn

from trustscope import colours
from trustscope.app.cards import CardView
from trustscope.scenarios.cards import cards_of
from trustscope.scenarios.trust import words
from trustscope.scenarios.trust.person import TRUSTS
from trustscope.scenarios.trust.result import TrustResult
from trustscope.scenarios.trust.verdict import leaks
from trustscope.scenarios.words import plain
from trustscope.widgets.controls.action import Action
from trustscope.widgets.controls.choice import Choice
from trustscope.widgets.controls.number import WholeNumber
from trustscope.widgets.live.journey import Path, Stop
from trustscope.widgets.scenes.belief import Belief, Pin
from trustscope.widgets.scenes.pooling import Pooling

HEIGHT = 300
PERSON = 272  # with the twenty people below it, it ends where the card beside it does
PLACES = 161  # values at which a density is drawn
AS = [
    ("belief", "belief", "What can be believed of the person's value"),
    ("path", "path", "The path that the value takes from full trust to little"),
]


class PersonView(CardView):
    """The view people remember."""

    def __init__(self):
        plot = Belief("One person: what is believed of them", height=PERSON)
        self.number = WholeNumber(label="Person", label_shown=False, start=1, sizing_mode=None, margin=(0, 8, 0, 0))
        self.other = Action(text="somebody else", tip="Another person, drawn at random", margin=(0, 8, 0, 0))
        self.shown_as = Choice(label="Show the person as", options=AS, sizing_mode=None)
        self._rng = np.random.default_rng()
        self.other.param.watch(lambda event: self._surprise(), "clicks")
        chooser = pn.Row(self.number, self.other, self.shown_as, styles={"flex-wrap": "wrap", "gap": "4px 0"}, margin=0)
        super().__init__("trust", "person", plot, control=chooser, twenty=True)

    def _surprise(self):
        self.number.value = int(self._rng.integers(self.number.start, self.number.end + 1))

    def load(self, rows: int):
        """Other data, with so many people."""
        self.number.end = rows

    def show_picture(self, picture: TrustResult, model=None, made: set[int] | None = None, where: str = ""):
        """Draw the person; `made` limits the recipients to those whose copy exists already."""
        settings, people = picture.settings, model.population
        subject = words.subject_of(people, settings.attribute)
        view_range = people.view_range(people.index(settings.attribute))
        self.plot.mode = picture.scenario.view.person_as
        shown = [r for r in settings.recipients if made is None or r.number in made]
        if self.plot.mode == "belief":
            self._show_belief(picture, subject, view_range, shown if made is None else [*shown])
        else:
            self._show_path(picture, subject, shown, made is None)
        below = self.show_twenty(picture, model, made is None and self.plot.mode == "belief")
        declared = cards_of("trust")["person" if self.plot.mode == "belief" else "person_path"]
        self.put(declared, declared.table(picture, model), below)
        self.card.say(where or declared.caption_for(picture, model))

    def _show_belief(self, picture, subject, view_range, shown):
        person, settings = picture.person, picture.settings
        several = len(settings.coalition) > 1
        low, high = view_range
        beliefs = [b for b in (person.alone, person.together) if b is not None and b.sd > 0]
        low = min([low, person.truth, *(b.interval[0] for b in beliefs)])
        high = max([high, person.truth, *(b.interval[1] for b in beliefs)])
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
        self.plot.picture.draw(
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
        ends = [] if belief is None else [*belief.interval]
        seen = np.concatenate([p.y[p.x >= max(lowest, 1)] for p in paths])
        low, high = min([seen.min(), person.truth, *ends]), max([seen.max(), person.truth, *ends])
        air = 0.08 * (high - low) or 1.0
        self.plot.path().draw(
            paths, [Stop(r.initial, r.colour, r.trust, person.seen[r.number], r.member) for r in shown],
            truth=person.truth, belief=None if belief is None else belief.guess, interval=tuple(ends) or None,
            y_label=subject.axis, lowest=lowest, y_range=(low - air, high + air),
            tone="leak" if leaks(picture) else "safe",
        )  # fmt: skip


class JoiningView(CardView):
    """As more of them pool: the present scheme beside its rival."""

    def __init__(self):
        super().__init__("trust", "pooling", Pooling("Share of hits as more recipients pool their copies", tall=HEIGHT))

    def draw(self, table, picture, model):
        """Draw the coalitions."""
        order = picture.joining.order
        self.plot.show_table(table, order, chosen=2 ** len(order) - 1, present=picture.settings.scheme)

    def legend(self, table):
        """None: the rows name their series."""
        return []
