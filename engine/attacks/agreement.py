"""What coalitions find out on average, exactly, by who agrees with whom (Xiao et al. 2009, Appendix 2).

Notation as in `posterior`: s the size of the domain, q_i = (1 - p_i) / s, gamma_i = 1 + s p_i / (1 - p_i). What M
independent copies say of a record parts the copies into *blocks*: those that hold the same value. With Q the product
of all q_i and g(B) the product of gamma_i over a block, P(copies | X = x) = Q g(B_x), where B_x is the block that
holds x, and g = 1 if there is none. So with a uniform prior all s (s - 1) ... (s - k + 1) ways to give values to k
blocks count alike, and only the ways to part M copies into blocks need to be listed: 203 for 6 copies, 115 975 for 10,
whatever s is. With another prior every combination of values is listed where there are few (copies at the same p
count as one, by how many of them hold each value), and records are drawn where there are many; the error of the draws
is handed on.

Two figures: the *belief* in the true value, E P(X | copies), and the share of records for which the best guess is
*right*, E max_x P(x | copies).
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import comb
from typing import Any, Protocol

import numpy as np
from scipy.special import gammaln

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Floats, Integers, Several
from trustscope.engine.attacks.posterior import MOST_RECIPIENTS, check_prior
from trustscope.engine.uniform.law import check_coalition, check_scheme, check_size
from trustscope.errors import TrustscopeError

LISTED_BLOCKS = 10  # copies up to which all ways to part them are listed; one less for all coalitions
LISTED_CELLS = 1_500_000  # combinations of values, times the size of the domain, that are listed
LISTED_FOR_ALL = 4_000_000  # the same over all coalitions
DRAWS = 20_000


@dataclass(frozen=True)
class Insight:
    """What a coalition finds out on average.

    Attributes
    ----------
    belief : float
        Mean probability that they give to the true value.
    right : float
        Share of records whose likeliest value is the true one.
    belief_error, right_error : float
        Standard errors; 0 where the figures are exact.
    """

    belief: float
    right: float
    belief_error: float = 0.0
    right_error: float = 0.0

    @property
    def exact(self) -> bool:
        """Whether nothing was drawn."""
        return self.belief_error == self.right_error == 0


CERTAIN = Insight(1.0, 1.0)


def nobody(size: int, prior: ArrayLike | None = None) -> Insight:
    """The figures of somebody without any copy: what is believed beforehand, and the likeliest value."""
    prior = check_prior(prior, check_size(size))
    return Insight(float(prior @ prior), float(prior.max()))


def alone(p: float, size: int, prior: ArrayLike | None = None) -> Insight:
    """The figures of one copy at p, exactly."""
    size = check_size(size)
    p, prior = float(check_coalition(p)[0]), check_prior(prior, size)
    if p == 1:
        return CERTAIN
    other = (1 - p) / size
    own = prior * (p + other)  # P(x, copy = x)
    total = p * prior + other
    belief = ((own**2 + other**2 * (prior @ prior - prior**2)) / total).sum()
    first, second = np.partition(prior, -2)[[-1, -2]]
    elsewhere = np.full(size, first)
    if (prior == first).sum() == 1:
        elsewhere[prior.argmax()] = second
    return Insight(float(belief), float(np.maximum(own, other * elsewhere).sum()))


def growing(
    ps: ArrayLike,
    size: int,
    *,
    scheme: str = "nested",
    prior: ArrayLike | None = None,
    draws: int = DRAWS,
    key: int = 0,
) -> list[Insight]:
    """The figures as recipients join one by one, in the order given.

    Parameters
    ----------
    ps : array-like, shape (M,)
        Retention probabilities.
    size : int
    scheme : {"nested", "independent"}
    prior : array-like, shape (size,), optional
        What is believed beforehand, which is also how values are distributed; uniform by default.
    draws : int
        Records to draw where there are too many combinations to list.
    key : int

    Returns
    -------
    list of M Insight
        Entry m is for the first m + 1 recipients.
    """
    ps, size = check_coalition(ps), check_size(size)
    if check_scheme(scheme) == "nested":
        best = np.maximum.accumulate(ps)
        known = {p: alone(p, size, prior) for p in set(best.tolist())}
        return [known[p] for p in best.tolist()]
    sure = np.flatnonzero(ps == 1)
    free = ps[: sure[0]] if sure.size else ps
    found = _independent(free, size, prior, draws, key)
    return [*found, *[CERTAIN] * (len(ps) - len(free))]


def together(ps: ArrayLike, size: int, **options: Any) -> Insight:
    """The figures of all of a coalition; options as in `growing`."""
    return growing(ps, size, **options)[-1]


def coalitions(
    ps: ArrayLike,
    size: int,
    *,
    scheme: str = "nested",
    prior: ArrayLike | None = None,
    draws: int = 2_000,
    cells: int = LISTED_FOR_ALL,
    key: int = 0,
) -> list[Insight]:
    """The figures of every coalition.

    Parameters
    ----------
    ps : array-like, shape (M,)
        M <= 12.
    size, scheme, prior, draws, key
        As in `growing`; all coalitions are judged on the same draws.
    cells : int
        Combinations of values, times the size of the domain, that are listed at most.

    Returns
    -------
    list of 2^M Insight
        Entry `mask` is for the recipients whose bits are set in it; 0 is nobody.
    """
    ps, size = check_coalition(ps), check_size(size)
    many = len(ps)
    if many > MOST_RECIPIENTS:
        raise TrustscopeError(f"All coalitions of {many} recipients are too many: at most {MOST_RECIPIENTS}.")
    single = [alone(p, size, prior) for p in ps]
    out = [nobody(size, prior)] * (1 << many)
    for mask in range(1, len(out)):
        out[mask] = single[max((i for i in range(many) if mask >> i & 1), key=lambda i: ps[i])]
    if check_scheme(scheme) == "independent":
        # Equal copies one after the other, so that they can be counted as one.
        order = np.argsort(-ps, kind="stable").tolist()
        order = [i for i in order if ps[i] < 1]
        _visit(out, _beginning(ps[order], size, prior, draws, key, cells, every=True), 0, ps, order)
    return out


class _State(Protocol):
    """Copies that joined, however they are counted."""

    def joined(self, p: float, number: int) -> "_State":
        """One more copy."""

    def figures(self) -> Insight:
        """What they say together."""


def _visit(out: list[Insight], state: _State, mask: int, ps: Floats, order: list[int]) -> None:
    """Fill in every coalition that a known one grows into; only the states on the way there are kept."""
    for place, i in enumerate(order):
        grown, after = mask | 1 << i, state.joined(ps[i], i)
        if mask:
            out[grown] = after.figures()
        _visit(out, after, grown, ps, order[place + 1 :])


def _independent(ps: Floats, size: int, prior: ArrayLike | None, draws: int, key: int) -> list[Insight]:
    if not len(ps):
        return []
    state, found = _beginning(ps, size, prior, draws, key, LISTED_CELLS), []
    for number, p in enumerate(ps):
        state = state.joined(p, number)
        found.append(state.figures() if number else alone(p, size, prior))
    return found


def _beginning(
    ps: Floats, size: int, prior: ArrayLike | None, draws: int, key: int, cells: int, every: bool = False
) -> _State:
    """Nobody has joined yet: listed blocks, listed values or drawn records, whichever is exact and affordable."""
    shares = check_prior(prior, size)
    if np.ptp(shares) <= 1e-12 and len(ps) <= LISTED_BLOCKS - every:
        return _Blocks(size)
    runs: Several = np.diff(np.flatnonzero(np.r_[True, np.diff(ps) != 0, True])) if len(ps) else []
    # Of all coalitions, those with any part of a run; for one that grows, the whole of each.
    ways = [sum(comb(size + r - 1, r) for r in range(run + 1)) if every else comb(size + run - 1, run) for run in runs]
    if float(np.prod([float(w) for w in ways])) * size <= cells:
        return _Values(shares[:, None])
    return _Draws(_Records(shares, draws, key))


class _Blocks:
    """All ways to part the copies that joined into blocks, for a uniform prior.

    `gains` has g(B) of every block, shape (ways, blocks), 0 where there is none; `count` how many blocks there are;
    `ways` is Q s (s - 1) ... (s - k + 1) / s: the weight of such a parting, but for the likelihood of the truth.
    """

    def __init__(
        self, size: int, gains: Floats | None = None, count: Integers | None = None, ways: Floats | None = None
    ) -> None:
        self.size = size
        self.gains = np.zeros((1, 0)) if gains is None else gains
        self.count = np.zeros(1, dtype=np.intp) if count is None else count
        self.ways = np.full(1, 1 / size) if ways is None else ways

    def joined(self, p: float, number: int) -> "_Blocks":
        """One more copy: it joins each of the blocks, or makes one of its own."""
        q = (1 - p) / self.size
        gain = 1 + p / q
        room = np.pad(self.gains, ((0, 0), (0, 1)))
        gains, count, ways = [], [], []
        for block in range(room.shape[1]):
            joins = np.flatnonzero(self.count >= block)  # block == count: a new one
            new = self.count[joins] == block
            grown = room[joins]
            grown[:, block] = np.where(new, gain, gain * grown[:, block])
            gains.append(grown)
            count.append(self.count[joins] + new)
            ways.append(self.ways[joins] * q * np.where(new, max(self.size - block, 0), 1.0))
        return _Blocks(self.size, np.concatenate(gains), np.concatenate(count), np.concatenate(ways))

    def figures(self) -> Insight:
        """Sums over all ways."""
        unseen = np.maximum(self.size - self.count, 0)  # values in no copy: their g is 1
        total = unseen + self.gains.sum(axis=1)
        squares = unseen + (self.gains**2).sum(axis=1)
        return Insight(float(self.ways @ (squares / total)), float(self.ways @ self.gains.max(axis=1)))


class _Values:
    """All combinations of values; of copies at one p only how many hold each value.

    `before` is P(X = x, copies) without the copies at the last p, shape (size, combinations); `run` how many of those.
    """

    def __init__(self, before: Floats, p: float | None = None, run: int = 0) -> None:
        self.before, self.p, self.run = before, p, run

    def _joint(self) -> Floats:
        if self.p is None:
            return self.before
        size = len(self.before)
        held, ways = _held(size, self.run)
        q = (1 - self.p) / size
        # P(these counts | x) = ways q^run gamma^(how many hold x)
        likelihood = ways * q**self.run * (1 + self.p / q) ** held
        return np.asarray((self.before[:, :, None] * likelihood[:, None, :]).reshape(size, -1))

    def joined(self, p: float, number: int) -> "_Values":
        """One more copy: the next of the run, or the first of another."""
        if p == self.p:
            return _Values(self.before, p, self.run + 1)
        return _Values(self._joint(), p, 1)

    def figures(self) -> Insight:
        """Sums over all combinations."""
        joint = self._joint()
        total = joint.sum(axis=0)
        squares = np.einsum("xc,xc->c", joint, joint)
        belief = np.divide(squares, total, out=np.zeros_like(total), where=total > 0).sum()
        return Insight(float(belief), float(joint.max(axis=0).sum()))


@cache
def _held(size: int, run: int) -> tuple[Integers, Floats]:
    """How often each value is held in all ways to hold `run` values, shape (size, ways), and what each way weighs."""
    some = np.array(list(combinations_with_replacement(range(size), run)), dtype=np.intp)
    held = np.zeros((size, len(some)), dtype=np.int8)
    for column in some.T:
        held[column, np.arange(len(some))] += 1
    return held, np.round(np.exp(gammaln(run + 1) - gammaln(held + 1.0).sum(axis=0)))


class _Records:
    """Records drawn from the prior, and the chances of their copies: the same ones whatever p is."""

    def __init__(self, prior: Floats, draws: int, key: int) -> None:
        self.prior, self.draws, self._key = prior, draws, key
        self._chances: dict[int, tuple[Floats, Integers]] = {}
        # As many records of every value as the prior expects.
        places = (np.arange(draws) + 0.5) / draws
        self.truth = np.minimum(np.searchsorted(prior.cumsum(), places), len(prior) - 1)

    def copy(self, p: float, number: int) -> Integers:
        """The copy at p of the recipient with this number."""
        if number not in self._chances:
            rng = keys.rng(self._key, "agreement", number)
            self._chances[number] = rng.random(self.draws), rng.integers(len(self.prior), size=self.draws)
        chance, drawn = self._chances[number]
        return np.where(chance < p, self.truth, drawn)


@dataclass(frozen=True)
class _Draws:
    """What the copies of drawn records say.

    What is averaged is not whether a guess was right but how likely that is, given the copies: the mean is the same,
    its error smaller.

    Attributes
    ----------
    records : _Records
    copies : tuple of arrays of int, shape (draws,)
    before, after : tuple of arrays, shape (draws,)
        The prior of what each copy holds, and that times the gains of all copies that hold it; 0 where a copy before
        it holds the same.
    """

    records: _Records
    copies: tuple[Integers, ...] = ()
    before: tuple[Floats, ...] = ()
    after: tuple[Floats, ...] = ()

    def joined(self, p: float, number: int) -> "_Draws":
        """One more copy of every record."""
        records = self.records
        copy = records.copy(p, number)
        gain = 1 + len(records.prior) * p / (1 - p)
        new = np.ones(records.draws, dtype=bool)
        after = []
        for held, weight in zip(self.copies, self.after, strict=True):
            same = held == copy
            new &= ~same
            after.append(np.where(same, gain * weight, weight))
        before = np.where(new, records.prior[copy], 0.0)
        return _Draws(records, (*self.copies, copy), (*self.before, before), (*after, gain * before))

    def figures(self) -> Insight:
        """Means over the records, with their standard errors."""
        prior = self.records.prior
        total, squares = np.ones(self.records.draws), np.full(self.records.draws, prior @ prior)
        best = np.full(self.records.draws, prior.max())
        for before, after in zip(self.before, self.after, strict=True):
            total += after - before
            squares += after * after - before * before
            np.maximum(best, after, out=best)
        belief, right = squares / (total * total), best / total
        root = np.sqrt(len(total))
        return Insight(float(belief.mean()), float(right.mean()), float(belief.std() / root), float(right.std() / root))


def best_values(
    copies: Several, ps: ArrayLike, size: int, *, scheme: str = "nested", prior: ArrayLike | None = None
) -> Integers:
    """The likeliest value of every record, given a coalition's copies; no value is favoured where two are equal.

    Of equally likely values the one held by the copy named first is taken, so that with a uniform prior every value is
    found as often as any other, and the share that is right is that of `growing` whatever the data are.

    Parameters
    ----------
    copies : sequence of M arrays of int, shape (rows,)
    ps : array-like, shape (M,)
    size, scheme, prior
        As in `growing`.

    Returns
    -------
    numpy.ndarray of int, shape (rows,)
    """
    ps, prior = check_coalition(ps), check_prior(prior, check_size(size))
    best = int(np.argmax(ps))
    if ps[best] == 1:
        return np.asarray(copies[best])
    if check_scheme(scheme) == "nested":
        copies, ps = [copies[best]], ps[[best]]
    guess = np.full(len(copies[0]), int(prior.argmax()))
    reached = np.full(len(guess), prior.max())
    gains = 1 + size * ps / (1 - ps)
    for copy in copies:
        weight = prior[copy]
        for other, gain in zip(copies, gains, strict=True):
            weight = np.where(other == copy, weight * gain, weight)
        # Rounding must not decide between equals.
        better = weight > reached * (1 + 1e-12)
        guess, reached = np.where(better, copy, guess), np.where(better, weight, reached)
    return guess
