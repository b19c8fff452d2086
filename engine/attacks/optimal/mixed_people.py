"""Who is exposed, and who can be found again, where rows have numbers and categories.

As in `people`; the risks are those of the posterior of `mixed`, and a record is as likely as its numbers are near and
its categories agree with the copies.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from trustscope.engine import keys
from trustscope.engine.arrays import Bools, Floats, Integers
from trustscope.engine.attacks.optimal.beforehand import Beforehand
from trustscope.engine.attacks.optimal.cells import COMMON, common_window, is_common
from trustscope.engine.attacks.optimal.knowledge import Side
from trustscope.engine.attacks.optimal.manners import is_within
from trustscope.engine.attacks.optimal.mixed import Holding, Mixed, MixedManner, right_guesses
from trustscope.engine.attacks.optimal.mixture import BLOCK, whitening
from trustscope.engine.attacks.optimal.people import (
    DRAWS,
    FRESH,
    Exposure,
    Reidentified,
    by_rows_too,
    exposure_of,
    most_exposed,
    people_drawn,
    risk_of_values,
    strangers_of,
)
from trustscope.engine.attacks.optimal.retention import Observed, gains

LOOKED_FOR = 2**27  # pairs of a person who is looked for and a record
SAME = 1e-9  # of a logarithm: what is nearer than this is as likely


def mixed_exposure(
    attacker: Mixed,
    holding: Holding,
    target: int,
    within: float | None = None,
    manners: Sequence[MixedManner] | None = None,
) -> Exposure:
    """Who is exposed by their value of one column.

    Parameters
    ----------
    attacker : Mixed
    holding : Holding
    target : int
        A column of numbers if `within` is given, of categories otherwise.
    within : float, optional
        The distance of a hit.
    manners : sequence of MixedManner, optional
        How to guess, for each of the sides; by default what does best on the sample.
    """
    by_value, common, unaided = _by_column(attacker, holding, target, within)
    draw = keys.rng(attacker.key, "mixed", "exposed")
    drawn = people_drawn(attacker.rows, np.where(common, 0.0, by_value), draw)
    people, weights = strangers_of(attacker.numbers, *drawn)
    by_column = exposure_of(people, by_value[people], weights, common[people], unaided)
    measure = _Measure(attacker, holding, target, within, manners)
    risks = measure(people, DRAWS, draw)
    # Who seems most exposed may have been unlucky in the draws: fresh ones say.
    first = most_exposed(risks, weights, by_column.common)
    fresh = measure(people[first], FRESH, draw) if len(first) else np.array([])
    return by_rows_too(by_column, risks, first, fresh)


def _by_column(
    attacker: Mixed, holding: Holding, target: int, within: float | None
) -> tuple[Floats, Bools, float]:  # fmt: skip
    """Risks by copies of the column alone, whose value is common, and how often a constant guess is right for them."""
    if within is not None:
        values = attacker.numbers.values[:, target]
        alone = attacker.numbers.alone(holding.level, target, [float(within)])
        common = is_common(values, np.full(len(values), 1 / len(values)), within)
        return risk_of_values(alone, values), common, common_window(values, within)[1] / float(common.mean())
    codes = attacker.codes[:, target]
    shares = np.bincount(codes, minlength=attacker.layout.sizes[target]) / len(codes)
    each = Beforehand(np.arange(len(shares)), np.arange(len(shares)), np.tile(shares, (len(shares), 1)), attacker.key)
    if (target,) in attacker.layout.cells and holding.retentions:
        risks = each.risks(holding.retentions[0])
    else:
        risks = each.risks(0.0)
    often = shares >= COMMON * shares.max()
    return risks[codes], often[codes], float(shares.max() / shares[often].sum())


class _Measure:
    """How often people are guessed, over several draws of their copies."""

    def __init__(
        self,
        attacker: Mixed,
        holding: Holding,
        target: int,
        within: float | None,
        manners: Sequence[MixedManner] | None = None,
    ) -> None:
        self.attacker, self.holding, self.target, self.within = attacker, holding, target, within
        some = None if within is None else np.array([float(within)])
        self.manners = manners or [
            attacker.choose_category(side, holding, target)
            if some is None
            else attacker.choose_number(side, holding, target, some)
            for side in attacker.numbers.sides
        ]

    def __call__(self, people: Integers, draws: int, draw: np.random.Generator) -> Floats:
        sides = self.attacker.numbers.sides
        risks = np.zeros(len(people))
        for side, manner in zip(sides, self.manners, strict=True):
            # Of a small table each half is attacked by who knows the other.
            mine = np.isin(people, side.people) if len(sides) > 1 else np.ones(len(people), dtype=bool)
            if mine.any():
                rows = np.repeat(people[mine], draws)
                risks[mine] = self._right(side, manner, rows, draw).reshape(-1, draws).mean(axis=1)
        return risks

    def _right(self, side: Side, manner: MixedManner, rows: Integers, draw: np.random.Generator) -> Floats | Bools:
        attacker, holding, target = self.attacker, self.holding, self.target
        x = attacker.numbers.values[rows]
        y = attacker.numbers.seen(x, draw.standard_normal(x.shape), holding.level)
        seen = attacker.observed(rows, holding, draw)
        if self.within is not None:
            distances = np.array([float(self.within)])
            found = attacker.number_attack(side, side.known, holding, target, distances, manner)(y, seen)
            guess = found.means if manner.mean else found.windows[:, 0]
            return is_within(guess, x[:, target], distances[0])
        tilt, truth = attacker.tilt(side, rows, target, manner), attacker.codes[rows, target]
        out = np.empty(len(rows))
        for some, believed in attacker.beliefs(side, side.known, holding, target, manner, y, seen, tilt):
            out[some] = right_guesses(believed, truth[some])
        return out


class MixedFinder:
    """Finds people again among all records of a table, by their numbers and categories.

    Parameters
    ----------
    attacker : Mixed
        Its table, layout, shape of the noise and known columns count; what it knows of others does not.
    probes : int
        People who are looked for, at most; fewer where there are many records.
    """

    def __init__(self, attacker: Mixed, probes: int = 2_048) -> None:
        self._attacker = attacker
        draw = keys.rng(attacker.key, "mixed", "found again")
        self.people = draw.permutation(attacker.rows)[: max(64, min(probes, LOOKED_FOR // attacker.rows))]
        numbers = attacker.numbers
        self._normals = draw.standard_normal((len(self.people), numbers.columns))
        # At level 1; at others, distances are the same up to a factor.
        self._turn = whitening(numbers.noise(1.0), numbers.moments.covariance)
        self._table = numbers.values @ self._turn

    def at(self, holding: Holding) -> Reidentified:
        """How well people are found from what a coalition holds."""
        share, crowd = [], []
        for rows, likely in self.likelihoods(holding):
            own = likely[self.people[rows], np.arange(likely.shape[1])]
            slack = SAME * (1 + np.abs(own))
            best = likely.max(axis=0)
            equal = (likely >= best - slack).sum(axis=0)
            share.append(np.where(own >= best - slack, 1 / equal, 0.0))
            crowd.append((likely >= own - slack).sum(axis=0))
        found, hidden = np.concatenate(share), np.concatenate(crowd)
        return Reidentified(
            float(found.mean()), float(found.std() / np.sqrt(len(found))),
            float(np.median(hidden)), float(np.quantile(hidden, 0.1)),
        )  # fmt: skip

    def likelihoods(self, holding: Holding) -> Iterator[tuple[slice, Floats]]:
        """Logarithms of how likely all records are, for some of the people at a time, shape (rows, people), each up to
        a constant."""
        attacker, people = self._attacker, self.people
        y = attacker.numbers.seen(attacker.numbers.values[people], self._normals, holding.level) @ self._turn
        seen = attacker.observed(people, holding, keys.rng(attacker.key, "mixed", "found again", "copies"))
        square = (self._table**2).sum(axis=1)
        size = max(1, BLOCK // attacker.rows)
        cells = [(cell, *self._ids(cell, seen)) for cell in attacker.layout.cells if seen.copies]
        for start in range(0, len(people), size):
            some = slice(start, min(start + size, len(people)))
            likely = (self._table @ y[some].T - 0.5 * square[:, None]) / holding.level
            for cell, ids, copies in cells:
                told = np.zeros_like(likely)
                growth = gains(cell, attacker.layout, seen.rows(some))
                for copy, gain in zip(copies, growth, strict=True):
                    told += gain * (ids[:, None] == copy[some])
                likely += np.log1p(told)
            for c in attacker.layout.known:
                column = attacker.codes[:, c]
                likely[column[:, None] != column[people[some]]] = -np.inf
            yield some, likely

    def _ids(self, cell: tuple[int, ...], seen: Observed) -> tuple[Integers, list[Integers]]:
        """One number for the codes of a cell, of all records and of each copy; columns that are known do not count."""
        attacker = self._attacker
        free = [c for c in cell if c not in attacker.layout.known]
        if not free:
            zero = np.zeros(attacker.rows, dtype=np.int64)
            return zero, [zero[: len(copy)] for copy in seen.copies]
        stacked = np.vstack([attacker.codes[:, free], *[copy[:, free] for copy in seen.copies]])
        _, ids = np.unique(stacked, axis=0, return_inverse=True)
        ids = ids.ravel()
        ends = attacker.rows + np.cumsum([0, *[len(copy) for copy in seen.copies]])
        return ids[: attacker.rows], [ids[a:b] for a, b in pairwise(ends)]
