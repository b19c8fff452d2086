"""Twenty people on the Survey page: what they would send, and whose watched answer is guessed (see `scenarios.twenty`).

A group is held against what is expected of everybody: by the class alone, and from what people send who follow the
guidance of the page as it opens, or of clear answers, or picked by hand, in the kinds that the page opens with.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial

import numpy as np

from trustscope.engine.arrays import Bools, Floats, Integers
from trustscope.engine.keys import rng
from trustscope.engine.measures import distinct_tuples, tuple_belief
from trustscope.engine.survey import guidance_of, hand_picked, probabilities
from trustscope.scenarios.survey.population import Population
from trustscope.scenarios.survey.scenario import KINDS, Settings
from trustscope.scenarios.survey.target import guessed, knowing_nothing
from trustscope.scenarios.twenty import CANDIDATES, FEWEST, MANY, Twenty, nearest_group

LEARNT = (40, 80, 200, 1_000)  # people from whose answers guidance is learnt, with which a group is held against all
ROUGHLY = 300  # people who send, to hold a group against: twenty people come no nearer than a twentieth


class Respondents:
    """Some people, each with the same luck whatever is asked for.

    Parameters
    ----------
    people : Population
    question : int
        The watched one.
    places : numpy.ndarray of int
        Among the people; of every `MANY` that follow one another each has its own rank.
    key : int
        Of their luck.
    """

    def __init__(self, people: Population, question: int, places: np.ndarray, key: int):
        draw = rng(key, "twenty who answer")
        self.people, self.question, self.places = people, question, places
        # From the most to the least cautious, evenly: then a few have the kinds of all in their shares.
        self._rank = ((draw.permutation(MANY) + 0.5) / MANY)[places % MANY]
        self.luck = draw.random((CANDIDATES, people.encoding.dimension))[places]
        self.truth = people.codes[places, question]

    def kinds(self, shares: Sequence[float] | Floats) -> Integers:
        """The kind of each, by the shares of the kinds."""
        kinds: Integers = np.minimum(np.searchsorted(np.cumsum(shares), self._rank, side="right"), len(shares) - 1)
        return kinds

    def by_nothing(self) -> Bools:
        """Whether the commonest answer is theirs."""
        hits: Bools = self.truth == np.bincount(self.people.codes[: len(self.people.law), self.question]).argmax()
        return hits

    def by_sent(self, basis: Floats) -> Bools:
        """Whether the likeliest answer is theirs, given their class and what they send of these columns."""
        people, found = self.people, np.zeros(len(self.places), dtype=bool)
        bits, classes = people.encoding.bits_of(self.question), people.classes[: len(people.law)]
        for c in (0, 1):
            mine = people.classes[self.places] == c
            if not mine.any():
                continue
            make = partial(lambda c: distinct_tuples(people.law[classes == c]), c)
            distinct, _, counts = people.memo(("distinct", c), make)
            prior, answers = counts / counts.sum(), distinct[:, bits].astype(float)
            believed = (prior @ answers)[None]
            if basis.shape[1]:
                sent = self.luck[mine] < probabilities(people.tuples[self.places[mine]], basis)
                believed = tuple_belief(sent, probabilities(distinct, basis), prior) @ answers
            found[mine] = believed.argmax(axis=1) == self.truth[mine]
        return found


def chosen(people: Population, question: int, opening: np.ndarray, key: int) -> Respondents | None:
    """The twenty, by the rule; None where there are too few people.

    Parameters
    ----------
    people : Population
    question : int
    opening : numpy.ndarray, shape (dimension, columns)
        What is asked for when the page opens.
    key : int
    """
    if len(people.law) < FEWEST:
        return None
    every = Respondents(people, question, np.arange(CANDIDATES), key)
    levels, weights = [level for *_, level in KINDS], np.array([weight for _, weight, _ in KINDS]) / 100
    hits = [every.by_nothing(), every.by_sent(np.zeros((people.encoding.dimension, 0)))]
    shares = [knowing_nothing(people, question), guessed(people, question, np.zeros((people.encoding.dimension, 0)))]
    for plan in (
        *_honest(people, opening, levels),
        *_picked(people, question, levels),
    ):  # each kind as far as it follows
        hits.append(np.choose(every.kinds(weights), [every.by_sent(one) for one in plan]))
        shares.append(float(weights @ [guessed(people, question, one, ROUGHLY) for one in plan]))
    group = nearest_group(np.array(hits, dtype=float), key, np.array(shares))
    return Respondents(people, question, group, key)


def _honest(people: Population, opening: Floats, levels: list[int]) -> Iterator[list[Floats]]:
    """Honest guidance for each of the levels: as the page opens, and from the clear answers of more and more people."""
    yield [opening[:, :level] for level in levels]
    for many in LEARNT:
        tuples, signs = people.law[:many].astype(float), np.where(people.classes[:many] == 0, 1.0, -1.0)[:, None]
        basis = guidance_of((signs[: len(tuples)] * tuples).T @ tuples, Settings().mu).basis
        yield [basis[:, :level] for level in levels]


def _picked(people: Population, question: int, levels: list[int]) -> Iterator[list[Floats]]:
    """Guidance picked by hand, for each of the levels: asked for outright, and hidden where there is such a thing."""
    for checked in (False, True):
        with suppress(ValueError):  # too few other questions to hide it among
            yield [hand_picked(people.encoding, question, level=level, checked=checked) for level in levels]


def twenty(who: Respondents | None, settings: Settings, followed: list[np.ndarray | None]) -> Twenty | None:
    """Whose answer is guessed by the class alone, and from what is sent.

    Parameters
    ----------
    who : Respondents or None
    settings : Settings
    followed : list of numpy.ndarray or None
        The columns that each kind follows; None where it refuses, and sends not even the class.
    """
    if who is None:
        return None
    by_kind = [who.by_nothing() if basis is None else who.by_sent(basis) for basis in followed]
    after = np.choose(who.kinds([kind.share for kind in settings.mix.kinds]), by_kind)
    nobody = np.zeros((who.people.encoding.dimension, 0))
    return Twenty(who.places + 1, who.truth, who.by_sent(nobody), np.asarray(after, dtype=bool))
