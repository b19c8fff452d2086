"""What the Rotation dashboard computes: a release, and what each attacker makes of it.

Nothing here knows Panel. Half of the rows are private and released; the other half is where a sample comes from.
"""

from dataclasses import replace

import numpy as np

from app.memo import Memo
from app.rotation.picture import Growth, Inputs, Kept, Remedied, Sampled
from app.rotation.settings import JUDGED, Settings
from engine.attacks import known_input, known_sample
from engine.attacks.known_sample.signs import marginal_cross
from engine.measures import breach_rate, breach_size, breached
from engine.rotation import RotationRelease, random_projection
from engine.utility import compare_clusters, distance_error, same_neighbours

MOST = 10_000  # private records
SHIFTED = 800  # of them where links are found by distances alone: all pairs are compared
CLUSTERED = 1_500
PREVIEW = 1_000  # rows behind figures that move while something is dragged
DRAWN = 250  # dots
DRAWS = 60
PROJECTED = 5_000  # private records that are projected, and size of the sample against them
EPS = np.concatenate([[0.002, 0.005], np.linspace(0.01, 0.6, 60)])
FRESH = 400  # of them where every record has a matrix of its own
MATRICES = 4  # random matrices over which a figure is averaged
WIDEST = 10_000  # dimensions of a projection, at most
LEAST = 8  # rows that a dataset must have
METHODS = ("improved", "paper")


