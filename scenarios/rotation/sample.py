"""The third step: a competitor who has a sample of similar records matches principal axes, lengths and whole clouds."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from trustscope.engine.arrays import Floats
from trustscope.engine.attacks import known_input, known_sample
from trustscope.engine.attacks.known_input import KnowsOthers
from trustscope.engine.attacks.known_sample import KnownSampleAttack
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.rotation.certainty import certainty
from trustscope.scenarios.rotation.judge import JUDGED, Hits, Judge
from trustscope.scenarios.rotation.known import best_of, examples, one_record, reach_of, usual_reach
from trustscope.scenarios.rotation.records import Records
from trustscope.scenarios.rotation.result import One, Rate, RotationResult, Sampled
from trustscope.scenarios.rotation.scenario import SAMPLES, RotationScenario, Settings
from trustscope.scenarios.rotation.twenty import StoryModel, twenty
from trustscope.scenarios.value import not_none

METHODS = ("improved", "paper")
PAIRS = 120_000  # pairs of rows behind every choice of signs
TRIED = 6  # sample sizes along the curve
LEAST = 4  # records that a sample must have


class SampleStory:
    """Axes of sample and release, and what is recovered by matching them.

    A rotation keeps distances and lengths. The improved competitor lays the released rows over those of the sample
    too, and compares lengths, from the mean where there is a shift; whichever way hits more often counts.

    Parameters
    ----------
    model : Model
    """

    def __init__(self, model: StoryModel) -> None:
        self._model, self.records = model, model.records
        self.judged = min(JUDGED, self.records.rows)
        self._memo, self._knowing, self._guessed = Memo(96), Memo(24), Memo(96)

    # Which samples there are

    def least(self) -> int:
        """The smallest sample that is tried."""
        return min(max(10, self.records.columns + 1), len(self.records.pool))

    def sizes(self) -> tuple[int, ...]:
        """Sample sizes along the curve."""
        return tuple(sorted({round(float(q)) for q in np.geomspace(self.least(), len(self.records.pool), TRIED)}))

    def samples(self, size: int) -> int:
        """How many samples of a size without a record in common are tried."""
        return max(min(len(self.records.pool) // size, SAMPLES), 1)

    def sample(self, size: int, block: int) -> Floats:
        """The records of one sample; blocks are counted from 1."""
        return self.records.pool[(block - 1) * size : block * size]

    # Pictures

    def preview(self, scenario: RotationScenario) -> Sampled:
        """With the chosen sample; by its axes alone, unless what else it tells has been worked out before."""
        return self._picture(scenario, quick=True)

    def passes(self, scenario: RotationScenario) -> Iterator[RotationResult]:
        """With the other samples of this size, and with what is looked at closer."""
        settings, closer = scenario.settings, scenario.view.closer
        if not self._ready(not_none(settings.sample), settings.method, settings.block):
            yield RotationResult(
                scenario, waiting="The competitor matches the axes of the sample with those of the release …"
            )
        yield self._picture(scenario)
        picture = replace(
            self._picture(scenario), others=self.rate(settings, not_none(settings.sample), settings.method)
        )
        if closer == "when":
            picture = replace(picture, certainty=self._certainty(settings, picture.attack))
        yield picture
        if closer == "sizes":
            for size in self.sizes():
                for method in METHODS:
                    self.rate(settings, size, method)
                yield replace(picture, curve=self._curve(settings))

    def _picture(self, scenario: RotationScenario, quick: bool = False) -> Sampled:
        settings, size = scenario.settings, not_none(scenario.settings.sample)
        found, judge = self.match(size, settings.method, settings.block), self._judge(settings)
        true, by_axes = self.records.private[: self.judged], self._by_axes(found)
        estimate = self.guess(settings, size, settings.block, quick)
        cosine = np.sum((self._model.release.secret.matrix @ found.sample_axes) * found.released_axes, axis=0)
        hits, without = judge.hits(true, estimate), self._model.without(settings)
        picture = Sampled(
            scenario, found, hits, without, estimate, judge.hits(true, by_axes).rate,
            np.minimum(np.abs(cosine), 1.0), np.sign(cosine) == found.signs, self.samples(not_none(settings.sample)),
            curve=self._curve(settings) if scenario.view.closer == "sizes" else {}, sizes=self.sizes(),
            twenty=twenty(self._model, settings, without, hits.rate, hits.record, hits.values, quick=quick),
        )  # fmt: skip
        if scenario.view.closer == "record":
            return replace(picture, one=chosen(picture, picture.hits, estimate, self.records))
        return picture

    # The attack

    def match(self, size: int, method: str, block: int) -> KnownSampleAttack:
        """The attack with one sample."""
        return self._memo(
            (size, method, block),
            lambda: known_sample.attack(
                self.sample(size, block), self._model.release.released, translated=self._model.shifted,
                method=method, search="polynomial", pairs=PAIRS,
            ),
        )  # fmt: skip

    def _ready(self, size: int, method: str, block: int | None = None) -> bool:
        blocks = [block] if block else range(1, self.samples(size) + 1)
        return all((size, method, one) in self._memo for one in blocks)

    def _judge(self, settings: Settings) -> Judge:
        return Judge(self.records, settings.kind, not_none(settings.eps))

    def _by_axes(self, found: KnownSampleAttack) -> Floats:
        """What matched axes make of the records judged."""
        return found.estimate(self._model.turned[: self.judged])

    def guess(self, settings: Settings, size: int, block: int, quick: bool = False) -> Floats:
        """What the competitor with one sample makes of the records judged.

        In the paper's way it is by matched axes alone, and so it is with `quick` until the rest has been worked out.
        """
        by_axes = self._by_axes(self.match(size, settings.method, block))
        judge = self._judge(settings)
        key = size, block, judge.kind, judge.eps
        if settings.method == "paper" or (quick and key not in self._guessed):
            return by_axes

        def make() -> Floats:
            knows, rows = self._knows(size, block, judge.kind), self._model.row_of[: self.judged]
            return best_of([by_axes, *knows.guesses(rows, reach_of(judge))], self.records.private[: self.judged], judge)

        return self._guessed(key, make)

    def _knows(self, size: int, block: int, kind: str) -> KnowsOthers:
        """Who knows the records of one sample, and no other."""

        def make() -> KnowsOthers:
            released, shifted = self._model.release.released, self._model.shifted
            found = known_input.attack(self.records.private[:0], released, translated=shifted)
            return KnowsOthers(found, self.sample(size, block), usual_reach(self.records, kind))

        return self._knowing((size, block, kind == "value"), make)

    def rate(self, settings: Settings, size: int, method: str, quick: bool = False) -> Rate:
        """Shares of hits with all samples of a size; `quick` as in `guess`."""
        settings, blocks = settings.replace({"method": method}), range(1, self.samples(size) + 1)
        return Rate(tuple(self.rate_of(settings, size, block, quick) for block in blocks))

    def rate_of(self, settings: Settings, size: int, block: int, quick: bool = False) -> float:
        """The share of hits with one sample."""
        guess = self.guess(settings, size, block, quick)
        return self._judge(settings).hits(self.records.private[: self.judged], guess).rate

    def recovered(self, settings: Settings, size: int) -> float:
        """The share of hits with one sample of another size; never less than without the release."""
        block = min(settings.block, self.samples(size))
        return max(self._model.without(settings).rate, self.rate_of(settings, size, block))

    def _curve(self, settings: Settings) -> dict[str, dict[int, Rate]]:
        """What is known by now of all sizes."""
        found = {}
        for method in METHODS:
            ready = [size for size in self.sizes() if self._ready(size, method)]
            found[method] = {size: self.rate(settings, size, method, quick=True) for size in ready}
        return found

    def _certainty(self, settings: Settings, found: KnownSampleAttack) -> Floats:
        """By how many standard errors each axis fits worse the other way round."""
        s, y = self.sample(not_none(settings.sample), settings.block), self._model.turned
        if self._model.shifted:
            s, y = s - s.mean(axis=0), y - y.mean(axis=0)
        return certainty(s @ (found.sample_axes * found.signs), y @ found.released_axes)


def chosen(picture: RotationResult, hits: Hits, estimate: Floats, records: Records) -> One:
    """The record that is looked at by itself: the one recovered best, or one in the middle."""
    true = records.private[: len(estimate)]
    off = np.linalg.norm((estimate - true) * records.scale / records.sd, axis=1)
    best, middle = examples(hits.record, off)
    place = not_none(best if picture.view.record_as == "exposed" else middle)
    judge = Judge(records, picture.settings.kind, not_none(picture.settings.eps))
    return one_record(records, judge, place, estimate[place])
