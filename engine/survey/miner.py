"""The data miner, who keeps two matrices and no rows (Zhang et al. 2005, Section 4.1)."""

from dataclasses import replace
from typing import Any

import numpy as np

from trustscope.engine.arrays import ArrayLike, Bits, Floats, Integers
from trustscope.engine.survey.encoding import Encoding
from trustscope.engine.survey.guidance import Guidance, check_settings, guidance_of
from trustscope.engine.survey.moderate import moderated
from trustscope.errors import TrustscopeError

__all__ = ["Miner"]

# Rows that are multiplied at once. More would need more memory and be no faster.
_CHUNK = 8_192


class Miner:
    """Receives perturbed tuples, and says how the next ones should be perturbed.

    What is kept are A_c = T_c' T_c and the number of tuples of both classes: the diagonals are the counts that
    naive Bayes needs, the difference gives the guidance.

    Parameters
    ----------
    encoding : Encoding
    mu : float
        Eigenvalues up to this share of the largest are left out (Eq. 6).
    update_every : int
        New guidance is made after every so many tuples. One by one would let respondents read each other's tuples
        from the changes.
    order : {"magnitude", "signed"}
        How eigenvalues are ordered; "signed" is the paper's, for comparison.
    most_level : int, optional
        A limit on k*.
    checked : bool
        Whether respondents bound the weight of single answers: what was learnt is then turned so that it passes
        (`engine.survey.moderated`). The paper has no such check, and sends what was learnt.
    """

    def __init__(
        self,
        encoding: Encoding,
        *,
        mu: float = 0.15,
        update_every: int = 100,
        order: str = "magnitude",
        most_level: int | None = None,
        checked: bool = True,
    ) -> None:
        check_settings(mu, order)
        if not isinstance(update_every, int | np.integer) or update_every < 1:
            raise TrustscopeError(
                f"Guidance is updated after a whole number of tuples, every 1 tuple at least, not {update_every}."
            )
        if most_level is not None and (not isinstance(most_level, int | np.integer) or most_level < 1):
            raise TrustscopeError(f"The level is limited to a whole number of columns, at least 1, not {most_level}.")
        self.encoding = encoding
        self.mu = float(mu)
        self.order = order
        self.update_every = int(update_every)
        self.most_level = most_level
        self.checked = bool(checked)
        self._matrices = np.zeros((2, encoding.dimension, encoding.dimension))
        self._sizes = [0, 0]
        self._shape = (encoding.dimension,)
        self._guidance: Guidance | None = None

    @property
    def received(self) -> int:
        """Number of tuples so far."""
        return self._sizes[0] + self._sizes[1]

    @property
    def sizes(self) -> Integers:
        """Number of tuples of both classes, shape (2,)."""
        return np.array(self._sizes)

    @property
    def matrices(self) -> Floats:
        """A_0 and A_1, shape (2, dimension, dimension)."""
        return self._matrices.copy()

    @property
    def counts(self) -> Floats:
        """How often every bit was set in both classes, shape (2, dimension)."""
        return np.array(np.einsum("cii->ci", self._matrices))

    @property
    def until_update(self) -> int:
        """How many more tuples there are until the guidance is made anew."""
        return self.update_every - self.received % self.update_every

    def guidance(self) -> Guidance | None:
        """The guidance as of the last update; before the first one, from the tuples so far; None without any."""
        if self._guidance is None and self.received:
            self.refresh()
        return self._guidance

    def refresh(self) -> None:
        """Make the guidance anew at once, whatever the interval."""
        learnt = guidance_of(
            self._matrices[0] - self._matrices[1],
            self.mu,
            order=self.order,
            received=self.received,
            most=self.most_level,
        )
        passing = moderated(learnt.basis, self.encoding) if self.checked else learnt.basis
        self._guidance = learnt if passing is learnt.basis else replace(learnt, basis=passing)

    def receive(self, tuples: ArrayLike, classes: ArrayLike) -> bool:
        """Take one tuple, or a block.

        The state after a block is that after its tuples one by one; of several updates within a block only the
        last is made.

        Parameters
        ----------
        tuples : array-like of 0 and 1, shape (dimension,) or (rows, dimension)
        classes : int or array-like, shape (rows,)
            0 or 1.

        Returns
        -------
        bool
            Whether there is new guidance.
        """
        if isinstance(tuples, np.ndarray) and tuples.shape == self._shape and np.ndim(classes) == 0:
            return self._receive_one(tuples, classes)
        tuples, classes = self._checked(tuples, classes)
        last = (self.received + len(tuples)) // self.update_every * self.update_every - self.received
        if last <= 0:
            self._add(tuples, classes)
            return False
        self._add(tuples[:last], classes[:last])
        self.refresh()
        self._add(tuples[last:], classes[last:])
        return True

    def _receive_one(self, bits: Bits, c: Any) -> bool:
        """Eq. 4 as it stands, without the detours that pay for a block."""
        if (
            bits.dtype != np.uint8
            or bits.max() > 1
            or not isinstance(c, int | np.integer | np.bool_)
            or c not in (0, 1)
        ):
            (bits,), (c,) = self._checked(bits, c)
        row, of_class = bits.astype(float), int(c)
        self._matrices[of_class] += row[:, None] * row
        self._sizes[of_class] += 1
        if self.received % self.update_every:
            return False
        self.refresh()
        return True

    def _add(self, tuples: Bits, classes: Integers) -> None:
        for start in range(0, len(tuples), _CHUNK):
            part, ones = tuples[start : start + _CHUNK], classes[start : start + _CHUNK] == 1
            for c in (0, 1):
                of_class = part[ones == c].astype(np.float32)
                # Exact: float32 counts to 2**24, far above a chunk.
                self._matrices[c] += of_class.T @ of_class
                self._sizes[c] += len(of_class)

    def _checked(self, tuples: ArrayLike, classes: ArrayLike) -> tuple[Bits, Integers]:
        tuples, classes = np.asarray(tuples), np.asarray(classes)
        if tuples.ndim == 1:
            tuples = tuples[None] if tuples.size else tuples.reshape(0, self.encoding.dimension)
        classes = classes.reshape(-1)
        if tuples.ndim != 2 or tuples.shape[1] != self.encoding.dimension:
            raise TrustscopeError(
                f"A tuple has {self.encoding.dimension} bits here; these have the shape {tuples.shape}."
            )
        if not len(tuples) and not len(classes):
            return tuples.astype(np.uint8), classes.astype(np.int64)
        if len(classes) != len(tuples):
            raise TrustscopeError(f"There are {len(tuples):,} tuples but {len(classes):,} classes.")
        if tuples.dtype != np.uint8 or (tuples.size and tuples.max() > 1):
            if not np.isin(tuples, (0, 1)).all():
                raise TrustscopeError("The bits of a tuple are 0 or 1.")
            tuples = tuples.real.astype(np.uint8)
        if classes.dtype.kind not in "iub" or (classes.size and (classes.min() < 0 or classes.max() > 1)):
            raise TrustscopeError("The class of a tuple is 0 or 1: the scheme tells two classes apart.")
        return tuples, classes.astype(np.int64, copy=False)