class Model:
    """A private half, its rotation, and the other half of the data.

    Parameters
    ----------
    values : numpy.ndarray, shape (rows, n)
    seed : int
        The key of the secret.
    shifted : bool
        Whether the release is shifted as well.
    """

    def __init__(self, values: np.ndarray, seed: int, shifted: bool):
        order = np.random.default_rng(2009).permutation(len(values))
        half = len(values) // 2
        self.numbers = order[:half][: SHIFTED if shifted else MOST]
        self.private, self.pool = values[self.numbers], values[order[half:]][:MOST]
        self.rows, self.columns = self.private.shape
        self.shifted, self.seed = shifted, seed
        self.norms = np.linalg.norm(self.private, axis=1)
        length = 3 * float(np.sqrt(np.mean(self.norms**2))) if shifted else 0.0
        self.release = RotationRelease(self.private, translation=length, key=seed)
        self.row_of = self.release.secret.permutation
        self.turned = self.release.released[self.row_of]
        # Records to be known first: different ones, and not zero.
        _, first = np.unique(self.private, axis=0, return_index=True)
        self.different = np.sort(first[self.norms[first] > 0])  # in a random order, as the records are
        self.most_known = min(self.columns + 2 + shifted, 40, max(len(self.different) - 1, 1))
        self._memo, self._drawn = Memo(128), Memo(6)

    # What is kept

    def kept(self, settings: Settings, *, live: bool = False) -> Kept:
        """The analyst's findings; while something is dragged, none."""
        if live:
            return Kept(settings)
        a, b = self.private[:CLUSTERED], self.turned[:CLUSTERED]
        different = len(np.unique(a, axis=0))
        clusters = min(settings.clusters, different)
        found = {
            method: self._memo(
                ("clusters", method, clusters),
                lambda method=method: compare_clusters(a, b, clusters, method=method, rng=np.random.default_rng(1)),
            )
            for method in ("k-means", "single link")
        }
        neighbours, moved = self._memo(
            "distances",
            lambda: (same_neighbours(a, b, min(5, len(a) - 1)), distance_error(a, b, rng=np.random.default_rng(1))),
        )
        return Kept(
            settings,
            found[settings.method_of_clusters],
            {method: one.moved for method, one in found.items()},
            neighbours,
            moved,
            len(a),
        )

    # Known records

    def first_known(self, count: int | None) -> tuple[int, ...]:
        """So many different records, always the same; of None, all that are drawn."""
        return tuple(int(i) for i in self.different[: DRAWN if count is None else count])

    def attack(self, known: tuple[int, ...]):
        """What follows from these known records."""
        return self._memo(
            ("attack", known),
            lambda: known_input.attack(
                self.private[list(known)], self.release.released, translated=self.shifted, norms=self._norms()
            ),
        )

    def ready(self, settings: Settings) -> bool:
        """Whether the links of these records have been found before."""
        return ("attack", settings.known) in self._memo

    def _norms(self):
        """With a shift an audit needs the true lengths, in the order of the released rows."""
        if not self.shifted:
            return None
        norms = np.empty(self.rows)
        norms[self.row_of] = self.norms
        return norms

    def inputs(self, settings: Settings, *, live: bool = False) -> Inputs:
        """Links, breach probabilities of all others, and curves; what is drawn at random only when not `live`."""
        found = self.attack(settings.known)
        linked = {i: bool(found.links.rows[n] >= 0) for n, i in enumerate(settings.known)}
        closed = settings.kind == "euclidean" or (settings.kind == "cosine" and not self.shifted)
        judged = self.rows if closed else min(JUDGED, self.rows)
        breach = self._breach(found, settings, settings.eps, "uniform", closed)[:judged]
        projection = self._breach(found, settings, settings.eps, "projection", closed)[:judged]
        known = found.linked_rows[self.row_of][:judged]
        breach, projection = (np.where(known, np.nan, one) for one in (breach, projection))
        residuals, norms = found.residuals[self.row_of], found.norms[self.row_of]
        top, typical = _examples(breach, residuals[:judged] / np.where(norms[:judged] > 0, norms[:judged], 1))
        picture = Inputs(
            settings, found, linked, breach, projection, residuals, norms, top, typical,
            EPS, self._by_eps(found, settings, closed), closed,
        )  # fmt: skip
        if live:
            return picture
        return replace(picture, measured=self._measured(found, settings), growth=self._growth(settings, closed))

    def _breach(self, found, settings, eps, attacker, closed):
        """Probability of every record, in the order of the private data."""
        if closed:
            return found.breach(eps, attacker=attacker, kind=settings.kind)[self.row_of]
        if not found.informed:
            return np.zeros(min(JUDGED, self.rows))
        return np.mean(self._sizes(found, attacker, settings.kind) <= eps, axis=0)

    def _sizes(self, found, attacker, kind):
        """How far drawn guesses of the first records are off, shape (draws, records): the eps at which they breach."""

        def make():
            rng = np.random.default_rng(7)
            rows, true = self.row_of[:JUDGED], self.private[:JUDGED]
            times = DRAWS if attacker == "uniform" and found.freedom else 1
            guesses = (found.estimate(rows, attacker=attacker, rng=rng) for _ in range(times))
            return np.array([breach_size(true, guess, kind) for guess in guesses])

        return self._drawn((tuple(found.links.rows), attacker, kind), make)

    def _by_eps(self, found, settings, closed):
        """Mean breach of those not known by eps, for both kinds of guess."""
        some = min(JUDGED, self.rows)
        unknown = ~found.linked_rows[self.row_of][:some]
        lines = {}
        for attacker in known_input.ATTACKERS:
            if not unknown.any() or not found.informed:
                lines[attacker] = np.full(len(EPS), float(found.informed))
            elif closed:
                rows = self.row_of[:some][unknown]
                every = found.breach_of(rows, EPS[:, None], attacker=attacker, kind=settings.kind)
                lines[attacker] = every.mean(axis=1)
            else:
                grid = EPS[::6]
                shares = [self._breach(found, settings, eps, attacker, closed)[unknown].mean() for eps in grid]
                lines[attacker] = np.interp(EPS, grid, shares)
        return lines

    def _measured(self, found, settings):
        """Mean share breached over drawn rotations, and its standard error over the draws."""
        if not found.informed:
            return None
        some = min(JUDGED, self.rows)
        unknown = ~found.linked_rows[self.row_of][:some]
        if not unknown.any():
            return None
        sizes = self._sizes(found, "uniform", settings.kind)
        shares = (sizes[:, unknown] <= settings.eps).mean(axis=1)
        error = float(np.std(shares, ddof=1) / np.sqrt(len(shares))) if len(shares) > 1 else 0.0
        return float(np.mean(shares)), error

    def _growth(self, settings, closed):
        """The same by the number of known records."""
        growth = Growth([], [], [], [])
        for count in range(self.most_known + 1):
            found = self.attack(self.first_known(count))
            judged = self.rows if closed else min(JUDGED, self.rows)
            unknown = ~found.linked_rows[self.row_of][:judged]
            breach = self._breach(found, settings, settings.eps, "uniform", closed)[:judged][unknown]
            projection = self._breach(found, settings, settings.eps, "projection", closed)[:judged][unknown]
            growth.known.append(count)
            growth.uniform.append(float(breach.mean()) if len(breach) else 1.0)
            growth.highest.append(float(breach.max()) if len(breach) else 1.0)
            growth.projection.append(float(projection.mean()) if len(projection) else 1.0)
        return growth

    # A known sample

    def sampled(self, settings: Settings, *, live: bool = False) -> Sampled:
        """Axes matched and records recovered: by both methods, or by one while something is dragged."""
        pairs, methods = (20_000, (settings.method,)) if live else (120_000, METHODS)
        found = {method: self._match(settings.sample, method, pairs) for method in methods}
        judged = min(JUDGED, self.rows)
        estimates = {method: one.estimate(self.turned[:judged]) for method, one in found.items()}
        private = self.private[:judged]
        rates = {m: breach_rate(private, e, settings.eps, settings.kind) for m, e in estimates.items()}
        one = found[settings.method]
        turned = self.release.secret.matrix @ one.sample_axes
        cosine = np.sum(turned * one.released_axes, axis=0)
        return Sampled(
            settings, one, rates, estimates[settings.method],
            breached(private, estimates[settings.method], settings.eps, settings.kind),
            np.abs(cosine), np.sign(cosine) == one.signs, self._certainty(settings.sample, one, live), judged,
        )  # fmt: skip

    def _certainty(self, count, found, live):
        """How much worse each axis fits the other way round, by itself and with the others, about as a chi-squared."""
        most = PREVIEW if live else len(self.pool)
        s, y = self.pool[: min(count, most)], self.turned[:most]
        if self.shifted:
            s, y = s - s.mean(axis=0), y - y.mean(axis=0)
        cross = marginal_cross(s @ (found.sample_axes * found.signs), y @ found.released_axes)
        least = np.where(cross.min(axis=0) > 0, cross.min(axis=0), 1.0)
        alone = 2 * len(s) * len(y) / (len(s) + len(y)) * (cross[1] - cross[0]) / least
        return alone + found.margins

    def _match(self, count, method, pairs, start=0):
        """The attack with these records of the pool as the sample."""
        return self._memo(
            ("sample", count, method, pairs, start),
            lambda: known_sample.attack(
                self.pool[start : start + count], self.release.released, translated=self.shifted, method=method,
                search="polynomial", pairs=pairs,
            ),
        )  # fmt: skip

    def sizes(self) -> list[int]:
        """Sample sizes along the curve."""
        least = min(max(10, self.columns + 1), len(self.pool))
        return sorted({round(float(q)) for q in np.geomspace(least, len(self.pool), 6)})

    def sample_curve(self, settings: Settings, size: int) -> dict[str, tuple[float, float]]:
        """Rate and standard error by method for samples of this size, from disjoint parts of the pool."""
        judged = min(JUDGED, self.rows)
        starts = range(0, len(self.pool) - size + 1, max(size, 1))
        starts = list(starts)[:4]
        found = {}
        for method in METHODS:
            rates = [
                breach_rate(
                    self.private[:judged],
                    self._match(size, method, 20_000, start).estimate(self.turned[:judged]),
                    settings.eps,
                    settings.kind,
                )
                for start in starts
            ]
            error = np.std(rates, ddof=1) / np.sqrt(len(rates)) if len(rates) > 1 else 0.0
            found[method] = float(np.mean(rates)), float(error)
        return found

    # The remedy

    def lengths(self) -> list[int]:
        """Dimensions of projections along the curve."""
        return sorted({max(self.columns, round(float(l))) for l in np.geomspace(max(self.columns, 3), WIDEST, 7)})

    def projected(self, dimensions: int, which: str, draw: int = 0):
        """The attacker's estimate of the first records, the share of neighbours kept, the change of distances."""

        def make():
            private, sample = self.private[:PROJECTED], self.pool[:PROJECTED]
            if which == "one":
                matrix = random_projection(private[:1], dimensions, key=self.seed + draw).matrix
                # R = Q T: released rows lie in the n dimensions of Q, and there they are T x. All distances and
                # principal axes are the same, and far less is to be held.
                released, wide = private @ np.linalg.qr(matrix)[1].T, False
            else:
                private = private[:FRESH]
                released, wide = random_projection(private, dimensions, fresh=True, key=self.seed).released, True
            found = known_sample.attack(sample, released, search="polynomial", pairs=120_000, projected=wide)
            judged = min(JUDGED, len(private))
            return (
                found.estimate(released[:judged]),
                same_neighbours(private[:judged], released[:judged], min(5, judged - 1)),
                _spread(private[:judged], released[:judged], np.random.default_rng(3)),
            )

        return self._memo(("projection", dimensions, which, draw), make)

    def remedied(self, settings: Settings) -> Remedied:
        """Both projections at the chosen dimensions."""
        found = {which: self.projected(settings.dimensions, which) for which in ("one", "fresh")}
        estimate = found["one"][0]
        rates = {which: rate for which, (rate, _) in self.remedy_curve(settings, settings.dimensions).items()}
        return Remedied(
            settings, rates, {w: one[1] for w, one in found.items()}, {w: one[2] for w, one in found.items()},
            estimate, breached(self.private[: len(estimate)], estimate, settings.eps, settings.kind),
            min(PROJECTED, len(self.pool)),
        )  # fmt: skip

    def remedy_curve(self, settings: Settings, dimensions: int) -> dict[str, tuple[float, float]]:
        """Rates at these dimensions with standard errors, for one R, drawn a few times, and for fresh ones."""
        found = {}
        for which, draws in (("one", MATRICES), ("fresh", 1)):
            estimates = [self.projected(dimensions, which, draw)[0] for draw in range(draws)]
            rates = [breach_rate(self.private[: len(e)], e, settings.eps, settings.kind) for e in estimates]
            error = np.std(rates, ddof=1) / np.sqrt(draws) if draws > 1 else 0.0
            found[which] = float(np.mean(rates)), float(error)
        return found


def _examples(breach, relative):
    """The most exposed record and a typical one."""
    unknown = np.flatnonzero(~np.isnan(breach))
    if not len(unknown):
        return None, None
    order = unknown[np.lexsort((relative[unknown], -breach[unknown]))]
    return int(order[0]), int(order[len(order) // 2])


def _spread(a, b, rng):
    """Root mean square of the relative change of distances, over random pairs."""
    first = rng.integers(len(a), size=2_000)
    second = (first + rng.integers(1, len(a), size=2_000)) % len(a)
    before, after = (np.linalg.norm(t[first] - t[second], axis=1) for t in (a, b))
    apart = before > 0
    return float(np.sqrt(np.mean((after[apart] / before[apart] - 1) ** 2))) if apart.any() else 0.0
