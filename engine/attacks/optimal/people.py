"""Who is exposed: the risk of single people, and whether somebody can be found again among all records.

A person's risk is the chance, over the noise, that the strongest attacker guesses their value. The average hides that
some are nearly always recognised: whoever has a value that few have, or stands far from everybody. Risks are measured
on some people drawn at random, and on more of those who are most exposed by the column alone, which is known exactly
(`single`). Who has a common value may be guessed without any copy, and the risk of each of them says little about the
copies: of them the average counts.

Finding somebody again is for who has all records and not whose they are: the likeliest record is the nearest one, in
the coordinates in which the noise is round. Of records that are equal none is likelier than the others.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.spatial import cKDTree

from trustscope.engine import keys
from trustscope.engine.arrays import Bools, Floats, Integers
from trustscope.engine.attacks.optimal.cells import common_window, is_common
from trustscope.engine.attacks.optimal.manners import is_within
from trustscope.engine.attacks.optimal.mixture import moments_of, whitening
from trustscope.engine.attacks.optimal.single import Single
from trustscope.engine.attacks.optimal.strongest import Strongest

PEOPLE = 1_024  # people drawn at random whose risks are measured
EXPOSED = 256  # of the most exposed by the column alone, as many again at most
DRAWS = 16  # copies of each
FRESH = 96  # copies of those who seem most exposed
HUNDREDTH = 0.01
PROBES = 2_048  # people who are looked for among all records


@dataclass(frozen=True)
class Exposure:
    """Risks of people at one level of noise.

    Attributes
    ----------
    people : numpy.ndarray of int, shape (P,)
        Their rows.
    risks : numpy.ndarray, shape (P,)
        The chance that each one's value is guessed.
    weights : numpy.ndarray, shape (P,)
        How many each one stands for, as shares of all.
    common : numpy.ndarray of bool, shape (P,)
        Whose value is so common that it may well be guessed without any copy (`cells.is_common`).
    average, hundredth, worst : float
        The risk of all; that of the most exposed hundredth and of the most exposed person that was found, of those
        whose value is not common. nan where everybody's is.
    shared, unaided : float
        The average risk of those whose value is common, and how often the best constant guess is right for them.
    """

    people: Integers
    risks: Floats
    weights: Floats
    common: Bools
    average: float
    hundredth: float
    worst: float
    shared: float
    unaided: float

    def against(self, limit: float, what: str = "worst") -> float:
        """The risk that a limit on the "worst", or on the most exposed "hundredth", is held against.

        Whose value is common is left aside where the average of them is guessed more often than that without any copy.
        Where it is not, or where there is nobody else, the copies must keep their average within the limit too: in a
        column whose values are all about as frequent everybody's is common.
        """
        figure = self.worst if what == "worst" else self.hundredth
        return figure if self.unaided > limit and not np.isnan(figure) else float(np.fmax(figure, self.shared))


def exposure(attacker: Strongest, level: float, target: int, within: float) -> Exposure:
    """Who is exposed at a level of noise, by their value of one column.

    Parameters
    ----------
    attacker : Strongest
    level : float
        Above 0 and finite.
    target : int
    within : float
        The distance of a hit.
    """
    distances = np.array([float(within)])
    values = attacker.values[:, target]
    by_value = risk_of_values(attacker.alone(level, target, distances), values)
    common = is_common(values, np.full(len(values), 1 / len(values)), within)
    unaided = common_window(values, within)[1] / float(common.mean())
    rng = keys.rng(attacker.key, "optimal", "exposed")
    people, weights = strangers_of(attacker, *people_drawn(attacker.rows, np.where(common, 0.0, by_value), rng))
    by_column = exposure_of(people, by_value[people], weights, common[people], unaided)
    if attacker.columns == 1:
        return by_column
    risks = _measured(attacker, level, target, distances, people, rng, DRAWS)
    # Who seems most exposed may have been unlucky in the draws: fresh ones say.
    first = most_exposed(risks, weights, by_column.common)
    fresh = _measured(attacker, level, target, distances, people[first], rng, FRESH)
    return by_rows_too(by_column, risks, first, fresh)


def exposure_of(people: Integers, risks: Floats, weights: Floats, common: Bools, unaided: float) -> Exposure:
    """The figures of some people's risks."""
    top = most_exposed(risks, weights, common)
    hundredth = float(np.average(risks[top], weights=weights[top])) if len(top) else np.nan
    worst = float(risks[top].max()) if len(top) else np.nan
    shared = _shared(risks, weights, common)
    return Exposure(people, risks, weights, common, float(weights @ risks), hundredth, worst, shared, unaided)


def by_rows_too(by_column: Exposure, risks: Floats, first: Integers, fresh: Floats) -> Exposure:
    """What people risk by whichever attack: by the column alone, or by whole rows.

    Parameters
    ----------
    risks : numpy.ndarray, shape (P,)
        By whole rows.
    first, fresh : numpy.ndarray
        Who seems most exposed by them, and their risks over fresh draws.
    """
    weights = by_column.weights
    average = float(weights @ risks)
    found = by_column if by_column.average >= average else replace(by_column, risks=risks, average=average)
    found = replace(found, shared=float(np.fmax(by_column.shared, _shared(risks, weights, by_column.common))))
    if not len(first):
        return found
    return replace(
        found,
        hundredth=max(float(np.average(fresh, weights=weights[first])), by_column.hundredth),
        worst=max(by_column.worst, float(fresh.max())),
    )


def _shared(risks: Floats, weights: Floats, common: Bools) -> float:
    """The average risk of those whose value is common; nan where nobody's is."""
    whole = weights[common].sum()
    return float(weights[common] @ risks[common] / whole) if whole > 0 else np.nan


