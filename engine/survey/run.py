"""A survey while it runs: respondents arrive, are guided, check, perturb and send (Zhang et al. 2005, Section 3)."""

from dataclasses import dataclass

import numpy as np

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Bits, Bools, Floats, Integers
from trustscope.engine.survey.encoding import Encoding
from trustscope.engine.survey.guidance import GuidanceRefused
from trustscope.engine.survey.malicious import hand_picked
from trustscope.engine.survey.miner import Miner
from trustscope.engine.survey.mixes import MIX, Mix
from trustscope.engine.survey.perturb import check_followed, perturbed
from trustscope.errors import TrustscopeError

__all__ = ["ATTACKS", "Batch", "Survey"]

# How a malicious miner picks guidance: asking for an answer outright, or by the best that is known to pass the check.
ATTACKS = ("outright", "hidden")
# Of a group who arrive together: rows, kinds, levels, what they sent, who refused, why, and whether guidance is new.
_Asked = tuple[Integers, Integers, Integers, Bits, Bools, str, bool]


@dataclass(frozen=True, eq=False)
class Batch:
    """Respondents who arrived together.

    Attributes
    ----------
    first : int
        Number of the first of them.
    rows : numpy.ndarray of int, shape (count,)
        Whose answers they have: rows of the survey's tuples.
    kinds : numpy.ndarray of int, shape (count,)
        Number of their kind in the mix; -1 for those who answer in the clear at the start.
    levels : numpy.ndarray of int, shape (count,)
        Columns that each followed; 0 for those who refused.
    sent : numpy.ndarray of uint8, shape (count, dimension)
        What they sent; zeros for those who refused.
    refused : numpy.ndarray of bool, shape (count,)
    reason : str
        Why the last of those who refused did; empty if nobody did.
    changes : tuple of (int, int)
        Tuples received and k* at every change of the guidance meanwhile.
    """

    first: int
    rows: Integers
    kinds: Integers
    levels: Integers
    sent: Bits
    refused: Bools
    reason: str
    changes: tuple[tuple[int, int], ...]


