"""What a miner could infer from what one person sends."""

from dataclasses import dataclass

import numpy as np

from app.survey.run import to_answers
from engine.measures import tuple_belief
from engine.survey import probabilities, respond


@dataclass(frozen=True)
class Inferred:
    """One person's answers, what they would send, and what would be believed.

    Attributes
    ----------
    sent : number of the answer that was sent to every question; -1 for none, -2 for several
    before, after : belief in the true answer to every question
    right_before, right_after : answers whose likeliest value is the true one
    bits, entropy : information on the whole of the answers, and how much there is
    same, other : answers sent truly, and falsely
    surest : the question that the miner is surest of, and its belief in what it thinks is the answer
    refuses : why nothing is sent, or empty
    """

    sent: np.ndarray
    before: np.ndarray
    after: np.ndarray
    right_before: int
    right_after: int
    bits: float
    entropy: float
    same: int
    other: int
    surest: tuple[str, float]
    refuses: str = ""

    @property
    def share(self) -> float:
        """Of what there is to learn."""
        return self.bits / self.entropy if self.entropy > 0 else 0.0


def inferred(people, answers, basis, refuses: str, key: int) -> Inferred:
    """Send these answers once, following all of `basis`, and believe by Bayes' rule.

    Parameters
    ----------
    people : Population
        The miner knows how common every combination of answers is among them.
    answers : number of every answer
    basis : the columns that are followed, shape (bits, k); without any, nothing is sent but zeros
    refuses : why nothing is sent, or empty
    key : of the draw
    """
    encoding, law = people.encoding, people.law
    answers = np.asarray(answers)
    truth = encoding.from_codes(answers)
    distinct, counts = np.unique(law, axis=0, return_counts=True)
    prior = counts / counts.sum()
    tuple_sent = np.zeros_like(truth)
    posterior = prior
    if basis.shape[1]:
        tuple_sent = respond(truth, basis, basis.shape[1], key, extra_check=False)
        posterior = tuple_belief(tuple_sent, probabilities(distinct, basis), prior)[0]
    before, after = prior @ distinct, posterior @ distinct
    own = encoding.starts + answers
    likeliest = [_likeliest(belief, encoding) for belief in (before, after)]
    sent = to_answers(encoding, tuple_sent)[0]
    entropy = float(-(prior * np.log2(prior)).sum())
    left = float(-(posterior[posterior > 0] * np.log2(posterior[posterior > 0])).sum())
    sure = np.maximum.reduceat(after, encoding.starts)
    most = int(np.argmax(np.where(np.maximum.reduceat(before, encoding.starts) < 1, sure, -1)))
    return Inferred(
        sent,
        before[own],
        after[own],
        int((likeliest[0] == answers).sum()),
        int((likeliest[1] == answers).sum()),
        max(entropy - left, 0.0),
        entropy,
        int((sent == answers).sum()),
        int(((sent >= 0) & (sent != answers)).sum()),
        (encoding.questions[most], float(sure[most])),
        refuses,
    )


def _likeliest(belief, encoding):
    """The likeliest answer to every question."""
    return np.array([int(np.argmax(belief[encoding.bits_of(j)])) for j in range(len(encoding.questions))])
