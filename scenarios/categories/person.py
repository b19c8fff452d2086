"""One person: what each recipient was given of them, and what alone or together can be believed."""

import numpy as np

from trustscope.engine.attacks import posterior
from trustscope.scenarios.categories.picture import Person
from trustscope.scenarios.categories.scenario import SCHEMES, Settings, retention, retentions

SEARCHED = 20_000  # people among whom one with a clear story is looked for
STORY = (0.15, 0.85)  # belief in the truth, of the best copy alone and of all together, that tells it best


def person(model, settings: Settings, number: int) -> Person:
    """The person with this number, counted from 1."""
    row = model.place(number)
    scheme, first = settings.scheme, settings.first
    seen = {r: int(model.copy(r, scheme, row, row + 1, first=first)[0]) for r in settings.recipients}
    side = model.side(settings)
    prior = model.prior(settings) if side is None else side.of(row)

    def belief(who):
        if not who:
            return None
        return posterior.belief(
            [seen[r] for r in who], retentions(who), model.size, scheme=settings.scheme, prior=prior
        )

    best = settings.best
    return Person(
        number=number,
        truth=int(model.codes[row]),
        seen={r.number: code for r, code in seen.items()},
        before=posterior.uniform_prior(model.size) if prior is None else prior,
        alone=belief((best,) if best else ()),
        together=belief(settings.coalition),
        path=model.releases["nested"].path(row) if settings.scheme == "nested" else None,
    )


def telling(model, settings: Settings) -> int:
    """Somebody whose story is easily told: alone, the best recipient can only suspect the truth; together they know.

    The choice looks at the truth, as the owner of the data may; it is always the same for the same scenario. It looks
    at both schemes, so that the person stays when the scheme is switched: in both the best recipient holds the truth.
    """
    rows, who = min(SEARCHED, model.rows), settings.coalition
    if len(who) < 2 or retention(settings.best) == 1:
        return max(1, model.rows // 2)
    truth, prior, best = model.codes[:rows], model.prior(settings), settings.best
    copies = {scheme: {r: model.copy(r, scheme, 0, rows, first=settings.first) for r in who} for scheme in SCHEMES}

    def belief(some, scheme):
        held = [copies[scheme][r] for r in some]
        return posterior.reconstruction_probability(
            truth, held, retentions(some), model.size, scheme=scheme, prior=prior
        )

    story = np.abs(belief((best,), "independent") - STORY[0]) + np.abs(belief(who, "independent") - STORY[1])
    story += 1.0 * (copies["nested"][best] != truth)
    # Where everybody was given the truth on the common path too, the two schemes are compared at a glance.
    for r in who:
        story += 0.01 * (copies["nested"][r] != truth)
    # Of equal stories that about the rarer value: rare values are what people hide.
    story += 0.1 * model.shares[truth]
    return int(model.order[int(np.argmin(story))]) + 1
