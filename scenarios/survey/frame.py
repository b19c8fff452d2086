"""Where a survey stands: all that the page shows of it."""

from dataclasses import dataclass

import numpy as np

from trustscope.engine import measures
from trustscope.scenarios.survey.scenario import Settings
from trustscope.scenarios.survey.target import TargetFigures
from trustscope.scenarios.twenty import Twenty


@dataclass(frozen=True)
class Person:
    """One respondent who arrived; `sent` is None if they refused."""

    number: int
    kind: int
    level: int
    truth: tuple[int, ...]
    sent: tuple[int, ...] | None


@dataclass(frozen=True)
class KindFigures:
    """What one kind of respondent gives away.

    Attributes
    ----------
    level : columns that are followed; 0 if they refuse
    refuses : str
        Why, or empty.
    disclosure : measured share of all that their answers say, with its standard error
    bound : the paper's bound on it
    """

    level: int
    refuses: str
    disclosure: measures.Disclosure | None
    bound: float

    @property
    def share(self) -> float:
        """What is given away; nothing where nothing is sent, and never more than all, whatever the draws say."""
        return 0.0 if self.disclosure is None else min(max(self.disclosure.share, 0.0), 1.0)

    @property
    def error(self) -> float:
        """Standard error of the share."""
        return 0.0 if self.disclosure is None else self.disclosure.standard_error

    @property
    def broken(self) -> bool:
        """Whether the bound fails, by more than the draws could explain."""
        return self.level > 0 and self.share > self.bound + 3 * self.error + 1e-9

    @property
    def silent(self) -> bool:
        """Whether nothing is followed by choice."""
        return not self.level and not self.refuses


@dataclass(frozen=True, eq=False)
class Frame:
    """Where things stand.

    Attributes
    ----------
    settings : Settings
    arrived, received, refused : int
    level : k*, of the honest guidance
    basis : what is sent to those who accept everything, shape (bits, columns)
    weight : the most that a single answer weighs among the columns that a kind follows, for each question
    bound : the most that is accepted there
    people : the latest respondents, the last one first
    accuracy, half : of naive Bayes on what was sent, and half the width of its interval
    accuracies, levels : ((places), (heights)) of the lines
    kinds : KindFigures for each
    error, error_bound : l_e and the bound on it
    target : TargetFigures
    reason : why some refuse now, or empty
    twenty : whose watched answer is guessed, of twenty people; None where there are too few
    """

    settings: Settings
    arrived: int
    received: int
    refused: int
    level: int
    basis: np.ndarray
    weight: np.ndarray
    bound: float
    people: tuple[Person, ...]
    accuracy: float
    half: float
    accuracies: tuple[tuple[int, ...], tuple[float, ...]]
    levels: tuple[tuple[int, ...], tuple[int, ...]]
    kinds: tuple[KindFigures, ...]
    error: float
    error_bound: float
    target: TargetFigures
    reason: str
    twenty: Twenty | None

    @property
    def disclosed(self) -> float:
        """What respondents give away on average."""
        shares = [kind.share for kind in self.settings.mix.kinds]
        return float(np.dot(shares, [figures.share for figures in self.kinds]))
