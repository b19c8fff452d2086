"""What a coalition guesses of every person, row by row: the guesses behind the figures of the page."""

from dataclasses import dataclass

import numpy as np

from trustscope.engine.attacks import agreement
from trustscope.scenarios.categories.model import Model
from trustscope.scenarios.categories.scenario import Settings, retentions
from trustscope.scenarios.categories.side import personal
from trustscope.scenarios.problem import ScenarioProblem


@dataclass(frozen=True, eq=False)
class Guesses:
    """What a coalition guesses.

    Attributes
    ----------
    codes : numpy.ndarray of int, shape (rows,)
        The best guess of every person, in the order of the data.
    right : float
        The share of them that is right.
    """

    codes: np.ndarray
    right: float


def attacked(model: Model, settings: Settings) -> Guesses:
    """The best guesses of the coalition, whose members know how frequent each value is, or nothing.

    Raises
    ------
    ScenarioProblem
        Where something else is known of each person: that is worked out for some people, and not row by row.
    """
    if personal(model, settings):
        raise ScenarioProblem(
            "Guesses row by row are those of somebody who knows how frequent each value is: leave out `known`. The "
            "figures of who knows more are in coalitions()."
        )
    who = tuple(sorted(settings.coalition, key=lambda r: -r.trust))
    copies = [model.copy(r, settings.scheme, first=settings.first) for r in who]
    prior = model.prior(settings)
    found = model.growing(retentions(who), settings.scheme, settings)[-1]
    if prior is None and found.right <= model.without(settings).right:  # the most frequent value is right more often
        guess = np.full(model.rows, int(model.shares.argmax()))
    else:
        guess = agreement.best_values(copies, retentions(who), model.size, scheme=settings.scheme, prior=prior)
    codes = np.empty(model.rows, dtype=np.int64)
    codes[model.order] = guess
    return Guesses(codes, float(np.mean(guess == model.codes)))
