"""Clusters and neighbours: what depends on distances alone, and so comes out of a rotated release unchanged.

Computed distances agree up to rounding, about 1e-15 of them. Where two are equal in the data, rounding would decide
anew in the release, so ties are treated as ties: a dendrogram is cut only where there is a gap, and neighbours at
the same distance are interchangeable.
"""

from dataclasses import dataclass

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import pdist
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import NearestNeighbors

from engine.rotation import as_table

__all__ = ["Clusterings", "compare_clusters", "distance_error", "k_means", "same_neighbours", "single_link"]

# All pairs of rows are held at once by single link.
MOST_ROWS = 5_000
TIE = 1e-9


def k_means(data, clusters, *, start, iterations=100):
    """k-means by Lloyd's steps from given records.

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
    if start.shape != (clusters,) or len(np.unique(table[start], axis=0)) < clusters:
        raise ValueError(f"k-means needs {clusters} different records to start from.")
    # The mean does not matter, but subtracting it keeps rounding small beside a large shift.
    table = table - table.mean(axis=0)
    fitted = KMeans(clusters, init=table[start], n_init=1, max_iter=iterations, algorithm="lloyd", tol=0)
    return fitted.fit_predict(table).astype(int)


def single_link(data, clusters):
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
        raise ValueError(f"Single link takes at most {MOST_ROWS:,} rows, not {len(table):,}: take a part of them.")
    tree = linkage(pdist(table - table.mean(axis=0)), "single")
    heights = np.append(tree[:, 2], np.inf)
    # Joining the first `joins` leaves rows - joins clusters; the next join must be clearly higher.
    joins = len(table) - clusters
    while joins and heights[joins] <= heights[joins - 1] * (1 + TIE):
        joins += 1
    cut = heights[joins - 1] * (1 + TIE / 2) if joins else -1.0
    return _numbered(fcluster(tree, cut, "distance")), tree[:, 2]


def same_neighbours(original, released, neighbours=5):
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
    a, b = _pair(original, released, neighbours + 1)
    a = a - a.mean(axis=0)
    limit = NearestNeighbors(n_neighbors=neighbours).fit(a).kneighbors()[0][:, -1]
    found = NearestNeighbors(n_neighbors=neighbours).fit(b - b.mean(axis=0)).kneighbors(return_distance=False)
    distances = np.linalg.norm(a[found] - a[:, None], axis=2)
    return float(np.mean((distances <= (limit * (1 + TIE) + TIE * np.abs(a).max())[:, None]).all(axis=1)))


def distance_error(original, released, *, pairs=2_000, rng):
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
    a, b = _pair(original, released, 2)
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

    original: np.ndarray
    released: np.ndarray
    agreement: float
    moved: int


def compare_clusters(original, released, clusters, *, method="k-means", rng=None):
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
    a, b = _pair(original, released, clusters)
    match method:
        case "k-means":
            start = _far_apart(a, clusters, rng)
            first, second = k_means(a, clusters, start=start), k_means(b, clusters, start=start)
        case "single link":
            first, second = single_link(a, clusters)[0], single_link(b, clusters)[0]
        case _:
            raise ValueError(f"The method must be k-means or single link, not {method!r}.")
    agreement = float(adjusted_rand_score(first, second))
    return Clusterings(first, second, agreement, int(np.count_nonzero(first != second)))


def _far_apart(table, clusters, rng):
    """Different records, each drawn with a chance that grows with its distance from those before (k-means++)."""
    if rng is None:
        raise ValueError("k-means starts from random records: give a generator.")
    chosen = [int(rng.integers(len(table)))]
    nearest = np.sum((table - table[chosen[0]]) ** 2, axis=1)
    while len(chosen) < clusters:
        if not nearest.max() > 0:
            raise ValueError(f"There are fewer than {clusters} different records to start from.")
        chosen.append(int(rng.choice(len(table), p=nearest / nearest.sum())))
        nearest = np.minimum(nearest, np.sum((table - table[chosen[-1]]) ** 2, axis=1))
    return np.array(chosen)


def _numbered(labels):
    """Labels 0, 1, ... in the order in which they first appear."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=int)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse.ravel()]


def _pair(original, released, rows):
    a, b = as_table(original, "data", rows=rows), as_table(released, "released data", rows=rows)
    if len(a) != len(b):
        raise ValueError(f"Data and release must have the same records, but have {len(a)} and {len(b)} rows.")
    return a, b


def _enough(data, clusters):
    if clusters < 1:
        raise ValueError(f"There must be at least one cluster, not {clusters}.")
    return as_table(data, rows=clusters)
