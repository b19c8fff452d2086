"""The first step: what an honest analyst finds in the release."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from trustscope.engine.arrays import Floats
from trustscope.engine.utility import Clusterings, compare_clusters, same_neighbours
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.rotation.records import Records
from trustscope.scenarios.rotation.result import Kept, RotationResult
from trustscope.scenarios.rotation.scenario import RotationScenario

CLUSTERED = 1_500  # records in which clusters and neighbours are looked for
DRAWN = 250  # dots of a cloud
PAIRS = 2_000
NEAREST = 5
METHODS = ("k-means", "single link")


class KeptStory:
    """Distances, clusters and neighbours before and after.

    Parameters
    ----------
    records : Records
    turned : array, (rows, columns)
        The released rows in the order of the private records.
    """

    def __init__(self, records: Records, turned: Floats) -> None:
        self._before, self._after = records.private[:CLUSTERED], turned[:CLUSTERED]
        self._memo = Memo(24)

    def preview(self, scenario: RotationScenario) -> Kept:
        """Distances; neighbours and clusters where they have been found before."""
        picture = replace(self._memo("distances", self._distances), scenario=scenario)
        wanted = ("neighbours", *(self._key(scenario, method) for method in METHODS))
        return self._searched(picture) if all(one in self._memo for one in wanted) else picture

    def passes(self, scenario: RotationScenario) -> Iterator[RotationResult]:
        """With neighbours and clusters."""
        yield self._searched(self.preview(scenario))

    def _key(self, scenario: RotationScenario, method: str) -> tuple[str, str, int]:
        return "clusters", method, scenario.settings.clusters

    def _searched(self, picture: Kept) -> Kept:
        found = {method: self._clusters(picture.scenario, method) for method in METHODS}
        return replace(
            picture,
            neighbours=self._memo("neighbours", lambda: same_neighbours(self._before, self._after, picture.nearest)),
            clusterings=found[picture.settings.clustering],
            moved={method: one.moved for method, one in found.items()},
        )

    def _clusters(self, scenario: RotationScenario, method: str) -> Clusterings:
        def make() -> Clusterings:
            number = min(scenario.settings.clusters, len(np.unique(self._before, axis=0)))
            rng = np.random.default_rng(1)
            return compare_clusters(self._before, self._after, number, method=method, rng=rng)

        return self._memo(self._key(scenario, method), make)

    def _distances(self) -> Kept:
        a, b = self._before, self._after
        some = a[:DRAWN]
        ends = 0, int(np.argmax(np.linalg.norm(some - some[0], axis=1)))
        before, after = pairs(a, b, np.random.default_rng(1))
        longest = max(np.linalg.norm(table, axis=1).max() for table in (a, b))
        nearest = min(NEAREST, len(a) - 1)
        apart = [float(np.linalg.norm(t[ends[0]] - t[ends[1]])) for t in (a, b)]
        return Kept(
            RotationScenario(), ends, (apart[0], apart[1]), before, after,
            float(np.abs(after - before).max(initial=0.0) / longest), nearest / (len(a) - 1), nearest, len(a),
        )  # fmt: skip


def pairs(a: Floats, b: Floats, rng: np.random.Generator, most: int = PAIRS) -> tuple[Floats, Floats]:
    """Distances of random pairs of different rows in two tables of the same records."""
    first = rng.integers(len(a), size=most)
    second = (first + rng.integers(1, len(a), size=most)) % len(a)
    before, after = (np.linalg.norm(table[first] - table[second], axis=1) for table in (a, b))
    return before, after
