"""Who is shown when nobody is asked for: somebody with whom neither the best recipient nor the pool is lucky.

The rule: the true value is believed by the best recipient alone, and by all of them together when their copies are
independent, about as far as the true value is believed on average over everybody; and so it is on the way there, as one
after the other joins. The best copy is the same under both schemes, and nested copies together tell what it tells: the
person who is chosen suits both schemes, and stays when the scheme is switched.
"""

import numpy as np

from trustscope.engine.attacks import agreement, posterior
from trustscope.scenarios.categories.scenario import Settings, retention, retentions
from trustscope.scenarios.categories.side import ColumnModel
from trustscope.scenarios.coalition import most_trusted

SEARCHED = 4_000  # people who are looked at: among them somebody is near the rule
NEAR = 0.15  # by which the beliefs of the one who is chosen may miss the averages
RARE = 0.05  # what a value that everybody has counts against it: rare values are what people hide


def typical(model: ColumnModel, settings: Settings) -> int:
    """The number of the person, counted from 1. The choice looks at the truth, as the owner of the data may."""
    rows, who = min(SEARCHED, model.rows), settings.coalition
    if not who or retention(most_trusted(who)) == 1:
        return max(1, model.rows // 2)
    order = sorted(who, key=lambda r: -r.trust)
    truth, prior, ps = model.codes[:rows], model.prior(settings), retentions(order)
    copies = [model.copy(r, "independent", 0, rows, first=settings.first) for r in order]
    average = agreement.growing(ps, model.size, scheme="independent", prior=prior)
    amiss = np.zeros(rows)
    for size, expected in enumerate(average, start=1):
        belief = posterior.reconstruction_probability(
            truth, copies[:size], ps[:size], model.size, scheme="independent", prior=prior
        )
        amiss = np.maximum(amiss, np.abs(belief - expected.belief))
    return int(model.order[int(np.argmin(amiss + RARE * model.shares[truth]))]) + 1
