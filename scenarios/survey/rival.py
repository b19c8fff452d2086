"""The randomisation that gives away as much as the survey does, on the same people."""

from dataclasses import dataclass

import numpy as np

from trustscope.engine import utility
from trustscope.scenarios.survey.population import Population

MOST = 4_000  # people who are randomised
CHECKPOINTS = 6
DRAWS = 300


@dataclass(frozen=True)
class Rival:
    """What randomisation reaches.

    Attributes
    ----------
    disclosed : share that it gives away
    scale : standard deviation of its noise, in standard deviations of the answers
    x, y : tuples received, and accuracy
    """

    disclosed: float
    scale: float
    x: tuple[int, ...]
    y: tuple[float, ...]

    @property
    def accuracy(self) -> float:
        """With all people."""
        return self.y[-1]


def randomised(people: Population, rows: np.ndarray, share: float) -> Rival:
    """Noise on the answers of these people, scaled to give away so much, and naive Bayes on what can be made of it."""
    encoding = people.encoding
    law = people.codes[: len(people.law)]  # the same people by whom the survey is measured
    scale, found = utility.noise_for_disclosure(law, law, min(max(share, 0.005), 0.995), draws=DRAWS, tolerance=0.004)
    codes, classes = people.codes[rows[:MOST]], people.classes[rows[:MOST]]
    released, variances = utility.randomise(codes, scale, key=5)
    edges = [np.arange(size - 1) + 0.5 for size in encoding.sizes]
    x = sorted({int(n) for n in np.geomspace(min(30, len(codes)), len(codes), CHECKPOINTS)})
    y = []
    for n in x:
        if len(np.unique(classes[:n])) < 2:
            y.append(people.majority)
            continue
        answers = utility.corrected(released[:n], classes[:n], variances, edges)
        y.append(people.accuracy(encoding.from_codes(answers), classes[:n]))
    return Rival(found.share, scale, tuple(x), tuple(y))
