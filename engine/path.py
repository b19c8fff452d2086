"""The noise path of every record on a finite ladder of levels, as a pure function of (key, level, row).

`GaussianRelease` draws a copy given the copies released before it. Here nothing is stored and nothing depends
on what was asked before: the path is a virtual Brownian tree on the ladder (the idea of diffrax, on a finite
grid). The top level is drawn first, then the level in the middle given 0 and the top, then the middles of the
two halves, and so on. Each level owns one stream of normals; unrolling the bridges, the path at level i is a
fixed combination of the at most 2 + log2(len(ladder)) normals on the way from the top to i:

    W = C n,  with C C' = min(s_i, s_j), the corner-wave covariance of Li et al. (2012), Eq. 15.

So dragging a slider along the ladder moves one copy, leaves the others, and dragging back restores it.

Nothing forces the top to be the first: the path above a drawn level is that level plus independent steps. With
`ranks` the tree starts at the roundest levels, so that these need the fewest normals: of 999 levels of trust,
50 % needs one, every ten per cent at most 4, every five 5, every whole per cent 8, every tenth 12.
"""

import copy
import functools
import operator
from collections.abc import Callable, Mapping

import numpy as np

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Floats, Integers
from trustscope.engine.noise import (
    SCHEMES,
    as_covariance,
    bridge,
    check_levels,
    check_scheme,
    colour,
    factor,
    noise_covariance,
)
from trustscope.engine.tables import as_table
from trustscope.errors import TrustscopeError

# 2 048 rows: one record's whole path needs its block once for every level of the ladder, 100 x 2 048 x 2
# normals at worst, about 5 ms, while starting a block (6 us) stays small beside drawing it (45 us).
BLOCK = 2_048
# Normals of the first rows that are kept: neighbouring levels share nearly all of theirs, so that a level that is
# dragged needs few new ones. 3 blocks hold what pages redraw meanwhile; 2 MB hold the levels on the way to one place.
KEPT_BLOCKS, KEPT_VALUES = 3, 1 << 18
KEPT_ROWS = 64
SINGULAR = 1e-9  # of a level: less of one's own noise than that is rounding
SMALL = 1 << 16  # so many numbers are drawn by one thread sooner than two can share them


def _tree(ladder: Floats, ranks: Integers | None = None) -> Floats:
    """C, shape (S, S): the path on a ladder of S levels as combinations of its levels' own normals.

    Without `ranks` the top is drawn first, then the middle of each interval; with them, in each interval the
    middle one of those levels that have the lowest rank.
    """
    top = len(ladder)
    coefficients = np.zeros((top, top))
    intervals = [(-1, top)]
    while intervals:
        a, b = intervals.pop()
        if b - a < 2:
            continue
        middle = _next(a, b, top, ranks)
        start, below = (coefficients[a], ladder[a]) if a >= 0 else (0.0, 0.0)
        fraction, variance = bridge(ladder[middle], below, ladder[b] if b < top else None)
        coefficients[middle] = start + fraction * (coefficients[b] - start) if b < top else start
        coefficients[middle, middle] = np.sqrt(variance)
        intervals += [(a, middle), (middle, b)]
    return coefficients


