"""Twenty people on the Trust page: what they were given at every trust, and who is caught (see `scenarios.twenty`).

A group is held against the sample with one copy at several trusts, and with more and more independent copies: of the
trusts that the page opens with, and of those that the first lessons speak of.

The strongest attacker guesses them as quickly as a slider wants it: with the values of the attribute as other people
have them, and all that the other columns tell of it taken for linear, which is one of the ways in which it smooths its
sample (h_t = 0, h_o = 1 in `engine.attacks.optimal.mixture`). Then a copy of a record tells of the attribute what one
number tells (`one_number` there).
"""

from math import sqrt

import numpy as np

from trustscope.engine.arrays import Bools, Floats, Integers
from trustscope.engine.attacks.combining import combined, combining_weights
from trustscope.engine.attacks.optimal.cells import ALL, cells_of, nearest_guess, possible_range
from trustscope.engine.attacks.optimal.mixture import Moments, one_number
from trustscope.scenarios.coalition import Recipient, most_trusted, recipients
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.trust.judge import STRONGEST, Judged, ModelWithJudge
from trustscope.scenarios.trust.noise import Noise
from trustscope.scenarios.trust.population import Population
from trustscope.scenarios.trust.scenario import LEVELS, Settings, levels
from trustscope.scenarios.trust.threshold import threshold
from trustscope.scenarios.twenty import CANDIDATES, FEWEST, Twenty, nearest_group
from trustscope.scenarios.value import not_none

TRUSTS = (25, 40, 50, 60, 75)  # of one copy, at which a group is held against the sample
SIZES = (2, 4, 6)  # of coalitions of the recipients that the page opens with, likewise
LESSONS = ((40, 40), (40,) * 6, (60, 40, 30))  # trusts of coalitions, likewise
KNOWN = 512  # other people from whose values the strongest attacker guesses here: more would slow a slider down
ROUNDING = 1e-9
NORMAL = 0.5  # smoothing of the attribute beyond which the attacker takes it for normal, and guesses linearly


