"""Clusters and neighbours: what depends on distances alone, and so comes out of a rotated release unchanged.

Computed distances agree up to rounding, about 1e-15 of them. Where two are equal in the data, rounding would decide
anew in the release, so ties are treated as ties: k-means gives them to the first of the equally near centres, a
dendrogram is cut only where there is a gap, and neighbours at the same distance are interchangeable.
"""

from dataclasses import dataclass

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import cdist, pdist

from trustscope.engine.arrays import ArrayLike, Floats, Integers
from trustscope.engine.tables import as_pair, as_table
from trustscope.errors import TrustscopeError

__all__ = ["Clusterings", "compare_clusters", "distance_error", "k_means", "same_neighbours", "single_link"]

# Single link holds the distances of all pairs of rows in memory.
MOST_ROWS = 5_000
# Distances whose relative difference is at most this count as equal.
TIE = 1e-9


def k_means(data: ArrayLike, clusters: int, *, start: ArrayLike, iterations: int = 100) -> Integers:
    """k-means by Lloyd's steps from given records.

    A record that is equally far from several centres joins the first of them, and a cluster that has lost all its
    records takes the first of those farthest from their centres: by distances alone, so that no rounding decides.

    Parameters
    ----------
    data : array-like, shape (rows, n)
    clusters : int
    start : array-like of int, shape (clusters,)
        Rows that are the first centres. The same records in another order, or turned, give the same clusters.
    iterations : int

    Returns
    -------
    labels : numpy.ndarray of int, shape (rows,)
        Cluster c grew from row ``start[c]``.
    """
    table = _enough(data, clusters)
    start = np.asarray(start)
    if start.shape != (clusters,) or start.dtype.kind not in "iu" or np.any((start < 0) | (start >= len(table))):
        raise TrustscopeError(
            f"k-means needs the numbers of {clusters} records to start from, from 0 to {len(table) - 1}."
        )
    # The mean does not matter, but subtracting it keeps rounding small beside a large shift.
    table = table - table.mean(axis=0)
    slack = _slack(table)
    centres = table[start]
    if clusters > 1 and pdist(centres).min() <= slack:
        raise TrustscopeError(f"k-means needs {clusters} different records to start from.")
    labels: Integers = np.full(len(table), -1)
    for _ in range(max(iterations, 1)):
        before, labels = labels, _nearest(table, centres, slack)
        if np.array_equal(labels, before):
            break
        members = np.zeros((clusters, len(table)))
        members[labels, np.arange(len(table))] = 1.0
        centres = members @ table / members.sum(axis=1, keepdims=True)
    return labels


def _nearest(table: Floats, centres: Floats, slack: float) -> Integers:
    """The centre of each record, every centre with at least one."""
    distances = cdist(table, centres)
    least = distances.min(axis=1, keepdims=True)
    # The first of those that are as near, up to rounding.
    labels: Integers = np.argmax(distances <= least * (1 + TIE) + slack, axis=1)
    own = least.ravel()
    for empty in np.flatnonzero(np.bincount(labels, minlength=len(centres)) == 0):
        own[np.bincount(labels)[labels] == 1] = -1.0
        row = np.argmax(own >= own.max() * (1 - TIE) - slack)
        labels[row] = empty
    return labels


def single_link(data: ArrayLike, clusters: int) -> tuple[Integers, Floats]:
    """Single-link agglomerative clustering, cut into at most so many clusters.

    Parameters
    ----------
    data : array-like, shape (rows, n)
        At most 5 000 rows.
    clusters : int
        Fewer come out where the cut would separate equal distances.

    Returns
    -------
    labels : numpy.ndarray of int, shape (rows,)
        Numbered by their first rows.
    heights : numpy.ndarray, shape (rows - 1,)
        Distances at which clusters were joined, rising.
    """
    table = _enough(data, clusters)
    if len(table) > MOST_ROWS:
        raise TrustscopeError(f"Single link takes at most {MOST_ROWS:,} rows, not {len(table):,}: take a part of them.")
    if len(table) == 1:
        return np.zeros(1, dtype=int), np.empty(0)
    table = table - table.mean(axis=0)
    slack = _slack(table)
    tree = linkage(pdist(table), "single")
    heights = np.append(tree[:, 2], np.inf)
    # Joining the first `joins` leaves rows - joins clusters; the next join must be clearly higher.
    joins = len(table) - clusters
    while joins and heights[joins] <= heights[joins - 1] * (1 + TIE) + slack:
        joins += 1
    cut = heights[joins - 1] * (1 + TIE / 2) + slack / 2 if joins else -1.0
    return _numbered(fcluster(tree, cut, "distance")), tree[:, 2]


