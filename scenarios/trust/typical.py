"""Who is shown when nobody is asked for: somebody with whom neither the best recipient nor the pool is lucky.

The rule, for beliefs of the best linear guess: the truth lies one standard deviation from what the best recipient
believes alone, one from what all of them believe together under independent noise, and so it does on the way there, as
one after the other joins; and always on the same side. So the pool is nearer to the truth by as much as it is on
average, and no belief finds the truth by chance or misses it by more than usual. Beside that, the person's value and
the best copy of it are ordinary ones. The best copy is the same under every scheme, and nested copies together tell
what it tells: the person who is chosen suits both schemes, and stays when the scheme is switched.
"""

import numpy as np

from trustscope.scenarios.trust.noise import Noise
from trustscope.scenarios.trust.scenario import Settings

SEARCHED = 2_000  # people who are looked at: among them somebody is near the rule
NEAR = 0.6  # standard deviations by which the one who is chosen may miss the rule
ORDINARY = (
    1.2  # standard deviations of the attribute within which a value, or what a copy makes of it, is nothing special
)


def typical(noise: Noise, settings: Settings, attribute: int) -> int:
    """The number of the person, counted from 1. The choice looks at the truth, as the owner of the data may."""
    people, who = noise.population, settings.coalition
    rows = min(SEARCHED, people.rows)
    if not who or not people.sd[attribute] > 0:
        return max(1, people.rows // 2)
    order = sorted(who, key=lambda r: -r.trust)
    copies = {r: noise.copy(r, "independent", 0, rows, among=settings.recipients) for r in order}
    off = []
    for size in range(1, len(order) + 1):
        some = tuple(order[:size])
        spread = noise.deviations(some, "independent")[attribute]
        if spread > 0:  # otherwise the copies hold the truth itself
            guess = noise.perfect(some, "independent").estimate([copies[r] for r in some])[:, attribute]
            off.append((people.values[:rows, attribute] - guess) / spread)
    story = amiss(np.array(off)) if off else np.zeros(rows)
    for value in (people.values[:rows, attribute], copies[order[0]][:, attribute]):
        away = np.abs(value - people.mean[attribute]) / people.sd[attribute]
        story += np.maximum(away - ORDINARY, 0)
    return int(people.order[int(np.argmin(story))]) + 1


def amiss(off: np.ndarray) -> np.ndarray:
    """How far beliefs are from the rule, for each person.

    Parameters
    ----------
    off : numpy.ndarray, shape (beliefs, people)
        Truth minus guess, in standard deviations of the belief.
    """
    found: np.ndarray = np.minimum(np.abs(off - 1).max(axis=0), np.abs(off + 1).max(axis=0))
    return found
