"""What the Rotation dashboard computes: a release, and what each attacker makes of it.

Nothing here knows Panel. Half of the rows are private and released; the other half is where a sample comes from.
"""

from dataclasses import replace

import numpy as np

from trustscope.engine.attacks import known_input, known_sample
from trustscope.engine.measures import breach_rate, breach_size, breached
from trustscope.engine.rotation import RotationRelease, random_projection
from trustscope.engine.utility import compare_clusters, same_neighbours
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.rotation.certainty import certainty
from trustscope.scenarios.rotation.picture import Growth, Inputs, Kept, Remedied, Sampled
from trustscope.scenarios.rotation.settings import GUESSED, JUDGED, Settings

MOST = 10_000  # private records
ROUNDING = 1e-12  # of the largest length: what is nearer than this is the same
PAIRS = 120_000  # of rows, behind every choice of signs
SAMPLES = 4  # of a size, without a record in common, over which a figure is averaged
SHIFTED = 800  # of them where links are found by distances alone: all pairs are compared
CLUSTERED = 1_500
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
        self._slack = ROUNDING * (float(self.norms.max()) + length)
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
            lambda: (same_neighbours(a, b, min(5, len(a) - 1)), _change(a, b, np.random.default_rng(1))),
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

        def make():
            found = known_input.attack(
                self.private[list(known)], self.release.released, translated=self.shifted, norms=self._norms()
            )
            # Of a record of length 0 no rounding would be small enough.
            return replace(found, residuals=np.where(found.residuals > self._slack, found.residuals, 0.0))

        return self._memo(("attack", known), make)

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
            EPS, self._by_eps(found, settings, closed, min(JUDGED, self.rows) if live else judged), closed,
            0 if closed or not (found.informed and found.freedom) else DRAWS,
        )  # fmt: skip
        if live:
            return picture
        return replace(picture, measured=self._measured(found, settings, judged), growth=self._growth(settings, closed))

    def _breach(self, found, settings, eps, attacker, closed):
        """Probability of every record, in the order of the private data."""
        if closed:
            return found.breach(eps, attacker=attacker, kind=settings.kind)[self.row_of]
        if not found.informed:
            return np.zeros(min(JUDGED, self.rows))
        return np.mean(self._sizes(found, attacker, settings.kind, min(JUDGED, self.rows)) <= eps, axis=0)

    def _sizes(self, found, attacker, kind, judged):
        """How far drawn guesses of the first records are off, shape (draws, records): the eps at which they breach."""

        def make():
            rng = np.random.default_rng(7)
            rows, true = self.row_of[:judged], self.private[:judged]
            times = DRAWS if attacker == "uniform" and found.freedom else 1
            guesses = (found.estimate(rows, attacker=attacker, rng=rng) for _ in range(times))
            near = (np.where(np.abs(guess - true) > self._slack, guess, true) for guess in guesses)
            return np.array([breach_size(true, guess, kind) for guess in near])

        return self._drawn((tuple(found.links.rows), attacker, kind, judged), make)

    def _by_eps(self, found, settings, closed, some):
        """Mean breach of those not known, among the first records, by eps, for both kinds of guess."""
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

    def _measured(self, found, settings, some):
        """Mean share breached of the first records over drawn rotations, and its standard error over the draws."""
        if not found.informed:
            return None
        unknown = ~found.linked_rows[self.row_of][:some]
        if not unknown.any():
            return None
        sizes = self._sizes(found, "uniform", settings.kind, some)
        shares = (sizes[:, unknown] <= settings.eps).mean(axis=1)
        error = float(np.std(shares, ddof=1) / np.sqrt(len(shares))) if len(shares) > 1 else 0.0
        return float(np.mean(shares)), error

    def order(self, settings: Settings) -> tuple[int, ...]:
        """Her records, then those that she would know next."""
        known = settings.known
        later = (i for i in (settings.then or self.first_known(self.most_known)) if i not in known)
        return (*known, *later)[: max(self.most_known, len(known))]

    def _growth(self, settings, closed):
        """The same by the number of known records: fewer of hers, or others as well."""
        growth, order = Growth([], [], [], []), self.order(settings)
        for count in range(len(order) + 1):
            found = self.attack(order[:count])
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
        """Axes matched and records recovered: by both methods over several samples, or while dragging by one."""
        samples = self.samples(settings.sample)
        block = settings.block % samples
        found = {m: self._match(settings.sample, m, block) for m in ((settings.method,) if live else METHODS)}
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
            np.abs(cosine), np.sign(cosine) == one.signs,
            self._certainty(self._sample(settings.sample, block), self.turned, one), judged, samples, block,
            {} if live else self.sample_curve(settings, settings.sample),
        )  # fmt: skip

    def sampled_ready(self, settings: Settings) -> bool:
        """Whether the axes of this sample have been matched before."""
        return (
            "sample",
            settings.sample,
            settings.method,
            settings.block % self.samples(settings.sample),
        ) in self._memo

    def samples(self, size: int) -> int:
        """How many samples of a size without a record in common are tried."""
        return max(min(len(self.pool) // size, SAMPLES), 1)

    def sample(self, settings: Settings) -> np.ndarray:
        """The records that she has."""
        return self._sample(settings.sample, settings.block % self.samples(settings.sample))

    def _sample(self, size, block):
        return self.pool[block * size : (block + 1) * size]

    def _certainty(self, s, y, found):
        """How much worse each axis fits the other way round, in standard errors."""
        if self.shifted:
            s, y = s - s.mean(axis=0), y - y.mean(axis=0)
        return certainty(s @ (found.sample_axes * found.signs), y @ found.released_axes)

    def _match(self, size, method, block):
        """The attack with one sample of this size."""
        return self._memo(
            ("sample", size, method, block),
            lambda: known_sample.attack(
                self._sample(size, block), self.release.released, translated=self.shifted, method=method,
                search="polynomial", pairs=PAIRS,
            ),
        )  # fmt: skip

    def sizes(self) -> list[int]:
        """Sample sizes along the curve."""
        least = min(max(10, self.columns + 1), len(self.pool))
        return sorted({round(float(q)) for q in np.geomspace(least, len(self.pool), 6)})

    def sample_curve(self, settings: Settings, size: int) -> dict[str, tuple[float, float]]:
        """Rate and standard error by method for samples of this size, from disjoint parts of the pool."""
        judged = min(JUDGED, self.rows)
        found = {}
        for method in METHODS:
            matches = (self._match(size, method, block) for block in range(self.samples(size)))
            estimates = (one.estimate(self.turned[:judged]) for one in matches)
            rates = [breach_rate(self.private[:judged], e, settings.eps, settings.kind) for e in estimates]
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
            found = known_sample.attack(sample, released, search="polynomial", pairs=PAIRS, projected=wide)
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
            min(PROJECTED, len(self.pool)), *self.rotated(settings),
        )  # fmt: skip

    def rotated(self, settings: Settings) -> tuple[float, int]:
        """What the same attacker recovers from rotations of the same records, and how many signs are guesses."""

        def make():
            private, sample, found = self.private[:PROJECTED], self.pool[:PROJECTED], []
            for draw in range(MATRICES):
                release = RotationRelease(private, key=self.seed + draw)
                one = known_sample.attack(sample, release.released, search="polynomial", pairs=PAIRS)
                estimate = one.estimate(release.released[release.secret.permutation][:JUDGED])
                found.append((estimate, self._certainty(sample, release.released, one)))
            return found

        found = self._memo("rotated", make)
        rates = [breach_rate(self.private[: len(e)], e, settings.eps, settings.kind) for e, _ in found]
        return float(np.mean(rates)), int(max(np.count_nonzero(sure < GUESSED) for _, sure in found))

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


def _pairs(a, b, rng):
    """Distances of random pairs of records that are not the same, before and after."""
    first = rng.integers(len(a), size=2_000)
    second = (first + rng.integers(1, len(a), size=2_000)) % len(a)
    before, after = (np.linalg.norm(t[first] - t[second], axis=1) for t in (a, b))
    apart = before > 0
    return before[apart], after[apart]


def _change(a, b, rng):
    """The largest change of a distance, relative to the longest record: rounding is as large as the values are."""
    before, after = _pairs(a, b, rng)
    return float(np.abs(after - before).max(initial=0.0) / max(np.linalg.norm(t, axis=1).max() for t in (a, b)))


def _spread(a, b, rng):
    """Root mean square of the relative change of distances."""
    before, after = _pairs(a, b, rng)
    return float(np.sqrt(np.mean((after / before - 1) ** 2))) if len(before) else 0.0
