"""What a miner could infer from what one person sends."""

from dataclasses import dataclass

import numpy as np

from trustscope.engine.arrays import ArrayLike, Floats, Integers
from trustscope.engine.measures import tuple_belief
from trustscope.engine.survey import probabilities, respond
from trustscope.engine.survey.encoding import Encoding
from trustscope.scenarios.survey.population import Population
from trustscope.scenarios.survey.run import to_answers


@dataclass(frozen=True)
class Inferred:
    """One person's answers, what they would send, and what would be believed.

    Attributes
    ----------
    sent : number of the answer that was sent to every question; -1 for none, -2 for several
    before, after : belief in the true answer to every question, knowing nothing of the person, and knowing all that
        they sent: their class, and the perturbed answers
    right_before, right_class, right_after : answers whose likeliest value is the true one, knowing nothing, the class
        alone, and all that was sent
    bits, entropy : information on the whole of the answers, and how much there is
    same, other : answers sent truly, and falsely
    surest : the question that the miner is surest of, and its belief in what it thinks is the answer
    refuses : why nothing is sent, or empty
    """

    sent: np.ndarray
    before: np.ndarray
    after: np.ndarray
    right_before: int
    right_class: int
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


def inferred(people: Population, answers: ArrayLike, of_class: int, basis: Floats, refuses: str, key: int) -> Inferred:
    """Send the class as it is, and these answers once, following all of `basis`; and believe by Bayes' rule.

    Parameters
    ----------
    people : Population
        The miner knows how common every combination of answers is in each class.
    answers : number of every answer
    of_class : 0 or 1
    basis : the columns that are followed, shape (bits, k); without any, nothing is sent but the class
    refuses : why nothing is sent, not even the class; or empty
    key : of the draw
    """
    encoding, law = people.encoding, people.law
    answers = np.asarray(answers)
    truth = encoding.from_codes(answers)
    distinct, place = np.unique(law, axis=0, return_inverse=True)
    prior = np.bincount(place.ravel()) / len(law)
    members = place.ravel()[people.classes[: len(law)] == of_class]
    known = np.bincount(members, minlength=len(distinct)) / len(members) if len(members) else prior
    tuple_sent = np.zeros_like(truth)
    posterior = prior if refuses else known
    if basis.shape[1] and not refuses:
        tuple_sent = respond(truth, basis, basis.shape[1], key, extra_check=False)
        alive = known > 0
        posterior = np.zeros(len(distinct))
        posterior[alive] = tuple_belief(tuple_sent, probabilities(distinct[alive], basis), known[alive])[0]
    before, after = prior @ distinct, posterior @ distinct
    own = encoding.starts + answers
    right_before, right_class, right_after = (
        int((_likeliest(belief, encoding) == answers).sum()) for belief in (before, known @ distinct, after)
    )
    sent = to_answers(encoding, tuple_sent)[0]
    entropy = float(-(prior * np.log2(prior)).sum())
    left = float(-(posterior[posterior > 0] * np.log2(posterior[posterior > 0])).sum())
    sure = np.maximum.reduceat(after, encoding.starts)
    most = int(np.argmax(np.where(np.maximum.reduceat(before, encoding.starts) < 1, sure, -1)))
    return Inferred(
        sent,
        before[own],
        after[own],
        right_before,
        right_class,
        right_after,
        max(entropy - left, 0.0),
        entropy,
        int((sent == answers).sum()),
        int(((sent >= 0) & (sent != answers)).sum()),
        (encoding.questions[most], float(sure[most])),
        refuses,
    )


def _likeliest(belief: Floats, encoding: Encoding) -> Integers:
    """The likeliest answer to every question; of equal ones the first, whatever rounding says."""
    belief = np.round(belief, 12)
    return np.array([int(np.argmax(belief[encoding.bits_of(j)])) for j in range(len(encoding.questions))])
