"""One column of categories for somebody who knows other columns: what is believed beforehand, and what copies add.

If nothing but copies of the column itself are released, all other knowledge is a belief beforehand, pi_i(v), of each
person's own. Copies multiply it by the retention law, whatever it rests on. With one copy at p, in a domain of m
values, q = (1 - p) / m and g = 1 + p / q, the copy y turns pi into pi(v) g^[v = y] over 1 + (g - 1) pi(y). Hence
exactly, for somebody with the value t: the likeliest value is t if y = t and g pi(t) is above all others, or if t is
the likeliest beforehand and g pi(y) does not reach it. Nested copies are as good as the best of them. Independent ones
are drawn.

The beliefs beforehand are those of the posterior by references, those that were learned (`learned`), or both mixed in
equal parts in logarithms: what did best on people of the sample who were left out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Bools, Floats, Integers
from trustscope.engine.attacks.agreement import Insight
from trustscope.engine.attacks.optimal.knowledge import Knowledge, Limits
from trustscope.engine.attacks.optimal.mixed import NOTHING, Mixed
from trustscope.engine.attacks.optimal.people import HUNDREDTH
from trustscope.engine.attacks.optimal.retention import CERTAIN
from trustscope.engine.attacks.optimal.side import SideBelief

BELIEFS = 2_000_000  # beliefs that are held: of fewer people where there are more values
PEOPLE = 4_096  # people whose risks are worked out, at most
DRAWN_FOR = 1_024  # people whose independent copies are drawn to say who is exposed
DRAWS, FRESH = 32, 256  # copies of each of them, and of those who seem most exposed
MOST_COPIES = 64  # of one person, whose numbers tell draws apart
COPIES = 8_192  # people, times draws of their independent copies
TRUSTS = np.concatenate([[0.0], np.arange(1, 200) / 200, [1.0]])  # retentions at which figures are worked out
EQUAL = 1e-9  # of a belief: what is nearer than this is as likely


@dataclass(frozen=True)
class Known:
    """What is known of everybody beside the column that is guessed.

    Attributes
    ----------
    numbers : numpy.ndarray, shape (rows, m)
    codes : numpy.ndarray of int, shape (rows, c)
    sizes : tuple of int
    """

    numbers: Floats
    codes: Integers
    sizes: tuple[int, ...]


@dataclass(frozen=True)
class Beforehand:
    """Beliefs of people's values before any copy is seen.

    Attributes
    ----------
    people : numpy.ndarray of int, shape (P,)
        Their rows.
    truth : numpy.ndarray of int, shape (P,)
        Their values.
    beliefs : numpy.ndarray, shape (P, m)
    key : int
        Of the copies that are drawn.
    others : callable, optional
        Of a row, what is believed of somebody who is not among these people, shape (m,).
    """

    people: Integers
    truth: Integers
    beliefs: Floats
    key: int = 0
    others: Callable[[int], Floats] | None = None

    @cached_property
    def _places(self) -> dict[int, int]:
        return {int(row): place for place, row in enumerate(self.people)}

    def of(self, row: int) -> Floats:
        """What is believed of anybody, shape (m,)."""
        if row in self._places or self.others is None:
            return np.asarray(self.beliefs[self._places[row]])
        return self.others(row)

    @property
    def size(self) -> int:
        """Of the domain."""
        return int(self.beliefs.shape[1])

    @cached_property
    def own(self) -> Floats:
        """What is believed of the true value, shape (P,)."""
        return self.beliefs[np.arange(len(self.truth)), self.truth]

    @cached_property
    def top(self) -> Floats:
        """What is believed of the likeliest value, shape (P,)."""
        return np.asarray(self.beliefs.max(axis=1))

    @cached_property
    def ties(self) -> Integers:
        """How many values are as likely as that, shape (P,)."""
        return np.asarray((self.beliefs >= self.top[:, None] * (1 - EQUAL)).sum(axis=1))

    @cached_property
    def guessed(self) -> Bools:
        """Who is guessed right without any copy, shape (P,)."""
        return self.own >= self.top * (1 - EQUAL)

    # One copy

    def risks(self, p: float) -> Floats:
        """The chance that each one's value is the likeliest, over one copy at p, shape (P,)."""
        if p >= CERTAIN:
            return np.ones(len(self.truth))
        if p <= 0:
            return self.guessed / self.ties
        q = (1 - p) / self.size
        gain = 1 + p / q
        # Beforehand the likeliest: right unless the copy shows a value that overtakes it.
        rivals = (gain * self.beliefs > self.top[:, None] * (1 + EQUAL)).sum(axis=1)
        kept = 1 - q * np.maximum(rivals - 1, 0)
        alone = (p + q) + (kept - (p + q)) / self.ties  # of several likeliest ones the copy decides, or chance
        overtakes = gain * self.own > self.top * (1 + EQUAL)
        return np.where(self.guessed, alone, np.where(overtakes, p + q, 0.0))

    def trusted(self, p: float) -> Floats:
        """What is believed of each one's value on average over one copy at p, shape (P,)."""
        if p >= CERTAIN:
            return np.ones(len(self.truth))
        q = (1 - p) / self.size
        gain = 1 + p / q
        others = (1 / (1 + (gain - 1) * self.beliefs)).sum(axis=1) - 1 / (1 + (gain - 1) * self.own)
        return np.asarray(self.own * ((p + q) * gain / (1 + (gain - 1) * self.own) + q * others))

    def alone(self, p: float) -> Insight:
        """What one copy at p achieves."""
        return _insight(self.risks(p), self.trusted(p))

    @cached_property
    def nobody(self) -> Insight:
        """What is achieved without any copy."""
        return self.alone(0.0)

    @cached_property
    def _curve(self) -> tuple[Floats, Floats]:
        """Shares of right guesses and their errors over retentions: a noisier copy cannot help, because noise can be
        added."""
        found = [self.alone(p) for p in TRUSTS]
        right = np.maximum.accumulate([one.right for one in found])
        return right, np.array([one.right_error for one in found])

    def right_at(self, ps: ArrayLike) -> Floats:
        """The share of right guesses with one copy at each of these retentions."""
        right: Floats = np.interp(np.asarray(ps, dtype=float), TRUSTS, self._curve[0])
        return right

    def error_at(self, ps: ArrayLike) -> Floats:
        """Its standard error."""
        error: Floats = np.interp(np.asarray(ps, dtype=float), TRUSTS, self._curve[1])
        return error

    # Several copies

    def growing(self, ps: Sequence[float], scheme: str) -> list[Insight]:
        """The figures as recipients join one by one, in the order given."""
        ps = [float(p) for p in ps]
        best = np.maximum.accumulate(ps).tolist()
        each = {p: self._monotone(p) for p in set(best)}
        if scheme == "nested":
            return [each[p] for p in best]
        state, found = Drawn(self), []
        for number, p in enumerate(ps):
            if best[number] >= CERTAIN:
                found.append(each[best[number]])
                continue
            state = state.joined(p, number)
            found.append(
                _at_least(each[best[number]], found[-1] if found else None, state.figures() if number else None)
            )
        return found

    def coalitions(self, ps: Sequence[float], scheme: str) -> list[Insight]:
        """The figures of every coalition; entry `mask` is for those whose bits are set in it."""
        many = len(ps)
        each = [self._monotone(float(p)) for p in ps]
        out = [self.nobody] * (1 << many)
        for mask in range(1, len(out)):
            out[mask] = each[max((i for i in range(many) if mask >> i & 1), key=lambda i: ps[i])]
        if scheme == "independent":
            self._visit(out, Drawn(self), 0, ps, range(many))
        return out

    def _visit(self, out: list[Insight], state: "Drawn", mask: int, ps: Sequence[float], order: range) -> None:
        for place, i in enumerate(order):
            if ps[i] >= CERTAIN:
                continue
            grown, after = mask | 1 << i, state.joined(ps[i], i)
            if mask:
                out[grown] = _at_least(out[grown], out[mask], after.figures())
            self._visit(out, after, grown, ps, order[place + 1 :])

    def _monotone(self, p: float) -> Insight:
        one = self.alone(p)
        return Insight(one.belief, max(one.right, float(self.right_at(p))), one.belief_error, one.right_error)

    def measured(self, rows: Integers, copies: Sequence[Integers], ps: Sequence[float]) -> tuple[Floats, Floats]:
        """What copies that were made let one guess and believe of some people.

        Parameters
        ----------
        rows : numpy.ndarray of int, shape (some,)
            Rows of people who are among these.
        copies : sequence of arrays of int, shape (some,)
            Independent ones, or one.
        ps : sequence of float

        Returns
        -------
        right, belief : numpy.ndarray, shape (some,)
            Whether the likeliest value is the true one, and what is believed of the true one.
        """
        state = Drawn(self, np.array([self._places[int(row)] for row in rows], dtype=np.intp))
        for number, (p, copy) in enumerate(zip(ps, copies, strict=True)):
            state = state.joined(p, number, copy)
        return state.guesses()

    # At worst

    def raised(self, gain: float) -> Floats:
        """The most that can come to be believed of each one's true value where odds grow so many times, shape (P,)."""
        return _raised(self.own, gain)

    def worst(self, gain: float, values: ArrayLike | None = None) -> float:
        """The most that can come to be believed of a value of anybody, or of a set of values together.

        Parameters
        ----------
        gain : float
            How many times the odds of a value can grow: of all copies together.
        values : array-like of int, optional
            The set; by default each value by itself.
        """
        if values is None:
            return float(_raised(self.top, gain).max())
        some = np.atleast_1d(np.asarray(values, dtype=int))
        mass, most = self.beliefs[:, some].sum(axis=1), self.beliefs[:, some].max(axis=1)
        if np.isinf(gain):
            return float((mass > 0).max())
        return float(((mass + (gain - 1) * most) / (1 + (gain - 1) * most)).max())

    # People

    @cached_property
    def alike(self) -> bool:
        """Whether the same is believed of everybody."""
        return bool((self.beliefs == self.beliefs[0]).all())

    def exposed(self, ps: Sequence[float], scheme: str = "nested") -> "Exposed":
        """Who is exposed by copies at these retentions."""
        best = max(ps, default=0.0)
        if scheme == "nested" or len(ps) < 2 or best >= CERTAIN:
            return exposed(self.people, self.risks(best), self.guessed)
        if self.alike:  # then a risk is that of a value
            values = np.unique(self.truth)
            each = self.some(np.array([int(np.flatnonzero(self.truth == value)[0]) for value in values]))
            risks = each.drawn_risks(ps, 2 * FRESH)[np.searchsorted(values, self.truth)]
            return exposed(self.people, risks, self.guessed)
        some = self.some(np.arange(min(DRAWN_FOR, len(self.truth))))
        found = exposed(some.people, some.drawn_risks(ps, DRAWS), some.guessed)
        # Who seems most exposed may have been unlucky in the draws: fresh ones say.
        top = np.flatnonzero(~some.guessed & (found.risks >= found.least))
        if not len(top):
            return found
        fresh = some.some(top).drawn_risks(ps, FRESH, DRAWS)
        risks = found.risks.copy()
        risks[top] = fresh
        return replace(found, risks=risks, hundredth=float(fresh.mean()), worst=float(fresh.max()))

    def some(self, places: Integers) -> "Beforehand":
        """Some of the people."""
        return Beforehand(self.people[places], self.truth[places], self.beliefs[places], self.key)

    def drawn_risks(self, ps: Sequence[float], draws: int, start: int = 0) -> Floats:
        """The chance that each one's value is the likeliest, over so many draws of independent copies at these
        retentions; `start` tells draws apart."""
        state = Drawn(self, np.repeat(np.arange(len(self.truth)), draws))
        for number, p in enumerate(ps):
            state = state.joined(p, number + MOST_COPIES * start)
        return state.risks()