def _next(a: int, b: int, top: int, ranks: Integers | None) -> int:
    """The level to be drawn first between the levels a and b, of which `top` stands for none above."""
    if ranks is None:
        return top - 1 if b == top else (a + b) // 2
    inside = np.asarray(ranks[a + 1 : b])
    best = np.flatnonzero(inside == inside.min())
    return a + 1 + int(best[len(best) // 2])


def _unrolled(coefficients: Floats) -> tuple[Integers, Floats]:
    """The nonzero entries of each row of C as (normals, weights), both (S, most), padded by zeros."""
    most = np.count_nonzero(coefficients, axis=1).max()
    nodes = np.zeros((len(coefficients), most), dtype=int)
    weights = np.zeros(nodes.shape)
    for i, row in enumerate(coefficients):
        used = np.flatnonzero(row)
        nodes[i, : len(used)], weights[i, : len(used)] = used, row[used]
    return nodes, weights


@functools.lru_cache(maxsize=8)
def _steps(ladder: bytes, ranks: bytes | None) -> tuple[Integers, Floats, dict[float, int]]:
    """`_unrolled` tree of a ladder, both given as bytes, and the places of its levels: the same for many paths."""
    levels = np.frombuffer(ladder)
    tree = _tree(levels, None if ranks is None else np.frombuffer(ranks, dtype=np.int64))
    return *_unrolled(tree), {level: place for place, level in enumerate(levels.tolist())}


class NoisePath:
    """Standard Brownian motion in the level, one for each record and column, on a ladder of levels.

    Parameters
    ----------
    columns : int
    ladder : array-like, shape (S,)
        Increasing positive levels.
    key : int, optional
        The secret that the noise is made from, by the fast source.
    source : object, optional
        Instead of a key: where the normals come from, with the methods of `keys.FastSource`.
    ranks : array-like of int, shape (S,), optional
        Which levels are drawn first, the lowest rank first.
    block : int
        Rows that are drawn together. Another number is another path.
    purpose : tuple
        Told to the source: paths of several purposes are independent.

    Attributes
    ----------
    ladder : numpy.ndarray, shape (S,)
    """

    def __init__(
        self,
        columns: int,
        ladder: ArrayLike,
        *,
        key: int | None = None,
        source: keys.Source | None = None,
        ranks: ArrayLike | None = None,
        block: int = BLOCK,
        purpose: tuple[keys.Purpose, ...] = (),
    ) -> None:
        self.ladder = np.array(check_levels(ladder), ndmin=1)
        if self.ladder.ndim != 1 or not self.ladder.size or self.ladder[0] <= 0 or np.any(np.diff(self.ladder) <= 0):
            raise TrustscopeError("The ladder must be a list of positive levels that increase.")
        self.ladder.flags.writeable = False
        self._columns = columns
        order = None if ranks is None else np.asarray(ranks, dtype=np.int64)
        if order is not None and order.shape != self.ladder.shape:
            raise TrustscopeError(f"The ladder has {self.ladder.size} levels, so as many ranks are needed.")
        shape = self.ladder.tobytes()
        self._nodes, self._weights, self._places = _steps(shape, None if order is None else order.tobytes())
        self._source = _source(key, source)
        self._purpose = ("path", shape, *purpose)
        self._block = operator.index(block)
        self._known: dict[int, keys.Stream] = {}
        self._kept: dict[tuple[int, int], Floats] = {}
        # The record that is followed: its path needs many normals, and is asked for again in another colour.
        self._followed: tuple[int, Floats] | None = None

    def index(self, level: float) -> int:
        """Place of `level` on the ladder (to a relative 1e-9)."""
        level = float(level)
        if level in self._places:
            return self._places[level]
        place = int(np.argmin(np.abs(self.ladder - level))) if np.isfinite(level) else 0
        if not np.isclose(self.ladder[place], level, rtol=1e-9, atol=0):
            raise TrustscopeError(f"Level {level:g} is not on the ladder, which has {self.ladder.size} levels.")
        return place

    def steps(self, level: float) -> tuple[list[int], list[float]]:
        """The levels (by place) whose normals the path at `level` is made of, and their weights, in order."""
        place = self.index(level)
        used = np.count_nonzero(self._weights[place])
        return self._nodes[place, :used].tolist(), self._weights[place, :used].tolist()

    def stream(self, node: int) -> keys.Stream:
        """The stream of the normals of one level, by its place on the ladder."""
        if node not in self._known:
            self._known[node] = self._source.stream(*self._purpose, node)
        return self._known[node]

    def block(self, level: float, number: int, rows: int | None = None) -> Floats:
        """The path at `level` for the first `rows` of one block, by default all of them, shape (rows, columns); level 0
        gives zeros."""
        shape = (self._block if rows is None else rows, self._columns)
        if level == 0:
            return np.zeros(shape)
        place = self.index(level)
        out = np.empty(shape)
        for step, (node, weight) in enumerate(zip(self._nodes[place], self._weights[place], strict=True)):
            if not weight:
                break
            room = keys.scratch(*shape) if step else out
            np.multiply(self._normals(int(node), number, room), weight, out=room)
            if step:
                out += room
        return out

    def _normals(self, node: int, number: int, room: Floats) -> Floats:
        """The normals of one level in one block: in `room`, or kept ones, which nobody may change."""
        if number >= KEPT_BLOCKS:
            return self._source.normals(self.stream(node), number, room)
        kept = self._kept  # read once: another thread may begin anew meanwhile
        white = kept.get((node, number))
        if white is None or len(white) < len(room):
            white = self._source.normals(self.stream(node), number, np.empty(room.shape))
            if (len(kept) + 1) * white.size > KEPT_VALUES:
                kept = self._kept = {}
            kept[node, number] = white
        return white[: len(room)]

    def at(self, level: float, start: int, stop: int) -> Floats:
        """The path at `level` for the rows start to stop, shape (stop - start, columns)."""
        return _gather(lambda number: self.block(level, number), start, stop, self._columns, block_rows=self._block)

    def row(self, i: int) -> Floats:
        """The whole path of row i, shape (S, columns); equal to `at` for every level."""
        i = _row(i)
        followed = self._followed  # read once: another thread may follow somebody else meanwhile
        if followed is None or followed[0] != i:
            followed = self._followed = (i, self._row(i))
        return followed[1].copy()

    def rows(self, some: Integers) -> Floats:
        """The whole paths of several rows, shape (rows, S, columns); each equal to `row`."""
        some = np.asarray(some)
        white = np.empty((len(self.ladder), len(some), self._columns))
        for number in np.unique(some // self._block):
            mine = np.flatnonzero(some // self._block == number)
            places = some[mine] - number * self._block
            for node in range(len(white)):
                room = keys.scratch(int(places.max()) + 1, self._columns)
                white[node, mine] = self._source.normals(self.stream(node), int(number), room)[places]
        out = np.zeros(white.shape)
        for nodes, weights in zip(self._nodes.T, self._weights.T, strict=True):
            out += white[nodes] * weights[:, None, None]
        return out.transpose(1, 0, 2)

    def _row(self, i: int) -> Floats:
        number, place = divmod(i, self._block)
        white = np.empty((len(self.ladder), self._columns))
        for node in range(len(white)):
            white[node] = self._source.normals(self.stream(node), number, keys.scratch(place + 1, self._columns))[place]
        out = np.zeros(white.shape)
        # Summed in the same order as in `block`, so that the two agree to the last bit.
        for nodes, weights in zip(self._nodes.T, self._weights.T, strict=True):
            out += white[nodes] * weights[:, None]
        return out


class PathRelease:
    """Copies of one dataset at the levels of a ladder, each a pure function of (key, level, row, recipient).

    Nested: every recipient reads the same path. Independent: each recipient has their own normals, scaled by
    sqrt(s), also at equal levels. Proportional: all share one draw, scaled by sqrt(s). A release that is made
    `around` one recipient gives that one the copy that they would hold under the nested scheme. A scheme that was
    registered says how the noise of several copies hangs together, so that a release under it is made `among` all who
    hold one: each recipient's noise is a sum of normals of their own and of those who come before them.

    Parameters
    ----------
    data : array-like, shape (rows,) or (rows, N), or a DataFrame or Series
        Finite numbers. Copied.
    scheme : {"nested", "independent", "proportional"}, or one that was registered
    covariance : array-like, shape (N, N), optional
        K_X, or the sample covariance. May be singular.
    ladder : array-like, shape (S,)
        Increasing positive levels.
    key : int, optional
        The secret that the noise is made from, by the fast source.
    threads : int, optional
        At most so many at once; as many as there are processors by default.
    source : object, optional
        Instead of a key: where the normals come from, with the methods of `keys.FastSource`.

    Attributes
    ----------
    ladder : numpy.ndarray, shape (S,)
    covariance : numpy.ndarray, shape (N, N)
    mean : numpy.ndarray, shape (N,)
    """

    def __init__(
        self,
        data: ArrayLike,
        *,
        scheme: str = "nested",
        covariance: ArrayLike | None = None,
        ladder: ArrayLike,
        key: int | None = None,
        threads: int | None = None,
        source: keys.Source | None = None,
    ) -> None:
        self.scheme = check_scheme(scheme)
        self._table = as_table(data, flat=True, own=True)
        self.mean = self._table.mean(axis=0)
        self.covariance = as_covariance(covariance, self._table)
        self._lower = factor(self.covariance)
        self._source = _source(key, source)
        self._walk = NoisePath(self._table.shape[1], ladder, source=self._source)
        self.ladder = self._walk.ladder
        self._threads = threads
        self._one = np.ndim(data) == 1
        self._first: tuple[int, float] | None = None  # the recipient that the release is made around, and their level
        self._holders: dict[int, float] = {}  # levels of all who hold a copy, by number
        self._given: Floats | None = None  # `_given_others`, once it is asked for
        self._kept_rows: dict[tuple[int, int], Floats] = {}
        for array in (self._table, self.mean, self.covariance):
            array.flags.writeable = False

    def __len__(self) -> int:
        return len(self._table)

    def under(self, scheme: str) -> "PathRelease":
        """The same data, key and ladder under another scheme."""
        other = copy.copy(self)
        other.scheme = check_scheme(scheme)
        return other

    def around(self, recipient: int, level: float) -> "PathRelease":
        """The same release, made around one recipient's copy: at `level` it is the same copy under every scheme.

        Independent: this recipient reads the path instead of normals of their own, and the others' normals stay as
        they are whatever the level. Proportional: the one draw is the path at `level`, divided by sqrt(level); level 0
        has no noise to scale, so the lowest level of the ladder stands in. Nested: nothing changes. The law of every
        scheme stays as it was, because the normals of the path are independent of all others.
        """
        other = copy.copy(self)
        level = float(check_levels(level))
        other._first = operator.index(recipient), self.ladder[self._walk.index(level) if level else 0]
        return other

    def among(self, levels: Mapping[int, float]) -> "PathRelease":
        """The same release for these recipients: by their numbers the levels of all who hold a copy.

        It is made `around` the first of them. Under a scheme that was registered the others come in this order, and
        somebody's copy depends on their own level and on those before it.
        """
        number, level = next(iter(levels.items()))
        other = self.around(number, level)
        at = check_levels([*levels.values()]).tolist()
        other._holders = dict(zip((operator.index(one) for one in levels), at, strict=True))
        other._given = None
        return other

    def parts(self, level: float, recipient: int) -> list[tuple[int, float]]:
        """Under a scheme that was registered: of whose normals (`unit`) a recipient's noise is the sum, with weights.

        Those of weight 0 are left out.
        """
        who, weights = self._weights(recipient)
        mine = weights[self._walk.index(level)].tolist() if level else []
        return [(one, weight) for one, weight in zip(who, mine, strict=False) if weight]

    def unit(self, recipient: int, start: int = 0, stop: int | None = None) -> Floats:
        """Rows start to stop of the noise of level 1 that is a recipient's own; that of the first is on the path."""
        start, stop, _ = slice(start, stop).indices(len(self))
        return _gather(self._unit(recipient), start, stop, len(self._lower), self._threads)

    def _unit(self, recipient: int) -> Callable[[int], Floats]:
        if self._first is not None and operator.index(recipient) == self._first[0]:
            first = self._first[1]
            return lambda number: colour(self._walk.block(first, number), self._lower) / np.sqrt(first)
        stream = self._stream(recipient)
        size = (BLOCK, len(self._lower))
        return lambda number: colour(self._source.normals(stream, number, np.empty(size)), self._lower)

    def _weights(self, recipient: int) -> tuple[list[int], Floats]:
        """Those before a recipient and the recipient, and the weights of their normals at every level of the ladder."""
        holders, mine = list(self._holders), operator.index(recipient)
        if mine not in self._holders:
            raise TrustscopeError(f"Under {self.scheme} noise, say among whom the copies are: release.among(levels).")
        if self._given is None:
            self._given = _given_others(self.scheme, list(self._holders.values()), self.ladder)
        before = self._given[:, : holders.index(mine)]
        own = self.ladder - np.einsum("ij,ij->i", before, before)
        own = np.sqrt(np.where(own > SINGULAR * self.ladder, own, 0.0))
        return [*holders[: holders.index(mine)], mine], np.column_stack([before, own])

    def reshaped(self, covariance: ArrayLike) -> "PathRelease":
        """The same data, key and ladder under noise of another shape: the same normals, coloured by it."""
        other = copy.copy(self)
        other.covariance = as_covariance(covariance, self._table)
        other.covariance.flags.writeable = False
        other._lower = factor(other.covariance)
        return other

    def copy(self, level: float, start: int = 0, stop: int | None = None, recipient: int = 0) -> Floats:
        """Rows start to stop of the copy at `level`, an array like the data; level 0 is the data itself."""
        return self._bare(self._rows(level, start, stop, recipient, self._table))

    def noise(self, level: float, start: int = 0, stop: int | None = None, recipient: int = 0) -> Floats:
        """Rows start to stop of what the copy at `level` adds to the data."""
        return self._bare(self._rows(level, start, stop, recipient, None))

    def path(self, row: int, recipient: int = 0) -> Floats:
        """The noise of one record at every level of the ladder, shape (S, N)."""
        row = _row(row)
        if row >= len(self):
            raise IndexError(f"There are {len(self)} rows, so there is no row {row}.")
        if self._on_path(recipient):
            return colour(self._walk.row(row), self._lower)
        if self.scheme not in SCHEMES:
            return self._joint_path(row, recipient)
        if self._first is not None and self.scheme == "proportional":
            white = self._walk.row(row)[self._walk.index(self._first[1])]
            return np.sqrt(self.ladder / self._first[1])[:, None] * colour(white[None], self._lower)
        number, place = divmod(row, BLOCK)
        white = self._source.normals(self._stream(recipient), number, np.empty((BLOCK, len(self._lower))))
        return np.asarray(np.sqrt(self.ladder)[:, None] * colour(white, self._lower)[place])

    def paths(self, rows: Integers) -> Floats:
        """The nested noise of some records at every level of the ladder, shape (rows, S, N)."""
        found = self._walk.rows(rows)
        return colour(np.ascontiguousarray(found).reshape(-1, found.shape[2]), self._lower).reshape(found.shape)

    def _rows(self, level: float, start: int, stop: int | None, recipient: int, base: Floats | None) -> Floats:
        start, stop, _ = slice(start, stop).indices(len(self))
        level = float(check_levels(level))
        if level:
            level = self.ladder[self._walk.index(level)]
        made = self._maker(level, recipient)

        def block(number: int) -> Floats:
            out = made(number)
            if base is not None:
                rows = base[number * BLOCK : (number + 1) * BLOCK]
                out[: len(rows)] += rows
            return out

        return _gather(block, start, stop, len(self._lower), self._threads)

    def _maker(self, level: float, recipient: int) -> Callable[[int], Floats]:
        """What makes one block of a recipient's noise."""
        if self._on_path(recipient):
            return lambda number: colour(self._walk.block(level, number), self._lower)
        if self.scheme not in SCHEMES:
            return self._joint_maker(level, recipient)
        if self._first is not None and self.scheme == "proportional":
            first = self._first[1]
            return lambda number: colour(self._walk.block(first, number), self._lower) * np.sqrt(level / first)
        stream = self._stream(recipient)

        def drawn(number: int) -> Floats:
            out = self._source.normals(stream, number, np.empty((BLOCK, len(self._lower))))
            colour(out, self._lower)
            out *= np.sqrt(level)
            return out

        return drawn

    def _joint_maker(self, level: float, recipient: int) -> Callable[[int], Floats]:
        units = [(self._unit(one), weight) for one, weight in self.parts(level, recipient)]

        def summed(number: int) -> Floats:
            out = np.zeros((BLOCK, len(self._lower)))
            for unit, weight in units:
                out += weight * unit(number)
            return out

        return summed

    def _joint_path(self, row: int, recipient: int) -> Floats:
        who, weights = self._weights(recipient)
        return np.asarray(weights @ np.stack([self._unit_row(one, row) for one in who]))

    def _unit_row(self, recipient: int, row: int) -> Floats:
        """One row of `unit`; normals of rows that are followed are kept, because the weights change at slider rate."""
        if self._first is not None and recipient == self._first[0]:
            white: Floats = self._walk.row(row)[self._walk.index(self._first[1])] / np.sqrt(self._first[1])
            return np.asarray(colour(white[None], self._lower)[0])
        kept = self._kept_rows
        if (row, recipient) not in kept:
            number, place = divmod(row, BLOCK)
            room = np.empty((place + 1, len(self._lower)))
            if len(kept) >= KEPT_ROWS:
                kept.clear()
            kept[row, recipient] = self._source.normals(self._stream(recipient), number, room)[place].copy()
        return np.asarray(colour(kept[row, recipient][None].copy(), self._lower)[0])

    def _on_path(self, recipient: int) -> bool:
        """Whether this recipient's copy is the path itself."""
        first = self._first is not None and operator.index(recipient) == self._first[0]
        return self.scheme == "nested" or (self.scheme != "proportional" and first)

    def _stream(self, recipient: int) -> keys.Stream:
        if self.scheme == "proportional":
            return self._source.stream("common")
        return self._source.stream("recipient", operator.index(recipient))

    def _bare(self, array: Floats) -> Floats:
        return array[:, 0] if self._one else array


def _given_others(scheme: str, holders: list[float], levels: Floats) -> Floats:
    """How noise at each of these levels hangs together with that of the holders of copies.

    Parameters
    ----------
    scheme : str
    holders : list of float
        Their levels, in the order in which the copies are made.
    levels : numpy.ndarray, shape (S,)

    Returns
    -------
    numpy.ndarray, shape (S, M)
        The weights of the holders' normals: rows of the Cholesky factor of Sigma. The first k of them are those of
        somebody who comes after k others, whoever follows.
    """
    many = len(holders)
    sigma = noise_covariance(np.concatenate([holders, levels]), scheme)
    lower = np.zeros((len(sigma), many))
    for place in range(many):
        rest = sigma[place:, place] - lower[place:, :place] @ lower[place, :place]
        if rest[0] > SINGULAR * max(holders[place], SINGULAR):  # otherwise it is made of those before it
            lower[place:, place] = rest / np.sqrt(rest[0])
    return lower[many:]


def _source(key: int | None, source: keys.Source | None) -> keys.Source:
    """The source that was given, or the fast one of a key."""
    if source is not None:
        return source
    if key is None:
        raise TrustscopeError("Noise needs a key, or a source of normals.")
    return keys.FastSource(key)


def _row(i: int) -> int:
    i = operator.index(i)
    if i < 0:
        raise IndexError(f"Rows are counted from 0, so there is no row {i}.")
    return i


def _gather(
    block: Callable[[int], Floats],
    start: int,
    stop: int,
    columns: int,
    threads: int | None = 1,
    block_rows: int = BLOCK,
) -> Floats:
    """Rows start to stop out of whole blocks: rounding then never depends on which rows were asked for."""
    if not 0 <= start <= stop:
        raise TrustscopeError(f"Rows must run forward from 0, not from {start} to {stop}.")
    out = np.empty((stop - start, columns))

    def one(number: int) -> None:
        first = number * block_rows
        low, high = max(start, first), min(stop, first + block_rows)
        out[low - start : high - start] = block(number)[low - first : high - first]

    blocks = range(start // block_rows, -(-stop // block_rows))
    keys.each_block(one, blocks, 1 if len(blocks) * block_rows * columns <= SMALL else threads)
    return out
