"""What can be believed of a record, given a noisy copy of it and a sample of other people's records.

Notation: x a record, K the covariance of the data, y = x + noise with noise covariance R: by
`engine.attacks.combining`, whatever copies a coalition holds act as one such y. The attacker has reference records x_j.
Taken as they are, they are too rough a picture of many columns, so they are smoothed without moving mean or covariance.
If one column t is the target, it and what it does not tell of the others are smoothed by shares of their own:

    x_t = sqrt(1 - h_t^2) x_jt + h_t N(0, K_tt),    r = x_o - B x_t = sqrt(1 - h_o^2) r_j + h_o N(0, K_o|t),

in centred coordinates, with B the regression of the others on the target and K_o|t what it leaves of their covariance.
Without a target all columns are smoothed alike, x = sqrt(1 - h^2) x_j + h N(0, K). Either way every component is normal
with one covariance Q, and so is y given the component, with R + Q. Hence, with c_j the centre of component j,

    w_j ~ exp(-|y - c_j|^2 / 2) in coordinates in which R + Q is the unit matrix,
    x given y and component j: mean c_j + G (y - c_j), G = Q (R + Q)^-1, covariance Q - G Q.

Shares of 0 leave the bare sample. Shares of 1 make one normal law, whose guess is the best linear one. In between,
(h_t, h_o) = (0, 1) has the exact distribution of the target and takes all else for linear. Values of the target stay
what they are if h_t = 0: a column of whole numbers is guessed as whole numbers.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from scipy.special import ndtr

from trustscope.engine.arrays import Floats, Integers, Weights
from trustscope.engine.attacks.optimal.cells import FINE, Cells, cells_of, is_strange, nearest_guess, possible_range

BLOCK = 2**20  # weights held at a time
NOTHING = 1e-10  # of the largest variance: directions in which nothing varies
EXACT = 1e-7  # of the data's variance: what is known without noise counts as known up to this
CLOSE = 0.03  # noise of less than this share of the data's variance wants double precision
SPREAD = 200  # cells of components that are spread out
FEW = 256  # references near which almost every y lies; whether it does need not be looked up among all
LOST = 1e-30  # weights of less than this in all: y lies so far from all references that they are worked out again

# Logarithms of what else is known of every component, for some rows at a time.
Factors = Callable[[slice], Weights]


@dataclass(frozen=True)
class Moments:
    """Mean and covariance of the columns."""

    mean: Floats
    covariance: Floats


def moments_of(x: Floats) -> Moments:
    """The moments of a table."""
    return Moments(x.mean(axis=0), np.atleast_2d(np.cov(x, rowvar=False)))


class Centres:
    """Where components stand, whatever the noise is; parameters as of `Mixture`."""

    def __init__(
        self, references: Floats, moments: Moments, smoothing: tuple[float, float], target: int | None
    ) -> None:
        self.turn, self.spread = _parted(moments.covariance, target)
        share = np.full(references.shape[1], smoothing[1])
        if target is not None:
            share[target] = smoothing[0]
        self.share, self.smooth = share, self.spread * np.outer(share, share)
        self.places = ((references - moments.mean) @ self.turn.T) * np.sqrt(1 - share**2)


class Mixture:
    """The posterior of records.

    Parameters
    ----------
    references : numpy.ndarray, shape (N, m)
        Records of other people.
    noise : numpy.ndarray, shape (m, m)
        R. Singular where something is known exactly.
    moments : Moments
        What the smoothing keeps.
    smoothing : pair of float
        (h_t, h_o), each from 0 to 1; without a target the second one counts for all columns.
    target : int, optional
        The column that is guessed.
    centres : Centres, optional
        Those of the other parameters, where they are at hand.
    counts : numpy.ndarray, shape (N,), optional
        How many people each record stands for; by default one.

    Attributes
    ----------
    wanted : list of int
        The columns that are guessed: the target, or all.
    positions : numpy.ndarray, shape (N, len(wanted))
        Where the components stand in these columns, but for a shift that depends on y.
    variance : float
        Of the target within a component; 0 where components are values.
    counts : numpy.ndarray or None
        As given.
    """

    def __init__(
        self,
        references: Floats,
        noise: Floats,
        moments: Moments,
        smoothing: tuple[float, float] = (0.0, 0.0),
        target: int | None = None,
        centres: Centres | None = None,
        counts: Integers | None = None,
    ) -> None:
        columns = references.shape[1]
        self.mean = moments.mean
        self._spread, self._noise = moments.covariance, noise
        self.wanted = list(range(columns)) if target is None else [target]
        made = centres or Centres(references, moments, smoothing, target)
        turn, spread, smooth, share, places = made.turn, made.spread, made.smooth, made.share, made.places
        whiten = whitening(turn @ noise @ turn.T + smooth, spread)
        # The target is one of the coordinates itself, so that nothing has to be turned back.
        self.variance = 0.0
        self.positions = references[:, self.wanted]  # the values themselves, to the last bit
        self._shift = np.zeros((columns, len(self.wanted)))
        if share[self.wanted].any():
            gain = smooth[self.wanted] @ whiten @ whiten.T
            self.positions = places[:, self.wanted] - places @ gain.T + self.mean[self.wanted]
            self._shift = turn.T @ gain.T
            if target is not None:
                self.variance = max(float(smooth[target, target] - gain[0] @ smooth[:, target]), 0.0)
        self._turn = turn.T @ whiten
        self._scaled, self._whiten, self._parted = places @ whiten, whiten, spread
        self.counts, self._shares = counts, np.zeros(len(references)) if counts is None else np.log(counts)

    @cached_property
    def _kind(self) -> Any:
        """The precision of many weights."""
        whiten = self._whiten
        close = CLOSE * np.trace(whiten.T @ self._parted @ whiten) > whiten.shape[1]
        return np.float64 if close else np.float32

    @cached_property
    def _centres(self) -> Weights:
        """What many y are multiplied with: -|y - c|^2 / 2 as one product, y c - c^2 / 2 - y^2 / 2, and with it what
        multiplies the weight."""
        scaled, ones = self._scaled, np.ones((len(self._scaled), 1))
        own = self._shares[:, None] - 0.5 * (scaled**2).sum(axis=1, keepdims=True)
        made: Weights = np.hstack([scaled, own, ones]).astype(self._kind)
        return made

    @property
    def alone(self) -> bool:
        """Whether nothing but one column is seen."""
        return len(self._noise) == 1

    @property
    def deviation(self) -> float:
        """Standard deviation of the noise on the first column."""
        return float(np.sqrt(self._noise[0, 0]))

    @property
    def size(self) -> int:
        """How many components there are."""
        return len(self.positions)

    def blocks(self, y: Floats, factors: Factors | None = None) -> Iterator[tuple[slice, Weights]]:
        """Weights of the components for some rows of y at a time, not normalised.

        Parameters
        ----------
        y : numpy.ndarray, shape (rows, m)
        factors : callable, optional
            Of a slice of rows: logarithms of what else multiplies the weights, shape (N, rows).

        Yields
        ------
        rows : slice
        weights : numpy.ndarray, shape (N, rows)
            Their sum over the components is above 0. The next ones are written over them.
        """
        seen = (y - self.mean) @ self._turn
        ones = np.ones((len(seen), 1))
        table = np.hstack([seen, ones, -0.5 * (seen**2).sum(axis=1, keepdims=True)])
        size = max(1, min(BLOCK // self.size, len(seen)))
        room = np.empty((self.size, size), dtype=self._kind)  # memory that is new each time costs a tenth more
        for start in range(0, len(seen), size):
            rows = slice(start, min(start + size, len(seen)))
            yield rows, self._weights(table[rows], None if factors is None else factors(rows), room)

    def _weights(self, table: Floats, factor: Weights | None, room: Weights) -> Weights:
        seen = np.ascontiguousarray(table.T, dtype=self._kind)
        weights: Weights = np.matmul(self._centres, seen, out=room[:, : len(table)])
        if factor is not None:
            weights += factor
        np.exp(weights, out=weights)
        far = np.flatnonzero(~(weights[:FEW].sum(axis=0) > LOST))
        if far.size and (far := far[~(weights[:, far].sum(axis=0) > LOST)]).size:
            exponent = self._centres.astype(float) @ table[far].T
            if factor is not None:
                exponent += factor[:, far]
            weights[:, far] = np.exp(exponent - exponent.max(axis=0))
        return weights

    def weights_of(self, y: Floats) -> Floats:
        """Weights of the components for a single y, shape (m,): they add up to 1."""
        apart = self._scaled - (y - self.mean) @ self._turn
        exponent = self._shares - 0.5 * np.einsum("ij,ij->i", apart, apart)
        weights: Floats = np.exp(exponent - exponent.max())
        weights /= weights.sum()
        return weights

    def shift(self, y: Floats) -> Floats:
        """What is added to the positions of all components, given each y, shape (rows, len(wanted))."""
        return (y - self.mean) @ self._shift

    def linear(self, y: Floats) -> Floats:
        """The best linear guesses, which know no more than mean and covariance, shape (rows, len(wanted))."""
        told = np.linalg.lstsq(self._spread + self._noise, self._spread[:, self.wanted], rcond=1e-12)[0]
        return self.mean[self.wanted] + (y - self.mean) @ told

    def means(self, y: Floats, factors: Factors | None = None) -> Floats:
        """The conditional means: the guesses of least square error, shape (rows, len(wanted))."""
        out = np.empty((len(y), len(self.wanted)))
        centre = self.mean[self.wanted]
        sums = np.vstack([(self.positions - centre).T, np.ones(self.size)])
        for rows, weights in self.blocks(y, factors):
            *summed, total = sums.astype(weights.dtype) @ weights
            out[rows] = (summed / total).T
        return out + centre + self.shift(y)

    def likeliest(self, y: Floats) -> Floats:
        """The records that weigh most, shape (rows, len(wanted))."""
        out = np.empty((len(y), len(self.wanted)))
        for rows, weights in self.blocks(y):
            out[rows] = self.positions[weights.argmax(axis=0)]
        return out + self.shift(y)

    def middles(self, y: Floats) -> Floats:
        """Of each column the value below which half of what is believed lies, shape (rows, len(wanted))."""
        out = np.empty((len(y), len(self.wanted)))
        orders = np.argsort(self.positions, axis=0, kind="stable").T
        for rows, weights in self.blocks(y):
            half = weights.sum(axis=0) / 2
            for place, order in enumerate(orders):
                first = (np.cumsum(weights[order], axis=0) >= half).argmax(axis=0)
                out[rows, place] = self.positions[order[first], place]
        return out + self.shift(y)


def mixture_of(
    references: Floats, noise: Floats, moments: Moments, smoothing: tuple[float, float], target: int | None = None
) -> Mixture:
    """The posterior of who knows nothing else of the components: those that are the same count as one.

    Where all are smoothed to one normal law, one of them says what all say. Where all but the target are, or where
    there is nothing else, people whose values of the target are equal are one component.
    """
    if min(smoothing[1:] if target is None else smoothing) == 1:
        return Mixture(references[:1], noise, moments, smoothing, target)
    if target is None or (smoothing[1] < 1 and references.shape[1] > 1):
        return Mixture(references, noise, moments, smoothing, target)
    _, first, counts = np.unique(references[:, target], return_index=True, return_counts=True)
    return Mixture(references[first], noise, moments, smoothing, target, counts=counts)


def one_number(moments: Moments, noise: Floats, target: int) -> tuple[Floats, float]:
    """What a copy y of a row tells of one column if all else is taken for linear, the shares (0, 1): one number.

    With a = K_t / K_tt and S = R + K - K_tt a a', the number z = m_t + w' (y - m), w = S^-1 a / (a' S^-1 a), is
    distributed N(x_t, 1 / (a' S^-1 a)). Quicker than the posterior over rows, and the same.

    Returns
    -------
    weights : numpy.ndarray, shape (m,)
    precision : float
    """
    covariance = moments.covariance
    along = covariance[:, target] / covariance[target, target]
    left = noise + covariance - np.outer(along, covariance[target])
    told = np.linalg.lstsq(left, along, rcond=1e-12)[0]  # a column may be constant, or told by others
    precision = float(told @ along)
    return told / precision, precision


def _parted(covariance: Floats, target: int | None) -> tuple[Floats, Floats]:
    """Coordinates z = T x in which the target is uncorrelated with the others, and the covariance of z."""
    columns = len(covariance)
    turn = np.eye(columns)
    if target is None or columns == 1:
        return turn, covariance
    variance = covariance[target, target]
    if variance > 0:
        turn[:, target] -= covariance[target] / variance
        turn[target, target] = 1.0
    spread = turn @ covariance @ turn.T
    own = spread[target, target]
    spread[target, :] = spread[:, target] = 0.0
    spread[target, target] = own
    return turn, spread


def whitening(total: Floats, spread: Floats) -> Floats:
    """Coordinates in which `total` is the unit matrix, without directions in which the data do not vary."""
    scale = np.sqrt(np.where(np.diag(spread) > 0, np.diag(spread), 1.0))
    unit = scale[:, None] * scale
    values, vectors = np.linalg.eigh(total / unit)
    along = (vectors * ((spread / unit) @ vectors)).sum(axis=0)
    varies = along > NOTHING * max(along.max(), 1e-300)
    values = np.maximum(values[varies], EXACT * along[varies])
    return np.asarray((vectors[:, varies] / np.sqrt(values)) / scale[:, None])


@dataclass(frozen=True)
class Guesses:
    """Guesses of one column.

    Attributes
    ----------
    windows, chances : numpy.ndarray, shape (rows, distances)
        The middle of the window with most of the posterior, for each distance; and how much that is, as the attacker
        believes.
    means : numpy.ndarray, shape (rows,)
        The conditional mean.
    """

    windows: Floats
    chances: Floats
    means: Floats


class Windows:
    """The best guesses of the target of a mixture within given distances.

    Parameters
    ----------
    mixture : Mixture
        With a target.
    cells : Cells
        Of the target.
    within : numpy.ndarray, shape (distances,)
    columns : tuple of int, optional
        Of copies that the mixture is of; by default all.
    """

    def __init__(self, mixture: Mixture, cells: Cells, within: Floats, columns: tuple[int, ...] = ()) -> None:
        self.mixture, self.within, self._columns = mixture, within, list(columns)
        positions = mixture.positions[:, 0]
        self._exact = mixture.variance == 0
        if not self._exact:  # components are spread out: cells narrow beside the spread and the distances
            narrow = min(np.sqrt(mixture.variance), *within[within > 0], np.inf)
            everybody = positions if mixture.counts is None else np.repeat(positions, mixture.counts)
            cells = cells_of(everybody, FINE / 3 * narrow, most=SPREAD)
        elif within.min() < cells.width:  # who must come that close guesses values that are known, and not cells
            cells = Cells(np.unique(positions), 0.0)
        places = cells.place(positions)
        used, codes = np.unique(places, return_inverse=True)
        sparse = (np.ones(len(codes), dtype=np.float32), (codes, np.arange(len(codes))))
        self._gather = csr_matrix(sparse, shape=(len(used), len(codes)))
        self._values = cells.values[used]
        if self._exact:
            self._room = [cells.room(d) for d in within]
            self._beyond = [np.searchsorted(used, cells.reach(d)[used]) for d in within]
        else:
            sd, apart = np.sqrt(mixture.variance), self._values[:, None] - self._values
            self._share = [(ndtr((apart + d) / sd) - ndtr((apart - d) / sd)).astype(np.float32) for d in within]

    def guess(self, y: Floats, factors: Factors | None = None) -> Guesses:
        """The guesses for these copies."""
        y = y[:, self._columns] if self._columns else y
        windows = np.empty((len(y), len(self.within)))
        chances, centres = np.empty_like(windows), np.empty(len(y))
        linear = self.mixture.linear(y)[:, 0]
        for rows, weights in self.mixture.blocks(y, factors):
            mass = self._gather @ weights
            total = mass.sum(axis=0, dtype=float)
            centres[rows] = (self._values @ mass) / total
            grown = _grown(mass) if self._exact else mass
            for d in range(len(self.within)):
                windows[rows, d], chances[rows, d] = self._best(grown, d)
            if self._exact:
                low, high = possible_range(self._values, grown)
                for d, room in enumerate(self._room):
                    windows[rows, d] = nearest_guess(windows[rows, d], low, high, room, linear[rows])
                if self.mixture.alone:
                    strange = is_strange(y[rows, 0], self._values, self.mixture.deviation)
                    windows[rows] = np.where(strange[:, None], y[rows], windows[rows])
                    centres[rows] = np.where(strange, y[rows, 0], centres[rows])
            chances[rows] /= total[:, None]
        shift = self.mixture.shift(y)
        return Guesses(windows + shift, chances, centres + shift[:, 0])

    def _best(self, grown: Weights, d: int) -> tuple[Floats, Weights]:
        held = grown[self._beyond[d]] - grown[:-1] if self._exact else self._share[d] @ grown
        first = held.argmax(axis=0)
        chance = held[first, np.arange(held.shape[1])]
        if not self._exact:
            return self._values[first], chance
        return (self._values[first] + self._values[self._beyond[d][first] - 1]) / 2, chance


def _grown(mass: Weights) -> Weights:
    """Sums up to each cell, with 0 in front, shape (cells + 1, rows)."""
    grown = np.zeros((len(mass) + 1, mass.shape[1]), dtype=mass.dtype)
    np.cumsum(mass, axis=0, out=grown[1:])
    return grown
