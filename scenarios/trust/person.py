"""One person: what each recipient was given of them, and what alone or together can be believed."""

from collections.abc import Callable

import numpy as np

from trustscope.engine.arrays import Floats
from trustscope.engine.attacks.combining import combined, combining_weights
from trustscope.scenarios.coalition import Recipient
from trustscope.scenarios.trust.noise import Noise
from trustscope.scenarios.trust.result import Belief, Person
from trustscope.scenarios.trust.scenario import Settings, levels

TRUSTS = np.array([100, *range(99, 0, -1)], dtype=float)


def person(
    noise: Noise,
    settings: Settings,
    number: int,
    attribute: int,
    paths: dict[int, Floats],
    believes: Callable[[float, int, Floats], tuple[Floats, Floats]] | None = None,
) -> Person:
    """The person with this number, counted from 1; `paths` are their noise on the way down, by recipient.

    `believes(level, row, released)` gives what the strongest attacker believes, as values and their probabilities;
    without it the belief is that of the best linear guess.
    """
    people = noise.population
    row = people.place(number - 1)
    truth = people.values[row]
    seen = {r: truth + paths[r.number if r.number in paths else 0][int(100 - r.trust)] for r in settings.recipients}

    def belief(who: tuple[Recipient, ...]) -> Belief | None:
        if not who:
            return None
        level = noise.level(who, settings.scheme)
        if believes is not None and level > 0:
            weights = combining_weights(levels(who), settings.scheme)
            released = combined([seen[r][None, :] for r in who], weights)[0]
            return posterior_belief(*believes(level, row, released))
        guess = noise.perfect(who, settings.scheme).estimate([seen[r][None, :] for r in who])[0]
        return Belief(float(guess[attribute]), float(noise.deviations(who, settings.scheme)[attribute]))

    best = settings.best
    return Person(
        number=number,
        truth=float(truth[attribute]),
        seen={r.number: float(value[attribute]) for r, value in seen.items()},
        alone=belief((best,) if best else ()),
        together=belief(settings.coalition),
        paths={n: truth[attribute] + path[:, attribute] for n, path in paths.items()},
        shared_path=not _own_paths(settings),
    )


def posterior_belief(values: Floats, shares: Floats) -> Belief:
    """A belief as values with probabilities: its mean, and the range that holds nine in ten."""
    order = np.argsort(values, kind="stable")
    ordered, grown = values[order], np.cumsum(shares[order])
    low, high = ordered[np.searchsorted(grown, [0.05, 0.95]).clip(max=len(ordered) - 1)]
    guess = float(shares @ values)
    sd = float(np.sqrt(max(float(shares @ (values - guess) ** 2), 0.0)))
    return Belief(guess, sd, (float(low), float(high)), (ordered, shares[order]))


def _own_paths(settings: Settings) -> bool:
    """Whether each recipient's copies lie on a line of their own."""
    return settings.scheme not in ("nested", "proportional")


def paths_of(noise: Noise, settings: Settings, number: int) -> dict[int, Floats]:
    """The noise of a person at every trust, full trust first: by recipient where each has their own, else under 0."""
    numbers = [r.number for r in settings.recipients] if _own_paths(settings) else [0]
    row = noise.population.place(number - 1)
    release = noise.release(settings.scheme, settings.recipients)
    start = np.zeros((1, noise.population.columns))
    return {n: np.vstack([start, release.path(row, recipient=n)]) for n in numbers}