class Guesser:
    """The guess of one attribute that hits most often, for some people at a time.

    Parameters
    ----------
    population : Population
    attribute : int
    """

    def __init__(self, population: Population, attribute: int) -> None:
        self._moments, self._attribute = Moments(population.mean, population.covariance), attribute
        start = min(CANDIDATES, population.rows // 2)
        self._others = population.values[start : start + KNOWN, attribute]
        # By itself such a column is smoothed among the values that there are: it is not taken for normal.
        self.repeats = bool(self._others.size) and cells_of(self._others).width == 0
        self._reach = Memo(2)

    def _values(self, known: int, eps: float) -> tuple[Floats, Integers, Integers]:
        """What so many others have, how many of them have it, and the first value beyond the window at each."""
        values, many = np.unique(self._others[:known], return_counts=True)
        return values, many[:, None], np.searchsorted(values, values + 2 * eps * (1 + ROUNDING), side="right")

    def windows(self, y: Floats, noise: Floats, eps: float, known: int = KNOWN) -> Floats:
        """The middle of the window of width 2 eps that holds most of the posterior, shape (rows,).

        Parameters
        ----------
        y : numpy.ndarray, shape (rows, columns)
        noise : numpy.ndarray, shape (columns, columns)
            R.
        eps : float
        known : int
            How many other people's values the attacker knows.
        """
        weights, precision = one_number(self._moments, noise, self._attribute)
        mean = self._moments.mean
        z = (y - mean) @ weights + mean[self._attribute]
        values, many, beyond = self._reach((known, eps), lambda: self._values(known, eps))
        mass = values[:, None] - z
        mass *= mass
        mass *= -0.5 * precision
        mass -= mass.max(axis=0)
        grown = np.zeros((len(values) + 1, len(z)))
        np.cumsum(np.exp(mass, out=mass) * many, axis=0, out=grown[1:])
        held = grown[beyond] - grown[:-1]
        first = held.argmax(axis=0)
        guess: Floats = (values[first] + values[beyond[first] - 1]) / 2
        if not (held[first, np.arange(len(z))] >= (1 - ALL) * grown[-1]).any():
            return guess  # at slider rate there is no time to look where nothing can be found
        centre, told = mean[self._attribute], self._moments.covariance[self._attribute, self._attribute] * precision
        linear = centre + (z - centre) * told / (told + 1)
        return nearest_guess(guess, *possible_range(values, grown), eps, linear)


def chosen(noise: Noise, attribute: int, seed: int) -> Integers:
    """The rows of the twenty, by the rule: shape (20,), or (0,) where there are too few people."""
    people = noise.population
    if people.rows < FEWEST or not people.sd[attribute] > 0:
        return np.zeros(0, dtype=int)
    rows = min(CANDIDATES, people.rows // 2)
    eps = threshold(people, people.names[attribute], "absolute").usual
    usual, guesser = Settings().recipients, Guesser(people, attribute)
    hits = []

    def hit(who: tuple[Recipient, ...], scheme: str, copies: list[Floats]) -> Bools:
        level = noise.level(who, scheme)
        released = combined(copies, combining_weights(levels(who), scheme))
        if people.common_unit:  # data drawn from a normal law, of which no guess is better than the linear one
            guess = noise.guess_at(level).estimate([released])[:, attribute]
        else:
            guess = guesser.windows(released, level * noise.shape, eps)
        found: Bools = np.abs(guess - people.values[:rows, attribute]) <= eps * (1 + ROUNDING)
        return found

    for trust in TRUSTS:
        one = usual[0].replace({"trust": trust})
        hits.append(hit((one,), "nested", [noise.copy(one, "nested", 0, rows, among=(one,))]))
    for who, sizes in ((usual, SIZES), *((recipients(*trusts), (len(trusts),)) for trusts in LESSONS)):
        copies = [noise.copy(r, "independent", 0, rows, among=who) for r in who]
        hits += [hit(who[:size], "independent", copies[:size]) for size in sizes]
    return nearest_group(np.array(hits, dtype=float), seed)


class Copies:
    """What the twenty were given, at every trust: looked up while a slider moves.

    Parameters
    ----------
    noise : Noise
    rows : numpy.ndarray of int, shape (20,)
    attribute : int
    """

    def __init__(self, noise: Noise, rows: Integers, attribute: int):
        self.noise, self.rows, self.attribute = noise, rows, attribute
        self.truth: Floats = noise.population.values[rows]
        self.guesser = Guesser(noise.population, attribute)
        self._path = noise.path.paths(rows)
        self._own: dict[int, np.ndarray] = {}

    def copy(self, recipient: Recipient, scheme: str, among: tuple[Recipient, ...]) -> Floats:
        """What a recipient holds of them, shape (20, columns)."""
        level, first = LEVELS[recipient.trust], most_trusted(among)
        if not level:
            return self.truth
        if scheme == "nested" or (scheme == "independent" and recipient.number == first.number):
            return self.truth + self._on_path(recipient.trust)
        if scheme == "proportional":
            trust = min(first.trust, 99)
            return self.truth + self._on_path(trust) * sqrt(level / LEVELS[trust])
        if scheme == "independent":
            return self.truth + self._unit(recipient.number) * sqrt(level)
        return self.truth + self._joint(recipient, scheme, among)

    def _joint(self, recipient: Recipient, scheme: str, among: tuple[Recipient, ...]) -> Floats:
        """The noise under a scheme that was registered: the first one's is on the path."""
        first, noise = most_trusted(among), np.zeros(self.truth.shape)
        for number, weight in self.noise.release(scheme, among).parts(LEVELS[recipient.trust], recipient.number):
            if number == first.number:
                trust = min(first.trust, 99)
                noise += weight * self._on_path(trust) / np.sqrt(LEVELS[trust])
            else:
                noise += weight * self._unit(number)
        return noise

    def _unit(self, number: int) -> Floats:
        """The noise of level 1 that is a recipient's own."""
        if number not in self._own:
            release = self.noise.path.under("independent")
            self._own[number] = release.noise(1.0, 0, int(self.rows[-1]) + 1, number)[self.rows]
        return self._own[number]

    def _on_path(self, trust: float) -> Floats:
        return self._path[:, int(99 - trust)]


def twenty(model: ModelWithJudge, settings: Settings, copies: Copies, seen: Judged | None) -> Twenty | None:
    """Who of the twenty is caught; None where a hit is not about one value, or nobody pools."""
    if settings.kind != "absolute" or not settings.coalition:
        return None
    alone = _caught(model, settings, (not_none(settings.best),), copies, seen)
    # Nested copies together tell what the best one tells.
    together = alone if settings.scheme == "nested" else _caught(model, settings, settings.coalition, copies, seen)
    return Twenty(model.population.order[copies.rows] + 1, copies.truth[:, copies.attribute], alone, together)


def _caught(
    model: ModelWithJudge, settings: Settings, who: tuple[Recipient, ...], copies: Copies, seen: Judged | None
) -> Bools:
    """Whether the guess of these recipients is a hit, for each of the twenty."""
    held = [copies.copy(r, settings.scheme, settings.recipients) for r in who]
    level = copies.noise.level(who, settings.scheme)
    released = combined(held, combining_weights(levels(who), settings.scheme))
    if not level:
        guess = released[:, copies.attribute]
    elif STRONGEST in settings.attackers and seen is not None and seen.hits is not None:
        guess = _best_guess(model, settings, level, copies, released, seen)
    else:
        guess = copies.noise.guess_at(level).estimate([released])[:, copies.attribute]
    found: Bools = np.abs(guess - copies.truth[:, copies.attribute]) <= not_none(settings.eps) * (1 + ROUNDING)
    return found


def _best_guess(
    model: ModelWithJudge, settings: Settings, level: float, copies: Copies, released: Floats, seen: Judged
) -> Floats:
    """What the strongest attacker guesses from other people's values, of whom none is among the twenty."""
    manner = not_none(seen.hits).manner_at(level, not_none(settings.eps))
    if manner.smoothing[0] > NORMAL and not (manner.by_itself and copies.guesser.repeats):
        return copies.noise.guess_at(level).estimate([released])[:, copies.attribute]
    noise = level * copies.noise.shape
    if settings.known:
        attacker = model.judge.attacker(seen.question)
        released = copies.truth + attacker.without_known(released - copies.truth)
        noise = attacker.noise(level)
    return copies.guesser.windows(released, noise, not_none(settings.eps), settings.others or KNOWN)
