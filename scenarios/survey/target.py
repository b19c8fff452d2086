"""One question: how often its answer is guessed, knowing nothing, the class alone, or what is sent as well."""

from dataclasses import dataclass

import numpy as np

from trustscope.engine import keys
from trustscope.engine.arrays import Bits, Floats
from trustscope.engine.measures import distinct_tuples, tuple_belief
from trustscope.engine.survey import probabilities
from trustscope.scenarios.survey.population import Population


@dataclass(frozen=True)
class Found:
    """How often the answer is guessed under one guidance.

    Attributes
    ----------
    kinds : for each kind of respondent
    guess : on average over all
    """

    kinds: tuple[float, ...]
    guess: float


@dataclass(frozen=True)
class TargetFigures:
    """How often one question's answer is guessed.

    Attributes
    ----------
    question : its number
    nothing : by who names the commonest answer
    by_class : by who knows the class, which everybody sends as it is
    honest, outright, hidden : Found
        From honest guidance, and from guidance picked by hand; `hidden` is None where there is none.
    """

    question: int
    nothing: float
    by_class: float
    honest: Found
    outright: Found
    hidden: Found | None


def knowing_nothing(people: Population, question: int) -> float:
    """How often the commonest answer is right."""
    answers = people.codes[: len(people.law), question]
    return float(np.bincount(answers).max() / len(answers))


# People who send, to measure by: half a point of uncertainty. With a seventh of them, drawn at random, one question
# of Adult stood at 71 % where 78 % are guessed.
GUESSES = 2_000
FEWEST = 50  # of them in a class, however rare it is


def guessed(people: Population, question: int, basis: Floats, draws: int = GUESSES) -> float:
    """How often the likeliest answer is right, given the class and what is sent by who follows all of `basis`.

    The miner knows how common every combination of answers is in each class. What it sees is drawn; how sure it
    then is, and so how often it is right, is computed.

    Parameters
    ----------
    people : Population
    question : number
    basis : the columns that are followed, shape (bits, k); without any, only the class is known
    draws : of what is sent, in both classes together
    """
    law, classes = people.law, people.classes[: len(people.law)]
    found = 0.0
    for c in (0, 1):
        members = law[classes == c]
        if len(members):
            share = len(members) / len(law)
            found += share * _sureness(
                members, people.encoding.bits_of(question), basis, max(round(draws * share), FEWEST)
            )
    return round(min(found, 1.0), 9)  # certain is certain, whatever rounding leaves


def _sureness(law: Bits, bits: slice, basis: Floats, draws: int) -> float:
    """The mean belief in the likeliest answer.

    Who sends is taken at even steps through everybody, put in the order of their answers: every answer is then there as
    often as it should be, and only what is sent is left to chance.
    """
    distinct, _, counts = distinct_tuples(law)
    prior = counts / counts.sum()
    answers = distinct[:, bits].astype(float)
    if not basis.shape[1]:
        return float((prior @ answers).max())
    rng = np.random.default_rng(int.from_bytes(keys.stream(1, "one question"), "little"))
    chances = probabilities(distinct, basis)
    order = np.argsort(answers.argmax(axis=1), kind="stable")
    steps = (np.arange(draws) + rng.random()) / draws
    senders = order[np.minimum(np.searchsorted(np.cumsum(prior[order]), steps), len(order) - 1)]
    sent = rng.random((draws, chances.shape[1])) < chances[senders]
    return float((tuple_belief(sent, chances, prior) @ answers).max(axis=1).mean())