def most_exposed(risks: Floats, weights: Floats, common: Bools) -> Integers:
    """The people with the highest risks whose value is not common: a hundredth of all, or as many as there are."""
    mine = np.flatnonzero(~common)
    order = mine[np.argsort(-risks[mine], kind="stable")]
    return order[: int(np.searchsorted(np.cumsum(weights[order]), HUNDREDTH * (1 - 1e-9))) + 1]


def risk_of_values(alone: Single, values: Floats) -> Floats:
    """The risk of each row by its column alone: that of the nearest value for which it was worked out."""
    order = np.argsort(alone.values, kind="stable")
    known, risks = alone.values[order], alone.risks[0][order]
    known, first = np.unique(known, return_index=True)
    total = np.add.reduceat(risks, first) / np.diff([*first, len(risks)])
    return total[np.searchsorted((known[1:] + known[:-1]) / 2, values)]


def people_drawn(rows: int, by_value: Floats, rng: np.random.Generator) -> tuple[Integers, Floats]:
    """Some people at random, and of the most exposed hundredth by the column alone more than would come by chance."""
    if rows <= PEOPLE:
        return np.arange(rows), np.full(rows, 1 / rows)
    number = max(1, int(np.ceil(HUNDREDTH * rows)))
    # Of equal risks the first rows: which ones an unstable order takes differs from processor to processor.
    top = np.argsort(-by_value, kind="stable")[:number]
    rest = np.setdiff1d(np.arange(rows), top, assume_unique=True)
    chosen = [rng.choice(some, min(len(some), size), replace=False) for some, size in ((top, EXPOSED), (rest, PEOPLE))]
    shares = [number / rows, 1 - number / rows]
    weights = [np.full(len(some), share / len(some)) for some, share in zip(chosen, shares, strict=True)]
    return np.concatenate(chosen), np.concatenate(weights)


def strangers_of(attacker: Strongest, people: Integers, weights: Floats) -> tuple[Integers, Floats]:
    """Those of these people who are not computed with: their own record would give them away.

    Of a small table each half is attacked by who knows the other; who has everybody's records has theirs too.
    """
    if len(attacker.sides) > 1 or attacker.knowledge.everybody:
        return people, weights
    mine = ~np.isin(people, attacker.sides[0].known)
    return people[mine], weights[mine] / weights[mine].sum()


def _measured(
    attacker: Strongest,
    level: float,
    target: int,
    distances: Floats,
    people: Integers,
    rng: np.random.Generator,
    draws: int,
) -> Floats:
    """How often each one is guessed, over several draws of the noise."""
    risks = np.zeros(len(people))
    for side in attacker.sides:
        # Of a small table each half is attacked by who knows the other.
        mine = np.isin(people, side.people) if len(attacker.sides) > 1 else np.ones(len(people), dtype=bool)
        if not mine.any():
            continue
        manner = attacker.choose(side, level, target, distances)
        attack = attacker.attack(side, level, target, distances, manner)
        x = np.repeat(attacker.values[people[mine]], draws, axis=0)
        y = attacker.seen(x, rng.standard_normal(x.shape), level)
        right = is_within(manner.guesses(attack.guess(y))[:, 0], x[:, target], distances[0])
        risks[mine] = right.reshape(-1, draws).mean(axis=1)
    return risks


@dataclass(frozen=True)
class Reidentified:
    """How well people are found again among all records.

    Attributes
    ----------
    share, share_error : float
        Share of the people whose record is the likeliest one, and its standard error.
    crowd, lonely : float
        In how large a crowd half of the people hide: as many records are at least as likely as their own. And what
        nine in ten have at least.
    """

    share: float
    share_error: float
    crowd: float
    lonely: float


class Finder:
    """Finds people again among all records of a table.

    Parameters
    ----------
    attacker : Strongest
        Its table, shape of the noise and known columns count; what it knows of others does not.
    probes : int
        People who are looked for.
    """

    def __init__(self, attacker: Strongest, probes: int = PROBES) -> None:
        self._attacker = attacker
        rng = keys.rng(attacker.key, "optimal", "found again")
        self._people = rng.permutation(attacker.rows)[:probes]
        self._normals = rng.standard_normal((len(self._people), attacker.columns))
        spread = moments_of(attacker.values).covariance
        # At level 1; at others, distances are the same up to a factor.
        self._turn = whitening(attacker.noise(1.0), spread)
        table = attacker.values @ self._turn
        rounded = np.round(table / max(float(np.abs(table).max()), 1e-300), 12)
        _, self._group, self._equal = np.unique(rounded, axis=0, return_inverse=True, return_counts=True)
        self._group = self._group.ravel()
        self._table, self._tree = table, cKDTree(table)

    def at(self, level: float) -> Reidentified:
        """How well people are found from copies of this level, above 0."""
        attacker, people = self._attacker, self._people
        x = attacker.values[people]
        y = attacker.seen(x, self._normals, level) @ self._turn
        own = np.sqrt(((y - self._table[people]) ** 2).sum(axis=1))
        _, nearest = self._tree.query(y, workers=1)
        group = self._group[people]
        found = (self._group[nearest] == group) / self._equal[group]
        closer = self._tree.query_ball_point(y, own * (1 + 1e-9) + 1e-12, return_length=True)
        crowd = np.maximum(closer, self._equal[group])
        share = float(found.mean())
        return Reidentified(
            share, float(found.std() / np.sqrt(len(found))), float(np.median(crowd)), float(np.quantile(crowd, 0.1))
        )