@dataclass(frozen=True)
class Exposed:
    """Risks of people: `Exposure` of a column of categories.

    Attributes
    ----------
    people : numpy.ndarray of int, shape (P,)
    risks : numpy.ndarray, shape (P,)
    anyway : numpy.ndarray of bool, shape (P,)
        Who is guessed without any copy.
    average, hundredth, worst : float
        Of all; of the most exposed hundredth and the most exposed one of those who are not guessed anyway.
    least : float
        Of the least exposed one of that hundredth.
    """

    people: Integers
    risks: Floats
    anyway: Bools
    average: float
    hundredth: float
    worst: float
    least: float = 0.0


def exposed(people: Integers, risks: Floats, anyway: Bools) -> Exposed:
    """Who is exposed, by risks."""
    mine = np.sort(risks[~anyway])[::-1]
    top = mine[: max(1, int(np.ceil(HUNDREDTH * len(risks))))]
    if not len(top):
        return Exposed(people, risks, anyway, float(risks.mean()), 0.0, 0.0)
    return Exposed(people, risks, anyway, float(risks.mean()), float(top.mean()), float(top[0]), float(top[-1]))


class Drawn:
    """Copies of people's values and what they make of the beliefs: drawn, the same draws whatever the retentions, or
    those of a release.

    Parameters
    ----------
    before : Beforehand
    who : numpy.ndarray of int, optional
        Places among the people, one for each value that a copy has; by default everybody as often as it takes.
    copies, first, after : tuples of arrays
        What has joined: the values, the belief of each beforehand (0 where an earlier copy holds it), and that times
        how much the copies that hold it multiply it.
    """

    def __init__(
        self,
        before: Beforehand,
        who: Integers | None = None,
        copies: tuple[Integers, ...] = (),
        first: tuple[Floats, ...] = (),
        after: tuple[Floats, ...] = (),
    ) -> None:
        self._before, self._copies, self._first, self._after = before, copies, first, after
        times = max(1, COPIES // max(len(before.truth), 1))
        self._who = np.repeat(np.arange(len(before.truth)), times) if who is None else who

    def joined(self, p: float, number: int, copy: Integers | None = None) -> "Drawn":
        """One more copy, of the recipient with this number; drawn where it is not given."""
        before, who = self._before, self._who
        if copy is None:
            draw = keys.rng(before.key, "beforehand", number)
            chance, redrawn = draw.random(len(who)), draw.integers(before.size, size=len(who))
            copy = np.where(chance < p, before.truth[who], redrawn)
        gain = 1 + before.size * p / (1 - min(p, CERTAIN))
        new, after = np.ones(len(who), dtype=bool), []
        for held, weight in zip(self._copies, self._after, strict=True):
            same = held == copy
            new &= ~same
            after.append(np.where(same, gain * weight, weight))
        first = np.where(new, before.beliefs[who, copy], 0.0)
        return Drawn(before, who, (*self._copies, copy), (*self._first, first), (*after, gain * first))

    def guesses(self) -> tuple[Floats, Floats]:
        """Whether the likeliest value is the true one (its chance, where several are), and what is believed of the true
        one."""
        before, who = self._before, self._who
        truth, mine = before.truth[who], before.own[who]
        total = np.ones(len(who))
        # Values that no copy shows stay as likely as they were: the likeliest beforehand is one to beat.
        best = before.top[who]
        for copy, first, after in zip(self._copies, self._first, self._after, strict=True):
            total += after - first
            mine = np.where((copy == truth) & (first > 0), after, mine)
            np.maximum(best, np.where(first > 0, after, 0.0), out=best)
        least = best * (1 - EQUAL)
        # Of equally likely values each is as good a guess.
        equal = np.where(before.top[who] >= least, before.ties[who], 0)
        for first, after in zip(self._first, self._after, strict=True):
            equal = equal + ((first > 0) & (after >= least)) - ((first >= least) & (first > 0))
        return (mine >= least) / np.maximum(equal, 1), mine / total

    def risks(self) -> Floats:
        """How often each one is guessed, shape (P,)."""
        return self._mean(self.guesses()[0])

    def _mean(self, figure: Floats) -> Floats:
        many = len(self._before.truth)
        return np.bincount(self._who, weights=figure, minlength=many) / np.bincount(self._who, minlength=many)

    def figures(self) -> Insight:
        """Means over people, with standard errors."""
        right, belief = (self._mean(part) for part in self.guesses())
        return _insight(right, belief)


def _insight(risks: Floats, beliefs: Floats) -> Insight:
    root = np.sqrt(len(risks))
    return Insight(float(beliefs.mean()), float(risks.mean()), float(beliefs.std() / root), float(risks.std() / root))


def _at_least(alone: Insight, before: Insight | None, grown: Insight | None) -> Insight:
    """Nobody has to use a copy that does not help."""
    known = [one for one in (alone, before, grown) if one is not None]
    best = max(known, key=lambda one: one.right)
    sure = max(known, key=lambda one: one.belief)
    return Insight(sure.belief, best.right, sure.belief_error, best.right_error)


def _raised(belief: Floats, gain: float) -> Floats:
    if np.isinf(gain):
        return (belief > 0).astype(float)
    return gain * belief / (1 + (gain - 1) * belief)


# What is believed beforehand


def beforehand(
    codes: Integers, size: int, known: Known, *, knowledge: Knowledge | None = None, key: int = 0
) -> Beforehand:
    """What the attacker believes of a column of categories by other columns, which are known exactly.

    Parameters
    ----------
    codes : numpy.ndarray of int, shape (rows,)
        The column.
    size : int
    known : Known
        The other columns.
    knowledge : Knowledge, optional
        Of other people's records: `sample`, `everybody`.
    key : int

    Returns
    -------
    Beforehand
        Of people who are not in the sample; of some of them in a large table.
    """
    what = knowledge or Knowledge()
    numbers = known.numbers if known.numbers.shape[1] else None
    many = known.codes.shape[1]
    attacker = Mixed(
        numbers, np.column_stack([known.codes, codes]), (*known.sizes, size), cells=(), known=range(many),
        knowledge=Knowledge(what.sample, what.everybody, tuple(range(known.numbers.shape[1]))), key=key,
        limits=Limits(probes=max(64, min(PEOPLE, BELIEFS // size))),
    )  # fmt: skip
    sides = attacker.numbers.sides
    every = [SideBelief(attacker, side, many, attacker.choose_category(side, NOTHING, many)) for side in sides]
    people = [np.unique(side.people)[: max(64, BELIEFS // size)] for side in sides]
    beliefs = np.concatenate([belief(some) for belief, some in zip(every, people, strict=True)])

    def others(row: int) -> Floats:
        """Of anybody, by a side that does not know them, if there is one."""
        stranger = next((n for n, side in enumerate(sides) if row not in side.sample_rows), 0)
        return np.asarray(every[stranger](np.array([row]))[0])

    rows = np.concatenate(people)
    return Beforehand(rows, codes[rows].astype(np.int64), beliefs, key, others)
