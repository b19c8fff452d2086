"""What is believed of a column of categories by what is known exactly of people, before any copy is seen.

By references (`mixed`), by what was learned from the sample (`learned`), or by both in equal parts: what does best on
people of the sample who were left out.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from trustscope.engine.arrays import Floats, Integers
from trustscope.engine.attacks.optimal.knowledge import Side
from trustscope.engine.attacks.optimal.learned import Learned, blended, blending, can_learn
from trustscope.engine.attacks.optimal.retention import Observed

TAUGHT = 16  # learned models that an attacker keeps: those of four columns
TRIED = 2_000  # people of the sample on whom learning is tried, at most


class SideBelief:
    """Beliefs of one side of an attacker, who knows the side's sample.

    Parameters
    ----------
    attacker : Mixed
    side : Side
    target : int
        The column of categories.
    manner : MixedManner
        How references are smoothed.

    Attributes
    ----------
    share : float
        What learned beliefs count; 0: nothing.
    """

    def __init__(self, attacker: Any, side: Side, target: int, manner: Any) -> None:
        self._attacker, self._side, self._target, self._manner = attacker, side, target, manner
        sample = side.sample_rows
        self.share = 0.0
        if attacker.knowledge.everybody or not can_learn(len(sample), attacker.layout.sizes[target]):
            return
        # The last of the sample: the first ones are the references, which must not be lost to the trial.
        many = min(len(sample) // 3, TRIED)
        rest, tried = sample[:-many], sample[-many:]
        without = self.by_references(tried, np.setdiff1d(side.known, tried))
        learned = self._learned(rest)(tried)
        self.share = blending(without, learned, attacker.codes[tried, target])
        if self.share:
            self._predict = self._learned(sample)

    def __call__(self, people: Integers) -> Floats:
        """Of every value for these people, shape (people, values)."""
        references = self._side.known
        if not self._attacker.knowledge.everybody and len(people) == 1:
            # Somebody of the sample who is looked at: what is known of others counts.
            references = references[references != people[0]]
        found = self.by_references(people, references)
        return blended(found, self._predict(people), self.share) if self.share else found

    def by_references(self, people: Integers, references: Integers | None = None) -> Floats:
        """The same by references alone."""
        attacker, target = self._attacker, self._target
        known = self._side.known if references is None else references
        seen, y = Observed((), (), attacker.codes[people]), attacker.numbers.values[people]
        out = np.empty((len(people), attacker.layout.sizes[target]))
        for rows, believed in attacker.beliefs(self._side, known, attacker.nothing, target, self._manner, y, seen):
            out[rows] = believed.T
        return out

    def _learned(self, rows: Integers) -> Callable[[Integers], Floats]:
        attacker, target = self._attacker, self._target
        numbers = attacker.numbers.values[:, list(attacker.knowledge.columns)]
        codes = attacker.codes[:, [c for c in attacker.layout.known if c != target]]
        # What is learned depends on no copy: with every copy that is looked at it would be learned again.
        taught, key = attacker.taught, (target, rows.tobytes())
        model = taught.get(key)
        if model is None:
            model = Learned(numbers[rows], codes[rows], attacker.codes[rows, target], attacker.layout.sizes[target])
            taught[key] = model
            for oldest in list(taught)[:-TAUGHT]:
                taught.pop(oldest, None)
        return lambda people: model.beliefs(numbers[people], codes[people])
