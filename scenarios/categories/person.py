"""One person: what each recipient was given of them, and what alone or together can be believed."""

from collections.abc import Sequence

from trustscope.engine.arrays import Floats
from trustscope.engine.attacks import posterior
from trustscope.scenarios.categories.result import Person
from trustscope.scenarios.categories.scenario import Settings, retentions
from trustscope.scenarios.categories.side import ColumnModel
from trustscope.scenarios.coalition import Recipient


def person(model: ColumnModel, settings: Settings, number: int) -> Person:
    """The person with this number, counted from 1."""
    row = model.place(number)
    scheme, first = settings.scheme, settings.first
    seen = {r: int(model.copy(r, scheme, row, row + 1, first=first)[0]) for r in settings.recipients}
    side = model.side(settings)
    prior = model.prior(settings) if side is None else side.of(row)

    def belief(who: Sequence[Recipient]) -> Floats | None:
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
