"""The fourth step: the remedy that the paper proposes, a random projection, and what becomes of it."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from trustscope.engine.arrays import Floats
from trustscope.engine.attacks import known_input, known_sample
from trustscope.engine.attacks.known_input import KnowsOthers, KnowsSample
from trustscope.engine.rotation import RotationRelease, random_projection
from trustscope.engine.utility import same_neighbours
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.rotation.judge import JUDGED, Hits, Judge
from trustscope.scenarios.rotation.kept import NEAREST, pairs
from trustscope.scenarios.rotation.known import best_of, reach_of, usual_reach
from trustscope.scenarios.rotation.result import Projected, Rate, Remedied, RotationResult
from trustscope.scenarios.rotation.sample import PAIRS, chosen
from trustscope.scenarios.rotation.scenario import WIDEST, RotationScenario, Settings
from trustscope.scenarios.rotation.twenty import StoryModel, twenty
from trustscope.scenarios.value import not_none

PROJECTED = 5_000  # private records that are projected, and size of the sample against them
FRESH = 400  # private records where every one has a matrix of its own
SECRETS = 4  # random matrices that are tried
ALONG = 2  # of them for each number of columns along the curve
MEASURED = 500  # pairs of records whose distances are measured before and after
TRIED = 7  # numbers of columns along the curve


class RemedyStory:
    """Projections, the attacks of the competitor on them, and what is left of the distances.

    The competitor matches axes, lays what was released over the sample, and compares lengths, against the remedy as
    against a rotation; whatever hits most counts. The remedy is compared with a plain rotation: a shift plays no part
    here.

    Parameters
    ----------
    model : Model
    """

    def __init__(self, model: StoryModel) -> None:
        self._model, self.records, self.seed = model, model.records, model.seed
        self.private, self.sample = self.records.private[:PROJECTED], self.records.pool[:PROJECTED]
        self._memo, self._ways, self._guessed, self._knowing = Memo(96), Memo(48), Memo(48), Memo(24)

    def lengths(self) -> tuple[int, ...]:
        """Numbers of released columns along the curve."""
        least = max(self.records.columns, 3)
        return tuple(sorted({max(self.records.columns, round(float(l))) for l in np.geomspace(least, WIDEST, TRIED)}))

    # Pictures

    def preview(self, scenario: RotationScenario) -> Remedied | None:
        """At slider rate where it has been worked out before."""
        columns = scenario.settings.dimensions
        by_value = scenario.settings.kind == "value"
        wanted = [("one", columns, 0, by_value), ("fresh", columns, 0, by_value), ("rotation", 0, 0, by_value)]
        return self._picture(scenario, quick=True) if all(one in self._ways for one in wanted) else None

    def passes(self, scenario: RotationScenario) -> Iterator[RotationResult]:
        """This secret first, then others, then other numbers of columns."""
        settings = scenario.settings
        if self.preview(scenario) is None:
            yield RotationResult(scenario, waiting="The records are projected, and the competitor attacks …")
        yield self._picture(scenario)
        for secret in range(1, SECRETS):
            self._whole(settings, "one", not_none(settings.dimensions), secret)
        yield self._picture(scenario)
        for columns in self.lengths():
            for secret in range(ALONG):
                self._whole(settings, "one", columns, secret)
            self._whole(settings, "fresh", columns, 0)
            yield self._picture(scenario)

    def _picture(self, scenario: RotationScenario, quick: bool = False) -> Remedied:
        settings = scenario.settings
        columns = not_none(settings.dimensions)
        one, fresh = (self._judged(settings, which, columns, quick=quick) for which in ("one", "fresh"))
        hits, without = one.hits, self._model.without(settings)
        picture = Remedied(
            scenario, one, fresh, self._judged(settings, "rotation", 0, quick=quick).hits, without,
            len(self.sample), self._others(settings, quick), self._curve(settings), self.lengths(),
            self._neighbours(settings) if scenario.view.closer == "sides" else {},
            twenty=twenty(self._model, settings, without, hits.rate, hits.record, hits.values),
        )  # fmt: skip
        if scenario.view.closer == "record":
            return replace(picture, one=chosen(picture, one.hits, one.estimate, self.records))
        return picture

    def _others(self, settings: Settings, quick: bool) -> Rate:
        """Rates with all matrices that have been tried by now. (Another rotation would change nothing: the attack
        turns with it.)"""
        columns, by_value = not_none(settings.dimensions), settings.kind == "value"
        tried = [secret for secret in range(SECRETS) if ("one", columns, secret, by_value) in self._ways]
        return Rate(tuple(self._judged(settings, "one", columns, secret, quick).hits.rate for secret in tried))

    def _curve(self, settings: Settings) -> dict[str, dict[int, Rate]]:
        """What is known by now of all numbers of columns."""
        curve: dict[str, dict[int, Rate]] = {"one": {}, "fresh": {}}
        by_value = settings.kind == "value"
        for which, secrets in (("one", ALONG), ("fresh", 1)):
            for columns in self.lengths():
                if all((which, columns, secret, by_value) in self._ways for secret in range(secrets)):
                    every = (self._judged(settings, which, columns, secret, quick=True) for secret in range(secrets))
                    curve[which][columns] = Rate(tuple(one.hits.rate for one in every))
        return curve

    def hits(self, settings: Settings) -> Hits:
        """What is hit through one matrix with the chosen number of columns."""
        return self._judged(settings, "one", not_none(settings.dimensions)).hits

    def recovered(self, settings: Settings, columns: int) -> float:
        """The share of hits through one matrix with so many columns; never less than without the release."""
        return max(self._model.without(settings).rate, self._judged(settings, "one", columns).hits.rate)

    def _judged(self, settings: Settings, which: str, columns: int, secret: int = 0, quick: bool = False) -> Projected:
        _, before, after = self._projected(which, columns, secret)
        judge = Judge(self.records, settings.kind, not_none(settings.eps))
        estimate = self._guess(settings, which, columns, secret, quick)
        return Projected(judge.hits(self.private[: len(estimate)], estimate), estimate, before, after)

    def _guess(self, settings: Settings, which: str, columns: int, secret: int, quick: bool) -> Floats:
        """The guess that hits most often; `quick`: of those that are made for the usual closeness."""
        judge = Judge(self.records, settings.kind, not_none(settings.eps))
        ways = self._whole(settings, which, columns, secret)
        true, key = self.private[: len(ways[0])], (which, columns, secret, judge.kind, judge.eps)
        if quick and key not in self._guessed:
            return best_of(ways, true, judge)

        def make() -> Floats:
            alike = self._alike(which, columns, secret, judge.kind, reach_of(judge))
            return best_of([ways[0], alike, *ways[2:]], true, judge)

        found: Floats = self._guessed(key, make)
        return found

    # Releases and the attack on them

    def _released(self, which: str, columns: int, secret: int) -> tuple[Floats, Floats]:
        """Private records, and the same as they are released, in the same order."""
        private, key = self.private, self.seed + secret
        if which == "one":
            matrix = random_projection(private[:1], columns, key=key).matrix
            # R = Q T: released rows lie in the n dimensions of Q, and there they are T x. All distances and principal
            # axes are the same, and far less is to be held.
            return private, private @ np.linalg.qr(not_none(matrix))[1].T
        if which == "fresh":
            return private[:FRESH], random_projection(private[:FRESH], columns, fresh=True, key=key).released
        release = RotationRelease(private, key=key)
        return private, release.released[release.secret.permutation]

    def _whole(self, settings: Settings, which: str, columns: int, secret: int) -> list[Floats]:
        """Guesses by axes, for the usual closeness by who is alike, and by laying the release over the sample."""
        kind = settings.kind

        def make() -> list[Floats]:
            by_axes, *_ = self._projected(which, columns, secret)
            alike = self._alike(which, columns, secret, kind, usual_reach(self.records, kind))
            if which == "rotation":
                return [by_axes, alike, *self._turned(kind).guesses(slice(0, JUDGED))[1:]]
            _, released = self._released(which, columns, secret)
            return [by_axes, alike, *self._knows(which, columns, kind).laid(released, JUDGED)]

        found: list[Floats] = self._ways((which, columns, secret, kind == "value"), make)
        return found

    def _alike(self, which: str, columns: int, secret: int, kind: str, reach: Floats | None) -> Floats:
        """The guess by records of the sample that are alike in what the release tells."""
        if which == "rotation":
            return self._turned(kind).estimate(slice(0, JUDGED), reach)
        _, released = self._released(which, columns, secret)
        return self._knows(which, columns, kind).alike(released, JUDGED, reach)

    def _knows(self, which: str, columns: int, kind: str) -> KnowsSample:
        """Who has the sample, against projections to so many columns."""

        def make() -> KnowsSample:
            return KnowsSample(self.sample, columns, fresh=which == "fresh", within=usual_reach(self.records, kind))

        return self._knowing((which, columns, kind == "value"), make)

    def _turned(self, kind: str) -> KnowsOthers:
        """Who has the sample, against the rotation."""

        def make() -> KnowsOthers:
            private, released = self._released("rotation", 0, 0)
            return KnowsOthers(known_input.attack(private[:0], released), self.sample, usual_reach(self.records, kind))

        return self._knowing(("rotation", 0, kind == "value"), make)

    def _projected(self, which: str, columns: int, secret: int) -> tuple[Floats, Floats, Floats]:
        """The estimate by axes of the first records, and distances before and after."""

        def make() -> tuple[Floats, Floats, Floats]:
            private, released = self._released(which, columns, secret)
            found = known_sample.attack(
                self.sample, released, search="polynomial", pairs=PAIRS, projected=which == "fresh"
            )
            a, b = private[:JUDGED], released[:JUDGED]
            return found.estimate(b), *pairs(a, b, np.random.default_rng(3), MEASURED)

        return self._memo((which, columns, secret), make)

    def _neighbours(self, settings: Settings) -> dict[str, float]:
        """The share of records that keep their nearest ones, by both ways to project."""
        return {
            which: self._memo(("neighbours", which, settings.dimensions), partial(self._nearest, which, settings))
            for which in ("one", "fresh")
        }

    def _nearest(self, which: str, settings: Settings) -> float:
        a, b = (table[:JUDGED] for table in self._released(which, not_none(settings.dimensions), 0))
        return same_neighbours(a, b, min(NEAREST, len(a) - 1))