def same_neighbours(original: ArrayLike, released: ArrayLike, neighbours: int = 5) -> float:
    """Share of the records whose nearest neighbours in the release are nearest neighbours in the data.

    Parameters
    ----------
    original, released : array-like, shape (rows, n) and (rows, l)
        The same records in the same order.
    neighbours : int

    Returns
    -------
    float
        1 for a release that keeps distances; neighbours at equal distances count as the same.
    """
    from sklearn.neighbors import NearestNeighbors  # see `engine.utility`

    if neighbours != int(neighbours) or neighbours < 1:
        raise TrustscopeError(f"There must be at least one neighbour, a whole number, not {neighbours}.")
    a, b = as_pair(original, released, ("data", "released data"), rows=neighbours + 1)
    a = a - a.mean(axis=0)
    limit = NearestNeighbors(n_neighbors=neighbours).fit(a).kneighbors()[0][:, -1]
    found = NearestNeighbors(n_neighbors=neighbours).fit(b - b.mean(axis=0)).kneighbors(return_distance=False)
    distances = np.linalg.norm(a[found] - a[:, None], axis=2)
    return float(np.mean((distances <= (limit * (1 + TIE) + _slack(a))[:, None]).all(axis=1)))


def distance_error(original: ArrayLike, released: ArrayLike, *, pairs: int = 2_000, rng: np.random.Generator) -> float:
    """Largest relative change of a distance among random pairs of records, 0 up to rounding for a rotation.

    Parameters
    ----------
    original, released : array-like
        The same records in the same order.
    pairs : int
    rng : numpy.random.Generator

    Returns
    -------
    float
    """
    if pairs < 1:
        raise TrustscopeError(f"There must be at least one pair of records to compare, not {pairs}.")
    a, b = as_pair(original, released, ("data", "released data"), rows=2)
    first = rng.integers(len(a), size=pairs)
    second = (first + rng.integers(1, len(a), size=pairs)) % len(a)
    before = np.linalg.norm(a[first] - a[second], axis=1)
    after = np.linalg.norm(b[first] - b[second], axis=1)
    apart = before > 0
    return float(np.max(np.abs(after - before)[apart] / before[apart], initial=0.0))


@dataclass(frozen=True, eq=False)
class Clusterings:
    """One clustering of the data and of the release.

    Attributes
    ----------
    original, released : numpy.ndarray of int, shape (rows,)
        Labels by the order of the original records, matched as well as can be.
    agreement : float
        Adjusted Rand index: 1 for the same clusters, about 0 for unrelated ones.
    moved : int
        Records that are in another cluster.
    """

    original: Integers
    released: Integers
    agreement: float
    moved: int


def compare_clusters(
    original: ArrayLike,
    released: ArrayLike,
    clusters: int,
    *,
    method: str = "k-means",
    rng: np.random.Generator | None = None,
) -> Clusterings:
    """Cluster the data and the release in the same way.

    Parameters
    ----------
    original, released : array-like, shape (rows, n) and (rows, l)
        The same records in the same order.
    clusters : int
    method : {"k-means", "single link"}
    rng : numpy.random.Generator
        Chooses the records from which k-means starts, the same ones on both sides.

    Returns
    -------
    Clusterings
    """
    from sklearn.metrics import adjusted_rand_score  # see `engine.utility`

    _enough(original, clusters)
    a, b = as_pair(original, released, ("data", "released data"), rows=clusters)
    match method:
        case "k-means":
            start = _far_apart(a, clusters, rng)
            first, second = k_means(a, clusters, start=start), k_means(b, clusters, start=start)
        case "single link":
            first, second = single_link(a, clusters)[0], single_link(b, clusters)[0]
        case _:
            raise TrustscopeError(f"The method must be k-means or single link, not {method!r}.")
    agreement = float(adjusted_rand_score(first, second))
    return Clusterings(first, second, agreement, int(np.count_nonzero(first != second)))


def _far_apart(table: Floats, clusters: int, rng: np.random.Generator | None) -> Integers:
    """Different records, each drawn with a chance that grows with its distance from those before (k-means++)."""
    if rng is None:
        raise TrustscopeError("k-means starts from random records: give a generator.")
    chosen = [int(rng.integers(len(table)))]
    table = table - table.mean(axis=0)
    slack, nearest = _slack(table), np.full(len(table), np.inf)
    while len(chosen) < clusters:
        away = cdist(table, table[chosen[-1:]]).ravel()
        nearest = np.minimum(nearest, np.where(away > slack, away, 0.0))
        if not nearest.max() > 0:
            raise TrustscopeError(f"There are fewer than {clusters} different records to start from.")
        chance = (nearest / nearest.max()) ** 2
        chosen.append(int(rng.choice(len(table), p=chance / chance.sum())))
    return np.array(chosen)


def _slack(centred: Floats) -> float:
    """Distances no longer than this are none: coordinates that differ by rounding alone."""
    slack: float = TIE * np.abs(centred).max()
    return slack


def _numbered(labels: Integers) -> Integers:
    """Labels 0, 1, ... in the order in which they first appear."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=int)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse.ravel()]


def _enough(data: ArrayLike, clusters: int) -> Floats:
    if clusters != int(clusters) or clusters < 1:
        raise TrustscopeError(f"There must be at least one cluster, a whole number, not {clusters}.")
    return as_table(data, rows=clusters)
