"""The picture of one person that the Trust page opens with."""

from functools import partial

import numpy as np
import panel as pn

from trustscope import colours
from trustscope.app.copied import PersonCard
from trustscope.scenarios.trust import words
from trustscope.scenarios.trust.person import TRUSTS
from trustscope.scenarios.trust.verdict import leaks
from trustscope.scenarios.words import plain
from trustscope.widgets.live.journey import Path, Stop
from trustscope.widgets.scenes.belief import Belief, Pin

PERSON = 272  # with the twenty people below it, it ends where the card beside it does
PLACES = 161  # values at which a density is drawn


class PersonView(PersonCard):
    """The view people remember."""

    def __init__(self):
        row = partial(pn.Row, styles={"flex-wrap": "wrap", "gap": "4px 0"}, margin=0)
        super().__init__("trust", Belief("One person: what is believed of them", height=PERSON), row)

    def _show_belief(self, picture, model, shown, believed):
        self.plot.mode = "belief"
        person, settings, people = picture.person, picture.settings, model.population
        subject = words.subject_of(people, settings.attribute)
        several = len(settings.coalition) > 1
        low, high = people.view_range(people.index(settings.attribute))
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

    def _show_path(self, picture, model, shown, believed):
        self.plot.mode = "path"
        person, settings = picture.person, picture.settings
        subject = words.subject_of(model.population, settings.attribute)
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