class Survey:
    """People with true answers, the miner who asks, and what has happened so far.

    Parameters
    ----------
    encoding : Encoding
    tuples : array-like of 0 and 1, shape (rows, dimension)
        The true answers of the people who may be asked.
    classes : array-like of 0 and 1, shape (rows,)
        Their classes, which are sent as they are.
    mix : Mix
    mu, update_every, order, most_level
        As in `Miner`.
    clear : int
        So many people answer in the clear first, so that there is guidance: m_0 in the paper, which wants it to be at
        least the number of questions.
    extra_check : bool
        Whether respondents bound the weight of single answers.
    target : int or str, optional
        The question that a malicious miner wants to read: after the start everybody gets guidance picked by hand.
    attack : {"outright", "hidden"}
        How it is picked.
    replace : bool
        False: everybody is asked once, in random order, and the survey ends. True: people are drawn again and again.
    key : int
    """

    def __init__(
        self,
        encoding: Encoding,
        tuples: ArrayLike,
        classes: ArrayLike,
        *,
        mix: Mix = MIX,
        mu: float = 0.15,
        update_every: int = 100,
        order: str = "magnitude",
        most_level: int | None = None,
        clear: int = 40,
        extra_check: bool = True,
        target: int | str | None = None,
        attack: str = "outright",
        replace: bool = False,
        key: int = 1,
    ) -> None:
        tuples, classes = np.asarray(tuples), np.asarray(classes)
        if not len(tuples) == len(classes) > 0:
            raise TrustscopeError(f"There are {len(tuples):,} people but {len(classes):,} classes.")
        if tuples.ndim != 2 or tuples.shape[1] != encoding.dimension:
            raise TrustscopeError(f"A tuple has {encoding.dimension} bits here; these have the shape {tuples.shape}.")
        tuples = _honest(tuples, encoding)
        if classes.dtype.kind not in "biu" or not np.isin(classes, (0, 1)).all():
            raise TrustscopeError("The class of every person is 0 or 1: the scheme tells two classes apart.")
        if len(np.unique(classes)) < 2:
            raise TrustscopeError("All people are of one class; there is nothing to learn to tell apart.")
        if not isinstance(clear, int | np.integer) or clear < 1 or (clear > len(tuples) and not replace):
            raise TrustscopeError(f"Between 1 and {len(tuples):,} people can answer in the clear first, not {clear}.")
        if attack not in ATTACKS:
            raise TrustscopeError(f"Guidance is picked {' or '.join(ATTACKS)}, not {attack!r}.")
        if target is not None:
            encoding.bits_of(target)
        self.encoding, self.tuples, self.classes = encoding, tuples, classes
        self.mix, self.key, self.clear, self.extra_check = mix, key, int(clear), extra_check
        self.target, self.attack, self.replace = target, attack, replace
        self.miner = Miner(
            encoding, mu=mu, update_every=update_every, order=order, most_level=most_level, checked=extra_check
        )
        self.arrived = 0
        self.refused = 0
        self._order = None if replace else self._shuffled()

    @property
    def left(self) -> int | None:
        """How many are still to come, or None without end."""
        return None if self.replace else len(self.tuples) - self.arrived

    def sent_guidance(self, level: int | None = None) -> Floats:
        """The basis that respondents get: the honest one, or that of the malicious miner.

        Parameters
        ----------
        level : int, optional
            What the respondent accepts; a malicious miner who hides fits the guidance to it.
        """
        honest = self.miner.guidance()
        if honest is None:
            raise TrustscopeError("There is no guidance yet: let people answer in the clear first.")
        if self.target is None:
            return honest.basis
        columns = max(1, min(level or honest.level, self.encoding.dimension))
        hidden = self.attack == "hidden"
        return hand_picked(self.encoding, self.target, level=columns, checked=hidden)

    def ask(self, count: int) -> Batch:
        """Let respondents arrive.

        Parameters
        ----------
        count : int
            Fewer come where fewer are left.

        Returns
        -------
        Batch
        """
        count = int(count) if self.left is None else min(int(count), self.left)
        first, parts, changes = self.arrived, [], []
        done = 0
        while done < count:
            start = self.arrived
            size = min(count - done, self.clear - start if start < self.clear else self.miner.until_update)
            parts.append(self._ask(start, size))
            done += size
            guidance = self.miner.guidance()
            if parts[-1][-1] and guidance is not None:
                changes.append((self.miner.received, guidance.level))
        if not parts:
            parts.append(self._nobody())
        rows, kinds, levels, sent, refused, reasons, _ = zip(*parts, strict=True)
        return Batch(
            first,
            rows=np.concatenate(rows),
            kinds=np.concatenate(kinds),
            levels=np.concatenate(levels),
            sent=np.concatenate(sent),
            refused=np.concatenate(refused),
            reason=next((reason for reason in reversed(reasons) if reason), ""),
            changes=tuple(changes),
        )

    def _ask(self, start: int, size: int) -> _Asked:
        rows = self.people(start, size)
        truth = self.tuples[rows]
        dimension = self.encoding.dimension
        if start < self.clear:
            kinds, levels = np.full(size, -1), np.full(size, dimension)
            sent, refused, reason = truth, np.zeros(size, dtype=bool), ""
        else:
            kinds = self.mix.draw(size, self.key, first=start)
            accepted = self.mix.levels(kinds, dimension)
            levels, sent, reason = self._answers(truth, accepted, start)
            refused = (levels == 0) & (accepted > 0)
        self.arrived += size
        self.refused += int(refused.sum())
        changed = self.miner.receive(sent[~refused], self.classes[rows[~refused]])
        if self.arrived == self.clear and start < self.clear:
            self.miner.refresh()
            changed = True
        return rows, kinds, levels, sent, refused, reason, changed

    def _answers(self, truth: Bits, accepted: Integers, start: int) -> tuple[Integers, Bits, str]:
        """What respondents follow and send; the check depends on the columns followed."""
        levels, sent, reason = np.zeros(len(truth), dtype=np.int64), np.zeros_like(truth), ""
        for level in np.unique(accepted[accepted > 0]):
            basis = self.sent_guidance(int(level))
            followed = min(int(level), basis.shape[1])
            try:
                self._check(basis[:, :followed])
            except GuidanceRefused as refusal:
                reason = str(refusal)
                continue
            levels[accepted == level] = followed
            if self.target is not None:
                # All draw, so that a respondent's draws do not depend on who else is there.
                drawn = perturbed(truth, basis, np.full(len(truth), followed), self.key, start)
                sent[accepted == level] = drawn[accepted == level]
        if self.target is None and levels.any():
            sent = perturbed(truth, self.sent_guidance(), levels, self.key, start)
        return levels, sent, reason

    def _check(self, basis: Floats) -> None:
        check_followed(basis, self.encoding.dimension, len(self.encoding.questions), self.extra_check)

    def people(self, first: int, count: int) -> Integers:
        """Rows of those who arrive in these places, whether they have or not.

        Parameters
        ----------
        first, count : int

        Returns
        -------
        numpy.ndarray of int
        """
        if self._order is not None:
            return self._order[first : first + count]
        drawing = keys.generator(keys.stream(self.key, "people asked"), 0)
        keys.advance(drawing, int(first))
        return (drawing.random(count) * len(self.tuples)).astype(np.int64)

    def _shuffled(self) -> Integers:
        rng = keys.rng(self.key, "order of people")
        return rng.permutation(len(self.tuples))

    def _nobody(self) -> _Asked:
        nobody = np.zeros(0, dtype=np.int64)
        nothing = np.zeros((0, self.encoding.dimension), dtype=np.uint8)
        return nobody, nobody, nobody, nothing, np.zeros(0, dtype=bool), "", False


def _honest(tuples: np.ndarray, encoding: Encoding) -> Bits:
    """Tuples that answer every question once, as bits."""
    if tuples.dtype.kind not in "biuf" or not np.isin(tuples, (0, 1)).all():
        raise TrustscopeError("The bits of a tuple are 0 or 1.")
    tuples = tuples.astype(np.uint8, copy=False)
    wrong = (np.add.reduceat(tuples, encoding.starts, axis=1, dtype=np.int64) != 1).any(axis=1)
    if wrong.any():
        raise TrustscopeError(f"Everybody answers every question once; person {np.flatnonzero(wrong)[0] + 1} does not.")
    return tuples
